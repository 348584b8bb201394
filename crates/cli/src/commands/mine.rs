//! `whydunit mine`

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use whydunit_findings::{Body, Report};
use whydunit_inquiry::java;
use whydunit_inquiry::mine::{self, Answer, Question};

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::session::Session;

/// Show how objects of a class behave: their states, and which calls lead where
///
/// Reads the recorded runs of the suite's tests. The states are what the fields and inspectors of the objects have as values:
/// numbers by their sign, references by whether they are null, containers by whether they are empty.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit mine                          the classes that have objects\n  \
                        whydunit mine Vector                   the states and transitions of one\n  \
                        whydunit mine Vector --format mermaid  a drawing for a README file\n  \
                        whydunit mine Manager --depth 2        with what its objects refer to\n  \
                        whydunit mine Parser --failing bad     what its objects do in the failing test `bad` only\n  \
                        whydunit mine Parser --against v1.2    what has changed in how they behave\n  \
                        whydunit mine --purity                 which methods change nothing\n  \
                        whydunit mine Port --java -- java -cp classes Main   of a program of Java")]
pub struct Mine {
    /// The class, with or without its scopes [default: all that have objects are listed]
    pub class: Option<String>,
    /// So many steps from an object over its references are its state
    #[arg(long, value_name = "N", default_value = "1")]
    pub depth: NonZeroU32,
    /// Read only tests with this in their names
    #[arg(long, value_name = "TEXT")]
    pub tests: Option<String>,
    /// Read this recording instead of the suite's tests: a path, or the name of a recorded test or command; may be given several times
    #[arg(long, value_name = "RECORDING", conflicts_with = "tests")]
    pub recording: Vec<String>,
    /// Leave the values of inspectors out: methods that are const, take nothing and return a plain value
    #[arg(long)]
    pub no_inspectors: bool,
    /// Tell which methods modify what was there when they were called, of the class or of all
    #[arg(long, conflicts_with_all = ["failing", "against", "events"])]
    pub purity: bool,
    /// Tell what objects do in this failing test that they do in no passing one, and which of its calls find them otherwise
    #[arg(long, value_name = "TEST", conflicts_with_all = ["against", "events", "recording"])]
    pub failing: Option<String>,
    /// Tell what objects do differently from the version of this git revision
    #[arg(long, value_name = "REV", conflicts_with_all = ["events", "recording"])]
    pub against: Option<String>,
    /// Print a section of whydunit.toml for a structure of C: what makes and ends its objects, how its callers test for errors
    #[arg(long, conflicts_with_all = ["purity", "failing", "against", "events"])]
    pub propose: bool,
    /// Write the stream of events to this file: lines of JSON where its name ends in .jsonl, else the binary form
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    #[command(flatten)]
    pub answer: AnswerFile,
    /// Read a run of this program of Java, after `--`, instead of recorded ones; the tests of JUnit 4 are a run each
    #[arg(long, requires = "command", conflicts_with_all = ["tests", "recording", "purity", "against", "propose"])]
    pub java: bool,
    /// With --java: trace no more than so many MiB
    #[arg(long, value_name = "MIB", default_value = "4096", requires = "java")]
    pub trace_limit: u64,
    /// The program of Java
    #[arg(last = true, value_name = "CMD", requires = "java")]
    pub command: Vec<OsString>,
}

/// The classes, or the models of one.
pub fn run(session: &Session, args: &Mine) -> Result<Report, Failure> {
    let answer = if args.java { of_java(session, args)? } else { of_recordings(session, args)? };
    let mut report = Report::new(Body::Mine(answer.mined));
    report.problems = answer.problems;
    report.stats = answer.stats;
    report.interrupted = answer.interrupted;
    report.partial = answer.interrupted;
    Ok(report)
}

fn of_java(session: &Session, args: &Mine) -> Result<Answer, Failure> {
    let question = java::Question {
        command: &args.command,
        class: args.class.as_deref(),
        depth: args.depth.get() as usize,
        inspectors: !args.no_inspectors,
        failing: args.failing.as_deref(),
        events: args.events.as_deref(),
        limit: args.trace_limit.saturating_mul(1 << 20),
        time: None,
    };
    Ok(java::mine(&session.desk, &question)?)
}

fn of_recordings(session: &Session, args: &Mine) -> Result<Answer, Failure> {
    let question = Question {
        class: args.class.as_deref(),
        depth: args.depth.get() as usize,
        tests: args.tests.as_deref(),
        recordings: &args.recording,
        inspectors: !args.no_inspectors,
        purity: args.purity,
        failing: args.failing.as_deref(),
        against: args.against.as_deref(),
        propose: args.propose,
        events: args.events.as_deref(),
    };
    Ok(mine::answer(&session.desk, &question)?)
}
