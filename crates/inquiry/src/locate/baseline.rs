//! What locating starts from: the suite's tests, run with counts of what each executes.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use whydunit_findings::{Finding, Problem};
use whydunit_model::checks::is_readable_body;
use whydunit_spectra::{Entity, Formula, Hits, Spectrum};
use whydunit_suite::{Outcome, RunOptions, Suite, Test};
use whydunit_workbench::{Executed, Project};

use super::own_tests::Apart;
use super::patience::{self, Patience};
use super::reach::{self, Cut, Ran, Reach};
use super::rerun::{Rerun, fails};
use super::test_code::TestCode;
use super::{Part, Place, Scope, Suspicion};
use crate::Error;
use whydunit_desk::Desk;
use whydunit_desk::ProjectSources;
use whydunit_desk::{convert, prepare};

/// So many passing tests show what would run behind a failure.
const BEYOND: usize = 10;

/// A suite that was run with counts.
pub struct Baseline {
    /// The project.
    pub project: Rc<Project>,
    /// Its suite.
    pub suite: Rc<Suite>,
    /// The tests as run.
    pub executed: Rc<Vec<Executed>>,
    /// What should be known of it.
    pub problems: Vec<String>,
    /// The failing tests that a person asked about; none: all.
    question: BTreeSet<String>,
    /// Those of them that are looked at now; none: all.
    asked: BTreeSet<String>,
    scope: Scope,
    spectrum: Spectrum,
    /// Whether failing tests execute anything that was captured.
    pub captured: bool,
    /// The run of the suite was ended before it was whole.
    pub cut: bool,
    /// When all of the work must have ended.
    pub deadline: Option<Instant>,
}

impl Baseline {
    /// The longest time that a test took which ended by itself.
    pub fn longest(&self) -> Duration {
        self.longest_of(|_| true)
    }

    /// The same of these tests, by their names.
    pub fn longest_of(&self, is_meant: impl Fn(&str) -> bool) -> Duration {
        let ended = self.executed.iter().filter(|test| test.result.outcome != Outcome::Timeout);
        ended.filter(|test| is_meant(&test.result.name)).map(|test| test.result.time).max().unwrap_or_default()
    }

    /// What to say where tests fail and none of them executes anything that was captured; `None` elsewhere.
    pub fn nothing_captured(&self) -> Option<Problem> {
        let failing: Vec<&Executed> = self.asked_for().filter(|test| fails(test)).collect();
        let executes = self.captured && failing.iter().any(|test| runs_captured(test));
        if executes || failing.is_empty() {
            return None;
        }
        let help = match failing.iter().all(|test| self.is_example(&test.result.name)) {
            true => {
                "examples of a documentation are compiled when they are run, and not recorded: write a `#[test]` of what fails"
            }
            false => "`whydunit build` says what was captured, and why other code was not",
        };
        Some(Problem::new("the failing tests execute nothing that was captured").help(help))
    }

    /// Whether a test is an example of a documentation.
    pub fn is_example(&self, name: &str) -> bool {
        self.suite.test(name).is_ok_and(Test::is_example)
    }

    /// Tests that did not end within their time limit.
    pub fn endless(&self) -> HashSet<&str> {
        let endless = self.executed.iter().filter(|test| test.result.outcome == Outcome::Timeout);
        endless.map(|test| &*test.result.name).collect()
    }

