//! Calls that print: what their symbolic arguments have to be.

use whydunit_model::{Call as CallSite, Op, Scalar};
use whydunit_oracle::{Call, Match, Need, Place, Requirement, Source, output_function};
use whydunit_replay::{At, External};
use whydunit_terms::{FloatCompare, Format, Node, Term};

use crate::state::{State, fit};

/// The call at which the machine stands, for the oracle.
struct Site<'b, 'a> {
    at: &'b At<'a>,
    call: &'a CallSite,
}

impl Source for Site<'_, '_> {
    fn word(&self, index: usize) -> Option<u64> {
        self.call.args.get(index).map(|arg| self.at.value(arg.value))
    }
    fn double(&self, index: usize) -> Option<u64> {
        let arg = self.call.args.get(index)?;
        (arg.leaves == [Scalar::F64]).then(|| self.at.value(arg.value))
    }
    fn long_double(&self, index: usize) -> Option<u128> {
        let arg = self.call.args.get(index)?;
        if arg.byval > 0 {
            let address = self.at.value(arg.value);
            let low = u128::from(self.at.memory().read_word(address));
            return Some(low | u128::from(self.at.memory().read_uint(address + 8, 2)) << 64);
        }
        (arg.leaves == [Scalar::F80]).then(|| self.at.wide(arg.value))
    }
    fn string(&self, address: u64, limit: Option<usize>) -> Vec<u8> {
        let limit = limit.map_or(1 << 20, |limit| limit as u64);
        self.at.memory().read_string(address, limit)
    }
    fn memory(&self, address: u64, length: usize) -> Vec<u8> {
        self.at.memory().read_vec(address, length.min(1 << 20))
    }
}

/// How many values a string's pointer is followed to.
const MOST_POINTERS: usize = 64;

