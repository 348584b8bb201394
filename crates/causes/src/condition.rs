//! What a program tests where it branches, as far as debug information tells.

use whydunit_model::{Block, BlockId, Callee, Const, FloatPred, Function, IntOp, IntPred, Loc, Op, Opnd, defined};
use whydunit_replay::{Code, FuncId};

use crate::access::{Named, Names};
use crate::branch::block_at;

/// What a branch depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tested {
    /// Line and column; in the file of the branch.
    pub place: (u32, u32),
    /// The branch depends on the opposite of what stands there.
    pub negated: bool,
    /// What kind of test.
    pub test: Test,
    /// The name in the source of the value that is tested, or compared.
    pub named: Option<String>,
}

/// A kind of test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Test {
    /// A comparison, by its sign in C. Where something is compared with 0, the source can say it without.
    Compared {
        /// `<`, `==`, …
        sign: &'static str,
        /// With 0, or a null pointer.
        with_zero: bool,
        /// The function whose result is compared.
        called: Option<String>,
    },
    /// A truth value, of this function if it is the result of one.
    Truth(Option<String>),
    /// The value of an expression with branches of its own (`a || b`).
    Whole,
}

/// What the branch that is operation `pc` of a function tests. None where it is no branch, or debug information does not tell.
pub fn tested(code: &Code, names: &Names<'_>, function: FuncId, pc: u32) -> Option<Tested> {
    let model = code.model(function);
    let Op::Branch { cond, .. } = *model.code.get(pc as usize)? else { return None };
    let branch = model.loc(pc as usize);
    let all = operations_before(model, pc);
    let (mut wanted, mut negated, mut place) = (cond, false, None);
    let name = |pc, operand| names.value(pc, operand).map(|named: Named| named.text);
    for (index, &before) in all.iter().enumerate() {
        let op = &model.code[before as usize];
        if defined(model, op).is_none_or(|(slot, _)| Opnd::slot(slot) != wanted) {
            continue;
        }
        place = at(model.loc(before as usize), branch).or(place);
        let test = match *op {
            Op::Trunc { a, .. } | Op::Copy { n: 1, a, .. } if !a.is_const() => {
                wanted = a;
                continue;
            }
            Op::Int { op: IntOp::Xor, a, b, .. } if is_bits(model, b, 1) => {
                (wanted, negated) = (a, !negated);
                continue;
            }
            Op::ICmp { pred, a, b, .. } => Test::Compared {
                sign: sign(pred),
                with_zero: is_bits(model, b, 0),
                called: called(code, function, &all[index + 1..], a),
            },
            Op::FCmp { pred, a, b, .. } => Test::Compared {
                sign: float_sign(pred)?,
                with_zero: is_bits(model, b, 0),
                called: called(code, function, &all[index + 1..], a),
            },
            Op::Call { .. } => Test::Truth(Some(called_by(code, function, op)?)),
            Op::Load { .. } => Test::Truth(None),
            _ => return None,
        };
        let named = match *op {
            Op::ICmp { a, .. } | Op::FCmp { a, .. } => name(before, a),
            _ => name(pc, wanted),
        };
        return Some(Tested { place: at(model.loc(before as usize), branch)?, negated, test, named });
    }
    // What was computed in other blocks: a variable, or the value of `a || b`.
    let is_variable = model.debug_values.iter().any(|value| value.value == Some(wanted));
    match place {
        Some(place) if is_variable => Some(Tested { place, negated, test: Test::Truth(None), named: name(pc, wanted) }),
        _ if !is_variable && is_joined(code, function, wanted) => {
            Some(Tested { place: at(branch, branch)?, negated: false, test: Test::Whole, named: None })
        }
        _ => None,
    }
}

/// The operations that were executed right before `pc`, the latest first: those of its block, and of the blocks that lead to it
/// and nowhere else (calls of Rust end blocks).
fn operations_before(model: &Function, pc: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let Some(mut now) = block_at(model, pc) else { return found };
    let mut end = pc;
    for _ in 0..LEADING {
        found.extend((model.blocks[now].start..end).rev());
        let leads = |block: &Block| leads_to(model, block, now as BlockId);
        let mut before = model.blocks.iter().enumerate().filter(|(_, block)| leads(block));
        let (Some((one, block)), None) = (before.next(), before.next()) else { break };
        (now, end) = (one, block.end);
    }
    found
}

