//! Reviewing: the two versions built, the search for an input that still fails, and what the fix changes besides.

mod comparing;
mod disruption;
mod parting;
mod programs;
mod suites;
mod versions;
mod violation;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use whydunit_findings::{Counterexample, Distance, Exit, FixVerdict, Problem, Reviewed};
use whydunit_inputs::Input;
use whydunit_review::{Coverage, Domain, Guide, Version, search};
use whydunit_suite::Case;

use crate::failure::{Failure, OrFail};
use crate::recorder::{Laid, Recorder};
use crate::session::Session;
use programs::{Pair, did};
use suites::{Outcomes, Trigger};
use versions::Fix;
use violation::Violation;

/// Notes on what was held as in the runs.
const NOTES: usize = 3;
/// The part of the time that is kept for comparing on inputs.
const FOR_INPUTS: f64 = 0.4;

/// What is to be reviewed.
pub struct Question<'a> {
    /// A patch, or `A..B`.
    pub fix: &'a str,
    /// Another one, to compare with.
    pub against: Option<&'a str>,
    /// The test that shows the bug.
    pub test: Option<&'a str>,
    pub domain: Option<&'a Path>,
    /// The farthest path that is looked at.
    pub distance: usize,
    /// All paths, near or far.
    pub unguided: bool,
    pub limit: Duration,
    /// Runs for paths.
    pub runs: u64,
    /// Inputs made to look for disruptions.
    pub inputs: usize,
    pub seed: u64,
}

/// An answer, and what goes with it.
#[derive(Default)]
pub struct Answer {
    pub reviewed: Reviewed,
    pub questions: u64,
    pub builds: u64,
    pub runs: u64,
    pub problems: Vec<Problem>,
}

/// Where versions are built.
fn folder(project: &Path, version: &str) -> PathBuf {
    whydunit_suite::store_of(project).join("review").join(version)
}

/// Builds a version; `what` it is called where it does not build.
fn lay(session: &Session, tree: &whydunit_changes::Tree, version: &str, what: &str) -> Result<Laid, Failure> {
    let task = session.progress.task(&format!("building {what}"), None);
    let laid = Recorder::new(session, folder(&session.project, version))?.lay(tree);
    drop(task);
    laid.map_err(|failure| failure.of(what))
}

