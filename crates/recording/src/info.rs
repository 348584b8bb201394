//! What a recording says about its run besides the events.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::event::{Event, KIND_NAMES, KINDS, RetValue};

/// Bytes that are mostly text: a string where they are UTF-8, else `{"hex": "…"}`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(from = "TextOrHex", into = "TextOrHex")]
pub struct ByteString(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TextOrHex {
    Text(String),
    Hex { hex: String },
}

impl From<TextOrHex> for ByteString {
    fn from(value: TextOrHex) -> Self {
        match value {
            TextOrHex::Text(text) => Self(text.into_bytes()),
            // The block was checked against its hash: text that is no hex was never written.
            TextOrHex::Hex { hex } => Self(crate::hex::decode(&hex).unwrap_or_default()),
        }
    }
}

impl From<ByteString> for TextOrHex {
    fn from(value: ByteString) -> Self {
        match String::from_utf8(value.0) {
            Ok(text) => TextOrHex::Text(text),
            Err(error) => TextOrHex::Hex { hex: crate::hex::encode(error.as_bytes()) },
        }
    }
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for ByteString {
    fn from(value: &T) -> Self {
        Self(value.as_ref().as_bytes().to_vec())
    }
}

impl From<PathBuf> for ByteString {
    fn from(value: PathBuf) -> Self {
        Self(value.into_os_string().into_vec())
    }
}

impl ByteString {
    /// As a path.
    pub fn path(&self) -> &Path {
        Path::new(self.os_str())
    }
    /// As the system's string.
    pub fn os_str(&self) -> &OsStr {
        OsStr::from_bytes(&self.0)
    }
}

impl std::fmt::Display for ByteString {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl std::fmt::Debug for ByteString {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exit {
    /// It exited with this status.
    Status(i32),
    /// This signal killed it.
    Signal(i32),
}

/// A file that the run read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileRead {
    /// As the program named it.
    pub path: ByteString,
    /// Its bytes' number.
    pub bytes: u64,
    /// BLAKE3 of its content, in hex.
    pub hash: String,
}

/// What the caller knows about the run. `Default` says nothing.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunInfo {
    /// Identity of the build (executable and bitcode) that ran.
    pub build: String,
    /// The test case, or none for a run by hand.
    pub test: Option<String>,
    /// How the process ended, where that is known (not for a forked child).
    pub exit: Option<Exit>,
    /// The time limit in seconds.
    pub time_limit: Option<f64>,
    /// The run was ended because of a limit.
    pub limit_hit: Option<String>,
    /// Wall time of the run.
    pub seconds: Option<f64>,
    /// Files read, where known.
    pub files: Vec<FileRead>,
    /// Standard input (kept outside the description).
    #[serde(skip)]
    pub stdin: Option<Vec<u8>>,
    /// Standard output.
    #[serde(skip)]
    pub stdout: Option<Vec<u8>>,
    /// Standard error.
    #[serde(skip)]
    pub stderr: Option<Vec<u8>>,
}

/// What the process said about itself when it started.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Head {
    /// Version of the raw log.
    pub version: u32,
    /// Process id.
    pub pid: u32,
    /// For a fork child: the folder of the parent's log.
    pub parent: Option<ByteString>,
    /// Where the parent's log stood at the fork.
    pub parent_bytes: u64,
    /// The executable.
    pub exe: ByteString,
    /// Working folder.
    pub cwd: ByteString,
    /// Arguments, the program's name first.
    pub args: Vec<ByteString>,
    /// Environment, `NAME=value`.
    pub env: Vec<ByteString>,
    /// Further keys, as they stand.
    pub other: Vec<(ByteString, ByteString)>,
}

/// The control pages as the process left them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Control {
    /// Safepoints counted.
    pub counter: u64,
    /// See [`Control::ORDERLY`] and its neighbours.
    pub flags: u32,
    /// Number of the reason why the recording stopped.
    pub stop_reason: u32,
    /// The same in words.
    pub stop_message: ByteString,
    /// A signal that was not yet delivered.
    pub signal_pending: u32,
    /// Position in the log.
    pub log_bytes: u64,
    /// Time stamp counts: inside external code, at start, at end.
    pub external_cycles: u64,
    #[allow(missing_docs)]
    pub start_cycles: u64,
    #[allow(missing_docs)]
    pub end_cycles: u64,
    /// Id of the main thread.
    pub main_tid: u64,
}

