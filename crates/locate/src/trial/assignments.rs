//! Assignments that may be missing: a location in memory is given a value at a place behind its last write and before it is
//! read. First it is changed where it is read; where the run prints more that is right then, what stands between says where
//! the assignment may belong.

use std::collections::{HashMap, HashSet};

use whydunit_model::{Global, Op, Opnd, Scalar};
use whydunit_replay::{At, Body, Change as Step, Code, FuncId, Machine, Observer};
use whydunit_symbolic::{FirstRun, Knowledge, Listing, NO_STATEMENT, StatementId};

use super::guards::Visits;
use super::mutants::{Alternative, Constant, Kind, Mutant, Runner};
use super::operators::{Known, name};
use super::value::mask;
use crate::Error;
use crate::operations::Operation;

/// So many executions of a read are changed.
const MOST_READS: usize = 24;
/// So many wrong values of a read are followed.
const MOST_WRONG: usize = 3;
/// Arrays are tried where so many executions of a read begin anew, and up to so many bytes.
const MOST_ANEW: usize = 6;
const MOST_BYTES: u64 = 4096;
/// Places at which an assignment is tried.
const MOST_PLACES: usize = 60;
/// Variables that are tried as its value, and pointers to the location.
const MOST_VARIABLES: usize = 2;
/// How far from where a pointer points the location may be.
const REACH: u64 = 4096;

/// What is known of the run.
pub(crate) struct Scene<'a> {
    pub visits: &'a Visits,
    pub listing: &'a Listing,
    pub knowledge: &'a Knowledge,
    pub known: &'a mut HashMap<FuncId, Known>,
    /// The failure point.
    pub until: u64,
}

/// A location that should have had another value when it was read: a scalar, or an array that should have been all zero.
struct Wrong {
    instruction: u64,
    address: u64,
    /// Bytes.
    size: u64,
    ty: Option<Scalar>,
    value: u64,
}

/// Where an assignment may be missing: behind an operation, that executed so after the location's last write.
struct Place {
    function: FuncId,
    pc: u32,
    targets: Vec<Target>,
    sources: Vec<Source>,
}

/// How the location is reached.
enum Target {
    Pointer(u32, i64),
    Fixed(Constant),
}

/// What is assigned.
enum Source {
    Number(u64),
    Slot(u32),
    Global(Constant),
}

