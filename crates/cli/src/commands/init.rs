//! `whydunit init`

use clap::Args;
use whydunit_desk::Error;
use whydunit_findings::{self as findings, Body, Problem, Report};

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::session::Session;

/// Write whydunit.toml with what can be found out about the project
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit init\n  whydunit init --force      write it anew")]
pub struct Init {
    /// Replace an existing whydunit.toml
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub answer: AnswerFile,
}

/// Writes the configuration and tells what it decided.
pub fn run(session: &Session, args: &Init) -> Result<Report, Failure> {
    let project = &session.desk.project;
    let file = project.join(whydunit_suite::FILE_NAME);
    if file.exists() && !args.force {
        return Err(Failure::usage("there is a configuration already")
            .at(file.display())
            .advice("edit it, or let `whydunit init --force` write it anew"));
    }
    let init = whydunit_suite::init(project).map_err(Error::from)?;
    // Written whole or not at all.
    let temporary = project.join(".whydunit.toml.new");
    let written = std::fs::write(&temporary, &init.text).and_then(|()| std::fs::rename(&temporary, &file));
    if written.is_err() {
        std::fs::remove_file(&temporary).ok();
    }
    written.map_err(Error::io(&file))?;
    let path = whydunit_suite::FILE_NAME.to_string();
    let mut report = Report::new(Body::Init(findings::Init { path, decisions: init.decisions }));
    report.problems = init.open.into_iter().map(Problem::new).collect();
    Ok(report)
}
