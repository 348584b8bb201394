//! All candidates of many sites in one program: mutant schemata.

use crate::candidates::Candidates;
use crate::language::Language;
use crate::site::Site;
use crate::slot::Slot;
use crate::{c, rust};

/// A source with all candidates of some of its sites in it.
#[derive(Clone, Debug)]
pub struct Schemata {
    /// The source.
    pub text: String,
    /// Of its sites, in their order.
    pub slots: Vec<Slot>,
}

impl Schemata {
    /// Rewrites a source. Sites have numbers from `site` on, and entries of a survey from `base` on; of sites that overlap the
    /// inner one lies in what stands at the outer one.
    pub fn of(source: &str, sites: &[(&Site, &Candidates)], mut site: usize, mut base: usize) -> Self {
        let mut slots = Vec::new();
        for (_, candidates) in sites {
            let slot = Slot { site, base, candidates: candidates.list.len(), probes: candidates.probes.len() };
            site += 1;
            base += slot.entries();
            slots.push(slot);
        }
        let is_rust = sites.first().is_some_and(|(site, _)| site.language == Language::Rust);
        let text = if is_rust { rust::schemata(source, sites, &slots) } else { c::schemata(source, sites, &slots) };
        Self { text, slots }
    }

    /// The candidates that have errors, by the numbers of their sites in the order of [`Schemata::slots`], with their own; variables
    /// that are only looked at have the numbers behind the candidates.
    pub fn refused(&self, errors: &[(u32, u32)]) -> Vec<(usize, usize)> {
        let head = c::head(&self.text);
        let lines: Vec<&str> = self.text.split('\n').collect();
        let candidate = |&(line, column): &(u32, u32)| {
            let text = lines.get(head + (line as usize).checked_sub(1)?)?;
            let before = text.get(..(column as usize).min(text.len()))?;
            let mark = before.rfind("/*").map(|at| &before[at + 2..])?;
            let (site, number) = mark.split_once("*/")?.0.split_once(':')?;
            let site: usize = site.parse().ok()?;
            Some((self.slots.iter().position(|slot| slot.site == site)?, number.parse().ok()?))
        };
        let mut refused: Vec<(usize, usize)> = errors.iter().filter_map(candidate).collect();
        refused.sort_unstable();
        refused.dedup();
        refused
    }
}
