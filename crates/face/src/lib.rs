//! What runs in place of the compiler and the linker while a project builds.
//!
//! A *face* is started under the name of a compiler or linker (`cc`, `gcc-12`, `ld`, …) by links in a folder that stands
//! first in PATH. It does what the user asked with the tool that was meant, and besides
//! - a *compile* leaves bitcode in the store and its id in the section [`elf::UNITS`] of the object, which survives `ar`,
//!   `ld -r`, copies and links;
//! - rustc, which cargo starts through us, does the same for each of its objects ([`rust`]);
//! - a *link* leaves a [`recipe::Recipe`] with which it can be done again from other objects, and its id in a note of the
//!   product.
//!
//! Invariants
//! - A face never makes a build fail that would have succeeded: whatever goes wrong on our side is written to the
//!   build's events ([`event::Event`]), and the object or product is as without us.
//! - This crate does not know LLVM: loading libLLVM takes longer than a small compile, and a face starts for each one.
//! - Everything in the store is written beside and renamed; content-addressed files never change, and what is damaged is
//!   noticed by whoever reads it.
// In the place of a compiler: what goes wrong is told where that one tells it.
#![allow(clippy::print_stderr)]

pub mod archive;
pub mod bitcode;
pub mod command;
mod compile;
pub mod context;
pub mod depend;
pub mod elf;
pub mod event;
pub mod flags;
mod inputs;
mod link;
pub mod linker_args;
mod probe;
pub mod recipe;
pub mod rust;
mod rust_objects;
mod standard;
pub mod store;
pub mod tools;

use std::{ffi::OsString, process::ExitCode};

/// A failure of our own inside a face. It never reaches the user's build, only the report of it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {}{}", .0.display(), .1, remedy(.1))]
    Io(std::path::PathBuf, #[source] std::io::Error),
    /// A tool did not start.
    #[error("{} does not start: {}", .0.display(), .1)]
    Start(std::path::PathBuf, #[source] std::io::Error),
    /// The store was written by another version.
    #[error("{} was written by another version (its layout is {found}, this program's is {}): delete it and build again", .path.display(), store::LAYOUT)]
    Layout {
        /// The store.
        path: std::path::PathBuf,
        /// What its version file says.
        found: String,
    },
    /// There is no store.
    #[error("no captured build is in {}", .0.display())]
    NoStore(std::path::PathBuf),
    /// A file of the store that only a build makes is gone, or no longer what was written.
    #[error("{} {how}: build the program again from scratch (its `clean`, then `whydunit build`)", .path.display())]
    Lost {
        /// The file.
        path: std::path::PathBuf,
        /// What is the matter with it, in words that go after its name.
        how: String,
    },
}

/// What to do about an input or output error, where there is something.
pub fn remedy(error: &std::io::Error) -> &'static str {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
            " (free some space; what the folder .whydunit holds can be deleted and built again)"
        }
        _ => "",
    }
}

impl Error {
    /// Adds the path to an input or output error.
    pub fn io(path: impl Into<std::path::PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io(path, source)
    }
}

/// Whether a program that was started under this name is meant to be a face: the name of a tool, inside a build of ours
/// or out of a folder of faces.
pub fn is_face(argv0: &OsString) -> bool {
    context::Context::from_process(argv0).is_some()
}

/// Runs as the tool that `args[0]` names.
pub fn main(args: Vec<OsString>) -> ExitCode {
    let Some((argv0, rest)) = args.split_first() else { return ExitCode::from(127) };
    let Some(context) = context::Context::from_process(argv0) else {
        eprintln!(
            "whydunit: {} is no compiler or linker that a build of ours started, or the tool that it stands for is gone",
            argv0.to_string_lossy()
        );
        return ExitCode::from(127);
    };
    if context.tool.name == rust::NAME {
        return rust::wrapper(&context, rest);
    }
    // Strings that are no UTF-8 cannot go into recipes; such a command runs as it is.
    let text: Option<Vec<String>> = rest.iter().map(|arg| arg.to_str().map(str::to_owned)).collect();
    let (Some(text), true) = (text, context.capturing()) else { return tools::exec(&context, rest) };
    if context.tool.is_linker() {
        return link::linker(&context, rest, &text);
    }
    let Some(command) = command::Command::parse(&context, &text) else { return tools::exec(&context, rest) };
    if probe::is_probe(&context, &command) {
        event::Event::Probe.log(&context);
        return tools::exec(&context, rest);
    }
    match command.mode {
        command::Mode::Query | command::Mode::Preprocess => tools::exec(&context, rest),
        command::Mode::Assembly => compile::to_assembly(&context, rest, &command),
        command::Mode::Compile => compile::compile(&context, rest, &command),
        command::Mode::Link => link::driver(&context, rest, &command),
    }
}