impl Scene<'_> {
    /// Assignments with which the run passes, for what a load reads; only those of arrays where it is not to be looked at
    /// as a scalar.
    pub fn assignments(
        &mut self,
        runner: &mut Runner<'_>,
        operation: &Operation,
        scalars: bool,
    ) -> Result<Vec<Mutant>, Error> {
        let mut passing = Vec::new();
        let mut wrong = if scalars { self.wrong(runner, operation)? } else { Vec::new() };
        if wrong.is_empty() {
            wrong = self.arrays(runner, operation)?;
        }
        for wrong in wrong {
            for place in self.between(runner.machine, &wrong, operation)? {
                if runner.left == 0 {
                    return Ok(passing);
                }
                let Some((statement, first)) = self.origin(runner.machine.code(), &place) else { continue };
                let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { continue };
                runner.machine.restore(&from.snapshot)?;
                let arrival = (place.function, place.pc, first.instruction);
                let Some(printed) = runner.arrive(arrival, self.until, from.printed.len())? else { continue };
                let here = runner.machine.snapshot();
                for mutant in mutants(runner.machine.code(), &place, &wrong, statement) {
                    if runner.run(&here, printed, &mutant)?.passes {
                        passing.push(mutant);
                    }
                }
            }
        }
        Ok(passing)
    }

    /// The statement of a place, and the first execution of its block.
    fn origin(&self, code: &Code, place: &Place) -> Option<(StatementId, FirstRun)> {
        let facts = self.knowledge.facts.get(place.function.0 as usize)?.as_ref()?;
        let statement = *facts.statements.get(place.pc as usize)?;
        let blocks = &code.model(place.function).blocks;
        let inside = |first: &&FirstRun| {
            let block = blocks.get(first.block as usize);
            first.function == place.function && block.is_some_and(|block| (block.start..block.end).contains(&place.pc))
        };
        let first = self.listing.blocks.iter().find(inside)?;
        (statement != NO_STATEMENT && !self.knowledge.statements.is_assertion(statement)).then_some((statement, *first))
    }

    /// Values of what a load reads with which more of the output is right.
    fn wrong(&self, runner: &mut Runner<'_>, operation: &Operation) -> Result<Vec<Wrong>, Error> {
        let &Operation { function, pc, first } = operation;
        let mut found = Vec::new();
        let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { return Ok(found) };
        runner.machine.restore(&from.snapshot)?;
        let (mut printed, mut tried) = (from.printed.len(), HashSet::new());
        for instruction in self.visits.some(function, pc, MOST_READS) {
            let Some(now) = runner.arrive((function, pc, instruction), self.until, printed)? else { break };
            printed = now;
            let at = runner.machine.at();
            let Op::Load { ty, addr, .. } = *at.op() else { break };
            let (address, bytes) = (at.value(addr), ty.bytes());
            if bytes > 8 || !matches!(ty, Scalar::Int(8..) | Scalar::Ptr) {
                break;
            }
            let (old, width) = (at.memory().read_uint(address, bytes), mask(8 * bytes));
            if !tried.insert((address, old)) {
                continue;
            }
            let off = self.visits.off.filter(|off| off.abs() < 1e15).map_or(0, |off| off as i64 as u64);
            let mut values = vec![0, 1, old.wrapping_sub(off) & width, old.wrapping_add(off) & width];
            values.dedup();
            let here = runner.machine.snapshot();
            let mut best = (self.visits.right, None);
            for value in values.into_iter().filter(|value| *value != old) {
                let bytes = value.to_le_bytes()[..bytes as usize].to_vec();
                let outcome = runner.change(&here, printed, &Step::Memory { address, bytes })?;
                let right = if outcome.passes { usize::MAX } else { outcome.right };
                if right > best.0 {
                    best = (right, Some(value));
                }
            }
            let wrong = |value| Wrong { instruction, address, size: ty.bytes().into(), ty: Some(ty), value };
            found.extend(best.1.map(wrong));
            if found.len() == MOST_WRONG || runner.left == 0 {
                break;
            }
        }
        Ok(found)
    }

    /// Arrays with which more of the output is right where they are all zero when their reading begins.
    fn arrays(&self, runner: &mut Runner<'_>, operation: &Operation) -> Result<Vec<Wrong>, Error> {
        let &Operation { function, pc, first } = operation;
        let mut found = Vec::new();
        let Op::Load { ty, .. } = runner.machine.code().model(function).code[pc as usize] else { return Ok(found) };
        let Some((address, size)) = self.visits.region(function, pc) else { return Ok(found) };
        let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { return Ok(found) };
        if size < 2 * u64::from(ty.bytes()) || size > MOST_BYTES || ty == Scalar::Ptr {
            return Ok(found);
        }
        runner.machine.restore(&from.snapshot)?;
        let mut printed = from.printed.len();
        for instruction in self.visits.apart(function, pc, MOST_ANEW) {
            let Some(now) = runner.arrive((function, pc, instruction), self.until, printed)? else { break };
            printed = now;
            let here = runner.machine.snapshot();
            let zeros = Step::Memory { address, bytes: vec![0; size as usize] };
            let outcome = runner.change(&here, printed, &zeros)?;
            if outcome.passes || outcome.right > self.visits.right {
                found.push(Wrong { instruction, address, size, ty: None, value: 0 });
            }
            if found.len() == MOST_WRONG || runner.left == 0 {
                break;
            }
        }
        Ok(found)
    }

    /// Operations with effects between the last write of a location and where it is read wrongly.
    fn between(&mut self, machine: &mut Machine, wrong: &Wrong, read: &Operation) -> Result<Vec<Place>, Error> {
        let Some(start) = self.listing.checkpoints.first() else { return Ok(Vec::new()) };
        machine.restore(&start.snapshot)?;
        let is_it = |start: u64| start == wrong.address;
        let global = globals_of(machine.code(), wrong.size, 1, is_it).pop();
        let mut watch = Window { wrong, read, global, known: self.known, seen: HashSet::new(), places: Vec::new() };
        machine.go_on(&mut watch)?;
        let mut places = watch.places;
        // What stands last before the read is nearest to it.
        places.reverse();
        places.truncate(MOST_PLACES);
        Ok(places)
    }
}

