//! Places of two versions, told to be the same ones or not.

use whydunit_changes::Tree;

use super::death::At;
use super::versions::Fix;

/// A check that a program makes by itself begins so.
const CHECKS: [&str; 6] = ["assert", "panic!", "expect(", "throw ", "abort(", "unreachable"];
/// How names of sources end.
const SOURCES: [&str; 7] = ["c", "cc", "cpp", "cxx", "h", "hpp", "rs"];
/// A check may be written on so many lines.
const LINES: usize = 4;

/// The lines of both versions.
pub struct Places<'a> {
    broken: &'a Tree,
    mended: &'a Tree,
}

impl<'a> Places<'a> {
    pub fn new(fix: &'a Fix) -> Self {
        Self { broken: &fix.broken, mended: &fix.mended }
    }

    /// The texts of the sources before the fix: C, C++ and Rust, as far as they are UTF-8.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        let is_source = |path: &str| path.rsplit_once('.').is_some_and(|(_, kind)| SOURCES.contains(&kind));
        let sources = self.broken.files.iter().filter(move |(path, _)| is_source(path));
        sources.filter_map(|(_, file)| std::str::from_utf8(&file.bytes).ok())
    }

    /// Whether a place with the fix is one before it: the line that stands for it, or one with the same text.
    pub fn same(&self, broken: &At, mended: &At) -> bool {
        if broken.name() != mended.name() {
            return false;
        }
        let (Some(before), Some(after)) = (lines(self.broken, broken), lines(self.mended, mended)) else {
            return broken.line == mended.line;
        };
        let (old, new) = (text(&before, broken.line), text(&after, mended.line));
        if old == new {
            // The same text may stand in two places: then their order tells.
            let rank = |lines: &[&str], line: u32| lines[..line as usize].iter().filter(|one| **one == old).count();
            let counts = [&before, &after].map(|lines| lines.iter().filter(|one| **one == old).count());
            return old.is_empty() || counts[0] != counts[1] || rank(&before, broken.line) == rank(&after, mended.line);
        }
        // The line was written anew.
        !after.contains(&old) && !before.contains(&new) && self.stands_for(&before, &after, broken.line, mended.line)
    }

    /// Whether two lines that were changed stand between the same lines that were not.
    fn stands_for(&self, before: &[&str], after: &[&str], broken: u32, mended: u32) -> bool {
        let above = |lines: &[&str], others: &[&str], line: u32| {
            let kept = lines[..(line as usize - 1).min(lines.len())].iter().rev();
            kept.copied().find(|text| text.len() > 1 && others.contains(text)).map(str::to_string)
        };
        above(before, after, broken) == above(after, before, mended)
    }

    /// Whether what ends a run at a place with the fix is a check that the fix has brought, or has written anew.
    pub fn is_own_check(&self, mended: &At) -> bool {
        let Some(after) = lines(self.mended, mended) else { return false };
        let before = lines(self.broken, mended).unwrap_or_default();
        let until = (mended.line as usize).min(after.len());
        let checks = |line: &&&str| CHECKS.iter().any(|check| line.contains(check));
        let check = after[until.saturating_sub(LINES)..until].iter().rev().find(checks);
        check.is_some_and(|check| !before.contains(check))
    }
}

/// The lines of the file of a place, without the blanks around them. None where a version has no such file.
fn lines<'t>(tree: &'t Tree, at: &At) -> Option<Vec<&'t str>> {
    let is_it = |path: &&String| at.file == **path || at.file.ends_with(&format!("/{path}"));
    let named = |path: &&String| path.rsplit('/').next() == Some(at.name());
    let path =
        tree.files.keys().filter(is_it).max_by_key(|path| path.len()).or_else(|| tree.files.keys().find(named))?;
    let text = std::str::from_utf8(&tree.files[path].bytes).ok()?;
    Some(text.lines().map(str::trim).collect())
}

/// A line, by its number from 1; empty where there is none.
fn text<'t>(lines: &[&'t str], line: u32) -> &'t str {
    (line as usize).checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_changes::{File, Mode};

    fn fix(before: &str, after: &str) -> Fix {
        let tree = |text: &str| {
            let file = File { bytes: text.as_bytes().to_vec().into(), mode: Mode::Plain };
            Tree { files: [("src/a.c".to_string(), file)].into() }
        };
        Fix { broken: tree(before), mended: tree(after), notes: Vec::new() }
    }

    fn at(line: u32) -> At {
        At { file: "/x/src/a.c".into(), line }
    }

    #[test]
    fn lines_are_the_same_by_what_stands_there() {
        let fix = fix("one();\nuse(a, b);\nuse(a, b);\nend();\n", "one();\ncheck();\nuse(a, b);\nuse(a, b);\nend();\n");
        let places = Places::new(&fix);
        assert!(places.same(&at(2), &at(3)) && places.same(&at(3), &at(4)) && places.same(&at(4), &at(5)));
        assert!(!places.same(&at(2), &at(4)) && !places.same(&at(1), &at(5)));
    }

    #[test]
    fn a_line_written_anew_stands_for_the_old_one() {
        let fix = fix("f() {\n  x = a[i];\n  y = 1;\n}\n", "f() {\n  x = a[i - 1];\n  y = 1;\n}\n");
        let places = Places::new(&fix);
        assert!(places.same(&at(2), &at(2)));
        assert!(!places.same(&at(3), &at(2)));
    }

    #[test]
    fn checks_of_the_fix_are_told_from_those_that_were_there() {
        let fix = fix("assert((int)n >= 0);\nassert(m);\n", "assert(n >= 0);\nassert(m);\nx = a[n];\n");
        let places = Places::new(&fix);
        assert!(places.is_own_check(&at(1)));
        assert!(!places.is_own_check(&at(2)));
    }
}
