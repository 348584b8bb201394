//! Compiles to objects.

use std::{
    collections::HashMap,
    ffi::OsString,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process::ExitCode,
};

use whydunit_process::Pool;

use crate::{
    bitcode::{self, Captured},
    command::Command,
    context::Context,
    elf,
    event::Event,
    tools,
};

/// `-S`: what becomes of the assembly cannot be followed.
pub fn to_assembly(context: &Context, arguments: &[OsString], command: &Command) -> ExitCode {
    for (source, _) in command.sources() {
        external(context, source, "compiled to assembly");
    }
    tools::end_as(context, tools::run(context, arguments))
}

/// `-c`: runs the user's compile and, at the same time, the one to bitcode.
pub fn compile(context: &Context, arguments: &[OsString], command: &Command) -> ExitCode {
    let output = |source: &str| match &command.output {
        Some(output) => context.absolute(output),
        None => {
            context.absolute(Path::new(source).with_extension("o").file_name().map(PathBuf::from).unwrap_or_default())
        }
    };
    for (source, language) in command.foreign() {
        external(context, source, language);
    }
    if command.sources().next().is_none() {
        return tools::end_as(context, tools::run(context, arguments));
    }
    let (status, units) = std::thread::scope(|scope| {
        let capture = scope.spawn(|| capture_all(context, command));
        (tools::run(context, arguments), capture.join().unwrap_or_default())
    });
    if status.success() {
        for (source, _) in command.sources() {
            match units.get(source) {
                Some(Ok(captured)) => mark(context, source, &output(source), captured),
                Some(Err(reason)) => external(context, source, reason),
                None => external(context, source, "capture failed"),
            }
        }
    }
    tools::end_as(context, status)
}

/// Captures all C and C++ sources of a command, side by side; by the source as given.
pub fn capture_all<'c>(context: &Context, command: &'c Command) -> HashMap<&'c str, Result<Captured, String>> {
    let captured = Pool::of_cores().run(command.sources().collect::<Vec<_>>(), |(source, language)| {
        // Whatever goes wrong here, the compile itself goes on.
        let capture = AssertUnwindSafe(|| bitcode::capture(context, command, source, language));
        (source, catch_unwind(capture).unwrap_or_else(|_| Err("capture failed".to_owned())))
    });
    captured.into_iter().collect()
}

/// Writes the unit's id into the object.
fn mark(context: &Context, source: &str, object: &Path, captured: &Captured) {
    match elf::mark(object, [&captured.unit.id], None) {
        Ok(()) => log_captured(context, captured),
        Err(error) => external(context, source, &format!("{}: {error}", object.display())),
    }
}

/// Reports a captured unit.
pub fn log_captured(context: &Context, captured: &Captured) {
    Event::Captured {
        source: captured.unit.source.display().to_string(),
        unit: captured.unit.id.clone(),
        reused: captured.reused,
        dropped: captured.unit.dropped.clone(),
        sanitizers: captured.unit.sanitizers.clone(),
    }
    .log(context);
}

/// Reports a unit that is not captured.
pub fn external(context: &Context, source: &str, reason: &str) {
    let source = context.absolute(source).display().to_string();
    Event::External { source, reason: reason.to_owned() }.log(context);
}
