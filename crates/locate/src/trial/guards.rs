//! Guards: an operation that is left out, or a condition that goes the other way, wherever a variable has a value or a relation
//! to another one. They stand for conditions that are missing. First single executions are changed; where the run prints more that is right
//! then, the values of variables there are what guards are made of.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ops::ControlFlow;

use whydunit_causes::condition::sign;
use whydunit_model::{Function, IntPred, Op, Opnd, Scalar};
use whydunit_replay::{At, Body, Change as Step, Code, FuncId, SPARES};
use whydunit_symbolic::StatementId;

use super::Scene;
use super::frame::{slots, value};
use super::known::{Known, is_address, name};
use super::mutant::{Alternative, Constant, Kind, Mutant, Relation};
use super::operators::NOTHING;
use super::runner::Runner;
use super::signs::has_sign;
use super::value::signed;
use crate::Error;
use crate::operations::Operation;

/// So many guards of an operation are tried.
const MOST_GUARDS: usize = 48;
/// Of so many variables of a function, and so many globals.
const MOST_VALUES: usize = 24;
const MOST_GLOBALS: usize = 8;
/// So many variables are compared with each other, in so many pairs.
const MOST_RELATED: usize = 8;
const MOST_PAIRS: usize = 10;

/// An execution that is not made, or goes the other way, and what stands in its place where a guard holds.
struct Skipped {
    step: Step,
    other: Op,
    /// Which outcome of a branch that is.
    truth: Option<bool>,
}

impl Skipped {
    /// What is done in the place of the operation at which a run stands.
    fn at(at: &At<'_>, zero: Opnd) -> Option<Self> {
        let mut truth = None;
        let (step, other) = match at.op() {
            Op::Branch { cond, then, els } => {
                truth = Some(at.value(*cond) & 1 == 0);
                let to = if at.value(*cond) & 1 == 1 { *els } else { *then };
                (Step::Branch { to }, Op::Jump { to })
            }
            Op::Store { .. } => (Step::SkipOp { value: 0 }, NOTHING),
            Op::Call { call } => {
                let call = &at.model.calls[*call as usize];
                let words = vec![0; call.ret.iter().map(|leaf| leaf.slots() as usize).sum()];
                let other = if words.is_empty() { NOTHING } else { Op::Copy { n: 1, dst: call.dst, a: zero } };
                (Step::SkipCall { words }, other)
            }
            _ => return None,
        };
        Some(Self { step, other, truth })
    }

    /// Where a branch goes instead.
    fn way(&self) -> Option<u32> {
        if let Step::Branch { to } = self.step { Some(to) } else { None }
    }
}

/// A condition under which an operation does not do what it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Guard {
    left: Left,
    pred: IntPred,
    width: u8,
    right: Right,
}

/// What a guard compares.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Left {
    Slot(u32),
    /// A global of the function's module.
    Global(usize, Scalar),
}

/// With what.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Right {
    Number(u64),
    Slot(u32),
}

impl Guard {
    /// Whether it looks at variables that have a value where a function begins: parameters and globals.
    pub fn is_of_entry(&self, model: &Function) -> bool {
        let is_given = |slot: u32| model.params.iter().any(|param| param.slot == slot);
        let left = match self.left {
            Left::Slot(slot) => is_given(slot),
            Left::Global(..) => true,
        };
        let right = match self.right {
            Right::Slot(slot) => is_given(slot),
            Right::Number(_) => true,
        };
        left && right
    }
}

