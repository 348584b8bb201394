//! Rust's allocator: the recording has what it gives, and the replay computes what it moves and zeroes, unless the call is
//! announced as an external one, whose events follow (docs/engine.md, section 4).

use whydunit_library::RustHeap;
use whydunit_recording::{Event, RetValue};

use super::{Flow, Machine};
use crate::divergence::Result;
use crate::events::Kind;
use crate::observer::Observer;

impl Machine {
    /// A direct call of `__rust_alloc` or one of its like.
    pub(crate) fn allocator_call<O: Observer>(
        &mut self,
        observer: &mut O,
        call: RustHeap,
        args: &[u64],
    ) -> Result<Flow> {
        if self.is_announced() {
            self.take_event()?;
            return Ok(self.wait_for_external());
        }
        if matches!(call, RustHeap::Free { .. }) {
            self.external_returns(observer, args, &[]);
            return Ok(Flow::Continue);
        }
        // The run may have ended here.
        let Some(block) = self.given()? else { return Ok(self.wait_for_external()) };
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match call {
            _ if block == 0 => {}
            RustHeap::Allocate { size, zeroed: true, .. } => self.fill_range(observer, block, 0, arg(size)),
            RustHeap::Reallocate { block: old, size, new_size, .. } if block != arg(old) => {
                self.move_range(observer, block, arg(old), arg(size).min(arg(new_size)));
            }
            _ => {}
        }
        self.external_returns(observer, args, &[block]);
        Ok(Flow::Continue)
    }

    /// The result of the call at hand, if that is the next event.
    fn given(&mut self) -> Result<Option<u64>> {
        let site = self.global_site();
        let now = self.event_is_now() && self.events.next.kind == Kind::Outside && self.events.next.site == site;
        let is_result = |event: &Event| matches!(event, Event::Ret { value: RetValue::Int(_), .. });
        if !now || !matches!(self.events.peek(), Ok(Some(entry)) if is_result(&entry.event)) {
            return Ok(None);
        }
        match self.take_event()?.event {
            Event::Ret { value: RetValue::Int(value), .. } => Ok(Some(value)),
            _ => Ok(None),
        }
    }
}
