//! What formulas answered, as findings: the answers of several failing tests put together.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use whydunit_desk::Cancel;

use whydunit_findings::{self as findings, Finding, TriedChange, Verdict};
use whydunit_locate::{Located, Stopped, Support, Witness};

use super::formulas::{Answer, MOST_STATEMENTS};
use super::mutants::{Beside, Changes};
use super::nearness::{Nearness, cost};
use super::overrun;
use super::words::words;
use super::{Place, Suspicion, place_of};
use whydunit_desk::convert;
use whydunit_desk::{ProjectSources, sources_line};

/// How much further behind a statement stands, with its cost, that formulas did not decide.
const UNDECIDED: f64 = 3.0;
/// The same for a statement that can do nothing, alone or with others, as far as was looked: the fault may be that
/// something is missing beside it.
const EXCLUDED: f64 = 3.0;

/// The same for a statement of which no value alone is known to do, and a change is.
const CHANGED: f64 = 1.5;

/// The same for a statement that prints what is wrong and was given to it: it always could print what is right.
const PASSES_ON: f64 = 3.0;

/// How much further ahead a statement stands with a change that makes all failing tests pass and breaks no passing one.
const MENDS: f64 = 20.0;

/// How much further behind stands what the compiler makes.
const DERIVED: f64 = 10.0;

/// What is known of a statement from several failing tests.
#[derive(Default)]
struct Standing {
    function: String,
    /// By test.
    verdicts: Vec<Verdict>,
    /// What it was not asked about.
    unasked: Option<String>,
    sets: Vec<u64>,
    /// Cost of its cheapest set.
    cost: Option<u64>,
    /// Values that its own sets change, over all tests.
    changes: usize,
    /// All that is said of it is that it prints something wrong, which others gave it.
    passes_on: bool,
    /// It makes an object that a run fails behind, in words.
    overrun: Option<String>,
}

impl Standing {
    /// What holds for all tests; `excluded`: it cannot be at fault.
    fn verdict(&mut self, tests: usize, excluded: bool) -> Verdict {
        if excluded {
            return Verdict::Excluded;
        }
        let verdict = match self.verdicts.iter().max() {
            Some(&worst) if worst < Verdict::NotAsked && self.verdicts.len() == tests => return worst,
            Some(Verdict::Excluded)
                if self.verdicts.len() == tests && self.verdicts.iter().all(|own| *own == Verdict::Excluded) =>
            {
                MISSING
            }
            _ => SOME_TESTS,
        };
        self.unasked.get_or_insert_with(|| verdict.to_string());
        Verdict::NotAsked
    }
}

impl Standing {
    /// By which it is ranked, the smallest first: a cost, or for methods without costs the verdict alone; none where it is not told of.
    /// `found` is the verdict without what changes of the statement say; one of them `mends` all tests.
    fn key(&self, weighted: bool, (verdict, found): (Verdict, Verdict), mends: bool, own: f64) -> Option<f64> {
        Some(match (weighted, verdict) {
            (false, Verdict::Excluded | Verdict::NotAsked) => return None,
            (false, Verdict::Undecided) => 2.0,
            (false, _) => 1.0,
            (true, Verdict::Excluded | Verdict::NotAsked | Verdict::Undecided) if self.overrun.is_some() => own,
            (true, Verdict::Excluded | Verdict::NotAsked) => EXCLUDED * own,
            (true, Verdict::Undecided) => UNDECIDED * own,
            (true, _) if found > Verdict::Together => CHANGED * own,
            (true, _) if self.passes_on && !mends => PASSES_ON * own,
            (true, _) => self.cost.map_or(own, |cost| cost as f64),
        })
    }
}

impl Standing {
    /// What is told of it: that a run fails behind what it makes, and what its best set changes.
    fn witness(&self, best: Option<&findings::CorrectionSet>) -> Vec<String> {
        let changes = best.map(|set| set.witness.iter()).into_iter().flatten();
        self.overrun.iter().chain(changes).cloned().collect()
    }
}

/// What is not asked of a statement where no values of it do.
const MISSING: &str = "whether something is missing beside it";
/// What is not asked of a statement that not all tests execute, or that does not mend all of them.
const SOME_TESTS: &str = "whether it is at fault for some of the failing tests only";