impl Scene<'_> {
    /// The guards of an operation with which the run passes.
    pub fn guards(
        &mut self,
        runner: &mut Runner<'_>,
        operation: &Operation,
        statement: StatementId,
    ) -> Result<Vec<Mutant>, Error> {
        let &Operation { function, pc, first } = operation;
        let mut passing = Vec::new();
        let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { return Ok(passing) };
        let mut tried = HashSet::new();
        let (visits, until) = (self.visits, self.until);
        let known = self.known(runner.machine.code(), function);
        runner.at_executions(from, (function, pc), visits.all(function, pc), until, |runner, first, stand| {
            let code = runner.machine.code();
            let at = runner.machine.at();
            let Some(skipped) = Skipped::at(&at, code.spare(function, 1)) else { return Ok(ControlFlow::Break(())) };
            let candidates = candidates(&at, known);
            let outcome = runner.change(stand, skipped.step.clone())?;
            if !outcome.passes && outcome.right <= visits.right {
                return Ok(ControlFlow::Continue(()));
            }
            for compared in candidates {
                if tried.len() >= MOST_GUARDS || runner.is_done() {
                    break;
                }
                if !tried.insert((compared, skipped.way())) {
                    continue;
                }
                let mutant = guard(runner.machine.code(), operation, statement, &skipped, compared);
                if runner.passes(first, &mutant)? {
                    passing.push(mutant);
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(passing)
    }
}

/// A variable where a run stands.
struct Variable {
    left: Left,
    width: u8,
    value: u64,
    named: bool,
    /// It is compared as a number with a sign.
    signed: bool,
}

impl Variable {
    /// Its value, as one of two numbers that are compared with a sign or without one.
    fn number(&self, with_sign: bool) -> i128 {
        if with_sign { signed(self.value, self.width).into() } else { self.value.into() }
    }

    fn name(&self, model: &Function) -> Option<String> {
        if let Left::Slot(slot) = self.left { name(model, Opnd::slot(slot)) } else { None }
    }

    fn is(&self, pred: IntPred, right: Right) -> Guard {
        Guard { left: self.left, pred, width: self.width, right }
    }
}

/// The guards that hold where a run stands, those of variables with names first: a value, another variable, and the nearest
/// numbers of the function and of the tests.
pub(super) fn candidates(at: &At<'_>, known: &Known) -> Vec<Guard> {
    let of_slot = |slot: u32| {
        let named = name(at.model, Opnd::slot(slot)).is_some();
        let (width, value) = match known.slot_type(slot)? {
            Scalar::Int(width @ 2..=64) => (width, value(at, slot)),
            // Of pointers only whether there is an object.
            Scalar::Ptr if value(at, slot) == 0 => (64, 0),
            _ => return None,
        };
        let signed = known.signs.of_slot(slot).unwrap_or(true);
        Some(Variable { left: Left::Slot(slot), width, value, named, signed })
    };
    let slots: Vec<Variable> = slots(at, known).into_iter().filter_map(of_slot).take(MOST_VALUES).collect();
    let globals: Vec<Variable> = globals(at).collect();
    let variables = || slots.iter().filter(|slot| slot.named).chain(&globals);
    let equal = |variable: &Variable| variable.is(IntPred::Eq, Right::Number(variable.value));
    let mut guards: Vec<Guard> = variables().map(equal).collect();
    guards.extend(pairs(at.model, &slots));
    let numbers = numbers(at, known);
    guards.extend(variables().flat_map(|variable| thresholds(variable, &numbers)));
    guards.extend(slots.iter().filter(|slot| !slot.named).map(equal));
    guards.truncate(MOST_GUARDS);
    guards
}

/// Relations between variables with names: first those that are the same, then those that are not.
fn pairs(model: &Function, slots: &[Variable]) -> Vec<Guard> {
    let mut pairs = Vec::new();
    let named: Vec<&Variable> = slots.iter().filter(|slot| slot.named).take(MOST_RELATED).collect();
    for (place, one) in named.iter().enumerate() {
        for other in &named[place + 1..] {
            let Left::Slot(right) = other.left else { continue };
            // Of two values of one variable a source cannot speak.
            if one.width != other.width || one.name(model) == other.name(model) {
                continue;
            }
            let with_sign = one.signed && other.signed;
            let (less, greater) = orders(with_sign);
            let pred = match one.number(with_sign).cmp(&other.number(with_sign)) {
                Ordering::Equal => IntPred::Eq,
                Ordering::Less => less,
                Ordering::Greater => greater,
            };
            pairs.push(one.is(pred, Right::Slot(right)));
        }
    }
    pairs.sort_by_key(|pair| pair.pred != IntPred::Eq);
    pairs.truncate(MOST_PAIRS);
    pairs
}

/// That a variable lies above the nearest number below it, and below the nearest above it.
fn thresholds(variable: &Variable, numbers: &[i64]) -> impl Iterator<Item = Guard> + use<> {
    let (value, mask) = (variable.number(variable.signed), super::value::mask(variable.width.into()));
    let numbers = || numbers.iter().copied().filter(|&number| variable.signed || number >= 0);
    let below = numbers().filter(|&number| i128::from(number) < value).max();
    let above = numbers().filter(|&number| i128::from(number) > value).min();
    let number = |number: i64| Right::Number(number as u64 & mask);
    let (less, greater) = orders(variable.signed);
    let below = below.map(|near| variable.is(greater, number(near)));
    let above = above.map(|near| variable.is(less, number(near)));
    below.into_iter().chain(above)
}

/// Less and greater, of numbers with a sign or without one.
fn orders(with_sign: bool) -> (IntPred, IntPred) {
    if with_sign { (IntPred::Slt, IntPred::Sgt) } else { (IntPred::Ult, IntPred::Ugt) }
}

/// Numbers of a function, and those that the tests state.
fn numbers(at: &At<'_>, known: &Known) -> Vec<i64> {
    let own = at.code.consts(at.function).iter().filter(|value| !is_address(**value)).map(|&value| value as i64);
    // Narrow ones are kept without their sign.
    let own = own.flat_map(|value| [value, i64::from(value as i32)]);
    own.chain(known.numbers.iter().copied()).filter(|value| value.unsigned_abs() < 1 << 31).collect()
}

/// Whether a variable of this name is the program's, and not one that the library of C++ or Rust keeps for itself.
fn is_of_program(name: &str) -> bool {
    !["std::", "core::", "alloc::", "__gnu_cxx::"].iter().any(|library| name.starts_with(library))
}

/// Variables of the function's module that are numbers, those that are not 0 first.
fn globals<'a>(at: &'a At<'_>) -> impl Iterator<Item = Variable> + use<'a> {
    let module = at.code.loaded_module_of(at.function);
    let all = module.into_iter().flat_map(|module| module.model.globals.iter().zip(&module.globals).enumerate());
    let types = module.map_or(&[][..], |module| &module.model.types);
    let number = move |(index, (global, &address)): (usize, (&whydunit_model::Global, &u64))| {
        let ty = match global.size {
            1 => Scalar::Int(8),
            2 => Scalar::Int(16),
            4 => Scalar::Int(32),
            8 => Scalar::Int(64),
            _ => return None,
        };
        let bytes = ty.bytes();
        let usable = !global.constant
            && !global.thread_local
            && address != 0
            && global.source_name.as_deref().is_some_and(is_of_program);
        let value = at.memory().read_uint(address, bytes);
        let is_address = bytes == 8 && value >> 32 != 0;
        (usable && !is_address).then_some(Variable {
            left: Left::Global(index, ty),
            width: 8 * bytes as u8,
            value,
            named: true,
            signed: has_sign(types, global.ty).unwrap_or(true),
        })
    };
    all.filter_map(number).take(MOST_GLOBALS)
}

/// Operations that set the function's first scratch slot to whether a guard holds, with the constants that they need, and the guard as it
/// is told.
pub(super) fn tested(
    code: &Code,
    function: FuncId,
    guard: Guard,
    constants: &mut [Constant; SPARES],
) -> (Vec<Op>, Relation) {
    let model = code.model(function);
    let mut test = Vec::new();
    let (a, left) = match guard.left {
        Left::Slot(slot) => (Opnd::slot(slot), name(model, Opnd::slot(slot))),
        Left::Global(global, ty) => {
            let module = code.module_of(function);
            constants[2] = Constant::Address { module: module.id.clone(), global, offset: 0 };
            let loaded = code.scratch(function, 1);
            test.push(Op::Load { ty, dst: loaded, addr: code.spare(function, 2) });
            (Opnd::slot(loaded), module.globals.get(global).and_then(|global| global.source_name.clone()))
        }
    };
    let (b, right) = match guard.right {
        Right::Slot(slot) => (Opnd::slot(slot), name(model, Opnd::slot(slot)).unwrap_or_default()),
        Right::Number(number) => {
            constants[0] = Constant::Number(number);
            (code.spare(function, 0), signed(number, guard.width).to_string())
        }
    };
    test.push(Op::ICmp { pred: guard.pred, w: guard.width, dst: code.scratch(function, 0), a, b });
    (test, Relation { left, sign: sign(guard.pred), right })
}

fn guard(code: &Code, operation: &Operation, statement: StatementId, skipped: &Skipped, guard: Guard) -> Mutant {
    let &Operation { function, pc, .. } = operation;
    let mut constants = <[Constant; SPARES]>::default();
    let (test, relation) = tested(code, function, guard, &mut constants);
    let kind = match skipped.truth {
        Some(truth) => Kind::AlwaysWhere(truth, relation),
        None => Kind::LeftOutWhere(relation),
    };
    let body = Body::Unless { test, other: skipped.other.clone() };
    Mutant::at(code, function, pc, statement, Alternative { kind, body, call: None, constants })
}
