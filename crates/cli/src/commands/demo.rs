//! `whydunit demo`

use std::path::PathBuf;

use clap::{Args, Parser};
use whydunit_desk::Error;
use whydunit_findings::{Body, DemoStep, Problem, Report};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;

/// The tour: build, test, record, replay, locate and why on a bundled program with a fault
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit demo\n  whydunit demo --keep tour     leave the program and its recordings in ./tour"
)]
pub struct Demo {
    /// Work in this new folder and leave it there
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// The bundled project, file by file.
const PROJECT: &[(&str, &str)] = &[
    ("Makefile", include_str!("../../../../subjects/demo/Makefile")),
    ("whydunit.toml", include_str!("../../../../subjects/demo/whydunit.toml")),
    ("cases.jsonl", include_str!("../../../../subjects/demo/cases.jsonl")),
    ("till.h", include_str!("../../../../subjects/demo/till.h")),
    ("catalog.c", include_str!("../../../../subjects/demo/catalog.c")),
    ("invoice.c", include_str!("../../../../subjects/demo/invoice.c")),
    ("main.c", include_str!("../../../../subjects/demo/main.c")),
    ("money.c", include_str!("../../../../subjects/demo/money.c")),
    ("offer.c", include_str!("../../../../subjects/demo/offer.c")),
    ("text.c", include_str!("../../../../subjects/demo/text.c")),
];

/// The tour: a command, and what it is for.
const STEPS: &[(&str, &str)] = &[
    ("build", "builds the program (a till, by make) and captures each compile on the way"),
    ("test", "runs its 40 cases side by side: three of them fail"),
    ("record stamps-trade", "records a failing case: a log of what came from outside, nothing else"),
    ("replay stamps-trade", "runs it again from the log, instruction by instruction, and compares"),
    ("show --lines 6 stamps-trade", "tells the run: calls, output, and where it went wrong, with the variables there"),
    ("locate --top 1", "says which statement would have made the failing tests pass, and with which values"),
    ("why pieces --steps 5 at offer.c:33 --recording stamps-trade", "walks back from a wrong value through its causes"),
];

/// A step of the tour, as a command line.
#[derive(Parser, Debug)]
struct Step {
    #[command(subcommand)]
    command: super::Command,
}

/// Does the steps of the tour.
pub fn run(session: &Session, args: &Demo) -> Result<Report, Failure> {
    let (folder, _temporary) = match &args.keep {
        Some(folder) => {
            let created = std::fs::create_dir(folder).map_err(|error| Failure::from(Error::io(folder)(error)));
            created.map_err(|failure| failure.advice("name a folder that does not exist yet"))?;
            (std::path::absolute(folder).map_err(Error::from)?, None)
        }
        None => {
            let temporary = tempfile::tempdir().map_err(Error::from)?;
            (temporary.path().to_path_buf(), Some(temporary))
        }
    };
    for (name, text) in PROJECT {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(Error::io(&path))?;
    }
    let tour = session.in_project(&folder)?;
    let mut steps = Vec::new();
    for (command, purpose) in STEPS {
        let words = ["whydunit"].into_iter().chain(command.split(' '));
        let step = Step::try_parse_from(words).map_err(|error| Failure::new(Exit::Internal, error))?;
        let report = super::run(&tour, &step.command)?;
        steps.push(DemoStep {
            command: format!("whydunit {command}"),
            purpose: (*purpose).into(),
            result: tour.text(&report).trim_end().to_string(),
        });
    }
    let mut report = Report::new(Body::Demo(steps));
    if args.keep.is_some() {
        report.problems.push(Problem::new(format!("the program and its recordings are in {}", folder.display())));
    }
    Ok(report)
}
