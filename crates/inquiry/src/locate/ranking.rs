//! The ranking of a method: failing tests asked by formulas, passing ones about the mutants that mend, and all of it put together.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use whydunit_causes::failure::{FailureKind, check};
use whydunit_desk::recordings::Opened;
use whydunit_desk::{Desk, ProjectSources, checking, prepare};
use whydunit_findings::{CorrectionSet, Finding, FormulaStats, LineScore, Located, Problem, RunErrors, Verdict};
use whydunit_process::Cancel;
use whydunit_replay::{Segments, Snapshot};
use whydunit_spectra::Formula;
use whydunit_symbolic::Moment;

use super::effort::{QUICK, THOROUGH};
use super::failing::NotLooked;
use super::formulas::{Asking, Before, Formulas};
use super::mutants::{Changes, Judged};
use super::nearness::{Nearness, by_distance};
use super::patience::FIRST;
use super::subject::{PARTS, WINDOW};
use super::walk::Walk;
use super::{Baseline, Method, Solvers, Subject, Suspicion, answers, failing, formulas, numbers, place_of};
use crate::Error;

/// Numbers are taken from so many failing tests.
const STATING: usize = 8;

/// What a failing run does wrong is compared with so many passing ones.
const COMPARED: usize = 3;

/// So many statements are named before the answer is there.
const SO_FAR: usize = 3;

/// How a fault is looked for.
#[derive(Clone, Debug)]
pub struct Search {
    /// What ranks.
    pub method: Method,
    /// So many failing tests formulas look at.
    pub failing: usize,
    /// When formulas stop, what has to be built not counted.
    pub limit: Duration,
    /// Everything is looked at, instead of as much as a quick answer needs.
    pub thorough: bool,
    /// What answers formulas.
    pub solvers: Solvers,
}

impl Search {
    /// By a method, as quickly as without any options.
    pub fn by(method: Method, failing: usize, limit: Duration) -> Self {
        Self { method, failing, limit, thorough: false, solvers: Solvers::default() }
    }
}

/// What a method says.
#[derive(Clone, Default)]
pub struct Ranking {
    /// Its findings.
    pub located: Located,
    /// What should be known.
    pub notes: Vec<Problem>,
    /// Time was up before the search had come to its end.
    pub cut: bool,
    /// Figures of formulas.
    pub stats: Option<FormulaStats>,
}

/// What a method says of failing tests as if they had one fault, and what speaks against that.
pub(super) struct Together {
    pub ranking: Ranking,
    /// The failing tests that were asked.
    pub asked: Vec<String>,
    /// Those of them that no change makes pass which makes others pass and breaks no passing test.
    pub strangers: Vec<String>,
    /// All of them, and what else fails and passes with a change that makes them pass and breaks no passing test; empty where there is
    /// no such change.
    pub mended: HashSet<String>,
}

impl From<Ranking> for Together {
    fn from(ranking: Ranking) -> Self {
        Self { ranking, asked: Vec::new(), strangers: Vec::new(), mended: HashSet::new() }
    }
}

/// What failing tests said, and the mutants that mend them.
#[derive(Default)]
struct Asked {
    answers: Vec<formulas::Answer>,
    judged: Option<Judged>,
    /// Of tests that formulas cannot be asked about: what the way to their failure says.
    walked: Vec<Walk>,
}

/// What tests say of the mutants that mend failing ones.
#[derive(Default)]
struct ByTests {
    changes: Changes,
    /// Time that it took.
    seconds: f64,
    /// Failing tests that one change mends.
    one_fault: HashSet<String>,
    /// Failing tests that no change mends which mends others.
    strangers: Vec<String>,
}

