//! Library functions with symbolic arguments or memory: those that can be said as terms.

use whydunit_library::canonical;
use whydunit_replay::{At, External};
use whydunit_terms::{Compare, Term};

use super::State;

/// The longest text that is looked at byte by byte.
const LONGEST: u64 = 256;

impl State<'_> {
    /// The result of a modelled function, where it depends on what may change and can be said.
    pub(crate) fn compute(&mut self, at: &At<'_>, call: &External<'_>) -> Option<Term> {
        let operands: Vec<_> = call.call.args.iter().map(|arg| arg.value).collect();
        let name = canonical(call.name);
        if matches!(name, "abs" | "labs") {
            let width = if name == "abs" { 32 } else { 64 };
            self.slot(at, *operands.first()?)?;
            let value = self.word(at, operands[0], width);
            let zero = self.pool.constant(width, 0);
            let negative = self.pool.compare(Compare::Slt, value, zero);
            let minus = self.pool.neg(value);
            return Some(self.pool.ite(negative, minus, value));
        }
        if operands.iter().any(|&operand| self.slot(at, operand).is_some()) {
            return None;
        }
        let arg = |n: usize| call.args.get(n).copied().unwrap_or(0);
        match name {
            "strlen" => self.length(at, arg(0), None),
            "strnlen" => self.length(at, arg(0), Some(arg(1))),
            "strcmp" => self.compare(at, arg(0), arg(1), LONGEST, true),
            "strncmp" if arg(2) <= LONGEST => self.compare(at, arg(0), arg(1), arg(2), true),
            "memcmp" if arg(2) <= LONGEST => self.compare(at, arg(0), arg(1), arg(2), false),
            _ => None,
        }
    }

    /// How far a text may go: to the end of its object, or, in what a library has made, to where it ends now.
    fn room(&mut self, at: &At<'_>, address: u64) -> u64 {
        let known = self.object_at(at, address).map(|(start, size)| start + size - address);
        let now =
            || if self.followed.is_some() { at.memory().read_string(address, LONGEST).len() as u64 + 1 } else { 0 };
        known.unwrap_or_else(now).min(LONGEST)
    }

    /// The length of a text, where it depends on what may change.
    pub(crate) fn length(&mut self, at: &At<'_>, address: u64, limit: Option<u64>) -> Option<Term> {
        let room = self.room(at, address).min(limit.unwrap_or(LONGEST));
        if room == 0 || !self.marks.touches(address, room) {
            return None;
        }
        let zero = self.pool.constant(8, 0);
        // The first zero byte; without one in the object the run must not get here.
        let mut length = self.pool.constant(64, room.into());
        let mut ends = self.pool.bool(limit.is_some_and(|limit| limit <= room));
        for i in (0..room).rev() {
            let byte = self.memory_term(at, address + i, 1);
            let end = self.pool.eq(byte, zero);
            let here = self.pool.constant(64, i.into());
            length = self.pool.ite(end, here, length);
            ends = self.pool.or(ends, end);
        }
        self.require(ends);
        Some(length)
    }

    fn compare(&mut self, at: &At<'_>, a: u64, b: u64, most: u64, text: bool) -> Option<Term> {
        // What is no text is compared as far as is asked for.
        let room = if text { self.room(at, a).min(self.room(at, b)).min(most) } else { most };
        if room == 0 || !(self.marks.touches(a, room) || self.marks.touches(b, room)) {
            return None;
        }
        let (zero, equal) = (self.pool.constant(8, 0), self.pool.constant(32, 0));
        let mut result = equal;
        let mut decided = self.pool.bool(room == most);
        for i in (0..room).rev() {
            let (x, y) = (self.memory_term(at, a + i, 1), self.memory_term(at, b + i, 1));
            let same = self.pool.eq(x, y);
            let (wide_x, wide_y) = (self.pool.zext(x, 32), self.pool.zext(y, 32));
            let difference = self.pool.bv(whydunit_terms::BvOp::Sub, wide_x, wide_y);
            let end = self.pool.eq(x, zero);
            let rest = if text { self.pool.ite(end, equal, result) } else { result };
            result = self.pool.ite(same, rest, difference);
            let stops = self.pool.not(same);
            decided = self.pool.or(decided, stops);
            if text {
                decided = self.pool.or(decided, end);
            }
        }
        if room < most {
            self.require(decided);
        }
        Some(result)
    }
}
