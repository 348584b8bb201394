//! Calls of a failing test that find objects otherwise than those of passing tests do.

mod words;

use std::collections::BTreeSet;
use std::sync::Arc;

use whydunit_anomalies::{Anomaly, Calls, Collector, FailingRun, Relevant, anomalies, relevant};
use whydunit_desk::Desk;
use whydunit_findings::Problem;
use whydunit_model::Module;
use whydunit_objects::{Wanted, candidates};
use whydunit_replay::Nothing;
use whydunit_spectra::Formula;

pub(crate) use self::words::told;
use crate::Error;
use crate::locate::{Baseline, Reach, Scope};
use crate::mine::runs::{Ran, Reading, Runs};
use crate::mine::{Ready, options};

/// Functions of a ranking whose objects matter, where nothing else says which do.
const FUNCTIONS: usize = 20;
/// Methods that are no inspectors that are named.
const DROPPED: usize = 3;
/// Paths are at least so long.
const LEAST_DEPTH: usize = 2;

/// What is asked.
pub(crate) struct Asked<'a> {
    /// The failing test.
    pub test: &'a str,
    /// Only calls of methods of this class, by its number in the catalogue.
    pub class: Option<usize>,
    /// The length of the longest paths.
    pub depth: usize,
    /// Inspectors are asked for their values.
    pub inspectors: bool,
    /// The suite as it was run with counts, where it was.
    pub baseline: Option<&'a Baseline>,
}

/// What was found.
#[derive(Default)]
pub(crate) struct Found {
    /// The anomalies, the most telling first.
    pub anomalies: Vec<Anomaly>,
    /// What the calls of all these runs found, and what they changed.
    pub calls: Calls,
    /// What should be known.
    pub problems: Vec<Problem>,
    /// Instructions of the runs that were read.
    pub instructions: u64,
}

/// What was found in runs that were recorded for it.
pub(crate) struct Recorded {
    /// The anomalies.
    pub found: Found,
    /// The models of the programs that ran.
    pub models: Vec<Arc<Module>>,
    /// Runs that were read.
    pub runs: u64,
}

