//! Exceptions: where they land, and the frames that they leave.

use whydunit_model::{BlockId, Function, Op};

use super::{Flow, Machine};
use crate::divergence::Result;
use crate::observer::Observer;
use crate::state::{Frame, FrameKind, Waits};

impl Machine {
    /// The present operation hands an exception on to the unwinder.
    pub(crate) fn resume<O: Observer>(&mut self, observer: &mut O) -> Flow {
        if self.what_if.is_some() {
            return self.what_if_resume(observer);
        }
        self.wait_for_external()
    }

    /// The unwinder brought the exception to the landing pad `site`. It is that of the innermost call which leads there: the
    /// unwinder asks the frames in this order, and decides by the call and the exception alone.
    pub(crate) fn land<O: Observer>(&mut self, observer: &mut O, site: u32, usp: u64) -> Result<Flow> {
        let found = self.code.find_site(site).and_then(|(function, local)| {
            let leads_here = |frame: &Frame| {
                let block = unwinds_to(self.code.model(frame.function), frame.pc)?;
                let model = self.code.model(function);
                let pad = (frame.function == function).then(|| pad_of(model, block)).flatten()?;
                (model.sites[pad as usize] == local).then_some(block)
            };
            let frames = self.core.frames.iter().enumerate().rev();
            frames.into_iter().find_map(|(depth, frame)| Some((depth, leads_here(frame)?)))
        });
        let Some((depth, block)) = found else {
            let expected = format!("a call whose exceptions land at {}", self.code.describe_site(site));
            return Err(self.divergence(expected, format!("none, in {}", self.external_name())));
        };
        let level = self.core.frames.get(depth + 1).map_or(self.core.usp, |above| above.usp_before);
        if level != usp {
            let expected = format!("the stack at {usp:#x} where an exception lands");
            return Err(self.divergence(expected, format!("{level:#x}")));
        }
        self.land_at(observer, depth, block, usp);
        Ok(Flow::Continue)
    }

    /// Goes on at the landing pad to which the call under way in frame `depth` leads.
    pub(crate) fn land_at<O: Observer>(&mut self, observer: &mut O, depth: usize, block: BlockId, usp: u64) {
        let dropped = depth + 1 < self.core.frames.len();
        self.core.frames.truncate(depth + 1);
        self.core.forget_frames(depth + 1);
        self.core.usp = usp;
        let Machine { core, code, .. } = self;
        let frame = &mut core.frames[depth];
        let model = code.model(frame.function);
        let from = model.blocks.partition_point(|other| other.start <= frame.pc).saturating_sub(1) as BlockId;
        let to = &model.blocks[block as usize];
        frame.waits = Waits::No;
        frame.pc = to.start;
        core.instructions += u64::from(to.instructions);
        if dropped {
            observer.unwind(&self.at(), depth + 1);
        }
        if O::BLOCKS {
            let at = self.at();
            observer.block(&at, Some(from), block, &at.model.blocks[block as usize]);
        }
    }

    /// An exception left the captured function at an address, which external code had called.
    pub(crate) fn leave_callback<O: Observer>(&mut self, observer: &mut O, function: u64) -> Result<()> {
        let depth = self.core.frames.iter().rposition(|frame| frame.kind == FrameKind::Callback);
        let called = depth.map(|depth| self.core.frames[depth]);
        let (Some(depth), Some(frame)) =
            (depth, called.filter(|frame| self.run.symbols.function_at(function) == Some(frame.function)))
        else {
            let expected = format!("an exception out of {}", self.code.name_at(&self.run.symbols, function));
            return Err(self.divergence(expected, "another innermost function that external code called"));
        };
        self.core.frames.truncate(depth);
        self.core.forget_frames(depth);
        self.core.usp = frame.usp_before;
        observer.unwind(&self.at(), depth);
        Ok(())
    }
}

/// Where exceptions of the call at `pc` lead.
pub(crate) fn unwinds_to(model: &Function, pc: u32) -> Option<BlockId> {
    match *model.code.get(pc as usize)? {
        Op::Call { call } => model.calls[call as usize].unwind,
        _ => None,
    }
}

/// Place of the landing pad in a block, or in the block that an edge's moves lead to.
pub(crate) fn pad_of(model: &Function, block: BlockId) -> Option<u32> {
    let block = &model.blocks[block as usize];
    for pc in block.start..block.end {
        match model.code[pc as usize] {
            Op::LandingPad { .. } => return Some(pc),
            Op::Jump { to } if block.edge => return pad_of(model, to),
            _ => {}
        }
    }
    None
}
