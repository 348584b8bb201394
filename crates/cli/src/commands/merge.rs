//! `whydunit merge`

use std::path::PathBuf;

use clap::Args;
use whydunit_findings::Report;
use whydunit_reports::{Merged, ShardError, merge};

use super::answer_file::AnswerFile;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::global::Format;
use crate::session::Session;

/// Put the answers of several machines together that each ran a part of the suite
///
/// Each ran `whydunit test --shard K/N --format json`, and wrote its answer to a file. The report is the one that `whydunit test` gives
/// of the whole suite, in its order, whatever the number of parts.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit test --shard 2/4 --format json > shards/2.json    on the second of four machines\n  \
                        whydunit merge shards                                      when all are done\n  \
                        whydunit merge shards --junit results.xml --format markdown"
)]
pub struct Merge {
    /// Folders with the answers, in files whose names end in `.json`
    #[arg(value_name = "FOLDER", required = true)]
    pub folders: Vec<PathBuf>,
    /// Write the results to this file too, as JUnit's XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub answer: AnswerFile,
}

/// The common report. What is missing of it is told behind it, as a failure.
pub fn run(session: &Session, args: &Merge) -> Result<Report, Failure> {
    args.junit.as_deref().map_or(Ok(()), |path| session.write_also(Format::Junit, path))?;
    let merged = merge(&args.folders).map_err(failure)?;
    if let Some(failure) = incomplete(&merged) {
        session.fail_after_answer(failure);
    }
    Ok(merged.report)
}

fn incomplete(merged: &Merged) -> Option<Failure> {
    let named = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let (what, numbers) = match (&merged.missing[..], &merged.interrupted[..]) {
        ([], []) => return None,
        ([], interrupted) => ("the answer is partial: of these shards not all tests were run", interrupted),
        (missing, _) => ("the answer is partial: these shards are missing", missing),
    };
    let told = format!("{what}: {} of {}", named(numbers), merged.of);
    Some(Failure::new(Exit::TimeLimit, told).advice("run them again: `whydunit test --shard K/N --format json`"))
}

fn failure(error: ShardError) -> Failure {
    const RUN_FIRST: &str = "write them first: `whydunit test --shard K/N --format json > FOLDER/K.json`";
    let told = Failure::usage(whydunit_desk::chain(&error));
    let shown = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    match error {
        ShardError::Unreadable(path, _) => told.at(path.display()).advice(RUN_FIRST),
        ShardError::None(folders) => told.at(shown(&folders)).advice(RUN_FIRST),
        ShardError::NoAnswer(path, _) => told.at(path.display()).advice("remove the file, and run its shard again"),
        ShardError::Different(one, other) => {
            told.at(shown(&[one, other])).advice("give the folders of one run: the same tests, in as many shards")
        }
        ShardError::Twice { files, .. } => told.at(shown(&files)).advice("remove the one that does not count"),
    }
}
