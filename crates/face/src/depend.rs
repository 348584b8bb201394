//! What a compile read, and whether that is still so.

use std::{
    fs::{self, Metadata},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::{recipe::Dependency, store};

/// The files of a dependency rule as compilers write it (`target: file file \`).
pub fn parse_rule(text: &str) -> Vec<String> {
    let Some((_, files)) = text.split_once(": ").or_else(|| text.split_once(":\\\n")) else { return Vec::new() };
    let mut names = Vec::new();
    let mut name = String::new();
    let mut characters = files.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if matches!(characters.peek(), Some('\n')) => {
                characters.next();
                names.extend(Some(std::mem::take(&mut name)).filter(|name| !name.is_empty()));
            }
            '\\' if matches!(characters.peek(), Some(' ' | '#' | '\\')) => name.extend(characters.next()),
            '$' if matches!(characters.peek(), Some('$')) => name.extend(characters.next()),
            '\n' => break,
            character if character.is_whitespace() => {
                names.extend(Some(std::mem::take(&mut name)).filter(|name| !name.is_empty()));
            }
            character => name.push(character),
        }
    }
    names.extend(Some(name).filter(|name| !name.is_empty()));
    names
}

fn modified(metadata: &Metadata) -> i128 {
    i128::from(metadata.mtime()) * 1_000_000_000 + i128::from(metadata.mtime_nsec())
}

/// How a file is now.
pub fn describe(path: &Path) -> Option<Dependency> {
    let metadata = fs::metadata(path).ok()?;
    let hash = store::hash(&fs::read(path).ok()?);
    Some(Dependency { path: path.to_owned(), size: metadata.len(), modified: modified(&metadata), hash })
}

/// Whether a file has still the content that it had.
pub fn is_current(dependency: &Dependency) -> bool {
    let Ok(metadata) = fs::metadata(&dependency.path) else { return false };
    metadata.len() == dependency.size
        && (modified(&metadata) == dependency.modified
            || fs::read(&dependency.path).is_ok_and(|content| store::hash(&content) == dependency.hash))
}

/// Those files that have changed or are gone.
pub fn changed<'d>(dependencies: impl IntoIterator<Item = &'d Dependency>) -> Vec<PathBuf> {
    dependencies.into_iter().filter(|one| !is_current(one)).map(|one| one.path.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_blanks_and_dollars_are_read() {
        let rule = "x: /a/b.c \\\n  /a/c\\ d.h /a/e$$f.h \\\n  /a/g.h\n\n/a/g.h:\n";
        assert_eq!(parse_rule(rule), ["/a/b.c", "/a/c d.h", "/a/e$f.h", "/a/g.h"]);
    }

    #[test]
    fn a_file_is_current_while_its_content_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.h");
        fs::write(&path, "one").unwrap();
        let before = describe(&path).unwrap();
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
        fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert!(is_current(&before));
        fs::write(&path, "two").unwrap();
        assert_eq!(changed([&before]), vec![path.clone()]);
        fs::remove_file(&path).unwrap();
        assert!(!is_current(&before));
    }
}
