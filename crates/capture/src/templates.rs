//! Strings of libstdc++ as code of the program.
//!
//! The library's headers say that `std::string` and its allocator are instantiated in the compiled library, so a compiler
//! calls them there, where nothing can be seen. Clang gets copies of the two headers that do not say so: strings are then
//! templates like all others. Their names, and so all positions, stay those of the library's own files.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::json;
use whydunit_face::{
    context::{INSIDE, normalise},
    store::Store,
};

use crate::Error;

/// A header, what it says, and what it is to say. -1 is the library's own word for "strings are instantiated where they are used".
const CHANGES: &[(&str, &str, &str)] = &[
    ("bits/c++config.h", "\n# define _GLIBCXX_EXTERN_TEMPLATE 1\n", "\n# define _GLIBCXX_EXTERN_TEMPLATE -1\n"),
    (
        "bits/allocator.h",
        "\n#if _GLIBCXX_EXTERN_TEMPLATE\n  extern template class allocator<char>;",
        "\n#if _GLIBCXX_EXTERN_TEMPLATE > 0\n  extern template class allocator<char>;",
    ),
];

/// Lays the changed headers down beside the faces. Where clang finds no libstdc++, or one that says other things, there is
/// nothing to do.
pub(crate) fn install(store: &Store, clang: &Path) -> Result<(), Error> {
    let mut roots = Vec::new();
    for (number, (header, said, instead)) in CHANGES.iter().enumerate() {
        let Some(path) = find(clang, header) else { continue };
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if text.matches(said).count() != 1 {
            continue;
        }
        let copy = store.faces().join(format!(".header{number}.h"));
        fs::write(&copy, text.replace(said, instead)).map_err(Error::io(&copy))?;
        roots.push(json!({ "type": "file", "name": path, "external-contents": copy }));
    }
    if roots.is_empty() {
        return Ok(());
    }
    let overlay = json!({ "version": 0, "case-sensitive": "true", "use-external-names": "false", "roots": roots });
    let place = store.header_overlay();
    fs::write(&place, overlay.to_string()).map_err(Error::io(&place))
}

/// The file that clang reads for a header of C++.
fn find(clang: &Path, header: &str) -> Option<PathBuf> {
    let output = Command::new(clang)
        .args(["-x", "c++", "-E", "-include", header, "/dev/null"])
        .env(INSIDE, "1")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    path_in(&text, header)
}

/// The path of a header among the line markers of preprocessed text.
fn path_in(text: &str, header: &str) -> Option<PathBuf> {
    let markers = text.lines().filter(|line| line.starts_with("# "));
    let paths = markers.filter_map(|line| line.split('"').nth(1));
    paths.into_iter().find(|path| path.ends_with(&format!("/{header}"))).map(|path| normalise(Path::new(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_by_the_markers() {
        let text = "# 1 \"/dev/null\"\n# 1 \"/x/12/../inc/bits/c++config.h\" 1 3\nint \"/y/bits/c++config.h\";\n";
        assert_eq!(path_in(text, "bits/c++config.h"), Some(PathBuf::from("/x/inc/bits/c++config.h")));
        assert_eq!(path_in(text, "bits/allocator.h"), None);
    }
}
