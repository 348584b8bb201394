//! Tests of a fix that use what only the fix has: the parent does not build with them. In Rust the compiler says where, and the other tests
//! can be had without these.

use std::collections::BTreeMap;

use whydunit_changes::Tree;

use crate::syntax::Source;

/// Takes those tests out of `newer` in which a compiler found errors when it built `with_tests`, the parent with the tests of `newer`; their
/// names. `None` where it found one elsewhere, or where a test is not the same in both: nothing is left out then.
pub fn leave_out(said: &str, with_tests: &Tree, newer: &mut Tree) -> Option<Vec<String>> {
    let mut found: BTreeMap<String, Vec<(String, Vec<u8>)>> = BTreeMap::new();
    for (path, line) in places(said) {
        let bytes = &with_tests.files.get(&path)?.bytes;
        let source = Source::read(&path, bytes)?;
        let (name, range) = source.tests().into_iter().find(|(_, range)| {
            let before = bytes[..range.start].iter().filter(|&&byte| byte == b'\n').count() as u32;
            let within = bytes[range.clone()].iter().filter(|&&byte| byte == b'\n').count() as u32;
            (before + 1..=before + 1 + within).contains(&line)
        })?;
        let of_file = found.entry(path).or_default();
        if !of_file.iter().any(|(known, _)| *known == name) {
            of_file.push((name, bytes[range].to_vec()));
        }
    }
    let mut names = Vec::new();
    let mut changed = newer.clone();
    for (path, tests) in found {
        let file = changed.files.get_mut(&path)?;
        let mut bytes = file.bytes.to_vec();
        for (name, text) in tests {
            let at = bytes.windows(text.len()).position(|window| window == text)?;
            bytes.drain(at..at + text.len());
            names.push(name);
        }
        file.bytes = bytes.into();
    }
    if names.is_empty() {
        return None;
    }
    *newer = changed;
    Some(names)
}

/// Where a compiler of Rust says that errors are: files and lines from 1.
fn places(said: &str) -> Vec<(String, u32)> {
    let (mut places, mut is_error) = (Vec::new(), false);
    for line in said.lines() {
        if let Some(place) = line.trim_start().strip_prefix("--> ").filter(|_| is_error) {
            let mut parts = place.rsplitn(3, ':');
            let (_, line, path) = (parts.next(), parts.next(), parts.next());
            places
                .extend(path.zip(line.and_then(|line| line.parse().ok())).map(|(path, line)| (path.to_owned(), line)));
            is_error = false;
        } else if line.starts_with("error") || line.starts_with("warning") {
            is_error = line.starts_with("error");
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use whydunit_changes::{File, Mode};

    use super::*;

    fn tree(text: &str) -> Tree {
        Tree { files: [("src/lib.rs".to_owned(), File { bytes: text.as_bytes().into(), mode: Mode::Plain })].into() }
    }

    #[test]
    fn a_test_of_what_is_not_there_is_left_out() {
        let one = "    #[test]\n    fn one() {\n        assert_eq!(first(), 1);\n    }\n";
        let two = "    /// Says.\n    #[test]\n    #[should_panic]\n    fn two() {\n        second();\n    }\n";
        let module = |tests: &str| format!("#[cfg(test)]\nmod tests {{\n    use super::*;\n{tests}}}\n");
        let with_tests = tree(&format!("fn first() {{}}\n{}", module(&format!("{one}{two}"))));
        let newer = tree(&format!("fn first() {{}}\nfn second() {{}}\n{}", module(&format!("{one}{two}"))));
        let said = |line: u32| {
            format!(
                "warning: x\n --> src/lib.rs:1:1\nerror[E0425]: cannot find function `second`\n   --> src/lib.rs:{line}:9\n    |\n"
            )
        };
        let mut left = newer.clone();
        assert_eq!(leave_out(&said(13), &with_tests, &mut left), Some(vec!["two".to_owned()]));
        let text = String::from_utf8_lossy(&left.files["src/lib.rs"].bytes).into_owned();
        assert!(text.contains("fn second() {}") && text.contains("fn one()") && !text.contains("fn two"), "{text}");
        // An error elsewhere, and none.
        assert_eq!(leave_out(&said(1), &with_tests, &mut left), None);
        assert_eq!(leave_out("", &with_tests, &mut left), None);
    }
}
