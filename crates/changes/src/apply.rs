//! Patches applied to versions.

use diffy::patch_set::{FileOperation, ParseOptions, PatchSet};

use crate::tree::{File, Mode, Tree};

/// Why a patch does not apply.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotApplied(String);

impl Tree {
    /// This version with a patch applied, as `diff -u` and `git diff` write it, with or without `a/` and `b/`.
    pub fn with_patch(&self, patch: &str) -> Result<Tree, NotApplied> {
        let options = if patch.contains("diff --git ") { ParseOptions::gitdiff() } else { ParseOptions::unidiff() };
        let mut tree = self.clone();
        for part in PatchSet::parse(patch, options) {
            let part = part.map_err(|error| NotApplied(format!("it is no unified diff: {error}")))?;
            let text = part.patch().as_text().ok_or_else(|| NotApplied("it is no diff of text".into()))?;
            let named = |strip| match part.operation().strip_prefix(strip) {
                FileOperation::Create(to) => (None, Some(to.to_string())),
                FileOperation::Delete(from) => (Some(from.to_string()), None),
                // Of two names the file has the one that is there.
                FileOperation::Modify { original, modified } => {
                    let name = if tree.files.contains_key(&*modified) { modified } else { original };
                    (Some(name.to_string()), Some(name.to_string()))
                }
                FileOperation::Rename { from, to } | FileOperation::Copy { from, to } => {
                    (Some(from.to_string()), Some(to.to_string()))
                }
            };
            let (from, to) = match named(1) {
                (Some(from), _) if !tree.files.contains_key(&from) && known(&tree, &named(0).0) => named(0),
                stripped => stripped,
            };
            // As `diff -N` writes it: a file that is not there has no lines.
            let by_git = patch.contains("diff --git ");
            let (made, gone) = match text.hunks() {
                [hunk] if !by_git => (hunk.old_range().is_empty(), hunk.new_range().is_empty()),
                _ => (false, false),
            };
            let from = from.filter(|from| !made || tree.files.contains_key(from));
            let before = match &from {
                Some(from) => Some(
                    tree.files
                        .remove(from)
                        .ok_or_else(|| NotApplied(format!("the version before it has no file `{from}`")))?,
                ),
                None => None,
            };
            if let Some(to) = to {
                let bytes = before.as_ref().map_or(&[][..], |file| &file.bytes);
                let old =
                    std::str::from_utf8(bytes).map_err(|_| NotApplied(format!("{to} is not UTF-8: it is left out")))?;
                let new = diffy::apply(old, text)
                    .map_err(|error| NotApplied(format!("it does not apply to {to}: {error}")))?;
                if gone && new.is_empty() {
                    continue;
                }
                let mode = before.as_ref().map_or(Mode::Plain, |file| file.mode);
                tree.files.insert(to, File { bytes: new.into_bytes().into(), mode });
            }
        }
        if tree == *self { Err(NotApplied("it changes nothing".into())) } else { Ok(tree) }
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
    fn what_does_not_apply_says_why() {
        let good = tree(&[("a.c", "1\n2\n")]);
        let error = |patch: &str| good.with_patch(patch).expect_err("it does not apply").to_string();
        assert!(error("--- a/b.c\n+++ b/b.c\n@@ -1 +1 @@\n-x\n+y\n").contains("no file `b.c`"));
        assert!(error("--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-x\n+y\n").contains("does not apply to a.c"));
        assert!(!error("hello").is_empty());
    }
}
