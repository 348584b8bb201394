//! What has to be made again when files differ.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_changes::Tree;

/// Whether a file says how things are built, and the tool that reads it does not know what it made of another one: what was made before is
/// worth nothing then. Cargo's files are none of these: it makes anew what they change, and dependencies stay.
pub fn describes_build(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ends = [".mk", ".cmake", ".ac", ".am", ".m4", ".in", ".gyp", ".pro", ".bazel", ".ninja"];
    let names = ["CMakeLists.txt", "configure", "meson.build", "meson_options.txt", "BUILD"];
    name.to_ascii_lowercase().contains("makefile")
        || names.contains(&name)
        || ends.iter().any(|end| name.ends_with(end))
}

/// Files that include one of `touched`, directly or through others; includes are matched by the file's own name, so there may
/// be too many.
pub(crate) fn dependents(tree: &Tree, touched: &[String]) -> BTreeSet<String> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
    let mut included_by: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for (path, file) in &tree.files {
        for included in includes(&file.bytes) {
            included_by.entry(name(&included)).or_default().push(path);
        }
    }
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut open: Vec<String> = touched.to_vec();
    while let Some(path) = open.pop() {
        for &by in included_by.get(&name(&path)).into_iter().flatten() {
            if found.insert(by.clone()) {
                open.push(by.clone());
            }
        }
    }
    found
}

/// What `#include "…"`, `#include <…>`, `include!("…")` and their like name.
fn includes(bytes: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    for line in bytes.split(|&byte| byte == b'\n').filter(|line| line.windows(7).any(|word| word == b"include")) {
        let line = String::from_utf8_lossy(line);
        let Some((_, rest)) = line.split_once("include") else { continue };
        let mut quoted = rest.split(['"', '<', '>']);
        quoted.next();
        out.extend(quoted.next().filter(|name| !name.is_empty()).map(String::from));
    }
    out
}

#[cfg(test)]
mod tests {
    use whydunit_changes::{File, Mode};

    use super::*;

    #[test]
    fn headers_reach_sources_through_headers() {
        let file = |text: &str| File { bytes: text.as_bytes().into(), mode: Mode::Plain };
        let files = [
            ("src/a.c", "#include \"b.h\"\n"),
            ("include/b.h", "#  include <sub/c.h>\n"),
            ("include/sub/c.h", "int c;\n"),
            ("src/other.c", "#include <stdio.h>\n"),
            ("lib.rs", "const TABLE: &str = include_str!(\"table.txt\");\n"),
        ];
        let tree = Tree { files: files.iter().map(|(path, text)| (path.to_string(), file(text))).collect() };
        let of = |path: &str| dependents(&tree, &[path.to_string()]).into_iter().collect::<Vec<_>>();
        assert_eq!(of("include/sub/c.h"), ["include/b.h", "src/a.c"]);
        assert_eq!(of("table.txt"), ["lib.rs"]);
        assert_eq!(of("src/a.c"), [""; 0]);
        assert!(["lib/GNUmakefile", "config.mk", "CMakeLists.txt"].into_iter().all(describes_build));
        assert!(!describes_build("make.c"));
    }
}
