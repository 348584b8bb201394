//! What code that was not captured may have done unseen. Of what it wrote the recording has only what changed, and only where captured code
//! looks at it later; which blocks it gave back, or gave another size, is not seen at all.

use std::collections::HashSet;

use whydunit_library::lookup;
use whydunit_model::Op;
use whydunit_replay::{At, Memory};

use crate::checker::Memcheck;
use crate::given::{FOLLOWED, called, led_to};
use crate::object::What;
use crate::objects::Objects;
use crate::tag::Tag;

/// So much of an object, or of what external code wrote, is looked through for pointers.
const LOOKED: u64 = 4096;

impl Memcheck {
    /// The external function `name` may have written whatever it can reach from its arguments, unless it is known to write nothing; one that
    /// no library is known to have may reach more.
    pub(crate) fn believe(&mut self, at: &At<'_>, name: &str) {
        let known = lookup(name);
        if known.is_some_and(|known| known.writes_nothing()) {
            return;
        }
        let unknown = known.is_none();
        let callee = self.callees.get(name);
        if unknown && !callee.is_of_cpp_library && !callee.lets_go {
            self.may_have_changed(at);
        }
        let live = |objects: &Objects, tag: Tag| objects.get(tag).filter(|object| object.live);
        for index in 0..self.bases.len() {
            let Some(object) = live(&self.objects, self.bases[index].tag) else { continue };
            let inner = self.shadow.tags_in(object.start, object.size);
            self.shadow.define(object.start, object.size);
            // A pointer to a block that is gone may be one to a new block at the same place; an unknown function may
            // give a block another size as well.
            let doubtful = |tag: Tag| match self.objects.get(tag) {
                Some(object) => !object.live || (unknown && object.what == What::Heap),
                None => true,
            };
            if inner.iter().any(|&tag| doubtful(tag)) {
                self.shadow.forget_tags(object.start, object.size, doubtful);
            }
            for object in inner.into_iter().filter_map(|tag| live(&self.objects, tag)) {
                self.shadow.define(object.start, object.size);
            }
        }
    }

    /// External code calls captured code: what that code was given by the call under way, it may have written before.
    pub(crate) fn called_back(&mut self, at: &At<'_>) {
        if let Some((start, size)) = self.objects.stack.left_behind() {
            self.shadow.fill(start, size, false);
        }
        let Some(caller) = at.caller() else { return };
        let Some(&Op::Call { call }) = caller.model.code.get(caller.pc as usize) else { return };
        if let Some(call) = caller.model.calls.get(call as usize) {
            self.take_bases(&caller, call);
            self.may_have_changed(&caller);
            self.bases.clear();
        }
    }

    /// All that pointers lead to, from what the call under way was given and from what escaped, may have been written. Blocks among that are
    /// not known any more: who is called may free them unseen, have others in their place, or give them another size. The given ones
    /// themselves stay what they are.
    fn may_have_changed(&mut self, at: &At<'_>) {
        let given: HashSet<Tag> = self.bases.iter().map(|base| base.tag).collect();
        let from: Vec<Tag> = given.iter().copied().chain(self.escaped.drain()).collect();
        let (objects, shadow) = (&self.objects, &mut self.shadow);
        let reached = led_to(objects, from.into_iter(), FOLLOWED, |object| {
            let mut tags = shadow.tags_in(object.start, object.size);
            tags.extend(pointers_in(at.memory(), object.start, object.size).map(|word| objects.find(word)));
            tags
        });
        let all = || self.objects.blocks().map(|(tag, _)| tag).collect();
        for tag in reached.unwrap_or_else(all) {
            let Some(object) = self.objects.get(tag) else { continue };
            self.shadow.define(object.start, object.size);
            if object.what == What::Heap && !given.contains(&tag) {
                self.objects.release(tag);
            }
        }
    }

    /// External code has, or may have, a pointer to this object from now on.
    pub(crate) fn escapes(&mut self, tag: Tag) {
        if !tag.is_none() {
            self.escaped.insert(tag);
        }
    }

    /// A pointer to the object `value` is stored at an address in the object `to`: it escapes where that is none that is known.
    #[inline(never)]
    pub(crate) fn stored(&mut self, to: Tag, value: Tag) {
        if self.objects.get(to).is_none_or(|object| !object.live) {
            self.escapes(value);
        }
    }

    /// A range is copied into the object `to`: the objects of the pointers in it escape where that is none that is known.
    pub(crate) fn copied(&mut self, to: Tag, from: u64, size: u64) {
        if !to.on_stack() && self.objects.get(to).is_none_or(|object| !object.live) {
            self.escaped.extend(self.shadow.tags_in(from, size));
        }
    }

    /// External code handed out pointers: a freed block that one leads into has a new owner, and of a live one it knows, unless the
    /// function that is called is `known`.
    pub(crate) fn handed_out(&mut self, pointers: impl Iterator<Item = u64>, known: bool) {
        for pointer in pointers.filter(|&pointer| pointer > u64::from(u32::MAX)) {
            self.objects.forget_freed(pointer);
            if !known {
                self.escapes(self.objects.find(pointer));
            }
        }
    }

    /// Whether the function that is called at this point is one of a library that is known.
    pub(crate) fn calls_known(&mut self, at: &At<'_>) -> bool {
        if !at.in_frame() {
            return false;
        }
        let Op::Call { call } = *at.op() else { return false };
        let name = at.model.calls.get(call as usize).and_then(|call| called(at, call));
        name.is_some_and(|name| lookup(name).is_some() || self.callees.get(name).is_of_cpp_library)
    }

    /// The object of a pointer that external code returned, a `known` function of a library or another. Which block it leads into is certain
    /// of the blocks only that the call was given: an unknown function may have freed others, or given them another size, unseen.
    pub(crate) fn handed(&self, pointer: u64, known: bool) -> Tag {
        let found = self.objects.find(pointer);
        let is_block = self.objects.get(found).is_some_and(|object| object.what == What::Heap);
        if known || !is_block { found } else { self.base(pointer) }
    }
}

/// The words at the start of a range that may be pointers.
pub(crate) fn pointers_in(memory: &Memory, start: u64, size: u64) -> impl Iterator<Item = u64> {
    let end = start.saturating_add(size.min(LOOKED));
    let places = (start.next_multiple_of(8)..).step_by(8).take_while(move |place| place + 8 <= end);
    places.map(|place| memory.read_word(place)).filter(|&word| word > u64::from(u32::MAX))
}
