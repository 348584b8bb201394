//! A run followed alone, with what it was given as variables: its path condition, turn by turn (concolic execution; Godefroid,
//! Klarlund, Sen, "DART", 2005).

use whydunit_replay::{Machine, ReplayError, Snapshot, Stop};
use whydunit_terms::{Assignment, Evaluator, Pool, Term};

use crate::inputs::Inputs;
use crate::knowledge::Knowledge;
use crate::path::{Other, Path, Turn};
use crate::question::{Arms, Bounds, Failing, FailurePoint, Relaxation};
use crate::state::State;
use crate::state::followed::Followed;

/// Follows a run from its start.
pub fn follow(
    machine: &mut Machine,
    start: &Snapshot,
    knowledge: &mut Knowledge,
    inputs: Inputs,
    bounds: Bounds,
) -> Result<Path, ReplayError> {
    machine.restore(start)?;
    let (relaxation, arms) = (Relaxation::default(), Arms::default());
    let point = FailurePoint { instruction: u64::MAX, ..FailurePoint::default() };
    let failing = Failing { point, ..Failing::default() };
    let mut state = State::new(knowledge, &relaxation, &arms, &failing, bounds);
    state.followed = Some(Box::new(Followed::new(inputs)));
    state.grow(&machine.at());
    // It is asked to stop where there are too many terms.
    let full = matches!(machine.go_on(&mut state)?, Stop::Asked);
    let Some(followed) = state.followed.take() else { return Ok(Path::default()) };
    let Followed { outside, mut turns, edges, .. } = *followed;
    died(&state.pool, &state.run, &mut turns);
    #[cfg(debug_assertions)]
    assert_eq!(crate::law::left(&state.pool, &state.run, &turns), None, "a turn does not say what the run does");
    Ok(Path {
        pool: state.pool,
        inputs: outside.variables,
        turns,
        edges,
        notes: state.notes.into_iter().collect(),
        full,
    })
}

/// What must hold so that a run goes on does not where it dies.
fn died(pool: &Pool, run: &[(Term, u128)], turns: &mut [Turn]) {
    let Some(place) = turns.last().map(|turn| (turn.function, turn.pc)) else { return };
    let values: Assignment = run.iter().copied().collect();
    let mut evaluator = Evaluator::new(pool, &values);
    for turn in turns.iter_mut().rev().take_while(|turn| (turn.function, turn.pc) == place) {
        if let [Other { when, edge: None, .. }] = &mut turn.others[..]
            && !evaluator.holds(turn.holds)
        {
            std::mem::swap(&mut turn.holds, when);
        }
    }
}
