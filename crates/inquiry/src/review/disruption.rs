//! What a fix changes on inputs made of the suite's, of a domain, and of those that the search for paths has run.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use whydunit_findings::Disruption;
use whydunit_inputs::{Input, Random, neighbours, repeats, vary, with_options};
use whydunit_process::Cancel;
use whydunit_review::{Domain, Version};
use whydunit_shrink::{Keep, Levels, Oracle, Trials, Verdict, shrink};
use whydunit_suite::{Case, Outcome, TestResult};

use super::death::{Death, Kind};
use super::differing::{Change, Own};
use super::judging::Judged;
use super::programs::{Pair, Plain};
use super::told::did;
use super::violation::Violation;
use crate::Error;
use whydunit_desk::Desk;

/// Kinds of differences that are told.
const TOLD: usize = 5;
/// Inputs that are kept of each kind: some may do something else each time.
const KEPT: usize = 3;
/// So long one is made smaller.
const SHRINKING: Duration = Duration::from_secs(3);
/// So many inputs are run at a time.
pub const BATCH: usize = 50;
/// Of the inputs that are made this part are next to the failing test's.
const NEXT: usize = 4;
/// Inputs that take longer than this are run a few at a time.
const SLOW: Duration = Duration::from_secs(2);
/// Failures that look alike from outside are looked into so often.
const ALIKE: u32 = 6;

/// What inputs show.
#[derive(Default)]
pub struct Found {
    /// The fixed program fails in a way that counts: the input, and how.
    pub counterexample: Option<(Input, Judged)>,
    /// Inputs that nothing fails on and on which it does something else, by kinds.
    pub changes: Vec<Changed>,
    /// The inputs that were run.
    pub tried: Vec<Input>,
    /// How often failures that look alike were looked into.
    asked: HashMap<String, u32>,
}

/// Inputs on which a fix makes one kind of change.
pub struct Changed {
    change: Change,
    inputs: Vec<Input>,
    count: u64,
}

impl Found {
    /// What other inputs show besides.
    pub fn add(&mut self, other: Self) {
        self.counterexample = self.counterexample.take().or(other.counterexample);
        for changed in other.changes {
            match self.changes.iter_mut().find(|known| known.change == changed.change) {
                Some(known) => known.count += changed.count,
                None => self.changes.push(changed),
            }
        }
        self.tried.extend(other.tried);
    }

    /// Some inputs that the fix changes, of each kind.
    pub fn changed(&self) -> Vec<Input> {
        self.changes.iter().flat_map(|changed| changed.inputs.iter().cloned()).collect()
    }

    fn change(&mut self, change: Change, input: &Input) {
        match self.changes.iter_mut().find(|known| known.change == change) {
            Some(known) => {
                known.count += 1;
                if known.inputs.len() < KEPT {
                    known.inputs.push(input.clone());
                }
            }
            None => self.changes.push(Changed { change, inputs: vec![input.clone()], count: 1 }),
        }
    }

    /// Whether failures that look like these were looked into often enough.
    fn is_known(&mut self, before: &TestResult, after: &TestResult) -> bool {
        let sides = [before, after].map(|run| Death::of(run).map(|death| (death.kind, death.at, death.says)));
        let asked = self.asked.entry(format!("{sides:?}")).or_default();
        *asked += 1;
        *asked > ALIKE
    }
}

/// The least number of arguments that a test gives.
fn least_arguments(suite: &[Input]) -> usize {
    suite.iter().map(|input| input.args.len()).min().unwrap_or(0)
}

/// Inputs: those next to the smallest one that shows the bug and to the failing test's, the suite's with options that the sources name,
/// those in which something stands twice, those of the search, and other new ones.
pub fn inputs(
    (known, small): (&[Input], Option<&Input>),
    suite: &[Case],
    case: &Case,
    domain: &Domain,
    options: &[String],
    (number, seed): (usize, u64),
) -> Vec<Input> {
    // Near the bug there is most to be found.
    let cases: Vec<Case> = suite.iter().cloned().chain(vec![case.clone(); suite.len() / 2]).collect();
    let mut random = Random::new(seed, "domain");
    let bases: Vec<Input> = cases.iter().filter_map(|case| Input::of(case).ok()).collect();
    let drawn = (0..number / 2).filter_map(|_| domain.draw(random.pick(&bases)?, &mut random));
    let own = Input::of(case).map(|own| neighbours(&own, &bases, number / NEXT)).unwrap_or_default();
    let small = small.map(|small| (small, neighbours(small, &bases, number / NEXT / 2)));
    let small = small.into_iter().flat_map(|(small, next)| [small.clone()].into_iter().chain(next));
    let own_first: Vec<Input> = Input::of(case).into_iter().chain(bases.iter().cloned()).collect();
    let given = with_options(&own_first, options, number / NEXT);
    let repeated = repeats(suite, number / 2).into_iter().filter_map(|case| Input::of(&case).ok());
    let varied = vary(&cases, number, seed).into_iter().filter_map(|case| Input::of(&case).ok());
    let mut seen = HashSet::new();
    let all = small.chain(own).chain(given).chain(repeated).chain(known.iter().cloned()).chain(drawn).chain(varied);
    let most = known.len() + number;
    // What a program does that is not given what each test gives it is another question than the bug.
    let least = least_arguments(&bases);
    let all = all.filter(|input| input.args.len() >= least);
    all.filter(|input| domain.holds(input) && seen.insert(input.digest())).take(most).collect()
}

