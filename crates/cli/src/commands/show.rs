//! `whydunit show`

use clap::Args;
use whydunit_findings::{Body, Report};
use whydunit_inquiry::classes::{self, Options};
use whydunit_inquiry::show::{self, Question};
use whydunit_workbench::OutlineLimits;

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::global::Format;
use crate::session::Session;

/// Show a recording: its calls, its output, and where it failed, with the variables in scope
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit show                  the latest recording\n  whydunit show tall             that of the test `tall`\n  \
                        whydunit show --depth 3 tall   calls down to depth 3\n  \
                        whydunit show --format html -o tall.html tall   a page to go through the run, for a browser\n  whydunit show --classes        \
                        the classes of the program, with their methods\n  whydunit show --classes Ring   those with `Ring` in their names"
)]
pub struct Show {
    /// A path, or the name of a recorded test [default: the latest]
    pub recording: Option<String>,
    /// Calls deeper than this are left out
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub depth: u32,
    /// At most so many lines of outline; the first and the last are kept
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub lines: usize,
    /// In a page (--format html): at most so many moments of the run, those that the failure comes from first
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub moments: usize,
    #[command(flatten)]
    pub answer: AnswerFile,
    /// Show no recording but the classes of the captured program with their methods: all, or those with TEXT in their names
    #[arg(long, value_name = "TEXT", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["recording", "depth", "lines", "moments"])]
    pub classes: Option<String>,
    /// With --classes: those of libraries too
    #[arg(long, requires = "classes")]
    pub all: bool,
    /// With --classes: each instance of a template or generic type for itself
    #[arg(long, requires = "classes")]
    pub instances: bool,
}

/// Outline and failure of a run.
pub fn run(session: &Session, args: &Show) -> Result<Report, Failure> {
    let desk = &session.desk;
    if let Some(text) = &args.classes {
        let options = Options { instances: args.instances, libraries: args.all };
        let (listed, problems) = classes::answer(desk, Some(text.as_str()).filter(|text| !text.is_empty()), options)?;
        let mut report = Report::new(Body::Classes(listed));
        report.problems = problems;
        return Ok(report);
    }
    let limits = OutlineLimits { lines: args.lines, depth: args.depth as usize };
    let moments = session.writes(Format::Html).then_some(args.moments);
    let question = Question { recording: args.recording.as_deref(), limits, moments };
    let (shown, problems) = show::answer(desk, question)?;
    let mut report = Report::new(Body::Show(shown));
    report.problems = problems;
    Ok(report)
}
