//! A reader of process folders of its own, by docs/engine.md, section 4: the tests must not believe what another crate of
//! ours believes.

use std::collections::HashMap;
use std::path::Path;

/// Flags of the state page.
pub const ORDERLY: u32 = 1;
pub const STOPPED: u32 = 4;
pub const FORK_CHILD: u32 = 8;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Void,
    Int(u64),
    Bytes(Vec<u8>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    Load { site: u64, value: Vec<u8> },
    Ret { site: u64, value: Value },
    Write { address: u64, bytes: Vec<u8> },
    Fix { site: u64, address: u64, bytes: Vec<u8> },
    Alloc { site: u64, delta: i64, class: u64 },
    Callback { function: u64, words: Vec<u64> },
    Signal { function: u64, words: Vec<u64> },
    Setjmp { site: u64, serial: u64, value: i64 },
    Module { id: String, index: u64, globals: Vec<u64>, functions: Vec<u64>, own_bodies: Vec<u8>, data_hash: u64 },
    Start { version: u64, usp: u64, argc: u64, main_tid: u64 },
    Fault { signal: u64, address: u64 },
    Output { fd: u32, bytes: Vec<u8> },
    Switch { thread: u64, new: bool, usp: u64 },
    ThreadEnd,
    More { what: u8, number: u64 },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub counter: u64,
    pub event: Event,
    /// Logged by a parent.
    pub inherited: bool,
}

pub struct Control {
    pub counter: u64,
    pub flags: u32,
    pub log_bytes: u64,
    pub start_cycles: u64,
    pub end_cycles: u64,
    pub main_tid: u64,
    pub message: String,
}

pub fn control(folder: &Path) -> Control {
    let bytes = std::fs::read(folder.join("ctl")).unwrap();
    assert_eq!(bytes.len(), 8192);
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let message = bytes[4096 + 2048..].split(|byte| *byte == 0).next().unwrap();
    Control {
        counter: word(0),
        flags: word(4096 + 36) as u32,
        log_bytes: word(4096 + 48),
        start_cycles: word(4096 + 64),
        end_cycles: word(4096 + 72),
        main_tid: word(4096 + 80),
        message: String::from_utf8(message.to_vec()).unwrap(),
    }
}

/// The pairs of `head`.
pub fn head(folder: &Path) -> Vec<(String, String)> {
    let bytes = std::fs::read(folder.join("head")).unwrap();
    let strings = bytes.split(|byte| *byte == 0).filter(|string| !string.is_empty());
    let pairs =
        strings.map(|string| String::from_utf8_lossy(string).split_once('=').map(|(k, v)| (k.into(), v.into())));
    pairs.map(|pair| pair.expect("key=value")).collect()
}

pub fn events(folder: &Path) -> Vec<Entry> {
    // The parents' logs up to the fork, innermost last.
    let mut parts = vec![(folder.to_path_buf(), u64::MAX)];
    loop {
        let pairs: HashMap<_, _> = head(&parts.last().unwrap().0).into_iter().collect();
        let Some(parent) = pairs.get("parent") else { break };
        parts.push((folder.parent().unwrap().join(parent), pairs["parent_bytes"].parse().unwrap()));
    }
    let mut reader = Reader {
        slots: vec![0; 1024],
        called: 0,
        arguments: HashMap::new(),
        before: 0,
        follows: vec![0; 1024],
        counter: 0,
        bytes: Vec::new(),
        at: 0,
    };
    let mut entries = Vec::new();
    while let Some((path, limit)) = parts.pop() {
        let ctl = std::fs::read(path.join("ctl")).unwrap();
        let present = u64::from_le_bytes(ctl[4096 + 88..][..8].try_into().unwrap());
        for number in 0.. {
            let there = number + 1 == present;
            let name = if there { "log".into() } else { format!("log.{:06}", number / 64) };
            let Ok(mut bytes) = std::fs::read(path.join(name)) else { break };
            bytes.drain(..bytes.len().min(if there { 0 } else { (number as usize % 64) << 20 }));
            (reader.bytes, reader.at) = (bytes, 0);
            while (number << 20) + (reader.at as u64) < limit
                && reader.bytes.get(reader.at).is_some_and(|byte| *byte != 0)
            {
                let event = reader.event();
                entries.push(Entry { counter: reader.counter, event, inherited: !parts.is_empty() });
            }
        }
    }
    entries
}

struct Reader {
    slots: Vec<u64>,
    called: u64,
    arguments: HashMap<(u64, usize), u64>,
    /// A mixture of the last results' sites and callbacks' functions, and what came after which.
    before: u64,
    follows: Vec<u64>,
    counter: u64,
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn take(&mut self, n: usize) -> Vec<u8> {
        self.at += n;
        self.bytes[self.at - n..self.at].to_vec()
    }

