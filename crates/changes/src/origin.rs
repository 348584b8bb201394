//! Where the lines of a version with some changes reverted come from.

use crate::change::Differing;
use crate::{ChangeKind, Changes};

/// Where a line comes from, counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A reverted change brought it back.
    Old {
        /// The change.
        change: usize,
        /// Its place in the older version.
        path: String,
        /// Counted from 0.
        line: u32,
    },
    /// It is one of the newer version.
    New {
        /// The change that brought it; none: it is in both versions.
        change: Option<usize>,
        /// Its place in the newer version.
        path: String,
        /// Counted from 0.
        line: u32,
    },
}

impl Changes {
    /// Where line `line` (from 0) of `path` comes from in the version with `reverted` (ascending) reverted; none where there is no
    /// such file. What is past a file's end comes from its end.
    pub fn origin(&self, reverted: &[usize], path: &str, line: u32) -> Option<Origin> {
        let undone = |number: &usize| reverted.binary_search(number).is_ok();
        let Some(file) = self.files.iter().find(|file| self.path_with(file, &undone) == Some(path)) else {
            let here = self.new.files.contains_key(path);
            return here.then(|| Origin::New { change: None, path: path.into(), line });
        };
        match (&file.old, &file.new) {
            (Some(old), None) => Some(Origin::Old { change: file.changes[0], path: old.clone(), line }),
            (None, Some(new)) => Some(Origin::New { change: Some(file.changes[0]), path: new.clone(), line }),
            (Some(old), Some(new)) => Some(self.in_both(file, (old, new), &undone, line)),
            (None, None) => None,
        }
    }

    /// The path that a file has then; none where it is not there.
    fn path_with<'a>(&'a self, file: &'a Differing, undone: &dyn Fn(&usize) -> bool) -> Option<&'a str> {
        let back = |number: &&usize| undone(number);
        match (&file.old, &file.new) {
            (Some(old), None) => undone(&file.changes[0]).then_some(old),
            (None, Some(new)) => (!undone(&file.changes[0])).then_some(new),
            _ => {
                let mut from = file.changes.iter().filter(back).filter_map(|&number| match &self.list[number].kind {
                    ChangeKind::Renamed { from } => Some(&from[..]),
                    _ => None,
                });
                from.next().or(file.new.as_deref())
            }
        }
    }

    fn in_both(&self, file: &Differing, paths: (&str, &str), undone: &dyn Fn(&usize) -> bool, line: u32) -> Origin {
        // Lines of the version, and of the newer one, that lie before a change.
        let (mut here, mut newer) = (0, 0);
        for &number in &file.changes {
            let ChangeKind::Lines { old, new } = &self.list[number].kind else { continue };
            let start = here + (new.start - newer);
            if line < start {
                break;
            }
            let back = undone(&number);
            let length = if back { old.end - old.start } else { new.end - new.start };
            if line < start + length {
                return if back {
                    Origin::Old { change: number, path: paths.0.into(), line: old.start + line - start }
                } else {
                    Origin::New { change: Some(number), path: paths.1.into(), line: new.start + line - start }
                };
            }
            (here, newer) = (start + length, new.end);
        }
        Origin::New { change: None, path: paths.1.into(), line: newer + (line - here) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::tests::between;

    /// Every line of a version is the line of the text that it is said to come from.
    #[test]
    fn lines_come_from_where_it_is_said() {
        let changes = between(
            &[("a.c", "1\n2\n3\n4\n5\n6\n"), ("gone.c", "x\n")],
            &[("a.c", "1\ntwo\nmore\n3\n5\n6\nseven\n"), ("young.c", "y\n")],
        );
        let all = changes.list.len();
        let text = |bytes: &[u8], line: u32| -> String {
            String::from_utf8_lossy(bytes).lines().nth(line as usize).unwrap().to_string()
        };
        for bits in 0..1usize << all {
            let set: Vec<usize> = (0..all).filter(|number| bits >> number & 1 == 1).collect();
            let version = changes.reverted(&set);
            for (path, file) in &version.files {
                let lines = file.bytes.split_inclusive(|&byte| byte == b'\n').count() as u32;
                for line in 0..lines {
                    let (known, change) = match changes.origin(&set, path, line).unwrap() {
                        Origin::Old { change, path, line } => {
                            assert!(set.contains(&change));
                            (text(&changes.old.files[&path].bytes, line), Some(change))
                        }
                        Origin::New { change, path, line } => {
                            assert!(change.is_none_or(|change| !set.contains(&change)));
                            (text(&changes.new.files[&path].bytes, line), change)
                        }
                    };
                    assert_eq!(known, text(&file.bytes, line));
                    let both = ["1", "3", "5", "6"].contains(&&known[..]);
                    assert_eq!(both, change.is_none(), "{known}");
                }
            }
        }
        assert_eq!(changes.origin(&[], "gone.c", 0), None);
    }
}
