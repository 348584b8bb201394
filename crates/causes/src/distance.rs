//! How far statements are from where a run fails: the fewest steps of the walk of causes that lead back to them.

mod written;

use std::collections::HashMap;

use whydunit_model::{Op, Opnd, for_each_read};
use whydunit_replay::{At, Code, FuncId, Machine, Observer, ReplayError, Snapshot, Stop};

use crate::nodes::{INITIAL, Node, NodeId};
use crate::trace::inputs::Source;
use crate::trace::{Before, Trace};

/// So many executions before the failure are looked at, at most.
const WINDOW: usize = 1 << 21;
/// So many times the walk goes on from a write that lies before what was looked at.
const EARLIER: usize = 3;
/// What is read so far from the failure, at most, may be written earlier: a counter of failed checks that becomes the exit status.
const NEAR: u32 = 12;
/// So much memory is asked when it was written, at most.
const ASKED: usize = 16;
/// So many instructions behind the failing operation a run goes on at most, so that what it calls and reads is seen.
const BEHIND: u64 = 64;
/// So often a pointer is followed that the failing operation hands to code outside.
const POINTERS: u32 = 3;
/// So many words behind such a pointer are looked at.
const WORDS: u64 = 6;
/// How much longer a step is that leads through an address than one that leads through a value.
const ADDRESS: u32 = 2;

/// A statement: of a function, the file's number in its module, and the line.
type Line = (FuncId, u32, u32);

/// The least distance of each statement that the failure depends on, by the path of its file and its line: 0 for the failing statement,
/// one more for each statement between. Nothing of statements that it does not depend on.
pub type Distances = HashMap<(String, u32), u32>;

/// Replays from the last of some snapshots to the failing operation, the one at `pc` when so many instructions are executed, and walks back
/// from there over data, addresses and what decided that statements ran, as far as to the snapshot, over so many executions as are kept.
/// From what these read near the failure it goes on where that was written, between the first of the snapshots, which are in the order of
/// the run, and there. Empty where the run does not come to the operation; what is known by then where the machine's patience is over. Fails
/// where the replay does.
pub fn distances(machine: &mut Machine, snapshots: &[Snapshot], point: (u64, u32)) -> Result<Distances, ReplayError> {
    let Some(start) = snapshots.last() else { return Ok(Distances::new()) };
    machine.restore(start)?;
    let mut trace = Trace::window(WINDOW);
    let Some(failing) = arrive(machine, point, &mut trace)? else { return Ok(Distances::new()) };
    let starts = failing.starts(&mut trace);
    let Walked { mut distances, mut open, .. } = walk(machine.code(), &trace, starts);
    // All of a short run was looked at.
    let is_short = snapshots.len() == 1 && point.0 - start.instructions() <= WINDOW as u64;
    let rounds = if is_short { 0 } else { EARLIER };
    let mut before = point;
    for _ in 0..rounds {
        let places: Vec<(u64, u32)> = open.iter().map(|open| (open.address, open.size)).collect();
        let Some(write) = written::last_write(machine, snapshots, before, &places)? else { break };
        machine.restore(&snapshots[write.snapshot])?;
        trace.clear();
        if arrive(machine, write.operation, &mut trace)?.is_none() {
            break;
        }
        let Open { address, size, far } = open[write.place];
        let mut starts = HashMap::new();
        nearer(&mut starts, trace.find(Before::Memory(address, size)), far + 1);
        let earlier = walk(machine.code(), &trace, starts);
        for (place, far) in earlier.distances {
            distances.entry(place).and_modify(|known| *known = far.min(*known)).or_insert(far);
        }
        (open, before) = (earlier.open, write.operation);
    }
    Ok(distances)
}