/// Follows the run to where a location is read wrongly.
struct Window<'a> {
    wrong: &'a Wrong,
    read: &'a Operation,
    /// The location is this global.
    global: Option<Constant>,
    known: &'a mut HashMap<FuncId, Known>,
    seen: HashSet<(FuncId, u32)>,
    places: Vec<Place>,
}

impl Observer for Window<'_> {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        let instruction = at.instruction();
        if instruction > self.wrong.instruction
            || instruction == self.wrong.instruction && at.pc == self.read.pc && at.function == self.read.function
        {
            return true;
        }
        let writes = match *at.op() {
            Op::Store { ty, addr, .. } => self.overlaps(at.value(addr), ty.bytes().into()),
            Op::MemMove { dst, len, .. } | Op::MemSet { dst, len, .. } => self.overlaps(at.value(dst), at.value(len)),
            Op::Call { .. } => false,
            _ => return false,
        };
        if writes {
            self.places.clear();
            self.seen.clear();
        }
        if !self.seen.contains(&(at.function, at.pc)) {
            let known = self.known.entry(at.function).or_insert_with(|| Known::of(at.model));
            let targets = match &self.global {
                Some(global) => vec![Target::Fixed(global.clone())],
                None => pointers(at, known, self.wrong.address),
            };
            // What is at work on another object may come to this one later.
            if !targets.is_empty() {
                let sources = sources(at, known, self.wrong);
                self.seen.insert((at.function, at.pc));
                self.places.push(Place { function: at.function, pc: at.pc, targets, sources });
            }
        }
        false
    }
}

impl Window<'_> {
    fn overlaps(&self, address: u64, bytes: u64) -> bool {
        address < self.wrong.address.saturating_add(self.wrong.size)
            && self.wrong.address < address.saturating_add(bytes)
    }
}

/// The globals of a run's code: module, number, where it lies.
fn globals(code: &Code) -> impl Iterator<Item = (&str, usize, &Global, u64)> {
    code.modules().iter().flat_map(|module| {
        let globals = module.model.globals.iter().zip(&module.globals).enumerate();
        globals.map(move |(index, (global, &start))| (module.model.id.as_str(), index, global, start))
    })
}

/// The first globals of so many bytes, as constants, for which `is_one` holds. In a larger one a location would be the same
/// member of the same element at each execution.
fn globals_of(code: &Code, bytes: u64, most: usize, is_one: impl Fn(u64) -> bool) -> Vec<Constant> {
    let ones = globals(code).filter(|(_, _, global, start)| *start != 0 && global.size == bytes && is_one(*start));
    let constant = |(module, global, ..): (&str, usize, _, _)| {
        let module = module.to_string();
        Constant::Address { module, global, offset: 0 }
    };
    ones.map(constant).take(most).collect()
}

/// The slots of the frame at which a run stands whose types are known: those of variables with names first.
fn slots(at: &At<'_>, known: &Known) -> Vec<u32> {
    let mut slots: Vec<u32> = (0..at.model.slots).filter(|&slot| known.slot_type(slot).is_some()).collect();
    slots.sort_by_cached_key(|&slot| name(at.model, Opnd::slot(slot)).is_none());
    slots
}