/// Answers as findings and correction sets. Statements that explain all tests come first, in the order of their cost; those
/// that only counts know (`counted`: because formulas begin behind them, or because not all tests executed them) have the verdict
/// that comes with them. `excluded`: which statements cannot be at fault.
pub fn report<'a>(
    project: &Path,
    sources: &ProjectSources,
    answers: &[Answer],
    (weighted, excluded): (bool, &dyn Fn(&Place) -> bool),
    (suspicion, nearness): (&Suspicion, &Nearness<'_>),
    counted: impl Iterator<Item = (&'a Finding, Verdict)>,
    changes: &mut Changes,
) -> (Vec<Finding>, Vec<findings::CorrectionSet>) {
    let mut sets = Vec::new();
    let mut standings: BTreeMap<Place, Standing> = BTreeMap::new();
    for answer in answers {
        take(project, sources, answer, weighted, &mut sets, &mut standings);
    }
    in_order(&mut sets, &mut standings);
    let most = if weighted && !standings.is_empty() { usize::MAX } else { 0 };
    for (other, verdict) in counted.take(most) {
        standings.entry(place_of(other)).or_insert_with(|| Standing {
            function: other.function.clone(),
            verdicts: vec![verdict; answers.len()],
            ..Standing::default()
        });
    }
    let Changes { by_place: changes, beside } = changes;
    if weighted {
        no_statements(&mut standings, answers, beside);
    }
    let mut order: Vec<(f64, usize, Place, Standing, Verdict)> = Vec::new();
    for (place, mut standing) in standings {
        let found = standing.verdict(answers.len(), excluded(&place));
        let mends = |change: &TriedChange| change.failing > 0 && change.passing > 0 && change.mends_all();
        let mends = changes.get(&place).is_some_and(|changes| changes.iter().any(mends));
        // A change of the statement says as much as a value of it.
        let verdict = if weighted && mends && found > Verdict::Alone { Verdict::Alone } else { found };
        let walked = beside.get(&place).map_or(&place, |beside| &beside.statement);
        let own = cost(suspicion, &place) as f64;
        let Some(key) = standing.key(weighted, (verdict, found), mends, own) else { continue };
        let key = key * nearness.farther(walked);
        let best = changes.get(&place).and_then(|changes| changes.first()).map_or(0.0, |change| change.worth);
        let key = if weighted { key / (1.0 + MENDS * best) } else { key };
        let key = if is_derived(&sources_line(sources, &place.0, place.1)) { key * DERIVED } else { key };
        let changes = if weighted { standing.changes } else { 0 };
        order.push((key, changes, place, standing, verdict));
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| (a.4, a.1, &a.2).cmp(&(b.4, b.1, &b.2))));
    let mut out = Vec::new();
    for tie in order.chunk_by(|a, b| (a.0, a.1, a.4) == (b.0, b.1, b.4)) {
        let (best, worst) = (out.len() as u64 + 1, (out.len() + tie.len()) as u64);
        for (_, _, place, standing, verdict) in tie {
            let (file, line) = place.clone();
            let of_sets = standing.sets.iter().filter_map(|&index| sets.get(index as usize));
            let best_set =
                of_sets.min_by_key(|set: &&findings::CorrectionSet| (!set.confirmed, !set.ran, set.statements.len()));
            out.push(Finding {
                rank: (best + worst) as f64 / 2.0,
                rank_best: best,
                rank_worst: worst,
                score: suspicion.get(place).copied().unwrap_or(0.0),
                code: sources_line(sources, &file, line),
                function: standing.function.clone(),
                location: findings::Location::point(file, line, 0),
                verdict: Some(*verdict),
                unasked: standing.unasked.clone().filter(|_| *verdict == Verdict::NotAsked),
                sets: standing.sets.clone(),
                witness: standing.witness(best_set),
                changes: changes.remove(place).unwrap_or_default(),
                ..Finding::default()
            });
        }
    }
    (out, sets)
}

/// Whether the compiler makes the code of a line: what it makes of a `#[derive(…)]` is right.
fn is_derived(line: &str) -> bool {
    line.trim_start().starts_with("#[derive(")
}

