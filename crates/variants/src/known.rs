//! Verdicts by content, kept in a file that is only appended to: what was written when a run was cut off still counts. Each
//! line begins with the hash of the rest of it.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use whydunit_sealed::hash;

use crate::verdict::{Tried, Verdict};

/// What is known of versions.
pub(crate) struct Known {
    file: PathBuf,
    verdicts: HashMap<String, Tried>,
}

impl Known {
    /// Those kept in a file, if it is there. A damaged line counts as not there.
    pub fn read(file: &Path) -> Self {
        let bytes = fs::read(file).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let verdicts = text.split_inclusive('\n').filter_map(parse).collect();
        Self { file: file.to_path_buf(), verdicts }
    }

    pub fn get(&self, key: &str) -> Option<&Tried> {
        self.verdicts.get(key)
    }

    /// Keeps one; a disk that is full costs only its being known later.
    pub fn add(&mut self, key: String, tried: Tried) {
        let word = match tried.verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Other => "other",
            Verdict::NotBuilt => "not-built",
        };
        let line = format!("{key} {word} {}\n", tried.says.replace('\\', "\\\\").replace('\n', "\\n"));
        let line = format!("{} {line}", hash(line.as_bytes()));
        let file = fs::OpenOptions::new().create(true).append(true).open(&self.file);
        file.and_then(|mut file| file.write_all(line.as_bytes())).ok();
        self.verdicts.insert(key, tried);
    }
}

fn parse(line: &str) -> Option<(String, Tried)> {
    let (own, line) = line.split_once(' ')?;
    let mut parts = line.strip_suffix('\n').filter(|_| own == hash(line.as_bytes()))?.splitn(3, ' ');
    let (key, word, says) = (parts.next()?, parts.next()?, parts.next()?);
    let verdict = match word {
        "pass" => Verdict::Pass,
        "fail" => Verdict::Fail,
        "other" => Verdict::Other,
        "not-built" => Verdict::NotBuilt,
        _ => return None,
    };
    let mut text = String::new();
    let mut chars = says.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.push(if chars.next() == Some('n') { '\n' } else { '\\' }),
            other => text.push(other),
        }
    }
    Some((key.to_string(), Tried { verdict, says: text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again_and_a_cut_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("verdicts");
        let tried = Tried { verdict: Verdict::NotBuilt, says: "a.c:1: error\\\nb.c".into() };
        Known::read(&file).add("abc".into(), tried.clone());
        let mut text = fs::read_to_string(&file).unwrap();
        text.push_str("def pass cut of");
        fs::write(&file, text).unwrap();
        let known = Known::read(&file);
        assert_eq!(known.get("abc"), Some(&tried));
        assert_eq!(known.get("def"), None);
        // A line with another bit is not what was written.
        let whole = fs::read(&file).unwrap();
        let line = whole.iter().position(|byte| *byte == b'\n').unwrap();
        for at in 0..=line {
            let mut changed = whole.clone();
            changed[at] ^= 2;
            fs::write(&file, changed).unwrap();
            assert!(Known::read(&file).verdicts.is_empty(), "at {at}");
        }
    }
}