/// Reviews.
pub fn answer(session: &Session, question: &Question<'_>) -> Result<Answer, Failure> {
    let domain = match question.domain {
        Some(path) => {
            let text = std::fs::read_to_string(path).or_fail(Exit::Usage);
            let text = text.map_err(|failure| failure.at(path.display()))?;
            Domain::parse(&text).map_err(|error| {
                Failure::usage(error).at(path.display()).advice("one constraint a line, as `arg1 in 1..10`")
            })?
        }
        None => Domain::default(),
    };
    let fix = Fix::read(&session.project, question.fix)?;
    let other = question.against.map(|other| Fix::read(&session.project, other)).transpose()?;
    let broken = lay(session, &fix.broken, "before", "the version before the fix")?;
    let mended = lay(session, &fix.mended, "after", "the version with the fix")?;
    let against =
        other.map(|other| lay(session, &other.mended, "against", "the version with the other fix")).transpose()?;
    let builds = 2 + u64::from(against.is_some());
    let mut answer = Answer { builds, problems: fix.notes.iter().map(Problem::new).collect(), ..Answer::default() };
    answer.reviewed.fix = question.fix.into();
    let task = session.progress.task("running the suite before and after the fix", None);
    let outcomes = Outcomes::of(&broken, &mended);
    drop(task);
    answer.runs += outcomes.runs;
    let trigger = outcomes.trigger(question.test)?;
    answer.reviewed.test = trigger.name().into();
    answer.reviewed.disruptions = outcomes.disruptions();
    let Trigger::Case { case, before, after } = trigger else {
        let Trigger::Other { name, before, after } = trigger else { return Ok(answer) };
        answer.reviewed.failure = before.outcome.reason().unwrap_or_default();
        if after.outcome.is_failure() {
            answer.reviewed.verdict = FixVerdict::Coverage;
            let fails = after.outcome.reason().unwrap_or_default();
            answer.reviewed.counterexample = Some(Counterexample {
                fails,
                covered: true,
                by: "suite".into(),
                before: did(before),
                after: did(after),
                ..Counterexample::default()
            });
        } else if !answer.reviewed.disruptions.is_empty() {
            answer.reviewed.verdict = FixVerdict::Disruption;
        }
        let text = format!("{name} is no case with an input of its own: only the suite is compared");
        answer.problems.push(
            Problem::new(text).help("write the input that fails as a case of cases.jsonl, and name it by --test"),
        );
        return Ok(answer);
    };
    let (violation, failure) = Violation::of(&broken, case, before)?;
    answer.reviewed.failure = failure;
    let input = Input::of(case).or_fail(Exit::Usage)?;
    if !domain.holds(&input) {
        return Err(Failure::new(Exit::Baseline, format!("the input of {} is not in the domain", case.name))
            .at(question.domain.map_or(String::new(), |path| path.display().to_string()))
            .advice("the domain must allow the input that shows the bug"));
    }
    // The domain is of inputs that the program is for: the suite's are.
    for name in outcomes.outside(&domain) {
        answer.problems.push(Problem::new(format!("the domain leaves out the input of {name}, which is in the suite")));
    }
    let deadline = Instant::now() + question.limit;
    let mut pair = Pair::new([&broken, &mended], (case, &violation), outcomes.longest(), deadline);
    if after.outcome.is_failure() {
        let by_suite = Counterexample {
            case: case.to_json().to_string(),
            fails: after.outcome.reason().unwrap_or_default(),
            covered: true,
            by: "suite".into(),
            distance: Some(0),
            before: did(before),
            after: did(after),
            parts: None,
        };
        answer.reviewed.counterexample = Some(by_suite);
    }
    if violation == Violation::Output {
        let text = "the test fails by what it prints, and nobody knows what is right for other inputs: only crashes and the \
                    suite count against the fix";
        answer
            .problems
            .push(Problem::new(text).help("an assertion in the program would say what is right for all inputs"));
    }
    if question.domain.is_none() {
        let proposed = Domain::proposed(&outcomes.inputs());
        answer.reviewed.proposed_domain = Some(proposed).filter(|proposed| !proposed.is_empty());
    }
    let searched = Instant::now();
    let (mut known, mut shown) = (Vec::new(), after.outcome.is_failure().then(|| input.clone()));
    if shown.is_none() {
        (known, shown) =
            covers(session, question, &mut pair, &domain, (&input, &outcomes.seeds(&domain)), &mut answer)?;
    }
    let task = session.progress.task("comparing on inputs", None);
    let cases: Vec<Case> = outcomes.cases().cloned().collect();
    // Where it is known to be bad, little is left to be found out.
    let number = if shown.is_some() { question.inputs / 10 } else { question.inputs };
    let inputs = disruption::inputs(&known, &cases, case, &domain, number, question.seed);
    let found = disruption::look(&pair, &domain, inputs, deadline)?;
    drop(task);
    answer.reviewed.inputs = found.inputs;
    answer.runs += 2 * found.inputs;
    if let (None, Some(input)) = (&shown, found.counterexample) {
        answer.reviewed.counterexample = told(&pair, &input, "inputs", None)?;
        shown = Some(input);
    }
    match violation {
        Violation::Output => answer.reviewed.differences = found.disruptions,
        _ => answer.reviewed.disruptions.extend(found.disruptions),
    }
    answer.reviewed.searching = searched.elapsed().as_secs_f64();
    if let (Some(counterexample), Some(input)) = (&mut answer.reviewed.counterexample, &shown) {
        counterexample.parts = parting::parting(&pair, &fix, input)?;
    }
    answer.reviewed.verdict = match (&answer.reviewed.counterexample, &answer.reviewed.disruptions[..]) {
        (Some(counterexample), _) if counterexample.covered => FixVerdict::Coverage,
        (Some(_), _) | (None, [_, ..]) => FixVerdict::Disruption,
        (None, []) => FixVerdict::NoCounterexample,
    };
    if let (Some(laid), Some(name)) = (&against, question.against) {
        answer.reviewed.compared = Some(comparing::compare(&pair, laid, name, &found.tried)?);
        answer.runs += found.tried.len() as u64;
    }
    Ok(answer)
}

