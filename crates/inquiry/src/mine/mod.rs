//! How the objects of classes behave, out of recorded runs.

pub mod ample;
pub(crate) mod convert;
pub(crate) mod differences;
mod error;
mod failing;
mod interface;
pub(crate) mod options;
mod propose;
mod purity;
pub(crate) mod runs;
mod versions;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use whydunit_behavior::{Mined as Behavior, Miner};
use whydunit_capture::Flavour;
use whydunit_desk::{Desk, Output, prepare};
use whydunit_events::{Event, Form, write};
use whydunit_findings::{Mined, Problem, Stats};
use whydunit_objects::Catalogue;
use whydunit_workbench::Project;

pub use self::error::MineError;
use self::runs::{Ran, Reading, Runs};
use crate::Error;

/// What is asked.
pub struct Question<'a> {
    /// The class, with or without its scopes; `None`: which there are.
    pub class: Option<&'a str>,
    /// The length of the longest value access paths.
    pub depth: usize,
    /// Only tests with this in their names.
    pub tests: Option<&'a str>,
    /// These recordings instead of tests.
    pub recordings: &'a [String],
    /// Inspectors are asked for their values.
    pub inspectors: bool,
    /// Which methods modify what was there before, instead of models.
    pub purity: bool,
    /// What this failing test does that passing ones do not.
    pub failing: Option<&'a str>,
    /// What differs from the version of this git revision.
    pub against: Option<&'a str>,
    /// A configuration for a structure of C, instead of models.
    pub propose: bool,
    /// The stream of events goes to this file as well: lines where its name ends in `jsonl`, else the binary form.
    pub events: Option<&'a Path>,
}

impl Question<'_> {
    /// The runs that it is about.
    pub(crate) fn runs(&self) -> Runs<'_> {
        Runs { tests: self.tests, recordings: self.recordings }
    }
}

/// What was mined, with what goes beside it.
pub struct Answer {
    /// The models, or the classes.
    pub mined: Mined,
    /// What should be known.
    pub problems: Vec<Problem>,
    /// Figures.
    pub stats: Stats,
    /// The user has interrupted: it is of the runs until then.
    pub interrupted: bool,
}

/// A project that can be mined.
pub(crate) struct Ready {
    pub project: Project,
    pub catalogue: Catalogue,
    pub problems: Vec<String>,
}

impl Ready {
    /// Builds a project where that was never done, and gathers its classes.
    pub fn of(desk: &Desk) -> Result<Self, Error> {
        let project = desk.open_project()?;
        prepare::built(desk, &project)?;
        let mut problems = prepare::flavours(desk, &project, Flavour::Record)?;
        let asked = whydunit_classes::Options { instances: false, libraries: true };
        let (mut classes, missing) = whydunit_workbench::classes(&desk.store()?, asked).map_err(Error::Classes)?;
        problems.extend(missing);
        interface::apply(&mut classes, &project.config.mine)?;
        Ok(Self { project, catalogue: Catalogue::new(classes), problems })
    }
}

/// Mines the runs of the project's tests, or recordings.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    let start = Instant::now();
    let ready = Ready::of(desk)?;
    let class = question.class.map(|name| options::class(&ready.catalogue, name)).transpose()?;
    let mut problems: Vec<Problem> = ready.problems.iter().map(Problem::new).collect();
    let wanted = options::wanted(&ready.project, &ready.catalogue, question, class)?;
    let mut reading = Reading::new(desk, &ready.project, &ready.catalogue, &wanted);
    let mut mined = match question {
        Question { propose: true, .. } => propose::answer(&mut reading, question, class)?,
        Question { purity: true, .. } => purity::answer(&mut reading, question, class)?,
        Question { failing: Some(test), .. } => failing::answer(&mut reading, question, class, test)?,
        Question { against: Some(revision), .. } => versions::answer(&mut reading, question, class, revision)?,
        _ => models(&mut reading, question, class)?,
    };
    if reading.interrupted && reading.runs == 0 {
        return Err(whydunit_desk::Error::Interrupted.into());
    }
    if reading.interrupted {
        problems.push(Problem::new("interrupted: this is of the runs until then"));
    }
    (mined.inspector_runs, mined.inspector_runs_saved) = reading.inspected;
    problems.extend(class.and_then(|class| inlined(&ready.catalogue.classes()[class])));
    let Reading { problems: noted, dropped, instructions, runs, interrupted, .. } = reading;
    problems.extend(noted);
    problems.extend(dropped.into_iter().collect::<BTreeSet<_>>().into_iter().map(Problem::new));
    let seconds = start.elapsed().as_secs_f64();
    let stats = Stats { seconds, test_runs: runs, watched_instructions: Some(instructions), ..Stats::default() };
    Ok(Answer { mined, problems, stats, interrupted })
}

