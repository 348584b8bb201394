//! Two places at once, where no patch of one was found. What mends some of the failing tests and breaks none stays, and the others are
//! mended besides; where nothing does, failing tests are asked which values of two places together would do (angelic values), and
//! candidates with such values are run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use whydunit_repair::{Candidates, Entry, Role};
use whydunit_solve::{Cadical, Limits, Solver};
use whydunit_synthesis::Decided;
use whydunit_terms::Pool;

use super::synthesis::Watching;
use super::{SPARE, Searching};
use crate::Error;
use crate::repair::Method;
use crate::repair::angels::{Demanded, Failing, Watched};
use crate::repair::program::{Chosen, Program};
use crate::repair::surveyed::Surveyed;
use crate::repair::trial::{Trial, beside};

/// Places that are looked at, the most suspicious ones.
const PLACES: usize = 40;
/// Candidates of each, the closest to what stands there.
const CLOSEST: usize = 120;
/// Candidates that mend some tests, beside which others are looked for.
const FIRST: usize = 12;
/// Those of them that mend the same tests.
const ALIKE: usize = 3;
/// Places that are asked about, two at a time.
const ASKED: usize = 20;
/// So long tests are asked.
const ASKING: Duration = Duration::from_secs(20);
/// Values of two places that are looked at, and pairs of candidates that are run.
const MOST_VALUES: usize = 5_000;
const MOST_RUN: usize = 400;

/// What one question to the solver may cost.
const CONFLICTS: u32 = 1_000;
const TIME: Duration = Duration::from_millis(100);

/// What failing tests demand of the executions of two places together.
struct Both {
    /// The places' numbers.
    places: [usize; 2],
    pool: Pool,
    /// Of each test, by its number: what decides, and which of the two each execution is of, none of one beside the run.
    decided: Vec<(usize, Decided, Vec<Option<usize>>)>,
}

/// What may stand at the places that are looked at together.
pub type Together = Vec<(usize, Candidates)>;

impl Searching<'_, '_> {
    /// What is closest to what stands at the first places, which are looked at two at a time; none where there are no two.
    pub fn together(&mut self) -> Result<Together, Error> {
        let wanted = |place: &usize| !matches!(self.places.list[*place].site.role, Role::Left | Role::Added);
        let some: Vec<usize> = (0..self.places.list.len()).filter(wanted).take(PLACES).collect();
        if some.len() < 2 {
            return Ok(Vec::new());
        }
        let mut candidates = self.candidates(&some)?;
        candidates.iter_mut().for_each(|(_, of)| drop(of.split_off(CLOSEST)));
        Ok(candidates)
    }

    /// Tries what mends some failing tests together with what mends the others.
    pub fn beside_others(&mut self, candidates: Together) -> Result<(), Error> {
        let Some(program) = self.program(candidates)? else { return Ok(()) };
        self.task.detail("surveying for two places");
        let order = self.survey(&program)?.order(&program, &[], false);
        self.task.detail("running what mends some tests");
        let (deadline, cancel) = (self.deadline, self.cancel);
        let late = || cancel.is_cancelled() || Instant::now() >= deadline;
        let started = Instant::now();
        let partly = self.trial.partly(&program, &order, &late, &mut self.answer.runs);
        self.phases().run += started.elapsed().as_secs_f64();
        let mut found = Vec::new();
        for (one, mended) in firsts(partly) {
            if !found.is_empty() || self.is_over() {
                break;
            }
            let tests = self.trial.failing.iter().cloned().zip(mended);
            let (gone, failing): (Vec<_>, Vec<_>) = tests.partition(|(_, mended)| *mended);
            let [gone, failing] = [gone, failing].map(|some| some.into_iter().map(|(name, _)| name));
            let passing: Vec<String> = gone.chain(self.trial.passing.iter().cloned()).collect();
            let failing: Vec<String> = failing.collect();
            let beside = beside(&program, one);
            let trial = Trial { failing: &failing, passing: &passing, beside, ..self.trial.clone() };
            let order = trial.survey(&program, &late, &mut self.answer.runs)?.order(&program, &[], true);
            found.extend(self.second(&program, &trial, one, &order));
        }
        self.confirm_both(&program, found)
    }

