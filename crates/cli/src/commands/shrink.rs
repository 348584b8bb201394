//! `whydunit shrink`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use whydunit_findings::{Body, Exit, Problem, Report};
use whydunit_process::interrupts;
use whydunit_shrink::{Input, Levels, Oracle, Repeats, Script, Stopped, Trials, shrink};

use crate::convert;
use crate::failure::{Failure, OrFail};
use crate::output::Output;
use crate::session::Session;
use crate::shrinking::{self, Judge, Subject};

/// How often a case, as it is and as small as it became, is run to see that it always fails.
const STEADY: usize = 3;

/// Make a failing test's input as small as it can be
///
/// Leaves out arguments, files, lines, brackets, words and characters and makes numbers simpler, as long as the test fails the
/// same way: by the same signal, exit status or limit, with the same message but for its numbers. Of a test that fails only by
/// what it prints a script must say whether the failure is still there. For cases (cases.jsonl, folders of cases), and
/// with a script for any file.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit shrink crash                 the case `crash` of the suite\n  \
                  whydunit shrink crash --keep args     with its arguments as they are\n  \
                  whydunit shrink --script still.sh in.lua -o small.lua\n\n\
                  A script runs in a folder with the files, with the arguments and standard input that are tried;\n\
                  WHYDUNIT_PROGRAM is the program. It exits with 0 where the failure is still there, with 1 where\n\
                  it is not, with 125 where that cannot be told.")]
pub struct Shrink {
    /// The failing case; with --script also a file
    #[arg(value_name = "TEST")]
    pub what: String,
    /// A program that says whether the failure is still there: exit status 0 yes, 1 no, 125 cannot tell
    #[arg(long, value_name = "SCRIPT")]
    pub script: Option<PathBuf>,
    /// What stays as it is: args, stdin, files, or the name of a file; can be given several times
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// Leave out lines [default: lines, then tokens, then bytes]
    #[arg(long)]
    pub lines: bool,
    /// Leave out brackets, words, numbers and marks
    #[arg(long)]
    pub tokens: bool,
    /// Leave out characters
    #[arg(long)]
    pub bytes: bool,
    /// Seconds; when they are over the answer is the smallest input until then
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub time_limit: u64,
    /// Write the smaller case to this file, as a line of cases.jsonl; of a file on its own the smaller file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Runs at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

impl Shrink {
    fn levels(&self) -> Levels {
        match (self.lines, self.tokens, self.bytes) {
            (false, false, false) => Levels::ALL,
            (lines, tokens, bytes) => Levels { lines, tokens, bytes },
        }
    }
}

/// Makes smaller.
pub fn run(session: &Session, args: &Shrink) -> Result<Report, Failure> {
    let began = Instant::now();
    let output = args.output.as_deref().map(Output::open).transpose()?;
    let script = args.script.as_deref().map(shrinking::script).transpose()?;
    let subject = Subject::of(session, &args.what, script.is_some())?;
    let keep = subject.keep(&args.keep)?;
    let input = Input::of(&subject.case).or_fail(Exit::Usage)?;
    let judge = Judge::of(&subject, &input, script)?;
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
    let jobs = args.jobs.unwrap_or(suite.jobs);
    // The limit is for the search: the first run has told that there is something to search.
    let until = Instant::now().checked_add(Duration::from_secs(args.time_limit));
    let task = session.progress.task("shrinking", None);
    let smaller = |input: &Input| task.step(&format!("to {} bytes", shrinking::bytes(input)));
    let trials = Trials::new(oracle, jobs, until, interrupts(), &smaller);
    let (same, made) = trials.repeat(&input, STEADY - 1);
    if same < made {
        return Err(subject.flaky(same + 1, made + 1));
    }
    let (found, stopped) = shrink(input.clone(), &keep, args.levels(), &trials);
    let mut problems: Vec<Problem> = trials.unclear().map(Problem::new).into_iter().collect();
    problems.extend(subject.notes(&input, &found, stopped.is_some()));
    if found != input {
        let (same, made) = trials.repeat(&found, STEADY);
        if same < made {
            let text = format!("the smaller input fails the same way in {same} of {made} runs only");
            problems.push(Problem::new(text).help("try again, or say by --script what the failure is"));
        }
    }
    let mut answer = subject.answer(session, &input, &found, output.zip(args.output.as_deref()))?;
    let (runs, spared) = trials.counts();
    (answer.failure, answer.runs, answer.spared) = (judge.reason.clone(), 1 + runs as u64, spared as u64);
    let mut report = Report::new(Body::Shrink(answer));
    report.tests = judge.result.iter().map(convert::test).collect();
    report.stats.test_runs = 1 + runs as u64;
    report.stats.seconds = began.elapsed().as_secs_f64();
    report.problems = problems;
    report.partial = stopped == Some(Stopped::Time);
    if stopped == Some(Stopped::Interrupted) {
        session.fail_after_answer(
            Failure::new(Exit::TimeLimit, "interrupted: this is the smallest input until then")
                .advice("run the command again for the whole answer"),
        );
    }
    Ok(report)
}
