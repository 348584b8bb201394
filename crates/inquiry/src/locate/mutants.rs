//! Mutants that make a failing test pass, judged by the other tests: what makes all failing tests pass and breaks no passing
//! one is where a person would mend the program.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use whydunit_findings::{Replacement, Sources, TriedChange};
use whydunit_locate::{Home, Judgement, Kind, Mutant, check};
use whydunit_symbolic::Knowledge;
use whydunit_workbench::Executed;

use super::condition::code_of;
use super::subject::Subject;
use super::words::{constant_words, mutant_words};
use super::{Baseline, Place, failing, homes};
use crate::Error;
use whydunit_desk::Cancel;
use whydunit_desk::Desk;
use whydunit_desk::ProjectSources;
use whydunit_desk::convert;

/// So many passing tests are asked.
const PASSING: usize = 30;

/// So many changes are asked whether all failing tests have one fault.
const ONE_FAULT: usize = 4;

/// Instructions of all runs of mutants of other tests than the first failing one.
const INSTRUCTIONS: u64 = 60_000_000;

/// Mutants, and what tests say of each.
pub struct Judged {
    mutants: Vec<Mutant>,
    /// What tests say, in the same order.
    said: Vec<Said>,
    /// Instructions that runs may still execute.
    left: u64,
    /// Cancelled when to stop.
    patience: Cancel,
    /// Numbers that failing tests state.
    numbers: Rc<[i64]>,
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
    pub fn of(mutants: Vec<Mutant>, numbers: &Rc<[i64]>, patience: Cancel) -> Self {
        let first = |_| Said {
            tried: TriedChange { failing: 1, failing_passed: 1, ..TriedChange::default() },
            ..Said::default()
        };
        Self {
            said: mutants.iter().map(first).collect(),
            mutants,
            left: INSTRUCTIONS,
            patience,
            numbers: Rc::clone(numbers),
            seconds: 0.0,
        }
    }

    /// Another failing test is asked. The statements whose mutants make it pass.
    pub fn failing(
        &mut self,
        name: &str,
        project: &Path,
        subject: &mut Subject,
        knowledge: &Knowledge,
    ) -> Result<HashSet<Place>, Error> {
        let verdicts = self.ask(subject, false)?;
        let mut mends = HashSet::new();
        let (whole, from_start) = (!self.is_done(), !subject.begins_later);
        for ((mutant, said), verdict) in self.mutants.iter().zip(&mut self.said).zip(verdicts) {
            let is_known = match verdict {
                Judgement::Passes => true,
                // Where the run's beginning is not looked at it was not changed there.
                Judgement::Fails => from_start,
                // Where there was not time for all of them, one that was not tried may be executed.
                Judgement::NotAsked => from_start && whole,
                Judgement::Unknown => false,
            };
            if !is_known {
                continue;
            }
            said.tried.failing += 1;
            if verdict == Judgement::Passes {
                said.tried.failing_passed += 1;
                mends.extend(place(project, knowledge, mutant));
            } else {
                // What the test does not execute does not mend it.
                said.unmended.push(name.to_string());
            }
        }
        Ok(mends)
    }

    /// A passing test is asked.
    fn passing(&mut self, subject: &mut Subject) -> Result<(), Error> {
        let verdicts = self.ask(subject, true)?;
        for (said, verdict) in self.said.iter_mut().zip(verdicts) {
            said.tried.passing += u64::from(matches!(verdict, Judgement::Passes | Judgement::Fails));
            said.tried.passing_kept += u64::from(verdict == Judgement::Passes);
        }
        Ok(())
    }

    /// `passes`: the subject's run passes as it was recorded.
    fn ask(&mut self, subject: &mut Subject, passes: bool) -> Result<Vec<Judgement>, Error> {
        let mutants = std::mem::take(&mut self.mutants);
        let verdicts = self.ask_about(subject, passes, &mutants);
        self.mutants = mutants;
        verdicts
    }

    fn ask_about(&mut self, subject: &mut Subject, passes: bool, mutants: &[Mutant]) -> Result<Vec<Judgement>, Error> {
        let Subject { machine, start, failing, replay, .. } = subject;
        let (began, mut left) = (Instant::now(), self.left);
        let verdicts = check(machine, start, (failing, passes), mutants, &mut left, &|| self.is_late());
        self.left = left;
        self.seconds += (began.elapsed() + *replay).as_secs_f64();
        Ok(verdicts?)
    }

