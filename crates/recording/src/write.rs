//! Writes a recording file.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::codec::CodecState;
use crate::error::Error;
use crate::event::{Entry, Event};
use crate::format::{self, FrameHead, Index, IndexEntry, PIECE_BYTES, PROLOGUE_BYTES};
use crate::info::{Info, RecordingSummary, RunEnd, Statistics};

/// A chunk is closed at this many bytes or events.
const CHUNK_BYTES: usize = 512 << 10;
const CHUNK_EVENTS: u32 = 32 << 10;
const LEVEL: i32 = 3;

/// Writes events to a file that appears under its name only when [`RecordingWriter::finish`] is done.
pub struct RecordingWriter {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
    offset: u64,
    frames: Vec<IndexEntry>,
    statistics: Statistics,
    codec: CodecState,
    chunk: Vec<u8>,
    chunk_events: u32,
    chunk_start: u64,
    chunk_limit: u32,
    writes: Vec<u8>,
    attachments: [Option<Vec<u8>>; 3],
}

impl RecordingWriter {
    /// Starts the file `path` with its description.
    pub fn create(path: &Path, mut info: Info) -> Result<Self, Error> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(folder).map_err(Error::io("create the folder", folder))?;
        use std::os::unix::fs::PermissionsExt;
        let file = tempfile::Builder::new()
            .prefix(".recording-")
            .permissions(std::fs::Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .map_err(Error::io("create a recording in", folder))?;
        let run = &mut info.run;
        let attachments = [run.stdin.take(), run.stdout.take(), run.stderr.take()];
        let mut writer = Self {
            path: path.to_path_buf(),
            out: BufWriter::with_capacity(1 << 18, file),
            offset: 0,
            frames: Vec::new(),
            statistics: Statistics::default(),
            codec: CodecState::new(),
            chunk: Vec::new(),
            chunk_events: 0,
            chunk_start: 0,
            chunk_limit: CHUNK_EVENTS,
            writes: Vec::new(),
            attachments,
        };
        writer.put(format::MAGIC)?;
        writer.put(&format::VERSION.to_le_bytes())?;
        debug_assert_eq!(writer.offset, PROLOGUE_BYTES);
        let description = serde_json::to_vec(&info).map_err(|error| writer.unwritable(error.into()))?;
        writer.frame(format::DESCRIPTION, 0, 0, 0, 0, &description)?;
        Ok(writer)
    }

    /// Closes chunks after this many events (for tests of long recordings).
    pub fn chunk_events(&mut self, events: u32) {
        self.chunk_limit = events.max(1);
    }

    /// Appends an event; `kind` is its number and `raw_bytes` its size in the raw log, for the statistics.
    pub fn push(&mut self, entry: &Entry, kind: usize, raw_bytes: u64) -> Result<(), Error> {
        self.codec.encode(entry, &mut self.chunk);
        self.chunk_events += 1;
        self.statistics.count(kind, &entry.event, raw_bytes, entry.counter);
        if let Event::Write { bytes, .. } = &entry.event {
            self.writes.extend_from_slice(bytes);
        }
        if self.chunk.len() >= CHUNK_BYTES || self.chunk_events >= self.chunk_limit {
            self.close_chunk()?;
        }
        Ok(())
    }

    /// Counts so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Says that the events so far come from the parent's log.
    pub fn mark_inherited(&mut self) {
        self.statistics.inherited = self.statistics.events;
    }

    fn close_chunk(&mut self) -> Result<(), Error> {
        if self.chunk_events == 0 {
            return Ok(());
        }
        let number = self.frames.iter().filter(|frame| frame.head.kind == format::EVENTS).count() as u32;
        let first = self.statistics.events - u64::from(self.chunk_events);
        let chunk = std::mem::take(&mut self.chunk);
        self.frame(format::EVENTS, number, self.chunk_events, first, self.chunk_start, &chunk)?;
        if !self.writes.is_empty() {
            let packed = zstd::bulk::compress(&self.writes, LEVEL).map_err(|error| self.unwritable(error))?;
            self.statistics.write_bytes_compressed += packed.len() as u64;
            self.writes.clear();
        }
        self.chunk = chunk;
        self.chunk.clear();
        self.chunk_events = 0;
        self.chunk_start = self.codec.counter();
        self.codec = CodecState::starting_at(self.chunk_start);
        Ok(())
    }

    /// Writes the rest and gives the file its name.
    pub fn finish(mut self, end: RunEnd) -> Result<RecordingSummary, Error> {
        self.close_chunk()?;
        let chunks = self.frames.iter().filter(|frame| frame.head.kind == format::EVENTS);
        let summary = RecordingSummary {
            statistics: self.statistics.clone(),
            end,
            chunks: chunks.clone().count(),
            compressed_bytes: chunks.map(|frame| u64::from(frame.head.len) + format::HEAD_BYTES as u64).sum(),
        };
        for (number, attachment) in std::mem::take(&mut self.attachments).into_iter().enumerate() {
            let Some(bytes) = attachment else { continue };
            // An empty attachment has one empty piece: it is not the same as none.
            let mut pieces = bytes.chunks(PIECE_BYTES);
            let first = pieces.next().unwrap_or_default();
            for piece in std::iter::once(first).chain(pieces) {
                self.frame(format::ATTACHMENT, number as u32, 0, 0, 0, piece)?;
            }
        }
        let index = Index { frames: std::mem::take(&mut self.frames), summary: summary.clone() };
        let index = serde_json::to_vec(&index).map_err(|error| self.unwritable(error.into()))?;
        let offset = self.offset;
        self.frame(format::INDEX, 0, 0, 0, 0, &index)?;
        self.put(&format::trailer(offset))?;
        let path = self.path;
        let file = self.out.into_inner().map_err(|error| Error::io("write", &path)(error.into_error()))?;
        file.persist(&path).map_err(|error| Error::io("rename the finished recording to", &path)(error.error))?;
        Ok(summary)
    }

    fn frame(
        &mut self,
        kind: u8,
        number: u32,
        events: u32,
        first_event: u64,
        start_counter: u64,
        raw: &[u8],
    ) -> Result<(), Error> {
        let packed = zstd::bulk::compress(raw, LEVEL).map_err(|error| self.unwritable(error))?;
        let size =
            |len: usize| u32::try_from(len).map_err(|_| self.unwritable(std::io::ErrorKind::FileTooLarge.into()));
        let head = FrameHead {
            kind,
            number,
            events,
            raw_len: size(raw.len())?,
            len: size(packed.len())?,
            first_event,
            start_counter,
            hash: format::short_hash(&packed),
        };
        let offset = self.offset;
        self.put(&head.to_bytes())?;
        self.put(&packed)?;
        self.frames.push(IndexEntry { offset, head });
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).map_err(|error| self.unwritable(error))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    fn unwritable(&self, source: std::io::Error) -> Error {
        Error::Io { action: "write", path: self.path.clone(), source }
    }
}
