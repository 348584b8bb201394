//! Events as bytes, both ways (docs/engine.md, section 4).

use crate::event::{Entry, Event, LoadValue, ModuleLoaded, NewThread, RetValue, Start, Switch, ThreadLocals};

/// Number of the slots of integer results.
const SLOTS: usize = 1024;

/// Number of the slots of functions that external code calls, and of the arguments' words that each keeps.
const CALLED: usize = 256;
const CALLED_WORDS: usize = 4;

/// Number of the places for what came after the last results and callbacks the last time.
const FOLLOWS: usize = 1024;

/// What comes again, by the header's high bits; a callback's words follow from `AGAIN_CALL` on.
const AGAIN: u8 = 15;
const AGAIN_SAME: usize = 0;
const AGAIN_INT: usize = 1;
const AGAIN_VOID: usize = 2;
const AGAIN_CALL: usize = 3;

/// Why bytes are no event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// They end inside the event.
    #[error("the event is cut off")]
    Cut,
    /// They say something that no recorder writes.
    #[error("{0}")]
    Bad(&'static str),
}

/// What reader and writer of a log must agree on between events: the safepoint count, the last integer results, the
/// last arguments of functions that external code called, which results and callbacks came before, and which came
/// after which.
#[derive(Clone)]
pub struct CodecState {
    counter: u64,
    slots: Box<[u64; SLOTS]>,
    called: u64,
    arguments: Box<[[u64; CALLED_WORDS]; CALLED]>,
    before: u64,
    follows: Box<[u64; FOLLOWS]>,
}

impl Default for CodecState {
    fn default() -> Self {
        Self {
            counter: 0,
            slots: Box::new([0; SLOTS]),
            called: 0,
            arguments: Box::new([[0; CALLED_WORDS]; CALLED]),
            before: 0,
            follows: Box::new([0; FOLLOWS]),
        }
    }
}

impl CodecState {
    /// The state at a log's start.
    pub fn new() -> Self {
        Self::default()
    }

    /// A state with all slots 0 and the counter at `counter`.
    pub fn starting_at(counter: u64) -> Self {
        Self { counter, ..Self::default() }
    }

    /// Safepoint count of the last event.
    pub fn counter(&self) -> u64 {
        self.counter
    }

    /// Takes one event from the start of `bytes`; gives it and how many bytes it took. After an error the state is as
    /// before.
    pub fn decode(&mut self, bytes: &[u8]) -> Result<(Entry, usize), DecodeError> {
        let mut input = Input { bytes, at: 0 };
        let header = input.byte()?;
        let high = (header >> 4) as usize;
        let delta = input.word()?;
        let counter = self.counter.checked_add(delta).ok_or(DecodeError::Bad("the safepoint count overflows"))?;
        let event = self.decode_payload(header & 15, high, &mut input)?;
        match &event {
            Event::Ret { site, value: RetValue::Int(value) } => self.slots[*site as usize % SLOTS] = *value,
            Event::Callback { function, words } | Event::Signal { function, words } => self.keep_call(*function, words),
            _ => {}
        }
        if let Some(what) = in_order(&event) {
            self.comes(what);
        }
        self.counter = counter;
        Ok((Entry { counter, event }, input.at))
    }

    /// Place of what follows what came before.
    fn next(&self) -> usize {
        (self.before % FOLLOWS as u64) as usize
    }

    /// A result or callback comes; gives whether it came the last time, too, after what came before it.
    fn comes(&mut self, what: u64) -> bool {
        let next = self.next();
        let again = self.follows[next] == what;
        self.follows[next] = what;
        self.before = (self.before << 3).wrapping_add(what).wrapping_add(what >> 4);
        again
    }

