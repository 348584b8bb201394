//! The folder that a recorded process leaves: `head`, `ctl`, `log.000000`, …, and `log`, the last chunk.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use crate::codec::{CodecState, DecodeError, kind_of};
use crate::error::Error;
use crate::event::Entry;
use crate::info::{ByteString, Control, Head};

/// Version of the raw log that this reads.
pub const LOG_VERSION: u32 = 4;
/// Bytes of a chunk of the log; positions in a log are chunk number times this plus offset.
pub const LOG_CHUNK_BYTES: u64 = 1 << 20;
/// Full chunks in a file.
const FILE_CHUNKS: u64 = 64;

/// Offset of the state page in `ctl`.
const STATE: usize = 4096;

/// The folder of one process (or of one program, after exec).
#[derive(Clone, Debug)]
pub struct ProcessFolder {
    /// Where.
    pub path: PathBuf,
    /// What the process said at its start.
    pub head: Head,
}

/// All process folders below `record_dir`, parents before their fork children, else by process id and number.
pub fn processes(record_dir: &Path) -> Result<Vec<ProcessFolder>, Error> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(record_dir).map_err(Error::io("read the folder", record_dir))? {
        let entry = entry.map_err(Error::io("read the folder", record_dir))?;
        let Some(order) = entry.file_name().to_str().and_then(folder_order) else { continue };
        let path = entry.path();
        // A process killed in its first moments may have made the folder and little in it: it has no log to lose.
        if std::fs::metadata(path.join("head")).is_ok_and(|meta| meta.len() > 0) && path.join("ctl").exists() {
            found.push((order, ProcessFolder { head: read_head(&path)?, path }));
        }
    }
    found.sort_by_key(|(order, _)| *order);
    let mut waiting: Vec<ProcessFolder> = found.into_iter().map(|(_, folder)| folder).collect();
    let mut sorted: Vec<ProcessFolder> = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let names: Vec<_> = waiting.iter().filter_map(|folder| folder.path.file_name()).collect();
        let ready: Vec<bool> = waiting
            .iter()
            .map(|folder| folder.head.parent.as_ref().is_none_or(|parent| !names.contains(&parent.os_str())))
            .collect();
        // Parents in a circle: damaged heads. Take them as they are; reading their logs will say so.
        let any = ready.contains(&true);
        let mut ready = ready.into_iter();
        let (now, later) = waiting.into_iter().partition(|_| ready.next() == Some(true) || !any);
        sorted.extend::<Vec<_>>(now);
        waiting = later;
    }
    Ok(sorted)
}

/// `p.PID.N` as numbers.
fn folder_order(name: &str) -> Option<(u64, u64)> {
    let (pid, number) = name.strip_prefix("p.")?.split_once('.')?;
    Some((pid.parse().ok()?, number.parse().ok()?))
}

/// Reads `head`.
pub fn read_head(folder: &Path) -> Result<Head, Error> {
    let path = folder.join("head");
    let bytes = std::fs::read(&path).map_err(Error::io("read", &path))?;
    let bad = |detail: String| Error::BadLog { path: path.clone(), detail };
    let mut head = Head::default();
    let mut version = None;
    // What has no zero byte behind it was cut while it was written.
    let whole = bytes.iter().rposition(|byte| *byte == 0).map_or(&[][..], |end| &bytes[..end]);
    for string in whole.split(|byte| *byte == 0).filter(|string| !string.is_empty()) {
        let Some(at) = string.iter().position(|byte| *byte == b'=') else {
            return Err(bad(format!("`{}` has no `=`", String::from_utf8_lossy(string))));
        };
        let (key, value) = (&string[..at], &string[at + 1..]);
        let number = || {
            let text = std::str::from_utf8(value).unwrap_or("");
            text.parse::<u64>()
                .map_err(|_| bad(format!("{}={text}: this is not a number", String::from_utf8_lossy(key))))
        };
        let small =
            || u32::try_from(number()?).map_err(|_| bad(format!("{} is too large", String::from_utf8_lossy(key))));
        let text = || ByteString(value.to_vec());
        match key {
            b"version" => version = Some(small()?),
            b"pid" => head.pid = small()?,
            b"parent" if !value.is_empty() && value != b"0" => head.parent = Some(text()),
            b"parent" => {}
            b"parent_bytes" => head.parent_bytes = number()?,
            b"exe" => head.exe = text(),
            b"cwd" => head.cwd = text(),
            b"arg" => head.args.push(text()),
            b"env" => head.env.push(text()),
            _ => head.other.push((ByteString(key.to_vec()), text())),
        }
    }
    head.version = version.ok_or_else(|| bad("it names no version; the process was killed while it started".into()))?;
    if head.version != LOG_VERSION {
        let detail = format!(
            "it has log version {}, this program reads version {LOG_VERSION}: build the program again and record",
            head.version
        );
        return Err(bad(detail));
    }
    Ok(head)
}

/// Reads `ctl`.
pub fn read_control(folder: &Path) -> Result<Control, Error> {
    let bytes = control_pages(folder)?;
    let u32_at = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let u64_at = |at: usize| word(&bytes, at);
    let message = &bytes[STATE + 2048..2 * STATE];
    let message = message.split(|byte| *byte == 0).next().unwrap_or_default();
    Ok(Control {
        counter: u64_at(0),
        flags: u32_at(STATE + 36),
        stop_reason: u32_at(STATE + 40),
        stop_message: ByteString(message.to_vec()),
        signal_pending: u32_at(STATE + 44),
        log_bytes: u64_at(STATE + 48),
        external_cycles: u64_at(STATE + 56),
        start_cycles: u64_at(STATE + 64),
        end_cycles: u64_at(STATE + 72),
        main_tid: u64_at(STATE + 80),
    })
}

