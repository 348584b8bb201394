//! Automata out of object behavior models (Dallmeier, 7.2).

use whydunit_behavior::{Ending, Model};

use crate::automaton::{End, Evidence, Kind, Reason, State, Transition, Typestate};

impl Typestate {
    /// The automaton of a model: its states are numbered, and every exceptional end leads to `ex`. Unlike the thesis's, states keep
    /// their values, and transitions to `ex` the state that the object is left in. A model does not know the arguments of calls.
    pub fn of(model: &Model) -> Self {
        let mut made = Self::new(&model.class);
        made.methods = model.calls.keys().cloned().collect();
        for (number, state) in model.states.iter().enumerate().skip(1) {
            let mut new = State { name: number.to_string(), ..State::default() };
            for (path, value) in &state.values {
                new.values.entry(path.clone()).or_default().insert(value.clone());
            }
            made.states.push(new);
        }
        for it in &model.transitions {
            // A constructor that failed has left no object.
            let left_in = Some(it.to).filter(|to| *to != 0);
            let end = match &it.ending {
                Ending::Regular => End::To(it.to),
                Ending::Exception(text) => End::Ex { reason: exception(text), left_in },
                Ending::Failure(text) => End::Ex { reason: Reason { kind: Kind::Error, text: text.clone() }, left_in },
            };
            let evidence = Evidence { seen: it.count, ..Evidence::default() };
            made.add(Transition { from: it.from, method: it.method.clone(), end, evidence });
        }
        made
    }
}

/// A model has signals among its exceptions, by their names.
fn exception(text: &str) -> Reason {
    let signal = text.len() > 3 && text.starts_with("SIG") && text.bytes().all(|byte| byte.is_ascii_uppercase());
    Reason { kind: if signal { Kind::Signal } else { Kind::Exception }, text: text.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use whydunit_behavior::{State as Seen, Transition as Step};

    use super::*;
    use crate::Grade;

    fn port() -> Model {
        let state = |value: &str| Seen { values: vec![("is_open()".into(), value.into())], ended: 0 };
        let step = |from, to, method: &str, ending, count| Step {
            from,
            to,
            method: method.into(),
            ending,
            count,
            examples: Vec::new(),
        };
        let failed = Ending::Exception("std::logic_error".into());
        Model {
            class: "Port".into(),
            depth: 1,
            states: vec![Seen::default(), state("false"), state("true")],
            transitions: vec![
                step(0, 0, "Port", Ending::Exception("SIGABRT".into()), 1),
                step(0, 1, "Port", Ending::Regular, 3),
                step(1, 1, "quit", failed, 1),
                step(1, 2, "open", Ending::Regular, 2),
                step(2, 2, "send", Ending::Failure("-1".into()), 1),
                step(2, 2, "send", Ending::Regular, 4),
            ],
            objects: 3,
            calls: BTreeMap::from(["Port", "open", "send", "quit"].map(|name| (name.to_owned(), 1))),
            constant: BTreeSet::new(),
            paths: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn exceptional_ends_lead_to_ex_with_the_reason_and_the_state_left_behind() {
        let port = Typestate::of(&port());
        let printed = port.to_string();
        let expected = "\
typestate Port
method Port, open, quit, send
state 1  is_open() = false
state 2  is_open() = true
start -> 1  Port [seen 3]
start -> ex  Port [signal SIGABRT; seen 1]
1 -> 2  open [seen 2]
1 -> ex  quit [exception std::logic_error; left in 1; seen 1]
2 -> 2  send [seen 4]
2 -> ex  send [error -1; left in 2; seen 1]
";
        assert_eq!(printed, expected);
        assert_eq!(port.grade(1, "quit"), Grade::Never);
        assert_eq!(port.grade(2, "send"), Grade::MayFail);
        assert_eq!(port.grade(2, "quit"), Grade::Unseen);
        assert_eq!(port.grade(1, "open"), Grade::Fine);
    }
}
