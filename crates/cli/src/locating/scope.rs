//! Which statements are ranked.

use std::path::Path;
use std::str::FromStr;

use whydunit_model::paths;

use super::test_code::TestCode;
use crate::convert;

/// Which statements are ranked.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    /// Those in libraries as well: headers of the system's, and crates that cargo has got.
    pub library: bool,
    /// Those in the code of tests as well, where they are Rust.
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
        if !self.tests && self.test_code.holds(&file, function) {
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
    fn covers(&self, file: &str, line: u32) -> bool {
        let path = Path::new(&self.path);
        let inside = Path::new(file).starts_with(path) || Path::new(file).ends_with(path);
        inside && self.line.is_none_or(|only| only == line)
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
        for wrong in ["", ":3", "main.c:", "main.c:0", "main.c:x"] {
            assert!(wrong.parse::<Part>().unwrap_err().contains("FILE:LINE"), "{wrong}");
        }
    }
}