    /// Builds the project where that was not done, and runs its suite, as far as `reach` says. `names` are the failing tests in question;
    /// none are all. Only what `scope` covers counts. Where the run is ended early and failing tests are known by then, it is what they
    /// are compared with that is less.
    pub fn of(
        desk: &Desk,
        names: &[String],
        jobs: Option<NonZeroUsize>,
        scope: Scope,
        reach: Reach,
    ) -> Result<Self, Error> {
        let project = desk.open_project()?;
        prepare::built(desk, &project)?;
        let deadline = reach.limit.map(|limit| Instant::now() + limit);
        let phase = "the copies of the programs were made that count";
        let mut problems =
            in_time(desk, deadline, phase, |desk| Ok(prepare::counting(desk, &project, scope.library)?))?;
        let mut suite = prepare::one_by_one(desk, &project)?;
        let whole = patience::shorten(&mut suite);
        let mut asked = BTreeSet::new();
        for name in names {
            let test = suite.test(name).map_err(whydunit_desk::Error::NoTest)?;
            let test = if reach.apart { test } else { suite.whole_of(test) };
            asked.insert(test.name().to_owned());
        }
        let apart = Apart { desk, project: &project, deadline };
        if reach.apart {
            apart.known(&mut suite, &asked);
        }
        let options = RunOptions { jobs, cancel: Some(&desk.cancel), ..RunOptions::default() };
        let Ran { mut executed, problems: more, mut cut } =
            reach::run(desk, &project, &suite, (&asked, &options), (reach, deadline))?;
        if let Some(whole) = whole {
            let patience = Patience { desk, project: &project, whole, deadline };
            problems.extend(patience.decide(&mut suite, (&asked, &options), &mut executed)?);
        }
        if reach.apart {
            problems.extend(apart.taken(&mut suite, (&mut asked, &options), &mut executed)?);
        }
        let (scope, captured) = Self::covered(desk, &suite, scope, &mut executed);
        problems.extend(cut.map(|cut| reach::told(cut, executed.len(), reach::all(&suite).len())));
        problems.extend(more);
        if !suite.single.is_empty() {
            problems.extend(without_strays(&mut executed));
        }
        let again = desk.until(deadline, |desk| {
            let rerun = Rerun { desk, project: &project, suite: &suite, asked: &asked };
            rerun.told_apart(jobs, &mut executed)
        });
        match again {
            Ok(more) => problems.extend(more),
            Err(Error::Desk(error)) if error.is_interrupted() && cut_by(desk, deadline).is_some() => {
                cut = cut.filter(|cut| *cut != Cut::Enough).or(cut_by(desk, deadline));
                let text = "failing tests were not run again: which of them are flaky, or fail only while it is counted what they \
                            execute, is not known";
                problems.push(text.to_string());
            }
            Err(error) => return Err(error),
        }
        let (spectrum, lost) = counted(&executed, &asked);
        problems.extend(without_programs(&executed, &asked));
        if let Some(names) = prepare::some_of(&lost) {
            let text = "left out, because what they executed is not known";
            let shortfall = whydunit_desk::Error::TestsLost { number: lost.len(), names: names.clone() };
            desk.note_shortfall(shortfall);
            problems.push(format!("{text}: {names}"));
        }
        Ok(Self {
            project: Rc::new(project),
            suite: Rc::new(suite),
            executed: Rc::new(executed),
            problems,
            question: asked.clone(),
            asked,
            scope,
            spectrum,
            captured,
            cut: matches!(cut, Some(Cut::Interrupted | Cut::Time)),
            deadline,
        })
    }

