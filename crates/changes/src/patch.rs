//! Changes as a patch.

use diffy::DiffOptions;

use crate::{Changes, File, Mode};

impl Changes {
    /// What these changes (ascending numbers) do to the version without them, in git's format: applied to the newer version
    /// with `git apply -R` it undoes them. Files that are no text are named only.
    pub fn patch(&self, set: &[usize]) -> Vec<u8> {
        let without = self.reverted(set);
        let mut out = Vec::new();
        let mut paths: Vec<&String> = without.files.keys().chain(self.new.files.keys()).collect();
        paths.sort_unstable();
        paths.dedup();
        for path in paths {
            let (before, after) = (without.files.get(path), self.new.files.get(path));
            if before != after {
                one(&mut out, path, before, after);
            }
        }
        out
    }
}

fn bits(mode: Mode) -> &'static str {
    match mode {
        Mode::Plain => "100644",
        Mode::Executable => "100755",
        Mode::Link => "120000",
    }
}

fn one(out: &mut Vec<u8>, path: &str, before: Option<&File>, after: Option<&File>) {
    out.extend(format!("diff --git a/{path} b/{path}\n").into_bytes());
    match (before, after) {
        (None, Some(file)) => out.extend(format!("new file mode {}\n", bits(file.mode)).into_bytes()),
        (Some(file), None) => out.extend(format!("deleted file mode {}\n", bits(file.mode)).into_bytes()),
        (Some(before), Some(after)) if before.mode != after.mode => {
            out.extend(format!("old mode {}\nnew mode {}\n", bits(before.mode), bits(after.mode)).into_bytes());
        }
        _ => {}
    }
    let bytes = |file: Option<&File>| file.map_or(Default::default(), |file| file.bytes.clone());
    let (old, new) = (bytes(before), bytes(after));
    if old == new {
        return;
    }
    if old.contains(&0) || new.contains(&0) {
        out.extend(format!("Binary files a/{path} and b/{path} differ\n").into_bytes());
        return;
    }
    let name = |file: Option<&File>, side: &str| match file {
        Some(_) => format!("{side}/{path}"),
        None => "/dev/null".to_string(),
    };
    let mut options = DiffOptions::new();
    options.set_original_filename(name(before, "a")).set_modified_filename(name(after, "b"));
    out.extend(options.create_patch_bytes(&old, &new).to_bytes());
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::Tree;

    #[test]
    fn git_applies_it_backwards() {
        let file = |text: &str, mode| File { bytes: text.as_bytes().into(), mode };
        let tree = |files: &[(&str, File)]| Tree {
            files: files.iter().map(|(path, file)| (path.to_string(), file.clone())).collect(),
        };
        let plain = |text: &str| file(text, Mode::Plain);
        let old = tree(&[
            ("a b.c", plain("1\n2\n3\n4\n5\n6\n7\n8\n9\n")),
            ("gone.c", plain("only here\nand here\n")),
            ("run", file("#!/bin/sh\n", Mode::Plain)),
            ("end", plain("no newline")),
        ]);
        let new = tree(&[
            ("a b.c", plain("1\ntwo\n3\n4\n5\n6\n7\neight\n9\n")),
            ("young/y.c", plain("y\n")),
            ("run", file("#!/bin/sh\n", Mode::Executable)),
            ("end", plain("no newline\n")),
        ]);
        let changes = Changes::between(old.clone(), new.clone(), &|_| false);
        for set in [(0..changes.list.len()).collect(), vec![0], vec![1, 2]] {
            let folder = tempfile::tempdir().unwrap();
            new.lay_out(folder.path(), &Tree::default()).unwrap();
            std::fs::write(folder.path().join("p.diff"), changes.patch(&set)).unwrap();
            let done = Command::new("git")
                .args(["apply", "-R", "p.diff"])
                .current_dir(folder.path())
                .stdin(Stdio::null())
                .output()
                .unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            let now = Tree::of_folder(folder.path(), &|path| path == "p.diff").unwrap();
            assert_eq!(now, changes.reverted(&set));
        }
    }
}
