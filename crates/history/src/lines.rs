//! A change by its single lines (DDCHANGE): a line that was replaced is one unit with its replacement, a block of lines that moved is one
//! unit, a file that came, went or moved is one.

use std::collections::BTreeMap;

use whydunit_changes::{ChangeKind, Changes, Tree};

use crate::screen::Screened;
use crate::syntax::Source;

/// How much a change is, in lines.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LineCounts {
    /// Runs of changed lines.
    pub hunks: u64,
    /// New lines.
    pub added: u64,
    /// Lines that are gone.
    pub deleted: u64,
    /// Lines that are others.
    pub modified: u64,
}

impl LineCounts {
    /// Of each hunk the larger side.
    pub const fn churned(&self) -> u64 {
        self.added + self.deleted + self.modified
    }
}

/// Something that is taken back as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Unit {
    /// Numbers of changes, and of changes of lines which line of theirs; the first of a moved block's.
    parts: Vec<(usize, Option<u32>)>,
    /// So many lines it counts.
    lines: u64,
    /// So many of them are neither empty nor comments.
    code: u64,
}

/// A change, by its single lines.
pub struct LineChanges<'a> {
    changes: &'a Changes,
    screened: &'a Screened,
    units: Vec<Unit>,
}

impl<'a> LineChanges<'a> {
    /// Takes the changes of code apart; those of tests and texts are there always.
    pub fn of(changes: &'a Changes, screened: &'a Screened) -> Self {
        let mut units = Vec::new();
        let mut open: Vec<usize> = screened.code.clone();
        for (from, to) in moved(changes, &screened.code) {
            open.retain(|number| *number != from && *number != to);
            let (code, lines) = weight(changes, to);
            let parts = [from, to].into_iter().flat_map(|number| lines_of(changes, number));
            units.push(Unit { parts: parts.collect(), lines, code });
        }
        for number in open {
            match &changes.list[number].kind {
                ChangeKind::Lines { .. } => {
                    let flags = code_flags(changes, number);
                    let unit = |(part, is_code): ((usize, Option<u32>), bool)| Unit {
                        parts: vec![part],
                        lines: 1,
                        code: u64::from(is_code),
                    };
                    units.extend(lines_of(changes, number).into_iter().zip(flags).map(unit));
                }
                _ => {
                    let (code, lines) = weight(changes, number);
                    units.push(Unit { parts: vec![(number, None)], lines, code });
                }
            }
        }
        units.sort_by_key(|unit| unit.parts[0]);
        Self { changes, screened, units }
    }

    /// The number of units.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// How many lines units are, and how many of them are neither empty nor comments.
    pub fn count(&self, set: &[usize]) -> (u64, u64) {
        let units = set.iter().filter_map(|&number| self.units.get(number));
        units.fold((0, 0), |(lines, code), unit| (lines + unit.lines, code + unit.code))
    }

    /// The older version with the tests and texts of the newer one, and with these units (ascending numbers).
    pub fn with(&self, set: &[usize]) -> Tree {
        let kept: Vec<(usize, Option<u32>)> = set
            .iter()
            .filter_map(|&number| self.units.get(number))
            .flat_map(|unit| unit.parts.iter().copied())
            .collect();
        let mut kept_lines: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for &(number, line) in &kept {
            kept_lines.entry(number).or_default().extend(line);
        }
        let undone: Vec<usize> = self
            .screened
            .code
            .iter()
            .copied()
            .filter(|number| {
                matches!(self.changes.list[*number].kind, ChangeKind::Lines { .. }) || !kept_lines.contains_key(number)
            })
            .collect();
        let mut tree = self.changes.reverted(&undone);
        for file in self.changes.by_file() {
            let touched = file.iter().any(|number| kept_lines.get(number).is_some_and(|lines| !lines.is_empty()));
            if let (true, Some(bytes)) = (touched, self.composed(&file, &kept_lines)) {
                let renamed =
                    file.iter().find(|number| matches!(self.changes.list[**number].kind, ChangeKind::Renamed { .. }));
                let is_back = renamed.is_some_and(|number| undone.binary_search(number).is_ok());
                let newer = &self.changes.list[file[0]].file;
                let path = if is_back { self.changes.older_path(file[0]).unwrap_or(newer) } else { newer };
                if let Some(file) = tree.files.get_mut(path) {
                    file.bytes = bytes.into();
                }
            }
        }
        tree
    }

