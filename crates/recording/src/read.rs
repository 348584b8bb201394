//! Opens recordings and streams their events.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::error::{Error, Intact};
use crate::event::Entry;
use crate::format::{self, Defect, FrameHead, IndexEntry};
use crate::info::{Control, Head, Info, RecordingSummary, RunEnd, Statistics};
use crate::scan::{Scan, decode_chunk};

/// Decoded chunks that are kept for readers that go back.
const CACHED_CHUNKS: usize = 4;

/// An open recording. Cheap to clone; all clones share the file.
#[derive(Clone)]
pub struct Recording {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    file: Arc<File>,
    len: u64,
    info: Info,
    summary: RecordingSummary,
    chunks: Vec<IndexEntry>,
    attachments: Vec<IndexEntry>,
    complete: bool,
    cache: Mutex<Vec<(usize, Arc<[Entry]>)>>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording").field("path", &self.inner.path).finish_non_exhaustive()
    }
}

impl Recording {
    /// Opens a whole recording. Chunks are checked when they are read ([`Recording::verify`] reads all).
    pub fn open(path: &Path) -> Result<Self, Error> {
        let scan = Scan::start(path)?;
        match scan.whole() {
            Ok(whole) => Ok(Self::new(&scan, whole.info, whole.index.summary, whole.index.frames, true)),
            Err(found) => Err(scan.error(found, scan.prefix().0.intact())),
        }
    }

    /// Opens what is intact of a recording: all events before the first damage, and the error that tells about it; kept
    /// inputs and outputs are left out then. Fails only where not even the description can be read.
    pub fn open_partial(path: &Path) -> Result<(Self, Option<Error>), Error> {
        let scan = Scan::start(path)?;
        let whole = scan.whole();
        let (prefix, found) = scan.prefix();
        let intact = prefix.intact();
        match (whole, found) {
            (Ok(whole), None) => {
                Ok((Self::new(&scan, whole.info, whole.index.summary, whole.index.frames, true), None))
            }
            // All events are there: what is damaged is a kept input or output.
            (Ok(whole), Some(found)) if whole.index.summary.chunks == prefix.summary.chunks => {
                let error = scan.error(found, intact);
                Ok((Self::new(&scan, whole.info, whole.index.summary, prefix.frames, false), Some(error)))
            }
            (Ok(_), Some(found)) | (Err(found), None) | (Err(_), Some(found)) => {
                let error = scan.error(found, intact);
                match prefix.info {
                    Some(info) => Ok((Self::new(&scan, info, prefix.summary, prefix.frames, false), Some(error))),
                    None => Err(error),
                }
            }
        }
    }

    fn new(scan: &Scan, info: Info, summary: RecordingSummary, frames: Vec<IndexEntry>, complete: bool) -> Self {
        let of_kind = |kind| frames.iter().filter(|frame| frame.head.kind == kind).cloned().collect();
        // Of a damaged recording nobody knows whether all pieces of an attachment are there.
        let attachments = if complete { of_kind(format::ATTACHMENT) } else { Vec::new() };
        Self {
            inner: Arc::new(Inner {
                path: scan.path.clone(),
                file: scan.file.clone(),
                len: scan.len,
                info,
                summary,
                chunks: of_kind(format::EVENTS),
                attachments,
                complete,
                cache: Mutex::new(Vec::new()),
            }),
        }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }
    /// Its description.
    pub fn info(&self) -> &Info {
        &self.inner.info
    }
    /// What the process said at its start: arguments, environment, ….
    pub fn head(&self) -> &Head {
        &self.inner.info.head
    }
    /// The control pages as the process left them.
    pub fn control(&self) -> &Control {
        &self.inner.info.control
    }
    /// Counts and ending.
    pub fn summary(&self) -> &RecordingSummary {
        &self.inner.summary
    }
    /// How the events end, and so where a replay ends. Of a partial recording: [`RunEnd::Cut`].
    pub fn end(&self) -> &RunEnd {
        &self.inner.summary.end
    }
    /// Counts over the events.
    pub fn statistics(&self) -> &Statistics {
        &self.inner.summary.statistics
    }
    /// False where it was opened with damage.
    pub fn is_complete(&self) -> bool {
        self.inner.complete
    }
    /// The file's size.
    pub fn file_bytes(&self) -> u64 {
        self.inner.len
    }

