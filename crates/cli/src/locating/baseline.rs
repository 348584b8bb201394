//! What locating starts from: the suite's tests, run with counts of what each executes.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use whydunit_capture::Flavour;
use whydunit_findings::{Exit, Finding};
use whydunit_model::paths;
use whydunit_spectra::{Formula, Spectrum};
use whydunit_suite::process::interrupts;
use whydunit_suite::{Outcome, Progress, RunOptions, Suite, Test};
use whydunit_workbench::{Executed, Project};

use super::Suspicion;
use crate::failure::{Failure, OrFail};
use crate::session::Session;
use crate::sources::ProjectSources;
use crate::{convert, working};

/// A suite that was run with counts.
pub struct Baseline {
    /// The project.
    pub project: Project,
    /// Its suite.
    pub suite: Suite,
    /// The tests as run.
    pub executed: Vec<Executed>,
    /// What should be known of it.
    pub problems: Vec<String>,
    /// The failing tests in question; none: all.
    asked: BTreeSet<String>,
    spectrum: Spectrum,
}

impl Baseline {
    /// Builds the project where that was not done, and runs its suite. `names` are the failing tests in question; none
    /// are all. What lies in headers of the system's libraries does not count.
    pub fn of(session: &Session, names: &[String], jobs: Option<NonZeroUsize>) -> Result<Self, Failure> {
        Self::with(session, names, jobs, false)
    }

    /// The same; with `library`, what lies in headers of the system's libraries counts too.
    pub fn with(
        session: &Session,
        names: &[String],
        jobs: Option<NonZeroUsize>,
        library: bool,
    ) -> Result<Self, Failure> {
        let project = session.project()?;
        working::built(session, &project)?;
        let mut problems = working::flavours(session, &project, Flavour::Spectrum)?;
        let suite = working::one_by_one(session, &project)?;
        let mut asked = BTreeSet::new();
        for name in names {
            asked.insert(suite.test(name).map_err(Failure::usage)?.name().to_owned());
        }
        let all = if suite.single.is_empty() { &suite.tests } else { &suite.single };
        let tests: Vec<&Test> = all.iter().collect();
        let options = RunOptions { jobs, cancel: Some(interrupts()), ..RunOptions::default() };
        let task = session.progress.task("running tests", Some(tests.len() as u64));
        let step = |progress: Progress<'_>| {
            if let Progress::Finished { result, .. } = progress {
                task.step(&result.name);
            }
        };
        let (mut executed, more) = project.run_spectrum(&suite, &tests, &options, &step).or_fail(Exit::Usage)?;
        drop(task);
        for test in &mut executed {
            test.hits.retain(|entity| library || !paths::is_library(&entity.position.file));
        }
        // A ranking from some of the tests would be another one.
        if let Some(failure) = working::interrupted(executed.len(), tests.len()) {
            return Err(failure);
        }
        problems.extend(more);
        if !suite.single.is_empty() {
            problems.extend(without_strays(&mut executed));
        }
        let (spectrum, lost) = counted(&executed, &asked);
        if let Some(names) = working::some_of(&lost) {
            let text = "left out, because what they executed is not known";
            session.fail_after_answer(Failure::usage(format!("{} tests were {text}", lost.len())).at(&names).advice(
                "see that the disk is not full and nobody removes files below .whydunit, and run the command again",
            ));
            problems.push(format!("{text}: {names}"));
        }
        let baseline = Self { project, suite, executed, problems, asked, spectrum };
        Ok(baseline)
    }

    /// The failing tests in question, those that end soonest first.
    pub fn failing(&self) -> impl Iterator<Item = &str> {
        let failing = self.executed.iter().filter(|test| test.result.outcome.is_failure());
        let asked = |test: &&Executed| self.asked.is_empty() || self.asked.contains(&test.result.name);
        let mut tests: Vec<&Executed> = failing.filter(asked).collect();
        // Short runs take about as long as each other: among them the suite's order counts.
        tests.sort_by_key(|test| test.result.time.as_millis() / 200);
        tests.into_iter().map(|test| test.result.name.as_str())
    }

    /// Statements and branch outcomes by a formula over counts.
    pub fn by_counts(&self, session: &Session, formula: Formula) -> Vec<Finding> {
        let sources = ProjectSources::new(&session.project);
        let ranking = self.spectrum.ranking(formula);
        let ranked = ranking.iter().filter(|ranked| ranked.score > 0.0);
        ranked.map(|ranked| convert::finding(&session.project, &sources, ranked, &self.spectrum)).collect()
    }

    /// Suspiciousness of lines: of the most suspicious of what stands there.
    pub fn suspicion(&self, session: &Session) -> Suspicion {
        let mut suspicion = Suspicion::new();
        for ranked in &self.spectrum.ranking(Formula::Ochiai) {
            let position = &ranked.entity.position;
            let file = convert::relative(&session.project, &position.file);
            for line in position.line..=position.end_line.max(position.line) {
                let score = suspicion.entry((file.clone(), line)).or_insert(0.0);
                *score = score.max(ranked.score);
            }
        }
        suspicion
    }
}

/// The counts of all tests but the failing ones that nobody asked for: other faults' failing tests would only blur the
/// picture. Besides, the names of tests of which it is not known what they executed.
fn counted(executed: &[Executed], asked: &BTreeSet<String>) -> (Spectrum, Vec<String>) {
    let counts =
        |test: &&Executed| asked.is_empty() || !test.result.outcome.is_failure() || asked.contains(&test.result.name);
    let (whole, lost): (Vec<&Executed>, Vec<&Executed>) = executed.iter().filter(counts).partition(|test| test.whole);
    let lost = lost.iter().map(|test| test.result.name.clone()).collect();
    (Spectrum::new(whole.iter().map(|test| test.test_hits())), lost)
}

/// Leaves out tests that their suite knows only as part of a whole. What to say of it.
fn without_strays(executed: &mut Vec<Executed>) -> Option<String> {
    let (strays, kept): (Vec<Executed>, Vec<Executed>) =
        executed.drain(..).partition(|test| matches!(test.result.outcome, Outcome::Error(_)));
    *executed = kept;
    let names: Vec<String> = strays.iter().map(|test| test.result.name.clone()).collect();
    let reason = strays.first().and_then(|test| test.result.outcome.reason())?;
    Some(format!("left out, because they could not be run for themselves: {} ({reason})", working::some_of(&names)?))
}
