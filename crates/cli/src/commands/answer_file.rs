//! The file that an answer goes to.

use std::path::{Path, PathBuf};

use clap::Args;
use whydunit_findings::Problem;

use super::Command;

/// Where the answer goes. The same option in every command whose answer is a report.
#[derive(Args, Clone, Debug, Default)]
pub struct AnswerFile {
    /// Write the answer to this file, in the format asked for, whole or not at all, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The file that a command's answer goes to; `None`: standard output.
pub fn of(command: &Command) -> Option<&Path> {
    let file = match command {
        Command::Init(args) => &args.answer,
        Command::Build(args) => &args.answer,
        Command::Test(args) => &args.answer,
        Command::Cases(args) => &args.answer,
        Command::Merge(args) => &args.answer,
        Command::Replay(args) => &args.answer,
        Command::Show(args) => &args.answer,
        Command::Why(args) => &args.answer,
        Command::Locate(args) => &args.answer,
        Command::Explain(args) => &args.answer,
        Command::Repair(args) => &args.answer,
        Command::Review(args) => &args.answer,
        Command::Mine(args) => &args.answer,
        Command::Check(args) => &args.answer,
        Command::History(args) => return args.output.as_deref(),
        Command::Score(args) => &args.answer,
        Command::Doctor(args) => &args.answer,
        // What they make goes where their own `--output` says.
        Command::Record(_) | Command::Shrink(_) | Command::Enrich(_) => return None,
        Command::Demo(_) | Command::Dap(_) | Command::Lsp(_) | Command::Completions(_) | Command::Manual(_) => {
            return None;
        }
    };
    file.output.as_deref()
}

/// What to know where `--output` was asked for: in earlier versions it was the file of the patch.
pub fn is_no_patch(file: &AnswerFile) -> Option<Problem> {
    let told = || {
        Problem::new("`--output` is the file of the answer").help("`--patch FILE` writes the patch, for `git apply`")
    };
    file.output.is_some().then(told)
}