    /// Fails unless the recording was made with the build `identity`.
    pub fn check_build(&self, identity: &str) -> Result<(), Error> {
        let recorded = &self.inner.info.run.build;
        if recorded == identity {
            return Ok(());
        }
        Err(Error::OtherBuild {
            path: self.inner.path.clone(),
            recorded: recorded.clone(),
            present: identity.to_string(),
        })
    }

    /// A reader that stands before the first event.
    pub fn events(&self) -> EventReader {
        EventReader { recording: self.clone(), chunk: None, position: Position::START }
    }

    /// Standard input; none where it was not kept.
    pub fn stdin(&self) -> Result<Option<Vec<u8>>, Error> {
        self.attachment(0, "the standard input")
    }
    /// Standard output; none where it was not kept.
    pub fn stdout(&self) -> Result<Option<Vec<u8>>, Error> {
        self.attachment(1, "the standard output")
    }
    /// Standard error; none where it was not kept.
    pub fn stderr(&self) -> Result<Option<Vec<u8>>, Error> {
        self.attachment(2, "the standard error")
    }

    fn attachment(&self, number: u32, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let mut pieces = self.inner.attachments.iter().filter(|frame| frame.head.number == number).peekable();
        if pieces.peek().is_none() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        for piece in pieces {
            bytes.extend(self.payload(piece, || format!("the kept copy of {name}"))?);
        }
        Ok(Some(bytes))
    }

    /// Reads and checks everything.
    pub fn verify(&self) -> Result<(), Error> {
        for chunk in 0..self.inner.chunks.len() {
            self.decode(chunk)?;
        }
        self.verify_kept()
    }

    /// Reads and checks the kept inputs and outputs.
    pub fn verify_kept(&self) -> Result<(), Error> {
        for piece in &self.inner.attachments {
            self.payload(piece, || "a kept input or output".to_string())?;
        }
        Ok(())
    }

    fn chunk(&self, number: usize) -> Result<Arc<[Entry]>, Error> {
        let mut cache = self.inner.cache.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(at) = cache.iter().position(|(known, _)| *known == number) {
            let hit = cache.remove(at);
            cache.push(hit.clone());
            return Ok(hit.1);
        }
        drop(cache);
        let entries = self.decode(number)?;
        let mut cache = self.inner.cache.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if cache.len() >= CACHED_CHUNKS {
            cache.remove(0);
        }
        cache.push((number, entries.clone()));
        Ok(entries)
    }

    fn decode(&self, number: usize) -> Result<Arc<[Entry]>, Error> {
        let frame = &self.inner.chunks[number];
        let bytes = self.payload(frame, || format!("chunk {number}"))?;
        decode_chunk(&frame.head, &bytes)
            .map_err(|detail| self.error(frame, &|| format!("chunk {number}"), Defect::Damaged(detail)))
    }

    fn payload(&self, frame: &IndexEntry, part: impl Fn() -> String) -> Result<Vec<u8>, Error> {
        let read = || {
            if FrameHead::read(&self.inner.file, frame.offset)? != frame.head {
                return Err(Defect::Damaged("its head is not the one in the index".into()));
            }
            frame.head.read_payload(&self.inner.file, frame.offset, self.inner.len)
        };
        read().map_err(|defect| self.error(frame, &part, defect))
    }

    fn error(&self, frame: &IndexEntry, part: &dyn Fn() -> String, defect: Defect) -> Error {
        let path = self.inner.path.clone();
        let before = self.inner.chunks.iter().take_while(|chunk| chunk.offset < frame.offset).count();
        let intact = match self.inner.chunks.get(before) {
            Some(chunk) => Intact { chunks: before, events: chunk.head.first_event, counter: chunk.head.start_counter },
            None => Intact {
                chunks: before,
                events: self.inner.summary.statistics.events,
                counter: self.inner.summary.statistics.last_counter,
            },
        };
        match defect {
            Defect::Cut => Error::Truncated { path, at: self.inner.len, intact },
            Defect::Damaged(detail) => Error::Damaged { path, part: part(), at: frame.offset, detail, intact },
            Defect::Io(source) => Error::Io { action: "read", path, source },
        }
    }
}