    /// What is ranked, with what is known of the tests' own code, and whether failing tests execute anything that was captured. What is not
    /// covered is left out of what tests executed.
    fn covered(desk: &Desk, suite: &Suite, mut scope: Scope, executed: &mut [Executed]) -> (Scope, bool) {
        scope.test_code = TestCode::of(suite);
        for hit in executed.iter().flat_map(|test| test.hits.iter()).filter(|hit| is_readable_body(&hit.function)) {
            scope.test_code.executed(convert::relative(&desk.project, &hit.position.file), &hit.function);
        }
        let sources = desk.sources();
        for hit in executed.iter().filter(|test| test.result.outcome.is_failure()).flat_map(|test| test.hits.iter()) {
            let file = convert::relative(&desk.project, &hit.position.file);
            scope.test_code.executed_line(&sources, &file, hit.position.line, &hit.function);
        }
        let own: HashSet<&str> = reach::all(suite).iter().filter_map(Test::own_function).collect();
        if !own.is_empty() {
            let place = |hit: &Entity| (convert::relative(&desk.project, &hit.position.file), hit.function.clone());
            let failing = executed.iter().filter(|test| test.result.outcome.is_failure());
            let files = failing.flat_map(|test| test.hits.iter()).map(|hit| place(hit).0).collect();
            let hits = executed.iter().flat_map(|test| test.hits.iter());
            let own = hits.filter(|hit| own.contains(hit.function.as_str())).map(place).collect();
            scope.test_code.own_tests(own, &files);
        }
        let covers = |scope: &Scope, hit: &Entity| {
            scope.covers(&desk.project, &hit.position.file, hit.position.line, &hit.function)
        };
        let of_failing =
            || executed.iter().filter(|test| test.result.outcome.is_failure()).flat_map(|test| test.hits.iter());
        let captured = of_failing().next().is_some();
        // A suite that tests itself.
        scope.tests |= !of_failing().any(|hit| covers(&scope, hit));
        Hits::retain_in_all(executed.iter_mut().map(|test| &mut test.hits), |hit| covers(&scope, hit));
        (scope, captured)
    }

    /// The same suite with these of its failing tests in question: the others are not counted.
    pub(super) fn about(&self, tests: &[String]) -> Self {
        let asked: BTreeSet<String> = tests.iter().cloned().collect();
        Self {
            project: Rc::clone(&self.project),
            suite: Rc::clone(&self.suite),
            executed: Rc::clone(&self.executed),
            problems: Vec::new(),
            question: self.question.clone(),
            spectrum: counted(&self.executed, &asked).0,
            asked,
            scope: self.scope.clone(),
            captured: self.captured,
            cut: self.cut,
            deadline: self.deadline,
        }
    }

    /// Whether the work must have ended by now.
    pub fn late(&self, desk: &Desk) -> bool {
        cut_by(desk, self.deadline).is_some()
    }

    /// All failing tests that a person asked about, also those that are not looked at now, but for flaky ones.
    pub(super) fn all_in_question(&self) -> impl Iterator<Item = &Executed> {
        let asked = |test: &&Executed| self.question.is_empty() || self.question.contains(&test.result.name);
        self.executed.iter().filter(|test| fails(test)).filter(asked)
    }

    /// What has to be there to record tests: what these execute, all failing ones in question, and passing ones near to them, since what
    /// would run behind a failure, if there were none, is what they run.
    pub(crate) fn recorded(&self, names: &[&str]) -> Vec<&Executed> {
        let question = self.all_in_question().map(|test| &*test.result.name);
        let names: HashSet<&str> = question.chain(names.iter().copied()).collect();
        let (mut recorded, others): (Vec<&Executed>, Vec<&Executed>) =
            self.executed.iter().partition(|test| names.contains(&*test.result.name));
        let mut near: Vec<&Executed> =
            others.into_iter().filter(|test| test.result.outcome == Outcome::Pass && test.whole).collect();
        near.sort_by_cached_key(|test| Reverse(reach::nearness(&test.result.name, names.iter().copied())));
        recorded.extend(near.into_iter().take(BEYOND));
        recorded
    }

    /// Passing tests to compare failing ones with: those that execute nothing but modules that are there to be recorded; where there is
    /// none, all.
    pub(super) fn comparable(&self) -> Vec<&Executed> {
        let ran = |test: &Executed| {
            test.modules.iter().filter(|(_, ran)| !ran.is_empty()).map(|(id, _)| Arc::clone(id)).collect::<HashSet<_>>()
        };
        let there: HashSet<Arc<str>> = self.recorded(&[]).into_iter().flat_map(&ran).collect();
        let passing: Vec<&Executed> =
            self.executed.iter().filter(|test| test.result.outcome == Outcome::Pass).collect();
        let near: Vec<&Executed> = passing.iter().copied().filter(|test| ran(test).is_subset(&there)).collect();
        if near.is_empty() { passing } else { near }
    }

