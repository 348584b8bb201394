//! Changes, and what is left of the newer version when some of them are undone.

use std::collections::BTreeMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, sources::byte_lines};

use crate::{File, Mode, Tree};

/// A file with a zero among its first bytes is not text.
const LOOKED_AT: usize = 8000;
/// So much of its lines a file that moved keeps.
const ALIKE: f64 = 0.5;

/// What changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// Lines were replaced, inserted (`old` is empty) or deleted (`new` is empty): half-open ranges of line numbers from 0.
    Lines {
        /// In the old version of the file.
        old: Range<u32>,
        /// In the new one.
        new: Range<u32>,
    },
    /// The file is new.
    Added,
    /// The file is gone.
    Deleted,
    /// It has moved; changes of its lines are changes of their own.
    Renamed {
        /// Where it was.
        from: String,
    },
    /// It can be executed now, or no longer; or it became a link.
    Mode,
    /// A file that is no text has another content.
    Content,
}

/// A change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// A hash of its content, 12 hexadecimal digits: the same change has the same id again.
    pub id: String,
    /// The file in the new version; of a deleted one in the old version.
    pub file: String,
    /// What.
    pub kind: ChangeKind,
}

/// Lines with their ends.
pub type Lines<'a> = Vec<&'a [u8]>;

/// A file that differs.
#[derive(Clone, Debug)]
pub(crate) struct Differing {
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
    /// Numbers of its changes, lines in order.
    pub(crate) changes: Vec<usize>,
}

/// All changes from one version to another.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The older version.
    pub old: Tree,
    /// The newer one.
    pub new: Tree,
    /// Files in order, lines in order.
    pub list: Vec<Change>,
    pub(crate) files: Vec<Differing>,
}

impl Changes {
    /// Takes the difference apart. Files for which `leave` says so are those of the newer version throughout.
    pub fn between(mut old: Tree, new: Tree, leave: &dyn Fn(&str) -> bool) -> Self {
        old.files.retain(|path, _| !leave(path));
        let left = new.files.iter().filter(|(path, _)| leave(path));
        let left: Vec<(String, File)> = left.map(|(path, file)| (path.clone(), file.clone())).collect();
        old.files.extend(left);
        let mut changes = Self { files: pairs(&old, &new), old, new, list: Vec::new() };
        for index in 0..changes.files.len() {
            changes.take_apart(index);
        }
        changes
    }

    fn take_apart(&mut self, index: usize) {
        let file = self.files[index].clone();
        let mut kinds = Vec::new();
        let before = file.old.as_ref().map(|path| &self.old.files[path]);
        let after = file.new.as_ref().map(|path| &self.new.files[path]);
        match (before, after) {
            (None, _) => kinds.push(ChangeKind::Added),
            (_, None) => kinds.push(ChangeKind::Deleted),
            (Some(before), Some(after)) => {
                if let (Some(from), true) = (&file.old, file.old != file.new) {
                    kinds.push(ChangeKind::Renamed { from: from.clone() });
                }
                if before.mode != after.mode {
                    kinds.push(ChangeKind::Mode);
                }
                if before.bytes != after.bytes {
                    if is_text(before) && is_text(after) {
                        kinds.extend(hunks(&before.bytes, &after.bytes));
                    } else {
                        kinds.push(ChangeKind::Content);
                    }
                }
            }
        }
        let name = file.new.clone().or(file.old.clone()).unwrap_or_default();
        let mut same: BTreeMap<String, u32> = BTreeMap::new();
        for kind in kinds {
            let hash = content_hash(&name, &kind, before, after);
            let times = same.entry(hash.clone()).or_insert(0);
            *times += 1;
            // Of changes that are alike each is told from the others by its number among them.
            let id = if *times == 1 { hash } else { short(&[hash.as_bytes(), &times.to_le_bytes()]) };
            self.files[index].changes.push(self.list.len());
            self.list.push(Change { id, file: name.clone(), kind });
        }
    }

