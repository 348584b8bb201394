//! Finds the parts of a recording file: by its index, or frame by frame where that is damaged.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::codec::CodecState;
use crate::error::{Error, Intact};
use crate::event::Entry;
use crate::format::{self, Defect, FrameHead, Index, IndexEntry, PROLOGUE_BYTES, TRAILER_BYTES};
use crate::info::{Info, RecordingSummary, RunEnd, Statistics};

/// What was found wrong, and where.
pub(crate) struct Found {
    pub(crate) part: String,
    pub(crate) at: u64,
    pub(crate) defect: Defect,
}

impl Found {
    fn damage(part: &str, at: u64, detail: &str) -> Self {
        Self { part: part.to_string(), at, defect: Defect::Damaged(detail.to_string()) }
    }
}

/// A file on its way to be a recording.
pub(crate) struct Scan {
    pub(crate) path: PathBuf,
    pub(crate) file: Arc<File>,
    pub(crate) len: u64,
}

/// A file whose index is intact.
pub(crate) struct Whole {
    pub(crate) info: Info,
    pub(crate) index: Index,
}

/// The frames before the first damage.
pub(crate) struct Prefix {
    pub(crate) info: Option<Info>,
    pub(crate) frames: Vec<IndexEntry>,
    pub(crate) summary: RecordingSummary,
}

impl Prefix {
    pub(crate) fn intact(&self) -> Intact {
        let statistics = &self.summary.statistics;
        Intact { chunks: self.summary.chunks, events: statistics.events, counter: statistics.last_counter }
    }
}

