//! Locating by formulas: failing tests are recorded, and each recording is asked which statements, were their values
//! others, would make it pass.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

use whydunit_findings::{self as findings, Problem};
use whydunit_locate::{Change, Expected, Located, Method, Settings, Stopped, find, locate};
use whydunit_replay::{Machine, Segments};
use whydunit_solve::Cadical;
use whydunit_suite::Test;
use whydunit_suite::process::interrupts;
use whydunit_symbolic::{Bounds, FreeKind, Knowledge, Statement};
use whydunit_workbench::{Project, Recordings};

use crate::convert;
use crate::failure::{Failure, OrFail};
use crate::session::Session;
use crate::sources::ProjectSources;

/// So many instructions before the failure are encoded at most.
const WINDOW: u64 = 1_000_000;

/// How formulas are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formulas {
    /// All ways at once instead of on demand.
    pub bug_assist: bool,
    /// Statements cost by their suspiciousness.
    pub weighted: bool,
}

/// Suspiciousness by file (relative to the project) and line.
pub type Suspicion = HashMap<(String, u32), f64>;

/// What formulas found for one failing test.
pub struct Answer {
    located: Located,
    knowledge: Knowledge,
}

/// The cost of a statement: the inverse of its suspiciousness, as an integer that keeps different values apart.
fn cost(suspicion: &Suspicion, project: &Path, statement: &Statement) -> u64 {
    const ONE: f64 = 1e6;
    let file = convert::relative(project, &statement.file);
    let score = suspicion.get(&(file, statement.line)).copied().unwrap_or(0.0);
    if score <= 0.0 { (1000.0 * ONE) as u64 } else { (ONE / score).min(999.0 * ONE) as u64 }
}

/// Records a failing test and asks the recording. What could not be done comes back as a problem.
pub fn ask(
    session: &Session,
    project: &Project,
    test: &Test,
    formulas: Formulas,
    suspicion: &Suspicion,
    deadline: Instant,
) -> Result<Result<Answer, Problem>, Failure> {
    let name = test.name().to_string();
    let unable = |reason: String| Ok(Err(Problem::new(format!("test {name}: {reason}"))));
    let store = session.store()?;
    let task = session.progress.task(&format!("recording {name}"), None);
    let run = project.record_test(test, &Recordings::of(&store), interrupts()).or_fail(findings::Exit::Usage)?;
    drop(task);
    if !run.result.iter().any(|result| result.outcome.is_failure()) {
        return unable("it passes when it is run again: a flaky test has nothing to locate".into());
    }
    let Some(recorded) = run.recordings.first() else {
        return unable("nothing of its run could be recorded".into());
    };
    let opened = session.open_recording(&store, &recorded.path)?;
    let expected = session.expected(&opened.recording);
    let expected = Expected { stdout: expected.stdout, status: expected.status };
    let mut machine = Machine::new(opened.program.clone(), &opened.recording).or_fail(findings::Exit::Usage)?;
    let task = session.progress.task(&format!("replaying {name}"), None);
    let found = find(&mut machine, &expected).or_fail(findings::Exit::Usage)?;
    let found = match found {
        Ok(found) => found,
        Err(reason) => return unable(reason),
    };
    let mut machine = Machine::new(opened.program, &opened.recording).or_fail(findings::Exit::Usage)?;
    let segments = Segments::divide(&mut machine, 64, WINDOW / 8).or_fail(findings::Exit::Usage)?;
    let first = segments.segment_of(found.failing.point.instruction.saturating_sub(WINDOW));
    let Some(start) = segments.start(first).cloned() else { return unable("its recording is empty".into()) };
    drop(task);
    let task = session.progress.task(&format!("locating {name}"), None);
    let mut knowledge = Knowledge::default();
    let costs = |statement: &Statement| match formulas.weighted {
        true => cost(suspicion, &session.project, statement),
        false => 1,
    };
    let order = |statement: &Statement| cost(suspicion, &session.project, statement);
    let progress = |iteration: u64, sets: usize| task.step(&format!("iteration {iteration}, {sets} correction sets"));
    let settings = Settings {
        method: if formulas.bug_assist { Method::BugAssist { bound: 8 } } else { Method::OnDemand },
        cost: &costs,
        order: &order,
        most_statements: 3,
        most_sets: 100,
        most_iterations: 200,
        deadline,
        question: Duration::from_millis(400),
        bounds: Bounds::default(),
        solver: &|| Box::new(Cadical::new()),
        progress: &progress,
    };
    let located =
        locate(&mut machine, &start, &mut knowledge, &found.failing, &settings).or_fail(findings::Exit::Usage)?;
    Ok(Ok(Answer { located, knowledge }))
}

