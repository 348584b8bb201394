//! Patches applied to versions.

use std::borrow::Cow;

use diffy::Patch;
use diffy::patch_set::{FileMode, FileOperation, FilePatch, ParseOptions, PatchSet};

use crate::tree::{File, Mode, Tree};

/// Why a patch does not apply.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotApplied(String);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Forward,
    Back,
}

impl Tree {
    /// This version with a patch applied, as `diff -u` and `git diff` write it, with or without `a/` and `b/`.
    pub fn with_patch(&self, patch: &str) -> Result<Tree, NotApplied> {
        self.patched(patch, Way::Forward)
    }

    /// This version with a patch that it holds taken back, as `git apply -R` does.
    pub fn without_patch(&self, patch: &str) -> Result<Tree, NotApplied> {
        self.patched(patch, Way::Back)
    }

    fn patched(&self, patch: &str, way: Way) -> Result<Tree, NotApplied> {
        let by_git = patch.contains("diff --git ");
        let options = if by_git { ParseOptions::gitdiff() } else { ParseOptions::unidiff() };
        let mut parts = PatchSet::parse(patch, options)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| NotApplied(format!("it is no unified diff: {error}")))?;
        if way == Way::Back {
            parts.reverse();
        }
        let mut tree = self.clone();
        for part in &parts {
            tree.apply(part, by_git, way)?;
        }
        if tree == *self { Err(NotApplied("it changes nothing".into())) } else { Ok(tree) }
    }

    /// Applies what a patch says of one file.
    fn apply(&mut self, part: &FilePatch<'_, str>, by_git: bool, way: Way) -> Result<(), NotApplied> {
        let text = part.patch().as_text().ok_or_else(|| NotApplied("it is no diff of text".into()))?;
        let (text, mode) = match way {
            Way::Forward => (Cow::Borrowed(text), part.new_mode()),
            Way::Back => (Cow::Owned(text.reverse()), part.old_mode()),
        };
        let text: &Patch<'_, str> = &text;
        let named = |strip| self.names(part.operation().strip_prefix(strip), way);
        let (from, to) = match named(1) {
            (Some(from), _) if !self.files.contains_key(&from) && known(self, &named(0).0) => named(0),
            stripped => stripped,
        };
        // As `diff -N` writes it: a file that is not there has no lines.
        let (made, gone) = match text.hunks() {
            [hunk] if !by_git => (hunk.old_range().is_empty(), hunk.new_range().is_empty()),
            _ => (false, false),
        };
        let before = match from.filter(|from| !made || self.files.contains_key(from)) {
            Some(from) if part.operation().is_copy() && way == Way::Forward => {
                self.files.get(&from).cloned().ok_or(from)
            }
            Some(from) => self.files.remove(&from).ok_or(from),
            None => Ok(File { bytes: Default::default(), mode: Mode::Plain }),
        }
        .map_err(|from| NotApplied(format!("the version before it has no file `{from}`")))?;
        let Some(to) = to else { return Ok(()) };
        let old =
            std::str::from_utf8(&before.bytes).map_err(|_| NotApplied(format!("{to} is not UTF-8: it is left out")))?;
        let new = diffy::apply(old, text).map_err(|error| NotApplied(format!("it does not apply to {to}: {error}")))?;
        if !gone || !new.is_empty() {
            let mode = match mode {
                Some(FileMode::Regular) => Mode::Plain,
                Some(FileMode::Executable) => Mode::Executable,
                Some(FileMode::Symlink) => Mode::Link,
                Some(FileMode::Gitlink) | None => before.mode,
            };
            self.files.insert(to, File { bytes: new.into_bytes().into(), mode });
        }
        Ok(())
    }

    /// A file's name before and after an operation, where there is a file.
    fn names(&self, operation: FileOperation<'_, str>, way: Way) -> (Option<String>, Option<String>) {
        let (from, to) = match operation {
            FileOperation::Create(to) => (None, Some(to.to_string())),
            FileOperation::Delete(from) => (Some(from.to_string()), None),
            // Of two names the file has the one that is there.
            FileOperation::Modify { original, modified } => {
                let name = if self.files.contains_key(&*modified) { modified } else { original };
                (Some(name.to_string()), Some(name.to_string()))
            }
            // A copy taken back is gone.
            FileOperation::Copy { to, .. } if way == Way::Back => (None, Some(to.to_string())),
            FileOperation::Rename { from, to } | FileOperation::Copy { from, to } => {
                (Some(from.to_string()), Some(to.to_string()))
            }
        };
        if way == Way::Back { (to, from) } else { (from, to) }
    }
}

