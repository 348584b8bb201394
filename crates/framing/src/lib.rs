//! Messages on a stream, as the protocols of editors frame them: a header that says how long the content is, an empty line, the
//! content (Language Server Protocol 3.17, "Base Protocol"; the Debug Adapter Protocol has the same).
//!
//! Invariants
//! - No bytes let a reader fail otherwise than by a [`FramingError`], and none let it take more memory than the longest message.
//! - What is written is read again as it was.
//!
//! Boundary: what a message says is not known here.

use std::io::{BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A longer line is no header.
const LONGEST_LINE: u64 = 4096;
/// More lines than these are no header.
const MOST_LINES: usize = 32;
/// Longer messages are not read.
const LONGEST: u64 = 16 << 20;

/// Why a stream cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum FramingError {
    /// It fails.
    #[error("the client's stream cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It has something else than a header where one should stand.
    #[error("the client sends no messages that an editor's protocol has: {0}")]
    NoHeader(String),
}

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The bytes of a message.
    Message(Vec<u8>),
    /// A message of so many bytes, which were passed over.
    TooLong(u64),
}

/// Reads the next message; `None` where the stream has ended.
pub fn read(input: &mut impl BufRead) -> Result<Option<Content>, FramingError> {
    let mut length = None;
    for number in 0.. {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && number == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if !line.ends_with(b"\n") {
            return Err(no_header("a header line without an end", &text));
        }
        if text.is_empty() && (length.is_some() || number == 0) {
            if length.is_some() {
                break;
            }
            continue;
        }
        let Some((name, value)) = text.split_once(':').filter(|_| number < MOST_LINES) else {
            return Err(no_header("a line that is no header", &text));
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let count = value.trim().parse::<u64>();
            length = Some(count.map_err(|_| no_header("a length that is no number", value.trim()))?);
        }
    }
    let length = length.unwrap_or_default();
    if length > LONGEST {
        let passed = std::io::copy(&mut input.by_ref().take(length), &mut std::io::sink())?;
        return Ok((passed == length).then_some(Content::TooLong(length)));
    }
    let mut content = Vec::new();
    input.by_ref().take(length).read_to_end(&mut content)?;
    // A stream that ends inside a message has ended.
    Ok((content.len() as u64 == length).then_some(Content::Message(content)))
}

fn no_header(what: &str, text: &str) -> FramingError {
    FramingError::NoHeader(format!("{what}: `{}`", text.chars().take(60).collect::<String>()))
}

/// Writes a message.
pub fn write(output: &mut impl Write, content: &[u8]) -> std::io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", content.len())?;
    output.write_all(content)?;
    output.flush()
}

/// A stream that several threads write messages to. Clones are one and the same.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Shared>>);

struct Shared {
    stream: Box<dyn Write + Send>,
    number: u64,
}

impl Output {
    /// To this stream.
    pub fn new(stream: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Shared { stream: Box::new(stream), number: 0 })))
    }

    /// Writes a message. That nobody reads any more is noticed where what is read ends.
    pub fn send(&self, content: &[u8]) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        write(&mut shared.stream, content).ok();
    }

    /// Writes a message with its number, from 1: those that are numbered come in this order.
    pub fn send_numbered(&self, content: impl FnOnce(u64) -> Vec<u8>) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.number += 1;
        let content = content(shared.number);
        write(&mut shared.stream, &content).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_message_is_told_apart_from_the_end() {
        let all = |text: &str| read(&mut text.as_bytes());
        assert_eq!(all("Content-Length: 2\r\n\r\n{}").expect("a message"), Some(Content::Message(b"{}".to_vec())));
        assert_eq!(all("content-length:2\nX: y\n\n{}").expect("a message"), Some(Content::Message(b"{}".to_vec())));
        assert!(all("").expect("the end").is_none() && all("Content-Length: 9\r\n\r\n{}").expect("the end").is_none());
        assert!(all("hello\n").is_err() && all("Content-Length: x\r\n\r\n").is_err());
        assert!(all(&"x".repeat(9000)).is_err() && all(&"A: b\n".repeat(100)).is_err());
        let huge = format!("Content-Length: {}\r\n\r\n", 17 << 20);
        let mut stream = huge.as_bytes().chain(std::io::repeat(b' ').take(17 << 20)).chain(&b"rest"[..]);
        let mut stream = std::io::BufReader::new(&mut stream);
        assert_eq!(read(&mut stream).expect("passed over"), Some(Content::TooLong(17 << 20)));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(messages in proptest::collection::vec(any::<Vec<u8>>(), 0..8)) {
            let mut stream = Vec::new();
            for message in &messages {
                write(&mut stream, message).expect("it is written");
            }
            let mut stream = &stream[..];
            for message in messages {
                prop_assert_eq!(read(&mut stream).expect("it is read"), Some(Content::Message(message)));
            }
            prop_assert!(read(&mut stream).expect("the end").is_none());
        }

        #[test]
        fn no_bytes_make_a_reader_fail_otherwise(bytes in any::<Vec<u8>>()) {
            let mut stream = &bytes[..];
            while let Ok(Some(_)) = read(&mut stream) {}
        }
    }
}