    /// A file's lines with those that are kept.
    fn composed(&self, file: &[usize], kept: &BTreeMap<usize, Vec<u32>>) -> Option<Vec<u8>> {
        let older = self.changes.older_path(*file.first()?)?;
        let lines: Vec<&[u8]> =
            self.changes.old.files.get(older)?.bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let (mut out, mut at) = (Vec::new(), 0);
        for &number in file {
            let ChangeKind::Lines { old, .. } = &self.changes.list[number].kind else { continue };
            let (old_lines, new_lines) = self.changes.texts(number)?;
            let is_code = self.screened.code.binary_search(&number).is_ok();
            let chosen = kept.get(&number).map(Vec::as_slice).unwrap_or_default();
            out.extend(lines[at..old.start as usize].concat());
            at = old.end as usize;
            for (line, (goes, comes)) in rows(&old_lines, &new_lines).into_iter().enumerate() {
                let is_new = !is_code || chosen.contains(&(line as u32));
                let stands = if is_new { comes.map(|at| new_lines[at]) } else { goes.map(|at| old_lines[at]) };
                out.extend_from_slice(stands.unwrap_or_default());
            }
        }
        out.extend(lines[at..].concat());
        Some(out)
    }

    /// The units as a patch of the older version with the newer tests, and the lines (from 1) of it that the patch replaces or, where it
    /// only adds, stands between.
    pub fn patch(&self, set: &[usize]) -> (String, Vec<(String, u32)>) {
        let changes = Changes::between(self.with(&[]), self.with(set), &|_| false);
        let all: Vec<usize> = (0..changes.list.len()).collect();
        let mut places = Vec::new();
        for (number, change) in changes.list.iter().enumerate() {
            let ChangeKind::Lines { old, .. } = &change.kind else { continue };
            let path = changes.older_path(number).unwrap_or(&change.file);
            let lines = if old.is_empty() { old.start.max(1)..old.start + 2 } else { old.start + 1..old.end + 1 };
            places.extend(lines.map(|line| (path.clone(), line)));
        }
        (String::from_utf8_lossy(&changes.patch(&all)).into_owned(), places)
    }
}

/// How much the changes of code in sources are.
pub fn counts(changes: &Changes, screened: &Screened) -> LineCounts {
    let mut counts = LineCounts::default();
    for &number in screened.code.iter().filter(|&&number| screened.files.contains(&changes.list[number].file)) {
        match (&changes.list[number].kind, changes.texts(number)) {
            (ChangeKind::Lines { .. }, Some((old, new))) => {
                let (old, new) = (old.len() as u64, new.len() as u64);
                counts.hunks += 1;
                counts.modified += old.min(new);
                counts.added += new.saturating_sub(old);
                counts.deleted += old.saturating_sub(new);
            }
            (ChangeKind::Added, _) => {
                counts.hunks += 1;
                counts.added += weight(changes, number).1;
            }
            (ChangeKind::Deleted, _) => {
                counts.hunks += 1;
                counts.deleted += weight(changes, number).1;
            }
            _ => {}
        }
    }
    counts
}

/// A line of a hunk: numbers of the line that goes and of the one that comes, from the hunk's first ones.
type Row = (Option<usize>, Option<usize>);
/// Hunks with more pairs of lines are paired from the first lines on.
const PAIRS: usize = 40_000;

/// The lines of a hunk: each of the smaller side stands for the line of the larger side that it is most like, in order.
fn rows(old: &[&[u8]], new: &[&[u8]]) -> Vec<Row> {
    if old.len() > new.len() {
        return rows(new, old).into_iter().map(|(one, other)| (other, one)).collect();
    }
    let (few, many) = (old.len(), new.len());
    let mut chosen: Vec<usize> = (0..few).collect();
    if few < many && few * many <= PAIRS {
        // best[i][j]: the most that the first i lines come to among the first j.
        let mut best = vec![vec![f64::NEG_INFINITY; many + 1]; few + 1];
        best[0].fill(0.0);
        for i in 1..=few {
            for j in i..=many {
                best[i][j] = best[i][j - 1].max(best[i - 1][j - 1] + likeness(old[i - 1], new[j - 1]));
            }
        }
        let mut j = many;
        for i in (1..=few).rev() {
            while j > i && best[i][j] == best[i][j - 1] {
                j -= 1;
            }
            chosen[i - 1] = j - 1;
            j -= 1;
        }
    }
    let mut of = vec![None; many];
    chosen.into_iter().enumerate().for_each(|(line, at)| of[at] = Some(line));
    of.into_iter().enumerate().map(|(at, line)| (line, Some(at))).collect()
}

