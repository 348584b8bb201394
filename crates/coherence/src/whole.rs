//! What has to have all parts of something: a `match` the variants of its enumeration, an `impl` the items of its trait, a literal the
//! fields of its structure.

use std::collections::{BTreeMap, HashMap};

use crate::facts::{Facts, Whole};
use crate::lack::Sources;

/// Parts by what they are of, each with where it is declared.
#[derive(Default)]
pub(crate) struct Parts<'a>(HashMap<&'a str, BTreeMap<&'a str, (&'a str, u32)>>);

impl<'a> Parts<'a> {
    /// Of all sources.
    pub fn of(sources: &'a Sources) -> Self {
        let mut out = Self::default();
        for (path, facts) in sources {
            for part in &facts.parts {
                out.0.entry(&part.about).or_default().insert(&part.name, (path, part.line));
            }
        }
        out
    }
}

/// Something without some of its parts.
pub(crate) struct Lacking<'a> {
    pub whole: &'a Whole,
    /// What it is of.
    pub about: &'a str,
    /// The parts, each with the file and the line where it is declared.
    pub parts: Vec<(String, (String, u32))>,
}

impl Lacking<'_> {
    /// What it is, without lines: the definition it stands in with what it is of, and the parts.
    pub fn key(&self) -> (String, String) {
        let parts: Vec<&str> = self.parts.iter().map(|part| &part.0[..]).collect();
        (format!("{} {}", self.whole.place, self.about), parts.join(" "))
    }
}

/// What a source has without all its parts.
pub(crate) fn lacking<'a>(facts: &'a Facts, parts: &Parts<'_>) -> Vec<Lacking<'a>> {
    let lacking = facts.wholes.iter().filter_map(|whole| {
        let knows = |about: &&String| {
            let known = parts.0.get(&about[..]);
            known.is_some_and(|known| {
                whole.has.iter().any(|name| known.contains_key(&name[..])) || whole.about.len() == 1
            })
        };
        let about = whole.about.iter().find(knows)?;
        let missing = parts.0[&about[..]].iter().filter(|(name, _)| !whole.has.contains(**name));
        let parts: Vec<_> =
            missing.map(|(name, (path, line))| ((*name).to_owned(), ((*path).to_owned(), *line))).collect();
        (!parts.is_empty()).then_some(Lacking { whole, about, parts })
    });
    lacking.collect()
}