/// A statement as the findings name it.
type Place = (String, u32);

/// Puts the answers of several failing tests together: statements that are in all of them, by their mean rank.
pub fn report(
    project: &Path,
    sources: &ProjectSources,
    answers: &[Answer],
    weighted: bool,
    suspicion: &Suspicion,
) -> (Vec<findings::Finding>, Vec<findings::CorrectionSet>) {
    let mut sets: Vec<findings::CorrectionSet> = Vec::new();
    let mut ranks: BTreeMap<Place, Vec<(f64, f64)>> = BTreeMap::new();
    let mut members: HashMap<Place, Vec<u64>> = HashMap::new();
    let mut functions: HashMap<Place, String> = HashMap::new();
    for answer in answers {
        let located = &answer.located;
        let place = |id: u32| {
            answer.knowledge.statements.get(id).map(|statement| {
                ((convert::relative(project, &statement.file), statement.line), statement.function.clone())
            })
        };
        let mut first: BTreeMap<Place, usize> = BTreeMap::new();
        // Sets of one cost are a tie.
        let mut level = 0;
        for (number, set) in located.sets.iter().enumerate() {
            if number > 0 && located.sets[number - 1].cost != set.cost {
                level = number;
            }
            let index = sets.len() as u64;
            let places: Vec<_> = set.statements.iter().filter_map(|&id| place(id)).collect();
            for (place, function) in &places {
                first.entry(place.clone()).or_insert(level);
                members.entry(place.clone()).or_default().push(index);
                functions.insert(place.clone(), function.clone());
            }
            sets.push(findings::CorrectionSet {
                cost: if weighted { set.cost as f64 / 1e6 } else { set.cost as f64 },
                statements: places
                    .iter()
                    .map(|((file, line), _)| findings::Location::point(file.clone(), *line, 0))
                    .collect(),
                witness: set.witness.iter().map(|change| words(&answer.knowledge, project, sources, change)).collect(),
                confirmed: set.confirmed,
            });
        }
        let mut order: Vec<(usize, Place)> = first.into_iter().map(|(place, level)| (level, place)).collect();
        order.sort();
        let total = order.len();
        let mut before = 0;
        for tie in order.chunk_by(|a, b| !weighted || a.0 == b.0) {
            for (_, place) in tie {
                let (best, worst) = ((before + 1) as f64, (before + tie.len()) as f64);
                ranks.entry(place.clone()).or_default().push((best, worst.min(total as f64)));
            }
            before += tie.len();
        }
    }
    let mut common: Vec<(Place, f64, f64)> = ranks
        .into_iter()
        .filter(|(_, ranks)| ranks.len() == answers.len())
        .map(|(place, ranks)| {
            let n = ranks.len() as f64;
            let sum = |f: fn(&(f64, f64)) -> f64| ranks.iter().map(f).sum::<f64>() / n;
            (place, sum(|rank| rank.0), sum(|rank| rank.1))
        })
        .collect();
    common.sort_by(|a, b| (a.1 + a.2).total_cmp(&(b.1 + b.2)).then_with(|| a.0.cmp(&b.0)));
    let mut out = Vec::new();
    let mut before = 0;
    for tie in common.chunk_by(|a, b| a.1 + a.2 == b.1 + b.2) {
        let (best, worst) = (before as u64 + 1, (before + tie.len()) as u64);
        before += tie.len();
        for (place, ..) in tie {
            let (file, line) = place.clone();
            let indices = members.get(place).cloned().unwrap_or_default();
            let witness = indices
                .iter()
                .filter_map(|&index| sets.get(index as usize))
                .min_by_key(|set| (!set.confirmed, set.statements.len()))
                .map(|set| set.witness.clone())
                .unwrap_or_default();
            out.push(findings::Finding {
                rank: (best + worst) as f64 / 2.0,
                rank_best: best,
                rank_worst: worst,
                score: suspicion.get(place).copied().unwrap_or(0.0),
                code: sources_line(sources, &file, line),
                function: functions.get(place).cloned().unwrap_or_default(),
                location: findings::Location::point(file, line, 0),
                sets: indices,
                witness,
                ..findings::Finding::default()
            });
        }
    }
    (out, sets)
}

