//! How much the suite says of a place: tests that pass whose outcome depends on it, shown by mutants of it. Where they are few, any
//! patch passes that mends the failing tests.

use std::collections::{BTreeSet, HashSet};
use std::time::{Duration, Instant};

use whydunit_findings::ENOUGH;
use whydunit_repair::Expression;

use super::Searching;
use crate::Error;
use crate::repair::program::{Chosen, Program};
use crate::repair::surveyed::Surveyed;

/// Mutants that a test is run with.
const MUTANTS: usize = 12;
/// Of these, those that are run with a test that was not surveyed.
const UNSURVEYED: usize = 4;
/// As many candidates that pass are looked for among those that came to the same as another one.
const ALIKE: usize = 4;
/// So many candidates, the closest, that came to the same as another one are run beside it.
const MATES: usize = 6;
/// Counting takes at most so long.
const COUNTING: Duration = Duration::from_secs(5);

impl Searching<'_, '_> {
    /// Counts the passing tests that depend on a site of a program with candidates, which nothing was built over: with one of these
    /// in its place they fail. Where time is up before one was looked at, nothing is known.
    pub fn count_deciding(&mut self, program: &Program, surveyed: &Surveyed, site: usize) {
        let place = program.place(site);
        if self.deciding.contains_key(&place) || self.late() {
            return;
        }
        let until = Instant::now() + COUNTING;
        let mut count = 0;
        for (test, name) in self.trial.passing.iter().enumerate() {
            if count >= ENOUGH || self.late() || Instant::now() >= until {
                break;
            }
            let mutants = mutants(program, surveyed, site, test);
            let fails = |&mutant: &usize| self.trial.fails_with(program, (site, mutant), name, &mut self.answer.runs);
            count += u64::from(mutants.iter().any(fails));
        }
        // Runs that were ended say nothing.
        if !self.cancel.is_cancelled() {
            self.deciding.insert(place, count);
        }
    }

    /// How many other changes that are as small as that to a candidate pass all tests, of a program which nothing was built over:
    /// of those that passed already, and of those that came to the same in the failing tests, which are run now. What is the same
    /// text in the source is one.
    pub fn rivals(&mut self, program: &Program, surveyed: &Surveyed, found: &[Chosen], one: Chosen) -> u64 {
        let cost = |(site, number): Chosen| program.candidate(site, number).cost;
        let as_small = |other: &Chosen| cost(*other) <= cost(one);
        let mut alike = surveyed.alike(program, one);
        alike.retain(|other| as_small(other) && !found.contains(other));
        let also = self.passing(program, &alike, ALIKE);
        let source = |(site, number): Chosen| {
            self.written_with(program.place(site), &program.candidate(site, number).expression)
        };
        let own = source(one);
        let passing = found.iter().filter(|other| as_small(other)).chain(&also);
        let others: HashSet<_> = passing.map(|other| source(*other)).filter(|other| *other != own).collect();
        others.len() as u64
    }

    /// A file with an expression at a place, without blanks and parentheses.
    pub fn written_with(&self, place: usize, expression: &Expression) -> (&str, String) {
        let place = &self.places.list[place];
        let (range, text) = place.site.edit(&place.source, expression);
        let whole = [&place.source[..range.start], &*text, &place.source[range.end..]].concat();
        (&place.file, whole.replace([' ', '\n', '\t', '(', ')'], ""))
    }

    /// Other candidates with which all tests pass, the closest first, of those that came to the same as one in the failing tests, of a
    /// program which nothing was built over: they are worth a look where that one turns out to be wrong. None of `found` is among them.
    pub fn mates(&mut self, program: &Program, surveyed: &Surveyed, found: &[Chosen], one: Chosen) -> Vec<Chosen> {
        let mut alike = surveyed.alike(program, one);
        alike.retain(|other| !found.contains(other));
        alike.sort_by_key(|&(site, number)| (program.candidate(site, number).order(), number));
        alike.truncate(MATES);
        self.passing(program, &alike, MATES)
    }

    /// Grades patches that stand.
    pub fn weigh(&mut self) -> Result<(), Error> {
        let standing = self.answer.repaired.patches.iter().filter(|patch| patch.stands());
        let places: BTreeSet<usize> =
            standing.flat_map(|patch| patch.replacements()).filter_map(|replaced| self.place_of(replaced)).collect();
        let open: Vec<usize> = places.into_iter().filter(|place| !self.deciding.contains_key(place)).collect();
        if !open.is_empty() && !self.late() {
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
    // What has effects is in no survey.
    match rewritten.role.is_done() {
        true => of_all.take(UNSURVEYED).collect(),
        false => of_all.filter(other).take(MUTANTS).collect(),
    }
}
