//! `whydunit test`

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use whydunit_capture::Flavour;
use whydunit_desk::{checking, convert, prepare};
use whydunit_findings::{Body, Problem, Report, ShardOf};
use whydunit_suite::{RunOptions, Shard, fingerprint};

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::global::Format;
use crate::session::Session;

/// So many lines of a failed test's output are shown.
const LINES: usize = 10;

/// Run the test suite, side by side, each test in a fresh folder and within limits
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit test\n  whydunit test parser              the tests with `parser` in their names\n  \
                        whydunit test --again 5           run failing tests again, to tell the flaky ones\n  \
                        whydunit test --junit results.xml\n  whydunit test --check             memory errors and undefined behaviour fail a test, too\n  \
                        whydunit test --shard 2/4 --format json > shards/2.json"
)]
pub struct Test {
    /// Only tests with this in their names
    pub filter: Option<String>,
    /// Tests at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Run each failing test so many times more: one that also passes is flaky
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub again: u32,
    /// Run each test so many times: one that passes some times and fails others is flaky
    #[arg(long, value_name = "N", conflicts_with = "again")]
    pub repeat: Option<NonZeroU32>,
    /// Record and replay each test, too: one that passes with memory errors or other undefined behaviour fails
    #[arg(long, conflicts_with_all = ["again", "repeat"])]
    pub check: bool,
    /// With `--check`, a test that loses blocks fails, too: they are never freed, and nothing points to them when the program exits
    #[arg(long, requires = "check")]
    pub leaks: bool,
    /// How many of the last lines of a failed test's output are shown; 0 for none of it
    #[arg(long, value_name = "N", default_value_t = LINES)]
    pub output_lines: usize,
    /// Only say which tests there are: name after name, without running them
    #[arg(long, conflicts_with_all = ["again", "repeat", "junit", "check"])]
    pub list: bool,
    /// Only the K-th of N parts of the suite; `whydunit merge` puts the JSON answers of all parts together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Write the results to this file too, as JUnit's XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub answer: AnswerFile,
}

/// Runs the suite.
pub fn run(session: &Session, args: &Test) -> Result<Report, Failure> {
    args.junit.as_deref().map_or(Ok(()), |path| session.write_also(Format::Junit, path))?;
    let desk = &session.desk;
    let project = desk.open_project()?;
    prepare::built(desk, &project)?;
    let suite = prepare::suite(desk, &project)?;
    let wanted = |test: &&whydunit_suite::Test| args.filter.as_ref().is_none_or(|text| test.name().contains(text));
    let mut tests: Vec<&whydunit_suite::Test> = suite.tests.iter().filter(wanted).collect();
    if tests.is_empty() {
        tests = suite.single.iter().filter(wanted).collect();
    }
    if tests.is_empty() {
        return Err(prepare::no_test(&suite, args.filter.as_deref().unwrap_or_default()).into());
    }
    let suite_of_shards = fingerprint(tests.iter().map(|test| test.name()));
    if let Some(shard) = args.shard {
        tests = tests[shard.range(tests.len())].to_vec();
    }
    if args.list {
        return Ok(Report::new(Body::TestList(tests.iter().map(|test| test.name().to_owned()).collect())));
    }
    let options = RunOptions {
        jobs: args.jobs,
        reruns: args.repeat.map(|times| times.get() - 1).or((args.again > 0).then_some(args.again)),
        rerun_all: args.repeat.is_some(),
        cancel: Some(&desk.cancel),
        ..RunOptions::default()
    };
    let results = prepare::run(desk, &suite, &tests, &options);
    let mut report = Report::new(Body::Test);
    report.shard = args.shard.map(|Shard { number, of }| ShardOf {
        number,
        of,
        suite: suite_of_shards,
        complete: !desk.is_cancelled(),
    });
    if let Some(interrupted) = prepare::interrupted(desk, results.len(), tests.len()) {
        session.fail_after_answer(interrupted.into());
    }
    report.problems = results.iter().flat_map(|result| &result.problems).map(Problem::new).collect();
    report.tests = results.iter().map(|result| convert::failed_test(result, args.output_lines)).collect();
    if args.check && !desk.is_cancelled() {
        let suite = prepare::one_by_one(desk, &project)?;
        report.problems.extend(prepare::flavours(desk, &project, Flavour::Record)?.into_iter().map(Problem::new));
        let tests: Vec<&whydunit_suite::Test> = results.iter().filter_map(|it| suite.test(&it.name).ok()).collect();
        if tests.len() == results.len() {
            report.problems.extend(checking::check(desk, &project, &tests, &mut report.tests, args.jobs, args.leaks)?);
        } else {
            let text = "the tests of this suite cannot be run one by one: none was checked";
            report.problems.push(Problem::new(text));
        }
    }
    report.stats.test_runs =
        results.iter().map(|result| 1 + result.reruns.map_or(0, |reruns| u64::from(reruns.runs))).sum();
    Ok(report)
}
