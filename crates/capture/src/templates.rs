//! Strings and streams of libstdc++ as code of the program.
//!
//! The library's headers say that `std::string` and the streams are instantiated in the compiled library, so a compiler
//! calls them there, where nothing can be seen. Clang gets copies of the headers that do not say so: strings and streams are
//! then templates like all others. Their names, and so all positions, stay those of the library's own files.
//!
//! What stays in the library: the objects `std::cout` and its like with their buffers, buffers of files, locales and their
//! facets (numbers to and from text), and what reads lines and words of `char`.

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

/// What a header says of its templates where it is to say it no more.
const INSTANTIATED: &str = "\n#if _GLIBCXX_EXTERN_TEMPLATE\n";
const NOT_INSTANTIATED: &str = "\n#if _GLIBCXX_EXTERN_TEMPLATE > 0\n";

/// A header, what it says, and what it is to say. -1 is the library's own word for "strings are instantiated where they are used".
const CHANGES: &[(&str, &str, &str)] = &[
    ("bits/c++config.h", "\n# define _GLIBCXX_EXTERN_TEMPLATE 1\n", "\n# define _GLIBCXX_EXTERN_TEMPLATE -1\n"),
    ("bits/allocator.h", INSTANTIATED, NOT_INSTANTIATED),
    (
        "bits/basic_string.tcc",
        "\n  extern template\n    basic_ostream<char>&\n    operator<<(basic_ostream<char>&, const string&);\n",
        "\n  /* extern template\n    basic_ostream<char>&\n    operator<<(basic_ostream<char>&, const string&); */\n",
    ),
    ("bits/basic_ios.tcc", INSTANTIATED, NOT_INSTANTIATED),
    ("bits/istream.tcc", INSTANTIATED, NOT_INSTANTIATED),
    ("bits/ostream.tcc", INSTANTIATED, NOT_INSTANTIATED),
    ("bits/ostream_insert.h", INSTANTIATED, NOT_INSTANTIATED),
    ("bits/sstream.tcc", INSTANTIATED, NOT_INSTANTIATED),
    ("bits/streambuf.tcc", INSTANTIATED, NOT_INSTANTIATED),
    ("iomanip", INSTANTIATED, NOT_INSTANTIATED),
];

/// Headers that include all of these.
const INCLUDING: &[&str] = &["sstream", "iomanip"];

/// Lays the changed headers down beside the faces. Where clang finds no libstdc++, or one that says other things, there is
/// nothing to do.
pub(crate) fn install(store: &Store, clang: &Path) -> Result<(), Error> {
    let mut roots = Vec::new();
    let preprocessed = preprocess(clang).unwrap_or_default();
    for (number, (header, said, instead)) in CHANGES.iter().enumerate() {
        let Some(path) = path_in(&preprocessed, header) else { continue };
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

/// The headers as clang reads them, with markers that say from where.
fn preprocess(clang: &Path) -> Option<String> {
    let output = Command::new(clang)
        .args(["-x", "c++", "-E", "/dev/null"])
        .args(INCLUDING.iter().flat_map(|header| ["-include", header]))
        .env(INSIDE, "1")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
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
