//! What is symbolic in memory, with a log by which a stretch of the run is undone.

use rustc_hash::FxHashMap;
use whydunit_replay::Memory;
use whydunit_terms::{Pool, Sort, Term};

use crate::bytes::ByteMap;
use crate::effects::Effects;

/// A byte: its value in the replay, and its mark (0: just that value; else a byte of a term).
pub type Byte = (u8, u32);

/// A mark names a byte of a term of at most 64 bits.
fn mark(term: Term, byte: usize) -> u32 {
    (term.index() + 1) << 3 | byte as u32
}

/// The largest number of terms that marks can name.
pub const MOST_TERMS: usize = 1 << 29;

fn marked(mark: u32) -> Option<(Term, u32)> {
    (mark != 0).then(|| (Term::from_index((mark >> 3) - 1), mark & 7))
}

/// What was in a piece of memory before it was written.
#[derive(Clone, Copy)]
pub struct Written {
    /// Where.
    pub address: u64,
    /// Up to 8 bytes.
    pub size: u8,
    bytes: u64,
    marks: [u32; 8],
    epoch: u32,
}

impl Written {
    /// Its bytes as they were.
    pub fn before(&self) -> impl Iterator<Item = (u64, Byte)> {
        let (address, bytes, marks) = (self.address, self.bytes.to_le_bytes(), self.marks);
        (0..usize::from(self.size)).map(move |i| (address.wrapping_add(i as u64), (bytes[i], marks[i])))
    }
}

/// From here on memory that `effects` names is unknown where `when` holds: code ran there that nobody has looked at.
#[derive(Clone)]
pub struct Havoc {
    /// The condition.
    pub when: Term,
    /// What may have been written.
    pub effects: Effects,
    /// Base of the frame that `effects` speaks of.
    pub frame: u64,
}

/// The symbolic part of memory.
#[derive(Default)]
pub struct Marks {
    marks: ByteMap,
    /// How many havocs there were when a byte was written last.
    epochs: ByteMap,
    havocs: Vec<Havoc>,
    unknown: FxHashMap<(u32, u64, u8), Term>,
    log: Vec<Written>,
    /// Nothing is symbolic yet.
    used: bool,
}

impl Marks {
    /// Where the log stands.
    pub fn now(&self) -> usize {
        self.log.len()
    }
    /// What was written since the log stood at `since`.
    pub fn written(&self, since: usize) -> &[Written] {
        &self.log[since.min(self.log.len())..]
    }
    /// How many havocs there are.
    pub fn havocs(&self) -> usize {
        self.havocs.len()
    }
    /// Takes away the havocs from a number on.
    pub fn take_havocs(&mut self, from: usize) -> Vec<Havoc> {
        self.havocs.split_off(from.min(self.havocs.len()))
    }
    /// Adds a havoc.
    pub fn havoc(&mut self, havoc: Havoc) {
        if !havoc.effects.is_empty() {
            self.havocs.push(havoc);
            self.used = true;
        }
    }
    /// Undoes what was written since the log stood at `since`.
    pub fn undo(&mut self, since: usize) {
        while self.log.len() > since {
            let Some(written) = self.log.pop() else { break };
            for i in 0..usize::from(written.size) {
                self.marks.set(written.address.wrapping_add(i as u64), written.marks[i]);
                self.epochs.set(written.address.wrapping_add(i as u64), written.epoch);
            }
        }
    }
    /// Whether something in a range is, or may be, symbolic.
    pub fn touches(&mut self, address: u64, size: u64) -> bool {
        self.used && (self.marks.any(address, size) || !self.havocs.is_empty())
    }

    /// The addresses of symbolic bytes.
    #[cfg(debug_assertions)]
    pub fn marked(&self) -> Vec<u64> {
        self.marks.numbered().collect()
    }

    /// The bytes of a piece of at most 8, as they are.
    pub fn bytes(&mut self, memory: &Memory, address: u64, size: usize) -> Vec<Byte> {
        let marks = self.marks.get(address, size);
        let bytes = memory.read_uint(address, size as u32).to_le_bytes();
        (0..size).map(|i| (bytes[i], marks[i])).collect()
    }

