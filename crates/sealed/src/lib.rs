//! Checksums of what is kept in files and read again later: damage is noticed, and never taken for an answer.
//!
//! A *sealed* file is a line of text and a payload:
//! ```text
//! whydunit KIND VERSION LENGTH HASH\n
//! ```
//! LENGTH is the number of bytes of the payload, HASH the BLAKE3 hash of all that stands before it in the line and of the
//! payload, in 64 hexadecimal digits. Files that other programs read, such as objects, can have no such line: their
//! [`hash`] is their name, or stands in a sealed file beside them.
//!
//! Invariants
//! - [`Format::open`] gives what [`Format::seal`] was given, or says that it cannot.
//! - This crate reads and writes no files: where they lie, and that they appear as a whole, is for those who keep them.

/// How the line of a sealed file begins.
const START: &str = "whydunit";
/// No line is longer.
const LONGEST: usize = 160;

/// What a sealed file is, and the version of its payload's form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// A word.
    pub kind: &'static str,
    /// Raised when the payload's form changes.
    pub version: u32,
}

/// Why there is no payload.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Broken {
    /// It is no sealed file, or one of another kind.
    #[error("it is something else")]
    Foreign,
    /// It is whole, and its payload has another version.
    #[error("it has version {0}")]
    Version(u32),
    /// It was cut or changed.
    #[error("it is damaged")]
    Damaged,
}

impl Format {
    /// The bytes of a sealed file.
    pub fn seal(&self, payload: &[u8]) -> Vec<u8> {
        let head = format!("{START} {} {} {} ", self.kind, self.version, payload.len());
        let mut out = format!("{head}{}\n", seal_hash(head.as_bytes(), payload)).into_bytes();
        out.extend(payload);
        out
    }

    /// The payload of a sealed file, or why there is none.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], Broken> {
        if !bytes.starts_with(START.as_bytes()) {
            return Err(Broken::Foreign);
        }
        let end = bytes.iter().take(LONGEST).position(|byte| *byte == b'\n').ok_or(Broken::Damaged)?;
        let (line, payload) = (&bytes[..end], &bytes[end + 1..]);
        let line = str::from_utf8(line).map_err(|_| Broken::Damaged)?;
        let (head, hash) = line.rsplit_once(' ').ok_or(Broken::Damaged)?;
        if hash != seal_hash(&line.as_bytes()[..head.len() + 1], payload) {
            return Err(Broken::Damaged);
        }
        let mut words = head.split(' ').skip(1);
        let (kind, version) = (words.next(), words.next().and_then(|word| word.parse().ok()));
        match version {
            _ if kind != Some(self.kind) => Err(Broken::Foreign),
            Some(version) if version != self.version => Err(Broken::Version(version)),
            Some(_) => Ok(payload),
            None => Err(Broken::Damaged),
        }
    }
}

fn seal_hash(head: &[u8], payload: &[u8]) -> String {
    blake3::Hasher::new().update(head).update(payload).finalize().to_hex().to_string()
}

/// The BLAKE3 hash of a content, in 64 hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Format = Format { kind: "unit", version: 3 };

    #[test]
    fn what_is_sealed_is_opened() {
        for payload in [&b""[..], b"\n", b"{\"a\": 1}\n", &[0; 1000]] {
            assert_eq!(UNIT.open(&UNIT.seal(payload)), Ok(payload));
        }
        let text = String::from_utf8(UNIT.seal(b"payload")).expect("a text");
        assert!(text.starts_with("whydunit unit 3 7 ") && text.ends_with("\npayload"), "{text}");
    }

    #[test]
    fn every_bit_and_every_byte_counts() {
        let whole = UNIT.seal(b"payload");
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                let expected = if at < START.len() { Broken::Foreign } else { Broken::Damaged };
                assert_eq!(UNIT.open(&changed), Err(expected), "bit {bit} of byte {at}");
            }
            assert!(UNIT.open(&whole[..at]).is_err(), "cut at {at}");
        }
        assert_eq!(UNIT.open(&[&whole[..], b"\0"].concat()), Err(Broken::Damaged));
    }

    #[test]
    fn another_kind_and_another_version_are_told() {
        let whole = UNIT.seal(b"payload");
        assert_eq!(Format { version: 4, ..UNIT }.open(&whole), Err(Broken::Version(3)));
        assert_eq!(Format { kind: "recipe", ..UNIT }.open(&whole), Err(Broken::Foreign));
        assert_eq!(UNIT.open(b"something else"), Err(Broken::Foreign));
    }
}
