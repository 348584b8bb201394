//! The commands, a file each: its arguments with their help, and `run`.

mod answer_file;
pub mod build;
pub mod cases;
pub mod check;
pub mod completions;
pub mod dap;
pub mod demo;
pub mod doctor;
pub mod enrich;
pub mod explain;
pub mod history;
pub mod init;
pub mod locate;
pub mod lsp;
pub mod manual;
pub mod merge;
pub mod mine;
mod place;
pub mod record;
pub mod repair;
pub mod replay;
pub mod review;
pub mod score;
pub mod show;
pub mod shrink;
pub mod test;
pub mod why;

use std::io::Write;

use clap::Subcommand;
use whydunit_findings::Report;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    Init(init::Init),
    Build(build::Build),
    Test(test::Test),
    Cases(cases::Cases),
    Merge(merge::Merge),
    Record(record::Record),
    Replay(replay::Replay),
    Show(show::Show),
    Why(why::Why),
    Locate(locate::Locate),
    Explain(explain::Explain),
    Repair(repair::Repair),
    Review(review::Review),
    Shrink(shrink::Shrink),
    Mine(mine::Mine),
    Enrich(enrich::Enrich),
    Check(check::Check),
    Dap(dap::Dap),
    Lsp(lsp::Lsp),
    History(Box<history::HistoryArgs>),
    Score(score::ScoreArgs),
    Demo(demo::Demo),
    Doctor(doctor::Doctor),
    Completions(completions::Completions),
    Manual(manual::Manual),
}

/// Runs a command and prints its answer; how the program ends. `answered` is told when the answer is there.
pub fn execute(session: &Session, command: &Command, answered: impl FnOnce()) -> Result<Exit, Failure> {
    let report = match command {
        // It answers an editor all the time.
        Command::Dap(args) => return dap::run(session, args),
        Command::Lsp(args) => return lsp::run(session, args),
        command => run(session, command),
    };
    answered();
    let report = report?;
    session.keep(&report);
    session.print(&report)
}

/// The answer of a command.
pub fn run(session: &Session, command: &Command) -> Result<Report, Failure> {
    answer_file::of(command).map_or(Ok(()), |path| session.write_to(path))?;
    match command {
        Command::Init(args) => init::run(session, args),
        Command::Build(args) => build::run(session, args),
        Command::Test(args) => test::run(session, args),
        Command::Cases(args) => cases::run(session, args),
        Command::Merge(args) => merge::run(session, args),
        Command::Record(args) => record::run(session, args),
        Command::Replay(args) => replay::run(session, args),
        Command::Show(args) => show::run(session, args),
        Command::Why(args) => why::run(session, args),
        Command::Locate(args) => locate::run(session, args),
        Command::Explain(args) => explain::run(session, args),
        Command::Repair(args) => repair::run(session, args),
        Command::Review(args) => review::run(session, args),
        Command::History(args) => history::run(session, args),
        Command::Check(args) => check::run(session, args),
        Command::Dap(_) | Command::Lsp(_) => Err(Failure::usage("a server of editors has no report")),
        Command::Completions(_) | Command::Manual(_) => Err(Failure::usage("what is printed as it is has no report")),
        Command::Enrich(args) => enrich::run(session, args),
        Command::Mine(args) => mine::run(session, args),
        Command::Shrink(args) => shrink::run(session, args),
        Command::Score(args) => score::run(session, args),
        Command::Demo(args) => demo::run(session, args),
        Command::Doctor(args) => doctor::run(session, args),
    }
}

/// Writes what is no report to standard output as it is.
fn printed(bytes: &[u8]) -> Result<Exit, Failure> {
    match std::io::stdout().write_all(bytes) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::new(Exit::Internal, error)),
        // The reader may have seen enough: `whydunit manual locate | head`.
        _ => Ok(Exit::Success),
    }
}
