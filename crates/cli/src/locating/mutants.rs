//! Mutants that make a failing test pass, judged by the other tests: what makes all failing tests pass and breaks no passing
//! one is where a person would mend the program.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::time::Instant;

use whydunit_findings::{self as findings, TriedChange};
use whydunit_locate::{Mutant, check};
use whydunit_process::interrupts;
use whydunit_suite::Outcome;
use whydunit_symbolic::Knowledge;
use whydunit_workbench::Executed;

use super::subject::Subject;
use super::words::mutant_words;
use super::{Baseline, Place};
use crate::convert;
use crate::failure::{Failure, OrFail};
use crate::session::Session;
use crate::sources::ProjectSources;

/// So many passing tests are asked.
const PASSING: usize = 30;

/// Instructions of all runs of mutants of other tests than the first failing one.
const INSTRUCTIONS: u64 = 60_000_000;

/// Mutants, and what tests say of each.
pub struct Judged {
    mutants: Vec<Mutant>,
    /// What tests say, in the same order.
    said: Vec<Said>,
    /// Instructions that runs may still execute.
    left: u64,
    /// When to stop.
    deadline: Instant,
    /// Time that all of it took.
    pub seconds: f64,
}

/// What tests say of a mutant.
#[derive(Default)]
struct Said {
    tried: TriedChange,
    /// The failing tests that go on failing.
    unmended: Vec<String>,
}

impl Judged {
    /// Mutants that make the first failing test pass.
    pub fn of(mutants: Vec<Mutant>, deadline: Instant) -> Self {
        let first = |_| Said {
            tried: TriedChange { failing: 1, failing_passed: 1, ..TriedChange::default() },
            ..Said::default()
        };
        Self { said: mutants.iter().map(first).collect(), mutants, left: INSTRUCTIONS, deadline, seconds: 0.0 }
    }

    /// Another failing test is asked. The statements whose mutants make it pass.
    pub fn failing(
        &mut self,
        name: &str,
        project: &Path,
        subject: &mut Subject,
        knowledge: &Knowledge,
    ) -> Result<HashSet<Place>, Failure> {
        let verdicts = self.ask(subject)?;
        let mut mends = HashSet::new();
        let whole = !self.is_done();
        for ((mutant, said), verdict) in self.mutants.iter().zip(&mut self.said).zip(verdicts) {
            said.tried.failing += 1;
            if verdict == Some(true) {
                said.tried.failing_passed += 1;
                mends.extend(place(project, knowledge, mutant));
            } else if whole {
                // What the test does not execute does not mend it.
                said.unmended.push(name.to_string());
            }
        }
        Ok(mends)
    }

    /// A passing test is asked.
    fn passing(&mut self, subject: &mut Subject) -> Result<(), Failure> {
        let verdicts = self.ask(subject)?;
        for (said, verdict) in self.said.iter_mut().zip(verdicts) {
            said.tried.passing += u64::from(verdict.is_some());
            said.tried.passing_kept += u64::from(verdict == Some(true));
        }
        Ok(())
    }

    fn ask(&mut self, subject: &mut Subject) -> Result<Vec<Option<bool>>, Failure> {
        let Subject { machine, start, failing, replay, .. } = subject;
        let (began, mut left) = (Instant::now(), self.left);
        let verdicts =
            check(machine, start, failing, &self.mutants, &mut left, &|| self.is_late()).or_fail(findings::Exit::Usage);
        self.left = left;
        self.seconds += (began.elapsed() + *replay).as_secs_f64();
        verdicts
    }

    fn is_late(&self) -> bool {
        Instant::now() >= self.deadline || interrupts().is_cancelled()
    }

    /// Nothing more can be asked.
    fn is_done(&self) -> bool {
        self.left == 0 || self.is_late()
    }

