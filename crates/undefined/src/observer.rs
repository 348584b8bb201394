//! The observer.

use std::collections::HashMap;

use whydunit_model::{Callee, Loc, Op, TrapKind};
use whydunit_replay::{At, FuncId, Observer, Position};

use crate::demands::{self, Starts};
use crate::{arithmetic, kind::Kind, lengths};

/// How many are kept.
const MOST: usize = 50;

/// What a run does at a place that the language leaves undefined.
#[derive(Clone, PartialEq, Debug)]
pub struct UndefinedBehaviour {
    /// Kind.
    pub kind: Kind,
    /// In words, of the first time.
    pub message: String,
    /// The operation, in the program's own code where it has one.
    pub position: Position,
    /// Calls under way, innermost first, but for the one of the operation.
    pub stack: Vec<Position>,
    /// Of a missing result what is to be known of the function.
    pub ends: Option<Ends>,
    /// How often.
    pub times: u64,
    /// Instructions executed when it first happened.
    pub instruction: u64,
}

/// A function that ends without its result, at a trap that may be its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Ends {
    /// The functions that it calls by their names.
    pub called: Vec<String>,
    /// Where it is defined.
    pub defined: Option<Loc>,
}

/// Watches a replay for undefined behaviour.
#[derive(Clone, Default)]
pub struct Undefined {
    found: Vec<UndefinedBehaviour>,
    known: HashMap<(FuncId, u32, Kind), usize>,
    starts: Starts,
}

impl Undefined {
    /// One that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was found until now is forgotten: what happens at the same places from here on is found anew.
    pub fn forget_found(&mut self) {
        self.found.clear();
        self.known.clear();
    }

    /// What was found so far, in the order of the run.
    pub fn found(&self) -> &[UndefinedBehaviour] {
        &self.found
    }

    /// What was found, in the order of the run, once for each place and kind.
    pub fn into_found(self) -> Vec<UndefinedBehaviour> {
        self.found
    }

    #[cold]
    fn note(&mut self, at: &At<'_>, kind: Kind, message: String) {
        if !at.in_frame() || at.module().optimised {
            return;
        }
        let place = (at.function, at.pc, kind);
        if let Some(&index) = self.known.get(&place) {
            self.found[index].times += 1;
            return;
        }
        if self.found.len() >= MOST {
            return;
        }
        self.known.insert(place, self.found.len());
        let mut stack = at.own_stack().into_iter();
        self.found.push(UndefinedBehaviour {
            kind,
            message,
            position: stack.next().unwrap_or_default(),
            stack: stack.collect(),
            ends: (kind == Kind::MissingReturn).then(|| Ends { called: called(at), defined: at.model.loc }),
            times: 1,
            instruction: at.instruction(),
        });
    }
}

/// The functions that the present function calls by their names.
fn called(at: &At<'_>) -> Vec<String> {
    let name = |callee: &Callee| match callee {
        Callee::Direct(number) => at.module().functions.get(*number as usize).map(|function| {
            let name = function.source_name.as_ref().unwrap_or(&function.name);
            name.split(['(', '<']).next().unwrap_or_default().to_owned()
        }),
        _ => None,
    };
    at.model.calls.iter().filter_map(|call| name(&call.callee)).collect()
}

impl Observer for Undefined {
    const OPS: bool = true;

    #[inline]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        let broken = match *op {
            Op::Int { .. } | Op::Wide { .. } | Op::FToInt { .. } => arithmetic::broken(at, op),
            Op::Alloca { object, count, .. } => lengths::broken(at, object, at.value(count)),
            Op::Trap { kind: TrapKind::Unreachable } => {
                Some((Kind::Unreachable, "code is reached that the source says is never reached".into()))
            }
            Op::Trap { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::PtrIndex { .. }
            | Op::PtrAdd { .. }
            | Op::MemMove { .. }
            | Op::Call { .. }
            | Op::Trunc { to: 1, .. }
            | Op::IntUnary { .. } => demands::broken(at, op, self.starts.of(at)),
            // A reference may be bound before any operation.
            _ if !at.model.demands.is_empty() => demands::broken(at, op, self.starts.of(at)),
            _ => None,
        };
        if let Some((kind, message)) = broken {
            self.note(at, kind, message);
        }
    }
}