/// Places that are no statement's, or say more than their statement: those of changes, and what makes an object that a run fails behind.
fn no_statements(standings: &mut BTreeMap<Place, Standing>, answers: &[Answer], beside: &HashMap<Place, Beside>) {
    for (place, Beside { function, .. }) in beside {
        standings.entry(place.clone()).or_insert_with(|| Standing {
            function: function.clone(),
            verdicts: vec![Verdict::Undecided; answers.len()],
            ..Standing::default()
        });
    }
    for overrun in answers.iter().filter_map(|answer| answer.overrun.as_ref()) {
        let standing = standings.entry(overrun.place.clone()).or_insert_with(|| Standing {
            function: overrun.name.clone(),
            verdicts: vec![Verdict::NotAsked; answers.len()],
            unasked: Some(overrun::SIZE.into()),
            ..Standing::default()
        });
        standing.overrun.get_or_insert_with(|| overrun.told.clone());
    }
}

/// Sets in the order of their cost, and their numbers with them.
fn in_order(sets: &mut Vec<findings::CorrectionSet>, standings: &mut BTreeMap<Place, Standing>) {
    let mut order: Vec<(usize, findings::CorrectionSet)> = std::mem::take(sets).into_iter().enumerate().collect();
    // Those that explain more tests first, among equals.
    let key = |set: &findings::CorrectionSet| (std::cmp::Reverse(set.tests.len()), set.statements.len());
    order.sort_by(|(_, a), (_, b)| a.cost.total_cmp(&b.cost).then_with(|| key(a).cmp(&key(b))));
    let numbers: HashMap<u64, u64> =
        order.iter().enumerate().map(|(now, (was, _))| (*was as u64, now as u64)).collect();
    sets.extend(order.into_iter().map(|(_, set)| set));
    for standing in standings.values_mut() {
        standing.sets = standing.sets.iter().filter_map(|set| numbers.get(set).copied()).collect();
        standing.sets.sort_unstable();
        standing.sets.dedup();
    }
}

/// Adds what one failing test says.
fn take(
    project: &Path,
    sources: &ProjectSources,
    answer: &Answer,
    weighted: bool,
    sets: &mut Vec<findings::CorrectionSet>,
    standings: &mut BTreeMap<Place, Standing>,
) {
    let located = &answer.located;
    let place = |id: u32| {
        let statement = answer.knowledge.statements.get(id)?;
        Some(((convert::relative(project, &statement.file), statement.line), statement.function.clone()))
    };
    let mut verdicts: HashMap<Place, Verdict> = HashMap::new();
    for (set, told) in located.sets.iter().zip(&answer.told) {
        let verdict = match set.statements.len() {
            // It rests on ways that nobody has gone.
            _ if set.support == Support::Unexplored => Verdict::Undecided,
            1 => Verdict::Alone,
            _ => Verdict::Together,
        };
        let mut members: Vec<findings::Location> = Vec::new();
        let places: Vec<(String, u32)> =
            set.statements.iter().filter_map(|&id| place(id)).map(|(place, _)| place).collect();
        let same = sets.iter().position(|other| {
            let theirs = other.statements.iter().map(|place| (place.file.as_str(), place.line));
            theirs.eq(places.iter().map(|place| (place.0.as_str(), place.1)))
        });
        let number = same.unwrap_or(sets.len());
        for (place, function) in set.statements.iter().filter_map(|&id| place(id)) {
            let standing = standings.entry(place.clone()).or_default();
            standing.function = function;
            standing.sets.push(number as u64);
            if set.support > Support::Unexplored {
                standing.cost = Some(standing.cost.map_or(set.cost, |cost| cost.min(set.cost)));
            }
            if verdict == Verdict::Alone {
                let passes_on = |witness: &Witness| matches!(witness, Witness::Printed(printed) if !printed.constant);
                standing.passes_on |= set.witness.iter().all(passes_on);
                standing.changes += set.witness.iter().map(Witness::times).sum::<usize>();
            }
            let known = verdicts.entry(place.clone()).or_insert(verdict);
            *known = (*known).min(verdict);
            members.push(findings::Location::point(place.0, place.1, 0));
        }
        if let Some(same) = same.and_then(|same| sets.get_mut(same)) {
            same.confirmed &= set.support > Support::Unexplored;
            same.ran &= set.support == Support::Ran;
            same.tests.push(answer.test.clone());
            continue;
        }
        sets.push(findings::CorrectionSet {
            cost: if weighted { set.cost as f64 / 1e6 } else { set.cost as f64 },
            statements: members,
            witness: set
                .witness
                .iter()
                .zip(told)
                .map(|(change, told)| words(answer, project, sources, change, told))
                .collect(),
            confirmed: set.support > Support::Unexplored,
            ran: set.support == Support::Ran,
            tests: vec![answer.test.clone()],
        });
    }
    for (statement, verdict, why) in without_sets(located) {
        let Some((place, function)) = place(statement) else { continue };
        let standing = standings.entry(place.clone()).or_default();
        standing.function = function;
        standing.unasked = standing.unasked.take().or(why);
        let known = verdicts.entry(place).or_insert(verdict);
        *known = (*known).min(verdict);
    }
    for (place, verdict) in verdicts {
        standings.entry(place).or_default().verdicts.push(verdict);
    }
}