impl Baseline {
    /// Ranks the statements by a method, the failing tests taken together.
    pub(super) fn rank_together(&self, desk: &Desk, search: &Search) -> Result<Together, Error> {
        let mut ranking = Ranking::default();
        ranking.located.method = search.method.name().into();
        let formulas = match search.method {
            Method::Spectrum(formula) => {
                ranking.located.findings = self.by_counts(desk, formula);
                return Ok(ranking.into());
            }
            Method::Ample => {
                let failing: Vec<String> = self.in_question().map(str::to_owned).collect();
                let (located, notes) = crate::mine::ample::rank(desk, &failing)?;
                (ranking.located, ranking.notes) = (located, notes);
                return Ok(ranking.into());
            }
            Method::Formulas(formulas) => formulas,
        };
        let by_counts = self.by_counts(desk, Formula::Ochiai);
        if by_counts.is_empty() {
            return Ok(ranking.into());
        }
        if let Some(told) = first_lines(&by_counts) {
            desk.so_far(&told);
        }
        let suspicion = self.suspicion(desk);
        let Asked { answers, judged, walked } = self.ask_failing(desk, search, formulas, &suspicion, &mut ranking)?;
        let ByTests { changes, seconds, one_fault, strangers } = self.ask_passing(desk, &answers, judged)?;
        ranking.cut |= answers::cut(&answers);
        let mut stats = answers::stats(&answers, &desk.cancel);
        stats.trial_seconds += seconds;
        ranking.stats = Some(stats);
        if search.thorough {
            ranking.located.rounds = answers::rounds(&desk.project, &answers);
        }
        let counts = Counts { ranking: &by_counts, suspicion: &suspicion };
        let (findings, sets) = self.put_together(desk, &answers, (formulas.weighted, &one_fault), &counts, changes);
        ranking.located.correction_sets = sets;
        ranking.located.findings = findings;
        if ranking.located.findings.is_empty() {
            let why = if ranking.cut { "formulas were not asked in time" } else { "formulas found nothing" };
            let is_walked = formulas.weighted && walked.iter().any(|walk| !walk.distances.is_empty());
            let distance = if is_walked { " and by the distance from the failure" } else { "" };
            ranking.notes.push(Problem::new(format!("{why}: this is the ranking by counts (ochiai){distance}")));
            ranking.located.findings = by_counts;
            ranking.located.findings.retain(|finding| !self.is_of_checks(&walked, finding));
            if is_walked {
                by_distance(&mut ranking.located.findings, &suspicion, &Nearness::of(&walked, self.passing()));
            }
        } else {
            add_counts(&mut ranking.located.findings, &by_counts);
            ranking.located.lines = lines(&suspicion);
        }
        let asked = answers.into_iter().map(|answer| answer.test).collect();
        Ok(Together { ranking, asked, strangers, mended: one_fault })
    }

    /// Records failing tests, as many as are asked for, and asks each by formulas. Others come in for those that cannot be looked at.
    fn ask_failing(
        &self,
        desk: &Desk,
        search: &Search,
        formulas: Formulas,
        suspicion: &Suspicion,
        ranking: &mut Ranking,
    ) -> Result<Asked, Error> {
        let &Search { failing, limit, thorough, ref solvers, .. } = search;
        let names: Vec<&str> = self.in_question().take(2 * failing).collect();
        if !names.is_empty() && !self.recorders(desk, &names, ranking)? {
            return Ok(Asked::default());
        }
        let deadline = Instant::now() + limit;
        let deadline = self.deadline.map_or(deadline, |whole| whole.min(deadline));
        let patience = desk.cancel.by(deadline);
        let effort = if thorough { THOROUGH } else { QUICK };
        let tests = self.in_question().take(STATING).filter_map(|name| self.suite.test(name).ok());
        let numbers = numbers::stated(tests);
        let passing = self.passing();
        let asking = Asking { formulas, scope: self.scope(), suspicion, effort, numbers, solvers, deadline, passing };
        let Asked { mut answers, mut judged, mut walked } = Asked::default();
        for name in names {
            if answers.len() == failing || patience.is_cancelled() {
                break;
            }
            let Some(mut subject) = self.subject(desk, name, &patience, (ranking, &mut walked))? else { continue };
            let mends = match (&mut judged, answers.first()) {
                (Some(judged), Some(first)) => judged.failing(name, &desk.project, &mut subject, &first.knowledge)?,
                _ => HashSet::new(),
            };
            let one_fault = judged.as_ref().is_some_and(Judged::mends_all);
            let before = Before { answers: &answers, mends: &mends, one_fault };
            let mut answer = formulas::ask(desk, name, &mut subject, &asking, &before)?;
            ranking.notes.extend(answer.walk.checks.as_ref().map(|checks| Problem::new(checks.told(name))));
            judged.get_or_insert_with(|| {
                Judged::of(std::mem::take(&mut answer.located.mutants), &asking.numbers, patience.clone())
            });
            answers.push(answer);
        }
        ranking.cut = patience.is_cancelled();
        Ok(Asked { answers, judged, walked })
    }