impl Scan {
    pub(crate) fn start(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::io("open the recording", path))?;
        let meta = file.metadata().map_err(Error::io("open the recording", path))?;
        let (path, len) = (path.to_path_buf(), meta.len());
        if !meta.is_file() {
            return Err(Error::NotARecording { path });
        }
        let mut prologue = [0; PROLOGUE_BYTES as usize];
        let have = &mut prologue[..len.min(PROLOGUE_BYTES) as usize];
        file.read_exact_at(have, 0).map_err(Error::io("read", &path))?;
        let magic = &have[..have.len().min(format::MAGIC.len())];
        if magic.is_empty() || *magic != format::MAGIC[..magic.len()] {
            return Err(Error::NotARecording { path });
        }
        if len < PROLOGUE_BYTES {
            return Err(Error::Truncated { path, at: len, intact: Intact::default() });
        }
        let [_, _, _, _, _, _, _, _, version @ ..] = prologue;
        let found = u32::from_le_bytes(version);
        if found != format::VERSION {
            return Err(Error::OtherVersion { path, found });
        }
        Ok(Self { path, file: Arc::new(file), len })
    }

    pub(crate) fn error(&self, found: Found, intact: Intact) -> Error {
        let path = self.path.clone();
        match found.defect {
            Defect::Cut => Error::Truncated { path, at: self.len, intact },
            Defect::Damaged(detail) => Error::Damaged { path, part: found.part, at: found.at, detail, intact },
            Defect::Io(source) => Error::Io { action: "read", path, source },
        }
    }

    /// Reads the frame at `at` and its payload.
    fn frame(&self, at: u64, part: &str) -> Result<(FrameHead, Vec<u8>), Found> {
        let found = |defect| Found { part: part.to_string(), at, defect };
        let head = FrameHead::read(&self.file, at).map_err(found)?;
        let payload = head.read_payload(&self.file, at, self.len).map_err(found)?;
        Ok((head, payload))
    }

    fn info(&self) -> Result<(FrameHead, Info), Found> {
        let part = "its description";
        let (head, bytes) = self.frame(PROLOGUE_BYTES, part)?;
        let bad = |detail: &str| Found::damage(part, PROLOGUE_BYTES, detail);
        if head.kind != format::DESCRIPTION {
            return Err(bad("another part stands there"));
        }
        let info = serde_json::from_slice(&bytes).map_err(|error| bad(&error.to_string()))?;
        Ok((head, info))
    }

    /// By the index.
    pub(crate) fn whole(&self) -> Result<Whole, Found> {
        let (_, info) = self.info()?;
        let at = self.len.saturating_sub(TRAILER_BYTES);
        let mut trailer = [0; TRAILER_BYTES as usize];
        let cut = |at| Found { part: "its end".into(), at, defect: Defect::Cut };
        if self.len < PROLOGUE_BYTES + TRAILER_BYTES {
            return Err(cut(at));
        }
        let io = |error: std::io::Error| Found { part: "its end".into(), at, defect: error.into() };
        self.file.read_exact_at(&mut trailer, at).map_err(io)?;
        let mut offset = [0; 8];
        offset.copy_from_slice(&trailer[..8]);
        let offset = u64::from_le_bytes(offset);
        if trailer != format::trailer(offset) {
            // Cut, or changed in the trailer: what the frames say decides.
            return Err(self.prefix().1.unwrap_or_else(|| Found::damage("its end", at, "the last bytes do not fit")));
        }
        let part = "its index";
        let bad = |detail: String| Found::damage(part, offset, &detail);
        let (head, bytes) = self.frame(offset, part)?;
        if head.kind != format::INDEX || head.next_offset(offset) != at {
            return Err(bad("it does not stand at the end".into()));
        }
        let index: Index = serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
        let mut expected = PROLOGUE_BYTES;
        for frame in &index.frames {
            if frame.offset != expected {
                return Err(bad("its parts do not follow each other".into()));
            }
            expected = frame.head.next_offset(expected);
        }
        if expected != offset {
            return Err(bad("its parts do not fill the file".into()));
        }
        Ok(Whole { info, index })
    }

    /// Frame by frame from the start, up to the first damage (none where everything up to the index is intact).
    pub(crate) fn prefix(&self) -> (Prefix, Option<Found>) {
        let summary = RecordingSummary {
            statistics: Statistics::default(),
            end: RunEnd::Cut { detail: "what follows is damaged".into() },
            chunks: 0,
            compressed_bytes: 0,
        };
        let mut prefix = Prefix { info: None, frames: Vec::new(), summary };
        let mut at = match self.info() {
            Ok((head, info)) => {
                prefix.info = Some(info);
                head.next_offset(PROLOGUE_BYTES)
            }
            Err(found) => return (prefix, Some(found)),
        };
        loop {
            let chunk = prefix.summary.chunks;
            let part = || format!("chunk {chunk} or what follows it");
            let (head, bytes) = match self.frame(at, "") {
                Ok(frame) => frame,
                Err(found) => {
                    let part = match FrameHead::read(&self.file, at).map(|head| head.kind) {
                        Ok(format::EVENTS) => format!("chunk {chunk}"),
                        Ok(format::ATTACHMENT) => "a kept input or output".to_string(),
                        Ok(format::INDEX) => "its index".to_string(),
                        _ => part(),
                    };
                    return (prefix, Some(Found { part, at, ..found }));
                }
            };
            match head.kind {
                format::EVENTS => {
                    let statistics = &mut prefix.summary.statistics;
                    let entries = match decode_chunk(&head, &bytes) {
                        Ok(_) if head.number as usize != chunk || head.first_event != statistics.events => {
                            return (prefix, Some(Found::damage(&part(), at, "a chunk is missing before it")));
                        }
                        Ok(entries) => entries,
                        Err(detail) => return (prefix, Some(Found::damage(&part(), at, &detail))),
                    };
                    for entry in entries.iter() {
                        statistics.count(entry.event.kind(), &entry.event, 0, entry.counter);
                    }
                    statistics.raw_bytes += u64::from(head.raw_len);
                    prefix.summary.chunks += 1;
                    prefix.summary.compressed_bytes += head.next_offset(at) - at;
                }
                format::ATTACHMENT => {}
                format::INDEX => {
                    let end = head.next_offset(at);
                    let found = match self.len.checked_sub(end + TRAILER_BYTES) {
                        None => Some(Found { part: "its end".into(), at: end, defect: Defect::Cut }),
                        Some(0) => None,
                        Some(_) => Some(Found::damage("its end", end + TRAILER_BYTES, "further bytes follow")),
                    };
                    return (prefix, found);
                }
                _ => return (prefix, Some(Found::damage(&part(), at, "an unknown kind of part"))),
            }
            let next = head.next_offset(at);
            prefix.frames.push(IndexEntry { offset: at, head });
            at = next;
        }
    }
}

/// The events of a chunk.
pub(crate) fn decode_chunk(head: &FrameHead, bytes: &[u8]) -> Result<Arc<[Entry]>, String> {
    let mut state = CodecState::starting_at(head.start_counter);
    let mut entries = Vec::with_capacity(head.events.min(1 << 20) as usize);
    let mut at = 0;
    while at < bytes.len() {
        let (entry, used) = state.decode(&bytes[at..]).map_err(|error| format!("at byte {at} in it: {error}"))?;
        at += used;
        entries.push(entry);
    }
    if entries.len() != head.events as usize {
        return Err(format!("it has {} events instead of {}", entries.len(), head.events));
    }
    Ok(entries.into())
}