/// Runs to an operation and a little on; `None` where the run does not come there.
fn arrive(
    machine: &mut Machine,
    (instruction, pc): (u64, u32),
    trace: &mut Trace,
) -> Result<Option<Failing>, ReplayError> {
    let stop = machine.run_until(u64::MAX, &mut (Arrive { instruction, pc }, &mut *trace))?;
    if stop != Stop::Asked || machine.is_out_of_patience() {
        return Ok(None);
    }
    let failing = Failing::at(&machine.at(), pc, trace);
    machine.run_until(u64::MAX, &mut (Behind(instruction + BEHIND), trace))?;
    Ok(Some(failing))
}

/// The trace of what [`read_near`] looks at, kept from one time to the next.
#[derive(Default)]
pub(crate) struct Approach(Option<Trace>);

/// The memory that is read near an operation, in steps of the walk back from there, the nearest first: addresses and sizes. Nothing where the
/// run does not come there. Fails where the replay does.
pub(crate) fn read_near(
    machine: &mut Machine,
    snapshots: &[Snapshot],
    point: (u64, u32),
    Approach(trace): &mut Approach,
) -> Result<Vec<(u64, u32)>, ReplayError> {
    let known = snapshots.partition_point(|snapshot| snapshot.instructions() <= point.0);
    let Some(before) = known.checked_sub(1).and_then(|last| snapshots.get(last)) else { return Ok(Vec::new()) };
    machine.restore(before)?;
    let trace = trace.get_or_insert_with(|| Trace::window(WINDOW));
    trace.clear();
    let Some(failing) = arrive(machine, point, trace)? else { return Ok(Vec::new()) };
    let starts = failing.starts(trace);
    let read = walk(machine.code(), trace, starts).read;
    Ok(read.into_iter().map(|open| (open.address, open.size)).collect())
}

/// Stops before the failing operation. What a call prints is seen when it returns, and code of the program may have run for it: then it
/// stops behind it.
struct Arrive {
    instruction: u64,
    pc: u32,
}

impl Observer for Arrive {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        let (instruction, pc) = (at.instruction(), at.pc);
        (instruction, pc) == (self.instruction, self.pc) || instruction >= self.instruction && pc == self.pc + 1
    }
}

/// Stops behind an instruction count.
struct Behind(u64);

impl Observer for Behind {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() > self.0
    }
}

/// The failing operation.
struct Failing {
    function: FuncId,
    pc: u32,
    /// Where what it reads and what decided that it ran come from, and the values.
    read: Vec<(NodeId, u64)>,
    /// The first node that is not older.
    first: NodeId,
}

impl Failing {
    /// The operation at `pc` of the function in which a run stands that was traced so far.
    fn at(at: &At<'_>, pc: u32, trace: &mut Trace) -> Self {
        let mut read = Vec::new();
        if let Some(op) = at.model.code.get(pc as usize) {
            for_each_read(at.model, op, |slot| {
                let node = trace.find(Before::Slot(at.base + Opnd::slot(slot).index() as usize));
                read.push((node, at.slot(slot)));
            });
        }
        read.push((trace.find(Before::Control { base: at.base as u32, function: at.function, pc }), 0));
        let first = trace.latest_first().next().map_or(INITIAL + 1, |latest| latest + 1);
        Self { function: at.function, pc, read, first }
    }

    /// Nodes from which the walk starts, and how far each is.
    fn starts(&self, trace: &mut Trace) -> HashMap<NodeId, u32> {
        let own = trace.latest_first().take_while(|id| *id >= self.first);
        let is_own = |node: &Node| (node.function, node.pc) == (self.function, self.pc);
        let own: Vec<NodeId> = own.filter(|&id| is_own(&trace.node(id))).collect();
        let mut starts = HashMap::new();
        own.into_iter().chain(self.read.iter().map(|(node, _)| *node)).for_each(|node| nearer(&mut starts, node, 0));
        // What code outside reads is not known: it may be all that it can get at.
        let mut pointers: Vec<(u64, u32)> = self.read.iter().map(|(_, value)| (*value, 0)).collect();
        while let Some((address, depth)) = pointers.pop() {
            for word in 0..WORDS {
                let node = trace.find(Before::Memory(address.wrapping_add(8 * word), 8));
                if node <= INITIAL {
                    continue;
                }
                nearer(&mut starts, node, depth + 1);
                if depth + 1 < POINTERS {
                    pointers.push((trace.node(node).value, depth + 1));
                }
            }
        }
        starts
    }
}

