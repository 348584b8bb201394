//! Operations on numbers: the term of their result.

use whydunit_dataflow::divides;
use whydunit_model::{Op, defined};
use whydunit_replay::At;
use whydunit_terms::Term;

use super::{Here, State, fit};
use crate::free::FreeKind;
use crate::question::Mode;
use crate::semantics::{meaning, width_of};

impl State<'_> {
    /// An operation on slots alone.
    pub(crate) fn plain(&mut self, at: &At<'_>, op: &Op) {
        let Some(facts) = self.frames.last().map(|frame| frame.facts.clone()) else { return };
        let Some((dst, words)) = defined(at.model, op) else { return };
        let first = at.base + dst as usize;
        let symbolic = facts.reads(at.pc).iter().any(|&slot| self.slots[at.base + slot as usize].is_some());
        let statement = facts.statements[at.pc as usize];
        let leaves = facts.leaves[at.pc as usize];
        let hard = !leaves || self.mode(statement) == Mode::Hard;
        if leaves {
            self.note(statement);
        }
        if !symbolic && hard {
            self.slots[first..first + words as usize].fill(None);
            return;
        }
        let mut conditions = Vec::new();
        let mut results: Vec<Option<Term>> = vec![None; words as usize];
        if symbolic {
            let mut here = Here { at, slots: &self.slots };
            match meaning(&mut self.pool, &mut here, op) {
                Some(meaning) => {
                    for (place, term) in results.iter_mut().zip(meaning.words) {
                        *place = Some(term);
                    }
                    // Where a run is followed alone, what overflows wraps, as it does in the program; a division dies.
                    if self.followed.is_none() || divides(op) {
                        conditions = meaning.conditions;
                    }
                }
                None => self.unknown_operation(at, op),
            }
            self.learn_stride(op, at, results.first().copied().flatten());
            self.check_size();
        }
        if !hard && !is_fixed(op) {
            let value = self.concrete(at, op);
            for (word, result) in results.iter_mut().enumerate() {
                let width = result_width(op, word as u32);
                let value = value.get(word).copied().unwrap_or(0);
                *result = self.relaxed(at, FreeKind::Value, width, value, *result, Some(dst + word as u32));
            }
        }
        for condition in conditions {
            self.require(condition);
        }
        for (word, result) in results.into_iter().enumerate() {
            self.slots[first + word] = result;
        }
    }

    /// The replay's result of an operation that has not been executed yet.
    fn concrete(&mut self, at: &At<'_>, op: &Op) -> Vec<u64> {
        let mut here = Here { at, slots: &[] };
        struct Concrete<'b, 'a>(&'b mut Here<'b, 'a>);
        impl crate::semantics::Values for Concrete<'_, '_> {
            fn word(&mut self, pool: &mut whydunit_terms::Pool, operand: whydunit_model::Opnd, width: u32) -> Term {
                fit(pool, None, self.0.at.value(operand), width)
            }
        }
        let meaning = meaning(&mut self.pool, &mut Concrete(&mut here), op);
        let words = meaning.map(|meaning| meaning.words).unwrap_or_default();
        words.into_iter().map(|word| self.pool.as_constant(word).unwrap_or(0) as u64).collect()
    }

    /// Lists the result of an operation on slots alone.
    pub(crate) fn list_result(&mut self, at: &At<'_>, op: &Op) {
        let leaves = self.facts().is_some_and(|facts| facts.leaves[at.pc as usize]);
        let listed_already = matches!(op, Op::Load { .. } | Op::Store { .. });
        if !leaves || listed_already || is_fixed(op) {
            return;
        }
        if let Some((dst, words)) = defined(at.model, op) {
            for word in 0..words {
                let slot = dst + word;
                self.relaxed(at, FreeKind::Value, result_width(op, word), at.slot(slot), None, Some(slot));
            }
        }
    }

    fn unknown_operation(&mut self, at: &At<'_>, op: &Op) {
        let Some(facts) = self.frames.last().map(|frame| frame.facts.clone()) else { return };
        for &slot in facts.reads(at.pc) {
            if let Some(term) = self.slots[at.base + slot as usize] {
                self.pin(term, at.slot(slot), &format!("an operation without a formula: {}", name_of(op)));
            }
        }
    }

    /// Remembers over which distance an index steps.
    fn learn_stride(&mut self, op: &Op, at: &At<'_>, result: Option<Term>) {
        let (Some(result), stride) = (
            result,
            match *op {
                Op::PtrIndex { scale, base, .. } => {
                    let inner = self.slot(at, base).and_then(|base| self.strides.get(&base).copied());
                    Some(inner.map_or(scale.unsigned_abs(), |inner| gcd(inner, scale.unsigned_abs())))
                }
                Op::PtrAdd { base, .. } => self.slot(at, base).and_then(|base| self.strides.get(&base).copied()),
                _ => None,
            },
        ) else {
            return;
        };
        if let Some(stride) = stride.filter(|&stride| stride > 0) {
            self.strides.insert(result, stride);
        }
    }

    pub(crate) fn loaded_word(&mut self, at: &At<'_>, addr: whydunit_model::Opnd, dst: u32, width: u32) -> Term {
        let bytes = width.div_ceil(8);
        let term = self.slots[at.base + dst as usize];
        fit(&mut self.pool, term, at.memory().read_uint(at.value(addr), bytes), width)
    }
}

/// Whether an operation's result is where something lies, which no change of the program makes another place.
fn is_fixed(op: &Op) -> bool {
    matches!(
        op,
        Op::StackAddr { .. }
            | Op::StackSave { .. }
            | Op::ThreadLocal { .. }
            | Op::Alloca { .. }
            | Op::LandingPad { .. }
    )
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn name_of(op: &Op) -> String {
    let text = format!("{op:?}");
    text.split([' ', '{']).next().unwrap_or_default().to_string()
}

/// Bits of a word of an operation's result.
fn result_width(op: &Op, word: u32) -> u32 {
    let of = |width: u32| if word == 0 { width.min(64) } else { width.saturating_sub(64).max(1) };
    match *op {
        Op::Int { w, .. }
        | Op::Wide { w, .. }
        | Op::IntUnary { w, .. }
        | Op::Funnel { w, .. }
        | Op::FToInt { w, .. } => of(w.into()),
        Op::Trunc { to, .. } | Op::ZExt { to, .. } | Op::SExt { to, .. } => of(to.into()),
        Op::ICmp { .. } | Op::FCmp { .. } => 1,
        Op::Float { ty, .. } | Op::FloatUnary { ty, .. } | Op::Fma { ty, .. } => of(width_of(ty)),
        Op::FConv { to, .. } | Op::IntToF { to, .. } => of(width_of(to)),
        Op::Overflow { w, .. } if w <= 64 => {
            if word == 0 {
                w.into()
            } else {
                1
            }
        }
        _ => 64,
    }
}
