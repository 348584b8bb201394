//! Source lines of the project.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use whydunit_render::Sources;

/// Reads source files once each.
#[derive(Debug)]
pub struct ProjectSources {
    project: PathBuf,
    files: RefCell<HashMap<String, Option<String>>>,
}

impl ProjectSources {
    /// Of the project in this folder.
    pub fn new(project: &Path) -> Self {
        Self { project: project.to_path_buf(), files: RefCell::default() }
    }
}

impl Sources for ProjectSources {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let text = files.entry(file.to_string()).or_insert_with(|| {
            // Old sources are often Latin-1.
            std::fs::read(self.project.join(file)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        });
        text.as_ref()?.lines().nth(line.checked_sub(1)? as usize).map(String::from)
    }
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
}
