//! What a run does, thread by thread, as far as it is kept.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use whydunit_library::{Source, lookup};
use whydunit_model::{Block, Op, Scalar};
use whydunit_recording::Recording;
use whydunit_replay::{
    At, Code, External, ExternalKind, FuncId, Machine, Observer, Program, ReplayError, Writer, telling_machine,
};

use super::{Given, Order, Parting};
use crate::access::Names;
use crate::condition;

/// So many blocks, calls and switches are kept of a run, all threads together.
const MOST: usize = 1 << 22;
/// So many ranges that one call writes are looked at.
const RANGES: usize = 64;

/// A block that was entered.
#[derive(Clone, Copy)]
struct Step {
    function: FuncId,
    block: u32,
    /// The block that was left; none at a function's entry.
    from: Option<u32>,
    instruction: u64,
}

/// What a call of external code gave.
struct Answer {
    function: String,
    place: (FuncId, u32),
    /// The result; none where it is a pointer, which differs from run to run and means nothing.
    result: Option<u64>,
    /// Of the bytes that it wrote.
    written: u64,
    /// Steps of the thread before.
    after: usize,
}

/// What a thread did.
#[derive(Default)]
struct Way {
    steps: Vec<Step>,
    answers: Vec<Answer>,
}

/// A switch between threads.
struct Switch {
    from: u32,
    to: u32,
    place: (FuncId, u32),
    /// Steps of the thread before that takes over.
    after: usize,
}

/// What a run does.
#[derive(Default)]
pub struct Course {
    ways: BTreeMap<u32, Way>,
    switches: Vec<Switch>,
    kept: usize,
    /// What the external call under way wrote.
    ranges: Vec<(u64, u64)>,
}

impl Course {
    /// Replays a run; with the machine at its end. Of one that parts from its recording what is before.
    pub fn of(program: &Program, recording: &Recording) -> Result<(Self, Machine), ReplayError> {
        let mut machine = telling_machine(program.clone(), recording)?;
        let mut course = Self::default();
        match machine.run(&mut course) {
            Ok(_) | Err(ReplayError::Divergence(_)) => Ok((course, machine)),
            Err(error) => Err(error),
        }
    }

    /// Whether not all of the run was kept.
    pub fn is_cut(&self) -> bool {
        self.kept >= MOST
    }

    /// The thread that first goes another way than in another run, by the order of this one, and which of its steps that is.
    pub fn parts_from(&self, other: &Self) -> Option<(u32, usize)> {
        let threads = self.ways.iter().filter_map(|(number, way)| Some((*number, way, other.ways.get(number)?)));
        let parted = threads.filter_map(|(number, way, other)| {
            let same = |(one, two): (&Step, &Step)| (one.function, one.block) == (two.function, two.block);
            let at = way.steps.iter().zip(&other.steps).position(|both| !same(both))?;
            Some((way.steps[at].instruction, number, at))
        });
        parted.min().map(|(_, number, at)| (number, at))
    }

    /// The branch before a step.
    pub fn parting(&self, thread: u32, step: usize, code: &Code) -> Option<Parting> {
        let steps = &self.ways.get(&thread)?.steps;
        let step = steps.get(step)?;
        let Some(from) = step.from else {
            // Another function was called.
            let position = code.position(step.function, code.model(step.function).blocks.first()?.start);
            return Some(Parting { position, thread, tested: None });
        };
        let model = code.model(step.function);
        let pc = model.blocks.get(from as usize)?.end.checked_sub(1)?;
        let names = Names::of(code.module_of(step.function), model);
        let taken = matches!(model.code.get(pc as usize), Some(Op::Branch { then, .. }) if *then == step.block);
        let tested = condition::tested(code, &names, step.function, pc).map(|tested| (tested, taken));
        Some(Parting { position: code.position(step.function, pc), thread, tested })
    }

    /// What external code gave otherwise than in another run, of each kind the first: before a thread parts in that thread, else in
    /// all of them.
    pub fn given_otherwise(&self, other: &Self, parted: Option<(u32, usize)>, code: &Code) -> Vec<Given> {
        let mut found: Vec<Given> = Vec::new();
        for (number, way) in &self.ways {
            let upto = match parted {
                Some((thread, step)) if thread == *number => step,
                Some(_) => continue,
                None => usize::MAX,
            };
            let Some(other) = other.ways.get(number) else { continue };
            for (one, two) in way.answers.iter().zip(&other.answers).take_while(|(one, _)| one.after <= upto) {
                if (&one.function, one.place) != (&two.function, two.place) {
                    break;
                }
                let source = lookup(&one.function).map_or(Source::State, |known| known.function.source);
                let results = one.result.zip(two.result).filter(|(one, two)| one != two);
                let differs = results.is_some() || one.written != two.written;
                if differs && !found.iter().any(|known| known.source == source) {
                    let position = code.position(one.place.0, one.place.1);
                    found.push(Given { position, function: one.function.clone(), source, results });
                }
            }
        }
        found
    }

    /// The first switch between threads that another run has not.
    pub fn other_order(&self, other: &Self, code: &Code) -> Option<Order> {
        let same = |one: &Switch, two: &Switch| {
            (one.from, one.to, one.place, one.after) == (two.from, two.to, two.place, two.after)
        };
        let differs = |(at, one): &(usize, &Switch)| other.switches.get(*at).is_none_or(|two| !same(one, two));
        let (_, switch) = self.switches.iter().enumerate().find(differs)?;
        let position = code.position(switch.place.0, switch.place.1);
        Some(Order { position, threads: (switch.from, switch.to) })
    }

    fn way(&mut self, thread: u32) -> Option<&mut Way> {
        self.kept += 1;
        (self.kept < MOST).then(|| self.ways.entry(thread).or_default())
    }
}

impl Observer for Course {
    const BLOCKS: bool = true;
    const RANGES: bool = true;

    fn block(&mut self, at: &At<'_>, from: Option<u32>, to: u32, _: &Block) {
        let step = Step { function: at.function, block: to, from, instruction: at.instruction() };
        if let Some(way) = self.way(at.core.threads.running()) {
            way.steps.push(step);
        }
    }

    fn external(&mut self, _: &At<'_>, _: &External<'_>) {
        self.ranges.clear();
    }

    fn external_write(&mut self, _: &At<'_>, address: u64, size: u64, writer: Writer) {
        if writer == Writer::External && self.ranges.len() < RANGES {
            self.ranges.push((address, size));
        }
    }

    fn external_done(&mut self, at: &At<'_>, call: &External<'_>, result: &[u64]) {
        if call.kind != ExternalKind::Recorded || !at.in_frame() {
            return;
        }
        let mut written = DefaultHasher::new();
        for &(address, size) in &self.ranges {
            at.memory().read_vec(address, size.min(1 << 20) as usize).hash(&mut written);
        }
        let pointer = call.call.ret.first() == Some(&Scalar::Ptr);
        let answer = Answer {
            function: call.name.to_owned(),
            place: (at.function, at.pc),
            result: result.first().copied().filter(|_| !pointer),
            written: written.finish(),
            after: 0,
        };
        if let Some(way) = self.way(at.core.threads.running()) {
            way.answers.push(Answer { after: way.steps.len(), ..answer });
        }
    }

    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {
        let after = self.ways.get(&to).map_or(0, |way| way.steps.len());
        if self.switches.len() < MOST {
            self.switches.push(Switch { from, to, place: (at.function, at.pc), after });
        }
    }
}