fn known(tree: &Tree, name: &Option<String>) -> bool {
    name.as_ref().is_some_and(|name| tree.files.contains_key(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let file = |text: &str| File { bytes: text.as_bytes().into(), mode: Mode::Plain };
        Tree { files: files.iter().map(|(name, text)| (name.to_string(), file(text))).collect() }
    }

    #[test]
    fn files_come_change_and_go() {
        let good = tree(&[("a.c", "1\n2\n"), ("gone.c", "x\n")]);
        let patch = "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n--- a/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
                     --- /dev/null\n+++ b/new/n.h\n@@ -0,0 +1 @@\n+n\n";
        assert_eq!(good.with_patch(patch), Ok(tree(&[("a.c", "1\n3\n"), ("new/n.h", "n\n")])));
        let plain = "--- a.c\n+++ a.c\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n";
        assert_eq!(good.with_patch(plain), Ok(tree(&[("a.c", "1\n3\n"), ("gone.c", "x\n")])));
        let dated = "--- a/new/n.h\t1970-01-01 00:00:00.000000000 +0000\n+++ b/new/n.h\t2024-01-01 10:00:00.000000000 +0000\n\
                     @@ -0,0 +1 @@\n+n\n--- a/gone.c\t2024-01-01 10:00:00.000000000 +0000\n\
                     +++ b/gone.c\t1970-01-01 00:00:00.000000000 +0000\n@@ -1 +0,0 @@\n-x\n";
        assert_eq!(good.with_patch(dated), Ok(tree(&[("a.c", "1\n2\n"), ("new/n.h", "n\n")])));
        let kept = "--- a.c.orig\n+++ a.c\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n";
        assert_eq!(good.with_patch(kept), good.with_patch(plain));
        let git = "diff --git a/a.c b/a.c\nindex 1191247..b6e1f2f 100644\n--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n";
        assert_eq!(good.with_patch(git), good.with_patch(plain));
    }

    #[test]
    fn what_was_applied_is_taken_back() {
        let executable = File { bytes: "r\n".as_bytes().into(), mode: Mode::Executable };
        let mut good = tree(&[("a.c", "1\n2\n"), ("old.c", "1\n2\n3\n")]);
        good.files.insert("run".into(), executable);
        let patch = "diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n\
                     diff --git a/old.c b/new.c\nsimilarity index 60%\nrename from old.c\nrename to new.c\n--- a/old.c\n+++ b/new.c\n\
                     @@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n\
                     diff --git a/a.c b/copy.c\nsimilarity index 100%\ncopy from a.c\ncopy to copy.c\n\
                     diff --git a/run b/run\ndeleted file mode 100755\n--- a/run\n+++ /dev/null\n@@ -1 +0,0 @@\n-r\n\
                     diff --git a/n.h b/n.h\nnew file mode 100644\n--- /dev/null\n+++ b/n.h\n@@ -0,0 +1 @@\n+n\n";
        let bad = good.with_patch(patch).expect("it applies");
        assert_eq!(bad, tree(&[("a.c", "1\n3\n"), ("new.c", "1\ntwo\n3\n"), ("copy.c", "1\n3\n"), ("n.h", "n\n")]));
        assert_eq!(bad.without_patch(patch), Ok(good.clone()));
        assert!(good.without_patch(patch).is_err());
    }

    #[test]
    fn what_does_not_apply_says_why() {
        let good = tree(&[("a.c", "1\n2\n")]);
        let error = |patch: &str| good.with_patch(patch).expect_err("it does not apply").to_string();
        assert!(error("--- a/b.c\n+++ b/b.c\n@@ -1 +1 @@\n-x\n+y\n").contains("no file `b.c`"));
        assert!(error("--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-x\n+y\n").contains("does not apply to a.c"));
        assert!(!error("hello").is_empty());
    }
}