    /// A piece of at most 8 bytes is written; `log` where it may have to be undone. `term` has 8 bits for each byte; none for a
    /// value that is just the replay's. To be called before the replay writes.
    pub fn store(&mut self, memory: &Memory, address: u64, size: usize, term: Option<Term>, log: bool) {
        if !self.used && term.is_none() && !log {
            return;
        }
        self.used |= term.is_some();
        let marks = self.marks.get(address, size);
        if log {
            let bytes = memory.read_uint(address, size as u32);
            let epoch = self.epoch(address, size);
            self.log.push(Written { address, size: size as u8, bytes, marks, epoch });
        }
        for (i, &old) in marks.iter().enumerate().take(size) {
            let new = term.map_or(0, |term| mark(term, i));
            if old != new {
                self.marks.set(address.wrapping_add(i as u64), new);
            }
        }
        if !self.havocs.is_empty() {
            let epoch = self.havocs.len() as u32;
            (0..size).for_each(|i| self.epochs.set(address.wrapping_add(i as u64), epoch));
        }
    }

    fn epoch(&mut self, address: u64, size: usize) -> u32 {
        if self.havocs.is_empty() {
            return 0;
        }
        self.epochs.get(address, size)[..size].iter().copied().min().unwrap_or(0)
    }

    /// The value of a piece of at most 8 bytes; none where it is the replay's.
    pub fn load(&mut self, pool: &mut Pool, memory: &Memory, address: u64, size: usize, log: bool) -> Option<Term> {
        if !self.used {
            return None;
        }
        let bytes = self.bytes(memory, address, size);
        let value = compose(pool, &bytes);
        let first = self.epoch(address, size) as usize;
        if first >= self.havocs.len() {
            return value;
        }
        let when = unknown_when(pool, &self.havocs[first..], address, size as u64);
        if pool.as_bool(when) == Some(false) {
            return value;
        }
        let key = (when.index(), address, size as u8);
        let unknown = *self
            .unknown
            .entry(key)
            .or_insert_with(|| pool.variable(Sort::BitVec(8 * size as u32), format!("unexplored@{address:x}")));
        let known = value.unwrap_or_else(|| constant(pool, &bytes));
        let value = pool.ite(when, unknown, known);
        // Kept, so that it is worked out once.
        self.store(memory, address, size, Some(value), log);
        Some(value)
    }
}

/// When a piece of memory is unknown by these havocs.
pub fn unknown_when(pool: &mut Pool, havocs: &[Havoc], address: u64, size: u64) -> Term {
    let mut when = pool.bool(false);
    for havoc in havocs {
        if havoc.effects.may_write(havoc.frame, address, size) {
            when = pool.or(when, havoc.when);
        }
    }
    when
}

/// The replay's value of these bytes.
pub fn constant(pool: &mut Pool, bytes: &[Byte]) -> Term {
    let value = bytes.iter().rev().fold(0u128, |value, byte| value << 8 | u128::from(byte.0));
    pool.constant(8 * bytes.len() as u32, value)
}

/// The value of these bytes (the first is the lowest) as a term; none where none is symbolic.
pub fn compose(pool: &mut Pool, bytes: &[Byte]) -> Option<Term> {
    if bytes.iter().all(|&(_, mark)| mark == 0) {
        return None;
    }
    let mut whole: Option<Term> = None;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let part = match marked(bytes[at].1) {
            None => {
                while at < bytes.len() && bytes[at].1 == 0 {
                    at += 1;
                }
                constant(pool, &bytes[start..at])
            }
            Some((term, byte)) => {
                while at < bytes.len() && marked(bytes[at].1) == Some((term, byte + (at - start) as u32)) {
                    at += 1;
                }
                pool.extract(term, 8 * byte, 8 * (at - start) as u32)
            }
        };
        whole = Some(match whole {
            None => part,
            Some(low) => pool.concat(part, low),
        });
    }
    whole
}
