//! A failing program that is one test of its suite, though functions of it are tests by themselves: looked at function by function, each in
//! a run of its own in which the others do nothing.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use whydunit_desk::Desk;
use whydunit_suite::{Outcome, Progress, RunOptions, Suite, Test};
use whydunit_workbench::{Executed, OwnTest, Project};

use crate::Error;

/// So many failing programs are taken apart.
const PROGRAMS: usize = 3;

/// The runs of a program's functions may take so long.
const LONGEST: Duration = Duration::from_secs(40);

/// Where the time for everything is limited, this part of what is left at most.
const PART: u32 = 4;

/// What programs are taken apart with.
pub(super) struct Apart<'a> {
    pub desk: &'a Desk,
    pub project: &'a Project,
    /// When all of the work must have ended.
    pub deadline: Option<Instant>,
}

/// What there is of a program to be taken apart.
enum Found {
    /// Its tests.
    Apart(Taken),
    /// So many, of which none fails alone.
    Together(usize),
    /// Nothing that tells them apart.
    Nothing,
    /// Nothing that does so in time.
    Late,
}

/// The tests of a program that was taken apart.
struct Taken {
    tests: Vec<Test>,
    executed: Vec<Executed>,
    /// There was no time for all of them.
    cut: bool,
}

impl Apart<'_> {
    /// Puts the functions of programs of which one is `asked` about in the place of these programs.
    pub fn known(&self, suite: &mut Suite, asked: &BTreeSet<String>) {
        if !suite.own.iter().any(|test| asked.contains(test.name())) {
            return;
        }
        let of = |whole: &Test| {
            let own: Vec<Test> = suite.own_tests_of(whole.name()).cloned().collect();
            own.iter().any(|test| asked.contains(test.name())).then_some(own)
        };
        let instead: HashMap<String, Vec<Test>> =
            suite.tests.iter().filter_map(|whole| Some((whole.name().to_owned(), of(whole)?))).collect();
        suite.put_in_place(|test| instead.get(test.name()).cloned());
    }

    /// Runs the functions of failing programs in question one by one and puts them in the place of these programs, where that tells them
    /// apart: with none of them the program passes, one of them fails alone, and another one passes. What to say of it, in sentences.
    pub fn taken(
        &self,
        suite: &mut Suite,
        (asked, options): (&mut BTreeSet<String>, &RunOptions<'_>),
        executed: &mut Vec<Executed>,
    ) -> Result<Vec<String>, Error> {
        let in_question = |test: &&Executed| {
            test.result.outcome.is_failure() && (asked.is_empty() || asked.contains(&test.result.name))
        };
        let failing: Vec<Executed> = executed.iter().filter(in_question).take(PROGRAMS).cloned().collect();
        let mut problems = Vec::new();
        for run in failing {
            let name = run.result.name.clone();
            let Taken { tests, executed: own, cut } = match self.one_by_one(suite, &run, options)? {
                Found::Apart(taken) => taken,
                Found::Together(number) => {
                    let text = "functions that are tests, none of which fails where it alone is run: they are looked at together";
                    problems.push(format!("{name} has {number} {text}"));
                    continue;
                }
                Found::Late => {
                    let text = "functions that are tests take too long one by one: they are looked at together";
                    problems.push(format!("{name}: {text}"));
                    continue;
                }
                Found::Nothing => continue,
            };
            let number = own.len();
            let how = match cut {
                false => format!("each of its {number} functions that are tests is run by itself"),
                true => format!(
                    "{number} of its functions that are tests were run by themselves, and there was no time for more"
                ),
            };
            problems.push(format!("{name} is one test of the suite: {how}"));
            if asked.remove(&name) {
                asked.extend(
                    own.iter().filter(|test| test.result.outcome.is_failure()).map(|test| test.result.name.clone()),
                );
            }
            suite.put_in_place(|test| (test.name() == name).then(|| tests.clone()));
            suite.own.retain(|test| !tests.iter().any(|fresh| fresh.name() == test.name()));
            let at = executed.iter().position(|test| test.result.name == name).unwrap_or(executed.len());
            executed.splice(at..(at + 1).min(executed.len()), own);
        }
        Ok(problems)
    }

    /// The tests of a program, each run by itself; nothing where that does not tell them apart, or takes too long.
    fn one_by_one(&self, suite: &Suite, run: &Executed, options: &RunOptions<'_>) -> Result<Found, Error> {
        let Ok(whole) = suite.test(&run.result.name) else { return Ok(Found::Nothing) };
        let functions = self.project.own_tests(run).map_err(whydunit_desk::Error::from)?;
        let runs = u32::try_from(functions.len() + 1).unwrap_or(u32::MAX);
        if functions.len() < 2 {
            return Ok(Found::Nothing);
        }
        let Some(none) = suite.own_test(whole, "", "") else { return Ok(Found::Nothing) };
        let task = self.desk.task("running a program's tests one by one", Some(u64::from(runs)));
        let own = self.desk.cancel.apart().by(Instant::now() + self.most());
        let options = RunOptions { reruns: Some(0), cancel: Some(&own), ..options.clone() };
        let executed = |tests: &[&Test]| -> Result<Vec<Executed>, Error> {
            let told = |progress: Progress<'_>| {
                if let Progress::Finished { result, .. } = progress {
                    task.step(&result.name);
                }
            };
            Ok(self.project.run_spectrum(suite, tests, &options, &told)?.0)
        };
        if !executed(&[&none])?.iter().all(|alone| alone.result.outcome == Outcome::Pass) {
            return Ok(if own.is_cancelled() && !self.desk.is_cancelled() { Found::Late } else { Found::Nothing });
        }
        let with_test = |function: OwnTest| {
            let test = suite.own_test(whole, &function.symbol, &function.name)?;
            Some((function, test))
        };
        let tests: Vec<(OwnTest, Test)> = functions.into_iter().filter_map(with_test).collect();
        let ran = executed(&tests.iter().map(|(_, test)| test).collect::<Vec<_>>())?;
        if self.desk.is_cancelled() {
            return Ok(Found::Nothing);
        }
        let cut = own.is_cancelled();
        let came = |(function, test): &(OwnTest, Test)| {
            let own = ran.iter().find(|run| run.result.name == test.name())?;
            let ended = own.result.outcome != Outcome::Cancelled;
            (ended && function.is_in(own)).then(|| (function.clone(), test.clone(), own.clone()))
        };
        let came: Vec<(OwnTest, Test, Executed)> = tests.iter().filter_map(came).collect();
        let is = |wanted: fn(&Outcome) -> bool| came.iter().any(|(_, _, run)| wanted(&run.result.outcome));
        match (is(Outcome::is_failure), is(|outcome| *outcome == Outcome::Pass)) {
            (true, true) => {}
            _ if cut => return Ok(Found::Late),
            (false, _) if came.len() > 1 => return Ok(Found::Together(came.len())),
            _ => return Ok(Found::Nothing),
        }
        let functions: Vec<OwnTest> = came.iter().map(|(function, ..)| function.clone()).collect();
        self.project.keep_own_tests(whole.name(), &functions).map_err(whydunit_desk::Error::from)?;
        let (tests, executed) = came.into_iter().map(|(_, test, run)| (test, run)).unzip();
        Ok(Found::Apart(Taken { tests, executed, cut }))
    }

    /// So long the runs may take.
    fn most(&self) -> Duration {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / PART);
        left.into_iter().chain([LONGEST]).min().unwrap_or(LONGEST)
    }
}
