//! The law of encodings: with the run's own values every term has the value that the replay has.

use whydunit_replay::Machine;
use whydunit_terms::{Assignment, Evaluator, Pool, Term};

use crate::memory::compose;
use crate::path::Turn;
use crate::state::State;

/// Where the law is broken, in words: at the point where the machine stands, in the slots of all frames and in memory, and among the
/// branches whose outcome is open. What was held as in the run is no breach.
pub(crate) fn breach(machine: &Machine, state: &mut State<'_>) -> Option<String> {
    let at = machine.at();
    let (core, memory) = (at.core, at.memory());
    let mut claims = Vec::new();
    for frame in &core.frames {
        let model = at.code.model(frame.function);
        for slot in 0..model.slots as usize {
            let Some(&Some(term)) = state.slots.get(frame.base + slot) else { continue };
            claims.push((term, core.slots[frame.base + slot], move || format!("slot {slot} of {}", model.name)));
        }
    }
    let mut places = Vec::new();
    for address in state.marks.marked() {
        let byte = state.marks.bytes(memory, address, 1);
        if let Some(term) = compose(&mut state.pool, &byte) {
            places.push((term, byte[0].0, address));
        }
    }
    let values: Assignment =
        state.free.iter().map(|free| (free.term, free.value.into())).chain(state.run.iter().copied()).collect();
    let mut evaluator = Evaluator::new(&state.pool, &values);
    for (term, value, place) in claims {
        let width = state.pool.width(term);
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let (is, should) = (evaluator.value(term) as u64 & mask, value & mask);
        if is != should {
            return Some(format!("{}: the term is {is:#x}, the run has {should:#x}", place()));
        }
    }
    for (term, value, address) in places {
        let is = evaluator.value(term) as u8;
        if is != value {
            return Some(format!("the byte at {address:#x}: the term is {is:#x}, the run has {value:#x}"));
        }
    }
    for branch in &state.branches {
        if evaluator.holds(branch.reach)
            && let Some(way) = branch.others.iter().find(|way| evaluator.holds(way.guard))
        {
            let name = &at.code.model(branch.function).name;
            return Some(format!(
                "branch {} of {name} goes to block {}, which the run does not",
                branch.pc, way.target
            ));
        }
    }
    None
}

/// The same of a path: a turn that does not hold in the run, or another way that does, in words.
pub(crate) fn left(pool: &Pool, run: &[(Term, u128)], turns: &[Turn]) -> Option<String> {
    let values: Assignment = run.iter().copied().collect();
    let mut evaluator = Evaluator::new(pool, &values);
    let wrong =
        |turn: &&Turn| !evaluator.holds(turn.holds) || turn.others.iter().any(|other| evaluator.holds(other.when));
    let turn = turns.iter().find(wrong)?;
    Some(format!("the turn at operation {} of function {}", turn.pc, turn.function.0))
}
