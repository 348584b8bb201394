//! Streams as files: a sealed, compressed binary form, and a form of lines, each a JSON object, the first of which says what it is.

use serde::{Deserialize, Serialize};
use whydunit_sealed::Format;

use crate::event::Event;

/// Version of both forms.
pub const VERSION: u32 = 1;

const FORMAT: Format = Format { kind: "events", version: VERSION };
const SCHEMA: &str = "whydunit-events/1";

/// How a stream is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For programs.
    Binary,
    /// A JSON object a line: `docs/schema/events.json`.
    Lines,
}

/// Why a file gives no stream.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is neither form.
    #[error("this is no stream of events")]
    Foreign,
    /// Another version wrote it.
    #[error("the stream of events has another version than {VERSION}, which this program reads")]
    Version,
    /// It was cut or changed.
    #[error("the stream of events is damaged")]
    Damaged,
    /// A line of the form of lines is no event.
    #[error("line {line} is no event: {reason}")]
    Line {
        /// From 1.
        line: usize,
        /// Why.
        reason: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Head {
    schema: String,
}

/// A stream as bytes.
pub fn write(events: &[Event], form: Form) -> Vec<u8> {
    match form {
        Form::Binary => {
            let plain = postcard::to_stdvec(events).expect("plain data serialises");
            FORMAT.seal(&zstd::encode_all(&plain[..], 3).expect("compression in memory does not fail"))
        }
        Form::Lines => {
            let mut out = serde_json::to_vec(&Head { schema: SCHEMA.into() }).expect("a line");
            out.push(b'\n');
            for event in events {
                serde_json::to_writer(&mut out, event).expect("plain data serialises");
                out.push(b'\n');
            }
            out
        }
    }
}

/// The stream that bytes of either form hold.
pub fn read(bytes: &[u8]) -> Result<Vec<Event>, FileError> {
    if bytes.first() == Some(&b'{') {
        return lines(bytes);
    }
    let payload = FORMAT.open(bytes).map_err(|broken| match broken {
        whydunit_sealed::Broken::Foreign => FileError::Foreign,
        whydunit_sealed::Broken::Version(_) => FileError::Version,
        whydunit_sealed::Broken::Damaged => FileError::Damaged,
    })?;
    let plain = zstd::decode_all(payload).map_err(|_| FileError::Damaged)?;
    postcard::from_bytes(&plain).map_err(|_| FileError::Damaged)
}

fn lines(bytes: &[u8]) -> Result<Vec<Event>, FileError> {
    let mut lines = bytes.split(|byte| *byte == b'\n').enumerate();
    let first = lines.next().map(|(_, line)| line).unwrap_or_default();
    let head: Head = serde_json::from_slice(first).map_err(|_| FileError::Foreign)?;
    if head.schema != SCHEMA {
        return Err(if head.schema.starts_with("whydunit-events/") { FileError::Version } else { FileError::Foreign });
    }
    let event = |(number, line): (usize, &[u8])| {
        serde_json::from_slice(line).map_err(|error| FileError::Line { line: number + 1, reason: error.to_string() })
    };
    lines.filter(|(_, line)| !line.is_empty()).map(event).collect()
}