    /// The newer version with these changes (ascending numbers) undone.
    pub fn reverted(&self, set: &[usize]) -> Tree {
        let undone = |number: &usize| set.binary_search(number).is_ok();
        let mut tree = self.new.clone();
        for file in self.files.iter().filter(|file| file.changes.iter().any(undone)) {
            if let Some(path) = &file.new {
                tree.files.remove(path);
            }
            if let Some((path, now)) = self.file_with(file, &undone) {
                tree.files.insert(path, now);
            }
        }
        tree
    }

    /// What becomes of a file.
    fn file_with(&self, file: &Differing, undone: &dyn Fn(&usize) -> bool) -> Option<(String, File)> {
        let (before, after) = match (&file.old, &file.new) {
            (None, Some(path)) => {
                return (!undone(&file.changes[0])).then(|| (path.clone(), self.new.files[path].clone()));
            }
            (Some(path), None) => {
                return undone(&file.changes[0]).then(|| (path.clone(), self.old.files[path].clone()));
            }
            (Some(old), Some(new)) => (&self.old.files[old], &self.new.files[new]),
            (None, None) => return None,
        };
        let (mut path, mut mode) = (file.new.clone()?, after.mode);
        let (old_lines, new_lines) = (lines(&before.bytes), lines(&after.bytes));
        let (mut bytes, mut at, mut whole) = (Vec::new(), 0, false);
        for number in &file.changes {
            let back = undone(number);
            match &self.list[*number].kind {
                ChangeKind::Lines { old, new } if back => {
                    bytes.extend(new_lines[at..new.start as usize].concat());
                    bytes.extend(old_lines[old.start as usize..old.end as usize].concat());
                    at = new.end as usize;
                }
                ChangeKind::Renamed { from } if back => path = from.clone(),
                ChangeKind::Mode if back => mode = before.mode,
                ChangeKind::Content if back => whole = true,
                _ => {}
            }
        }
        bytes.extend(new_lines[at..].concat());
        Some((path, File { bytes: if whole { before.bytes.clone() } else { bytes.into() }, mode }))
    }

    /// Numbers of the changes of each file, in order.
    pub fn by_file(&self) -> Vec<Vec<usize>> {
        self.files.iter().map(|file| file.changes.clone()).collect()
    }

    /// The file that a change is of in the older version; none where it had none.
    pub fn older_path(&self, number: usize) -> Option<&String> {
        self.files.iter().find(|file| file.changes.contains(&number))?.old.as_ref()
    }

    /// Lines of the old version that a change takes away, and of the new one that it brings; none where it is not about lines.
    pub fn texts(&self, number: usize) -> Option<(Lines<'_>, Lines<'_>)> {
        let file = self.files.iter().find(|file| file.changes.contains(&number))?;
        let ChangeKind::Lines { old, new } = &self.list[number].kind else { return None };
        let old_file = self.old.files.get(file.old.as_ref()?)?;
        let new_file = self.new.files.get(file.new.as_ref()?)?;
        let pick = |bytes, range: &Range<u32>| lines(bytes)[range.start as usize..range.end as usize].to_vec();
        Some((pick(&old_file.bytes, old), pick(&new_file.bytes, new)))
    }
}

