//! The command line.
//!
//! One program with several faces: the command line of a person, and the compiler that a build under capture calls. The
//! outermost crate: it alone knows the command line, and it alone prints. Every command is a function from its
//! arguments to a [`Report`](whydunit_findings::Report) or a [`Failure`](failure::Failure).
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, clippy::disallowed_methods)]

mod advice;
mod arguments;
mod commands;
mod exit;
mod failure;
mod global;
mod names;
mod patience;
mod progress;
mod session;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arguments::Arguments;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use commands::Command;
pub use exit::Exit;
use failure::Failure;
use session::Session;
use whydunit_capture::face;
use whydunit_desk::Cancel;

/// Does what `args` (with the program's name first) say: under the name of a compiler in a build of ours, what that
/// compiler would do.
pub fn run(args: Vec<OsString>) -> ExitCode {
    if let Some(ended) = whydunit_capture::observer() {
        return ended;
    }
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
    let cancel = whydunit_process::interrupts();
    let answered = Arc::new(AtomicBool::new(false));
    std::thread::spawn({
        let answered = Arc::clone(&answered);
        move || end_late(cancel, &answered)
    });
    let outcome = arguments.check().and_then(|()| match &arguments.command {
        // These tell of this program alone.
        Command::Completions(args) => commands::completions::run(args, Arguments::command()),
        Command::Manual(args) => commands::manual::run(args, Arguments::command()),
        command => Session::open(&arguments.global, cancel.clone())
            .and_then(|session| commands::execute(&session, command, || answered.store(true, Ordering::Relaxed))),
    });
    outcome.unwrap_or_else(|failure: Failure| {
        failure.print();
        failure.exit
    })
}

/// So long an answer is waited for once the user has interrupted: what it has by then is told.
const PATIENCE: Duration = Duration::from_millis(1500);
const TICK: Duration = Duration::from_millis(20);

/// Ends the program where it does not end by itself soon after it was interrupted, in the middle of something that cannot be
/// stopped. Whatever it writes is written whole or not at all.
fn end_late(cancel: &Cancel, answered: &AtomicBool) {
    while !cancel.is_cancelled() {
        std::thread::sleep(TICK);
    }
    std::thread::sleep(PATIENCE);
    if answered.load(Ordering::Relaxed) {
        return;
    }
    let failure = Failure::from(whydunit_desk::Error::Interrupted);
    failure.print();
    whydunit_process::end();
    std::process::exit(failure.exit.code().into());
}
