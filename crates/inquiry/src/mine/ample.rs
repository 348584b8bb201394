//! Classes ranked by how differently their objects call in failing and passing tests (AMPLE).

use whydunit_behavior::{CallSequences, Sets, WINDOW, WeighedClass, WeighedWindow, weigh};
use whydunit_desk::Desk;
use whydunit_desk::convert::relative;
use whydunit_events::Event;
use whydunit_findings::{Finding, Located, Location, Problem};
use whydunit_objects::{Catalogue, Wanted};

use super::Ready;
use super::runs::{Ran, Reading, Runs};
use crate::Error;

/// Windows of a class that are told.
const TOLD: usize = 3;

/// Ranks the classes by the tests of these names, which fail; what should be known goes with it.
pub(crate) fn rank(desk: &Desk, failing: &[String]) -> Result<(Located, Vec<Problem>), Error> {
    let ready = Ready::of(desk)?;
    let libraries = ready.catalogue.classes().iter().enumerate().filter(|(_, class)| class.library);
    let wanted = Wanted { libraries: libraries.map(|(number, _)| number).collect(), ..Wanted::default() };
    let mut reading = Reading::new(desk, &ready.project, &ready.catalogue, &wanted);
    let (mut passed, mut failed): (Vec<Sets>, Vec<Sets>) = (Vec::new(), Vec::new());
    // Of the run under way: its sequences, whether it passes, whether it is in question.
    let mut present: Option<(CallSequences, bool, bool)> = None;
    let mut close = |present: &mut Option<(CallSequences, bool, bool)>| match present.take() {
        Some((sequences, true, _)) => passed.push(sequences.finish()),
        Some((sequences, false, true)) => failed.push(sequences.finish()),
        _ => {}
    };
    reading.whole(Runs::default(), &mut |ran: &Ran<'_>, event| {
        if matches!(event, Event::Run(_)) {
            close(&mut present);
            let asked = failing.iter().any(|name| name == ran.name);
            present = Some((CallSequences::new(WINDOW), !ran.failed, asked));
        }
        if let Some((sequences, ..)) = &mut present {
            sequences.event(event);
        }
    })?;
    close(&mut present);
    let together = failed.into_iter().fold(Sets::new(), |mut all, sets| {
        sets.into_iter().for_each(|(class, windows)| all.entry(class).or_default().extend(windows));
        all
    });
    let weighed = weigh(&together, &passed);
    let findings = findings(desk, &ready.catalogue, &weighed, passed.len());
    Ok((Located { method: "ample".into(), findings, ..Located::default() }, reading.problems))
}

fn findings(desk: &Desk, catalogue: &Catalogue, weighed: &[WeighedClass], passing: usize) -> Vec<Finding> {
    let sources = desk.sources();
    let finding = |class: &WeighedClass| {
        let known = catalogue.classes().iter().find(|known| known.name == class.class);
        let first = known.into_iter().flat_map(|known| &known.methods).filter_map(|method| method.position.as_ref());
        let place = known.and_then(|known| known.position.as_ref()).or_else(|| first.min());
        let location = place.map(|at| Location::line(relative(&desk.project, &at.file), at.line)).unwrap_or_default();
        let better = weighed.iter().filter(|other| other.weight > class.weight).count() as u64;
        let alike = weighed.iter().filter(|other| other.weight == class.weight).count() as u64;
        Finding {
            rank: better as f64 + (alike as f64 + 1.0) / 2.0,
            rank_best: better + 1,
            rank_worst: better + alike,
            score: class.weight,
            code: whydunit_desk::sources_line(&sources, &location.file, location.line),
            function: class.class.clone(),
            location,
            witness: class.windows.iter().take(TOLD).map(|window| words(window, passing)).collect(),
            ..Finding::default()
        }
    };
    weighed.iter().filter(|class| class.weight > 0.0).map(finding).collect()
}

fn words(window: &WeighedWindow, passing: usize) -> String {
    let calls = window.calls.join(", ");
    let who = if window.failing { "in the failing run and in" } else { "not in the failing run but in" };
    format!("{calls}: {who} {} of {passing} passing runs", window.passing)
}