/// Which file became which.
fn pairs(old: &Tree, new: &Tree) -> Vec<Differing> {
    let mut files = Vec::new();
    let both = new.files.iter().filter(|(path, file)| old.files.get(*path).is_some_and(|before| before != *file));
    for (path, _) in both {
        files.push(Differing { old: Some(path.clone()), new: Some(path.clone()), changes: Vec::new() });
    }
    let mut gone: Vec<&String> = old.files.keys().filter(|path| !new.files.contains_key(*path)).collect();
    for (path, file) in new.files.iter().filter(|(path, _)| !old.files.contains_key(*path)) {
        let alike = |from: &&String| likeness(&old.files[*from], file);
        let best = gone.iter().copied().map(|from| (alike(&from), from)).max_by(|a, b| a.0.total_cmp(&b.0));
        let from = best.filter(|(alike, _)| *alike >= ALIKE).map(|(_, from)| from.clone());
        if let Some(from) = &from {
            gone.retain(|path| *path != from);
        }
        files.push(Differing { old: from, new: Some(path.clone()), changes: Vec::new() });
    }
    for path in gone {
        files.push(Differing { old: Some(path.clone()), new: None, changes: Vec::new() });
    }
    files.sort_by(|a, b| a.new.as_ref().or(a.old.as_ref()).cmp(&b.new.as_ref().or(b.old.as_ref())));
    files
}

/// The share of lines that two files have in common.
fn likeness(before: &File, after: &File) -> f64 {
    if before.bytes == after.bytes {
        // An empty file is not another empty file that moved.
        return if before.bytes.is_empty() { 0.0 } else { 1.0 };
    }
    if !is_text(before) || !is_text(after) {
        return 0.0;
    }
    let input = InternedInput::new(byte_lines(&before.bytes), byte_lines(&after.bytes));
    let (old, new) = (input.before.len(), input.after.len());
    if old.max(new) > 4 * old.min(new) {
        return 0.0;
    }
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let same = old.saturating_sub(diff.count_removals() as usize);
    2.0 * same as f64 / (old + new).max(1) as f64
}

fn is_text(file: &File) -> bool {
    file.mode != Mode::Link && !file.bytes[..file.bytes.len().min(LOOKED_AT)].contains(&0)
}

/// Runs of changed lines, without context.
fn hunks(before: &[u8], after: &[u8]) -> Vec<ChangeKind> {
    let input = InternedInput::new(byte_lines(before), byte_lines(after));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.hunks().map(|hunk| ChangeKind::Lines { old: hunk.before, new: hunk.after }).collect()
}

/// Lines with their ends.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

fn short(parts: &[&[u8]]) -> String {
    let mut hash = blake3::Hasher::new();
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    hash.finalize().to_hex()[..12].to_string()
}

