//! The automaton of a model with what was executed.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_behavior::Model;
use whydunit_typestate::{End, Evidence, State, Transition, Typestate};

use crate::execution::{Ending, Execution, Origin, StateRef};

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
    let sound = Sound::of(executions);
    for execution in executions {
        if let Some(transition) = transition(&made, execution, &sound) {
            made.typestate.add(transition);
        }
    }
    for execution in executions {
        let Some(wanted) = transition(&made, execution, &sound) else { continue };
        let same = |it: &Transition| (it.from, &it.method, &it.end) == (wanted.from, &wanted.method, &wanted.end);
        if let Some(number) = made.typestate.transitions.iter().position(same) {
            made.executions.entry(number).or_default().push(execution);
        }
    }
    made
}

/// Arguments with which methods have returned: where they fail, it is not the arguments' fault.
struct Sound(BTreeSet<(String, String)>);

impl Sound {
    fn of(executions: &[Execution]) -> Self {
        let returned = executions.iter().filter(|it| matches!(it.ending, Ending::To(_)));
        Self(returned.map(|it| (it.method.clone(), it.label())).collect())
    }

    /// Whether an execution tells of the state: its arguments are those of a recorded call, or ones with which the method has returned.
    fn holds(&self, execution: &Execution) -> bool {
        let recorded = execution.arguments.iter().all(|given| given.origin != Origin::Boundary);
        recorded || self.0.contains(&(execution.method.clone(), execution.label()))
    }
}

fn transition(made: &Enriched<'_>, execution: &Execution, sound: &Sound) -> Option<Transition> {
    let (end, misuse) = match &execution.ending {
        Ending::To(state) => (End::To(made.state(*state)?), false),
        Ending::Ex { reason, left_in, misuse } => {
            let left_in = left_in.and_then(|state| made.state(state));
            (End::Ex { reason: reason.clone(), left_in }, *misuse)
        }
    };
    let arguments = sound.holds(execution).then(|| execution.label()).into_iter().collect();
    let evidence = Evidence { tried: 1, misuse, arguments, ..Evidence::default() };
    Some(Transition { from: made.state(execution.from)?, method: execution.method.clone(), end, evidence })
}

#[cfg(test)]
mod tests {
    use whydunit_behavior::State as Seen;
    use whydunit_typestate::{Grade, Kind, Reason};

    use super::*;
    use crate::execution::{Given, Reached};

    fn states() -> Vec<Vec<(String, String)>> {
        ["closed", "open"].map(|value| vec![("state".to_owned(), value.to_owned())]).into_iter().collect()
    }

    fn model() -> Model {
        let mut model = Model {
            class: "Port".into(),
            depth: 1,
            states: vec![Seen::default()],
            transitions: Vec::new(),
            objects: 1,
            calls: BTreeMap::new(),
            constant: BTreeSet::new(),
            paths: Vec::new(),
            notes: Vec::new(),
        };
        model.states.extend(states().into_iter().map(|values| Seen { values, ended: 0 }));
        model
    }

    /// Of `seek` with a boundary value, from the state with this number.
    fn seek(from: usize, argument: &str, ending: Ending) -> Execution {
        Execution {
            from: StateRef::State(from),
            method: "seek".into(),
            arguments: vec![Given { text: argument.into(), origin: Origin::Boundary }],
            ending,
            reached: Reached { run: "t".into(), time: 1, ..Reached::default() },
        }
    }

    fn fails() -> Ending {
        let reason = Reason { kind: Kind::Error, text: "-1".into() };
        Ending::Ex { reason, left_in: Some(StateRef::State(0)), misuse: false }
    }

    fn grade(executions: &[Execution]) -> Grade {
        enriched(&model(), &states(), ["seek".to_owned()].into_iter(), executions).typestate.grade(1, "seek")
    }

    #[test]
    fn boundary_values_alone_do_not_show_that_a_state_is_wrong() {
        let mut executions: Vec<Execution> = ["0", "1", "-1"].map(|argument| seek(0, argument, fails())).into();
        assert_eq!(grade(&executions), Grade::MayFail);
        // With which it returns elsewhere they do.
        let returns = |argument| seek(1, argument, Ending::To(StateRef::State(1)));
        executions.extend(["0", "1", "-1"].map(returns));
        assert_eq!(grade(&executions), Grade::Never);
    }

    #[test]
    fn what_has_ended_is_a_state_of_its_own() {
        let executions = [seek(1, "0", Ending::To(StateRef::Ended))];
        let made = enriched(&model(), &states(), ["seek".to_owned()].into_iter(), &executions);
        assert_eq!(made.state(StateRef::Ended), Some(3));
        assert_eq!(made.typestate.states[3].name, ENDED);
        assert_eq!(made.executions[&0], [&executions[0]]);
    }
}
