//! What is executed between the last write of a location and where it is read wrongly: there an assignment may be missing.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use whydunit_model::{Global, Op, Scalar};
use whydunit_replay::{At, Code, FuncId, Machine, Observer};

use super::Scene;
use super::frame::{slots, value};
use super::known::Known;
use super::mutant::Constant;
use crate::Error;
use crate::operations::Operation;

/// Places at which an assignment is tried.
const MOST_PLACES: usize = 60;
/// Variables that are tried as its value, and pointers to the location.
const MOST_VARIABLES: usize = 2;
/// How far from where a pointer points the location may be.
const REACH: u64 = 4096;

/// A location that should have had another value when it was read: a scalar, or an array that should have been all zero.
pub(super) struct Wrong {
    /// When it is read.
    pub instruction: u64,
    pub address: u64,
    /// Bytes.
    pub size: u64,
    /// None of an array.
    pub ty: Option<Scalar>,
    /// What it should have been.
    pub value: u64,
}

/// Where an assignment may be missing: behind an operation, that executed so after the location's last write.
pub(super) struct Gap {
    pub function: FuncId,
    pub pc: u32,
    pub targets: Vec<Target>,
    pub sources: Vec<Source>,
}

/// How the location is reached.
pub(super) enum Target {
    Pointer(u32, i64),
    Fixed(Constant),
}

/// What is assigned.
pub(super) enum Source {
    Number(u64),
    Slot(u32),
    Global(Constant),
}

impl Scene<'_> {
    /// Operations with effects between the last write of a location and where it is read wrongly.
    pub(super) fn between(
        &mut self,
        machine: &mut Machine,
        wrong: &Wrong,
        read: &Operation,
    ) -> Result<Vec<Gap>, Error> {
        let Some(start) = self.listing.checkpoints.first() else { return Ok(Vec::new()) };
        machine.restore(&start.snapshot)?;
        let is_it = |start: u64| start == wrong.address;
        let global = globals_of(machine.code(), wrong.size, 1, is_it).pop();
        let (known, numbers) = (&mut *self.known, self.numbers);
        let mut watch = Window { wrong, read, global, known, numbers, seen: HashSet::new(), gaps: Vec::new() };
        machine.go_on(&mut watch)?;
        let mut gaps = watch.gaps;
        // What stands last before the read is nearest to it.
        gaps.reverse();
        gaps.truncate(MOST_PLACES);
        Ok(gaps)
    }
}

/// Follows the run to where a location is read wrongly.
struct Window<'a> {
    wrong: &'a Wrong,
    read: &'a Operation,
    /// The location is this global.
    global: Option<Constant>,
    known: &'a mut HashMap<FuncId, Known>,
    numbers: &'a Rc<[i64]>,
    seen: HashSet<(FuncId, u32)>,
    gaps: Vec<Gap>,
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
            self.gaps.clear();
            self.seen.clear();
        }
        if !self.seen.contains(&(at.function, at.pc)) {
            let known = self.known.entry(at.function).or_insert_with(|| Known::of(at.model, at.module(), self.numbers));
            let targets = match &self.global {
                Some(global) => vec![Target::Fixed(global.clone())],
                None => pointers(at, known, self.wrong.address),
            };
            // What is at work on another object may come to this one later.
            if !targets.is_empty() {
                let sources = sources(at, known, self.wrong);
                self.seen.insert((at.function, at.pc));
                self.gaps.push(Gap { function: at.function, pc: at.pc, targets, sources });
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
