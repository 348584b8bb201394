//! All candidates of many sites in one program: mutant schemata.

use std::ops::Range;

use crate::candidates::Candidates;
use crate::expression::Class;
use crate::rewrite::{rewritten, with_prologue};
use crate::site::{Role, Site};

/// What warnings there are of what is written here is not said.
const QUIET: &str = include_str!("../c/quiet.h");
/// Code that is run a few times is not optimised, which would take longer than the runs.
const QUICK: &str = "\
#if defined(__clang__)
#pragma clang optimize off
#elif defined(__GNUC__)
#pragma GCC optimize (\"O0\")
#endif
";
/// What a rewritten source needs.
const RUNTIME: &str = include_str!("../c/site.h");

/// The place of a site's candidates in a survey.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The site's number, from 1.
    pub site: usize,
    /// Where its entries begin: first what stands there, then its candidates in order.
    pub base: usize,
    /// So many candidates.
    pub candidates: usize,
    /// So many variables that are only looked at, behind them.
    pub probes: usize,
}

impl Slot {
    /// So many entries it has in a survey.
    pub fn entries(&self) -> usize {
        1 + self.candidates + self.probes
    }

    /// These entries.
    pub fn range(&self) -> Range<usize> {
        self.base..self.base + self.entries()
    }
}

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
        let parts: Vec<_> = sites.iter().map(|(site, _)| site.range.clone()).collect();
        let body = rewritten(source, &parts, &|number, original| chosen(sites[number], &slots[number], original));
        let text = with_prologue(&format!("{QUIET}{QUICK}{RUNTIME}"), source, &body);
        Self { text, slots }
    }
}

impl Schemata {
    /// The candidates that have errors, by the numbers of their sites in the order of [`Schemata::slots`], with their own; variables
    /// that are only looked at have the numbers behind the candidates.
    pub fn refused(&self, errors: &[(u32, u32)]) -> Vec<(usize, usize)> {
        let head = self.text.find("\n#line 1").map_or(0, |at| self.text[..at].lines().count() + 1);
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

/// An expression that has the value of the candidate that counts. No line is added.
fn chosen((site, candidates): (&Site, &Candidates), Slot { site: id, base, .. }: &Slot, original: &str) -> String {
    let is_guard = site.role.is_statement();
    let (original, statement) = match site.role {
        Role::Guarded => ("1", original),
        Role::Left => ("0", original),
        _ => (original, ""),
    };
    let truth = |text: &str| {
        if is_guard || site.role == Role::Condition { format!("({text}) ? 1 : 0") } else { format!("({text})") }
    };
    let ty = &site.ty;
    let number_of = candidates.list.len();
    let mut out = format!(
        "(__extension__ ({{ {ty} whydunit_value = 0; long long whydunit_probe = 0; int whydunit_at = whydunit_begin({id}, \
         {base}, {}); do {{ switch (whydunit_at) {{ default: whydunit_value = {}; break;",
        number_of + candidates.probes.len(),
        truth(original)
    );
    for (number, candidate) in candidates.list.iter().enumerate() {
        out.push_str(&format!(
            " case {}: /*{id}:{number}*/ whydunit_value = ({ty})({}); break;",
            number + 1,
            truth(&candidate.expression.text())
        ));
    }
    for (number, probe) in candidates.probes.iter().enumerate() {
        let number = number_of + number + 1;
        let mark = number - 1;
        out.push_str(&format!(
            " case {number}: /*{id}:{mark}*/ whydunit_probe = (long long)({}); break;",
            probe.text()
        ));
    }
    let note = match site.result {
        Class::Float => "whydunit_next_float(",
        _ => "whydunit_next(",
    };
    let value = if note.ends_with("float(") { "(double)" } else { "(long long)" };
    let value = format!("whydunit_at > {number_of} ? {value}whydunit_probe : {value}whydunit_value");
    out.push_str(&format!(" }} }} while ({note}{base}, &whydunit_at, {value})); whydunit_value; }}))"));
    match site.role {
        Role::Guarded => format!("if ({out}) {statement}"),
        Role::Left => format!("{{ if ({out}) {} {statement} }}", site.leave),
        _ => out,
    }
}
