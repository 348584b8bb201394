//! A source is read by the grammar of its language.

use crate::facts::{Facts, Source};
use crate::{c, rust};

/// What a source declares, uses and states; none where its language is not known.
pub(crate) fn facts(path: &str, bytes: &[u8]) -> Option<Facts> {
    let facts = match path.rsplit_once('.')?.1 {
        "c" => c::facts(&Source::parse(&tree_sitter_c::LANGUAGE.into(), bytes)?, false),
        // Headers may be of either, and the grammar of C++ takes both.
        "h" | "cpp" | "cc" | "cxx" | "hpp" | "hh" | "hxx" | "inl" | "ipp" => {
            c::facts(&Source::parse(&tree_sitter_cpp::LANGUAGE.into(), bytes)?, true)
        }
        "rs" => rust::facts(&Source::parse(&tree_sitter_rust::LANGUAGE.into(), bytes)?),
        _ => return None,
    };
    Some(facts)
}