/// Notes that something is so far away, unless it is known to be nearer. What was there before the trace is left out.
fn nearer(known: &mut HashMap<NodeId, u32>, node: NodeId, far: u32) {
    if node > INITIAL {
        known.entry(node).and_modify(|known| *known = far.min(*known)).or_insert(far);
    }
}

/// Memory that was read, and written before the trace.
#[derive(Clone, Copy)]
struct Open {
    address: u64,
    size: u32,
    far: u32,
}

/// What a walk over a trace came to.
struct Walked {
    distances: Distances,
    /// Memory near the failure that was written before the trace, the nearest first.
    open: Vec<Open>,
    /// Memory near the failure that was read, the nearest first.
    read: Vec<Open>,
}

/// The distances from nodes that are so far away themselves.
fn walk(code: &Code, trace: &Trace, mut least: HashMap<NodeId, u32>) -> Walked {
    let (mut open, mut read) = (Near::default(), Near::default());
    let line = |node: &Node| {
        let loc = code.model(node.function).loc(node.pc as usize);
        (node.function, loc.file, loc.line)
    };
    let mut lines: HashMap<Line, u32> = HashMap::new();
    // What an execution depends on has a smaller number.
    for id in trace.latest_first() {
        let Some(far) = least.remove(&id) else { continue };
        let node = trace.node(id);
        if node.function == FuncId::NONE {
            continue;
        }
        let here = line(&node);
        lines.entry(here).and_modify(|known| *known = far.min(*known)).or_insert(far);
        let op = &code.model(node.function).code[node.pc as usize];
        let mut reach = |to: NodeId, more: u32| {
            if to > INITIAL && to < id {
                let other = trace.node(to);
                let is_other = other.function != FuncId::NONE && line(&other) != here;
                nearer(&mut least, to, if is_other { far + more } else { far });
            }
        };
        if far <= NEAR
            && let Some(Before::Memory(address, size)) = trace.before(id, 0, op)
        {
            open.note(Open { address, size, far });
        }
        if far <= NEAR
            && let Op::Load { ty, .. } = *op
        {
            read.note(Open { address: node.address, size: ty.bytes(), far });
        }
        for (which, &from) in node.data.iter().enumerate() {
            let address = matches!(op, Op::Load { .. } | Op::Store { .. }) && which == 1;
            reach(from, if address { ADDRESS } else { 1 });
        }
        reach(node.control, 1);
        for input in trace.inputs(id).unwrap_or_default() {
            if let Source::Node(from) = input.source {
                reach(from, if input.address { ADDRESS } else { 1 });
            }
        }
    }
    let mut by_path = Distances::new();
    for ((function, file, line), far) in lines {
        if let Some(path) = code.module_of(function).files.get(file as usize).filter(|_| line > 0) {
            by_path.entry((path.clone(), line)).and_modify(|known| *known = far.min(*known)).or_insert(far);
        }
    }
    Walked { distances: by_path, open: open.nearest(), read: read.nearest() }
}

/// Memory that was read near a failure, by address, with the order in which it was found.
#[derive(Default)]
struct Near(HashMap<u64, (usize, Open)>);

impl Near {
    /// Notes memory, unless it is known to be as near.
    fn note(&mut self, place: Open) {
        let order = self.0.len();
        let known = self.0.entry(place.address).or_insert((order, place));
        if place.far < known.1.far {
            known.1 = place;
        }
    }

    /// The nearest, in order.
    fn nearest(self) -> Vec<Open> {
        let mut places: Vec<(usize, Open)> = self.0.into_values().collect();
        places.sort_by_key(|(order, place)| (place.far, *order));
        places.into_iter().take(ASKED).map(|(_, place)| place).collect()
    }
}
