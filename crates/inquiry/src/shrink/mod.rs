//! A failing input made as small as it can be.

mod error;
mod judge;
mod kept;
mod subject;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use whydunit_desk::{Desk, Output, convert};
use whydunit_findings::{Problem, Shrunk, TestResult};
pub use whydunit_shrink::Levels;
use whydunit_shrink::{Input, Oracle, Repeats, Script, Stopped, Trials, shrink};

pub use error::ShrinkError;
use judge::{Judge, script};
use subject::Subject;

use crate::Error;

/// How often a case, as it is and as small as it became, is run to see that it always fails.
const STEADY: usize = 3;

/// The search takes so many seconds where nobody says how many.
pub const SECONDS: u64 = 60;

/// What is to be made smaller, and how.
pub struct Question<'a> {
    /// The failing case, or with a script a file.
    pub what: &'a str,
    /// A program that says whether the failure is still there; `None`: the way in which the case fails does.
    pub script: Option<&'a Path>,
    /// What stays as it is: `args`, `stdin`, `files`, names of files.
    pub keep: &'a [String],
    /// What is left out.
    pub levels: Levels,
    /// For the search.
    pub limit: Duration,
    /// Runs at a time; `None`: as many as the suite's.
    pub jobs: Option<NonZeroUsize>,
    /// Where the answer is written, besides being kept.
    pub output: Option<(Output, PathBuf)>,
}

/// An answer, and what goes with it.
pub struct Answer {
    /// It.
    pub shrunk: Shrunk,
    /// The case as it is, where the program itself judged.
    pub tests: Vec<TestResult>,
    /// Runs of the program.
    pub runs: u64,
    /// Time was up before all was tried.
    pub late: bool,
    /// The request was cancelled before all was tried.
    pub interrupted: bool,
    /// What should be known.
    pub problems: Vec<Problem>,
}

/// Makes an input smaller.
pub fn answer(desk: &Desk, question: Question<'_>) -> Result<Answer, Error> {
    let by = question.script.map(script).transpose()?;
    let subject = Subject::of(desk, question.what, by.is_some())?;
    let keep = subject.keep(question.keep)?;
    let input = Input::of(&subject.case)?;
    let judge = Judge::of(desk, &subject, &input, by)?;
    let Subject { suite, case, .. } = &subject;
    let (repeats, by_script);
    let oracle: &dyn Oracle = match &judge.script {
        Some(script) => {
            by_script = Script { suite, case, script };
            &by_script
        }
        None => {
            repeats = Repeats { suite, case, failure: judge.failure()?, limits: judge.limits.clone() };
            &repeats
        }
    };
    let jobs = question.jobs.unwrap_or(suite.jobs);
    // The limit is for the search: the first run has told that there is something to search.
    let until = Instant::now().checked_add(question.limit);
    let task = desk.task("shrinking", None);
    let smaller = |input: &Input| task.step(&format!("to {} bytes", kept::bytes(input)));
    let trials = Trials::new(oracle, jobs, until, &desk.cancel, &smaller);
    let (same, made) = trials.repeat(&input, STEADY - 1);
    if same < made {
        return Err(subject.flaky(same + 1, made + 1));
    }
    let (found, stopped) = shrink(input.clone(), &keep, question.levels, &trials);
    let mut problems: Vec<Problem> = trials.unclear().map(Problem::new).into_iter().collect();
    problems.extend(subject.notes(&input, &found, stopped.is_some()));
    if found != input {
        let (same, made) = trials.repeat(&found, STEADY);
        if same < made {
            let text = format!("the smaller input fails the same way in {same} of {made} runs only");
            problems.push(Problem::new(text).help("try again, or say by --script what the failure is"));
        }
    }
    let mut shrunk = subject.answer(desk, &input, &found, question.output)?;
    let (runs, spared) = trials.counts();
    (shrunk.failure, shrunk.runs, shrunk.spared) = (judge.reason.clone(), 1 + runs as u64, spared as u64);
    Ok(Answer {
        shrunk,
        tests: judge.result.iter().map(convert::test).collect(),
        runs: 1 + runs as u64,
        late: stopped == Some(Stopped::Time),
        interrupted: stopped == Some(Stopped::Interrupted),
        problems,
    })
}
