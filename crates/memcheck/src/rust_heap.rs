//! Blocks of Rust's allocator. The library's own code, which is external, gives back blocks that the program has allocated, so a
//! block is only known until external code is given it.

use whydunit_library::RustHeap;
use whydunit_replay::At;

use crate::checker::Memcheck;
use crate::given::{FOLLOWED, led_to};
use crate::object::What;
use crate::report::Kind;
use crate::tag::Tag;

impl Memcheck {
    /// After a call of a function of Rust's allocator with these arguments.
    pub(crate) fn rust_heap(&mut self, at: &At<'_>, does: RustHeap, args: &[u64], result: u64) {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match does {
            RustHeap::Allocate { size, .. } => self.rust_block(at, result, arg(size)),
            RustHeap::Free { block } => self.rust_freed(at, arg(block)),
            // The system had no memory: the block stays.
            RustHeap::Reallocate { .. } if result == 0 => {}
            RustHeap::Reallocate { block, new_size, .. } => {
                self.rust_freed(at, arg(block));
                self.rust_block(at, result, arg(new_size));
            }
        }
    }

    fn rust_block(&mut self, at: &At<'_>, address: u64, size: u64) {
        if self.rust.over || address == 0 || !at.in_frame() {
            return;
        }
        let place = self.calls.here(at);
        let tag = self.placed(What::Heap, address, size, place);
        self.rust.tags.insert(tag);
        // What the library writes there is not always seen.
        self.shadow.fill(address, size, false);
    }

    fn rust_freed(&mut self, at: &At<'_>, address: u64) {
        match self.objects.starting_at(address) {
            Some((tag, _)) if self.rust.tags.remove(&tag) => {
                let place = self.calls.here(at);
                self.objects.free(address, place);
            }
            _ => {
                let freed = self.objects.find_freed(address).filter(|object| object.start == address);
                let given = self.objects.get(self.given);
                if let Some(object) = freed.filter(|object| given.is_some_and(|given| given.start == object.start)) {
                    self.error(at, Kind::DoubleFree, true, address, 0, Some(object));
                }
            }
        }
    }

    /// External code was given what these objects lead to: blocks of Rust among that are not known any more.
    pub(crate) fn rust_given(&mut self, tags: impl Iterator<Item = Tag>) {
        if !self.rust.has_blocks() {
            return;
        }
        let (known, shadow) = (&mut self.rust.tags, &mut self.shadow);
        let gone: Vec<Tag> =
            match led_to(&self.objects, tags, FOLLOWED, |object| shadow.tags_in(object.start, object.size)) {
                Some(given) => given.into_iter().filter(|tag| known.remove(tag)).collect(),
                None => {
                    self.rust.over = true;
                    known.drain().collect()
                }
            };
        gone.into_iter().for_each(|tag| self.objects.release(tag));
    }
}