/// A place between two events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    chunk: u32,
    index: u32,
}

impl Position {
    /// Before the first event.
    pub const START: Position = Position { chunk: 0, index: 0 };
}

/// Streams the events of a recording, a chunk in memory at a time. Cheap to clone.
#[derive(Clone)]
pub struct EventReader {
    recording: Recording,
    chunk: Option<Arc<[Entry]>>,
    position: Position,
}

impl EventReader {
    /// The next event, without moving past it; none at the end.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<&Entry>, Error> {
        if self.chunk.as_ref().is_none_or(|chunk| self.position.index as usize >= chunk.len()) && !self.load()? {
            return Ok(None);
        }
        Ok(self.chunk.as_ref().and_then(|chunk| chunk.get(self.position.index as usize)))
    }

    /// Moves past the event that [`EventReader::peek`] gave.
    #[inline]
    pub fn advance(&mut self) {
        // At the end of a chunk (or before any is loaded) there is nothing to move past.
        if self.chunk.as_ref().is_some_and(|chunk| (self.position.index as usize) < chunk.len()) {
            self.position.index += 1;
        }
    }

    /// The next event; none at the end.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, Error> {
        let entry = self.peek()?.cloned();
        self.advance();
        Ok(entry)
    }

    /// Where it stands.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Goes back (or on) to a position that this or another reader of the same recording gave.
    pub fn seek(&mut self, position: Position) {
        if position.chunk != self.position.chunk {
            self.chunk = None;
        }
        self.position = position;
    }

    /// Number of the next event, from 0.
    pub fn number(&self) -> u64 {
        match self.recording.inner.chunks.get(self.position.chunk as usize) {
            Some(chunk) => chunk.head.first_event + u64::from(self.position.index),
            None => self.recording.statistics().events,
        }
    }

    /// Goes to the event with this number, or to the end.
    pub fn seek_number(&mut self, number: u64) {
        let chunks = &self.recording.inner.chunks;
        let chunk = chunks.partition_point(|chunk| chunk.head.first_event <= number).saturating_sub(1);
        let position = match chunks.get(chunk) {
            Some(frame) if number - frame.head.first_event < u64::from(frame.head.events) => {
                Position { chunk: chunk as u32, index: (number - frame.head.first_event) as u32 }
            }
            _ => Position { chunk: chunks.len() as u32, index: 0 },
        };
        self.seek(position);
    }

    /// Goes to the first event whose safepoint count is at least `counter`, or to the end.
    pub fn seek_counter(&mut self, counter: u64) -> Result<(), Error> {
        let chunks = &self.recording.inner.chunks;
        // The count before a chunk is that of the event before it: the last chunk that starts lower holds the place.
        let chunk = chunks.partition_point(|chunk| chunk.head.start_counter < counter).saturating_sub(1);
        self.seek(Position { chunk: chunk as u32, index: 0 });
        while self.peek()?.is_some_and(|entry| entry.counter < counter) {
            self.advance();
        }
        Ok(())
    }

    /// The recording it reads.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Loads the chunk that the position is in, or the next one with events; false at the end.
    #[cold]
    fn load(&mut self) -> Result<bool, Error> {
        loop {
            if let Some(chunk) = &self.chunk {
                if (self.position.index as usize) < chunk.len() {
                    return Ok(true);
                }
                if self.position.chunk as usize >= self.recording.inner.chunks.len() {
                    return Ok(false);
                }
                self.position = Position { chunk: self.position.chunk + 1, index: 0 };
                self.chunk = None;
            }
            let number = self.position.chunk as usize;
            if number >= self.recording.inner.chunks.len() {
                return Ok(false);
            }
            self.chunk = Some(self.recording.chunk(number)?);
        }
    }
}

impl Iterator for EventReader {
    type Item = Result<Entry, Error>;
    fn next(&mut self) -> Option<Self::Item> {
        self.next_entry().transpose()
    }
}
