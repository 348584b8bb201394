//! What versions came to, by content, kept in a file that is only appended to: what was written when a run was cut off still counts. Each
//! line begins with the hash of the rest of it.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use whydunit_sealed::hash;

use crate::verdict::{Tried, Verdict};

/// Of what a compiler said so many bytes are kept, the last.
const KEPT: usize = 16 << 10;

/// What is kept of a version, as a part of a line.
pub(crate) trait Line: Sized {
    fn write(&self) -> String;
    /// None of what is no such part.
    fn read(text: &str) -> Option<Self>;
}

/// What is known of versions.
pub(crate) struct Known<T> {
    file: PathBuf,
    versions: HashMap<String, T>,
    /// The last line was cut off.
    cut: bool,
}

impl<T: Line> Known<T> {
    /// Those kept in a file, if it is there. A damaged line counts as not there.
    pub fn read(file: &Path) -> Self {
        let bytes = fs::read(file).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let versions = text.split_inclusive('\n').filter_map(parse).collect();
        Self { file: file.to_path_buf(), versions, cut: bytes.last().is_some_and(|last| *last != b'\n') }
    }

    pub fn get(&self, key: &str) -> Option<&T> {
        self.versions.get(key)
    }

    /// Keeps one; a disk that is full costs only its being known later.
    pub fn add(&mut self, key: String, version: T) {
        let line = format!("{key} {}\n", version.write());
        let end = if std::mem::take(&mut self.cut) { "\n" } else { "" };
        let line = format!("{end}{} {line}", hash(line.as_bytes()));
        let file = fs::OpenOptions::new().create(true).append(true).open(&self.file);
        file.and_then(|mut file| file.write_all(line.as_bytes())).ok();
        self.versions.insert(key, version);
    }
}

fn parse<T: Line>(line: &str) -> Option<(String, T)> {
    let (own, line) = line.split_once(' ')?;
    let (key, rest) = line.strip_suffix('\n').filter(|_| own == hash(line.as_bytes()))?.split_once(' ')?;
    Some((key.to_owned(), T::read(rest)?))
}

/// What a compiler said from its first error on, as much as is kept; all from the end where it speaks of no error.
pub(crate) fn told_of(mut said: String) -> String {
    let starts = said.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    });
    let is_error = |line: &str| {
        let line = line.to_lowercase();
        line.starts_with("error")
            || line.contains(": error:")
            || line.contains(": fatal error:")
            || line.contains("undefined reference")
    };
    let first = starts.into_iter().find(|(_, line)| is_error(line)).map(|(start, _)| start);
    match first {
        Some(start) if said.len() > KEPT => {
            let end = said.floor_char_boundary((start + KEPT).min(said.len()));
            said.truncate(end);
            said.drain(..start);
            said
        }
        _ => end_of(said),
    }
}

/// The end of what a compiler said.
pub(crate) fn end_of(mut said: String) -> String {
    let from = said.ceil_char_boundary(said.len().saturating_sub(KEPT));
    said.drain(..from);
    said
}

/// A text without ends of lines and tabs.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t")
}

/// What was escaped.
pub(crate) fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                _ => '\\',
            },
            other => other,
        });
    }
    out
}

impl Line for Tried {
    fn write(&self) -> String {
        let word = match self.verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Other => "other",
            Verdict::NotBuilt => "not-built",
        };
        format!("{word} {}", escaped(&self.says))
    }

    fn read(text: &str) -> Option<Self> {
        let (word, says) = text.split_once(' ')?;
        let verdict = match word {
            "pass" => Verdict::Pass,
            "fail" => Verdict::Fail,
            "other" => Verdict::Other,
            "not-built" => Verdict::NotBuilt,
            _ => return None,
        };
        Some(Self { verdict, says: unescaped(says) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_kept_however_much_is_said() {
        let (noise, more) = ("warning: x\n".repeat(3000), "note: y\n".repeat(3000));
        let said = told_of(format!("{noise}a.c:1: error: first\n{more}a.c:9: error: last\n"));
        assert!(said.starts_with("a.c:1: error: first\n") && said.len() <= KEPT, "{}", said.len());
        assert_eq!(told_of("cc a.c\nerror: x\n".into()), "cc a.c\nerror: x\n");
        assert!(told_of(noise + "end").ends_with("end"));
    }

    #[test]
    fn what_is_kept_is_read_again_and_a_cut_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("verdicts");
        let tried = Tried { verdict: Verdict::NotBuilt, says: "a.c:1: error\\\n\tb.c \\t".into() };
        Known::read(&file).add("abc".into(), tried.clone());
        let mut text = fs::read_to_string(&file).unwrap();
        text.push_str("def pass cut of");
        fs::write(&file, text).unwrap();
        let known = Known::<Tried>::read(&file);
        assert_eq!(known.get("abc"), Some(&tried));
        assert_eq!(known.get("def"), None);
        // What comes after a cut line is a line of its own.
        let next = Tried { verdict: Verdict::Pass, says: String::new() };
        Known::read(&file).add("def".into(), next.clone());
        let known = Known::<Tried>::read(&file);
        assert_eq!((known.get("abc"), known.get("def")), (Some(&tried), Some(&next)));
        // A line with another bit is not what was written.
        let whole = fs::read(&file).unwrap();
        let line = whole.iter().position(|byte| *byte == b'\n').unwrap();
        for at in 0..=line {
            let mut changed = whole[..=line].to_vec();
            changed[at] ^= 2;
            fs::write(&file, changed).unwrap();
            assert!(Known::<Tried>::read(&file).versions.is_empty(), "at {at}");
        }
    }
}
