//! What one run of a test says of all candidates, and which are worth a run, in which order.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use whydunit_repair::{Candidate, Class, Entry, MOST_NUMBERS, Role};

use super::asked_place::AskedPlace;
use super::program::{Chosen, Program, Rewritten};

/// So much farther counts what does the same as another candidate, as far as a survey tells.
const SAME: u32 = 3;
/// So much farther is what tests may not demand, and what they do not demand as far as that is known.
const UNKNOWN: u32 = 2;
const UNMET: u32 = 6;
/// So much farther is a truth value that is another one each time, and one that is always the same where the one there is not,
/// in so many executions at least.
const OTHERWISE: u32 = 2;
const DECIDES_NOTHING: u32 = 4;
const SEVERAL: usize = 3;

/// What a survey says: for each failing test, and for some that pass, an entry for each candidate.
#[derive(Default)]
pub struct Surveyed {
    pub(super) failing: Vec<Vec<Entry>>,
    pub(super) passing: Vec<Vec<Entry>>,
}

impl Surveyed {
    /// What a passing test says of an entry; none of a test that was not surveyed.
    pub fn of_passing(&self, test: usize, entry: usize) -> Option<&Entry> {
        self.passing.get(test)?.get(entry)
    }

    /// What a failing test says of an entry.
    pub fn of_failing(&self, test: usize, entry: usize) -> Option<&Entry> {
        self.failing.get(test)?.get(entry)
    }

    /// For each place the numbers that values of its variables suggest: these, how far they are apart, and what is one off.
    pub fn numbers(&self, program: &Program) -> HashMap<usize, Vec<i64>> {
        let mut out = HashMap::new();
        for site in &program.sites {
            let (first, probes) = (site.slot.base + 1 + site.slot.candidates, site.slot.probes);
            let (mut near, mut far) = (Vec::new(), Vec::new());
            for entries in self.failing.iter().chain(&self.passing) {
                let values: Vec<&[i64]> = (0..probes).map(|probe| &*entries[first + probe].values).collect();
                for (number, one) in values.iter().enumerate() {
                    for (at, value) in one.iter().enumerate() {
                        near.push(*value);
                        let others = values.iter().enumerate().filter(|(other, _)| *other != number);
                        far.extend(others.filter_map(|(_, other)| Some(value.wrapping_sub(*other.get(at)?))));
                    }
                }
            }
            let numbers: &mut Vec<i64> = out.entry(site.place).or_default();
            let spread = |values: &[i64]| -> Vec<i64> {
                values.iter().flat_map(|value| [*value, value.wrapping_add(1), value.wrapping_sub(1)]).collect()
            };
            for value in spread(&near).into_iter().chain(spread(&far)) {
                if !numbers.contains(&value) && value.unsigned_abs() < 1 << 31 && numbers.len() < MOST_NUMBERS {
                    numbers.push(value);
                }
            }
        }
        out
    }

