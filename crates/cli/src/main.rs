//! The `whydunit` command.
//!
//! One binary with several faces: the command line of a person, and the compiler that a build under capture calls. The
//! outermost crate: it alone knows the command line, and it alone prints. Every command is a function from its
//! arguments to a [`Report`](whydunit_findings::Report) or a [`Failure`](failure::Failure).
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]

mod arguments;
mod commands;
mod convert;
mod date;
mod explaining;
mod failure;
mod locating;
mod output;
mod progress;
mod recorder;
mod repairing;
mod replaying;
mod reviewing;
mod session;
mod shrinking;
mod sources;
mod types;
mod working;

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::Arguments;
use clap::Parser;
use clap::error::ErrorKind;
use failure::Failure;
use session::Session;
use whydunit_capture::face;
use whydunit_findings::Exit;

fn main() -> ExitCode {
    run(std::env::args_os().collect())
}

/// Does what `args` (with the program's name first) say: under the name of a compiler in a build of ours, what that
/// compiler would do.
fn run(args: Vec<OsString>) -> ExitCode {
    if args.first().is_some_and(face::is_face) {
        return face::main(args);
    }
    failure::report_panics();
    // While this process is small.
    whydunit_suite::process::start_early();
    let exit = match Arguments::try_parse_from(args) {
        Ok(arguments) => std::panic::catch_unwind(|| execute(&arguments)).unwrap_or(Exit::Internal),
        Err(error) => {
            // Nobody is left to tell when this cannot be printed.
            error.print().ok();
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Success,
                _ => Exit::Usage,
            }
        }
    };
    whydunit_suite::process::end();
    ExitCode::from(exit.code())
}

fn execute(arguments: &Arguments) -> Exit {
    let outcome = arguments
        .check()
        .and_then(|()| Session::open(&arguments.global))
        .and_then(|session| commands::run(&session, &arguments.command).and_then(|report| session.print(&report)));
    outcome.unwrap_or_else(|failure: Failure| {
        failure.print();
        failure.exit
    })
}