    /// Decodes what comes again.
    fn decode_again(&self, high: usize, input: &mut Input) -> Result<Event, DecodeError> {
        let what = self.follows[self.next()];
        if let Some(n) = high.checked_sub(AGAIN_CALL) {
            input.need(n)?;
            let words = self.last_call(what).take(n);
            let words = words.map(|last| Ok(last.wrapping_add(input.signed()? as u64))).collect::<Result<_, _>>()?;
            return Ok(Event::Callback { function: what, words });
        }
        let site = u32::try_from(what).map_err(|_| DecodeError::Bad("a result at what is no site"))?;
        let last = self.slots[site as usize % SLOTS];
        let value = match high {
            AGAIN_SAME => RetValue::Int(last),
            AGAIN_INT => RetValue::Int(last.wrapping_add(input.signed()? as u64)),
            _ => RetValue::Void,
        };
        Ok(Event::Ret { site, value })
    }

    /// The words that are kept of the last call of a function, or of another one in its slot.
    fn last_call(&self, function: u64) -> impl Iterator<Item = u64> {
        self.arguments[slot_of(function)].into_iter().chain(std::iter::repeat(0))
    }

    fn keep_call(&mut self, function: u64, words: &[u64]) {
        self.called = function;
        for (kept, word) in self.arguments[slot_of(function)].iter_mut().zip(words) {
            *kept = *word;
        }
    }

    fn decode_call(&self, input: &mut Input) -> Result<(u64, Box<[u64]>), DecodeError> {
        let function = self.called.wrapping_add(input.signed()? as u64);
        let n = input.length()?;
        input.need(n)?;
        let words = self.last_call(function).take(n);
        Ok((function, words.map(|last| Ok(last.wrapping_add(input.signed()? as u64))).collect::<Result<_, _>>()?))
    }

    fn encode_call(&mut self, out: &mut Vec<u8>, function: u64, words: &[u64]) {
        put_signed(out, function.wrapping_sub(self.called) as i64);
        put_word(out, words.len() as u64);
        self.encode_words(out, function, words);
    }

    fn encode_words(&mut self, out: &mut Vec<u8>, function: u64, words: &[u64]) {
        for (word, last) in words.iter().zip(self.last_call(function)) {
            put_signed(out, word.wrapping_sub(last) as i64);
        }
        self.keep_call(function, words);
    }

    fn decode_payload(&self, kind: u8, high: usize, input: &mut Input) -> Result<Event, DecodeError> {
        if high != 0 && !matches!(kind, 1 | 2 | 14 | AGAIN) {
            return Err(DecodeError::Bad("the header has a length where its kind has none"));
        }
        Ok(match kind {
            1 => {
                let site = input.small()?;
                let bytes = input.take(if high == 0 { 16 } else { high })?;
                Event::Load { site, value: LoadValue::new(bytes).ok_or(DecodeError::Bad("a load of no bytes"))? }
            }
            2 => {
                let site = input.small()?;
                let value = match high {
                    0 => RetValue::Void,
                    15 => RetValue::Bytes(input.counted_bytes()?),
                    n => RetValue::Bytes(input.take(n)?.into()),
                };
                if matches!(&value, RetValue::Bytes(bytes) if bytes.is_empty()) {
                    return Err(DecodeError::Bad("a result of no bytes"));
                }
                Event::Ret { site, value }
            }
            3 => {
                let site = input.small()?;
                let delta = input.signed()?;
                let last = self.slots[site as usize % SLOTS];
                Event::Ret { site, value: RetValue::Int(last.wrapping_add(delta as u64)) }
            }
            4 => {
                let site = input.small()?;
                Event::Ret { site, value: RetValue::Int(self.slots[site as usize % SLOTS]) }
            }
            5 => Event::Write { address: input.word()?, bytes: input.counted_bytes()? },
            6 => Event::Fix { site: input.small()?, address: input.word()?, bytes: input.counted_bytes()? },
            7 => Event::Alloc { site: input.small()?, delta: input.signed()?, class: input.word()? },
            8 => {
                let (function, words) = self.decode_call(input)?;
                Event::Callback { function, words }
            }
            9 => {
                let (function, words) = self.decode_call(input)?;
                Event::Signal { function, words }
            }
            10 => Event::Setjmp { site: input.small()?, serial: input.word()?, value: input.signed()? },
            11 => Event::Module(Box::new(decode_module(input)?)),
            12 => Event::Start(Box::new(Start {
                version: input.small()?,
                usp: input.word()?,
                stdin: input.word()?,
                stdout: input.word()?,
                stderr: input.word()?,
                argc: input.word()?,
                argv: input.word()?,
                envp: input.word()?,
                main_tid: input.word()?,
            })),
            13 => Event::Fault { signal: input.small()?, address: input.word()? },
            14 => decode_more(high, input)?,
            AGAIN => self.decode_again(high, input)?,
            _ => return Err(DecodeError::Bad("an unknown kind of event")),
        })
    }