    /// Candidates that are worth a run, in the order in which they are tried: those that change nothing in a failing test (`all`: in
    /// any of them) are left out, those that do the same as a closer one come later, or are left out where that is sure; among
    /// what is equally far from what stands there, what no surveyed test that passes notices comes first.
    pub fn order(&self, program: &Program, open: &[AskedPlace<'_>], all: bool) -> Vec<Chosen> {
        let mut out = Vec::new();
        let each = |holds: &dyn Fn(&Vec<Entry>) -> bool| match all {
            true => self.failing.iter().all(holds),
            false => self.failing.iter().any(holds),
        };
        for (number, site) in program.sites.iter().enumerate() {
            let base = site.slot.base;
            if !each(&|entries| entries[base].count > 0) {
                continue; // a failing test does not come there
            }
            let mut known = HashSet::new();
            let at = open.iter().find(|at| at.place_number() == site.place);
            // Where a test comes there again, those that did the same part once the run is another one.
            let again = site.of_loop || self.failing.iter().chain(&self.passing).any(|entries| entries[base].count > 1);
            for (candidate, made) in site.candidates.list.iter().enumerate() {
                let entry = base + 1 + candidate;
                let surveyed = made.expression.is_pure() && self.failing.iter().all(|entries| !entries[entry].skipped);
                let changes = each(&|entries| entries[entry].hash != entries[base].hash);
                let mut hash = DefaultHasher::new();
                for entries in self.failing.iter().chain(&self.passing) {
                    (entries[entry].hash, entries[entry].count).hash(&mut hash);
                }
                // Of what is equally far from what stands there the first is what no test that passes notices.
                let noticed = surveyed && self.passing.iter().any(|entries| entries[entry].hash != entries[base].hash);
                let entry = |test: usize| self.of_failing(test, entry);
                let far = self.oddity(site, candidate)
                    + match at.filter(|_| surveyed).and_then(|at| at.meets(&entry)) {
                        Some(true) => 0,
                        None => UNKNOWN,
                        Some(false) => UNMET,
                    };
                if !surveyed || changes && known.insert(hash.finish()) {
                    out.push((noticed, far, number, candidate));
                } else if changes && again {
                    out.push((noticed, far + SAME, number, candidate));
                }
            }
        }
        // The closest to what stands there first; among equals those of the most suspicious site.
        out.sort_by_key(|&(noticed, far, site, candidate)| {
            let (rare, cost, level) = program.candidate(site, candidate).order();
            (rare, cost + far, noticed, level, program.place(site), candidate)
        });
        out.into_iter().map(|(_, _, site, candidate)| (site, candidate)).collect()
    }

    /// The other candidates of a site that came to the same as one of them in the tests that fail: most likely these pass with them,
    /// too.
    pub fn alike(&self, program: &Program, (site, number): Chosen) -> Vec<Chosen> {
        let rewritten = &program.sites[site];
        let base = rewritten.slot.base + 1;
        let is_alike = |entries: &Vec<Entry>, other: usize| {
            let (own, other) = (&entries[base + number], &entries[base + other]);
            !own.skipped && !other.skipped && own.hash == other.hash
        };
        let others = (0..rewritten.candidates.list.len()).filter(|other| {
            *other != number
                && rewritten.surveyed
                && rewritten.candidates.list[*other].expression.is_pure()
                && self.failing.iter().all(|entries| is_alike(entries, *other))
        });
        others.map(|other| (site, other)).collect()
    }

    /// How much farther than it looks a candidate for a truth value is from what stands there, by what it came to: one that decides
    /// nothing, or each time otherwise, is rarely meant. The least changes, as that of `<` to `<=`, may decide nothing: a loop that ends
    /// too early shows no value at which it should end. Nothing is said of what was not surveyed.
    pub fn oddity(&self, site: &Rewritten, candidate: usize) -> u32 {
        let Candidate { expression, cost, .. } = &site.candidates.list[candidate];
        let is_truth = site.role == Role::Condition || expression.class() == Class::Bool;
        let base = site.slot.base;
        let is_surveyed =
            expression.is_pure() && self.failing.iter().all(|entries| !entries[base + 1 + candidate].skipped);
        if !is_truth || !is_surveyed || site.role.is_statement() || site.role.is_done() {
            return 0;
        }
        let both = |entries: &Vec<Entry>| {
            let values = |entry: usize| entries[entry].values.iter().map(|value| *value != 0).collect::<Vec<_>>();
            values(base).into_iter().zip(values(base + 1 + candidate)).collect::<Vec<_>>()
        };
        let failing: Vec<(bool, bool)> = self.failing.iter().flat_map(both).collect();
        let all: Vec<(bool, bool)> = failing.iter().copied().chain(self.passing.iter().flat_map(both)).collect();
        let otherwise = failing.len() >= SEVERAL && failing.iter().all(|(own, other)| own != other);
        let constant = |of: fn(&(bool, bool)) -> bool| all.iter().all(of) || !all.iter().any(of);
        let decides_nothing = all.len() >= SEVERAL && constant(|(_, other)| *other) && !constant(|(own, _)| *own);
        let is_least = *cost <= 1 && expression.is_order();
        u32::from(otherwise) * OTHERWISE + u32::from(decides_nothing && !is_least) * DECIDES_NOTHING
    }
}
