//! Locating the fault of one failing run: first every statement by itself, then sets of several.
//!
//! A candidate's formula has only that candidate's values free: all other statements are what they are, so that only what
//! depends on the candidate is symbolic. On-demand formulas grow candidate by candidate; BugAssist has all ways at once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Instant;

use whydunit_replay::{Machine, Snapshot};
use whydunit_symbolic::{Failing, Knowledge, StatementId, list};

use crate::Error;
use crate::candidate::{Decision, Search, Spent};
use crate::larger::enumerate_sets;
use crate::operations::operations;
use crate::question::{CorrectionSet, Located, Phases, Settings, Stopped};
use crate::trial::{Judge, Sound};

/// Locates the fault of one failing run, from `start` (before the failure point) on.
pub fn locate(
    machine: &mut Machine,
    start: &Snapshot,
    knowledge: &mut Knowledge,
    failing: &Failing,
    settings: &Settings<'_>,
) -> Result<Located, Error> {
    let mut failing = failing.clone();
    let started = Instant::now();
    let mut listing = list(machine, start.clone(), knowledge, &failing)?;
    failing.open = std::mem::take(&mut listing.open);
    let phases = Phases { list: started.elapsed(), ..Phases::default() };
    let checked = settings.trials.filter(|_| start.instructions() == 0);
    let sound = checked.map(|trials| Sound::new(start, settings.errors, &failing.point, trials.checked));
    let operations = operations(machine.code(), &listing, knowledge);
    let mut search = Search {
        machine,
        knowledge,
        judge: Judge::new(&failing),
        failing: &failing,
        settings,
        followed: 0,
        spent: Spent::default(),
        trials_left: settings.trials.map_or(0, |trials| trials.total),
        guarded: 0,
        sound,
        visits: None,
        known: HashMap::new(),
        listed: HashSet::new(),
        executed: listing.executed.iter().chain(operations.keys()).copied().collect(),
        listing,
        operations,
        rounds: BTreeMap::new(),
        decided: HashMap::new(),
        prints: None,
        texts: None,
        unasked: HashMap::new(),
        located: Located {
            sets: Vec::new(),
            iterations: 0,
            paths: 1,
            branches_explored: 0,
            branches_total: 0,
            solver_calls: 0,
            terms: 0,
            stopped: Stopped::Complete,
            rounds: Vec::new(),
            undecided: Vec::new(),
            excluded: Vec::new(),
            unasked: Vec::new(),
            mutants: Vec::new(),
            notes: BTreeSet::new(),
            phases,
        },
    };
    let run = search.candidates();
    search.initial_values()?;
    let found = one_by_one(&mut search, &run)?;
    if search.located.stopped == Stopped::Complete && settings.most_statements > 1 {
        if found > 0 && run.len() > settings.few {
            search.located.stopped = Stopped::Single;
        } else {
            enumerate_sets(&mut search)?;
        }
    }
    for (n, (why, times)) in search.judge.lost().into_iter().enumerate() {
        let first = if n == 0 { "most of them, " } else { "" };
        search.note(&format!("trial runs that said nothing: {first}{times}, ended at {why}"));
    }
    Ok(finished(search, &run))
}

/// Decides every statement of a run by itself, the cheapest first; how many can be at fault.
fn one_by_one(search: &mut Search<'_, '_>, run: &[StatementId]) -> Result<usize, Error> {
    let settings = search.settings;
    let mut found = 0;
    let mut alone = None;
    for (done, statement) in search.in_order(run.iter().copied()).into_iter().enumerate() {
        if search.late() {
            search.located.stopped = Stopped::Time;
            break;
        }
        if let Decision::Holds { .. } = search.decide(&BTreeSet::from([statement]))? {
            found += 1;
            alone = alone.or(Some(statement));
        }
        let best = search.located.mutants.first().map(|mutant| mutant.statement).or(alone);
        let best = best.and_then(|statement| search.knowledge.statements.get(statement));
        (settings.progress)(done + 1, found, best);
    }
    Ok(found)
}

/// The sets that were found, cheapest first, and which statements of the run were not decided.
fn finished(search: Search<'_, '_>, run: &[StatementId]) -> Located {
    let mut sets = Vec::new();
    for (statements, decision) in &search.decided {
        let Decision::Holds { witness, support } = decision else { continue };
        let cost = statements.iter().map(|&statement| search.cost(statement)).fold(0, u64::saturating_add);
        let (statements, witness) = (statements.iter().copied().collect(), witness.clone());
        sets.push(CorrectionSet { statements, cost, support: *support, witness });
    }
    sets.sort_by(|a, b| (a.cost, a.statements.len(), &a.statements).cmp(&(b.cost, b.statements.len(), &b.statements)));
    sets.truncate(search.settings.most_sets);
    let alone = |statement: StatementId| search.decided.get(&BTreeSet::from([statement]));
    let open = |&statement: &StatementId| alone(statement).is_none_or(|decision| *decision == Decision::Unknown);
    let undecided = run.iter().copied().filter(open).collect();
    let fails = |&statement: &StatementId| alone(statement) == Some(&Decision::Fails);
    let (mut excluded, mut unasked) = (Vec::new(), Vec::new());
    for statement in run.iter().copied().filter(fails) {
        match search.unasked.get(&statement) {
            Some(why) => unasked.push((statement, why.clone())),
            None => excluded.push(statement),
        }
    }
    let rounds = if search.settings.rounds { rounds(&search) } else { Vec::new() };
    Located { sets, rounds, undecided, excluded, unasked, ..search.located }
}

/// The minimal sets of each iteration: those whose formulas could hold with the ways that were gone until then.
fn rounds(search: &Search<'_, '_>) -> Vec<Vec<Vec<StatementId>>> {
    let count = search.rounds.values().map(Vec::len).max().unwrap_or(0);
    let at = |round: usize| {
        let holds = |statements: &BTreeSet<StatementId>| {
            let asked = search.rounds.get(statements).and_then(|rounds| rounds.get(round)).copied();
            asked.unwrap_or_else(|| matches!(search.decided.get(statements), Some(Decision::Holds { .. })))
        };
        let holding: Vec<&BTreeSet<StatementId>> = search.decided.keys().filter(|set| holds(set)).collect();
        let minimal = |set: &&&BTreeSet<StatementId>| {
            !holding.iter().any(|other| other.len() < set.len() && other.is_subset(set))
        };
        let mut sets: Vec<Vec<StatementId>> =
            holding.iter().filter(minimal).map(|set| set.iter().copied().collect()).collect();
        sets.sort();
        sets
    };
    (0..count).map(at).collect()
}
