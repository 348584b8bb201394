//! Source lines of the project.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

use whydunit_findings::Sources;

/// Reads source files once each.
#[derive(Debug)]
pub struct ProjectSources {
    project: PathBuf,
    files: RefCell<HashMap<String, Option<File>>>,
    changed: BTreeSet<PathBuf>,
}

/// A file's text, and where each of its lines is in it.
#[derive(Debug)]
struct File {
    text: String,
    lines: Vec<Range<usize>>,
}

impl File {
    fn new(text: String) -> Self {
        let start = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
        let lines = text.lines().map(|line| start(line)..start(line) + line.len()).collect();
        Self { text, lines }
    }
}

impl ProjectSources {
    /// Of the project in this folder.
    pub fn new(project: &Path) -> Self {
        Self { project: project.to_path_buf(), files: RefCell::default(), changed: BTreeSet::new() }
    }

    /// Without the lines of these files: they are not what a build was made from.
    pub fn without(mut self, changed: BTreeSet<PathBuf>) -> Self {
        let real: Vec<PathBuf> = changed.iter().filter_map(|path| path.canonicalize().ok()).collect();
        self.changed = changed;
        self.changed.extend(real);
        self
    }

    fn read(&self, file: &str) -> Option<File> {
        let path = self.project.join(file);
        if !self.changed.is_empty() && self.changed.contains(&path.canonicalize().ok()?) {
            return None;
        }
        // Old sources are often Latin-1.
        std::fs::read(path).ok().map(|bytes| File::new(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

impl Sources for ProjectSources {
    fn text(&self, file: &str) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let file = files.entry(file.to_string()).or_insert_with(|| self.read(file));
        file.as_ref().map(|file| file.text.clone())
    }

    fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let file = files.entry(file.to_string()).or_insert_with(|| self.read(file)).as_ref()?;
        let line = file.lines.get(line.checked_sub(1)? as usize)?;
        Some(file.text[line.clone()].to_string())
    }
}

/// A line of the sources, trimmed; empty where it is not there.
pub fn sources_line(sources: &ProjectSources, file: &str, line: u32) -> String {
    use whydunit_findings::Sources;
    sources.line(file, line).unwrap_or_default().trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_one() {
        let project = tempfile::tempdir().expect("a folder");
        std::fs::write(project.path().join("a.c"), b"one\n\xe4wei\n").expect("a file");
        let sources = ProjectSources::new(project.path());
        assert_eq!(sources.line("a.c", 1).as_deref(), Some("one"));
        assert_eq!(sources.line("a.c", 2).as_deref(), Some("\u{fffd}wei"));
        assert_eq!(sources.line("a.c", 0), None);
        assert_eq!(sources.line("a.c", 3), None);
        assert_eq!(sources.line("b.c", 1), None);
    }

    #[test]
    fn lines_of_changed_files_are_not_given() {
        let project = tempfile::tempdir().expect("a folder");
        for name in ["a.c", "b.c"] {
            std::fs::write(project.path().join(name), "one\n").expect("a file");
        }
        std::os::unix::fs::symlink("a.c", project.path().join("link.c")).expect("a link");
        let sources = ProjectSources::new(project.path()).without([project.path().join("link.c")].into());
        assert_eq!(sources.line("a.c", 1), None);
        assert_eq!(sources.line("./link.c", 1), None);
        assert_eq!(sources.line("b.c", 1).as_deref(), Some("one"));
    }
}
