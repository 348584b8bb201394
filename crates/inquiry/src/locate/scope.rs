//! Which statements are ranked.

use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use whydunit_model::paths;

use super::error::LocateError;
use super::test_code::TestCode;
use crate::Error;
use whydunit_desk::convert;

/// Which statements are ranked.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    /// Those in libraries as well: headers of the system's, and crates that cargo has got.
    pub library: bool,
    /// Those in the code of tests and of their frameworks as well.
    pub tests: bool,
    /// The code of tests, once the suite is known.
    pub test_code: TestCode,
    /// Only those in one of these; none: all.
    pub only: Vec<Part>,
}

impl Scope {
    /// Whether a line of a file, as debug information names it, and a function is among them.
    pub fn covers(&self, project: &Path, file: &str, line: u32, function: &str) -> bool {
        if !self.library && paths::is_library(file) {
            return false;
        }
        let file = convert::relative(project, file);
        if !self.tests && (paths::is_framework(&file) || self.test_code.holds(&file, function)) {
            return false;
        }
        self.only.is_empty() || { self.only.iter().any(|part| part.covers(&file, line)) }
    }
}

/// A file, all files of a folder, or a line of a file: `FILE[:LINE]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    path: String,
    line: Option<u32>,
}

impl Part {
    /// Whether a line of a file, relative to the project, lies there. The beginning of the path can be left out.
    pub(super) fn covers(&self, file: &str, line: u32) -> bool {
        let path = Path::new(&self.path);
        if self.path.is_empty() {
            return true;
        }
        let inside = Path::new(file).starts_with(path) || Path::new(file).ends_with(path);
        inside && self.line.is_none_or(|only| only == line)
    }
}

impl Part {
    /// The file or folder.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The same with a path that is relative to the project and names nothing twice.
    pub fn inside(&self, project: &Path) -> Result<Self, Error> {
        let plain = !self.path.split('/').any(|name| name == "..") && !self.path.starts_with('/');
        let whole = if plain { self.path.clone().into() } else { project.join(&self.path) };
        let mut path = PathBuf::new();
        for component in whole.components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => drop(path.pop()),
                component => path.push(component),
            }
        }
        let path = if plain { Ok(path.as_path()) } else { path.strip_prefix(project) };
        let outside = |_| LocateError::Outside { part: self.to_string(), project: project.to_path_buf() };
        let path = path.map_err(outside)?.to_str().unwrap_or(&self.path).to_string();
        Ok(Self { path, line: self.line })
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.path),
            None => f.write_str(&self.path),
        }
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, line) = match text.rsplit_once(':') {
            Some((path, line)) => (path, Some(line)),
            None => (text, None),
        };
        let line = line.map(str::parse).transpose().ok().filter(|line| *line != Some(0));
        let path = path.strip_prefix("./").unwrap_or(path);
        match line {
            Some(line) if !path.is_empty() => Ok(Self { path: path.to_string(), line }),
            _ => Err(format!("`{text}` is no part of the sources; write FILE or FILE:LINE, as in src/main.c:12")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(part: &str, file: &str, line: u32) -> bool {
        part.parse::<Part>().unwrap().covers(file, line)
    }

    #[test]
    fn parts_are_files_folders_and_lines() {
        assert!(covers("src/main.c", "src/main.c", 3) && covers("main.c", "src/main.c", 3));
        assert!(covers("./src", "src/main.c", 3) && !covers("sr", "src/main.c", 3));
        assert!(covers("main.c:3", "src/main.c", 3) && !covers("main.c:3", "src/main.c", 4));
        let inside =
            |part: &str| part.parse::<Part>().unwrap().inside(Path::new("/home/me/bank")).map(|part| part.path);
        assert_eq!(inside("/home/me/bank/src/a.c:3").unwrap(), "src/a.c");
        assert_eq!(inside("../bank/./a.c").unwrap(), "a.c");
        assert_eq!(inside("src/../a.c").unwrap(), "a.c");
        assert!(inside("../other/a.c").is_err() && inside("/etc/a.c").is_err());
        let all = ".".parse::<Part>().unwrap().inside(Path::new("/home/me/bank")).unwrap();
        assert!(all.covers("src/main.c", 3));
        for wrong in ["", ":3", "main.c:", "main.c:0", "main.c:x"] {
            assert!(wrong.parse::<Part>().unwrap_err().contains("FILE:LINE"), "{wrong}");
        }
    }
}