    /// Candidates with which all tests pass beside one that stays.
    fn second(&mut self, program: &Program, trial: &Trial<'_>, one: Chosen, order: &[Chosen]) -> Vec<[Chosen; 2]> {
        let (deadline, cancel) = (self.deadline, self.cancel);
        let late = || cancel.is_cancelled() || Instant::now() >= deadline;
        let place = |site: usize| &self.places.list[program.place(site)];
        let apart = |other: &&Chosen| other.0 != one.0 && !place(one.0).overlaps(place(other.0));
        let order: Vec<Chosen> = order.iter().filter(apart).copied().collect();
        let started = Instant::now();
        let progress = |done: usize, found: usize| {
            self.task.detail(&format!("{done} of {} candidates run beside another, {found} pass", order.len()));
        };
        let passing = trial.passing(program, &order, SPARE * self.question.patches, &late, &progress);
        self.phases().run += started.elapsed().as_secs_f64();
        self.answer.runs += passing.runs;
        self.answer.repaired.tried += passing.tried;
        passing.found.into_iter().map(|other| [one, other]).collect()
    }

    /// Builds two candidates at a time by themselves.
    fn confirm_both(&mut self, program: &Program, found: Vec<[Chosen; 2]>) -> Result<(), Error> {
        for both in found {
            if self.is_over() {
                break;
            }
            let of = |(site, number): Chosen| (program.place(site), &program.candidate(site, number).expression);
            let mut both = both.map(of);
            both.sort_by_key(|(place, _)| *place);
            self.confirm(&both, Method::Enumeration, 0)?;
        }
        Ok(())
    }

    /// Runs candidates of two places whose values together are what failing tests demand.
    pub fn jointly(&mut self, candidates: Together) -> Result<(), Error> {
        let some: Vec<usize> = candidates.iter().map(|(place, _)| *place).take(ASKED).collect();
        self.task.detail("asking tests about two places at once");
        let started = Instant::now();
        let asked = self.ask_together(&some);
        self.phases().ask += started.elapsed().as_secs_f64();
        let mut asked = match asked {
            // What does not build with our functions in it cannot be asked about.
            Err(error) if error.is_of_build() => Vec::new(),
            asked => asked?,
        };
        if asked.is_empty() {
            return Ok(());
        }
        let Some(program) = self.program(candidates)? else { return Ok(()) };
        let surveyed = self.survey(&program)?;
        let mut pairs: Vec<(u32, [Chosen; 2])> =
            asked.iter_mut().flat_map(|both| both.admitted(&program, &surveyed)).collect();
        pairs.sort_by_key(|(far, ..)| *far);
        pairs.truncate(MOST_RUN);
        let mut found = Vec::new();
        for (_, [one, other]) in pairs {
            if found.len() >= SPARE * self.question.patches || self.is_over() {
                break;
            }
            let trial = Trial { beside: beside(&program, one), ..self.trial.clone() };
            found.extend(self.second(&program, &trial, one, &[other]));
        }
        self.confirm_both(&program, found)
    }

    /// What failing tests demand of the first places, two at a time.
    fn ask_together(&mut self, some: &[usize]) -> Result<Vec<Both>, Error> {
        let places = self.places;
        let Some(Watching { list, mut failing, .. }) = self.watching(some)? else { return Ok(Vec::new()) };
        let until = self.deadline.min(Instant::now() + ASKING);
        let mut out = Vec::new();
        let second = |at: usize| list[..at].iter().map(move |one| (one, at));
        // The most suspicious ones first.
        let mut pairs: Vec<(&Watched, usize)> = (1..list.len()).flat_map(second).collect();
        pairs.sort_by_key(|(one, other)| one.number + list[*other].number);
        for (one, other) in pairs {
            let other = &list[other];
            if self.cancel.is_cancelled() || Instant::now() >= until {
                break;
            }
            let [a, b] = [one.place, other.place].map(|place| &places.list[place]);
            if !a.overlaps(b) {
                out.extend(Both::ask([(&a.file, one), (&b.file, other)], &mut failing, until)?);
            }
        }
        Ok(out)
    }
}

