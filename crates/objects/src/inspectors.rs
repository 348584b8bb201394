//! Inspectors: methods that are asked besides the run, by what-if runs on its present state (Dallmeier, 4.2 and 5.1.6).

use rustc_hash::FxHashMap;
use whydunit_events::{Event, ObjectId, Value};
use whydunit_model::Op;
use whydunit_replay::{At, FuncId, Limits, Machine, Observer, ReplayError, WhatIfStop, Writer};

use crate::candidate::Candidate;
use crate::tracer::Tracer;
use crate::wanted::Program;

/// How far an inspector may go.
const LIMITS: Limits = Limits { instructions: 200_000, depth: 200, output: 0 };
/// So far below the stack lies an object that has no place while it is asked.
const SPARE: u64 = 1 << 16;
/// An inspector that reads more places is asked each time.
const MOST_READ: usize = 4096;

/// So many answers are kept of objects that have ended, before these are forgotten.
const MOST_DEAD: usize = 4096;

/// What an inspector gave, and what it read for that.
struct Answer {
    /// Where the object was.
    start: u64,
    value: Value,
    read: Vec<(u64, Vec<u8>)>,
}

/// Why a method is no inspector.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Dropped {
    Writes,
    Stopped(String),
}

/// Which methods were found to be no inspectors.
#[derive(Clone)]
pub(crate) struct KnownDropped(FxHashMap<(usize, usize), Dropped>);

/// Asks inspectors, and remembers what they gave.
#[derive(Default)]
pub(crate) struct Inspectors {
    known: FxHashMap<(ObjectId, usize, usize), Answer>,
    functions: FxHashMap<(usize, usize), Option<FuncId>>,
    dropped: FxHashMap<(usize, usize), Dropped>,
    /// When more are known those of ended objects are forgotten.
    kept: usize,
    pub runs: u64,
    pub remembered: u64,
}

impl Inspectors {
    /// Asks what the tracer wants to know, and lets it go on.
    pub fn ask(
        &mut self,
        machine: &mut Machine,
        program: Program<'_>,
        tracer: &mut Tracer<'_>,
    ) -> Result<(), ReplayError> {
        let mut values = Vec::new();
        for object in tracer.asks().to_vec() {
            let Some(class) = tracer.class(object) else { continue };
            // One without a place is put where nothing is, for the time being.
            let spare = machine.core.usp.wrapping_sub(SPARE) & !15;
            let floating = tracer.bytes(object).map(<[u8]>::to_vec).filter(|_| tracer.start(object).is_none());
            let before = floating.as_ref().map(|bytes| {
                let before = machine.core.memory.read_vec(spare, bytes.len());
                machine.core.memory.write_from(spare, bytes);
                before
            });
            let Some(start) = tracer.start(object).or(floating.map(|_| spare)) else { continue };
            for candidate in program.wanted.inspectors.get(&class).into_iter().flatten() {
                let key = (candidate.class, candidate.method);
                if self.dropped.contains_key(&key) {
                    continue;
                }
                let value = self.value(machine, program, object, start, candidate)?;
                let method = &program.catalogue.classes()[candidate.class].methods[candidate.method];
                let method = tracer.method_id(candidate.class, method);
                // One that is none after all has no value that is known.
                let value = value.unwrap_or(Value::Unknown);
                values.push(Event::Inspected { object, method, kind: candidate.kind.clone(), value });
            }
            if let Some(before) = before {
                machine.core.memory.write_from(spare, &before);
            }
        }
        if self.known.len() > self.kept {
            self.known.retain(|(object, ..), _| tracer.class(*object).is_some());
            self.kept = 2 * self.known.len() + MOST_DEAD;
        }
        tracer.resume(values);
        Ok(())
    }

