//! The file: magic, version, frames, and a trailer that points at the last frame.
//!
//! A frame is a head of [`HEAD_BYTES`] bytes, with a checksum of its own, and a zstd-compressed payload whose checksum
//! stands in the head. Frames in order: `I` description (JSON), `E` chunks of events, `A` pieces of attachments, `X`
//! index and summary (JSON). Each chunk decodes alone: its integer results count from empty slots.

use std::fs::File;
use std::os::unix::fs::FileExt;

use serde::{Deserialize, Serialize};

pub(crate) const MAGIC: &[u8; 8] = b"\x89whyrec\n";
pub(crate) const END_MAGIC: &[u8; 8] = b"\x89whyend\n";
/// Version of the file format.
pub const VERSION: u32 = 4;
/// Magic and version.
pub(crate) const PROLOGUE_BYTES: u64 = 12;
/// Offset of the last frame, its checksum, a magic.
pub(crate) const TRAILER_BYTES: u64 = 24;
pub(crate) const HEAD_BYTES: usize = 60;
/// Attachments are kept in pieces of this size.
pub(crate) const PIECE_BYTES: usize = 1 << 20;

pub(crate) const DESCRIPTION: u8 = b'I';
pub(crate) const EVENTS: u8 = b'E';
pub(crate) const ATTACHMENT: u8 = b'A';
pub(crate) const INDEX: u8 = b'X';

/// A frame's head; also its entry in the index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FrameHead {
    pub kind: u8,
    /// Chunks: running number. Attachments: 0 stdin, 1 stdout, 2 stderr.
    pub number: u32,
    pub events: u32,
    pub raw_len: u32,
    pub len: u32,
    /// Chunks: number of the first event, safepoint count before it.
    pub first_event: u64,
    pub start_counter: u64,
    pub hash: [u8; 16],
}

/// Why a frame cannot be had.
pub(crate) enum Defect {
    Cut,
    Damaged(String),
    Io(std::io::Error),
}

impl From<std::io::Error> for Defect {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::UnexpectedEof { Defect::Cut } else { Defect::Io(error) }
    }
}

pub(crate) fn short_hash<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&blake3::hash(bytes).as_bytes()[..N]);
    out
}

impl FrameHead {
    pub(crate) fn to_bytes(&self) -> [u8; HEAD_BYTES] {
        let mut out = Vec::with_capacity(HEAD_BYTES);
        out.extend([self.kind, b'f', b'r', b'm']);
        for word in [self.number, self.events, self.raw_len, self.len] {
            out.extend(word.to_le_bytes());
        }
        out.extend(self.first_event.to_le_bytes());
        out.extend(self.start_counter.to_le_bytes());
        out.extend(self.hash);
        let check: [u8; 8] = short_hash(&out);
        out.extend(check);
        out.try_into().unwrap_or([0; HEAD_BYTES])
    }

    fn from_bytes(bytes: &[u8; HEAD_BYTES]) -> Result<Self, Defect> {
        let (body, check) = bytes.split_at(HEAD_BYTES - 8);
        if short_hash::<8>(body) != check {
            return Err(Defect::Damaged("the checksum of its head does not fit".into()));
        }
        let u32_at = |at: usize| u32::from_le_bytes([body[at], body[at + 1], body[at + 2], body[at + 3]]);
        let u64_at = |at: usize| u64::from(u32_at(at)) | u64::from(u32_at(at + 4)) << 32;
        let mut hash = [0; 16];
        hash.copy_from_slice(&body[36..52]);
        Ok(Self {
            kind: body[0],
            number: u32_at(4),
            events: u32_at(8),
            raw_len: u32_at(12),
            len: u32_at(16),
            first_event: u64_at(20),
            start_counter: u64_at(28),
            hash,
        })
    }

    /// Reads the head at `offset`.
    pub(crate) fn read(file: &File, offset: u64) -> Result<Self, Defect> {
        let mut bytes = [0; HEAD_BYTES];
        file.read_exact_at(&mut bytes, offset)?;
        Self::from_bytes(&bytes)
    }

    /// Reads and checks the payload of the frame whose head stands at `offset`.
    pub(crate) fn read_payload(&self, file: &File, offset: u64, file_len: u64) -> Result<Vec<u8>, Defect> {
        let start = offset + HEAD_BYTES as u64;
        if start + u64::from(self.len) > file_len {
            return Err(Defect::Cut);
        }
        let mut bytes = vec![0; self.len as usize];
        file.read_exact_at(&mut bytes, start)?;
        if short_hash::<16>(&bytes) != self.hash {
            return Err(Defect::Damaged("its checksum does not fit".into()));
        }
        let raw = zstd::bulk::decompress(&bytes, self.raw_len as usize)
            .map_err(|error| Defect::Damaged(format!("it does not unpack: {error}")))?;
        if raw.len() != self.raw_len as usize {
            return Err(Defect::Damaged("it unpacks to another length".into()));
        }
        Ok(raw)
    }

    /// Where the next frame starts.
    pub(crate) fn next_offset(&self, offset: u64) -> u64 {
        offset + HEAD_BYTES as u64 + u64::from(self.len)
    }
}

/// An entry of the index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct IndexEntry {
    pub offset: u64,
    pub head: FrameHead,
}

/// The last frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Index {
    pub frames: Vec<IndexEntry>,
    pub summary: crate::RecordingSummary,
}

/// The trailer that names the offset of the last frame.
pub(crate) fn trailer(offset: u64) -> [u8; TRAILER_BYTES as usize] {
    let mut out = [0; TRAILER_BYTES as usize];
    out[..8].copy_from_slice(&offset.to_le_bytes());
    out[8..16].copy_from_slice(&short_hash::<8>(&offset.to_le_bytes()));
    out[16..].copy_from_slice(END_MAGIC);
    out
}
