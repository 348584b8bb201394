//! Which tests a compiler complains of.

use std::collections::BTreeMap;
use std::ops::Range;

/// The lines of tests by file, each with the test's number.
pub(super) type Lines = BTreeMap<String, Vec<(usize, Range<u32>)>>;

/// The tests in which a build has errors, by their numbers, each with the first words of the first one.
pub(super) fn blamed(said: &str, lines: &Lines) -> BTreeMap<usize, String> {
    let mut found = BTreeMap::new();
    let mut error: Option<&str> = None;
    for line in said.lines() {
        if let Some(words) = words(line) {
            error = Some(words);
        } else if line.contains("warning: ") || line.starts_with("warning[") {
            error = None;
        }
        let Some(words) = error else { continue };
        let owner = places(line).find_map(|(file, number)| {
            let is_in = |known: &&String| file == known.as_str() || file.ends_with(&format!("/{known}"));
            let of_file = lines.keys().find(is_in).map(|known| &lines[known])?;
            of_file.iter().find(|(_, range)| range.contains(&number)).map(|(owner, _)| *owner)
        });
        if let Some(owner) = owner {
            found.entry(owner).or_insert_with(|| words.to_owned());
            error = None;
        }
    }
    found
}

/// What a line says that is an error.
fn words(line: &str) -> Option<&str> {
    if line.starts_with("error: ") || line.starts_with("error[") {
        return line.split_once(": ").map(|(_, words)| words);
    }
    line.split_once(" error: ").map(|(_, words)| words)
}

/// The files and lines that a line names: `a.cpp:12:3: …`, `--> src/lib.rs:12:3`.
fn places(line: &str) -> impl Iterator<Item = (&str, u32)> {
    line.split_whitespace().filter_map(|word| {
        let mut parts = word.splitn(3, ':');
        Some((parts.next()?, parts.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_the_tests_in_whose_lines_they_are() {
        let lines: Lines =
            [("t/a.cpp".to_owned(), vec![(0, 10..14), (1, 14..20)]), ("src/lib.rs".to_owned(), vec![(2, 5..9)])].into();
        let said = "t/a.cpp:12:3: error: no member 'x'\nt/a.cpp:15:1: warning: unused\nx.h:3:1: error: static assertion\n\
                    t/a.cpp:16:2: note: required from here\nerror[E0599]: no method\n  --> src/lib.rs:6:2\n";
        let expected = [(0, "no member 'x'"), (1, "static assertion"), (2, "no method")];
        let expected = expected.map(|(owner, words)| (owner, words.to_owned()));
        assert_eq!(blamed(said, &lines), expected.into());
        assert_eq!(blamed("t/a.cpp:30:3: error: other\n", &lines), BTreeMap::new());
    }
}
