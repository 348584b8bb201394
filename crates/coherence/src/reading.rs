//! A source is read by the grammar of its language.

use crate::facts::{Facts, Source};
use crate::{c, rust};

/// Ends of names of files that only C++ has.
const CPP: &[&str] = &["cpp", "cc", "cxx", "C", "hpp", "hh", "hxx", "inl", "ipp"];

/// Whether a file is one of C++, no matter what others there are.
pub(crate) fn is_cpp(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| CPP.contains(&end))
}

/// What a source declares, uses and states; none where its language is not known. Where there is C++ headers are taken for that.
pub(crate) fn facts(path: &str, bytes: &[u8], with_cpp: bool) -> Option<Facts> {
    let facts = match path.rsplit_once('.')?.1 {
        "h" if with_cpp => c::facts(&Source::parse(&tree_sitter_cpp::LANGUAGE.into(), bytes)?, true),
        "c" | "h" => c::facts(&Source::parse(&tree_sitter_c::LANGUAGE.into(), bytes)?, false),
        _ if is_cpp(path) => c::facts(&Source::parse(&tree_sitter_cpp::LANGUAGE.into(), bytes)?, true),
        "rs" => rust::facts(&Source::parse(&tree_sitter_rust::LANGUAGE.into(), bytes)?),
        _ => return None,
    };
    Some(facts)
}
