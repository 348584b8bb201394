//! Locating a fault: tests are run with counts, statements ranked by these, and failing tests asked by formulas.

mod answers;
mod baseline;
mod condition;
mod effort;
pub mod failing;
mod formulas;
mod method;
mod mutants;
mod naming;
mod scope;
mod solvers;
mod subject;
mod test_code;
mod words;

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use whydunit_capture::Flavour;
use whydunit_findings::{Finding, FormulaStats, LineScore, Located, Problem, Verdict};
use whydunit_process::interrupts;

use crate::failure::Failure;
use crate::session::Session;
use crate::sources::ProjectSources;
use crate::working;

pub use baseline::Baseline;
use effort::{QUICK, THOROUGH};
use formulas::Asking;
pub use method::Method;
use mutants::Judged;
pub use scope::{Part, Scope};
pub use solvers::{SolverName, Solvers};
pub use subject::Subject;

/// Suspiciousness by file (relative to the project) and line.
pub type Suspicion = HashMap<(String, u32), f64>;

/// A statement as findings name it: file (relative to the project) and line.
pub type Place = (String, u32);

/// Findings that are enough, unless more are asked for.
pub const ENOUGH: usize = 10;

/// How a fault is looked for.
#[derive(Clone, Debug)]
pub struct Search {
    /// What ranks.
    pub method: Method,
    /// So many failing tests formulas look at.
    pub failing: usize,
    /// So many findings are enough.
    pub enough: usize,
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
        Self { method, failing, enough: ENOUGH, limit, thorough: false, solvers: Solvers::default() }
    }
}

/// What a method says.
#[derive(Default)]
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

impl Baseline {
    /// Ranks.
    pub fn rank(&self, session: &Session, search: &Search) -> Result<Ranking, Failure> {
        let &Search { method, failing, enough, limit, thorough, ref solvers } = search;
        let sources = ProjectSources::new(&session.project);
        let mut ranking = Ranking::default();
        ranking.located.method = method.name().into();
        let formulas = match method {
            Method::Spectrum(formula) => {
                ranking.located.findings = self.by_counts(session, formula);
                return Ok(ranking);
            }
            Method::Formulas(formulas) => formulas,
        };
        let by_counts = self.by_counts(session, whydunit_spectra::Formula::Ochiai);
        if by_counts.is_empty() {
            return Ok(ranking);
        }
        let suspicion = self.suspicion(session);
        let names: Vec<&str> = self.in_question().take(2 * failing).collect();
        if !names.is_empty() {
            let problems = working::flavours(session, &self.project, Flavour::Record)?;
            ranking.notes.extend(problems.into_iter().map(Problem::new));
        }
        let deadline = Instant::now() + limit;
        let effort = if thorough { THOROUGH } else { QUICK };
        let enough = if thorough { usize::MAX } else { enough };
        let asking = Asking { formulas, scope: self.scope(), suspicion: &suspicion, enough, effort, solvers, deadline };
        let mut answers: Vec<formulas::Answer> = Vec::new();
        let mut judged: Option<Judged> = None;
        for name in names {
            // Others come in for those that cannot be looked at.
            if answers.len() == failing || interrupts().is_cancelled() {
                break;
            }
            let test = self.suite.test(name).map_err(Failure::usage)?;
            let failed = match failing::record(session, &self.project, test)? {
                Ok(failed) => failed,
                Err(problems) => {
                    ranking.notes.extend(problems);
                    continue;
                }
            };
            ranking.located.failures.push(failed.failure.clone());
            ranking.notes.extend(failed.notes.clone());
            let mut subject = match Subject::failing(session, failed)? {
                Ok(Some(subject)) => subject,
                Ok(None) => continue,
                Err(problem) => {
                    ranking.notes.push(problem);
                    continue;
                }
            };
            let mends = match (&mut judged, answers.first()) {
                (Some(judged), Some(first)) => {
                    judged.failing(name, &session.project, &mut subject, &first.knowledge)?
                }
                _ => HashSet::new(),
            };
            let mut answer = formulas::ask(session, name, &mut subject, &asking, &answers, &mends)?;
            judged.get_or_insert_with(|| Judged::of(std::mem::take(&mut answer.located.mutants), deadline));
            answers.push(answer);
        }
        let (mut changes, mut seconds) = (HashMap::new(), 0.0);
        if let (Some(mut judged), Some(first)) = (judged, answers.first()) {
            judged.by_passing(session, self, &first.knowledge)?;
            seconds = judged.seconds;
            ranking.notes.extend(strangers(&judged.strangers(), answers.len()));
            changes = judged.by_place(&session.project, &sources, &first.knowledge);
        }
        let weighted = formulas.weighted;
        let executed = self.executed_by_all(session, answers.iter().map(|answer| answer.test.as_str()));
        let unseen: Vec<_> = answers.iter().map(|answer| answer.unseen(&session.project)).collect();
        // What only some failing tests execute cannot be all that is at fault, and may be a part of it.
        let verdict = |other: &Finding| match executed.contains(&place_of(other)) {
            true => unseen.iter().any(|unseen| unseen.may_be(other)).then_some(Verdict::Undecided),
            false => other.counts.is_some_and(|counts| counts.failed > 0).then_some(Verdict::Excluded),
        };
        let counted = by_counts.iter().filter_map(|other| Some((other, verdict(other)?)));
        let (findings, sets) =
            answers::report(&session.project, &sources, &answers, weighted, &suspicion, counted, &mut changes);
        ranking.cut = answers::cut(&answers);
        let mut stats = answers::stats(&answers);
        stats.trial_seconds += seconds;
        ranking.stats = Some(stats);
        if effort.rounds {
            ranking.located.rounds = answers::rounds(&session.project, &answers);
        }
        ranking.located.correction_sets = sets;
        ranking.located.findings = findings;
        if ranking.located.findings.is_empty() {
            if !by_counts.is_empty() {
                ranking.notes.push(Problem::new("formulas found nothing: this is the ranking by counts (ochiai)"));
            }
            ranking.located.findings = by_counts;
        } else {
            add_counts(&mut ranking.located.findings, &by_counts);
            ranking.located.lines = lines(&suspicion);
        }
        Ok(ranking)
    }
}

/// That tests may fail by another fault than the others do.
fn strangers(tests: &[String], asked: usize) -> Option<Problem> {
    let (first, names) = (tests.first()?, tests.join(", "));
    let text = format!(
        "{} of {asked} failing tests may have another fault ({names}): what mends the others does not mend it",
        tests.len()
    );
    Some(Problem::new(text).help(format!("`whydunit locate {first}` asks about it alone")))
}

fn place_of(finding: &Finding) -> Place {
    (finding.location.file.clone(), finding.location.line)
}

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
