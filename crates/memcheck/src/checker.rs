//! The checker's state, and how an access is checked.

use std::collections::HashSet;

use whydunit_library::{Reads, Size, Writes};
use whydunit_model::{Call, Leaves, Opnd, Scalar};
use whydunit_replay::{At, PerThread};

use crate::calls::Calls;
use crate::constants::Constants;
use crate::given::{Callees, RustBlocks, called};
use crate::leaks::Leaks;
use crate::object::{Chain, Object, Place, What};
use crate::objects::Objects;
use crate::report::{self, Kind, MemoryError};
use crate::shadow::Shadow;
use crate::slots::{Known, Slots};
use crate::tag::Tag;
use crate::wrappers::Wrappers;

/// How many errors are kept.
const MOST: usize = 50;

/// A pointer that the external call under way was given.
#[derive(Clone, Copy)]
pub(crate) struct Base {
    pub address: u64,
    pub tag: Tag,
}

/// A fault that is an error unless the program handles it.
#[derive(Clone)]
pub(crate) struct Fault {
    pub kind: Kind,
    pub write: bool,
    pub address: u64,
    pub size: u64,
}

/// Watches a replay for memory errors.
#[derive(Clone, Default)]
pub struct Memcheck {
    pub(crate) slots: Slots,
    pub(crate) shadow: Shadow,
    pub(crate) objects: Objects,
    pub(crate) calls: Calls,
    pub(crate) constants: Constants,
    pub(crate) wrappers: Wrappers,
    pub(crate) bases: PerThread<Vec<Base>>,
    /// The pointer that free or realloc was given.
    pub(crate) given: Tag,
    pub(crate) faulted: Option<Fault>,
    pub(crate) leaks: Option<Leaks>,
    pub(crate) rust: RustBlocks,
    /// Objects that external code has learnt of otherwise than as an argument.
    pub(crate) escaped: HashSet<Tag>,
    pub(crate) callees: Callees,
    errors: Vec<MemoryError>,
    reported: HashSet<(Place, Kind)>,
}

/// How many slots a value with these leaves takes.
pub(crate) fn words(leaves: &Leaves) -> u32 {
    match leaves[..] {
        [leaf] => leaf.slots(),
        _ => leaves.iter().map(|leaf| leaf.slots()).sum(),
    }
}

impl Memcheck {
    /// A checker that has seen nothing yet. It must watch from the start of the run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Blocks are also reported that nothing points to any more when the program exits. To be asked for before the run.
    pub fn looking_for_leaks(mut self) -> Self {
        self.leaks = Some(Leaks::default());
        self
    }

    /// Whether leaks were looked for, and it is not known which blocks are lost, since too much of the heap was given to libraries.
    pub fn is_blind_to_leaks(&self) -> bool {
        self.leaks.as_ref().is_some_and(Leaks::is_blind)
    }

    /// The errors found so far, in the order of the run, one for each place and kind.
    pub fn errors(&self) -> &[MemoryError] {
        &self.errors
    }

    /// A value has come into a slot, by its index in [`Core::slots`](whydunit_replay::Core::slots), from elsewhere: it is believed.
    pub fn believe_slot(&mut self, index: usize) {
        self.slots.set(index, Known::default());
    }

    /// Bytes have come into memory from elsewhere: they are believed.
    pub fn believe_memory(&mut self, address: u64, size: u64) {
        self.shadow.fill(address, size, false);
    }

    /// Constants of functions are others now.
    pub fn forget_constants(&mut self) {
        self.constants.clear();
    }

    /// What was found until now is forgotten: what happens at the same places from here on is found anew.
    pub fn forget_errors(&mut self) {
        self.errors.clear();
        self.reported.clear();
    }

    /// The errors found.
    pub fn into_errors(self) -> Vec<MemoryError> {
        self.errors
    }

    /// What is known of an operand, but for the object that a constant points to.
    #[inline(always)]
    pub(crate) fn known(&self, at: &At<'_>, operand: Opnd) -> Known {
        match at.slot_index(operand) {
            Some(index) => self.slots.get(index),
            None => Known::default(),
        }
    }

