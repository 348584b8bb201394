//! What became of an input's parts, and where the smaller ones are kept.

use std::fs;
use std::path::PathBuf;

use whydunit_desk::{Desk, prepare};
use whydunit_findings::{PartKind, ShrunkPart, Size};
use whydunit_shrink::{Input, Keep, Part};

use super::error::ShrinkError;
use crate::Error;

/// The bytes of an input.
pub(super) fn bytes(input: &Input) -> usize {
    input.parts(&Keep::default()).iter().map(|part| input.text(part).len()).sum()
}

/// The parts that there were, and what became of them.
pub(super) fn parts(before: &Input, after: &Input) -> Vec<ShrunkPart> {
    let size = |text: &[u8]| Size {
        bytes: text.len() as u64,
        lines: text.split_inclusive(|&byte| byte == b'\n').count() as u64,
    };
    let mut parts = Vec::new();
    for (name, text) in &before.files {
        let after = after.files.get(name).map(|text| size(text));
        parts.push(ShrunkPart { kind: PartKind::File, name: name.clone(), before: size(text), after });
    }
    if before.stdin.is_some() {
        let after = after.stdin.as_deref().map(size);
        let before = size(before.text(&Part::Stdin));
        parts.push(ShrunkPart { kind: PartKind::Stdin, name: String::new(), before, after });
    }
    let all = |args: &[String]| {
        let bytes = args.iter().map(|arg| arg.len() as u64).sum();
        (!args.is_empty()).then_some(Size { bytes, lines: args.len() as u64 })
    };
    if let Some(size) = all(&before.args) {
        parts.push(ShrunkPart { kind: PartKind::Args, name: String::new(), before: size, after: all(&after.args) });
    }
    parts
}

/// Where what was made smaller is kept.
pub(super) fn place(desk: &Desk, name: &str) -> PathBuf {
    let plain: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_.+=@".contains(c) { c } else { '_' }).collect();
    let plain: String = plain.trim_start_matches('.').chars().take(120).collect();
    let store = whydunit_suite::store_of(&desk.project);
    store.join("shrunk").join(if plain.is_empty() { "input".into() } else { plain })
}

/// Writes files to a folder of the store, in the place of what an earlier run left there; where the only one or all lie.
pub(super) fn keep(desk: &Desk, name: &str, files: &[(String, Vec<u8>)]) -> Result<PathBuf, Error> {
    let folder = place(desk, name);
    let written = || -> std::io::Result<()> {
        let shrunk = folder.parent().unwrap_or(&folder);
        fs::create_dir_all(shrunk)?;
        prepare::unseen_by_git(shrunk.parent().unwrap_or(shrunk))?;
        let new = tempfile::Builder::new().prefix(".new-").tempdir_in(shrunk)?;
        for (name, bytes) in files {
            let path = new.path().join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, bytes)?;
        }
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::rename(new.keep(), &folder)
    };
    written().map_err(|source| ShrinkError::NotKept { folder: folder.clone(), source })?;
    match files {
        [(name, _)] => Ok(folder.join(name)),
        _ => Ok(folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_that_there_were() {
        let mut before =
            Input { args: vec!["-v".into(), "x".into()], stdin: Some(b"a\nb".to_vec()), ..Input::default() };
        before.files.insert("f".into(), b"1\n".to_vec());
        let after = Input { args: vec!["x".into()], ..Input::default() };
        let found = parts(&before, &after);
        let sizes: Vec<_> = found
            .iter()
            .map(|part| (part.kind.name(), part.before.bytes, part.before.lines, part.after.map(|size| size.bytes)))
            .collect();
        assert_eq!(sizes, [("file", 2, 1, None), ("stdin", 3, 2, None), ("args", 3, 2, Some(1))]);
        assert_eq!(bytes(&before), 8);
    }
}