    fn value(
        &mut self,
        machine: &mut Machine,
        program: Program<'_>,
        object: ObjectId,
        start: u64,
        candidate: &Candidate,
    ) -> Result<Option<Value>, ReplayError> {
        let key = (object, candidate.class, candidate.method);
        if let Some(known) = self.known.get(&key) {
            let same =
                |(address, bytes): &(u64, Vec<u8>)| machine.core.memory.read_vec(*address, bytes.len()) == *bytes;
            if known.start == start && known.read.iter().all(same) {
                self.remembered += 1;
                return Ok(Some(known.value));
            }
        }
        let own = (candidate.class, candidate.method);
        let symbols = &program.catalogue.classes()[own.0].methods[own.1].symbols;
        let only = || {
            let mut found = symbols.iter().filter_map(|symbol| machine.code().find(symbol));
            found.next().filter(|_| found.next().is_none())
        };
        let function = *self.functions.entry(own).or_insert_with(only);
        let Some(function) = function else { return Ok(None) };
        let mut watch = Watch { usp: machine.core.usp, read: Vec::new(), writes: false };
        self.runs += 1;
        let outcome = machine.inspect(function, &[start + candidate.offset], LIMITS, &mut watch)?;
        let dropped = match outcome.stop {
            _ if watch.writes => Dropped::Writes,
            WhatIfStop::Returned(words) => {
                let word = words.first().copied().unwrap_or(0) << (64 - candidate.bits);
                let shift = 64 - candidate.bits;
                let number =
                    if candidate.signed { (word as i64) >> shift } else { (word >> shift).min(i64::MAX as u64) as i64 };
                let value = Value::Integer(number);
                if watch.read.len() <= MOST_READ {
                    let bytes =
                        |&(address, size): &(u64, u64)| (address, machine.core.memory.read_vec(address, size as usize));
                    self.known.insert(key, Answer { start, value, read: watch.read.iter().map(bytes).collect() });
                }
                return Ok(Some(value));
            }
            // An object that is not whole is no fault of the method's.
            WhatIfStop::Trap { .. } | WhatIfStop::UnknownMemory { .. } => return Ok(None),
            WhatIfStop::External { name } => Dropped::Stopped(format!("it calls `{name}`")),
            WhatIfStop::Thrown { .. } => Dropped::Stopped("it throws".into()),
            WhatIfStop::OtherOutput { .. } => Dropped::Stopped("it prints".into()),
            _ => Dropped::Stopped("it does not come to an end".into()),
        };
        self.dropped.insert(own, dropped);
        Ok(None)
    }

    /// What was dropped until now.
    pub fn known_dropped(&self) -> KnownDropped {
        KnownDropped(self.dropped.clone())
    }

    /// Nothing else is dropped: what a trial does to an object is no fault of an inspector's.
    pub fn drop_only(&mut self, known: &KnownDropped) {
        self.dropped.clone_from(&known.0);
    }

    /// Methods that are no inspectors, with the reason.
    pub fn dropped(&self, program: Program<'_>) -> Vec<String> {
        let line = |(&(class, method), why): (&(usize, usize), &Dropped)| {
            let class = &program.catalogue.classes()[class];
            let why = match why {
                Dropped::Writes => "it changes memory",
                Dropped::Stopped(why) => why,
            };
            format!("`{}::{}` is not asked for its value: {why}", class.name, class.methods[method].name)
        };
        let mut lines: Vec<String> = self.dropped.iter().map(line).collect();
        lines.sort();
        lines
    }
}

/// What a what-if run reads and whether it writes what was there before.
struct Watch {
    /// Frames of its own are below.
    usp: u64,
    read: Vec<(u64, u64)>,
    writes: bool,
}

impl Watch {
    fn is_own(&self, at: &At<'_>, address: u64) -> bool {
        whydunit_replay::is_on_stack(at, address) && address < self.usp
    }

    fn reads(&mut self, at: &At<'_>, address: u64, size: u64) {
        if !self.is_own(at, address) && !self.read.contains(&(address, size)) && self.read.len() <= MOST_READ {
            self.read.push((address, size));
        }
    }
}

impl Observer for Watch {
    const OPS: bool = true;
    const RANGES: bool = true;

    fn op(&mut self, at: &At<'_>, op: &Op) {
        match *op {
            Op::Load { ty, addr, .. } => self.reads(at, at.value(addr), u64::from(ty.bytes())),
            Op::Store { addr, .. } | Op::AtomicRmw { addr, .. } | Op::CmpXchg { addr, .. } => {
                self.writes |= !self.is_own(at, at.value(addr));
            }
            _ => {}
        }
    }

    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.reads(at, address, size);
    }

    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        self.reads(at, from, size);
        self.writes |= !self.is_own(at, to);
    }

    fn filled(&mut self, at: &At<'_>, address: u64, _size: u64) {
        self.writes |= !self.is_own(at, address);
    }

    fn external_write(&mut self, at: &At<'_>, address: u64, _size: u64, writer: Writer) {
        self.writes |= writer == Writer::External && !self.is_own(at, address);
    }
}
