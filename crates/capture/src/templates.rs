//! Strings, streams and containers of libstdc++ as code of the program.
//!
//! The library's headers say that `std::string` and the streams are instantiated in the compiled library, so a compiler
//! calls them there, where nothing can be seen. Clang gets copies of the headers that do not say so: strings and streams are
//! then templates like all others. Their names, and so all positions, stay those of the library's own files. What trees, lists
//! and hash tables have in the compiled library is defined in the headers too (crate's folder `headers`).
//!
//! What stays in the library: the objects `std::cout` and its like with their buffers, buffers of files, locales and their
//! facets (numbers to and from text), and what reads lines and words of `char`.

use std::{
    fs,
    io::Write,
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

/// A header, what it says, with [`HERE`] where it is to include more, and what that is: the compiled part of containers.
const INCLUSIONS: &[(&str, &str, &str)] = &[
    (
        "bits/stl_tree.h",
        "_Rb_tree_node_base& __header) throw ();\n@\n#if __cplusplus > 201402L\n  template<typename _Tree1, typename _Cmp2>",
        include_str!("../headers/tree.h"),
    ),
    (
        "bits/hash_bytes.h",
        "\n  _Hash_bytes(const void* __ptr, size_t __len, size_t __seed);\n@\n",
        include_str!("../headers/bytes.h"),
    ),
    ("bits/stl_list.h", "\n    };\n@\n    /// The %list node header.\n", include_str!("../headers/list.h")),
    (
        "bits/hashtable_policy.h",
        "\n  };\n@\n  /// Range hashing function assuming that second arg is a power of 2.\n",
        include_str!("../headers/hash.h"),
    ),
];
/// An empty line of a header.
const HERE: &str = "\n@\n";

/// Headers that include all of these.
const INCLUDING: &[&str] = &["sstream", "iomanip", "map", "list", "unordered_map"];

/// Lays the changed headers down beside the faces. Where clang finds no libstdc++, or one that says other things, there is
/// nothing to do.
pub(crate) fn install(store: &Store, clang: &Path) -> Result<(), Error> {
    let preprocessed = preprocess(clang).unwrap_or_default();
    let mut overlay = Overlay { store, roots: Vec::new() };
    for (header, said, instead) in CHANGES {
        if let Some(path) = path_in(&preprocessed, header) {
            overlay.change(&path, said, instead)?;
        }
    }
    for (number, (header, place, more)) in INCLUSIONS.iter().enumerate() {
        let Some(path) = path_in(&preprocessed, header) else { continue };
        // The compiler, and so whoever reads positions, is to take it for a header of the library.
        let inclusion = store.faces().join(format!(".included{number}.h"));
        let text = format!("#pragma GCC system_header\n#line 1 \"{}\"\n{more}", path.with_extension("cc").display());
        fs::write(&inclusion, text).map_err(Error::io(&inclusion))?;
        let include = format!("\n#include \"{}\"\n", inclusion.display());
        overlay.change(&path, &place.replace(HERE, "\n\n"), &place.replace(HERE, &include))?;
    }
    let Overlay { roots, .. } = overlay;
    if roots.is_empty() {
        return Ok(());
    }
    let overlay = json!({ "version": 0, "case-sensitive": "true", "use-external-names": "false", "roots": roots });
    let place = store.header_overlay();
    fs::write(&place, overlay.to_string()).map_err(Error::io(&place))
}

/// Headers that clang reads otherwise.
struct Overlay<'a> {
    store: &'a Store,
    roots: Vec<serde_json::Value>,
}

impl Overlay<'_> {
    /// Says something else in a header, where it says that once; no lines come or go.
    fn change(&mut self, path: &Path, said: &str, instead: &str) -> Result<(), Error> {
        let Ok(text) = fs::read_to_string(path) else { return Ok(()) };
        if text.matches(said).count() != 1 {
            return Ok(());
        }
        let copy = self.store.faces().join(format!(".header{}.h", self.roots.len()));
        fs::write(&copy, text.replace(said, instead)).map_err(Error::io(&copy))?;
        self.roots.push(json!({ "type": "file", "name": path, "external-contents": copy }));
        Ok(())
    }
}

/// The headers as clang reads them, with markers that say from where. Files of the same names in the folder at hand (a
/// program `list`) are no headers.
fn preprocess(clang: &Path) -> Option<String> {
    let mut process = Command::new(clang)
        .args(["-x", "c++", "-E", "-"])
        .env(INSIDE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let text: String = INCLUDING.iter().map(|header| format!("#include <{header}>\n")).collect();
    // So little goes into a pipe at once, and closing it is the end of the text.
    process.stdin.take()?.write_all(text.as_bytes()).ok();
    let output = process.wait_with_output().ok()?;
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