/// Those beside which others are looked for: what mends most tests first, and not too many that mend the same.
fn firsts(mut partly: Vec<(Chosen, Vec<bool>)>) -> Vec<(Chosen, Vec<bool>)> {
    // What mends all was no patch, or it would have been found.
    partly.retain(|(_, mended)| mended.contains(&false));
    let mut alike: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    partly.retain(|(_, mended)| {
        let known = alike.entry(mended.clone()).or_default();
        *known += 1;
        *known <= ALIKE
    });
    partly.sort_by_key(|(_, mended)| std::cmp::Reverse(mended.iter().filter(|mended| **mended).count()));
    partly.truncate(FIRST);
    partly
}

impl Both {
    /// Asks failing tests; none where one of them says nothing, or where no values help.
    fn ask(some: [(&str, &Watched); 2], failing: &mut [Failing], until: Instant) -> Result<Option<Self>, Error> {
        let mut pool = Pool::new();
        let mut decided = Vec::new();
        for test in failing {
            let Ok(Some(Demanded { demand, whose, .. })) = test.demand(&some, &mut pool, until)? else {
                return Ok(None);
            };
            let both = [0, 1].iter().all(|of| whose.contains(&Some(*of)));
            let Some((number, of)) = test.number.zip(demand.decided(&pool)).filter(|_| both) else {
                return Ok(None);
            };
            decided.push((number, of, whose));
        }
        let places = some.map(|(_, watched)| watched.place);
        Ok((!decided.is_empty()).then_some(Self { places, pool, decided }))
    }

    /// The pairs of candidates whose values are what all tests demand, as far as a survey tells, and how far they are from what stands
    /// there.
    fn admitted(&mut self, program: &Program, surveyed: &Surveyed) -> Vec<(u32, [Chosen; 2])> {
        let sites = self.places.map(|place| program.sites.iter().position(|site| site.place == place));
        let [Some(first), Some(second)] = sites else { return Vec::new() };
        let [ones, others] = [first, second].map(|site| self.by_values(program, surveyed, site));
        let mut out = Vec::new();
        let pairs = ones.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
        let limits = Limits { time: Some(TIME), conflicts: Some(CONFLICTS), interrupt: None };
        let Self { pool, decided, .. } = self;
        for ((own, some), (theirs, more)) in pairs.take(MOST_VALUES) {
            let met = decided.iter().enumerate().all(|(test, (_, decided, whose))| {
                let mut next = [own[test].iter(), theirs[test].iter()];
                let values: Vec<Option<i64>> = whose.iter().map(|of| next[(*of)?].next().copied()).collect();
                let solver = || -> Box<dyn Solver> { Box::new(Cadical::new()) };
                decided.may_be_met(pool, &values, &solver, &limits).is_ok_and(|met| met == Some(true))
            });
            if met {
                // Of those that have the same values the closest one.
                let (one, other) = (some[0], more[0]);
                let cost = program.candidate(first, one).cost + program.candidate(second, other).cost;
                out.push((cost, [(first, one), (second, other)]));
            }
        }
        out
    }

    /// The candidates of a site by their values in the tests that are asked, as far as all of these are known.
    fn by_values(&self, program: &Program, surveyed: &Surveyed, site: usize) -> BTreeMap<Vec<Vec<i64>>, Vec<usize>> {
        let rewritten = &program.sites[site];
        let known = |entry: &&Entry| !entry.skipped && entry.count == entry.values.len() as u64;
        let mut out: BTreeMap<Vec<Vec<i64>>, Vec<usize>> = BTreeMap::new();
        for (number, candidate) in rewritten.candidates.list.iter().enumerate() {
            if !candidate.expression.is_pure() {
                continue;
            }
            let entry = |test: usize| surveyed.of_failing(test, rewritten.slot.base + 1 + number).filter(known);
            let values: Option<Vec<Vec<i64>>> =
                self.decided.iter().map(|(test, ..)| Some(entry(*test)?.values.clone())).collect();
            if let Some(values) = values {
                out.entry(values).or_default().push(number);
            }
        }
        out
    }
}