/// Runs both versions on inputs.
pub fn look(pair: &Pair<'_>, domain: &Domain, inputs: &[Input], deadline: Instant) -> Result<Found, Error> {
    let plain = pair.plain;
    let own = own(plain)?;
    let mut found = Found::default();
    let few = plain.jobs().get();
    // Where the bug is that it does not end, many of those next to it may not.
    let ends = plain.bug.death.as_ref().is_none_or(|bug| bug.kind != Kind::Time);
    let (mut rest, mut size) = (inputs, if ends { BATCH } else { few });
    while !rest.is_empty() {
        let (batch, others) = rest.split_at(size.min(rest.len()));
        rest = others;
        let began = Instant::now();
        // Where it is known to be bad, little is left to be found out.
        let is_bad = found.counterexample.is_some();
        if is_over(&pair.laid[0].desk, deadline) || is_bad && found.tried.len() >= inputs.len() / 10 {
            break;
        }
        let before = plain.results(Version::Broken, batch);
        let after = plain.results(Version::Mended, batch);
        found.tried.extend_from_slice(batch);
        // Where runs do not end time is looked at more often.
        size = if began.elapsed() > SLOW { few } else { (2 * size).min(BATCH) };
        for ((input, before), after) in batch.iter().zip(&before).zip(&after) {
            // What has been run is judged, as long as there is time at all.
            if is_over(&pair.laid[0].desk, pair.deadline) {
                break;
            }
            if !ended(before) || !ended(after) {
                continue;
            }
            pair.see_death(input, before);
            pair.see_numbers(input, before, after);
            if plain.bug.violation.of_run(after).is_some() {
                if found.counterexample.is_some() || found.is_known(before, after) {
                    continue;
                }
                if let Some(judged) = pair.verdict(input, before, after)? {
                    found.counterexample = Some(smallest(pair, domain, input, (before, after), judged, deadline)?);
                }
            } else if plain.bug.violation.of_run(before).is_none() && !pair.suite.contains(input) {
                match Change::on(input, [before, after], own.as_ref()) {
                    Some(change) => found.change(change, input),
                    None => pair.see_unchanged(input, before, after),
                }
            }
        }
    }
    Ok(found)
}

/// The bug's input made smaller, as long as the program before the fix fails on it in the same way: where what is at fault is a bound,
/// that lies just behind it. None where nothing smaller fails, or the bug is no death that comes soon.
pub fn smallest_bug(pair: &Pair<'_>, domain: &Domain, input: &Input, deadline: Instant) -> Option<Input> {
    let death = pair.plain.bug.death.as_ref()?;
    if death.kind.is_exhausted() {
        return None;
    }
    let look = look_of(&pair.plain.result(Version::Broken, input)?)?;
    let least = least_arguments(&pair.suite).min(input.args.len());
    let oracle = Still { plain: pair.plain, domain, suite: &pair.suite, want: Want::Bug(look, least) };
    Some(smaller(&oracle, input, deadline)).filter(|small| small != input)
}

/// A counterexample made smaller, and what is said of it then.
fn smallest(
    pair: &Pair<'_>,
    domain: &Domain,
    input: &Input,
    (before, after): (&TestResult, &TestResult),
    judged: Judged,
    deadline: Instant,
) -> Result<(Input, Judged), Error> {
    let looks = [before, after].map(look_of);
    let small =
        smaller(&Still { plain: pair.plain, domain, suite: &pair.suite, want: Want::Fails(looks) }, input, deadline);
    let run = |version| pair.plain.result(version, &small);
    if let (Some(before), Some(after)) = (run(Version::Broken), run(Version::Mended))
        && let again = pair.judge(&small, &before, &after)?
        && std::mem::discriminant(&again) == std::mem::discriminant(&judged)
    {
        return Ok((small, again));
    }
    Ok((input.clone(), judged))
}

/// How a run fails, as far as that tells it from others.
fn look_of(run: &TestResult) -> Option<String> {
    Death::of(run).map(|death| format!("{:?} {}", death.kind, death.says))
}

