//! How a run ended.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use nix::sys::signal::Signal;

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exit {
    /// With this status.
    Status(i32),
    /// Killed by this signal.
    Signal(i32),
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exit::Status(status) => write!(f, "exit status {status}"),
            Exit::Signal(signal) => f.write_str(&signal_name(*signal)),
        }
    }
}

/// The name of a signal, as SIGSEGV.
pub fn signal_name(signal: i32) -> String {
    match Signal::try_from(signal) {
        Ok(known) => known.as_str().to_string(),
        Err(_) => format!("signal {signal}"),
    }
}

/// Why a run was ended from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// The time limit.
    Time,
    /// It wrote too much.
    Output,
    /// It took too much memory.
    Memory,
    /// It had too many processes.
    Processes,
    /// The caller asked for it.
    Cancelled,
}

/// Which output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Stream {
    Stdout,
    Stderr,
}

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How the program ended.
    pub exit: Exit,
    /// What ended it, where it did not end by itself.
    pub stop: Option<Stop>,
    /// What it wrote, up to the limit.
    pub stdout: Vec<u8>,
    /// What it wrote there, up to the limit.
    pub stderr: Vec<u8>,
    /// From start to end of the program.
    pub time: Duration,
    /// Its process id.
    pub pid: i32,
    /// Processes that outlived it and were killed.
    pub left_behind: usize,
    /// The most memory seen, in bytes.
    pub peak_memory: u64,
    /// Processor time of all its processes, as it was seen last: of a short run nothing may have been seen.
    pub work: Duration,
    /// The most processes seen.
    pub peak_processes: usize,
}

impl Ended {
    /// That processes outlived the program `name`, in a sentence. Where it was stopped nobody expects otherwise.
    pub fn outlived(&self, name: &str) -> Option<String> {
        match self.left_behind {
            _ if self.stop.is_some() => None,
            0 => None,
            1 => Some(format!("{name}: a process that it started outlived it and was killed")),
            left => Some(format!("{name}: {left} processes that it started outlived it and were killed")),
        }
    }
}

/// Why a program did not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The system could not start it.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The executable.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its working folder is not there.
    #[error("cannot enter the working folder {}: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its supervision failed.
    #[error("lost {} while it ran: {detail}", program.display())]
    Lost {
        /// The executable.
        program: PathBuf,
        /// How.
        detail: String,
    },
}
