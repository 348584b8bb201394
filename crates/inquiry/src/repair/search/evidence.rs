//! How much the suite says of a place: tests that pass whose outcome depends on it, shown by mutants of it. Where they are few, any
//! patch passes that mends the failing tests.

use std::collections::{BTreeSet, HashSet};
use std::time::{Duration, Instant};

use whydunit_findings::ENOUGH;

use super::Searching;
use crate::Error;
use crate::repair::program::Program;
use crate::repair::surveyed::Surveyed;

/// A candidate of a program: its site and number.
type Chosen = (usize, usize);

/// Mutants that a test is run with.
const MUTANTS: usize = 12;
/// Of these, those that are run with a test that was not surveyed.
const UNSURVEYED: usize = 4;
/// Counting takes at most so long.
const COUNTING: Duration = Duration::from_secs(5);

impl Searching<'_, '_> {
    /// Counts the passing tests that depend on a site of a program with candidates, which nothing was built over: with one of these
    /// in its place they fail.
    pub fn count_deciding(&mut self, program: &Program, surveyed: &Surveyed, site: usize) {
        let place = program.place(site);
        if self.deciding.contains_key(&place) {
            return;
        }
        let until = Instant::now() + COUNTING;
        let mut count = 0;
        for (test, name) in self.trial.passing.iter().enumerate() {
            if count >= ENOUGH || self.late() || Instant::now() >= until {
                break;
            }
            let mutants = mutants(program, surveyed, site, test);
            let fails = |&mutant: &usize| {
                !self.trial.passes_with(program, (site, mutant), name, &mut self.answer.runs)
                    && !self.cancel.is_cancelled()
            };
            count += u64::from(mutants.iter().any(fails));
        }
        self.deciding.insert(place, count);
    }

    /// How many other changes are as small as that to a candidate and pass all tests, as far as they were run, or cannot be told from
    /// it by what they came to in the failing tests. What is the same text in the source is one.
    pub fn rivals(&self, program: &Program, surveyed: &Surveyed, found: &[Chosen], one: Chosen) -> u64 {
        let of = |(site, number): Chosen| {
            let place = &self.places.list[program.place(site)];
            let (range, text) = place.site.edit(&place.source, &program.candidate(site, number).expression);
            let plain = |text: &str| text.replace([' ', '\n', '\t', '(', ')'], "");
            (&place.file, plain(&place.source[..range.start]), plain(&text), plain(&place.source[range.end..]))
        };
        let whole =
            |(file, before, text, after): (&String, String, String, String)| format!("{file}:{before}{text}{after}");
        let cost = |(site, number): Chosen| program.candidate(site, number).cost;
        let others =
            found.iter().copied().chain(surveyed.alike(program, one)).filter(|other| cost(*other) <= cost(one));
        let own = whole(of(one));
        let others: HashSet<String> = others.map(|other| whole(of(other))).filter(|other| *other != own).collect();
        others.len() as u64
    }

    /// Grades patches that stand.
    pub fn weigh(&mut self) -> Result<(), Error> {
        let standing = self.answer.repaired.patches.iter().filter(|patch| patch.stands());
        let places: BTreeSet<usize> =
            standing.flat_map(|patch| patch.replacements()).filter_map(|replaced| self.place_of(replaced)).collect();
        let open: Vec<usize> = places.into_iter().filter(|place| !self.deciding.contains_key(place)).collect();
        if !open.is_empty() && !self.cancel.is_cancelled() {
            let candidates = self.candidates(&open)?;
            if let Some(program) = self.program(candidates)? {
                let surveyed = self.survey(&program)?;
                (0..program.sites.len()).for_each(|site| self.count_deciding(&program, &surveyed, site));
            }
        }
        let mut patches = std::mem::take(&mut self.answer.repaired.patches);
        for patch in &mut patches {
            let of = patch.replacements().map(|replaced| self.deciding.get(&self.place_of(replaced)?).copied());
            patch.deciding = of.min().flatten();
            if patch.stands() {
                patch.grade = patch.graded();
            }
        }
        self.answer.repaired.patches = patches;
        Ok(())
    }
}

/// The candidates of a site that a test which passes may fail with: that have other values in it than what stands there, each another
/// one; none where it does not come there. Of a test that was not surveyed the closest to what stands there.
fn mutants(program: &Program, surveyed: &Surveyed, site: usize, test: usize) -> Vec<usize> {
    let rewritten = &program.sites[site];
    let base = rewritten.slot.base;
    let of_all = 0..rewritten.candidates.list.len();
    let Some(own) = surveyed.of_passing(test, base).filter(|_| rewritten.surveyed) else {
        return of_all.take(UNSURVEYED).collect();
    };
    if own.count == 0 {
        return Vec::new();
    }
    let mut known = HashSet::from([own.hash]);
    let other = |&number: &usize| match surveyed.of_passing(test, base + 1 + number) {
        Some(entry) if !entry.skipped => known.insert(entry.hash),
        _ => false,
    };
    of_all.filter(other).take(MUTANTS).collect()
}
