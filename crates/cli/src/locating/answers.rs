//! What formulas answered, as findings.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use whydunit_findings as findings;
use whydunit_locate::{Change, Stopped};
use whydunit_symbolic::{FreeKind, Knowledge};

use super::Suspicion;
use super::formulas::{Answer, cost};
use crate::convert;
use crate::sources::ProjectSources;

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
        // Where a statement stands: the cost of its cheapest set; after those that are as cheap what was not decided.
        let mut first: BTreeMap<Place, (u64, bool)> = BTreeMap::new();
        for set in &located.sets {
            let index = sets.len() as u64;
            let places: Vec<_> = set.statements.iter().filter_map(|&id| place(id)).collect();
            for (place, function) in &places {
                first.entry(place.clone()).or_insert((if weighted { set.cost } else { 0 }, false));
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
        for (id, (place, function)) in located.undecided.iter().filter_map(|&id| Some((id, place(id)?))) {
            let Some(statement) = answer.knowledge.statements.get(id) else { continue };
            let cost = if weighted { cost(suspicion, project, statement) } else { 0 };
            first.entry(place.clone()).or_insert((cost, true));
            functions.insert(place, function);
        }
        let mut order: Vec<((u64, bool), Place)> = first.into_iter().map(|(place, level)| (level, place)).collect();
        order.sort();
        let mut before = 0;
        for tie in order.chunk_by(|a, b| a.0 == b.0) {
            for (_, place) in tie {
                ranks.entry(place.clone()).or_default().push(((before + 1) as f64, (before + tie.len()) as f64));
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
    for Answer { located, replay, .. } in answers {
        stats.replay_seconds += replay.as_secs_f64();
        stats.iterations += located.iterations;
        stats.paths += located.paths;
        stats.branches_explored += located.branches_explored;
        stats.branches_total += located.branches_total;
        stats.solver_calls += located.solver_calls;
        stats.encode_seconds += located.phases.encode.as_secs_f64();
        stats.solve_seconds += located.phases.solve.as_secs_f64();
    }
    stats.left_out = left_out(answers);
    stats
}

/// Whether time was up before a search had come to its end.
pub fn cut(answers: &[Answer]) -> bool {
    answers.iter().any(|answer| answer.located.stopped == Stopped::Time)
}

/// What answers left out, and what stopped them.
fn left_out(answers: &[Answer]) -> Vec<String> {
    let mut texts: Vec<String> = answers.iter().flat_map(|answer| &answer.located.notes).cloned().collect();
    texts.sort();
    texts.dedup();
    for text in &mut texts {
        *text = format!("held as in the run: {text}");
    }
    for answer in answers {
        texts.extend(match answer.located.stopped {
            Stopped::Time => Some("time was up: this is what was found until then (--time-limit)".to_string()),
            Stopped::Sets => Some("there are more correction sets".to_string()),
            Stopped::Candidates => {
                Some("not all sets of several statements were looked at: there may be more".to_string())
            }
            Stopped::Size | Stopped::Single | Stopped::Complete => None,
        });
    }
    texts.dedup();
    texts
}