/// Statements that are in no set: what is said of each, and what it was not asked about.
fn without_sets(located: &Located) -> impl Iterator<Item = (u32, Verdict, Option<String>)> + '_ {
    let undecided = located.undecided.iter().map(|&statement| (statement, Verdict::Undecided, None));
    let unasked = located.unasked.iter().map(|(statement, why)| (*statement, Verdict::NotAsked, Some(why.to_string())));
    let excluded = located.excluded.iter().map(|&statement| (statement, Verdict::Excluded, None));
    undecided.chain(unasked).chain(excluded)
}

/// What formulas found iteration by iteration.
pub fn rounds(project: &Path, answers: &[Answer]) -> Vec<findings::Rounds> {
    let of = |answer: &Answer| {
        let location = |&id: &u32| {
            let statement = answer.knowledge.statements.get(id)?;
            Some(findings::Location::point(convert::relative(project, &statement.file), statement.line, 0))
        };
        let set = |statements: &Vec<u32>| statements.iter().filter_map(location).collect();
        let sets = answer.located.rounds.iter().map(|sets| sets.iter().map(set).collect()).collect();
        findings::Rounds { test: answer.test.clone(), sets }
    };
    answers.iter().map(of).collect()
}

/// Figures of all answers.
pub fn stats(answers: &[Answer], cancel: &Cancel) -> findings::FormulaStats {
    let mut stats = findings::FormulaStats::default();
    for Answer { located, replay, .. } in answers {
        stats.replay_seconds += replay.as_secs_f64();
        stats.iterations += located.iterations;
        stats.paths += located.paths;
        stats.branches_explored += located.branches_explored;
        stats.branches_total += located.branches_total;
        stats.solver_calls += located.solver_calls;
        stats.encode_seconds += (located.phases.list + located.phases.encode).as_secs_f64();
        stats.solve_seconds += located.phases.solve.as_secs_f64();
        stats.trial_seconds += located.phases.trials.as_secs_f64();
        stats.terms = stats.terms.max(located.terms as u64);
    }
    stats.left_out = left_out(answers, cancel);
    stats
}

/// Whether time was up before a search had come to its end.
pub fn cut(answers: &[Answer]) -> bool {
    answers.iter().any(|answer| answer.located.stopped == Stopped::Time)
}

/// What answers left out, and what stopped them.
fn left_out(answers: &[Answer], cancel: &Cancel) -> Vec<String> {
    let mut texts: Vec<String> = answers.iter().flat_map(|answer| &answer.located.notes).cloned().collect();
    texts.sort();
    texts.dedup();
    let known = texts.len();
    for answer in answers {
        texts.extend(match answer.located.stopped {
            Stopped::Time if cancel.is_cancelled() => {
                Some("interrupted: this is what was found until then".to_string())
            }
            Stopped::Time => Some("time was up: this is what was found until then (--time-limit)".to_string()),
            Stopped::Sets => Some("there are more correction sets".to_string()),
            Stopped::Candidates => {
                Some("not all sets of several statements were looked at: there may be more".to_string())
            }
            Stopped::Size => Some(format!("sets of more than {MOST_STATEMENTS} statements were not looked for")),
            Stopped::Single => Some("sets of several statements were not looked for: some do it alone".to_string()),
            Stopped::Complete => None,
        });
    }
    texts[known..].sort();
    texts.dedup();
    texts
}
