//! The checks of a run that tests many things one after the other and fails at the end: those that pass say of statements what passing
//! tests say.
//!
//! What decides of the outcome is followed back: a counter of failed checks, say, that becomes the exit status. Where its content changes, a
//! check has failed, and which calls are checks is told by what is called there again and again. The run is cut behind each of them.

mod calls;
mod counts;
mod segments;

use std::collections::{HashMap, HashSet};

use whydunit_replay::{At, FuncId, Machine, ReplayError, Snapshot};

use crate::distance::{Approach, Arrive, read_near};
use calls::{Change, Watch};
use counts::Counts;
use segments::{Key, Segments};

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
    /// Calls of functions of tests by this one.
    By(String),
}

/// The checks of a run.
#[derive(Clone, Debug)]
pub struct Checks {
    /// Which calls they are.
    pub made: Made,
    /// The files in which what makes them and what they call stand, by their paths.
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
/// beginning, and they are in its order. `is_test` says where functions of tests run, whose calls may be checks. `None` where no calls tell
/// what passes from what fails, the run is too long, or the machine's patience is over. Fails where the replay does.
pub fn checks(
    machine: &mut Machine,
    snapshots: &[Snapshot],
    point: (u64, u32),
    is_test: &dyn Fn(&At<'_>) -> bool,
) -> Result<Option<Checks>, ReplayError> {
    let Some(start) = snapshots.first().filter(|_| point.0 <= LONGEST) else { return Ok(None) };
    let (mut best, mut until): (Option<Segments>, _) = (None, point);
    let mut approach = Approach::default();
    for round in 0..=ROUNDS {
        let places = read_near(machine, snapshots, until, &mut approach)?;
        machine.restore(start)?;
        let mut watch = Watch::new(&places, is_test);
        machine.run_until(u64::MAX, &mut (Arrive::at(until), &mut watch))?;
        if machine.is_out_of_patience() || watch.is_full {
            return Ok(None);
        }
        watch.finish();
        if round == 0 {
            best = Segments::of(&watch.calls, &watch.stack(), &[point.0], false);
        }
        let (mut next, mut better) = (None, true);
        for place in 0..places.len() {
            let changes: Vec<&Change> = watch.changes.iter().filter(|change| change.place == place).collect();
            let Some(last) = changes.last() else { continue };
            next.get_or_insert(last.operation);
            let noticed: Vec<u64> = changes.iter().map(|change| change.operation.0).collect();
            if let Some(found) = Segments::of(&watch.calls, &last.stack, &noticed, true) {
                next = Some(last.operation);
                better = best.as_ref().is_none_or(|best| found.passing() > best.passing());
                if better {
                    best = Some(found);
                }
                break;
            }
        }
        match next {
            // Where what was found is no finer than before, or fine enough, nothing more is to be told apart.
            Some(next) if better && best.as_ref().is_none_or(|best| best.passing() < MANY) => until = next,
            _ => break,
        }
    }
    let Some(segments) = best else { return Ok(None) };
    machine.restore(start)?;
    let mut counts = Counts::of(&segments);
    machine.run_until(u64::MAX, &mut (Arrive::at(point), &mut counts))?;
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
    let files = segments.functions().map(|function| code.position(function, 0).file).collect();
    let name = |function: FuncId| code.model(function).name.clone();
    let made = match segments.key {
        Key::Function(function) => Made::Of(name(function)),
        Key::Site(function, _) | Key::By(function) => Made::By(name(function)),
    };
    Ok(Some(Checks { made, files, passing, failing, scores }))
}