fn leads_to(model: &Function, block: &Block, to: BlockId) -> bool {
    match model.code.get(block.end.saturating_sub(1) as usize) {
        Some(Op::Jump { to: next }) => *next == to,
        Some(Op::Branch { then, els, .. }) => *then == to || *els == to,
        Some(Op::Switch { table, .. }) => model
            .switches
            .get(*table as usize)
            .is_some_and(|table| table.default == to || table.cases.iter().any(|(_, next)| *next == to)),
        _ => false,
    }
}

/// Whether operation `pc` branches to a panic that the compiler put there: no condition of the source.
pub fn is_check(code: &Code, function: FuncId, pc: u32) -> bool {
    let model = code.model(function);
    let Some(Op::Branch { then, els, .. }) = model.code.get(pc as usize) else { return false };
    [*then, *els].into_iter().any(|block| fails_a_check(code, function, block))
}

/// So many blocks that only lead on may stand before a panic.
const LEADING: usize = 3;

fn fails_a_check(code: &Code, function: FuncId, mut block: BlockId) -> bool {
    const CHECKS: [&str; 5] =
        ["panic_const", "panic_bounds_check", "panic_misaligned", "panic_null_pointer", "handle_alloc_error"];
    let model = code.model(function);
    for _ in 0..LEADING {
        let Some(known) = model.blocks.get(block as usize) else { return false };
        for op in &model.code[known.start as usize..known.end as usize] {
            if let Op::Call { .. } = op {
                let called = callee(code, function, op);
                return called.is_some_and(|called| CHECKS.iter().any(|check| called.name.contains(check)));
            }
        }
        match model.code.get(known.end.saturating_sub(1) as usize) {
            Some(Op::Jump { to, .. }) => block = *to,
            _ => return false,
        }
    }
    false
}

/// Whether a value is what several branches gave.
fn is_joined(code: &Code, function: FuncId, value: Opnd) -> bool {
    let model = code.model(function);
    let gives = |op: &Op| matches!(op, Op::Copy { dst, .. } if Opnd::slot(*dst) == value);
    let moves = |block: &Block| block.edge && model.code[block.start as usize..block.end as usize].iter().any(gives);
    !code.module_of(function).optimised && model.blocks.iter().any(moves)
}

fn at(loc: Loc, branch: Loc) -> Option<(u32, u32)> {
    (loc.line > 0 && loc.column > 0 && loc.file == branch.file).then_some((loc.line, loc.column))
}

fn is_bits(model: &Function, operand: Opnd, bits: u64) -> bool {
    operand.is_const()
        && match model.consts.get(operand.index() as usize) {
            Some(Const::Bits(known)) => *known == bits,
            _ => false,
        }
}

/// The function whose result an operand is.
fn called(code: &Code, function: FuncId, before: &[u32], mut wanted: Opnd) -> Option<String> {
    let model = code.model(function);
    for &before in before {
        let op = &model.code[before as usize];
        if defined(model, op).is_none_or(|(slot, _)| Opnd::slot(slot) != wanted) {
            continue;
        }
        match *op {
            Op::Trunc { a, .. } | Op::ZExt { a, .. } | Op::SExt { a, .. } | Op::Copy { n: 1, a, .. } => wanted = a,
            Op::Call { .. } => return called_by(code, function, op),
            _ => return None,
        }
    }
    None
}

/// The name in the source of the function that a call calls.
fn called_by(code: &Code, function: FuncId, op: &Op) -> Option<String> {
    let callee = callee(code, function, op)?;
    Some(callee.source_name.as_ref().unwrap_or(&callee.name).clone())
}

fn callee<'a>(code: &'a Code, function: FuncId, op: &Op) -> Option<&'a Function> {
    let Op::Call { call } = *op else { return None };
    let Callee::Direct(callee) = code.model(function).calls.get(call as usize)?.callee else { return None };
    code.module_of(function).functions.get(callee as usize)
}

/// A comparison in the source's notation.
pub fn sign(pred: IntPred) -> &'static str {
    use IntPred::*;
    match pred {
        Eq => "==",
        Ne => "!=",
        Ugt | Sgt => ">",
        Uge | Sge => ">=",
        Ult | Slt => "<",
        Ule | Sle => "<=",
    }
}

/// None of what no comparison of the source is.
fn float_sign(pred: FloatPred) -> Option<&'static str> {
    use FloatPred::*;
    match pred {
        Oeq => Some("=="),
        Une => Some("!="),
        Ogt => Some(">"),
        Oge => Some(">="),
        Olt => Some("<"),
        Ole => Some("<="),
        _ => None,
    }
}