/// Looks for an input on a path on which the fix does not cover the bug; the inputs that were run.
fn covers(
    session: &Session,
    question: &Question<'_>,
    pair: &mut Pair<'_>,
    domain: &Domain,
    (input, seeds): (&Input, &[Input]),
    answer: &mut Answer,
) -> Result<(Vec<Input>, Option<Input>), Failure> {
    let task = session.progress.task("looking for inputs that still fail", None);
    let asked = whydunit_review::Question {
        input,
        seeds,
        domain,
        guide: if question.unguided { Guide::Unguided } else { Guide::Distance },
        distance: question.distance,
        runs: question.runs,
        deadline: pair.deadline - question.limit.mul_f64(FOR_INPUTS),
    };
    let coverage = search(pair, &asked)?;
    drop(task);
    let Coverage {
        counterexample,
        distance,
        by_distance,
        predicate,
        runs,
        questions,
        solving,
        exhausted,
        cut,
        notes,
        inputs,
        ..
    } = coverage;
    answer.questions = questions;
    answer.runs += runs.iter().sum::<u64>();
    let reviewed = &mut answer.reviewed;
    reviewed.distance = distance.map(|distance| distance as u64);
    let told_distance = |at: whydunit_review::AtDistance| Distance {
        distance: at.distance as u64,
        paths: at.paths,
        feasible: at.feasible,
    };
    reviewed.distances = by_distance.into_iter().map(told_distance).collect();
    (reviewed.predicate, reviewed.followed, reviewed.exhausted) = (predicate, runs, exhausted);
    reviewed.solving = solving.as_secs_f64();
    if cut {
        answer.problems.push(
            Problem::new("not all paths were looked at: time was up, or there were too many runs")
                .help("`--time-limit` and `--runs` allow more; a `--domain` leaves out inputs that cannot be"),
        );
    }
    // Of the library of C++ nobody can say more.
    let notes: Vec<&String> = notes.iter().filter(|note| !note.contains("`_Z")).collect();
    answer.problems.extend(notes.iter().take(NOTES).map(|note| Problem::new(*note)));
    if let Some(more) = notes.len().checked_sub(NOTES).filter(|more| *more > 0) {
        answer.problems.push(Problem::new(format!("{more} more such places")));
    }
    let Some(found) = counterexample else { return Ok((inputs, None)) };
    let distance = found.distance.map(|distance| distance as u64);
    reviewed.counterexample = told(pair, &found.input, "paths", distance)?;
    Ok((inputs, reviewed.counterexample.is_some().then_some(found.input)))
}

/// A counterexample as it is told: both versions are run once more.
fn told(pair: &Pair<'_>, input: &Input, by: &str, distance: Option<u64>) -> Result<Option<Counterexample>, Failure> {
    let mut ends = Vec::new();
    for version in [Version::Broken, Version::Mended] {
        let Some((result, opened)) = pair.record(version, input)? else { return Ok(None) };
        ends.push((pair.fails(version, &result, &opened)?, did(&result)));
    }
    let (Some((fails, after)), Some((fails_before, before))) = (ends.pop(), ends.pop()) else { return Ok(None) };
    // What fails once must fail again.
    let Some(fails) = fails else { return Ok(None) };
    Ok(Some(Counterexample {
        case: Case { name: format!("{}-again", pair.plain.case.name), ..input.case(pair.plain.case) }
            .to_json()
            .to_string(),
        fails,
        covered: fails_before.is_some(),
        by: by.into(),
        distance,
        before,
        after,
        parts: None,
    }))
}