    /// Appends `entry` to `out`. A counter below the last one's is a mistake of the caller's and is written as no
    /// advance.
    pub fn encode(&mut self, entry: &Entry, out: &mut Vec<u8>) {
        let delta = entry.counter.saturating_sub(self.counter);
        self.counter += delta;
        let again = in_order(&entry.event).is_some_and(|what| self.comes(what));
        let mut head = |kind: u8, high: usize| {
            out.push(kind | (high as u8) << 4);
            put_word(out, delta);
        };
        match &entry.event {
            Event::Load { site, value } => {
                head(1, value.size() % 16);
                put_word(out, u64::from(*site));
                out.extend_from_slice(value.bytes());
            }
            Event::Ret { value: RetValue::Void, .. } if again => head(AGAIN, AGAIN_VOID),
            Event::Ret { site, value: RetValue::Void } => {
                head(2, 0);
                put_word(out, u64::from(*site));
            }
            Event::Ret { site, value: RetValue::Bytes(bytes) } => {
                head(2, bytes.len().min(15));
                put_word(out, u64::from(*site));
                if bytes.len() >= 15 {
                    put_word(out, bytes.len() as u64);
                }
                out.extend_from_slice(bytes);
            }
            Event::Ret { site, value: RetValue::Int(value) } => {
                let slot = &mut self.slots[*site as usize % SLOTS];
                let change = value.wrapping_sub(*slot);
                *slot = *value;
                if again {
                    head(AGAIN, if change == 0 { AGAIN_SAME } else { AGAIN_INT });
                } else {
                    head(if change == 0 { 4 } else { 3 }, 0);
                    put_word(out, u64::from(*site));
                }
                if change != 0 {
                    put_signed(out, change as i64);
                }
            }
            Event::Write { address, bytes } => {
                head(5, 0);
                put_word(out, *address);
                put_bytes(out, bytes);
            }
            Event::Fix { site, address, bytes } => {
                head(6, 0);
                put_word(out, u64::from(*site));
                put_word(out, *address);
                put_bytes(out, bytes);
            }
            Event::Alloc { site, delta, class } => {
                head(7, 0);
                put_word(out, u64::from(*site));
                put_signed(out, *delta);
                put_word(out, *class);
            }
            Event::Callback { function, words } if again && AGAIN_CALL + words.len() <= 15 => {
                head(AGAIN, AGAIN_CALL + words.len());
                self.encode_words(out, *function, words);
            }
            Event::Callback { function, words } => {
                head(8, 0);
                self.encode_call(out, *function, words);
            }
            Event::Signal { function, words } => {
                head(9, 0);
                self.encode_call(out, *function, words);
            }
            Event::Setjmp { site, serial, value } => {
                head(10, 0);
                put_word(out, u64::from(*site));
                put_word(out, *serial);
                put_signed(out, *value);
            }
            Event::Module(module) => {
                head(11, 0);
                encode_module(out, module);
            }
            Event::Start(start) => {
                head(12, 0);
                put_word(out, u64::from(start.version));
                for word in [start.usp, start.stdin, start.stdout, start.stderr, start.argc, start.argv, start.envp] {
                    put_word(out, word);
                }
                put_word(out, start.main_tid);
            }
            Event::Fault { signal, address } => {
                head(13, 0);
                put_word(out, u64::from(*signal));
                put_word(out, *address);
            }
            Event::Variadic { bytes } => {
                head(14, 1);
                put_bytes(out, bytes);
            }
            Event::Unload { index } => {
                head(14, 2);
                put_word(out, u64::from(*index));
            }
            Event::Note { text } => {
                head(14, 3);
                put_bytes(out, text);
            }
            Event::OneTest { symbol } => {
                head(14, 10);
                put_bytes(out, symbol);
            }
            Event::Landed { site, usp, exception, selector } => {
                head(14, 6);
                put_word(out, u64::from(*site));
                put_word(out, *usp);
                put_word(out, *exception);
                put_signed(out, *selector);
            }
            Event::Unwound { function } => {
                head(14, 7);
                put_word(out, *function);
            }
            Event::ThreadEnd => head(14, 9),
            Event::Switch(switch) => {
                head(14, 8);
                encode_switch(out, switch);
            }
            Event::Zeroed { address, length } => {
                head(14, 5);
                put_word(out, *address);
                put_word(out, *length);
            }
            Event::Output { fd, bytes } => {
                head(14, 4);
                put_word(out, u64::from(*fd as u32));
                put_bytes(out, bytes);
            }
        }
    }
}

