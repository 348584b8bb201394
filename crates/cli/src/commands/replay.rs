//! `whydunit replay`

use clap::Args;
use whydunit_desk::recordings;
use whydunit_findings::{Body, Report};
use whydunit_workbench::Along;

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::session::Session;

/// Replay a recording and verify that it agrees with the run
///
/// Prints instructions, speed, surprises and bytes of log, the memory errors that the run made, and its other undefined behaviour. A divergence names
/// the instruction and the source line, and ends with status 70.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit replay                                  the latest recording\n  \
                        whydunit replay .whydunit/recordings/tall.1\n  whydunit replay --no-memory-check tall           as fast as it goes")]
pub struct Replay {
    /// A path, or the name of a recorded test [default: the latest]
    pub recording: Option<String>,
    /// Do not look for memory errors and undefined behaviour
    #[arg(long)]
    pub no_memory_check: bool,
    /// Also look for blocks that are never freed, and that nothing points to when the program exits
    #[arg(long, conflicts_with_all = ["no_memory_check", "track_dependences"])]
    pub leaks: bool,
    /// Track the origin of every value instead, as `why` does, to see how fast that goes
    #[arg(long, conflicts_with = "no_memory_check")]
    pub track_dependences: bool,
    #[command(flatten)]
    pub answer: AnswerFile,
}

impl Replay {
    fn along(&self) -> Along {
        match (self.no_memory_check, self.track_dependences) {
            (_, true) => Along::Dependences,
            (true, _) => Along::Nothing,
            _ => Along::Check { leaks: self.leaks },
        }
    }
}

/// Replays and compares.
pub fn run(session: &Session, args: &Replay) -> Result<Report, Failure> {
    let opened = session.desk.recording(args.recording.as_deref())?;
    let replayed = recordings::replay(&session.desk, &opened, args.along())?;
    let mut report = Report::new(Body::Replay(replayed.answer));
    report.problems = replayed.problems;
    report.stats = replayed.stats;
    Ok(report)
}
