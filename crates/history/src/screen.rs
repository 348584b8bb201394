//! What of a commit's changes is code, what belongs to the tests, and what is neither.

use std::collections::BTreeSet;
use std::ops::Range;

use whydunit_changes::{ChangeKind, Changes};

use crate::syntax::{Language, Source};

/// Which files belong to the tests.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TestFiles {
    /// Patterns of the project's own: paths in which a `*` stands for anything.
    pub patterns: Vec<String>,
}

/// Folders whose files belong to the tests.
const FOLDERS: &[&str] = &[
    "test",
    "tests",
    "t",
    "testing",
    "testsuite",
    "unittest",
    "unittests",
    "spec",
    "testdata",
    "fixtures",
    "cases",
    "regress",
    "benches",
    "fuzz",
];
/// Endings and names of files that are no part of a program.
const TEXTS: &[&str] = &[
    "md",
    "rst",
    "adoc",
    "html",
    "css",
    "txt",
    "yml",
    "yaml",
    "png",
    "svg",
    "gitignore",
    "gitattributes",
    "editorconfig",
    "pdf",
    "tex",
    "1",
    "3",
];
const NAMES: &[&str] =
    &["LICENSE", "COPYING", "README", "CHANGELOG", "CHANGES", "ChangeLog", "NEWS", "AUTHORS", "CONTRIBUTORS", "TODO"];

impl TestFiles {
    /// Whether a file belongs to the tests: by the project's patterns, by its folder, or by its name.
    pub fn has(&self, path: &str) -> bool {
        if self.patterns.iter().any(|pattern| matches(pattern, path)) {
            return true;
        }
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.split('.').next().unwrap_or(name).to_lowercase();
        let by_name = stem == "tests"
            || ["test_", "test-", "unittest"].iter().any(|start| stem.starts_with(start))
            || ["_tests", "-tests"].iter().any(|end| stem.ends_with(end))
            || stem.ends_with("test") && !stem.ends_with("latest");
        folder.split('/').any(|part| FOLDERS.contains(&part)) || by_name || name == "cases.jsonl"
    }
}

/// Whether a path is of a pattern: `*` stands for any characters, those between folders among them.
fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// A commit's changes by what they are of; numbers as in [`Changes::list`], ascending.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Screened {
    /// Of the program, files of its build among them.
    pub code: Vec<usize>,
    /// Of the tests.
    pub tests: Vec<usize>,
    /// Of texts that are no part of either.
    pub texts: Vec<usize>,
    /// Files of the program's sources that changed, generated ones among them.
    pub files: Vec<String>,
    /// Files of the tests that changed.
    pub test_files: Vec<String>,
    /// No source changed but in comments and form.
    pub form_only: bool,
}

impl Screened {
    /// Screens the changes.
    pub fn of(changes: &Changes, tests: &TestFiles) -> Self {
        let mut screened = Self { form_only: true, ..Self::default() };
        let (mut files, mut test_files) = (BTreeSet::new(), BTreeSet::new());
        for of_file in changes.by_file() {
            let Some(path) = of_file.first().map(|&number| changes.list[number].file.clone()) else { continue };
            let older = changes.older_path(of_file[0]);
            if tests.has(&path) {
                screened.tests.extend(&of_file);
                test_files.insert(path);
                continue;
            }
            if is_text(&path) {
                screened.texts.extend(&of_file);
                continue;
            }
            let inside = test_ranges(changes, older, &path);
            let (of_tests, of_code): (Vec<usize>, Vec<usize>) =
                of_file.iter().partition(|&&number| is_of_tests(changes, number, &inside));
            if !of_tests.is_empty() {
                test_files.insert(path.clone());
            }
            if !of_code.is_empty() && is_source(&path) {
                screened.form_only &= differs_in_form_only(changes, older, &path);
                files.insert(path);
            }
            screened.tests.extend(of_tests);
            screened.code.extend(of_code);
        }
        screened.code.sort_unstable();
        screened.tests.sort_unstable();
        screened.texts.sort_unstable();
        screened.files = files.into_iter().collect();
        screened.test_files = test_files.into_iter().collect();
        screened
    }
}

/// Endings of files that go into a program and that no syntax is known of.
const OTHERS: &[&str] =
    &["inc", "def", "tcc", "y", "yy", "ypp", "l", "ll", "re", "gperf", "lalrpop", "pest", "s", "S", "asm"];

/// Whether a file goes into a program.
fn is_source(path: &str) -> bool {
    Language::of(path).is_some() || path.rsplit_once('.').is_some_and(|(_, ending)| OTHERS.contains(&ending))
}

fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == "CMakeLists.txt" || name == "meson_options.txt" {
        return false;
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    TEXTS.contains(&ending) || NAMES.iter().any(|known| name.starts_with(known)) || path.starts_with(".github/")
}

/// The lines of tests inside of a source, in the older and the newer version.
type TestRanges = [Vec<(u32, u32)>; 2];

fn test_ranges(changes: &Changes, older: Option<&String>, path: &str) -> TestRanges {
    let of = |tree: &whydunit_changes::Tree, path: Option<&str>| {
        let file = path.and_then(|path| Some((path, tree.files.get(path)?)));
        let source = file.and_then(|(path, file)| Source::read(path, &file.bytes));
        source.map(|source| source.test_lines()).unwrap_or_default()
    };
    [of(&changes.old, older.map(String::as_str)), of(&changes.new, Some(path))]
}

