//! `whydunit record`

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use whydunit_capture::Flavour;
use whydunit_findings::{self as findings, Body, Exit, Problem, Report};
use whydunit_recording::RunEnd;
use whydunit_suite::process::interrupts;
use whydunit_workbench::{Along, Recordings};

use crate::failure::{Failure, OrFail};
use crate::session::Session;
use crate::{convert, replaying, working};

/// Record a run: a test of the suite, or any command
///
/// Every process with captured code leaves a recording of its own below .whydunit. A run that crashes, hangs or is killed
/// is recorded up to its end.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("what").required(true).args(["test", "command"]),
    after_help = "Examples:\n  whydunit record tall                 the test `tall`\n  \
                  whydunit record --check tall         and replay it at once\n  whydunit record -- ./tool -v file"
)]
pub struct Record {
    /// The test
    pub test: Option<String>,
    /// Replay at once: verifies the recording and looks for memory errors
    #[arg(long)]
    pub check: bool,
    /// Where the recordings go [default: .whydunit/recordings]
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The command to record
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// Records and tells where the recordings are.
pub fn run(session: &Session, args: &Record) -> Result<Report, Failure> {
    let project = session.project()?;
    working::built(session, &project)?;
    let mut problems = working::flavours(session, &project, Flavour::Record)?;
    let store = session.store()?;
    let recordings = match &args.output {
        Some(folder) => Recordings::at(std::path::absolute(folder).or_fail(Exit::Usage)?),
        None => Recordings::of(&store),
    };
    // Better now than when the run is over.
    recordings
        .create()
        .or_fail(Exit::Usage)
        .map_err(|failure| failure.advice("name a folder for recordings by --output"))?;
    let mut report = Report::new(Body::Record(findings::Record::default()));
    let kept = match &args.test {
        Some(name) => {
            let suite = working::suite(&project)?;
            let test = suite.test(name).map_err(Failure::usage)?;
            let task = session.progress.task("recording", None);
            let run = project.record_test(test, &recordings, interrupts()).or_fail(Exit::Usage)?;
            drop(task);
            report.tests = run.result.iter().map(convert::test).collect();
            problems.extend(run.notes().cloned());
            run.recordings
        }
        None => {
            let folder = std::env::current_dir().or_fail(Exit::Usage)?;
            // The answer alone goes to standard output.
            let mut echo = |_, bytes: &[u8]| _ = std::io::stderr().write_all(bytes);
            let recorded = project.record_command(&args.command, &folder, &recordings, &mut echo, interrupts());
            let run = recorded.or_fail(Exit::Usage)?;
            problems.extend(run.notes().cloned());
            run.recordings
        }
    };
    report.problems = problems.into_iter().map(Problem::new).collect();
    if kept.is_empty() {
        let failure = Failure::usage("the run went through, but nothing of it could be kept");
        session.fail_after_answer(
            failure
                .at(recordings.folder().display())
                .advice("free some space there, or name another folder by --output, and record again"),
        );
    }
    let mut record = findings::Record::default();
    for recorded in &kept {
        if let RunEnd::Stopped { reason, message } = &recorded.summary.end {
            let recording = format!("the recording of {}", recorded.program);
            report.problems.push(replaying::stopped(&recording, *reason, message));
        }
        record.recordings.push(findings::Recorded {
            path: project.relative(&recorded.path),
            program: recorded.program.clone(),
            end: convert::run_end(&recorded.summary.end, recorded.exit),
            log_bytes: recorded.summary.compressed_bytes,
        });
        if args.check {
            let opened = session.open_recording(&store, &recorded.path)?;
            let replayed = replaying::replay(session, &opened, Along::MemoryCheck)?;
            report.problems.extend(replayed.problems);
            report.stats = replayed.stats;
            if replayed.answer.divergence.is_some() {
                report.body = Body::Replay(replayed.answer);
                return Ok(report);
            }
            record.memory_errors.extend(replayed.answer.memory_errors);
        }
    }
    report.body = Body::Record(record);
    Ok(report)
}
