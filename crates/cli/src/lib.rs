//! The command line.
//!
//! One program with several faces: the command line of a person, and the compiler that a build under capture calls. The
//! outermost crate: it alone knows the command line, and it alone prints. Every command is a function from its
//! arguments to a [`Report`](whydunit_findings::Report) or a [`Failure`](failure::Failure).
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]

mod advice;
mod arguments;
mod commands;
mod exit;
mod failure;
mod global;
mod names;
mod progress;
mod session;

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::Arguments;
use clap::Parser;
use clap::error::ErrorKind;
pub use exit::Exit;
use failure::Failure;
use session::Session;
use whydunit_capture::face;

/// Does what `args` (with the program's name first) say: under the name of a compiler in a build of ours, what that
/// compiler would do.
pub fn run(args: Vec<OsString>) -> ExitCode {
    if args.first().is_some_and(face::is_face) {
        return face::main(args);
    }
    failure::report_panics();
    // While this process is small.
    whydunit_process::start_early();
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
    whydunit_process::end();
    ExitCode::from(exit.code())
}

fn execute(arguments: &Arguments) -> Exit {
    let outcome = arguments
        .check()
        .and_then(|()| Session::open(&arguments.global, whydunit_process::interrupts().clone()))
        .and_then(|session| commands::run(&session, &arguments.command).and_then(|report| session.print(&report)));
    outcome.unwrap_or_else(|failure: Failure| {
        failure.print();
        failure.exit
    })
}
