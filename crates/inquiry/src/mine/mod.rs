//! How the objects of classes behave, out of recorded runs.

mod convert;
mod error;
mod options;
mod runs;

use std::collections::BTreeSet;
use std::time::Instant;

use whydunit_behavior::{Mined as Behavior, Miner};
use whydunit_capture::Flavour;
use whydunit_desk::{Desk, prepare};
use whydunit_events::Event;
use whydunit_findings::{Mined, Problem, Stats};
use whydunit_objects::Catalogue;

pub use self::error::MineError;
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
}

/// What was mined, with what goes beside it.
pub struct Answer {
    /// The models, or the classes.
    pub mined: Mined,
    /// What should be known.
    pub problems: Vec<Problem>,
    /// Figures.
    pub stats: Stats,
}

/// Mines the runs of the project's tests, or recordings.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    let start = Instant::now();
    let project = desk.open_project()?;
    prepare::built(desk, &project)?;
    let mut problems = prepare::flavours(desk, &project, Flavour::Record)?;
    let classes_asked = whydunit_classes::Options { instances: false, libraries: true };
    let (classes, missing) = whydunit_workbench::classes(&desk.store()?, classes_asked).map_err(Error::Classes)?;
    problems.extend(missing);
    let catalogue = Catalogue::new(classes);
    let class = question.class.map(|name| options::class(&catalogue, name)).transpose()?;
    let options = options::of(&project, question, class.map(|class| catalogue.classes()[class].name.as_str()))?;
    let wanted = options::wanted(&project, &catalogue, question, class)?;
    let mut miner = Miner::new(options.clone());
    let mut reading = runs::Reading::new(desk, &project, &catalogue, &wanted);
    let mut each = |event: &Event| miner.event(event);
    let runs = match question.recordings {
        [] => reading.tests(question.tests, &mut each)?,
        names => reading.recordings(names, &mut each)?,
    };
    let runs::Reading { problems: noted, dropped, instructions, .. } = reading;
    let behavior = miner.finish();
    if let Some(class) = class {
        check(&catalogue, class, &behavior, runs)?;
    }
    options::check_paths(&options, &behavior)?;
    let mut problems: Vec<Problem> = problems.into_iter().map(Problem::new).collect();
    problems.extend(noted);
    problems.extend(dropped.into_iter().collect::<BTreeSet<_>>().into_iter().map(Problem::new));
    problems.extend(behavior.models.iter().flat_map(|model| &model.notes).map(Problem::new));
    let mined = convert::mined(&desk.project, &behavior, class.is_some(), runs);
    let seconds = start.elapsed().as_secs_f64();
    let stats = Stats { seconds, test_runs: runs, watched_instructions: Some(instructions), ..Stats::default() };
    Ok(Answer { mined, problems, stats })
}

/// A class that was asked for and has no objects is told, with those derived from it that have.
fn check(catalogue: &Catalogue, class: usize, behavior: &Behavior, runs: u64) -> Result<(), MineError> {
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