/// Number of the kind that a header stands for.
pub(crate) fn kind_of(header: u8) -> usize {
    match ((header & 15), usize::from(header >> 4)) {
        (AGAIN, AGAIN_SAME) => 4,
        (AGAIN, AGAIN_INT) => 3,
        (AGAIN, AGAIN_VOID) => 2,
        (AGAIN, _) => 8,
        (kind, _) => kind.into(),
    }
}

/// What of an event stands in the order of results and callbacks: the site or the function.
fn in_order(event: &Event) -> Option<u64> {
    match event {
        Event::Ret { site, value: RetValue::Int(_) | RetValue::Void } => Some((*site).into()),
        Event::Callback { function, .. } => Some(*function),
        _ => None,
    }
}

fn decode_module(input: &mut Input) -> Result<ModuleLoaded, DecodeError> {
    let id = input.array::<32>()?;
    let index = input.small()?;
    let counts = [input.small()?, input.small()?];
    let mut last = 0u64;
    let mut addresses = [Vec::new(), Vec::new()];
    for (list, count) in addresses.iter_mut().zip(counts) {
        // An address takes at least a byte: a larger count is nonsense, and nothing is reserved for it.
        input.need(count as usize)?;
        for _ in 0..count {
            last = last.wrapping_add(input.signed()? as u64);
            list.push(last);
        }
    }
    let bits = input.take((counts[1] as usize).div_ceil(8))?;
    let own_bodies = (0..counts[1] as usize).map(|n| bits[n / 8] >> (n % 8) & 1 == 1).collect();
    if !counts[1].is_multiple_of(8) && bits.last().is_some_and(|last| last >> (counts[1] % 8) != 0) {
        return Err(DecodeError::Bad("a module's bitmap is longer than its functions"));
    }
    let data_hash = u64::from_le_bytes(input.array()?);
    let [globals, functions] = addresses;
    Ok(ModuleLoaded { id, index, globals, functions, own_bodies, data_hash })
}

/// An event of a kind that is seldom written: its header's high bits say which.
fn decode_more(high: usize, input: &mut Input) -> Result<Event, DecodeError> {
    Ok(match high {
        1 => Event::Variadic { bytes: input.counted_bytes()? },
        2 => Event::Unload { index: input.small()? },
        3 => Event::Note { text: input.counted_bytes()? },
        4 => {
            let fd = input.small()? as i32;
            Event::Output { fd, bytes: input.counted_bytes()? }
        }
        5 => Event::Zeroed { address: input.word()?, length: input.word()? },
        6 => Event::Landed {
            site: input.small()?,
            usp: input.word()?,
            exception: input.word()?,
            selector: input.signed()?,
        },
        7 => Event::Unwound { function: input.word()? },
        8 => Event::Switch(Box::new(decode_switch(input)?)),
        9 => Event::ThreadEnd,
        10 => Event::OneTest { symbol: input.counted_bytes()? },
        _ => return Err(DecodeError::Bad("an unknown kind of MORE event")),
    })
}