/// The anomalies of a failing test of a suite that was run with counts; all of its tests are recorded for it.
pub(crate) fn recorded(desk: &Desk, ready: &Ready, baseline: &Baseline, test: &str) -> Result<Recorded, Error> {
    // The runs are recorded, and not followed yet.
    let none = Wanted { classes: Some(BTreeSet::new()), ..Wanted::default() };
    let mut reading = Reading::new(desk, &ready.project, &ready.catalogue, &none);
    reading.whole(Runs::default(), &mut |_: &Ran<'_>, _| {})?;
    let asked = Asked { test, class: None, depth: LEAST_DEPTH, inspectors: true, baseline: Some(baseline) };
    let mut found = find(&reading, &asked)?;
    found.problems.splice(0..0, ready.problems.iter().map(Problem::new).chain(reading.problems));
    Ok(Recorded { found, models: reading.models, runs: reading.runs })
}

/// The anomalies of a failing test among the runs that were read, against the passing ones among them.
pub(crate) fn find(reading: &Reading<'_>, asked: &Asked<'_>) -> Result<Found, Error> {
    let depth = asked.depth.max(LEAST_DEPTH);
    let mut wanted = wanted(reading)?;
    let mut again = Reading::over(reading, &wanted);
    let (mut own, mut run) = of_test(&mut again, asked.test, depth, true)?;
    let mut found = Found { instructions: again.instructions, ..Found::default() };
    let Some((how, objects)) = of_importance(reading, asked, &run)? else {
        found.problems.push(no_object(asked.test));
        return Ok(found);
    };
    let names: BTreeSet<String> = objects.iter().filter_map(|object| run.classes.get(object)).cloned().collect();
    if asked.inspectors {
        let classes = reading.catalogue.classes().iter().enumerate();
        let inspected = classes.filter(|(number, class)| names.contains(&class.name) && wanted.class(*number));
        let of = inspected.map(|(number, _)| (number, candidates(reading.catalogue, number)));
        wanted.inspectors = of.filter(|(_, known)| !known.is_empty()).collect();
    }
    let mut again = Reading::over(reading, &wanted);
    if !wanted.inspectors.is_empty() {
        (own, run) = of_test(&mut again, asked.test, depth, true)?;
    }
    let passing = passing(&mut again, asked.test, depth)?;
    let dropped: BTreeSet<&String> = again.dropped.iter().collect();
    found.problems.extend(dropped.into_iter().take(DROPPED).map(Problem::new));
    found.instructions += again.instructions;
    found.anomalies = anomalies(&passing, &own, &run, &objects);
    if let Some(class) = asked.class.map(|class| &reading.catalogue.classes()[class].name) {
        found.anomalies.retain(|anomaly| anomaly.class == *class);
    }
    let called: BTreeSet<&str> = passing.classes();
    if !names.iter().any(|name| called.contains(name.as_str())) {
        found.problems.push(never_reached(&names, how));
    }
    found.calls = passing;
    found.calls.add(&own);
    Ok(found)
}

fn wanted(reading: &Reading<'_>) -> Result<Wanted, Error> {
    let libraries = reading.catalogue.classes().iter().enumerate().filter(|(_, class)| class.library);
    Ok(Wanted {
        libraries: libraries.map(|(number, _)| number).collect(),
        errors: options::error_rules(reading.project, reading.catalogue)?,
        reads: true,
        ..Wanted::default()
    })
}

/// What the calls of a test found, all of its processes together.
fn of_test(reading: &mut Reading<'_>, test: &str, depth: usize, keeps: bool) -> Result<(Calls, FailingRun), Error> {
    let mut collector = Collector::new(depth, keeps);
    let own = |(_, (_, name, _)): &(usize, &(_, String, bool))| name == test;
    let numbers: Vec<usize> = reading.recordings.iter().enumerate().filter(own).map(|(number, _)| number).collect();
    for number in numbers {
        reading.again(
            number,
            &mut |_: &Ran<'_>, event| collector.event(event),
            &mut whydunit_objects::NoPauses(Nothing),
        )?;
    }
    Ok(collector.finish())
}

/// What the calls of the passing tests found.
fn passing(reading: &mut Reading<'_>, failing: &str, depth: usize) -> Result<Calls, Error> {
    let passing = reading.recordings.iter().filter(|(_, name, failed)| !failed && name != failing);
    let names: BTreeSet<String> = passing.map(|(_, name, _)| name.clone()).collect();
    let task = reading.desk.task("comparing objects", Some(names.len() as u64));
    let mut all = Calls::default();
    for name in &names {
        if reading.desk.is_cancelled() {
            return Err(whydunit_desk::Error::Interrupted.into());
        }
        all.add(&of_test(reading, name, depth, false)?.0);
        if reading.interrupted {
            return Err(whydunit_desk::Error::Interrupted.into());
        }
        task.step(name);
    }
    Ok(all)
}

/// The objects that matter to the failure; where it happened says which, else the most suspicious functions do.
fn of_importance(
    reading: &Reading<'_>,
    asked: &Asked<'_>,
    run: &FailingRun,
) -> Result<Option<(Relevant, BTreeSet<whydunit_events::ObjectId>)>, Error> {
    if let Some(found) = relevant(run, &[]) {
        return Ok(Some(found));
    }
    if run.given.is_empty() {
        return Ok(None);
    }
    let desk = reading.desk;
    let run_now = match asked.baseline {
        Some(_) => None,
        None => Some(Baseline::of(desk, &[asked.test.to_owned()], None, Scope::default(), Reach::default())?),
    };
    let Some(baseline) = asked.baseline.or(run_now.as_ref()) else { return Ok(None) };
    let mut functions: Vec<String> = Vec::new();
    for finding in baseline.by_counts(desk, Formula::Ochiai) {
        if functions.len() < FUNCTIONS && !functions.contains(&finding.function) {
            functions.push(finding.function);
        }
    }
    Ok(relevant(run, &functions))
}

fn no_object(test: &str) -> Problem {
    let text =
        format!("no anomalies of {test}: no function near its failure is called on or with an object of a class");
    Problem::new(text)
        .help("anomalies are of objects: of classes, of Rust's types with methods, of C's structures with functions")
}

fn never_reached(names: &BTreeSet<String>, how: Relevant) -> Problem {
    let whose = match how {
        Relevant::Failure => "the objects at hand where it fails are of",
        Relevant::Suspicious => "the objects of the most suspicious functions are of",
    };
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    let text = format!("no anomalies: {whose} {}, and no passing test calls a method of those", names.join(", "));
    Problem::new(text).help("add passing tests that use these classes")
}
