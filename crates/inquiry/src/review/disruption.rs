//! What a fix changes on inputs made of the suite's, of a domain, and of those that the search for paths has run.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use whydunit_findings::Disruption;
use whydunit_inputs::{Input, Random, repeats, vary};
use whydunit_process::Cancel;
use whydunit_review::{Domain, Version};
use whydunit_shrink::{Keep, Levels, Oracle, Trials, Verdict, shrink};
use whydunit_suite::{Case, Outcome, TestResult};

use super::programs::{Pair, Plain, did};
use super::violation::Violation;
use crate::Error;
use whydunit_desk::Desk;

/// Disruptions that are told.
const TOLD: usize = 3;
/// So long one is made smaller.
const SHRINKING: Duration = Duration::from_secs(3);
/// So many inputs are run at a time.
pub const BATCH: usize = 50;

/// What inputs show.
#[derive(Default)]
pub struct Found {
    /// The fixed program fails: the input.
    pub counterexample: Option<Input>,
    /// It does something else where nothing failed.
    pub disruptions: Vec<Disruption>,
    /// The inputs that were run.
    pub tried: Vec<Input>,
}

impl Found {
    /// What other inputs show besides.
    pub fn add(&mut self, other: Self) {
        self.counterexample = self.counterexample.take().or(other.counterexample);
        self.disruptions.extend(other.disruptions);
        self.disruptions.truncate(TOLD);
        self.tried.extend(other.tried);
    }
}

/// Inputs: those in which something stands twice, those of the search, and other new ones.
pub fn inputs(known: &[Input], suite: &[Case], case: &Case, domain: &Domain, number: usize, seed: u64) -> Vec<Input> {
    // Near the bug there is most to be found.
    let cases: Vec<Case> = suite.iter().cloned().chain(vec![case.clone(); suite.len() / 2]).collect();
    let mut random = Random::new(seed, "domain");
    let bases: Vec<Input> = cases.iter().filter_map(|case| Input::of(case).ok()).collect();
    let drawn = (0..number / 2).filter_map(|_| domain.draw(random.pick(&bases)?, &mut random));
    let repeated = repeats(suite, number / 2).into_iter().filter_map(|case| Input::of(&case).ok());
    let varied = vary(&cases, number, seed).into_iter().filter_map(|case| Input::of(&case).ok());
    let mut seen = HashSet::new();
    let all = repeated.chain(known.iter().cloned()).chain(drawn).chain(varied);
    let most = known.len() + number;
    all.filter(|input| domain.holds(input) && seen.insert(input.digest())).take(most).collect()
}

/// Runs both versions on inputs.
pub fn look(pair: &Pair<'_>, domain: &Domain, inputs: &[Input], deadline: Instant) -> Result<Found, Error> {
    let plain = pair.plain;
    let mut found = Found::default();
    for batch in inputs.chunks(BATCH) {
        // Where it is known to be bad, little is left to be found out.
        let is_bad = found.counterexample.is_some() || found.disruptions.len() == TOLD;
        if is_over(&pair.laid[0].desk, deadline) || is_bad && found.tried.len() >= inputs.len() / 10 {
            break;
        }
        let before = plain.results(Version::Broken, batch);
        let after = plain.results(Version::Mended, batch);
        found.tried.extend_from_slice(batch);
        for ((input, before), after) in batch.iter().zip(&before).zip(&after) {
            if !ended(before) || !ended(after) {
                continue;
            }
            if plain.violation.of_run(after).is_some() && found.counterexample.is_none() {
                let again = plain.result(Version::Mended, input);
                if again.is_some_and(|again| plain.violation.of_run(&again).is_some()) {
                    found.counterexample = Some(smaller(&Still { plain, domain, want: Want::Fails }, input, deadline));
                }
            } else if found.disruptions.len() < TOLD && disrupts(plain, before, after) && is_sound(pair, input)? {
                let small = smaller(&Still { plain, domain, want: Want::Differs }, input, deadline);
                let small = if is_sound(pair, &small)? { small } else { input.clone() };
                if let (Some(before), Some(after)) =
                    (plain.result(Version::Broken, &small), plain.result(Version::Mended, &small))
                {
                    let case = small.case(plain.case).to_json().to_string();
                    if disrupts(plain, &before, &after)
                        && found.disruptions.iter().all(|known| known.case.as_ref() != Some(&case))
                    {
                        let (before, after) = (did(&before), did(&after));
                        found.disruptions.push(Disruption { test: None, case: Some(case), before, after });
                    }
                }
            }
        }
    }
    Ok(found)
}

/// Time is up, or somebody has interrupted.
pub fn is_over(desk: &Desk, deadline: Instant) -> bool {
    Instant::now() >= deadline || desk.is_cancelled()
}

/// It ended as programs do, which says something.
fn ended(result: &TestResult) -> bool {
    !matches!(result.outcome, Outcome::Cancelled | Outcome::Error(_))
}

/// Whether the fix does something else where nothing failed before it.
pub fn disrupts(plain: Plain<'_>, before: &TestResult, after: &TestResult) -> bool {
    let fails = plain.violation.of_run(before).is_some() || plain.violation.of_run(after).is_some();
    !fails && (before.stdout != after.stdout || before.exit != after.exit)
}

/// The program does the same each time, and does nothing wrong to memory that does not show, before the fix.
fn is_sound(pair: &Pair<'_>, input: &Input) -> Result<bool, Error> {
    for version in [Version::Broken, Version::Mended] {
        let (one, two) = (pair.plain.result(version, input), pair.plain.result(version, input));
        let same = one.zip(two).is_some_and(|(one, two)| one.stdout == two.stdout && one.exit == two.exit);
        if !same {
            return Ok(false);
        }
    }
    if *pair.plain.violation != Violation::Memory {
        return Ok(true);
    }
    let recorded = pair.record(Version::Broken, input)?;
    let Some((result, opened)) = recorded else { return Ok(false) };
    Ok(pair.fails(Version::Broken, &result, &opened)?.is_none())
}

/// An input made smaller, as long as it shows the same.
fn smaller(oracle: &Still<'_>, input: &Input, deadline: Instant) -> Input {
    let until = (Instant::now() + SHRINKING).min(deadline);
    let jobs = oracle.plain.jobs();
    let silent = |_: &Input| {};
    let trials = Trials::new(oracle, jobs, Some(until), oracle.plain.cancel, &silent);
    shrink(input.clone(), &Keep::default(), Levels::ALL, &trials).0
}

/// What an input is to show.
enum Want {
    Fails,
    Differs,
}

/// Judges smaller inputs.
struct Still<'a> {
    plain: Plain<'a>,
    domain: &'a Domain,
    want: Want,
}

impl Oracle for Still<'_> {
    fn judge(&self, input: &Input, _: &Cancel) -> Verdict {
        if !self.domain.holds(input) {
            return Verdict::Other;
        }
        let run = |version| self.plain.result(version, input).filter(ended);
        let shows = match self.want {
            Want::Fails => run(Version::Mended).is_some_and(|after| self.plain.violation.of_run(&after).is_some()),
            Want::Differs => run(Version::Broken)
                .zip(run(Version::Mended))
                .is_some_and(|(before, after)| disrupts(self.plain, &before, &after)),
        };
        if shows { Verdict::Same } else { Verdict::Other }
    }
}