fn decode_switch(input: &mut Input) -> Result<Switch, DecodeError> {
    let thread = input.small()?;
    let new = match input.word()? {
        0 => None,
        1 => Some(NewThread {
            creator: input.small()?,
            tid: input.small()?,
            usp: input.word()?,
            stack_low: input.word()?,
            rounding: input.small()?,
        }),
        _ => return Err(DecodeError::Bad("a switch to a thread that is neither new nor known")),
    };
    let modules = input.small()?;
    input.need(modules as usize)?;
    let mut locals = Vec::new();
    for _ in 0..modules {
        let (module, count) = (input.small()?, input.small()?);
        input.need(count as usize)?;
        let addresses = (0..count).map(|_| Ok((input.small()?, input.word()?))).collect::<Result<_, DecodeError>>()?;
        locals.push(ThreadLocals { module, addresses });
    }
    Ok(Switch { thread, new, locals: locals.into() })
}

fn encode_switch(out: &mut Vec<u8>, switch: &Switch) {
    put_word(out, switch.thread.into());
    put_word(out, switch.new.is_some().into());
    if let Some(new) = &switch.new {
        put_word(out, new.creator.into());
        put_word(out, new.tid.into());
        put_word(out, new.usp);
        put_word(out, new.stack_low);
        put_word(out, new.rounding.into());
    }
    put_word(out, switch.locals.len() as u64);
    for locals in &switch.locals {
        put_word(out, locals.module.into());
        put_word(out, locals.addresses.len() as u64);
        for &(index, address) in &locals.addresses {
            put_word(out, index.into());
            put_word(out, address);
        }
    }
}

fn encode_module(out: &mut Vec<u8>, module: &ModuleLoaded) {
    out.extend_from_slice(&module.id);
    put_word(out, u64::from(module.index));
    put_word(out, module.globals.len() as u64);
    put_word(out, module.functions.len() as u64);
    let mut last = 0u64;
    for &address in module.globals.iter().chain(&module.functions) {
        put_signed(out, address.wrapping_sub(last) as i64);
        last = address;
    }
    let mut bits = vec![0u8; module.functions.len().div_ceil(8)];
    for (n, _) in module.own_bodies.iter().take(module.functions.len()).enumerate().filter(|(_, own)| **own) {
        bits[n / 8] |= 1 << (n % 8);
    }
    out.extend_from_slice(&bits);
    out.extend_from_slice(&module.data_hash.to_le_bytes());
}

fn slot_of(function: u64) -> usize {
    (function >> 4) as usize % CALLED
}

fn put_word(out: &mut Vec<u8>, mut word: u64) {
    while word >= 0x80 {
        out.push(word as u8 | 0x80);
        word >>= 7;
    }
    out.push(word as u8);
}

fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_word(out, (value << 1 ^ value >> 63) as u64);
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_word(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn byte(&mut self) -> Result<u8, DecodeError> {
        let byte = *self.bytes.get(self.at).ok_or(DecodeError::Cut)?;
        self.at += 1;
        Ok(byte)
    }

    fn word(&mut self) -> Result<u64, DecodeError> {
        let mut word = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                return Err(DecodeError::Bad("a number has more than 64 bits"));
            }
            word |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(word);
            }
        }
        Err(DecodeError::Bad("a number has more than 64 bits"))
    }

    fn small(&mut self) -> Result<u32, DecodeError> {
        u32::try_from(self.word()?).map_err(|_| DecodeError::Bad("a site, count or number has more than 32 bits"))
    }

    fn signed(&mut self) -> Result<i64, DecodeError> {
        let word = self.word()?;
        Ok((word >> 1) as i64 ^ -((word & 1) as i64))
    }

    fn need(&self, n: usize) -> Result<(), DecodeError> {
        if n > self.bytes.len() - self.at { Err(DecodeError::Cut) } else { Ok(()) }
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], DecodeError> {
        self.need(n)?;
        let bytes = &self.bytes[self.at..self.at + n];
        self.at += n;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        self.take(N)?.try_into().map_err(|_| DecodeError::Cut)
    }

    fn length(&mut self) -> Result<usize, DecodeError> {
        usize::try_from(self.word()?).map_err(|_| DecodeError::Cut)
    }

    fn counted_bytes(&mut self) -> Result<Box<[u8]>, DecodeError> {
        let n = self.length()?;
        Ok(self.take(n)?.into())
    }
}