    fn is_late(&self) -> bool {
        self.patience.is_cancelled()
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

    /// Which failing tests have one fault: a change makes all of them pass that were asked, breaks no passing one that was, and makes
    /// these others pass too. Asked are those of `failing` that were not yet, as far as there is work left. None where there is
    /// no such change.
    pub fn one_fault(
        &mut self,
        desk: &Desk,
        baseline: &Baseline,
        asked: &[&str],
        failing: &[&str],
    ) -> Result<Option<HashSet<String>>, Error> {
        let good = |said: &Said| said.tried.mends_all();
        let all = std::mem::take(&mut self.mutants).into_iter().zip(std::mem::take(&mut self.said));
        let (mut good, rest): (Vec<_>, Vec<_>) = all.partition(|(_, said)| good(said));
        good.sort_by(|(a, x), (b, y)| {
            let key = |mutant: &Mutant, said: &Said| said.tried.share() * mutant.kind.weight();
            key(b, y).total_cmp(&key(a, x))
        });
        let asking: Vec<Mutant> = good.iter().take(ONE_FAULT).map(|(mutant, _)| mutant.clone()).collect();
        (self.mutants, self.said) = good.into_iter().chain(rest).unzip();
        if asking.is_empty() {
            return Ok(None);
        }
        let known: HashSet<String> = asked.iter().map(|name| (*name).to_string()).collect();
        let mut mended = vec![known; asking.len()];
        let others: Vec<&str> = failing.iter().filter(|name| !asked.contains(*name)).copied().collect();
        let task = desk.task("asking the other failing tests", Some(others.len() as u64));
        for name in others.into_iter().take(PASSING) {
            if self.is_done() {
                break;
            }
            let test = baseline.suite.test(name).map_err(whydunit_desk::Error::NoTest)?;
            let Ok(failed) = failing::record(desk, &baseline.project, test, (None, &self.patience))? else { continue };
            let Ok(Some(mut subject)) = Subject::failing(desk, failed, &self.patience)? else { continue };
            let verdicts = self.ask_about(&mut subject, false, &asking)?;
            for (mended, verdict) in mended.iter_mut().zip(verdicts) {
                mended.extend((verdict == Judgement::Passes).then(|| name.to_string()));
            }
            task.step(name);
        }
        drop(task);
        Ok(mended.into_iter().max_by_key(HashSet::len))
    }

    /// Whether one change makes all failing tests pass that were asked: then they fail by one fault, as far as is known.
    pub fn mends_all(&self) -> bool {
        self.said.iter().any(|Said { tried, .. }| tried.failing_passed == tried.failing)
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
    pub fn by_passing(&mut self, desk: &Desk, baseline: &Baseline, knowledge: &Knowledge) -> Result<(), Error> {
        self.keep_best();
        let places: BTreeSet<Place> =
            self.mutants.iter().filter_map(|mutant| place(&desk.project, knowledge, mutant)).collect();
        if places.is_empty() {
            return Ok(());
        }
        let task = desk.task("asking passing tests", None);
        for test in chosen(&desk.project, &baseline.comparable(), &places) {
            if self.is_done() {
                break;
            }
            let test = baseline.suite.test(&test.result.name).map_err(whydunit_desk::Error::NoTest)?;
            if let Some(mut subject) = Subject::passing(desk, &baseline.project, test, &self.patience)? {
                self.passing(&mut subject)?;
            }
        }
        drop(task);
        Ok(())
    }

    /// From 0 to 1, how little a change says that one failing test alone asks for: a number of its own input makes it pass by chance.
    fn chance(&self, mutant: &Mutant, tried: &TriedChange) -> f64 {
        match mutant.kind {
            Kind::Constant(was, now) if tried.failing == 1 && self.numbers.contains(&now) && was.abs_diff(now) > 1 => {
                0.5
            }
            _ => 1.0,
        }
    }

    /// By statement, the best first.
    pub fn by_place(self, project: &Path, sources: &ProjectSources, knowledge: &Knowledge) -> Changes {
        let mut by_place: HashMap<Place, Vec<(bool, TriedChange)>> = HashMap::new();
        let mut beside = HashMap::new();
        for (mutant, Said { tried, .. }) in self.mutants.iter().zip(&self.said) {
            let Some(statement) = place(project, knowledge, mutant) else { continue };
            let named = named_constant(mutant, sources, &statement);
            let place = match (&mutant.home, &named) {
                (Some(home), _) => homes::place(home, project, sources, &statement),
                (None, Some(named)) => (statement.0.clone(), named.line),
                (None, None) => (statement.0.clone(), spread(mutant, sources, &statement).unwrap_or(statement.1)),
            };
            let change = match &named {
                Some(named) => constant_words(mutant, sources, &statement, &named.name),
                None => mutant_words(mutant, sources, &place),
            };
            let change = match &mutant.home {
                Some(home) => change + &homes::which(home, sources, &place),
                None => change,
            };
            let replaced = replaced(mutant, named.as_ref(), sources, &place.0);
            if place != statement {
                let of_statement = || knowledge.statements.get(mutant.statement).map(|known| known.function.clone());
                let function = match (&mutant.home, named) {
                    (Some(Home::Entry { variable, .. }), _) if !variable.is_empty() => variable.clone(),
                    (_, Some(named)) => named.name,
                    _ => of_statement().unwrap_or_default(),
                };
                beside.entry(place.clone()).or_insert(Beside { function, statement });
            }
            let list = by_place.entry(place).or_default();
            if !list.iter().any(|(_, other)| other.change == change) {
                let worth = tried.share() * mutant.kind.weight() * self.chance(mutant, tried);
                list.push((mutant.kind.is_named(), TriedChange { change, worth, replaced, ..tried.clone() }));
            }
        }
        Changes { by_place: by_place.into_iter().map(|(place, list)| (place, told(list))).collect(), beside }
    }
}

/// What a mutant is in a source, where it is another number in an initial value or in the definition of a constant.
fn replaced(
    mutant: &Mutant,
    named: Option<&homes::Definition>,
    sources: &ProjectSources,
    file: &str,
) -> Option<Replacement> {
    let Kind::Constant(was, now) = mutant.kind else { return None };
    homes::replaced(mutant.home.as_ref(), named, (file, &sources.text(file)?), (was, now))
}

/// The definition of a constant in the place of which a mutant has another one, where the source names it.
fn named_constant(mutant: &Mutant, sources: &ProjectSources, statement: &Place) -> Option<homes::Definition> {
    let (Kind::Constant(was, _), None) = (&mutant.kind, &mutant.home) else { return None };
    let code = code_of(statement, sources);
    homes::definition(&sources.text(&statement.0)?, &code, *was).filter(|found| found.line != statement.1)
}

/// The line of the constant in the place of which a mutant has another one, where its statement is several lines long.
fn spread(mutant: &Mutant, sources: &ProjectSources, statement: &Place) -> Option<u32> {
    let (Kind::Constant(was, _), None) = (&mutant.kind, &mutant.home) else { return None };
    homes::spread(&sources.text(&statement.0)?, statement.1, *was)
}

/// Changes that were tried.
#[derive(Default)]
pub struct Changes {
    /// By place, the best first.
    pub by_place: HashMap<Place, Vec<TriedChange>>,
    /// Places of them that are no statement's: entries of tables, labels.
    pub beside: HashMap<Place, Beside>,
}

/// A place that is no statement's.
pub struct Beside {
    /// The variable whose initial value stands there, or the function.
    pub function: String,
    /// The statement that reads it, or that goes there.
    pub statement: Place,
}

/// The changes of a statement that are told, the best first: of those with nothing that has a name in the source, which tell a person
/// little, only one that is better than all others.
fn told(mut changes: Vec<(bool, TriedChange)>) -> Vec<TriedChange> {
    changes.sort_by(|(_, a), (_, b)| b.worth.total_cmp(&a.worth));
    let best = changes.first().map_or(0.0, |(_, change)| change.worth);
    let (mut named, unnamed): (Vec<_>, Vec<_>) = changes.into_iter().partition(|(named, _)| *named);
    if named.first().is_none_or(|(_, first)| first.worth < best) {
        named.splice(0..0, unnamed.into_iter().take(1));
    }
    named.truncate(MOST_SHOWN);
    named.into_iter().map(|(_, change)| change).collect()
}

/// Changes of a statement that are told.
const MOST_SHOWN: usize = 3;

fn place(project: &Path, knowledge: &Knowledge, mutant: &Mutant) -> Option<Place> {
    let statement = knowledge.statements.get(mutant.statement)?;
    Some((convert::relative(project, &statement.file), statement.line))
}

/// Passing tests: those that execute most of these places, among equals those that execute least of all.
fn chosen<'a>(project: &Path, passing: &[&'a Executed], places: &BTreeSet<Place>) -> Vec<&'a Executed> {
    let mut tests: Vec<(usize, &Executed)> = passing
        .iter()
        .copied()
        .filter(|test| test.whole)
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