    fn word(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.take(1)[0];
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return value;
            }
        }
    }

    fn signed(&mut self) -> i64 {
        let word = self.word();
        (word >> 1) as i64 ^ -((word & 1) as i64)
    }

    fn counted(&mut self) -> Vec<u8> {
        let n = self.word() as usize;
        self.take(n)
    }

    fn fixed(&mut self) -> u64 {
        u64::from_le_bytes(self.take(8).try_into().unwrap())
    }

    fn call(&mut self) -> (u64, Vec<u64>) {
        let function = self.called.wrapping_add(self.signed() as u64);
        let n = self.word();
        (function, self.words(function, n))
    }

    fn words(&mut self, function: u64, n: u64) -> Vec<u64> {
        self.called = function;
        let mut words = Vec::new();
        for n in 0..n as usize {
            let change = self.signed() as u64;
            let last = self.arguments.entry((function / 16 % 256, n)).or_insert(0);
            words.push(last.wrapping_add(change));
            *last = if n < 4 { words[n] } else { 0 };
        }
        words
    }

    fn result(&mut self, site: u64, change: i64) -> Event {
        let slot = &mut self.slots[site as usize % 1024];
        *slot = slot.wrapping_add(change as u64);
        Event::Ret { site, value: Value::Int(*slot) }
    }

    fn next(&mut self) -> &mut u64 {
        &mut self.follows[(self.before % 1024) as usize]
    }

    /// What came the last time after what came last.
    fn again(&mut self, high: u8) -> Event {
        let what = *self.next();
        match high {
            0 => self.result(what, 0),
            1 => {
                let change = self.signed();
                self.result(what, change)
            }
            2 => Event::Ret { site: what, value: Value::Void },
            n => Event::Callback { function: what, words: self.words(what, u64::from(n) - 3) },
        }
    }

    fn event(&mut self) -> Event {
        let event = self.payload();
        if let Event::Ret { site: what, value: Value::Int(_) | Value::Void } | Event::Callback { function: what, .. } =
            &event
        {
            *self.next() = *what;
            self.before = self.before.wrapping_mul(8).wrapping_add(*what).wrapping_add(what / 16);
        }
        event
    }

    fn payload(&mut self) -> Event {
        let header = self.take(1)[0];
        self.counter += self.word();
        let high = header >> 4;
        match header & 15 {
            1 => Event::Load { site: self.word(), value: self.take(if high == 0 { 16 } else { high.into() }) },
            2 => {
                let site = self.word();
                let value = match high {
                    0 => Value::Void,
                    15 => Value::Bytes(self.counted()),
                    n => Value::Bytes(self.take(n.into())),
                };
                Event::Ret { site, value }
            }
            kind @ (3 | 4) => {
                let site = self.word();
                let change = if kind == 3 { self.signed() } else { 0 };
                self.result(site, change)
            }
            5 => Event::Write { address: self.word(), bytes: self.counted() },
            6 => Event::Fix { site: self.word(), address: self.word(), bytes: self.counted() },
            7 => Event::Alloc { site: self.word(), delta: self.signed(), class: self.word() },
            8 => {
                let (function, words) = self.call();
                Event::Callback { function, words }
            }
            9 => {
                let (function, words) = self.call();
                Event::Signal { function, words }
            }
            10 => Event::Setjmp { site: self.word(), serial: self.word(), value: self.signed() },
            11 => self.module(),
            12 => {
                let words: Vec<u64> = (0..9).map(|_| self.word()).collect();
                Event::Start { version: words[0], usp: words[1], argc: words[5], main_tid: words[8] }
            }
            13 => Event::Fault { signal: self.word(), address: self.word() },
            14 if high == 4 => Event::Output { fd: self.word() as u32, bytes: self.counted() },
            14 if high == 2 => Event::More { what: high, number: self.word() },
            14 if high == 5 => {
                self.word();
                Event::More { what: high, number: self.word() }
            }
            14 if high == 8 => self.switch(),
            14 if high == 9 => Event::ThreadEnd,
            14 => Event::More { what: high, number: self.counted().len() as u64 },
            15 => self.again(high),
            kind => panic!("an event of kind {kind}"),
        }
    }

    fn switch(&mut self) -> Event {
        let (thread, new) = (self.word(), self.word() == 1);
        let words: Vec<u64> = (0..if new { 5 } else { 0 }).map(|_| self.word()).collect();
        for _ in 0..self.word() {
            self.word();
            for _ in 0..2 * self.word() {
                self.word();
            }
        }
        Event::Switch { thread, new, usp: words.get(2).copied().unwrap_or(0) }
    }

    fn module(&mut self) -> Event {
        let id = self.take(32).iter().map(|byte| format!("{byte:02x}")).collect();
        let (index, n_globals, n_functions) = (self.word(), self.word(), self.word());
        let mut last = 0u64;
        let mut addresses = |n: u64, reader: &mut Self| -> Vec<u64> {
            (0..n)
                .map(|_| {
                    last = last.wrapping_add(reader.signed() as u64);
                    last
                })
                .collect()
        };
        let (globals, functions) = (addresses(n_globals, self), addresses(n_functions, self));
        let own_bodies = self.take(n_functions.div_ceil(8) as usize);
        Event::Module { id, index, globals, functions, own_bodies, data_hash: self.fixed() }
    }
}