impl State<'_> {
    fn output_call<'b, 'a>(at: &'b At<'a>) -> Option<(Site<'b, 'a>, Call)> {
        let op = at.op();
        let Op::Call { call } = op else { return None };
        let function = output_function(Self::callee(at, op)?)?;
        let site = Site { at, call: &at.model.calls[*call as usize] };
        let call = Call::gather(function.content, &site).ok()?;
        Some((site, call))
    }

    /// When the call at which the machine stands prints the beginning of `expected`. None where nothing makes it do so, or
    /// nothing is known about it.
    pub(crate) fn prints(&mut self, at: &At<'_>, expected: &[u8]) -> Option<Term> {
        let (site, call) = Self::output_call(at)?;
        match call.matched(expected) {
            Match::Equal { .. } => Some(self.prints_the_same(&site, &call)),
            Match::Requires { alternatives, .. } => {
                let mut any = self.pool.bool(false);
                for alternative in alternatives {
                    let mut all = self.pool.bool(true);
                    for need in alternative.all() {
                        let holds = self.needs(&site, need);
                        all = self.pool.and(all, holds);
                    }
                    any = self.pool.or(any, all);
                }
                (self.pool.as_bool(any) != Some(false)).then_some(any)
            }
            Match::Impossible { .. } | Match::Refused(_) => None,
        }
    }

    /// Up to the failure what is printed is right, and stays so.
    pub(crate) fn keep_output(&mut self, at: &At<'_>, external: &External<'_>) {
        let Some(expected) = &self.failing.expected else { return };
        if output_function(external.name).is_none() {
            return;
        }
        if self.level > 0 {
            if self.terminal {
                let rest = expected.get(self.printed.len()..).unwrap_or_default().to_vec();
                self.judged = self.prints(at, &rest);
            }
            return;
        }
        let symbolic = external.call.args.iter().any(|arg| self.slot(at, arg.value).is_some());
        let reads = external.args.iter().any(|&address| self.marks.touches(address, 1));
        if !symbolic && !reads {
            return;
        }
        let Some((site, call)) = Self::output_call(at) else { return };
        let same = self.prints_the_same(&site, &call);
        self.require(same);
    }

    /// When a call goes on printing what it prints.
    fn prints_the_same(&mut self, site: &Site<'_, '_>, call: &Call) -> Term {
        let mut all = self.pool.bool(true);
        for need in call.kept().unwrap_or_default().all() {
            let holds = self.needs(site, need);
            all = self.pool.and(all, holds);
        }
        all
    }

    /// When a need of a call is met.
    fn needs(&mut self, site: &Site<'_, '_>, need: &Need) -> Term {
        let at = site.at;
        let (index, offset) = match need.place {
            Place::Argument(index) => (index, None),
            Place::Memory { argument, offset } => (argument, Some(offset as u64)),
        };
        let Some(arg) = site.call.args.get(index) else { return self.pool.bool(false) };
        if let Some(offset) = offset {
            let Requirement::Integer { value, .. } = need.requirement else { return self.pool.bool(false) };
            let byte = self.memory_term(at, at.value(arg.value).wrapping_add(offset), 1);
            let wanted = self.pool.constant(8, value.into());
            return self.pool.eq(byte, wanted);
        }
        match &need.requirement {
            Requirement::Integer { bits, value, .. } => {
                let word = self.word(at, arg.value, (*bits).min(64));
                let wanted = self.pool.constant((*bits).min(64), (*value).into());
                self.pool.eq(word, wanted)
            }
            Requirement::Double { low, high } => {
                let word = self.word(at, arg.value, 64);
                let (low, high) = (u128::from(low.to_bits()), u128::from(high.to_bits()));
                self.between(Format::Double, word, low, high)
            }
            Requirement::LongDouble { low, high } => {
                let value = if arg.byval > 0 {
                    let address = at.value(arg.value);
                    let (a, b) = (self.memory_term(at, address, 8), self.memory_term(at, address + 8, 2));
                    self.pool.concat(b, a)
                } else {
                    let (a, b) = (self.word(at, arg.value, 64), self.word(at, arg.value.word(1), 16));
                    self.pool.concat(b, a)
                };
                self.between(Format::Extended, value, *low, *high)
            }
            Requirement::NotANumber { negative } => {
                let word = self.word(at, arg.value, 64);
                let (nan, sign) = (self.pool.is_nan(Format::Double, word), self.pool.extract(word, 63, 1));
                let wanted = self.pool.constant(1, u128::from(*negative));
                let sign = self.pool.eq(sign, wanted);
                self.pool.and(nan, sign)
            }
            Requirement::Text(text) => {
                let contents: Vec<Vec<u8>> = text.contents().map(<[u8]>::to_vec).collect();
                let pointers = match self.slot(at, arg.value) {
                    None => vec![(None, at.value(arg.value))],
                    Some(term) => match self.pointers(term) {
                        // Any string may be meant.
                        None => return self.pool.bool(true),
                        Some(values) => values.into_iter().map(|value| (Some(term), value)).collect(),
                    },
                };
                let mut any = self.pool.bool(false);
                for (term, address) in pointers {
                    let mut holds = self.pool.bool(false);
                    for content in &contents {
                        let ends = text.limit.is_none_or(|limit| content.len() < limit);
                        let here = self.text_is(at, address, content, ends);
                        holds = self.pool.or(holds, here);
                    }
                    if let Some(term) = term {
                        let address = self.pool.constant(64, address.into());
                        let pointer = fit(&mut self.pool, Some(term), 0, 64);
                        let points = self.pool.eq(pointer, address);
                        holds = self.pool.and(points, holds);
                    }
                    any = self.pool.or(any, holds);
                }
                any
            }
        }
    }

    fn text_is(&mut self, at: &At<'_>, address: u64, content: &[u8], ends: bool) -> Term {
        let mut all = self.pool.bool(true);
        let zero = ends.then_some(&0u8);
        for (i, &byte) in content.iter().chain(zero).enumerate() {
            let there = self.memory_term(at, address.wrapping_add(i as u64), 1);
            let byte = self.pool.constant(8, byte.into());
            let same = self.pool.eq(there, byte);
            all = self.pool.and(all, same);
            if self.pool.as_bool(all) == Some(false) {
                break;
            }
        }
        all
    }

    /// A float between two of one sign (-0 below +0).
    fn between(&mut self, format: Format, value: Term, low: u128, high: u128) -> Term {
        let width = format.width();
        let (low_term, high_term) = (self.pool.constant(width, low), self.pool.constant(width, high));
        let above = self.pool.float_compare(FloatCompare::Le, format, low_term, value);
        let below = self.pool.float_compare(FloatCompare::Le, format, value, high_term);
        let inside = self.pool.and(above, below);
        let sign = self.pool.extract(value, width - 1, 1);
        let wanted = self.pool.constant(1, low >> (width - 1) & 1);
        let sign = self.pool.eq(sign, wanted);
        self.pool.and(inside, sign)
    }

    /// The constants that a pointer may be; none where it may be anything.
    fn pointers(&self, term: Term) -> Option<Vec<u64>> {
        let (mut todo, mut found) = (vec![term], Vec::new());
        while let Some(term) = todo.pop() {
            if let Some(value) = self.pool.as_constant(term) {
                found.push(value as u64);
            } else if let Node::Ite(_, a, b) = *self.pool.node(term) {
                todo.extend([a, b]);
            } else {
                return None;
            }
            if found.len() + todo.len() > MOST_POINTERS {
                return None;
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}
