//! The checks of a run that tests many things one after the other and fails at the end: those that pass say of statements what passing
//! tests say.
//!
//! What decides of the outcome is followed back: a counter of failed checks, say, that becomes the exit status. Where its content changes, a
//! check has failed, and which calls are checks is told by what is called there again and again. The run is cut behind each of them.

mod calls;
mod counts;
mod segments;

use std::collections::{HashMap, HashSet};

use whydunit_replay::{At, Code, FuncId, Machine, ReplayError, Snapshot};

use crate::distance::{Approach, read_near};
use calls::{Change, Changer, Watch};
use counts::Counts;
use segments::{Key, Notice, Segments};

/// Of so many checks that pass none is looked for that would be finer.
const MANY: usize = 64;
/// Runs of more instructions are not cut.
const LONGEST: u64 = 400_000_000;
/// So often what decides is followed to where it was changed last.
const ROUNDS: usize = 3;

/// Which calls are checks, by the name of a function in its module.
#[derive(Clone, Debug)]
pub enum Made {
    /// Calls of this function.
    Of(String),
    /// Calls from one place of this function.
    At(String),
    /// Calls of functions of tests by this one.
    By(String),
}

/// The checks of a run.
#[derive(Clone, Debug)]
pub struct Checks {
    /// Which calls they are.
    pub made: Made,
    /// The files in which functions of tests stand, by their paths.
    pub files: HashSet<String>,
    /// How many pass.
    pub passing: usize,
    /// How many fail.
    pub failing: usize,
    /// How suspicious lines are by them, by the path of their file and their number: from 0 to 1, and 1 for what all failing checks execute
    /// and no passing one (Ochiai). Nothing of lines that were not executed.
    pub scores: HashMap<(String, u32), f64>,
}

/// The checks of a run that fails at an operation, the one at `pc` when so many instructions are executed; the first of the snapshots is its
/// beginning, and they are in its order. `follows`: it fails by its status, which is followed back; else by what happens at the operation.
/// `is_test` says where functions of tests run, whose calls may be checks. `None` where no calls tell what passes from what fails, the run
/// is too long, or the machine's patience is over. Fails where the replay does.
pub fn checks(
    machine: &mut Machine,
    snapshots: &[Snapshot],
    (point, follows): ((u64, u32), bool),
    is_test: &dyn Fn(&At<'_>) -> bool,
) -> Result<Option<Checks>, ReplayError> {
    let Some(start) = snapshots.first().filter(|_| point.0 <= LONGEST) else { return Ok(None) };
    let (mut best, mut until): (Option<Segments>, _) = (None, point);
    let (mut approach, mut of_tests) = (Approach::default(), HashSet::new());
    for round in 0..=ROUNDS {
        let places = if follows { read_near(machine, snapshots, until, &mut approach)? } else { Vec::new() };
        machine.restore(start)?;
        let mut watch = Watch::new(&places, until.0, is_test);
        machine.run_until(behind(snapshots, until.0), &mut watch)?;
        if machine.is_out_of_patience() || watch.is_full {
            return Ok(None);
        }
        watch.finish();
        if round == 0 {
            let stack = watch.stack();
            let notice = Notice { time: point.0, within: stack.last().copied() };
            best = Segments::of(&watch.calls, &stack, &[notice], false);
            of_tests = watch.of_tests();
        }
        let (mut next, mut better) = (None, true);
        for place in 0..places.len() {
            let changes: Vec<&Change> = watch.changes.iter().filter(|change| change.place == place).collect();
            let Some(&last) = changes.last() else { continue };
            next.get_or_insert(last);
            let notice = |change: &&Change| Notice { time: change.between.0, within: change.stack.last().copied() };
            let noticed: Vec<Notice> = changes.iter().map(notice).collect();
            if let Some(found) = Segments::of(&watch.calls, &last.stack, &noticed, true) {
                next = Some(last);
                better = best.as_ref().is_none_or(|best| found.passing() > best.passing());
                if better {
                    best = Some(found);
                }
                break;
            }
        }
        // Where what was found is no finer than before, or fine enough, nothing more is to be told apart.
        let goes_on = better && best.as_ref().is_none_or(|best| best.passing() < MANY);
        let Some(change) = next.filter(|_| goes_on && round < ROUNDS) else { break };
        let Some(operation) = changer(machine, snapshots, Changer::of(change, &places), change.between)? else { break };
        until = operation;
    }
    let Some(segments) = best else { return Ok(None) };
    machine.restore(start)?;
    let mut counts = Counts::of(&segments, point.0);
    machine.run_until(behind(snapshots, point.0), &mut counts)?;
    if machine.is_out_of_patience() || !counts.is_whole() {
        return Ok(None);
    }
    let code = machine.code();
    let mut scores: HashMap<(String, u32), f64> = HashMap::new();
    for ((function, file, line), score) in counts.scores() {
        if let Some(path) = code.module_of(function).files.get(file as usize) {
            let known = scores.entry((path.clone(), line)).or_insert(score);
            *known = score.max(*known);
        }
    }
    let (passing, failing) = (segments.passing(), segments.failing.len());
    let files = of_tests.into_iter().filter_map(|function| file_of(code, function)).collect();
    let name = |function: FuncId| code.model(function).name.clone();
    let made = match segments.key {
        Key::Function(function) => Made::Of(name(function)),
        Key::Site(function, _) => Made::At(name(function)),
        Key::By(function) => Made::By(name(function)),
    };
    Ok(Some(Checks { made, files, passing, failing, scores }))
}

/// The file in which a function stands, by the first of its operations that has a line. `None` where none has one.
pub fn file_of(code: &Code, function: FuncId) -> Option<String> {
    let operations = 0..code.model(function).code.len() as u32;
    let mut files = operations.filter_map(|pc| code.positions(function, pc).last()).map(|position| position.file);
    files.find(|file| !file.is_empty())
}

/// The safepoints counted at the first of the snapshots that lies behind an instruction count; the most where there is none.
fn behind(snapshots: &[Snapshot], instruction: u64) -> u64 {
    snapshots.iter().find(|snapshot| snapshot.instructions() > instruction).map_or(u64::MAX, Snapshot::counter)
}

/// The operation that changes a place between two instruction counts.
fn changer(
    machine: &mut Machine,
    snapshots: &[Snapshot],
    mut changer: Changer,
    (from, to): (u64, u64),
) -> Result<Option<(u64, u32)>, ReplayError> {
    let before = snapshots.partition_point(|snapshot| snapshot.instructions() <= from);
    let Some(start) = before.checked_sub(1).and_then(|last| snapshots.get(last)) else { return Ok(None) };
    machine.restore(start)?;
    machine.run_until(behind(snapshots, to), &mut changer)?;
    Ok(changer.operation.filter(|_| !machine.is_out_of_patience()))
}