fn sources_line(sources: &ProjectSources, file: &str, line: u32) -> String {
    use whydunit_render::Sources;
    sources.line(file, line).unwrap_or_default().trim().to_string()
}

/// A change in words.
fn words(knowledge: &Knowledge, project: &Path, sources: &ProjectSources, change: &Change) -> String {
    let Some(statement) = knowledge.statements.get(change.free.statement) else { return String::new() };
    let file = convert::relative(project, &statement.file);
    let code = sources_line(sources, &file, statement.line);
    let value = |bits: u64| number(bits, change.free.width);
    let (was, now) = (value(change.free.value), value(change.now));
    let place = format!("line {}", statement.line);
    let more = if change.times > 1 { format!(" (and {} other times)", change.times - 1) } else { String::new() };
    match change.free.kind {
        FreeKind::Condition if change.free.width == 1 => {
            let truth = if change.now & 1 == 1 { "true" } else { "false" };
            format!("if the condition of {place} (`{code}`) were {truth}{more}")
        }
        FreeKind::Condition => format!("if the value of {place} (`{code}`) were {now} instead of {was}{more}"),
        FreeKind::Argument => format!("if {place} (`{code}`) passed {now} instead of {was}{more}"),
        FreeKind::Returned => format!("if {place} (`{code}`) returned {now} instead of {was}{more}"),
        FreeKind::Value => format!("if {place} (`{code}`) gave {now} instead of {was}{more}"),
    }
}

fn number(bits: u64, width: u32) -> String {
    let shift = 64 - width.clamp(1, 64);
    let signed = ((bits << shift) as i64) >> shift;
    match width {
        1 => (bits & 1).to_string(),
        _ if signed.unsigned_abs() < 1 << 48 => signed.to_string(),
        _ => format!("{bits:#x}"),
    }
}

/// Figures of all answers.
pub fn stats(answers: &[Answer]) -> findings::FormulaStats {
    let mut stats = findings::FormulaStats::default();
    for Answer { located, .. } in answers {
        stats.iterations += located.iterations;
        stats.paths += located.paths;
        stats.branches_explored += located.branches_explored;
        stats.branches_total += located.branches_total;
        stats.solver_calls += located.solver_calls;
        stats.encode_seconds += located.phases.encode.as_secs_f64();
        stats.solve_seconds += located.phases.solve.as_secs_f64();
    }
    stats
}

/// What should be known of the answers: what was left out, and what stopped them.
pub fn problems(answers: &[Answer]) -> Vec<Problem> {
    let mut texts: Vec<String> = answers.iter().flat_map(|answer| &answer.located.notes).cloned().collect();
    texts.sort();
    texts.dedup();
    for text in &mut texts {
        *text = format!("held as in the run: {text}");
    }
    for answer in answers {
        texts.extend(match answer.located.stopped {
            Stopped::Time => Some("time was up: this is what was found until then (--time-limit)".to_string()),
            Stopped::Iterations => Some("not all ways were explored".to_string()),
            Stopped::Sets => Some("there are more correction sets".to_string()),
            Stopped::Terms => {
                Some("the formula is too large: what runs before the failure depends on too much".to_string())
            }
            Stopped::Size | Stopped::Complete => None,
        });
    }
    texts.dedup();
    texts.into_iter().map(Problem::new).collect()
}