fn value(at: &At<'_>, slot: u32) -> u64 {
    at.core.slots[at.base + slot as usize]
}

/// Pointers of the frame at which a run stands that lead to a location.
fn pointers(at: &At<'_>, known: &Known, address: u64) -> Vec<Target> {
    let leads = |slot: &u32| {
        let pointer = value(at, *slot);
        known.slot_type(*slot) == Some(Scalar::Ptr) && pointer != 0 && address.wrapping_sub(pointer) < REACH
    };
    if !(0..at.model.slots).any(|slot| leads(&slot)) {
        return Vec::new();
    }
    let pointers = slots(at, known).into_iter().filter(leads).take(MOST_VARIABLES);
    pointers.map(|slot| Target::Pointer(slot, address.wrapping_sub(value(at, slot)) as i64)).collect()
}

/// By what the value can be told that the location should have.
fn sources(at: &At<'_>, known: &Known, wrong: &Wrong) -> Vec<Source> {
    let mut sources = vec![Source::Number(wrong.value)];
    // That a variable happens to be 0 or 1 says little.
    if let Some(ty) = wrong.ty.filter(|_| wrong.value > 1) {
        let same = |slot: &u32| known.slot_type(*slot) == Some(ty) && value(at, *slot) == wrong.value;
        sources.extend(slots(at, known).into_iter().filter(same).take(MOST_VARIABLES).map(Source::Slot));
        let bytes = ty.bytes();
        let same = |start: u64| start != wrong.address && at.memory().read_uint(start, bytes) == wrong.value;
        sources.extend(globals_of(at.code, bytes.into(), MOST_VARIABLES, same).into_iter().map(Source::Global));
    }
    sources
}

/// The assignments behind a place.
fn mutants(code: &Code, place: &Place, wrong: &Wrong, statement: StatementId) -> Vec<Mutant> {
    let &Place { function, pc, .. } = place;
    let [first, second, third] = [0, 1, 2].map(|number| code.spare(function, number));
    let [value, address] = [0, 1].map(|number| code.scratch(function, number));
    let model = code.model(function);
    let mut out = Vec::new();
    for target in &place.targets {
        for source in &place.sources {
            let mut ops = Vec::new();
            let mut constants = <[Constant; 3]>::default();
            let (stored, text) = match source {
                Source::Number(number) => {
                    constants[0] = Constant::Number(*number);
                    (first, wrong.ty.map_or("zeros".into(), |_| (*number as i64).to_string()))
                }
                Source::Slot(slot) => {
                    let slot = Opnd::slot(*slot);
                    (slot, name(model, slot).map_or("the value of a variable".into(), |name| format!("`{name}`")))
                }
                Source::Global(global) => {
                    constants[0] = global.clone();
                    ops.extend(wrong.ty.map(|ty| Op::Load { ty, dst: value, addr: first }));
                    (
                        Opnd::slot(value),
                        global.name(code).map_or("the value of a variable".into(), |name| format!("`{name}`")),
                    )
                }
            };
            let (addr, variable) = match target {
                Target::Fixed(fixed) => {
                    constants[1] = fixed.clone();
                    (second, fixed.name(code))
                }
                Target::Pointer(slot, offset) => {
                    ops.push(Op::PtrAdd { dst: address, base: Opnd::slot(*slot), offset: *offset });
                    (Opnd::slot(address), None)
                }
            };
            ops.push(match wrong.ty {
                Some(ty) => Op::Store { ty, value: stored, addr },
                None => Op::MemSet { dst: addr, value: stored, len: third },
            });
            constants[2] = Constant::Number(wrong.size);
            let other =
                Alternative { kind: Kind::Assigned(variable, text), body: Body::Then(ops), call: None, constants };
            out.push(Mutant::at(code, function, pc, statement, other));
        }
    }
    out
}