fn content_hash(name: &str, kind: &ChangeKind, before: Option<&File>, after: Option<&File>) -> String {
    let bytes = |file: Option<&File>| file.map_or(Vec::new(), |file| file.bytes.to_vec());
    let pick = |file: Option<&File>, range: &Range<u32>| match file {
        Some(file) => lines(&file.bytes)[range.start as usize..range.end as usize].concat(),
        None => Vec::new(),
    };
    let (what, old, new): (&str, Vec<u8>, Vec<u8>) = match kind {
        ChangeKind::Lines { old, new } => ("lines", pick(before, old), pick(after, new)),
        ChangeKind::Added => ("added", Vec::new(), bytes(after)),
        ChangeKind::Deleted => ("deleted", bytes(before), Vec::new()),
        ChangeKind::Renamed { from } => ("renamed", from.clone().into_bytes(), Vec::new()),
        ChangeKind::Mode => ("mode", Vec::new(), after.map_or(Vec::new(), |file| vec![file.mode as u8])),
        ChangeKind::Content => ("content", bytes(before), bytes(after)),
    };
    short(&[name.as_bytes(), what.as_bytes(), &old, &new])
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn tree(files: &[(&str, &str)]) -> Tree {
        let file = |text: &str| File { bytes: text.as_bytes().into(), mode: Mode::Plain };
        Tree { files: files.iter().map(|(path, text)| (path.to_string(), file(text))).collect() }
    }

    pub(crate) fn between(old: &[(&str, &str)], new: &[(&str, &str)]) -> Changes {
        Changes::between(tree(old), tree(new), &|_| false)
    }

    #[test]
    fn hunks_have_no_context_and_are_reverted_each_for_itself() {
        let changes = between(&[("a.c", "1\n2\n3\n4\n5\n")], &[("a.c", "1\ntwo\n3\n4\n5\nsix\n")]);
        let kinds: Vec<_> = changes.list.iter().map(|change| change.kind.clone()).collect();
        assert_eq!(kinds, [ChangeKind::Lines { old: 1..2, new: 1..2 }, ChangeKind::Lines { old: 5..5, new: 5..6 }]);
        assert_eq!(changes.reverted(&[0]), tree(&[("a.c", "1\n2\n3\n4\n5\nsix\n")]));
        assert_eq!(changes.reverted(&[1]), tree(&[("a.c", "1\ntwo\n3\n4\n5\n")]));
        assert_eq!(changes.texts(0), Some((vec![&b"2\n"[..]], vec![&b"two\n"[..]])));
    }

    #[test]
    fn files_come_go_and_move() {
        let old = [("gone.c", "x\n"), ("here.c", "a\nb\nc\nd\n"), ("kept.c", "k\n")];
        let new = [("kept.c", "k\n"), ("there.c", "a\nb\nC\nd\n"), ("young.c", "y\n")];
        let changes = between(&old, &new);
        let of = |file: &str| -> Vec<ChangeKind> {
            changes.list.iter().filter(|change| change.file == file).map(|change| change.kind.clone()).collect()
        };
        assert_eq!(of("gone.c"), [ChangeKind::Deleted]);
        assert_eq!(of("young.c"), [ChangeKind::Added]);
        let moved = ChangeKind::Renamed { from: "here.c".into() };
        assert_eq!(of("there.c"), [moved, ChangeKind::Lines { old: 2..3, new: 2..3 }]);
        let renamed = changes.list.iter().position(|change| matches!(change.kind, ChangeKind::Renamed { .. })).unwrap();
        assert_eq!(
            changes.reverted(&[renamed]),
            tree(&[("here.c", "a\nb\nC\nd\n"), ("kept.c", "k\n"), ("young.c", "y\n")])
        );
    }

    #[test]
    fn ids_are_those_of_the_content() {
        let one = between(&[("a.c", "1\n2\n3\n")], &[("a.c", "1\nx\n3\n")]);
        let later = between(&[("a.c", "0\n0\n1\n2\n3\n")], &[("a.c", "0\n0\n1\nx\n3\nend\n")]);
        assert_eq!(one.list[0].id, later.list[0].id);
        let twice = between(&[("a.c", "p\n2\nq\n2\nr\n")], &[("a.c", "p\nx\nq\nx\nr\n")]);
        assert_ne!(twice.list[0].id, twice.list[1].id);
    }

    #[test]
    fn what_is_left_out_is_the_new_version_throughout() {
        let (old, new) = (tree(&[("a.c", "1\n"), ("cases", "old\n")]), tree(&[("a.c", "2\n"), ("cases", "new\n")]));
        let changes = Changes::between(old, new, &|path| path == "cases");
        assert_eq!(changes.list.len(), 1);
        assert_eq!(changes.reverted(&[0]), tree(&[("a.c", "1\n"), ("cases", "new\n")]));
    }

    proptest! {
        /// All undone is the old version, none undone the new one; no line is lost or twice in between.
        #[test]
        fn all_and_none(old in proptest::collection::vec(0u8..6, 0..20), new in proptest::collection::vec(0u8..6, 0..20), end in any::<[bool; 2]>()) {
            let text = |lines: &[u8], end: bool| {
                let mut text: String = lines.iter().map(|line| format!("line {line}\n")).collect();
                if !end { text.pop(); }
                text
            };
            let (old, new) = (text(&old, end[0]), text(&new, end[1]));
            let changes = between(&[("f", &old)], &[("f", &new)]);
            let all: Vec<usize> = (0..changes.list.len()).collect();
            prop_assert_eq!(changes.reverted(&all), tree(&[("f", &old)]));
            prop_assert_eq!(changes.reverted(&[]), tree(&[("f", &new)]));
        }
    }
}
