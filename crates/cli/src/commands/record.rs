//! `whydunit record`

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};

use whydunit_capture::Flavour;
use whydunit_desk::{Error, checking, convert, prepare, recordings};
use whydunit_findings::{self as findings, Body, Problem, Report};
use whydunit_inquiry::until_fails::{self, Limits};
use whydunit_recording::RunEnd;
use whydunit_suite::TestResult;
use whydunit_workbench::{Along, Project, Recordings, Run};

use crate::failure::Failure;
use crate::session::Session;

/// Record a run: a test of the suite, or any command
///
/// Every process with captured code leaves a recording of its own below .whydunit. A run that crashes, hangs or is killed
/// is recorded up to its end.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("what").required(true).args(["test", "command"]),
    after_help = "Examples:\n  whydunit record tall                 the test `tall`\n  \
                  whydunit record --check tall         and replay it at once\n  whydunit record -- ./tool -v file\n  whydunit record --until-fails sums   a test that fails now and then"
)]
pub struct Record {
    /// The test
    pub test: Option<String>,
    /// Replay at once: verifies the recording, and fails the test for memory errors and other undefined behaviour
    #[arg(long)]
    pub check: bool,
    /// With `--check`, also look for blocks that are never freed, and that nothing points to when the program exits
    #[arg(long, requires = "check")]
    pub leaks: bool,
    /// Record the test again and again, its threads in another order each time, until it fails; and tell how the failing run
    /// differs from one that passes
    #[arg(long, requires = "test")]
    pub until_fails: bool,
    /// How many runs `--until-fails` makes at most
    #[arg(long, value_name = "N", default_value_t = 200, requires = "until_fails")]
    pub runs: u32,
    /// Seconds that `--until-fails` takes at most
    #[arg(long, value_name = "SECONDS", default_value_t = 300, requires = "until_fails")]
    pub time_limit: u64,
    /// Where the recordings go [default: .whydunit/recordings]
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The command to record
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// Records a test, where that is asked for until it fails.
fn of_test(
    session: &Session,
    args: &Record,
    project: &Project,
    folder: &Recordings,
    name: &str,
) -> Result<(Run<Vec<TestResult>>, Option<findings::UntilFails>), Failure> {
    let desk = &session.desk;
    let suite = prepare::suite(desk, project)?;
    let test = suite.test(name).map_err(Error::NoTest)?;
    if args.until_fails {
        let limits = Limits { runs: args.runs, time: Duration::from_secs(args.time_limit) };
        let answer = until_fails::answer(desk, project, test, folder, limits)?;
        return Ok((answer.run, Some(answer.told)));
    }
    let task = desk.task("recording", None);
    let run = project.record_test(test, folder, &desk.cancel).map_err(Error::from)?;
    drop(task);
    Ok((run, None))
}

/// Records and tells where the recordings are.
pub fn run(session: &Session, args: &Record) -> Result<Report, Failure> {
    let desk = &session.desk;
    let project = desk.open_project()?;
    prepare::built(desk, &project)?;
    let mut problems = prepare::flavours(desk, &project, Flavour::Record)?;
    let store = desk.store()?;
    let folder = match &args.output {
        Some(folder) => Recordings::at(std::path::absolute(folder).map_err(Error::from)?),
        None => Recordings::of(&store),
    };
    // Better now than when the run is over.
    let created = folder.create().map_err(|error| Failure::from(Error::from(error)));
    created.map_err(|failure| failure.advice("name a folder for recordings by --output"))?;
    let mut report = Report::new(Body::Record(findings::Record::default()));
    let mut until = None;
    let kept = match &args.test {
        Some(name) => {
            let (run, told) = of_test(session, args, &project, &folder, name)?;
            until = told;
            report.tests = run.result.iter().map(convert::test).collect();
            problems.extend(run.notes().cloned());
            run.recordings
        }
        None => {
            let here = std::env::current_dir().map_err(Error::from)?;
            // The answer alone goes to standard output.
            let mut echo = |_, bytes: &[u8]| _ = std::io::stderr().write_all(bytes);
            let recorded = project.record_command(&args.command, &here, &folder, &mut echo, &desk.cancel);
            let run = recorded.map_err(Error::from)?;
            problems.extend(run.notes().cloned());
            run.recordings
        }
    };
    report.problems = problems.into_iter().map(Problem::new).collect();
    if kept.is_empty() {
        let failure = Failure::usage("the run went through, but nothing of it could be kept");
        session.fail_after_answer(
            failure
                .at(folder.folder().display())
                .advice("free some space there, or name another folder by --output, and record again"),
        );
    }
    let mut record = findings::Record { until_fails: until, ..findings::Record::default() };
    for recorded in &kept {
        if let RunEnd::Stopped { reason, message } = &recorded.summary.end {
            let recording = format!("the recording of {}", recorded.program);
            report.problems.push(recordings::stopped(&recording, *reason, message));
        }
        record.recordings.push(findings::Recorded {
            path: project.relative(&recorded.path),
            program: recorded.program.clone(),
            end: convert::run_end(&recorded.summary.end, recorded.exit),
            log_bytes: recorded.summary.compressed_bytes,
        });
        if args.check {
            let opened = desk.open_recording(&store, &recorded.path)?;
            let replayed = recordings::replay(desk, &opened, Along::Check { leaks: args.leaks })?;
            report.problems.extend(replayed.problems);
            report.stats = replayed.stats;
            if replayed.answer.divergence.is_some() {
                report.body = Body::Replay(replayed.answer);
                return Ok(report);
            }
            record.errors.extend(replayed.answer.errors);
        }
    }
    if let Some(test) = report.tests.first_mut() {
        checking::fail(test, record.errors.clone());
    }
    report.body = Body::Record(record);
    Ok(report)
}