/// Whether a change of lines is inside of what is compiled for tests only, on both sides.
fn is_of_tests(changes: &Changes, number: usize, inside: &TestRanges) -> bool {
    let ChangeKind::Lines { old, new } = &changes.list[number].kind else { return false };
    let Some((old_lines, new_lines)) = changes.texts(number) else { return false };
    let within = |range: &Range<u32>, lines: &[&[u8]], tests: &[(u32, u32)]| {
        let filled = range.clone().zip(lines).filter(|(_, line)| !line.trim_ascii().is_empty());
        filled.clone().all(|(line, _)| tests.iter().any(|(first, last)| (*first..=*last).contains(&line)))
    };
    let is_empty = old_lines.iter().chain(&new_lines).all(|line| line.trim_ascii().is_empty());
    !is_empty && within(old, &old_lines, &inside[0]) && within(new, &new_lines, &inside[1])
}

fn differs_in_form_only(changes: &Changes, older: Option<&String>, path: &str) -> bool {
    let before = older.and_then(|older| changes.old.files.get(older));
    let (Some(before), Some(after)) = (before, changes.new.files.get(path)) else { return false };
    let tokens = |bytes| Source::read(path, bytes).map(|source| source.tokens());
    match (tokens(&before.bytes), tokens(&after.bytes)) {
        (Some(before), Some(after)) => before == after,
        // Of what no syntax is known nothing is form.
        _ => before.bytes == after.bytes,
    }
}

/// The functions and the types that changes of lines are in, in either version, by name and in order.
pub fn changed_regions(changes: &Changes, code: &[usize]) -> (Vec<String>, Vec<String>) {
    let (mut functions, mut types) = (BTreeSet::new(), BTreeSet::new());
    for &number in code {
        let ChangeKind::Lines { old, new } = &changes.list[number].kind else { continue };
        let path = &changes.list[number].file;
        let older = changes.older_path(number).unwrap_or(path);
        for (tree, path, range) in [(&changes.old, older, old), (&changes.new, path, new)] {
            let Some(source) = tree.files.get(path).and_then(|file| Source::read(path, &file.bytes)) else { continue };
            for (name, is_type, first, last) in source.items() {
                // Lines that go or come between two others touch what these are in.
                let touches = if range.is_empty() {
                    first < range.start && range.start <= last
                } else {
                    range.start <= last && first < range.end
                };
                if touches {
                    if is_type {
                        types.insert(name)
                    } else {
                        functions.insert(name)
                    };
                }
            }
        }
    }
    (functions.into_iter().collect(), types.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use whydunit_changes::{File, Mode, Tree};

    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let file = |text: &str| File { bytes: text.as_bytes().into(), mode: Mode::Plain };
        Tree { files: files.iter().map(|(path, text)| (path.to_string(), file(text))).collect() }
    }

    fn screened(old: &[(&str, &str)], new: &[(&str, &str)]) -> (Changes, Screened) {
        let changes = Changes::between(tree(old), tree(new), &|_| false);
        let screened = Screened::of(&changes, &TestFiles { patterns: vec!["own/*.in".into()] });
        (changes, screened)
    }

    #[test]
    fn files_are_of_the_program_or_of_its_tests() {
        let tests = TestFiles { patterns: vec!["own/*.in".into()] };
        for path in ["tests/a.c", "src/test_a.c", "xmltest.cpp", "own/x/y.in", "cases.jsonl", "a/b_tests.rs", "tests.c"]
        {
            assert!(tests.has(path), "{path}");
        }
        for path in ["src/a.c", "latest.c", "contests.c", "own/a.c", "attestation.rs"] {
            assert!(!tests.has(path), "{path}");
        }
    }

    #[test]
    fn tests_inside_of_a_source_are_no_code() {
        let body = |n: &str| {
            format!(
                "fn f() -> u8 {{\n    {n}\n}}\n\n#[cfg(test)]\nmod tests {{\n    #[test]\n    fn t() {{\n        assert!(true);\n    }}\n"
            )
        };
        let old = format!("{}}}\n", body("1"));
        let new = format!("{}    #[test]\n    fn more() {{}}\n}}\n", body("2"));
        let (changes, found) = screened(&[("src/lib.rs", &old)], &[("src/lib.rs", &new)]);
        assert_eq!((found.code.len(), found.tests.len(), found.form_only), (1, 1, false));
        assert_eq!(changed_regions(&changes, &found.code), (vec!["f".into()], vec![]));
    }

    #[test]
    fn form_and_texts_are_told() {
        let (_, found) =
            screened(&[("a.c", "int a;\n"), ("README.md", "x")], &[("a.c", "int a; // b\r\n"), ("README.md", "y")]);
        assert!(found.form_only && found.files == ["a.c"] && found.texts.len() == 1);
        let (_, found) = screened(&[("tests/a.c", "int a;\n")], &[("tests/a.c", "int b;\n")]);
        assert!(found.files.is_empty() && found.test_files == ["tests/a.c"]);
    }
}
