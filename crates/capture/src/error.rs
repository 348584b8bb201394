//! What can go wrong.

use std::path::PathBuf;

/// A failure, with what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store.
    #[error(transparent)]
    Store(#[from] whydunit_face::Error),
    /// A file could not be read or written.
    #[error("{}: {}{}", .path.display(), .source, whydunit_face::remedy(.source))]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A folder for runs that are observed.
    #[error(transparent)]
    Observe(#[from] whydunit_observe::Error),
    /// clang 22 is not there.
    #[error("clang 22 was not found: install it (Debian: apt-get install clang-22), or name it in WHYDUNIT_CLANG")]
    NoClang,
    /// What should be clang 22 is something else.
    #[error(
        "{} is not clang 22: {says}; install that (Debian: apt-get install clang-22), or name it in WHYDUNIT_CLANG",
        .clang.display()
    )]
    OtherClang {
        /// The program.
        clang: PathBuf,
        /// What it says of itself, or why it does not start.
        says: String,
    },
    /// The build's command is empty.
    #[error("no build command was given")]
    NoCommand,
    /// The build's command could not be started.
    #[error("{command} does not start: {source}")]
    Start {
        /// The command.
        command: String,
        /// Why.
        source: std::io::Error,
    },
    /// It was ended by whoever asked for it.
    #[error("interrupted")]
    Cancelled,
    /// The build failed.
    #[error("the build failed: `{command}` ended with {status}; its last lines are\n{}", .lines.join("\n"))]
    BuildFailed {
        /// The command.
        command: String,
        /// How it ended.
        status: String,
        /// The end of its output.
        lines: Vec<String>,
    },
    /// The build compiled nothing that could be captured.
    #[error("nothing was captured while `{command}` ran: {hint}")]
    NothingCaptured {
        /// The command.
        command: String,
        /// What may be the reason.
        hint: String,
    },
    /// The disk ran full while a build was captured.
    #[error(
        "the disk under {} is full: the build itself went through, but not all of it is captured; free some space, clean, \
         and build again",
        .0.display()
    )]
    Full(PathBuf),
    /// A file is no product of a captured build.
    #[error("{} is not linked by a captured build", .0.display())]
    NotCaptured(PathBuf),
    /// The store does not know a link.
    #[error("the store has no link {0}")]
    UnknownLink(String),
    /// Objects that are not captured and can only be linked at a fixed place.
    #[error(
        "{} cannot be linked into a recorded program: compiled for a fixed address and not captured; compile with -fPIE or -fPIC",
        .0.join(", ")
    )]
    FixedPlace(Vec<String>),
    /// A flavour did not link.
    #[error("the {flavour} copy of {} does not link:\n{}", .product.display(), .lines.join("\n"))]
    Link {
        /// The flavour.
        flavour: String,
        /// The product.
        product: PathBuf,
        /// The linker's words.
        lines: Vec<String>,
    },
    /// No module of a product could be made.
    #[error("{}", .0)]
    Module(String),
    /// A tool failed.
    #[error("{tool} failed: {message}")]
    Tool {
        /// Which.
        tool: String,
        /// Its words.
        message: String,
    },
}

impl Error {
    /// Adds the path to an input or output error.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { path, source }
    }
}