    /// Makes what it takes to record these tests; false where the work had to end before that was done, which is told.
    fn recorders(&self, desk: &Desk, names: &[&str], ranking: &mut Ranking) -> Result<bool, Error> {
        let made = match self.late(desk) {
            true => None,
            false => {
                Some(desk.until(self.deadline, |desk| prepare::recorders(desk, &self.project, &self.recorded(names))))
            }
        };
        match made {
            Some(Ok(problems)) => {
                ranking.notes.extend(problems.into_iter().map(Problem::new));
                Ok(true)
            }
            Some(Err(error)) if !(error.is_interrupted() && self.late(desk)) => Err(error.into()),
            _ => {
                ranking.cut = true;
                let text = "the work was ended before failing tests could be recorded: nothing was asked about them";
                let help = "run the command again: it goes on with what is made by now";
                ranking.notes.push(Problem::new(text).help(help));
                Ok(false)
            }
        }
    }

    /// Records a failing test and goes to its failure; `None` where that cannot be done, which is told.
    fn subject(
        &self,
        desk: &Desk,
        name: &str,
        patience: &Cancel,
        (ranking, walked): (&mut Ranking, &mut Vec<Walk>),
    ) -> Result<Option<Subject>, Error> {
        let test = self.suite.test(name).map_err(whydunit_desk::Error::NoTest)?;
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let endless = self.endless().contains(name).then_some(FIRST);
        let most = left.into_iter().chain(endless).min();
        let failed = match failing::record(desk, &self.project, test, (most, patience))? {
            Ok(failed) => failed,
            Err(NotLooked { problems, failure, walkable }) => {
                ranking.notes.extend(problems);
                let by_status = failure.as_ref().is_some_and(|told| told.kind == FailureKind::ExitStatus.name());
                ranking.located.failures.extend(failure);
                if let Some(walkable) = walkable {
                    let walk = self.walked_from_start(desk, &walkable, by_status, patience)?;
                    ranking.notes.extend(walk.checks.as_ref().map(|checks| Problem::new(checks.told(name))));
                    walked.push(walk);
                }
                return Ok(None);
            }
        };
        let said =
            self.executed.iter().find(|test| test.result.name == name).and_then(|test| failing_check(&test.result));
        let mut failure = failed.failure.clone();
        let is_untold = failed.found.kind == FailureKind::ExitStatus || failed.found.message == check::UNTOLD;
        if let Some(said) = said.filter(|_| is_untold) {
            failure.message += &format!("; it says: {said}");
        }
        ranking.located.failures.push(failure);
        ranking.notes.extend(failed.notes.clone());
        if !failed.found.undefined.is_empty() {
            ranking.notes.extend(failing::undefined(desk, name, &failed.found, &self.passing_errors(desk)));
        }
        match Subject::failing(desk, failed, patience)? {
            Ok(subject) => Ok(subject),
            Err(problem) => {
                ranking.notes.push(problem);
                Ok(None)
            }
        }
    }