impl Control {
    /// The process finished in order.
    pub const ORDERLY: u32 = 1;
    /// It was executing another program.
    pub const EXEC: u32 = 2;
    /// The recording stopped before the process did.
    pub const STOPPED: u32 = 4;
    /// It is a fork child.
    pub const FORK_CHILD: u32 = 8;
    /// [`Control::stop_reason`]: the log could not be made larger, as on a full disk.
    pub const REASON_DISK: u32 = 2;
}

/// How the events end, and so where a replay ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// The process finished by itself; its last event is the call that ended it, or lies before that.
    Orderly,
    /// It became another program.
    Exec,
    /// A synchronous signal killed it: the last event.
    Fault {
        /// The signal.
        signal: u32,
        /// The address at fault.
        address: u64,
    },
    /// Something killed it when this many safepoints had been counted.
    Killed {
        /// The safepoint count.
        counter: u64,
    },
    /// The recording stopped; the program went on.
    Stopped {
        /// Number of the reason.
        reason: u32,
        /// In words.
        message: ByteString,
    },
    /// The log was damaged behind the last event.
    Cut {
        /// How.
        detail: String,
    },
}

/// Counts over the events of a recording.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Events.
    pub events: u64,
    /// Events by kind number (see [`KIND_NAMES`]).
    pub by_kind: [u64; KINDS],
    /// Bytes of the events in the raw log, padding left out.
    pub raw_bytes: u64,
    /// Bytes that external code wrote (input, mostly).
    pub write_bytes: u64,
    /// Size of just those bytes compressed on their own: what they add to the file.
    pub write_bytes_compressed: u64,
    /// Bytes of loads and ranges that were found changed.
    pub surprise_bytes: u64,
    /// Bytes of results of external calls.
    pub result_bytes: u64,
    /// Bytes of output.
    pub output_bytes: u64,
    /// Safepoint count of the last event.
    pub last_counter: u64,
    /// Events taken over from the parent of a fork child.
    pub inherited: u64,
}

impl Statistics {
    /// Loads and ranges found changed from outside.
    pub fn surprises(&self) -> u64 {
        self.by_kind[1] + self.by_kind[6]
    }
    /// Results of external calls.
    pub fn external_calls(&self) -> u64 {
        self.by_kind[2] + self.by_kind[3] + self.by_kind[4]
    }
    /// (name, count) of every kind that occurs.
    pub fn kinds(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        KIND_NAMES.iter().copied().zip(self.by_kind).filter(|(_, count)| *count > 0)
    }

    pub(crate) fn count(&mut self, kind: usize, event: &Event, raw_bytes: u64, counter: u64) {
        self.events += 1;
        self.by_kind[kind.min(KINDS - 1)] += 1;
        self.raw_bytes += raw_bytes;
        self.last_counter = counter;
        let payload = event.payload_bytes();
        match event {
            Event::Write { .. } => self.write_bytes += payload,
            Event::Load { .. } | Event::Fix { .. } => self.surprise_bytes += payload,
            Event::Ret { value: RetValue::Bytes(_) | RetValue::Int(_), .. } => self.result_bytes += payload,
            Event::Output { .. } => self.output_bytes += payload,
            _ => {}
        }
    }
}

/// The description of a recording: everything but events and attachments.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Info {
    /// What the caller said.
    pub run: RunInfo,
    /// What the process said.
    pub head: Head,
    /// How the process left its control pages.
    pub control: Control,
}

/// What [`finalise`](crate::finalise) made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordingSummary {
    /// Counts.
    pub statistics: Statistics,
    /// How the events end.
    pub end: RunEnd,
    /// Chunks of events.
    pub chunks: usize,
    /// Bytes of all chunks, compressed.
    pub compressed_bytes: u64,
}
