//! How two runs differ, in words.

use std::path::Path;

use whydunit_causes::beside::{Differences, Given, Parting};
use whydunit_findings::RunDifference;
use whydunit_library::Source;
use whydunit_recording::{ByteString, Info};

use crate::ProjectSources;
use crate::condition::stated;
use crate::convert::location;

/// Variables that differ from run to run and that no program looks at for its own sake.
const OURS: [&str; 4] = ["WHYDUNIT_", "PWD=", "TMPDIR=", "LD_PRELOAD="];
/// So many variables of the environment are told.
const TOLD: usize = 4;

/// What a failing run does otherwise than a passing one, the way it goes first.
pub fn differences(sources: &ProjectSources, project: &Path, found: &Differences) -> Vec<RunDifference> {
    let several = found.order.is_some();
    let parting = found.parting.as_ref().map(|parting| RunDifference {
        kind: "path".into(),
        location: location(project, &parting.position),
        thread: several.then_some(parting.thread),
        message: way(sources, project, parting),
    });
    let order = found.order.as_ref().map(|order| RunDifference {
        kind: "thread-order".into(),
        location: location(project, &order.position),
        thread: Some(order.threads.1),
        message: format!(
            "thread {} goes on{} after thread {}, which it does not at this moment of the passing run",
            order.threads.1,
            // A thread that has yet to begin stands nowhere.
            if location(project, &order.position).is_some() { " here" } else { "" },
            order.threads.0
        ),
    });
    let given = found.given.iter().map(|given| RunDifference {
        kind: kind(given.source).into(),
        location: location(project, &given.position),
        thread: None,
        message: gave(given),
    });
    parting.into_iter().chain(order).chain(given).collect()
}

fn way(sources: &ProjectSources, project: &Path, parting: &Parting) -> String {
    let place = location(project, &parting.position);
    let stated = parting
        .tested
        .as_ref()
        .zip(place.as_ref())
        .and_then(|((tested, taken), place)| stated(sources, &place.file, tested, *taken));
    match stated {
        Some((text, truth)) => {
            format!("the runs part here: `{text}` is {truth} in the failing run, and {} in the passing one", !truth)
        }
        None => "the runs part here: the failing run goes another way than the passing one".into(),
    }
}

const fn kind(source: Source) -> &'static str {
    match source {
        Source::Clock => "clock",
        Source::Random => "random",
        Source::Environment => "environment",
        Source::Input => "input",
        Source::Files => "files",
        Source::State => "state",
        Source::Arguments => "arguments",
    }
}

fn gave(given: &Given) -> String {
    let function = &given.function;
    match given.results {
        Some((one, two)) => {
            let (one, two) = (one as i64, two as i64);
            format!("`{function}` gives {one} in the failing run, and {two} in the passing one")
        }
        None => format!("`{function}` writes other bytes in the failing run than in the passing one"),
    }
}

/// Variables of the environment that two runs have not alike.
pub fn environments(failing: &Info, passing: &Info) -> Vec<RunDifference> {
    let texts = |all: &[ByteString]| -> Vec<String> {
        let own = all.iter().map(ToString::to_string).filter(|text| !OURS.iter().any(|ours| text.starts_with(ours)));
        own.collect()
    };
    let (one, two) = (texts(&failing.head.env), texts(&passing.head.env));
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        these.iter().filter(|text| !those.contains(text)).cloned().collect()
    };
    let told = |text: &String, run: &str| RunDifference {
        kind: "environment".into(),
        message: format!("only the {run} run has {text} in its environment"),
        ..RunDifference::default()
    };
    let (failing, passing) = (only(&one, &two), only(&two, &one));
    let failing = failing.iter().map(|text| told(text, "failing"));
    failing.chain(passing.iter().map(|text| told(text, "passing"))).take(TOLD).collect()
}