/// How much two lines have in common: the share of pairs of characters, from 0 to 1.
fn likeness(one: &[u8], other: &[u8]) -> f64 {
    let pairs = |line: &[u8]| -> Vec<[u8; 2]> {
        let mut pairs: Vec<[u8; 2]> = line.trim_ascii().windows(2).map(|pair| [pair[0], pair[1]]).collect();
        pairs.sort_unstable();
        pairs
    };
    let (one, other) = (pairs(one), pairs(other));
    let (mut i, mut j, mut same) = (0, 0, 0);
    while i < one.len() && j < other.len() {
        match one[i].cmp(&other[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, same) = (i + 1, j + 1, same + 1),
        }
    }
    2.0 * f64::from(same) / (one.len() + other.len()).max(1) as f64
}

fn lines_of(changes: &Changes, number: usize) -> Vec<(usize, Option<u32>)> {
    let lines = changes.texts(number).map_or(0, |(old, new)| old.len().max(new.len()));
    (0..lines as u32).map(|line| (number, Some(line))).collect()
}

/// By lines of a change of lines: whether something other than a comment stands there, on either side.
fn code_flags(changes: &Changes, number: usize) -> Vec<bool> {
    let ChangeKind::Lines { old, new } = &changes.list[number].kind else { return Vec::new() };
    let path = &changes.list[number].file;
    let older = changes.older_path(number).unwrap_or(path);
    let flags = |tree: &Tree, path: &String, range: &std::ops::Range<u32>| -> Vec<bool> {
        let Some(file) = tree.files.get(path) else { return Vec::new() };
        let all = Source::read(path, &file.bytes).map_or_else(
            || file.bytes.split(|&byte| byte == b'\n').map(|line| !line.trim_ascii().is_empty()).collect(),
            |source| source.code_lines(),
        );
        range.clone().map(|line| all.get(line as usize).copied().unwrap_or(false)).collect()
    };
    let (old, new) = (flags(&changes.old, older, old), flags(&changes.new, path, new));
    let Some((goes, comes)) = changes.texts(number) else { return Vec::new() };
    let is_code = |flags: &[bool], line: Option<usize>| line.is_some_and(|line| flags[line]);
    rows(&goes, &comes).into_iter().map(|(goes, comes)| is_code(&old, goes) || is_code(&new, comes)).collect()
}

/// Lines of code and all lines that a change is.
fn weight(changes: &Changes, number: usize) -> (u64, u64) {
    let change = &changes.list[number];
    let tree = match change.kind {
        ChangeKind::Lines { .. } => {
            let flags = code_flags(changes, number);
            return (flags.iter().filter(|code| **code).count() as u64, flags.len() as u64);
        }
        ChangeKind::Added => &changes.new,
        ChangeKind::Deleted => &changes.old,
        ChangeKind::Renamed { .. } | ChangeKind::Mode | ChangeKind::Content => return (1, 1),
    };
    let Some(file) = tree.files.get(&change.file) else { return (1, 1) };
    let lines = file.bytes.split_inclusive(|&byte| byte == b'\n').count() as u64;
    let code = Source::read(&change.file, &file.bytes)
        .map_or(lines, |source| source.code_lines().iter().filter(|code| **code).count() as u64);
    (code, lines)
}

