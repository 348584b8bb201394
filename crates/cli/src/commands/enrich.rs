//! `whydunit enrich`

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use whydunit_findings::{Body, Report};
use whydunit_inquiry::enrich::{self, Answer, Question, UnitTesting};
use whydunit_inquiry::java;

use crate::failure::Failure;
use crate::session::Session;

/// Try what no test calls: which methods may be called in which states
///
/// Reads the recorded runs of the suite's tests, leaves them right after calls on objects of the class, and calls there what no test
/// calls in that state: with the arguments of recorded calls, or boundary values. Nothing of that changes the program or its runs.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit enrich Port                   what may be called when, tried\n  \
                        whydunit enrich Port -o port.model     and an automaton for `whydunit check port.model`\n  \
                        whydunit enrich Port --within 60       for a minute at most\n  \
                        whydunit enrich Port --unit-tests      and unit tests of what was learned, compiled and run\n  \
                        whydunit enrich Port --format mermaid  a drawing for a README file\n  \
                        whydunit enrich Port --java -- java -cp classes Main   of a program of Java")]
pub struct Enrich {
    /// The class, with or without its scopes
    pub class: String,
    /// So many steps from an object over its references are its state
    #[arg(long, value_name = "N", default_value = "1")]
    pub depth: NonZeroU32,
    /// Read only tests with this in their names
    #[arg(long, value_name = "TEXT")]
    pub tests: Option<String>,
    /// Read this recording instead of the suite's tests: a path, or the name of a recorded test or command; may be given several times
    #[arg(long, value_name = "RECORDING", conflicts_with = "tests")]
    pub recording: Vec<String>,
    /// From a state that a test reaches, go on by so many calls to states that none does
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub steps: usize,
    /// Begin no call after this time
    #[arg(long, value_name = "SECONDS")]
    pub within: Option<u64>,
    /// Write the automaton to this file, for `whydunit check`
    #[arg(long, short, value_name = "MODEL")]
    pub output: Option<PathBuf>,
    /// Make unit tests of what was learned, in the suite's own framework: each was compiled and has passed in a copy of the project
    #[arg(long, conflicts_with = "java")]
    pub unit_tests: bool,
    /// Write the unit tests into the files of the suite, each behind the test that it begins as
    #[arg(long, requires = "unit_tests")]
    pub write: bool,
    /// Run this program of Java, after `--`, again and again, with a call more or some less, instead of recorded runs
    #[arg(long, requires = "command", conflicts_with_all = ["tests", "recording"])]
    pub java: bool,
    /// The program of Java
    #[arg(last = true, value_name = "CMD", requires = "java")]
    pub command: Vec<OsString>,
}

/// Executions of a method in a state, where that many can be had.
const EXECUTIONS: usize = 3;

/// The automaton.
pub fn run(session: &Session, args: &Enrich) -> Result<Report, Failure> {
    let until = args.within.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
    let answer = if args.java { of_java(session, args, until)? } else { of_recordings(session, args, until)? };
    let mut report = Report::new(Body::Enrich(Box::new(answer.enriched)));
    report.problems = answer.problems;
    report.stats = answer.stats;
    report.interrupted = answer.interrupted;
    report.partial = answer.partial;
    Ok(report)
}

fn of_java(session: &Session, args: &Enrich, until: Option<Instant>) -> Result<Answer, Failure> {
    let question = java::Question {
        command: &args.command,
        class: Some(&args.class),
        depth: args.depth.get() as usize,
        inspectors: true,
        failing: None,
        events: None,
        limit: 4 << 30,
        time: None,
    };
    let how = java::Enriching { each: EXECUTIONS, until, model: args.output.as_deref() };
    Ok(java::enrich(&session.desk, &question, &how)?)
}

fn of_recordings(session: &Session, args: &Enrich, until: Option<Instant>) -> Result<Answer, Failure> {
    let question = Question {
        class: &args.class,
        depth: args.depth.get() as usize,
        tests: args.tests.as_deref(),
        recordings: &args.recording,
        steps: args.steps,
        until,
        model: args.output.as_deref(),
        unit_tests: match (args.unit_tests, args.write) {
            (false, _) => UnitTesting::No,
            (true, false) => UnitTesting::Told,
            (true, true) => UnitTesting::Written,
        },
    };
    Ok(enrich::answer(&session.desk, &question)?)
}
