//! Calls that print: what their symbolic arguments have to be.

use whydunit_library::{Content, Destination, Output, lookup, prints};
use whydunit_model::{Call as CallSite, Op, Scalar};
use whydunit_oracle::{Alternative, Call, Match, Need, Place, Requirement, Source};
use whydunit_replay::{At, External};
use whydunit_terms::{FloatCompare, Format, Node, Sort, Term};

use super::{State, fit};
use crate::unsaid::Unsaid;

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

/// The values of a call's arguments as terms, at the time of the call.
#[derive(Clone)]
pub(crate) struct Arguments {
    words: Vec<Vec<Term>>,
    /// Where an argument that is passed by value, or that a pointer points to, lies.
    addresses: Vec<u64>,
    byval: Vec<bool>,
    /// The pointer may be another one than the run's.
    pointer: Vec<Option<Term>>,
}

/// Text that a function like `snprintf` made from symbolic values.
pub(crate) struct Formatted {
    call: Call,
    arguments: Arguments,
    /// A variable for each byte.
    bytes: Vec<Term>,
}

/// The longest text that is kept as one that was formatted.
const MOST_FORMATTED: u64 = 128;

/// On so many ways joined a text is looked at.
const MOST_JOINS: usize = 12;

/// How many values a string's pointer is followed to.
const MOST_POINTERS: usize = 64;