/// That calls of some methods are not seen: their code stands in the place of the calls.
fn inlined(class: &whydunit_classes::Class) -> Option<Problem> {
    let only = |method: &&whydunit_classes::Method| method.code == whydunit_classes::Code::Inlined && !method.implicit;
    let names: Vec<String> = class.methods.iter().filter(only).map(|method| method.name.clone()).collect();
    let named = prepare::some_of(&names)?;
    Some(Problem::new(format!("calls of these stand inlined in their callers, and are not seen: {named}")))
}

/// The models of the runs. The stream goes to its file where all of them were read.
fn models(reading: &mut Reading<'_>, question: &Question<'_>, class: Option<usize>) -> Result<Mined, Error> {
    let file = question.events.map(|path| Output::open(path).map(|output| (path, output))).transpose()?;
    let options = options::of(reading, question, class);
    let mut miner = Miner::new(options.clone());
    let mut kept = Vec::new();
    reading.all(question.runs(), &mut |_: &Ran<'_>, event: &Event| {
        miner.event(event);
        if file.is_some() {
            kept.push(event.clone());
        }
    })?;
    match file {
        Some((path, _)) if reading.interrupted => {
            let text = format!("{} was not written, as not all runs were read", path.display());
            reading.problems.push(Problem::new(text));
        }
        Some((path, output)) => {
            let lines = path.extension().is_some_and(|ending| ending == "jsonl");
            output.write(&write(&kept, if lines { Form::Lines } else { Form::Binary }))?;
        }
        None => {}
    }
    let behavior = miner.finish();
    if !reading.interrupted {
        class.map_or(Ok(()), |class| check(reading.catalogue, class, &behavior, reading.runs))?;
        options::check_paths(&options, &behavior)?;
    }
    Ok(told(reading, class, &behavior, reading.runs))
}

/// Models of so many runs as findings; what should be known of them goes to the problems.
fn told(reading: &mut Reading<'_>, class: Option<usize>, behavior: &Behavior, runs: u64) -> Mined {
    reading.problems.extend(behavior.models.iter().flat_map(|model| &model.notes).map(Problem::new));
    convert::mined(&reading.desk.project, behavior, class.is_some(), runs)
}

/// A class that was asked for and has no objects is told, with those derived from it that have.
pub(crate) fn check(catalogue: &Catalogue, class: usize, behavior: &Behavior, runs: u64) -> Result<(), MineError> {
    if !behavior.models.is_empty() {
        return Ok(());
    }
    let name = catalogue.classes()[class].name.clone();
    let seen = |class: &&whydunit_classes::Class| behavior.classes.iter().any(|seen| seen.name == class.name);
    let derives = |class: &&whydunit_classes::Class| class.bases.iter().any(|base| base.name == name);
    let derived = catalogue.classes().iter().filter(derives).filter(seen).map(|class| class.name.clone()).collect();
    let runs = if runs == 1 { "1 run".into() } else { format!("{runs} runs") };
    Err(MineError::NoObjects { class: name, runs, derived })
}
