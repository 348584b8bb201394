//! Early returns that may be missing: a function returns at its beginning where a relation of its parameters and globals holds. First single
//! calls return at once; where the run prints more that is right then, the values there are what conditions are made of.

use std::collections::HashSet;
use std::ops::ControlFlow;

use whydunit_dataflow::flow::successors;
use whydunit_model::{BlockId, Function, IntPred, Op, Opnd, Scalar};
use whydunit_replay::{At, Body, Code, FuncId, SPARES};
use whydunit_symbolic::StatementId;

use super::Scene;
use super::guards::{candidates, tested};
use super::known::{is_address, name};
use super::mutant::{Alternative, Constant, Kind, Mutant, Relation};
use super::runner::Runner;
use crate::Error;
use crate::operations::Operation;

/// So many calls of a function are looked at.
const MOST_CALLS: usize = 8;
/// So many conditions are tried for it.
const MOST_CONDITIONS: usize = 24;
/// So many numbers of the function are tried as its result.
const MOST_NUMBERS: usize = 4;

/// What is returned early.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Early {
    Nothing,
    Number(u64),
    Slot(u32),
}

impl Scene<'_> {
    /// Early returns with which the run passes, of the function whose first statement an operation belongs to; none of other operations.
    pub fn returns(
        &mut self,
        runner: &mut Runner<'_>,
        operation: &Operation,
        statement: StatementId,
    ) -> Result<Vec<Mutant>, Error> {
        let &Operation { function, pc, first } = operation;
        let mut passing = Vec::new();
        let model = runner.machine.code().model(function);
        // What has to be cleaned up is not, where a function returns at once.
        if !is_first(model, pc) || !model.pads.is_empty() {
            return Ok(passing);
        }
        let Some(pc) = beginning(model) else { return Ok(passing) };
        let operation = &Operation { pc, ..*operation };
        let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { return Ok(passing) };
        let (calls, mut tried) = (self.visits.calls(function, MOST_CALLS), HashSet::new());
        let (right, until) = (self.visits.right, self.until);
        let known = self.known(runner.machine.code(), function);
        runner.at_executions(from, (function, pc), calls, until, |runner, first, stand| {
            let at = runner.machine.at();
            let conditions: Vec<_> =
                candidates(&at, known).into_iter().filter(|guard| guard.is_of_entry(at.model)).collect();
            for early in results(&at) {
                if runner.is_done() {
                    break;
                }
                let always = at_once(runner.machine.code(), operation, statement, early);
                runner.machine.restore(&stand.here)?;
                let outcome = runner.run(stand, &always)?;
                if !outcome.passes && outcome.right <= right {
                    continue;
                }
                for &condition in &conditions {
                    if tried.len() == MOST_CONDITIONS || runner.is_done() {
                        break;
                    }
                    if !tried.insert((condition, early)) {
                        continue;
                    }
                    let code = runner.machine.code();
                    let mut constants = <[Constant; SPARES]>::default();
                    let (test, relation) = tested(code, function, condition, &mut constants);
                    let mutant = mutant(code, operation, statement, early, (test, relation, constants));
                    if runner.passes(first, &mutant)? {
                        passing.push(mutant);
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(passing)
    }
}

/// Whether no operation before this one has a line in the source.
fn is_first(model: &Function, pc: u32) -> bool {
    let has_line = |pc: u32| model.is_own(pc as usize) && model.loc(pc as usize).line > 0;
    has_line(pc) && !(0..pc).any(has_line)
}

/// The first operation that a call of a function executes that is no jump; none where a loop begins there.
fn beginning(model: &Function) -> Option<u32> {
    let mut block: BlockId = 0;
    for _ in 0..model.blocks.len() {
        let entered = model.blocks.get(block as usize)?;
        let pc = (entered.start..entered.end)
            .find(|&pc| !matches!(model.code[pc as usize], Op::Safepoint | Op::Jump { .. }));
        let ways = |target: BlockId| {
            (0..model.blocks.len() as BlockId).filter(move |&from| successors(model, from).contains(&target))
        };
        if ways(block).count() > usize::from(block != 0) {
            return None;
        }
        match (pc, &model.code[entered.end as usize - 1]) {
            (Some(pc), _) => return Some(pc),
            (None, Op::Jump { to }) => block = *to,
            _ => return None,
        }
    }
    None
}

/// What the function at which a run stands may return at once: small numbers, those that it returns itself, its parameters.
fn results(at: &At<'_>) -> Vec<Early> {
    let model = at.model;
    let ty = match model.ret[..] {
        [] => return vec![Early::Nothing],
        [ty @ (Scalar::Int(..=64) | Scalar::Ptr)] => ty,
        _ => return Vec::new(),
    };
    let mask = super::value::mask(8 * ty.bytes());
    let mut results = vec![Early::Number(0)];
    if ty != Scalar::Ptr {
        results.extend([1, mask].map(Early::Number));
        let own = at.code.consts(at.function).iter().filter(|value| !is_address(**value)).take(MOST_NUMBERS);
        results.extend(own.map(|value| Early::Number(value & mask)));
    }
    let same = model.params.iter().filter(|param| param.leaves[..] == [ty]);
    results.extend(same.map(|param| Early::Slot(param.slot)));
    let mut seen = HashSet::new();
    results.retain(|result| seen.insert(*result));
    results
}

/// The mutant whose function returns at each call.
fn at_once(code: &Code, operation: &Operation, statement: StatementId, early: Early) -> Mutant {
    let function = operation.function;
    let (dst, a) = (code.scratch(function, 0), code.spare(function, 0));
    let always = Op::ICmp { pred: IntPred::Eq, w: 64, dst, a, b: a };
    let relation = Relation { left: None, sign: "", right: String::new() };
    mutant(code, operation, statement, early, (vec![always], relation, Default::default()))
}

/// The mutant whose function returns where a test holds.
fn mutant(
    code: &Code,
    operation: &Operation,
    statement: StatementId,
    early: Early,
    (test, relation, mut constants): (Vec<Op>, Relation, [Constant; SPARES]),
) -> Mutant {
    let &Operation { function, pc, .. } = operation;
    let model = code.model(function);
    let (other, text) = returning(code, function, model, early, &mut constants);
    let kind = Kind::ReturnsWhere(text, relation);
    let body = Body::Unless { test, other };
    Mutant::at(code, function, pc, statement, Alternative { kind, body, call: None, constants })
}

/// The operation that returns, and what it returns as it is told; nothing where there is no result.
fn returning(
    code: &Code,
    function: FuncId,
    model: &Function,
    early: Early,
    constants: &mut [Constant; SPARES],
) -> (Op, Option<String>) {
    match early {
        Early::Nothing => (Op::Return { n: 0, a: Opnd::slot(0) }, None),
        Early::Slot(slot) => {
            let slot = Opnd::slot(slot);
            (
                Op::Return { n: 1, a: slot },
                Some(name(model, slot).map_or("a parameter".into(), |name| format!("`{name}`"))),
            )
        }
        Early::Number(number) => {
            constants[1] = Constant::Number(number);
            let width = model.ret.first().map_or(64, |ty| 8 * ty.bytes());
            let shift = 64 - width.clamp(1, 64);
            let told = (((number << shift) as i64) >> shift).to_string();
            (Op::Return { n: 1, a: code.spare(function, 1) }, Some(told))
        }
    }
}