impl State<'_> {
    fn output_call<'b, 'a>(at: &'b At<'a>) -> Option<(Site<'b, 'a>, Call)> {
        let op = at.op();
        let Op::Call { call } = op else { return None };
        let function = prints(Self::callee(at, op)?)?;
        let site = Site { at, call: &at.model.calls[*call as usize] };
        let call = Call::gather(function.content, &site).ok()?;
        Some((site, call))
    }

    /// When the call at which the machine stands prints the beginning of `expected`. None where nothing makes it do so, or
    /// nothing is known about it.
    pub(crate) fn prints(&mut self, at: &At<'_>, expected: &[u8]) -> Option<Term> {
        let Some((site, call)) = Self::output_call(at) else {
            self.unsaid.insert(Unsaid::Output);
            return None;
        };
        if self.is_open_format(at) {
            self.unsaid.insert(Unsaid::Output);
        }
        match call.matched(expected) {
            Match::Equal { .. } => Some(self.prints_the_same(&site, &call)),
            Match::Requires { alternatives, .. } => {
                let mut any = self.pool.bool(false);
                let arguments = self.arguments(&site);
                for alternative in alternatives {
                    let all = self.all_needs(at, &arguments, &alternative);
                    any = self.pool.or(any, all);
                }
                (self.pool.as_bool(any) != Some(false)).then_some(any)
            }
            Match::Impossible { .. } => None,
            Match::Refused(_) => {
                self.unsaid.insert(Unsaid::Output);
                None
            }
        }
    }

    /// Whether the format of the call at which the machine stands may be another one.
    fn is_open_format(&mut self, at: &At<'_>) -> bool {
        let op = at.op();
        let (Op::Call { call }, Some(output)) = (op, Self::callee(at, op).and_then(prints)) else { return false };
        let (Content::Format { format, .. } | Content::List { format, .. }) = output.content else { return false };
        at.model.calls[*call as usize].args.get(format).is_some_and(|format| {
            self.slot(at, format.value).is_some() || self.marks.touches(at.value(format.value), 1)
        })
    }

    /// Up to the failure what is printed is right, and stays so.
    pub(crate) fn keep_output(&mut self, at: &At<'_>, external: &External<'_>) {
        let Some(expected) = &self.failing.expected else { return };
        if prints(external.name).is_none() {
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
        self.kept |= self.pool.as_bool(same) != Some(true);
        self.require(same);
    }

    fn arguments(&mut self, site: &Site<'_, '_>) -> Arguments {
        let at = site.at;
        let mut arguments =
            Arguments { words: Vec::new(), addresses: Vec::new(), byval: Vec::new(), pointer: Vec::new() };
        for arg in &site.call.args {
            let count = if arg.byval > 0 { 1 } else { arg.leaves.iter().map(|leaf| leaf.slots()).sum::<u32>().max(1) };
            let words = (0..count).map(|word| self.word(at, arg.value.word(word), 64)).collect();
            arguments.words.push(words);
            arguments.addresses.push(at.value(arg.value));
            arguments.byval.push(arg.byval > 0);
            arguments.pointer.push(self.slot(at, arg.value));
        }
        arguments
    }

    /// A function that makes text of its arguments is about to be called: `sprintf` and its like.
    pub(crate) fn formats(&mut self, at: &At<'_>, external: &External<'_>) {
        self.formatting = None;
        let output = lookup(external.name).and_then(|known| known.output());
        let Some(Output { content, destination: Destination::Memory { to, room } }) = output else { return };
        let Content::Format { first, .. } = content else { return };
        let Op::Call { call } = at.op() else { return };
        let site = Site { at, call: &at.model.calls[*call as usize] };
        let Ok(call) = Call::gather(content, &site) else { return };
        let symbolic = site.call.args[first.min(site.call.args.len())..].iter().any(|arg| {
            let address = at.value(arg.value);
            self.slot(at, arg.value).is_some() || self.marks.touches(address, 1)
        });
        if !symbolic {
            return;
        }
        let address = external.args.get(to).copied().unwrap_or(0);
        let object = self.object_at(at, address).map_or(0, |(start, size)| start + size - address);
        let room = room.and_then(|index| external.args.get(index)).map_or(object, |&room| room.min(object));
        let arguments = self.arguments(&site);
        self.formatting = Some((address, room.min(MOST_FORMATTED), call, arguments));
    }

    /// It has been called: the text is what its arguments say.
    pub(crate) fn formatted(&mut self, at: &At<'_>) {
        let Some((address, room, call, arguments)) = self.formatting.take() else { return };
        let log = self.open > 0;
        let number = self.texts.len();
        let bytes: Vec<Term> =
            (0..room).map(|i| self.pool.variable(Sort::BitVec(8), format!("text{number}[{i}]"))).collect();
        for (i, &byte) in bytes.iter().enumerate() {
            self.marks.store(at.memory(), address + i as u64, 1, Some(byte), log);
        }
        // The text is the run's exactly when the arguments say so: else bytes that are looked at one by one could be anything.
        let text = at.memory().read_vec(address, bytes.len());
        let length = text.iter().position(|&byte| byte == 0).map_or(text.len(), |end| end + 1);
        let mut same = self.pool.bool(true);
        for (&byte, &value) in bytes.iter().zip(&text) {
            self.run.push((byte, value.into()));
        }
        for (&byte, &value) in bytes.iter().zip(&text).take(length) {
            let value = self.pool.constant(8, value.into());
            let equal = self.pool.eq(byte, value);
            same = self.pool.and(same, equal);
        }
        let stays = self.stays(at, &arguments, &call);
        let as_they_say = self.pool.iff(stays, same);
        self.require(as_they_say);
        if let Some(&first) = bytes.first() {
            self.texts.insert(first, Formatted { call, arguments, bytes });
        }
        self.notes.insert("text made by snprintf and its like is compared as a whole".into());
    }

    /// When a call goes on printing what it prints.
    fn prints_the_same(&mut self, site: &Site<'_, '_>, call: &Call) -> Term {
        let arguments = self.arguments(site);
        self.stays(site.at, &arguments, call)
    }

    fn stays(&mut self, at: &At<'_>, arguments: &Arguments, call: &Call) -> Term {
        let mut all = self.pool.bool(true);
        for need in call.kept().unwrap_or_default().all() {
            let holds = self.needs(at, arguments, need);
            all = self.pool.and(all, holds);
        }
        all
    }

    fn all_needs(&mut self, at: &At<'_>, arguments: &Arguments, alternative: &Alternative) -> Term {
        let mut all = self.pool.bool(true);
        for need in alternative.all() {
            let holds = self.needs(at, arguments, need);
            all = self.pool.and(all, holds);
        }
        all
    }

    /// When a formatted text is exactly this.
    fn formats_as(&mut self, at: &At<'_>, text: &Formatted, content: &[u8]) -> Term {
        let exact = |found: Match| match found {
            Match::Requires { alternatives, .. } => alternatives,
            _ => Vec::new(),
        };
        let mut alternatives = match text.call.matched(content) {
            Match::Equal { consumed } if consumed == content.len() => {
                return self.stays(at, &text.arguments, &text.call);
            }
            Match::Equal { .. } => exact(text.call.matched_beyond(content, content.len().checked_sub(1))),
            found => exact(found),
        };
        alternatives.retain(|alternative| alternative.consumed == content.len());
        let mut any = self.pool.bool(false);
        for alternative in alternatives {
            let all = self.all_needs(at, &text.arguments, &alternative);
            any = self.pool.or(any, all);
        }
        any
    }

    /// When a need of a call is met.
    fn needs(&mut self, at: &At<'_>, arguments: &Arguments, need: &Need) -> Term {
        let (index, offset) = match need.place {
            Place::Argument(index) => (index, None),
            Place::Memory { argument, offset } => (argument, Some(offset as u64)),
        };
        let Some(words) = arguments.words.get(index) else { return self.pool.bool(false) };
        let word = words[0];
        let address = arguments.addresses[index];
        if let Some(offset) = offset {
            let Requirement::Integer { value, .. } = need.requirement else { return self.pool.bool(false) };
            let byte = self.memory_term(at, address.wrapping_add(offset), 1);
            let wanted = self.pool.constant(8, value.into());
            return self.pool.eq(byte, wanted);
        }
        match &need.requirement {
            Requirement::Integer { bits, value, .. } => {
                let word = self.pool.truncate(word, (*bits).min(64));
                let wanted = self.pool.constant((*bits).min(64), (*value).into());
                self.pool.eq(word, wanted)
            }
            Requirement::Double { low, high } => {
                let (low, high) = (u128::from(low.to_bits()), u128::from(high.to_bits()));
                self.between(Format::Double, word, low, high)
            }
            Requirement::LongDouble { low, high } => {
                let (a, b) = match (arguments.byval[index], words.get(1)) {
                    (false, Some(&high)) => (word, self.pool.truncate(high, 16)),
                    _ => (self.memory_term(at, address, 8), self.memory_term(at, address.wrapping_add(8), 2)),
                };
                let value = self.pool.concat(b, a);
                self.between(Format::Extended, value, *low, *high)
            }
            Requirement::NotANumber { negative } => {
                let (nan, sign) = (self.pool.is_nan(Format::Double, word), self.pool.extract(word, 63, 1));
                let wanted = self.pool.constant(1, u128::from(*negative));
                let sign = self.pool.eq(sign, wanted);
                self.pool.and(nan, sign)
            }
            Requirement::Text(text) => {
                let contents: Vec<Vec<u8>> = text.contents().map(<[u8]>::to_vec).collect();
                let pointers = match arguments.pointer[index] {
                    None => vec![(None, address)],
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
        let size = content.len() + usize::from(ends);
        let bytes: Vec<Term> = (0..size).map(|i| self.memory_term(at, address.wrapping_add(i as u64), 1)).collect();
        self.bytes_are(at, &bytes, content, MOST_JOINS)
    }

    /// When bytes are this text (and a NUL, where there is one more of them): those that were formatted are compared as a
    /// whole, on each of the ways that made them.
    fn bytes_are(&mut self, at: &At<'_>, bytes: &[Term], content: &[u8], depth: usize) -> Term {
        let ends = bytes.len() > content.len();
        let Some(&first) = bytes.first() else { return self.pool.bool(true) };
        if let Some(text) = self.texts.remove(&first) {
            let same = bytes.len().min(text.bytes.len());
            let whole = ends && bytes[..same] == text.bytes[..same];
            let holds = whole.then(|| self.formats_as(at, &text, content));
            self.texts.insert(first, text);
            if let Some(holds) = holds {
                return holds;
            }
        }
        if let Node::Ite(condition, ..) = *self.pool.node(first)
            && depth > 0
        {
            let side = |pool: &whydunit_terms::Pool, then: bool| -> Vec<Term> {
                let of = |&byte: &Term| match *pool.node(byte) {
                    Node::Ite(same, a, b) if same == condition => {
                        if then {
                            a
                        } else {
                            b
                        }
                    }
                    _ => byte,
                };
                bytes.iter().map(of).collect()
            };
            let (then, otherwise) = (side(&self.pool, true), side(&self.pool, false));
            let then = self.bytes_are(at, &then, content, depth - 1);
            let otherwise = self.bytes_are(at, &otherwise, content, depth - 1);
            return self.pool.ite(condition, then, otherwise);
        }
        let mut all = self.pool.bool(true);
        for (&there, &byte) in bytes.iter().zip(content.iter().chain(&[0])) {
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
