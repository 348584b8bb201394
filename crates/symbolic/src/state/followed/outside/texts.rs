//! Functions that search texts, in runs that are followed alone: what they find stays where it is, on the condition that the bytes
//! lead there, and another place is another path.

use whydunit_library::canonical;
use whydunit_replay::{At, External};
use whydunit_terms::Term;

use crate::state::State;
use crate::state::followed::Followed;

/// The longest text that is looked at.
const LONGEST: u64 = 1 << 10;

/// What bytes are looked for.
enum Wanted {
    /// One of these.
    Any(Vec<u8>),
    /// None of these.
    None(Vec<u8>),
}

impl Wanted {
    fn has(&self, byte: u8) -> bool {
        match self {
            Wanted::Any(set) => set.contains(&byte),
            Wanted::None(set) => !set.contains(&byte),
        }
    }

    fn set(&self) -> &[u8] {
        match self {
            Wanted::Any(set) | Wanted::None(set) => set,
        }
    }
}

impl State<'_> {
    /// Says on which condition a search finds what it finds; false where the function is no such search, or looks at nothing that
    /// was given.
    pub(crate) fn searches(&mut self, at: &At<'_>, call: &External<'_>) -> bool {
        if self.followed.is_none() || call.call.args.iter().any(|arg| self.slot(at, arg.value).is_some()) {
            return false;
        }
        let arg = |n: usize| call.args.get(n).copied().unwrap_or(0);
        let text = |address: u64| at.memory().read_string(address, LONGEST);
        let end = |mut set: Vec<u8>| {
            set.push(0);
            Wanted::Any(set)
        };
        let condition = match canonical(call.name) {
            "strlen" => self.until(at, arg(0), &Wanted::Any(vec![0]), LONGEST),
            "strnlen" => self.until(at, arg(0), &Wanted::Any(vec![0]), arg(1)),
            "strchr" | "strchrnul" => self.until(at, arg(0), &end(vec![arg(1) as u8]), LONGEST),
            "memchr" => self.until(at, arg(0), &Wanted::Any(vec![arg(1) as u8]), arg(2)),
            "strcspn" | "strpbrk" => self.until(at, arg(0), &end(text(arg(1))), LONGEST),
            "strspn" => self.until(at, arg(0), &Wanted::None(text(arg(1))), LONGEST),
            "strrchr" => self.last(at, arg(0), arg(1) as u8),
            "strstr" => self.contains(at, arg(0), &text(arg(1))),
            "strtok" | "strtok_r" => self.token(at, call),
            _ => return false,
        };
        if let Some(condition) = condition {
            self.check(condition);
        }
        condition.is_some()
    }

    /// That a byte is one that is wanted.
    fn wanted(&mut self, at: &At<'_>, address: u64, wanted: &Wanted) -> Term {
        let byte = self.memory_term(at, address, 1);
        let mut any = self.pool.falsity();
        for &one in wanted.set() {
            let one = self.pool.constant(8, one.into());
            let same = self.pool.eq(byte, one);
            any = self.pool.or(any, same);
        }
        match wanted {
            Wanted::Any(_) => any,
            Wanted::None(_) => self.pool.not(any),
        }
    }

    /// That the first wanted byte of at most `most` is where it is; none where nothing up to it was given.
    fn until(&mut self, at: &At<'_>, address: u64, wanted: &Wanted, most: u64) -> Option<Term> {
        let most = most.min(LONGEST);
        let byte = |offset: u64| at.memory().read_uint(address.wrapping_add(offset), 1) as u8;
        let found = (0..most).find(|&offset| wanted.has(byte(offset)));
        let looked = found.map_or(most, |found| found + 1);
        if !self.marks.touches(address, looked) {
            return None;
        }
        let mut condition = self.pool.truth();
        for offset in 0..looked {
            let here = self.wanted(at, address.wrapping_add(offset), wanted);
            let holds = if Some(offset) == found { here } else { self.pool.not(here) };
            condition = self.pool.and(condition, holds);
        }
        Some(condition)
    }

    /// That the last byte of a text that is this one is where it is.
    fn last(&mut self, at: &At<'_>, address: u64, wanted: u8) -> Option<Term> {
        let text = at.memory().read_string(address, LONGEST);
        if !self.marks.touches(address, text.len() as u64 + 1) {
            return None;
        }
        let found = text.iter().rposition(|&byte| byte == wanted).unwrap_or(0);
        let mut condition = self.until(at, address, &Wanted::Any(vec![0]), LONGEST)?;
        for (offset, &byte) in text.iter().enumerate().skip(found) {
            let here = self.wanted(at, address.wrapping_add(offset as u64), &Wanted::Any(vec![wanted]));
            let holds = if byte == wanted { here } else { self.pool.not(here) };
            condition = self.pool.and(condition, holds);
        }
        Some(condition)
    }

    /// That a text has another one in it first where it has it.
    fn contains(&mut self, at: &At<'_>, address: u64, needle: &[u8]) -> Option<Term> {
        let text = at.memory().read_string(address, LONGEST);
        if needle.is_empty() || !self.marks.touches(address, text.len() as u64 + 1) {
            return None;
        }
        let found = text.windows(needle.len()).position(|window| window == needle);
        let places = found.map_or((text.len() + 1).saturating_sub(needle.len()), |found| found + 1);
        let mut condition = self.pool.truth();
        for place in 0..places {
            let mut same = self.pool.truth();
            for (offset, &byte) in needle.iter().enumerate() {
                let here = self.wanted(at, address.wrapping_add((place + offset) as u64), &Wanted::Any(vec![byte]));
                same = self.pool.and(same, here);
            }
            let holds = if Some(place) == found { same } else { self.pool.not(same) };
            condition = self.pool.and(condition, holds);
        }
        Some(condition)
    }

    /// That the next token is where it is.
    fn token(&mut self, at: &At<'_>, call: &External<'_>) -> Option<Term> {
        let (text, marks) = (call.args.first().copied()?, call.args.get(1).copied()?);
        let saved = match canonical(call.name) {
            "strtok" => self.followed.as_ref().map_or(0, |followed| followed.outside.token),
            _ => at.memory().read_word(call.args.get(2).copied()?),
        };
        let start = if text == 0 { saved } else { text };
        if start == 0 {
            return None;
        }
        let marks = at.memory().read_string(marks, LONGEST);
        let rest = at.memory().read_string(start, LONGEST);
        let begins = rest.iter().take_while(|byte| marks.contains(byte)).count() as u64;
        let length = rest[begins as usize..].iter().take_while(|byte| !marks.contains(byte)).count() as u64;
        let after = start + begins + length;
        if let Some(Followed { outside, .. }) = self.followed.as_deref_mut() {
            outside.token = if begins + length < rest.len() as u64 { after + 1 } else { after };
        }
        let skipped = self.until(at, start, &Wanted::None(marks.clone()), LONGEST);
        let mut ends = marks;
        ends.push(0);
        let token = self.until(at, start + begins, &Wanted::Any(ends), LONGEST);
        match (skipped, token) {
            (Some(skipped), Some(token)) => Some(self.pool.and(skipped, token)),
            (skipped, token) => skipped.or(token),
        }
    }
}
