//! What is run, and within which limits.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

/// What is run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file that is executed, absolute.
    pub executable: PathBuf,
    /// What it sees as its own name.
    pub arg0: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// Working folder.
    pub folder: PathBuf,
    /// Leave address randomisation as the system has it. Else it is switched off where permitted.
    pub randomise_addresses: bool,
}

/// Standard input of a program.
#[derive(Debug, Default)]
pub enum Stdin<'a> {
    /// /dev/null.
    #[default]
    Null,
    /// A file with these bytes.
    Bytes(&'a [u8]),
    /// The caller's own.
    Inherit,
}

impl Stdin<'_> {
    /// Opens it for reading, at its start.
    pub(crate) fn open(self) -> io::Result<OwnedFd> {
        match self {
            Stdin::Null => Ok(File::open("/dev/null")?.into()),
            Stdin::Bytes(bytes) => {
                let mut file = tempfile::NamedTempFile::new()?;
                file.write_all(bytes)?;
                // Opened again: at the start, and read-only. The name goes with `file`.
                Ok(File::open(file.path())?.into())
            }
            #[expect(clippy::disallowed_methods, reason = "it is handed on, nothing is read from it")]
            Stdin::Inherit => io::stdin().as_fd().try_clone_to_owned(),
        }
    }
}

/// Limits of a run. None: no limit.
///
/// There is no limit on address space by default: the recorder reserves terabytes of it. Memory and processes are
/// watched instead, several ten times a second.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    /// Wall time: then SIGTERM to all processes, after [`Limits::grace`] SIGKILL.
    pub time: Option<Duration>,
    /// Memory of all processes together, in bytes.
    pub memory: Option<u64>,
    /// Both outputs together, in bytes.
    pub output: u64,
    /// Processes at a time.
    pub processes: Option<usize>,
    /// Size of a file it writes (RLIMIT_FSIZE).
    pub file_size: Option<u64>,
    /// Address space of each process (RLIMIT_AS); not for recorded runs.
    pub address_space: Option<u64>,
    /// The size to which the stack may grow (RLIMIT_STACK), where it is to be another one than usual.
    pub stack: Option<u64>,
    /// From SIGTERM to SIGKILL.
    pub grace: Duration,
    /// How long processes that outlive the program may still write to its outputs.
    pub leftovers: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Some(Duration::from_secs(10)),
            memory: Some(4 << 30),
            output: 16 << 20,
            processes: Some(64),
            file_size: Some(1 << 30),
            address_space: None,
            stack: None,
            grace: Duration::from_millis(500),
            leftovers: Duration::from_secs(1),
        }
    }
}
