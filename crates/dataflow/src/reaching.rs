//! Which definitions of a slot may have given the value that is read.

use std::collections::BTreeSet;

use whydunit_model::{Function, Op, Slot, defined};

use crate::flow::Flow;
use crate::worklist::{Direction, Lattice, Problem, Solution, solve};

/// A place that gives a slot its value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Definition {
    /// The function's entry: a parameter, or nothing at all.
    Entry,
    /// An operation.
    At(u32),
}

/// The definitions that reach a place, by slot.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Reaching(Vec<BTreeSet<Definition>>);

impl Lattice for Reaching {
    fn join(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (own, more) in self.0.iter_mut().zip(&other.0) {
            let before = own.len();
            own.extend(more);
            changed |= own.len() != before;
        }
        changed
    }
}

struct Definitions;

impl Definitions {
    fn apply(function: &Function, pc: u32, op: &Op, reaching: &mut Reaching) {
        let Some((slot, words)) = defined(function, op) else { return };
        for slot in slot..slot + words {
            if let Some(definitions) = reaching.0.get_mut(slot as usize) {
                *definitions = BTreeSet::from([Definition::At(pc)]);
            }
        }
    }
}

impl Problem for Definitions {
    type Fact = Reaching;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self, function: &Function) -> Reaching {
        Reaching(vec![BTreeSet::new(); function.slots as usize])
    }

    fn boundary(&self, function: &Function) -> Reaching {
        Reaching(vec![BTreeSet::from([Definition::Entry]); function.slots as usize])
    }

    fn transfer(&self, function: &Function, pc: u32, fact: &mut Reaching) {
        Self::apply(function, pc, &function.code[pc as usize], fact);
    }
}

/// The reaching definitions of a function.
pub struct ReachingDefinitions<'f> {
    function: &'f Function,
    solution: Solution<Reaching>,
}

impl<'f> ReachingDefinitions<'f> {
    /// Of a function.
    pub fn of(function: &'f Function, flow: &Flow) -> Self {
        Self { function, solution: solve(function, flow, &Definitions) }
    }

    /// The definitions of `slot` that may hold right before operation `pc` of block `block`; none where nothing gets there.
    pub fn at(&self, block: u32, pc: u32, slot: Slot) -> BTreeSet<Definition> {
        let start = self.function.blocks[block as usize].start;
        let writes = |&pc: &u32| {
            defined(self.function, &self.function.code[pc as usize])
                .is_some_and(|(first, words)| (first..first + words).contains(&slot))
        };
        match (start..pc).rev().find(writes) {
            Some(pc) => BTreeSet::from([Definition::At(pc)]),
            None => self.solution.before[block as usize].0.get(slot as usize).cloned().unwrap_or_default(),
        }
    }
}
