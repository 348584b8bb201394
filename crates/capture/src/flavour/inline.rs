//! Inline functions of C99 that are defined nowhere else.
//!
//! `inline int f(void) { … }` alone defines no `f` for the linker: the standard asks for a definition elsewhere. An
//! optimising compiler does without it where it inlines all calls; bitcode without optimisation has the calls. Such units
//! are compiled once more by the older rule of GNU C, under which the function is defined where it stands.

use std::{collections::BTreeSet, fs};

use whydunit_face::{bitcode, depend, elf::Elf, recipe::Recipe};

use super::Maker;
use crate::{Error, clang, program, templates};

/// Makes those units anew that use one of these names and have it as an inline function; whether there is one.
pub(super) fn define(maker: &mut Maker, recipe: &Recipe, names: &BTreeSet<String>) -> Result<bool, Error> {
    let Some(clang) = clang::find() else { return Ok(false) };
    let mut found = false;
    for id in &recipe.units {
        let Ok(object) = maker.modules.object(id) else { continue };
        let data = fs::read(&object).map_err(Error::io(&object))?;
        let undefined = Elf::parse(&data).map(|elf| elf.undefined()).unwrap_or_default();
        let wanted: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| undefined.contains(&name.as_bytes())).collect();
        if wanted.is_empty() {
            continue;
        }
        let unit = program::unit(maker.store, id)?;
        let texts = || unit.dependencies.iter().filter_map(|file| fs::read_to_string(&file.path).ok());
        // Sources that have changed would give another program.
        if !unit.dependencies.iter().all(depend::is_current)
            || !texts().any(|text| wanted.iter().any(|name| has_inline(&text, name)))
        {
            continue;
        }
        // The headers that stand for others may have been damaged since they were laid down.
        templates::install(maker.store, &clang)?;
        let Ok(made) = bitcode::remake(maker.store, &clang, &unit, &["-fgnu89-inline"]) else { continue };
        maker.modules.make(std::slice::from_ref(&made.id))?;
        maker.modules.substitute(id, &made.id);
        found = true;
    }
    Ok(found)
}

/// Whether a text seems to define or declare an inline function of this name.
fn has_inline(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        if before.ends_with(word) || !after.trim_start().starts_with('(') {
            return false;
        }
        let start = before.rfind([';', '}', '{']).map_or(0, |end| end + 1);
        before[start..].split(|c| !word(c)).any(|word| matches!(word, "inline" | "__inline" | "__inline__"))
    })
}

#[cfg(test)]
mod tests {
    use super::has_inline;

    #[test]
    fn inline_functions_are_found_by_their_name() {
        let text = "int g(int);\nextern\n__inline int *\nf (int x) { return h(x); }\nstatic inline int ff(void);";
        for (name, expected) in [("f", true), ("g", false), ("h", false), ("ff", true), ("x", false)] {
            assert_eq!(has_inline(text, name), expected, "{name}");
        }
    }
}
