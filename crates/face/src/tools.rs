//! Starting the real tools.

use std::{
    ffi::OsString,
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Command, ExitCode, ExitStatus},
};

use crate::{
    context::{Context, INSIDE},
    event::Event,
};

/// A command for a real tool: it does not see the faces.
pub fn command(context: &Context, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("PATH", context.original_path()).env(INSIDE, "1");
    command
}

/// Becomes the real tool.
pub fn exec(context: &Context, arguments: &[OsString]) -> ExitCode {
    let error = command(context, &context.tool.real).args(arguments).exec();
    eprintln!("whydunit: {} does not start: {error}", context.tool.real.display());
    ExitCode::from(127)
}

/// Runs the real tool and waits.
pub fn run(context: &Context, arguments: &[OsString]) -> ExitStatus {
    match command(context, &context.tool.real).args(arguments).status() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("whydunit: {} does not start: {error}", context.tool.real.display());
            ExitStatus::from_raw(127 << 8)
        }
    }
}

/// Ends as a tool ended, by the same signal too; that it failed is an event of the build.
pub fn end_as(context: &Context, status: ExitStatus) -> ExitCode {
    if !status.success() {
        Event::Failed { tool: context.tool.name.clone() }.log(context);
    }
    if let Some(signal) = status.signal().and_then(|signal| nix::sys::signal::Signal::try_from(signal).ok()) {
        let _ = nix::sys::signal::raise(signal);
        return ExitCode::from(128u8.wrapping_add(signal as u8));
    }
    ExitCode::from(status.code().unwrap_or(1) as u8)
}