    /// Whether a finding is in code of tests that makes the checks of a failing run, and is none of what is ranked.
    fn is_of_checks<'a>(&self, walks: impl IntoIterator<Item = &'a Walk>, finding: &Finding) -> bool {
        !self.scope().tests && walks.into_iter().any(|walk| walk.is_of_checks(&finding.location.file))
    }

    /// What the way to the failure says of a run that cannot be asked.
    fn walked_from_start(
        &self,
        desk: &Desk,
        (opened, moment): &(Opened, Moment),
        by_status: bool,
        patience: &Cancel,
    ) -> Result<Walk, Error> {
        let mut machine = opened.machine()?;
        machine.set_patience(Some(patience.clone()));
        let parts = Segments::divide(&mut machine, PARTS, WINDOW / 8)?;
        let last = parts.segment_of(moment.instruction.saturating_sub(WINDOW));
        let snapshots: Vec<Snapshot> = (0..=last).filter_map(|part| parts.start(part)).cloned().collect();
        let point = (moment.instruction, moment.pc);
        Walk::of(desk, self.scope(), (&mut machine, &snapshots), (point, by_status), self.passing())
    }

    /// What some passing tests do wrong: recorded and replayed for that. One that cannot be recorded says nothing.
    fn passing_errors(&self, desk: &Desk) -> RunErrors {
        let passing = self.comparable().into_iter();
        let tests = passing.filter_map(|test| self.suite.test(&test.result.name).ok()).take(COMPARED);
        let mut errors = RunErrors::default();
        let found = tests.filter_map(|test| checking::errors_of(desk, &self.project, test).ok());
        found.for_each(|found| errors.extend(found));
        errors
    }

    /// Asks passing tests about the mutants that mend failing ones, and about the best of them the failing tests that were not asked.
    fn ask_passing(&self, desk: &Desk, answers: &[formulas::Answer], judged: Option<Judged>) -> Result<ByTests, Error> {
        let (Some(mut judged), Some(first)) = (judged, answers.first()) else { return Ok(ByTests::default()) };
        judged.by_passing(desk, self, &first.knowledge)?;
        let asked: Vec<&str> = answers.iter().map(|answer| answer.test.as_str()).collect();
        let failing: Vec<&str> = self.all_in_question().map(|test| test.result.name.as_str()).collect();
        let one_fault = judged.one_fault(desk, self, &asked, &failing)?.unwrap_or_default();
        let (seconds, strangers) = (judged.seconds, judged.strangers());
        let sources = ProjectSources::new(&desk.project);
        let changes = judged.by_place(&desk.project, &sources, &first.knowledge);
        Ok(ByTests { changes, seconds, one_fault, strangers })
    }

    /// Puts the answers of formulas and what counts say together: findings and correction sets. No findings where formulas found none.
    fn put_together(
        &self,
        desk: &Desk,
        answers: &[formulas::Answer],
        (weighted, one_fault): (bool, &HashSet<String>),
        counts: &Counts<'_>,
        mut changes: Changes,
    ) -> (Vec<Finding>, Vec<CorrectionSet>) {
        let sources = ProjectSources::new(&desk.project);
        let executed = self.executed_by_all(desk, answers.iter().map(|answer| answer.test.as_str()));
        let unseen: Vec<_> = answers.iter().map(|answer| answer.unseen(&desk.project)).collect();
        let not_executed = self.not_executed(desk, one_fault);
        // What only some failing tests execute cannot be all that is at fault, and may be a part of it.
        let verdict = |other: &Finding| match executed.contains(&place_of(other)) {
            true => unseen.iter().any(|unseen| unseen.may_be(other)).then_some(Verdict::Undecided),
            false => other.counts.is_some_and(|counts| counts.failed > 0).then_some(Verdict::NotAsked),
        };
        // A table's entry is as suspicious as what reads it, an array as what accesses it.
        let mut suspicion = counts.suspicion.clone();
        let entries = changes.beside.iter().map(|(place, beside)| (place, &beside.statement));
        let overruns = answers.iter().filter_map(|answer| answer.overrun.as_ref());
        for (place, statement) in entries.chain(overruns.map(|overrun| (&overrun.place, &overrun.statement))) {
            let score = suspicion.get(statement).copied();
            suspicion.entry(place.clone()).or_insert(score.unwrap_or(0.0));
        }
        let of_checks = |finding: &&Finding| self.is_of_checks(answers.iter().map(|answer| &answer.walk), finding);
        let counted = counts
            .ranking
            .iter()
            .filter(|finding| !of_checks(finding))
            .filter_map(|other| Some((other, verdict(other)?)));
        let nearness = Nearness::of(answers.iter().map(|answer| &answer.walk), self.passing());
        let order = (&suspicion, &nearness);
        answers::report(&desk.project, &sources, answers, (weighted, &not_executed), order, counted, &mut changes)
    }
}

