//! Why nothing could be traced.

use whydunit_events::FileError;
use whydunit_process::RunError;

/// Why nothing could be traced.
#[derive(Debug, thiserror::Error)]
pub enum JavaError {
    /// The tracer was not built with this program.
    #[error("this whydunit was built without its tracer for Java")]
    NoTracer,
    /// The command is none of a virtual machine.
    #[error("the command starts with `{word}`, which is no java")]
    NoJava {
        /// Its first word.
        word: String,
    },
    /// There is no such program.
    #[error("there is no `{word}` to be run")]
    NotFound {
        /// As the command has it.
        word: String,
    },
    /// It says nothing of its version.
    #[error("`{word} -version` does not tell a version")]
    NoVersion {
        /// As the command has it.
        word: String,
    },
    /// The tracer cannot work there.
    #[error("`{word}` is Java {version}, and the tracer works in Java {oldest} to {newest}")]
    Version {
        /// As the command has it.
        word: String,
        /// Its version.
        version: u32,
        /// The first that will do.
        oldest: u32,
        /// The last that will do.
        newest: u32,
    },
    /// The virtual machine did not start with the tracer.
    #[error("the virtual machine did not run the program: {said}")]
    NotStarted {
        /// What it said.
        said: String,
    },
    /// A file of ours.
    #[error("cannot write what the tracer needs: {0}")]
    Folder(std::io::Error),
    /// The stream that the tracer wrote is none.
    #[error("the tracer's events cannot be read: {0}")]
    Events(#[from] FileError),
    /// The program could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
}