fn control_pages(folder: &Path) -> Result<Vec<u8>, Error> {
    let path = folder.join("ctl");
    let bytes = std::fs::read(&path).map_err(Error::io("read", &path))?;
    if bytes.len() < 2 * STATE {
        let detail = format!("it has {} bytes instead of {}", bytes.len(), 2 * STATE);
        return Err(Error::BadLog { path, detail });
    }
    Ok(bytes)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// Damage in a raw log: no event can be read from there on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogDamage {
    /// In which file.
    pub file: PathBuf,
    /// At which byte.
    pub offset: u64,
    /// Why.
    pub reason: String,
}

impl std::fmt::Display for LogDamage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at byte {}: {}", self.file.display(), self.offset, self.reason)
    }
}

/// An event as it stood in a raw log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawEntry {
    /// The event.
    pub entry: Entry,
    /// Number of its kind.
    pub kind: usize,
    /// Its size in the log.
    pub bytes: u64,
    /// It was logged by the parent, before the fork.
    pub inherited: bool,
}

/// One process's share of a log.
struct Part {
    folder: PathBuf,
    /// Number of the chunk in `log`, plus one; 0 where that file has none. Full chunks have files of their own.
    present: u64,
    /// Where to stop: the fork of the child that goes on.
    limit: Option<u64>,
}

impl Part {
    fn of(folder: PathBuf, limit: Option<u64>) -> Result<Self, Error> {
        let present = word(&control_pages(&folder)?, STATE + 88);
        Ok(Self { folder, present, limit })
    }

    /// The file with chunk `number`, and where in it the chunk begins.
    fn chunk(&self, number: u64) -> (PathBuf, u64) {
        match number + 1 == self.present {
            true => (self.folder.join("log"), 0),
            false => {
                let file = self.folder.join(format!("log.{:06}", number / FILE_CHUNKS));
                (file, number % FILE_CHUNKS * LOG_CHUNK_BYTES)
            }
        }
    }
}

struct Chunk {
    path: PathBuf,
    start: u64,
    bytes: Vec<u8>,
}

/// Reads the events of a process, those of its parents before the fork first.
pub struct LogReader {
    parts: Vec<Part>,
    part: usize,
    number: u64,
    /// The chunk `number`, once it is loaded.
    chunk: Option<Chunk>,
    at: usize,
    state: CodecState,
    damage: Option<LogDamage>,
}

impl LogReader {
    /// For the process whose folder is `folder`.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let mut head = read_head(folder)?;
        let mut parts = vec![Part::of(folder.to_path_buf(), None)?];
        while let Some(parent) = head.parent.take() {
            let parent = folder.parent().unwrap_or(Path::new("")).join(parent.os_str());
            if parts.iter().any(|part| part.folder == parent) {
                return Err(Error::BadLog { path: parent, detail: "it is its own ancestor".into() });
            }
            let parent_head = read_head(&parent)?;
            parts.push(Part::of(parent, Some(head.parent_bytes))?);
            head = parent_head;
        }
        parts.reverse();
        Ok(Self { parts, part: 0, number: 0, chunk: None, at: 0, state: CodecState::new(), damage: None })
    }

    /// The damage that ended the events, if any.
    pub fn damage(&self) -> Option<&LogDamage> {
        self.damage.as_ref()
    }

    /// The next event; none at the end or at damage.
    pub fn next_event(&mut self) -> Result<Option<RawEntry>, Error> {
        while self.damage.is_none() && self.part < self.parts.len() {
            let limit = self.parts[self.part].limit;
            if limit.is_some_and(|limit| self.number * LOG_CHUNK_BYTES + self.at as u64 >= limit) {
                self.next_part();
                continue;
            }
            if self.chunk.is_none() && !self.load()? {
                match limit {
                    None => self.next_part(),
                    Some(limit) => {
                        let file = self.parts[self.part].folder.clone();
                        let reason = format!("the log ends before byte {limit}, where the process was forked");
                        self.damage = Some(LogDamage { file, offset: 0, reason });
                    }
                }
                continue;
            }
            let Some(chunk) = &self.chunk else { continue };
            let rest = &chunk.bytes[self.at..];
            // A zero where a kind should be is padding, or an event that was not completed.
            if rest.first().is_none_or(|header| *header == 0) {
                self.chunk = None;
                self.at = 0;
                self.number += 1;
                continue;
            }
            match self.state.decode(rest) {
                Ok((entry, used)) => {
                    let kind = kind_of(rest[0]);
                    self.at += used;
                    let inherited = self.part + 1 < self.parts.len();
                    return Ok(Some(RawEntry { entry, kind, bytes: used as u64, inherited }));
                }
                Err(error) => {
                    let reason = match error {
                        DecodeError::Cut => "the log ends inside an event".to_string(),
                        bad => bad.to_string(),
                    };
                    self.damage =
                        Some(LogDamage { file: chunk.path.clone(), offset: chunk.start + self.at as u64, reason });
                }
            }
        }
        Ok(None)
    }

    fn next_part(&mut self) {
        self.part += 1;
        self.number = 0;
        self.at = 0;
        self.chunk = None;
    }

    /// Loads the chunk `number` of the present folder; false where there is none.
    fn load(&mut self) -> Result<bool, Error> {
        let (path, start) = self.parts[self.part].chunk(self.number);
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|mut file| {
            file.seek(SeekFrom::Start(start))?;
            file.take(LOG_CHUNK_BYTES).read_to_end(&mut bytes)
        });
        match read {
            Ok(0) => Ok(false),
            Ok(_) => {
                self.chunk = Some(Chunk { path, start, bytes });
                self.at = 0;
                Ok(true)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::io("read", &path)(error)),
        }
    }
}
