//! What external code was given: it may keep it, and may give it back to the allocator unseen.

use std::collections::{HashMap, HashSet};

use crate::object::Object;
use crate::objects::Objects;
use crate::tag::Tag;

/// So many blocks are followed that hang together when external code is given one of them; where there are more, no block is known
/// from then on.
pub const FOLLOWED: usize = 1 << 8;

/// The live objects that others lead to, these among them, by what `leads` says of each; `None` where they are more than `most`.
pub fn led_to(
    objects: &Objects,
    tags: impl Iterator<Item = Tag>,
    most: usize,
    mut leads: impl FnMut(&Object) -> Vec<Tag>,
) -> Option<HashSet<Tag>> {
    let (mut seen, mut rest) = (HashSet::new(), Vec::from_iter(tags));
    while let Some(tag) = rest.pop() {
        let Some(object) = objects.get(tag).filter(|object| object.live && seen.insert(tag)) else { continue };
        if seen.len() > most {
            return None;
        }
        rest.extend(leads(&object));
    }
    Some(seen)
}

/// Which external functions are done with what they were given when they return, by name.
#[derive(Clone, Default)]
pub struct LetsGo(HashMap<String, bool>);

impl LetsGo {
    /// Whether the function of this name is.
    pub fn has(&mut self, name: &str) -> bool {
        if let Some(known) = self.0.get(name) {
            return *known;
        }
        let lets_go = whydunit_library::lets_go(name)
            || whydunit_library::rust_heap(name).is_some()
            || whydunit_replay::is_output_of_rust(name);
        self.0.insert(name.to_owned(), lets_go);
        lets_go
    }
}

/// The blocks of Rust's allocator that external code was not given.
#[derive(Clone, Default)]
pub struct RustBlocks {
    /// Their names.
    pub tags: HashSet<Tag>,
    /// None is known any more.
    pub over: bool,
    /// The call under way was told as one of the heap.
    pub told: bool,
}

impl RustBlocks {
    /// Whether any is known.
    pub fn has_blocks(&self) -> bool {
        !self.tags.is_empty()
    }
}