/// The first statements of a ranking by counts, in a line; `None` of an empty one.
fn first_lines(ranking: &[Finding]) -> Option<String> {
    let mut places: Vec<String> = ranking.iter().map(|finding| finding.location.to_string()).collect();
    places.dedup();
    places.truncate(SO_FAR);
    (!places.is_empty()).then(|| format!("most suspicious by counts alone: {}", places.join(", ")))
}

/// What counts say: the ranking, and each line's suspiciousness.
struct Counts<'a> {
    ranking: &'a [Finding],
    suspicion: &'a Suspicion,
}

/// The line by which a test's own check says that it failed: the first that names a place of a source.
fn failing_check(result: &whydunit_suite::TestResult) -> Option<String> {
    let plain = |bytes: &Vec<u8>| String::from_utf8_lossy(&strip_ansi_escapes::strip(bytes)).into_owned();
    let texts = [&result.stderr, &result.stdout].map(plain);
    let line = texts.iter().flat_map(|text| text.lines()).find(|line| tells_failure(line))?;
    Some(line.trim().chars().take(MOST_SAID).collect())
}

/// Whether a line names a place, and not that of a test that passes or was left out, as Unity does of each.
fn tells_failure(line: &str) -> bool {
    let line = line.trim_end();
    names_place(line) && !line.ends_with(":PASS") && !line.ends_with(":IGNORE")
}

/// Whether a line has `FILE:LINE` in it.
fn names_place(line: &str) -> bool {
    let sources = [".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".rs"];
    line.match_indices(':').any(|(at, _)| {
        let is_line = line[at + 1..].starts_with(|c: char| c.is_ascii_digit());
        is_line && sources.iter().any(|extension| line[..at].ends_with(extension))
    })
}

/// So much of a test's own words is told.
const MOST_SAID: usize = 160;

/// Suspicious lines, in order.
fn lines(suspicion: &Suspicion) -> Vec<LineScore> {
    let suspicious = suspicion.iter().filter(|(_, score)| **score > 0.0);
    let mut lines: Vec<LineScore> =
        suspicious.map(|((file, line), score)| LineScore { file: file.clone(), line: *line, score: *score }).collect();
    lines.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    lines
}

/// How many tests ran each statement, and where in its line it begins.
fn add_counts(findings: &mut [Finding], by_counts: &[Finding]) {
    for finding in findings {
        let same = |other: &&Finding| {
            other.branch.is_none()
                && other.location.file == finding.location.file
                && other.location.line == finding.location.line
        };
        if let Some(other) = by_counts.iter().find(same) {
            // Of the statement, as the counts are, even where an outcome of it is more suspicious.
            finding.score = other.score;
            finding.counts = other.counts;
            finding.location = other.location.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tells_failure;

    #[test]
    fn the_line_of_a_failing_check_is_told_from_those_of_tests_that_pass() {
        assert!(tells_failure("tests/parse.c:53:pairs:FAIL: Couldn't parse string."));
        assert!(tells_failure("a.cpp:9: Failure"));
        assert!(!tells_failure("tests/parse.c:128:strings:PASS"));
        assert!(!tells_failure("tests/parse.c:130:later:IGNORE"));
        assert!(!tells_failure("2 Tests 1 Failures"));
    }
}
