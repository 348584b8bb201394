//! The table of cases, with what is long in files beside it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use whydunit_desk::Output;
use whydunit_suite::{Case, Content};

use super::CasesError;
use crate::Error;

/// Longer texts, and what is no text, lie in files.
const INLINE: usize = 2000;

/// Where what is long lies: beside the table, under its name.
fn folder_of(table: &Path) -> PathBuf {
    table.with_extension("files")
}

/// Sees that nothing that is there is lost.
pub(super) fn may_write(table: &Path, replace: bool) -> Result<(), Error> {
    let there = [table.to_owned(), folder_of(table)].into_iter().find(|path| path.exists());
    match there {
        Some(path) if !replace => Err(CasesError::Exists(path).into()),
        _ => {
            Output::open(table)?;
            Ok(())
        }
    }
}

/// Writes the table: first what is long, then the table itself, whole or not at all.
pub(super) fn write(table: &Path, cases: &[Case]) -> Result<(), Error> {
    let folder = folder_of(table);
    let failed = |path: &Path, source: io::Error| CasesError::NotWritten { path: path.to_owned(), source };
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|source| failed(&folder, source))?;
    }
    let mut lines = String::new();
    for (index, case) in cases.iter().enumerate() {
        let mut case = case.clone();
        let keep = |what: &str, content: &mut Content| -> Result<(), CasesError> {
            let Content::Inline(bytes) = content else { return Ok(()) };
            if bytes.len() <= INLINE && std::str::from_utf8(bytes).is_ok() {
                return Ok(());
            }
            let name = format!("{:04}.{what}", index + 1);
            let path = folder.join(&name);
            fs::create_dir_all(&folder).map_err(|source| failed(&folder, source))?;
            fs::write(&path, bytes).map_err(|source| failed(&path, source))?;
            let folder = folder.file_name().unwrap_or_default().to_string_lossy();
            *content = Content::File { path: path.clone(), written: format!("{folder}/{name}") };
            Ok(())
        };
        case.stdin.iter_mut().try_for_each(|it| keep("stdin", it))?;
        case.stdout.iter_mut().try_for_each(|it| keep("stdout", it))?;
        for (name, content) in &mut case.files {
            keep(&name.replace('/', "_"), content)?;
        }
        lines.push_str(&case.to_json().to_string());
        lines.push('\n');
    }
    Ok(Output::open(table)?.write(lines.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_nothing_is_replaced_unasked() {
        let place = tempfile::tempdir().expect("a folder");
        let table = place.path().join("cases.jsonl");
        let long = Content::Inline(vec![b'a'; 3000]);
        let case = Case {
            name: "t/one.sh".into(),
            args: vec!["-v".into()],
            stdin: Some(Content::Inline(b"\xff\0".to_vec())),
            files: [("d/in.txt".to_owned(), long.clone())].into(),
            stdout: Some(Content::Inline(b"short\n".to_vec())),
            status: Some(3),
            ..Case::default()
        };
        may_write(&table, false).expect("nothing is there");
        write(&table, std::slice::from_ref(&case)).expect("it is written");
        let read = Case::read_all(&table).expect("it is read");
        let [read] = &read[..] else { panic!("one case") };
        assert_eq!((&read.name, &read.args, read.status), (&case.name, &case.args, case.status));
        let bytes = |content: &Option<Content>| content.as_ref().map(|it| it.read().expect("it is there").into_owned());
        assert_eq!((bytes(&read.stdin), bytes(&read.stdout)), (bytes(&case.stdin), bytes(&case.stdout)));
        assert_eq!(bytes(&read.files.get("d/in.txt").cloned()), bytes(&Some(long)));
        assert!(may_write(&table, false).is_err() && may_write(&table, true).is_ok());
    }
}
