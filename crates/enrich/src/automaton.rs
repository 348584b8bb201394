//! The automaton of a model with what was executed.

use std::collections::BTreeMap;

use whydunit_behavior::Model;
use whydunit_typestate::{End, Evidence, State, Transition, Typestate};

use crate::execution::{Ending, Execution, StateRef};

/// The name of the state of objects that a destructor has ended, or whose memory was freed.
pub const ENDED: &str = "ended";

/// A model with executions. States of executions, by their numbers, have these values.
pub struct Enriched<'e> {
    /// The automaton.
    pub typestate: Typestate,
    /// The executions of each transition that was tried, by its number in the automaton.
    pub executions: BTreeMap<usize, Vec<&'e Execution>>,
    /// The states of executions in the automaton.
    states: Vec<Option<usize>>,
    ended: Option<usize>,
}

impl Enriched<'_> {
    /// Where a state is in the automaton; `None` for one that is not there.
    pub fn state(&self, state: StateRef) -> Option<usize> {
        match state {
            StateRef::State(number) => self.states.get(number).copied().flatten(),
            StateRef::Ended => self.ended,
        }
    }
}

/// The automaton of a model, with executions: `states` are the values of the states that they name, which the model has, too;
/// `methods` can be called, called or not.
pub fn enriched<'e>(
    model: &Model,
    states: &[Vec<(String, String)>],
    methods: impl Iterator<Item = String>,
    executions: &'e [Execution],
) -> Enriched<'e> {
    let mut typestate = Typestate::of(model);
    typestate.methods.extend(methods);
    let ends = |it: &Execution| it.from == StateRef::Ended || it.ending == Ending::To(StateRef::Ended);
    let ended = executions.iter().any(ends).then(|| {
        typestate.states.push(State { name: ENDED.into(), ..State::default() });
        typestate.states.len() - 1
    });
    let find = |values: &Vec<(String, String)>| {
        let position = model.states.iter().skip(1).position(|state| state.values == *values);
        position.map(|position| position + 1)
    };
    let states = states.iter().map(find).collect();
    let mut made = Enriched { typestate, executions: BTreeMap::new(), states, ended };
    for execution in executions {
        if let Some(transition) = transition(&made, execution) {
            made.typestate.add(transition);
        }
    }
    for execution in executions {
        let Some(wanted) = transition(&made, execution) else { continue };
        let same = |it: &Transition| (it.from, &it.method, &it.end) == (wanted.from, &wanted.method, &wanted.end);
        if let Some(number) = made.typestate.transitions.iter().position(same) {
            made.executions.entry(number).or_default().push(execution);
        }
    }
    made
}

fn transition(made: &Enriched<'_>, execution: &Execution) -> Option<Transition> {
    let (end, misuse) = match &execution.ending {
        Ending::To(state) => (End::To(made.state(*state)?), false),
        Ending::Ex { reason, left_in, misuse } => {
            let left_in = left_in.and_then(|state| made.state(state));
            (End::Ex { reason: reason.clone(), left_in }, *misuse)
        }
    };
    let evidence = Evidence { tried: 1, misuse, arguments: [execution.label()].into(), ..Evidence::default() };
    Some(Transition { from: made.state(execution.from)?, method: execution.method.clone(), end, evidence })
}