    /// All that is known of an operand.
    #[inline(always)]
    pub(crate) fn whole(&mut self, at: &At<'_>, operand: Opnd) -> Known {
        match at.slot_index(operand) {
            Some(index) => self.slots.get(index),
            None => {
                let tag = self.constants.tag(at.code, &self.objects, at.function, operand);
                Known { undefined: 0, tag }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, at: &At<'_>, slot: u32, known: Known) {
        self.slots.set(at.base + slot as usize, known);
    }

    pub(crate) fn place(at: &At<'_>) -> Place {
        Place { function: at.function, pc: at.pc }
    }

    /// Whether an error of one of these kinds is known at this place.
    pub(crate) fn is_reported(&self, at: &At<'_>, kinds: &[Kind]) -> bool {
        kinds.iter().any(|&kind| self.reported.contains(&(Self::place(at), kind)))
    }

    #[cold]
    pub(crate) fn error(
        &mut self,
        at: &At<'_>,
        kind: Kind,
        write: bool,
        address: u64,
        size: u64,
        object: Option<Object>,
    ) {
        // An optimiser reads what is undefined where it does not matter.
        let of_the_optimiser = || kind == Kind::Uninitialised && at.code.module_of(at.function).optimised;
        if !at.in_frame() || self.errors.len() >= MOST || of_the_optimiser() {
            return;
        }
        if !self.reported.insert((Self::place(at), kind)) {
            return;
        }
        let mut stack = at.own_stack().into_iter();
        self.errors.push(MemoryError {
            kind,
            position: stack.next().unwrap_or_default(),
            function: at.function,
            stack: stack.collect(),
            write,
            address,
            size,
            object: object.map(|object| report::describe(at, &object, &self.calls, &self.wrappers)),
            counter: at.counter(),
            instruction: at.instruction(),
        });
    }

    /// Checks an access through a pointer made from the object `tag`.
    pub(crate) fn access(&mut self, at: &At<'_>, tag: Tag, address: u64, size: u64, write: bool) {
        if size == 0 || self.objects.allows(tag, address, size) {
            return;
        }
        // Where a pointer of unknown origin leads, external code may have placed a block of its own.
        if tag.is_none() {
            return;
        }
        match self.objects.get(tag) {
            // Another thread's local variable.
            Some(object) if object.live && tag.on_stack() && object.holds(address, size) => {}
            Some(object) if !object.live => self.error(at, Kind::UseAfterFree, write, address, size, Some(object)),
            Some(object) => self.error(at, Kind::OutOfBounds, write, address, size, Some(object)),
            // Forgotten objects are locals that are gone, and blocks freed long ago.
            None => match self.objects.find_freed(address) {
                Some(object) => self.error(at, Kind::UseAfterFree, write, address, size, Some(object)),
                None if self.objects.find(address).is_none() => {
                    let object = self.objects.get_dead(tag);
                    let kind = if tag.on_stack() { Kind::UseAfterReturn } else { Kind::UseAfterFree };
                    self.error(at, kind, write, address, size, object);
                }
                None => {}
            },
        }
    }

    /// External code is given what the pointers of the call under way lead to, unless the function is known to keep nothing.
    pub(crate) fn give(&mut self, name: &str) {
        let matters = self.leaks.is_some() || self.rust.has_blocks();
        if matters && !self.bases.is_empty() && !self.callees.get(name).lets_go {
            let tags: Vec<Tag> = self.bases.iter().map(|base| base.tag).collect();
            self.give_objects(&tags);
        }
    }

    /// External code is given objects.
    pub(crate) fn give_objects(&mut self, tags: &[Tag]) {
        if let Some(leaks) = &mut self.leaks {
            leaks.give(&self.objects, &mut self.shadow, tags.iter().copied());
        }
        self.rust_given(tags.iter().copied());
    }

    /// The program exits: blocks that are lost are errors.
    pub(crate) fn exits(&mut self, at: &At<'_>) {
        if let Some(leaks) = &self.leaks {
            self.errors.extend(leaks.find(at, &self.objects, &self.calls, &self.wrappers));
        }
    }

    pub(crate) fn decides(&mut self, at: &At<'_>, undefined: u64) {
        if undefined != 0 {
            self.error(at, Kind::Uninitialised, false, 0, 0, None);
        }
    }

    /// The object that a range at `address` is meant to lie in: the one of the pointer that the external function was
    /// given for it, or from whose object it starts.
    pub(crate) fn base(&self, address: u64) -> Tag {
        if let Some(base) = self.bases.iter().find(|base| base.address == address) {
            return base.tag;
        }
        let holds = |base: &&Base| {
            let object = self.objects.get(base.tag);
            object.is_some_and(|object| object.start <= address && address - object.start <= object.size)
        };
        self.bases.iter().find(holds).map(|base| base.tag).unwrap_or_default()
    }

    /// Notes which pointers an external call is given.
    pub(crate) fn take_bases(&mut self, at: &At<'_>, call: &Call) {
        self.bases.clear();
        for arg in call.args.iter().filter(|arg| arg.leaves.first() == Some(&Scalar::Ptr)) {
            let tag = self.whole(at, arg.value).tag;
            self.bases.push(Base { address: at.value(arg.value), tag });
        }
    }

    /// Checks a range that an operation works on through the pointer `pointer`.
    pub(crate) fn range(&mut self, at: &At<'_>, pointer: Opnd, size: u64, write: bool) {
        let tag = self.whole(at, pointer).tag;
        self.access(at, tag, at.value(pointer), size, write);
    }

    /// A memory function that the hardware stopped: what it was to write and read.
    pub(crate) fn faulted_call(&mut self, at: &At<'_>, call: &Call) {
        let Some(known) = called(at, call).and_then(whydunit_library::lookup) else { return };
        let argument = |n: usize| call.args.get(n).map(|arg| arg.value);
        let size = |size: Size| match size {
            Size::Argument(n) => argument(n).map(|size| at.value(size)),
            Size::Product(size, count) => Some(at.value(argument(size)?).saturating_mul(at.value(argument(count)?))),
        };
        for writes in known.writes() {
            if let Writes::Bytes(to, bytes) = writes
                && let (Some(to), Some(bytes)) = (argument(to), size(bytes))
            {
                self.range(at, to, bytes, true);
            }
        }
        for reads in known.reads() {
            if let Reads::Bytes(from, bytes) = reads
                && let (Some(from), Some(bytes)) = (argument(from), size(bytes))
            {
                self.range(at, from, bytes, false);
            }
        }
    }

    /// A stack object of the present function comes alive.
    pub(crate) fn stack_object_alive(&mut self, at: &At<'_>, number: u32, start: u64, size: u64) -> Tag {
        self.shadow.fill(start, size, true);
        if let Some(leaks) = &mut self.leaks {
            leaks.stack_reaches(at, start);
        }
        self.objects.stack.push(at.depth, at.function, number, start, size)
    }

    /// A heap block or global comes alive.
    pub(crate) fn placed(&mut self, what: What, start: u64, size: u64, allocated: Chain) -> Tag {
        self.objects.place(Object { what, start, size, allocated, freed: Chain::default(), live: true })
    }
}