    /// Whether a test executes something in a part of what is ranked.
    pub fn executes(&self, desk: &Desk, part: &Part) -> bool {
        let mut hits = self.executed.iter().flat_map(|test| test.hits.iter()).map(|hit| &hit.position);
        hits.any(|position| part.covers(&convert::relative(&desk.project, &position.file), position.line))
    }

    /// What is ranked.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The tests in question: those that fail each time, where there are none those that fail at times. Those that end soonest
    /// come first. Those that run no captured program are left out where others do.
    pub fn in_question(&self) -> impl Iterator<Item = &str> {
        let some = self.failing().next().is_some();
        let mut tests: Vec<&Executed> =
            self.asked_for().filter(|test| if some { fails(test) } else { test.result.is_flaky() }).collect();
        if tests.iter().any(|test| runs_captured(test)) {
            tests.retain(|test| runs_captured(test));
        }
        // Short runs take about as long as each other: among them the suite's order counts.
        tests.sort_by_key(|test| test.result.time.as_millis() / 200);
        tests.into_iter().map(|test| test.result.name.as_str())
    }

    /// The failing tests that were asked for, but for flaky ones.
    pub fn failing(&self) -> impl Iterator<Item = &str> {
        self.asked_for().filter(|test| fails(test)).map(|test| test.result.name.as_str())
    }

    fn asked_for(&self) -> impl Iterator<Item = &Executed> {
        self.executed.iter().filter(|test| self.asked.is_empty() || self.asked.contains(&test.result.name))
    }

    /// How many tests pass.
    pub fn passing(&self) -> usize {
        self.executed.iter().filter(|test| test.result.outcome == Outcome::Pass).count()
    }

    /// Which statements cannot be at fault where these failing tests have one fault: one of them does not execute it, and all
    /// failing tests that do are among them. What is missing beside it is not executed either.
    pub fn not_executed<'a>(
        &'a self,
        desk: &'a Desk,
        one_fault: &HashSet<String>,
    ) -> impl Fn(&Place) -> bool + use<'a> {
        let (mut tests, mut by) = (0, HashMap::<Place, usize>::new());
        let mut elsewhere = HashSet::new();
        for test in self.executed.iter().filter(|test| test.result.outcome.is_failure()) {
            let place =
                |entity: &Entity| (convert::relative(&desk.project, &entity.position.file), entity.position.line);
            let places: HashSet<Place> = test.hits.iter().map(place).collect();
            if test.whole && one_fault.contains(&test.result.name) {
                tests += 1;
                places.into_iter().for_each(|place| *by.entry(place).or_default() += 1);
            } else {
                elsewhere.extend(places);
            }
        }
        move |place| !elsewhere.contains(place) && by.get(place).is_some_and(|&number| number < tests)
    }

    /// Statements that each of these tests executed.
    pub fn executed_by_all<'a>(&self, desk: &Desk, tests: impl Iterator<Item = &'a str>) -> HashSet<Place> {
        let places = |name: &str| -> HashSet<Place> {
            let test = self.executed.iter().find(|test| test.result.name == name);
            let positions = test.into_iter().flat_map(|test| test.hits.iter()).map(|entity| &entity.position);
            positions.map(|position| (convert::relative(&desk.project, &position.file), position.line)).collect()
        };
        tests.map(places).reduce(|all, other| &all & &other).unwrap_or_default()
    }

    /// Statements and branch outcomes by a formula over counts.
    pub fn by_counts(&self, desk: &Desk, formula: Formula) -> Vec<Finding> {
        let sources = ProjectSources::new(&desk.project);
        let ranking = self.spectrum.ranking(formula);
        let ranked = ranking.iter().filter(|ranked| ranked.score > 0.0);
        ranked.map(|ranked| convert::finding(&desk.project, &sources, ranked, &self.spectrum)).collect()
    }

    /// Suspiciousness of lines: of the most suspicious of what stands there.
    pub fn suspicion(&self, desk: &Desk) -> Suspicion {
        let mut suspicion = Suspicion::new();
        for ranked in &self.spectrum.ranking(Formula::Ochiai) {
            let position = &ranked.entity.position;
            let file = convert::relative(&desk.project, &position.file);
            for line in position.line..=position.end_line.max(position.line) {
                let score = suspicion.entry((file.clone(), line)).or_insert(0.0);
                *score = score.max(ranked.score);
            }
        }
        suspicion
    }
}