    /// Drops the mutants that do not make all failing tests pass, where one does.
    fn keep_best(&mut self) {
        let best = self.said.iter().map(|said| said.tried.failing_passed).max().unwrap_or(0);
        let all = std::mem::take(&mut self.mutants).into_iter().zip(std::mem::take(&mut self.said));
        (self.mutants, self.said) = all.filter(|(_, said)| said.tried.failing_passed == best).unzip();
    }

    /// Failing tests that nothing mends which mends others and breaks no passing test: they may have another fault. To be asked
    /// after the passing tests.
    pub fn strangers(&self) -> Vec<String> {
        let mut good =
            self.said.iter().filter(|Said { tried, .. }| tried.passing > 0 && tried.passing_kept == tried.passing);
        let mut strangers = good.next().map(|said| said.unmended.clone()).unwrap_or_default();
        good.for_each(|said| strangers.retain(|test| said.unmended.contains(test)));
        strangers
    }

    /// Passing tests are asked, those that execute most of what was changed first.
    pub fn by_passing(&mut self, session: &Session, baseline: &Baseline, knowledge: &Knowledge) -> Result<(), Failure> {
        self.keep_best();
        let places: BTreeSet<Place> =
            self.mutants.iter().filter_map(|mutant| place(&session.project, knowledge, mutant)).collect();
        if places.is_empty() {
            return Ok(());
        }
        let task = session.progress.task("asking passing tests", None);
        for test in chosen(&session.project, &baseline.executed, &places) {
            if self.is_done() {
                break;
            }
            let test = baseline.suite.test(&test.result.name).map_err(Failure::usage)?;
            if let Some(mut subject) = Subject::passing(session, &baseline.project, test)? {
                self.passing(&mut subject)?;
            }
        }
        drop(task);
        Ok(())
    }

    /// By statement, the best first.
    pub fn by_place(
        self,
        project: &Path,
        sources: &ProjectSources,
        knowledge: &Knowledge,
    ) -> HashMap<Place, Vec<TriedChange>> {
        let mut by_place: HashMap<Place, Vec<TriedChange>> = HashMap::new();
        for (mutant, Said { tried, .. }) in self.mutants.iter().zip(self.said) {
            let Some(place) = place(project, knowledge, mutant) else { continue };
            let change = mutant_words(mutant, sources, &place);
            let list = by_place.entry(place).or_default();
            if !list.iter().any(|other| other.change == change) {
                let worth = tried.share() * mutant.kind.weight();
                list.push(TriedChange { change, worth, ..tried });
            }
        }
        for list in by_place.values_mut() {
            list.sort_by(|a, b| b.worth.total_cmp(&a.worth));
            list.truncate(MOST_SHOWN);
        }
        by_place
    }
}

/// Changes of a statement that are told.
const MOST_SHOWN: usize = 3;

fn place(project: &Path, knowledge: &Knowledge, mutant: &Mutant) -> Option<Place> {
    let statement = knowledge.statements.get(mutant.statement)?;
    Some((convert::relative(project, &statement.file), statement.line))
}

/// Passing tests: those that execute most of these places, among equals those that execute least of all.
fn chosen<'a>(project: &Path, executed: &'a [Executed], places: &BTreeSet<Place>) -> Vec<&'a Executed> {
    let passes = |test: &&Executed| test.whole && matches!(test.result.outcome, Outcome::Pass);
    let mut tests: Vec<(usize, &Executed)> = executed
        .iter()
        .filter(passes)
        .map(|test| {
            let lines = test.hits.iter().filter(|entity| {
                let position = &entity.position;
                places.contains(&(convert::relative(project, &position.file), position.line))
            });
            (lines.map(|entity| entity.position.line).collect::<BTreeSet<_>>().len(), test)
        })
        .filter(|(lines, _)| *lines > 0)
        .collect();
    tests.sort_by_key(|(lines, test)| (std::cmp::Reverse(*lines), test.hits.len(), &test.result.name));
    tests.into_iter().take(PASSING).map(|(_, test)| test).collect()
}
