//! Versions of Rust files that no compiler takes, told without a build: most mixtures of two versions of a function are none.

use std::collections::BTreeSet;

use whydunit_changes::{Changes, Tree};

/// Files that are Rust in both versions.
pub struct Syntax {
    files: BTreeSet<String>,
}

impl Syntax {
    /// Of the files with changes.
    pub fn of(changes: &Changes) -> Self {
        let is_rust = |tree: &Tree, path: &str| tree.files.get(path).is_none_or(|file| error(&file.bytes).is_none());
        let changed: BTreeSet<&String> = changes.list.iter().map(|change| &change.file).collect();
        let files = changed
            .into_iter()
            .filter(|path| path.ends_with(".rs") && is_rust(&changes.old, path) && is_rust(&changes.new, path));
        Self { files: files.cloned().collect() }
    }

    /// What is wrong with the first file of a version that is no Rust, as the compiler would say it.
    pub fn error(&self, tree: &Tree) -> Option<String> {
        self.files.iter().find_map(|path| {
            let (message, line, column) = error(&tree.files.get(path)?.bytes)?;
            Some(format!("error: {message}\n --> {path}:{line}:{column}\n"))
        })
    }
}

/// What is wrong with a text, its line and its column, both from 1; none where it is Rust, or no text.
fn error(bytes: &[u8]) -> Option<(String, usize, usize)> {
    let error = syn::parse_file(std::str::from_utf8(bytes).ok()?).err()?;
    let start = error.span().start();
    Some((error.to_string(), start.line, start.column + 1))
}

#[cfg(test)]
mod tests {
    use whydunit_changes::{File, Mode};

    use super::*;

    #[test]
    fn a_mixture_that_is_no_rust() {
        let tree = |text: &str| {
            let file = File { bytes: text.as_bytes().into(), mode: Mode::Plain };
            Tree { files: [("a.rs".to_string(), file)].into() }
        };
        let old = "fn f(x: u32) -> u32 {\n    if x > 1 {\n        return 1;\n    }\n    x\n}\n";
        let new = "fn f(x: u32) -> u32 {\n    match x {\n        0 => 1,\n        _ => x,\n    }\n}\n";
        let changes = Changes::between(tree(old), tree(new), &|_| false);
        let syntax = Syntax::of(&changes);
        assert_eq!((syntax.error(&tree(old)), syntax.error(&tree(new))), (None, None));
        let mixed = "fn f(x: u32) -> u32 {\n    match x {\n        return 1;\n    }\n    x\n}\n";
        let told = syntax.error(&tree(mixed)).expect("it is no Rust");
        assert!(told.starts_with("error: ") && told.contains(" --> a.rs:3:"), "{told}");
    }
}