/// Pairs of changes of which one takes away what the other one brings: blocks of at least two lines that moved.
fn moved(changes: &Changes, code: &[usize]) -> Vec<(usize, usize)> {
    let (mut gone, mut pairs) = (Vec::new(), Vec::new());
    let text = |number: usize| changes.texts(number).filter(|(old, new)| old.is_empty() != new.is_empty());
    for &number in code {
        if let Some((old, _)) = text(number).filter(|(old, _)| old.len() > 1) {
            gone.push((number, old));
        }
    }
    for &number in code {
        let Some((_, new)) = text(number) else { continue };
        if let Some(at) = gone.iter().position(|(_, old)| *old == new) {
            pairs.push((gone.remove(at).0, number));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use whydunit_changes::{File, Mode};

    use super::*;
    use crate::TestFiles;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let file = |text: &str| File { bytes: text.as_bytes().into(), mode: Mode::Plain };
        Tree { files: files.iter().map(|(path, text)| (path.to_string(), file(text))).collect() }
    }

    #[test]
    fn lines_are_taken_one_by_one_and_tests_stay() {
        let old = [("a.c", "int a;\nint b;\nint c;\n"), ("test.c", "old\n")];
        let new = [("a.c", "// why\nint a;\nint B;\nint c;\nint d;\n"), ("test.c", "new\n")];
        let changes = Changes::between(tree(&old), tree(&new), &|_| false);
        let screened = Screened::of(&changes, &TestFiles::default());
        let lines = LineChanges::of(&changes, &screened);
        assert_eq!((lines.len(), lines.count(&[0, 1, 2]), lines.count(&[0])), (3, (3, 2), (1, 0)));
        assert_eq!(lines.with(&[1]), tree(&[("a.c", "int a;\nint B;\nint c;\n"), ("test.c", "new\n")]));
        let (patch, places) = lines.patch(&[1]);
        assert!(patch.contains("-int b;\n+int B;\n") && !patch.contains("why"), "{patch}");
        assert_eq!(places, [("a.c".to_owned(), 2)]);
        assert_eq!(lines.patch(&[2]).1, [("a.c".to_owned(), 3), ("a.c".to_owned(), 4)]);
        let counted = counts(&changes, &screened);
        assert_eq!((counted.hunks, counted.added, counted.modified, counted.churned()), (3, 2, 1, 3));
    }

    #[test]
    fn a_line_is_paired_with_the_one_that_it_is_like() {
        let rows = rows(&[b"for (i = 0; i < n; i++)\n"], &[b"/* all */\n", b"for (i = 0; i <= n; i++)\n", b"x\n"]);
        assert_eq!(rows, [(None, Some(0)), (Some(0), Some(1)), (None, Some(2))]);
        assert_eq!(super::rows(&[b"a", b"b b"], &[b"b b"]), [(Some(0), None), (Some(1), Some(0))]);
    }

    #[test]
    fn a_block_that_moved_is_one_unit() {
        let changes = Changes::between(
            tree(&[("a.c", "one\ntwo\nx\ny\nz\nw\n"), ("old.c", "a\nb\nc\nd\ne\n")]),
            tree(&[("a.c", "x\ny\nz\nw\none\ntwo\n"), ("new.c", "a\nb\nC\nd\ne\n")]),
            &|_| false,
        );
        let screened = Screened::of(&changes, &TestFiles::default());
        let lines = LineChanges::of(&changes, &screened);
        assert_eq!(lines.len(), 3);
        let of = |set: &[usize]| lines.with(set);
        assert_eq!(of(&[0, 1, 2]), changes.new);
        assert_eq!(of(&[]), changes.old);
        assert_eq!(of(&[2]).files["old.c"].bytes[..], b"a\nb\nC\nd\ne\n"[..]);
    }

    proptest! {
        #[test]
        fn all_and_none(old in proptest::collection::vec(0u8..6, 0..20), new in proptest::collection::vec(0u8..6, 0..20), end in any::<bool>()) {
            let text = |lines: &[u8]| lines.iter().map(|line| format!("int l{line};\n")).collect::<String>() + if end { "int last;" } else { "" };
            let changes = Changes::between(tree(&[("a.c", &text(&old))]), tree(&[("a.c", &text(&new))]), &|_| false);
            let screened = Screened::of(&changes, &TestFiles::default());
            let lines = LineChanges::of(&changes, &screened);
            prop_assert_eq!(lines.with(&[]), changes.old.clone());
            prop_assert_eq!(lines.with(&(0..lines.len()).collect::<Vec<_>>()), changes.new.clone());
        }
    }
}