/// The differences that were found as they are told: an input of each kind, those unlike the bug first; and how many are. Inputs are
/// made smaller within the first of these domains that has them.
pub fn differences(
    pair: &Pair<'_>,
    found: &mut Found,
    domains: [&Domain; 2],
    deadline: Instant,
) -> Result<(Vec<Disruption>, usize), Error> {
    let plain = pair.plain;
    let own = own(plain)?;
    let own = own.as_ref();
    found.changes.sort_by_key(|changed| (changed.change.rank(own), std::cmp::Reverse(changed.count)));
    let (mut told, mut unlike) = (Vec::new(), 0);
    for Changed { change, inputs, count } in &found.changes {
        for input in inputs {
            // What was found is told when time is up, too, as it was found.
            if told.len() == TOLD || plain.cancel.is_cancelled() {
                break;
            }
            if !is_sound(pair, input)? {
                continue;
            }
            // Inside the narrower domain, where it is there.
            let domain = domains.into_iter().find(|domain| domain.holds(input)).unwrap_or(domains[1]);
            let small = smaller(
                &Still { plain, domain, suite: &pair.suite, want: Want::Changes(*change, own) },
                input,
                deadline,
            );
            let small = if is_sound(pair, &small)? { small } else { input.clone() };
            let run = |version| plain.result(version, &small);
            let (Some(before), Some(after)) = (run(Version::Broken), run(Version::Mended)) else { continue };
            if Change::on(&small, [&before, &after], own) != Some(*change) {
                continue;
            }
            unlike += usize::from(change.rank(own) == 0);
            told.push(Disruption {
                what: change.words(own),
                inputs: *count,
                test: None,
                case: Some(pair.told_case(&small, "changed")),
                before: did(&before),
                after: did(&after),
            });
            break;
        }
    }
    Ok((told, unlike))
}

/// What the fix does with the failing test.
fn own(plain: Plain<'_>) -> Result<Option<Own>, Error> {
    let input = Input::of(plain.case)?;
    let [before, after] = [Version::Broken, Version::Mended].map(|version| plain.result(version, &input));
    Ok(before.zip(after).and_then(|(before, after)| Own::of(&input, &before, &after)))
}

/// Time is up, or somebody has interrupted.
pub fn is_over(desk: &Desk, deadline: Instant) -> bool {
    Instant::now() >= deadline || desk.is_cancelled()
}

/// It ended as programs do, which says something.
fn ended(result: &TestResult) -> bool {
    !matches!(result.outcome, Outcome::Cancelled | Outcome::Error(_))
}

/// Whether the fix does something else where nothing fails.
pub fn disrupts(plain: Plain<'_>, before: &TestResult, after: &TestResult) -> bool {
    let fails = |run| plain.bug.violation.of_run(run).is_some();
    !fails(before) && !fails(after) && Change::of(before, after, None).is_some()
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
    let checked = pair.plain.bug.violation == Violation::Memory && !pair.is_over();
    Ok(!checked || pair.recorded_error(Version::Broken, input)?.is_none())
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
enum Want<'a> {
    /// The version before the fix looks so from outside, with at least so many arguments.
    Bug(String, usize),
    /// Both versions look so from outside.
    Fails([Option<String>; 2]),
    /// The fix makes this change, beside what it does with the failing test.
    Changes(Change, Option<&'a Own>),
}

/// Judges smaller inputs.
struct Still<'a> {
    plain: Plain<'a>,
    domain: &'a Domain,
    /// Nothing new is learnt of these.
    suite: &'a [Input],
    want: Want<'a>,
}

impl Oracle for Still<'_> {
    fn judge(&self, input: &Input, _: &Cancel) -> Verdict {
        if !self.domain.holds(input) || self.suite.contains(input) {
            return Verdict::Other;
        }
        let run = |version| self.plain.result(version, input).filter(ended);
        if let Want::Bug(look, least) = &self.want {
            let is_it = input.args.len() >= *least
                && run(Version::Broken).is_some_and(|before| look_of(&before).as_ref() == Some(look));
            return if is_it { Verdict::Same } else { Verdict::Other };
        }
        let (Some(before), Some(after)) = (run(Version::Broken), run(Version::Mended)) else {
            return Verdict::Other;
        };
        let shows = match &self.want {
            Want::Bug(..) => false,
            Want::Fails(looks) => {
                *looks == [&before, &after].map(look_of) && self.plain.bug.violation.of_run(&after).is_some()
            }
            Want::Changes(change, own) => {
                disrupts(self.plain, &before, &after) && Change::on(input, [&before, &after], *own) == Some(*change)
            }
        };
        if shows { Verdict::Same } else { Verdict::Other }
    }
}