/// Why the work on a part of a request was ended that must have ended at `deadline`; `None` where it was not.
fn cut_by(desk: &Desk, deadline: Option<Instant>) -> Option<Cut> {
    if desk.is_cancelled() {
        return Some(Cut::Interrupted);
    }
    deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Cut::Time)
}

/// What has to be there before anything can be said, made until `deadline`.
fn in_time<T>(
    desk: &Desk,
    deadline: Option<Instant>,
    phase: &'static str,
    work: impl FnOnce(&Desk) -> Result<T, Error>,
) -> Result<T, Error> {
    desk.until(deadline, work).map_err(|error| match error {
        Error::Desk(inner) if inner.is_interrupted() && cut_by(desk, deadline) == Some(Cut::Time) => {
            whydunit_desk::Error::TimeUp { phase }.into()
        }
        error => error,
    })
}

/// The counts of all tests but the failing ones that nobody asked for, and flaky ones where there are others: other faults'
/// failing tests would only blur the picture. Besides, the names of tests of which it is not known what they executed.
fn counted(executed: &[Executed], asked: &BTreeSet<String>) -> (Spectrum, Vec<String>) {
    let is_asked = |test: &Executed| asked.is_empty() || asked.contains(&test.result.name);
    let some = executed.iter().any(|test| fails(test) && is_asked(test));
    let some_run = executed.iter().any(|test| fails(test) && is_asked(test) && runs_captured(test));
    let counts = |test: &&Executed| match test.result.outcome.is_failure() {
        true => is_asked(test) && !(some && test.result.is_flaky()) && (runs_captured(test) || !some_run),
        false => true,
    };
    let (whole, lost): (Vec<&Executed>, Vec<&Executed>) = executed.iter().filter(counts).partition(|test| test.whole);
    let lost = lost.iter().map(|test| test.result.name.clone()).collect();
    (Spectrum::new(whole.iter().map(|test| test.test_hits())), lost)
}

/// Whether a process of a test had captured code. Those of Rust's documentation have none.
fn runs_captured(test: &Executed) -> bool {
    !test.modules.is_empty()
}

/// What to say of failing tests that run no captured program, where others in question do.
fn without_programs(executed: &[Executed], asked: &BTreeSet<String>) -> Option<String> {
    let in_question = |test: &&Executed| fails(test) && (asked.is_empty() || asked.contains(&test.result.name));
    let (with, without): (Vec<&Executed>, Vec<&Executed>) =
        executed.iter().filter(in_question).partition(|test| runs_captured(test));
    let names: Vec<String> = without.iter().map(|test| test.result.name.clone()).collect();
    let names = prepare::some_of(&names).filter(|_| !with.is_empty())?;
    Some(format!("not looked at, because they run no captured program: {names}"))
}

/// Leaves out tests that their suite knows only as part of a whole. What to say of it.
fn without_strays(executed: &mut Vec<Executed>) -> Option<String> {
    let (strays, kept): (Vec<Executed>, Vec<Executed>) =
        executed.drain(..).partition(|test| matches!(test.result.outcome, Outcome::Error(_)));
    *executed = kept;
    let names: Vec<String> = strays.iter().map(|test| test.result.name.clone()).collect();
    let reason = strays.first().and_then(|test| test.result.outcome.reason())?;
    Some(format!("left out, because they could not be run for themselves: {} ({reason})", prepare::some_of(&names)?))
}
