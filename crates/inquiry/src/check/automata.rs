//! Automata of classes of the project as protocols: what `enrich` has written, or a person in its form.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_misuse::{Method, Next, Place, Protocol, StateId, Transition};
use whydunit_model::IntPred;
use whydunit_objects::{ClassFunction, ErrorRule, ObjectPlace};
use whydunit_typestate::{End, Grade, Kind, START, Typestate};

/// States beyond so many cannot be told apart.
const MOST_STATES: usize = 60;

/// A comparison of a result with a number.
type Comparison = (IntPred, i64);

/// The protocol of an automaton. `functions` are those of its class, `rule` tells by a result that a function has failed. What cannot be
/// checked is told.
pub(super) fn protocol(
    typestate: &Typestate,
    functions: &[ClassFunction],
    rule: Option<&ErrorRule>,
) -> (Option<Protocol>, Vec<String>) {
    let mut notes = Vec::new();
    let class = &typestate.class;
    if typestate.states.len() > MOST_STATES {
        notes.push(format!("{class} is not checked: its model has more than {MOST_STATES} states"));
        return (None, notes);
    }
    notes.extend(other_version(typestate, functions));
    if let Some(other) = not_followed(typestate, functions) {
        let named = other.into_iter().map(|label| format!("`{label}`")).collect::<Vec<_>>().join(", ");
        notes.push(format!("{class} is not checked: its states are changed by what is not followed: {named}"));
        return (None, notes);
    }
    let mut by_place: BTreeMap<(&str, ObjectPlace), BTreeSet<&str>> = BTreeMap::new();
    let mut hidden: BTreeSet<&str> = BTreeSet::new();
    for function in functions {
        match function.place {
            Some(place) => _ = by_place.entry((&function.method, place)).or_default().insert(&function.symbol),
            None => _ = hidden.insert(&function.method),
        }
    }
    hidden.retain(|method| typestate.methods.contains(*method));
    if !hidden.is_empty() {
        let names: Vec<&str> = hidden.into_iter().collect();
        notes.push(format!(
            "{class}: calls of these are not followed, as their object is not passed by its address: {}",
            names.join(", ")
        ));
    }
    let makes = |place: &ObjectPlace| !matches!(place, ObjectPlace::Argument(_));
    if !by_place.keys().any(|(_, place)| makes(place)) {
        notes.push(format!(
            "{class}: no function is known to make its objects: they are followed from calls on them only"
        ));
    }
    let methods = by_place.into_iter().map(|((method, place), symbols)| Method {
        symbols: symbols.into_iter().map(str::to_owned).collect(),
        place: match place {
            ObjectPlace::Result => Place::Result,
            ObjectPlace::Made(index) => Place::Made(index),
            ObjectPlace::Argument(index) => Place::Argument(index),
        },
        transitions: match place {
            ObjectPlace::Result => made(typestate, method, Some((IntPred::Ne, 0))),
            ObjectPlace::Made(_) => made(typestate, method, None),
            ObjectPlace::Argument(_) => called(typestate, method, rule),
        },
    });
    let methods = methods.filter(|method| !method.transitions.is_empty()).collect();
    let names = typestate.states.iter().skip(1).map(|state| shown(&state.name, &state.values));
    let protocol = Protocol { class: class.clone(), states: names.collect(), methods, ..Protocol::default() };
    (Some(protocol), notes)
}

/// What tells that an automaton is of another version of the class: methods that no function is of, with the functions that it does not
/// name. `None` where all that it names is there; a class may well have private functions that no model names.
fn other_version(typestate: &Typestate, functions: &[ClassFunction]) -> Option<String> {
    let have: BTreeSet<&str> = functions.iter().map(|function| function.method.as_str()).collect();
    let named: BTreeSet<&str> = typestate.methods.iter().map(String::as_str).collect();
    let listed = |one: &BTreeSet<&str>, two| one.difference(two).copied().collect::<Vec<_>>().join(", ");
    let (gone, new) = (listed(&named, &have), listed(&have, &named));
    let class = &typestate.class;
    let new = if new.is_empty() { new } else { format!("; it does not name these, which there are: {new}") };
    let note = || {
        format!(
            "{class}: the model may be of another version: the program has no code of these methods of it: {gone}{new}"
        )
    };
    (!gone.is_empty()).then(note)
}

/// What changes states and is no call of a function of the class: writes of fields from outside, calls on other objects. `None` where
/// there is nothing of that.
fn not_followed<'t>(typestate: &'t Typestate, functions: &[ClassFunction]) -> Option<BTreeSet<&'t str>> {
    let is_known = |method: &str| functions.iter().any(|function| function.method == method);
    let others = typestate.transitions.iter().filter(|it| typestate.states[it.from].name != START);
    let found: BTreeSet<&str> = others.map(|it| it.method.as_str()).filter(|method| !is_known(method)).collect();
    (!found.is_empty()).then_some(found)
}

/// A state's name with its values, which say more than a number.
fn shown(name: &str, values: &BTreeMap<String, BTreeSet<String>>) -> String {
    if values.is_empty() {
        return name.to_owned();
    }
    let value = |(path, values): (&String, &BTreeSet<String>)| {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let sign = if values.iter().any(|value| value.starts_with(['<', '>', '='])) { "" } else { "= " };
        format!("{path} {sign}{}", values.join(" or "))
    };
    format!("in state {name} ({})", values.iter().map(value).collect::<Vec<_>>().join(", "))
}

/// The number that a protocol has for a state of an automaton.
fn id(state: usize) -> StateId {
    (state - 1) as StateId
}

fn made(typestate: &Typestate, method: &str, result: Option<Comparison>) -> Vec<Transition> {
    let start = typestate.states.iter().position(|state| state.name == START).unwrap_or(0);
    let to = |it: &whydunit_typestate::Transition| match it.end {
        End::To(to) if to != start => Some(Transition { from: 0, result, to: Next::State(id(to)) }),
        _ => None,
    };
    typestate.of_pair(start, method).filter_map(to).collect()
}

fn called(typestate: &Typestate, method: &str, rule: Option<&ErrorRule>) -> Vec<Transition> {
    let mut out = Vec::new();
    for (state, known) in typestate.states.iter().enumerate().skip(1) {
        let from = id(state);
        let mut push = |result, to| {
            let new = Transition { from, result, to };
            if !out.contains(&new) {
                out.push(new);
            }
        };
        if let Some(result) = asked(known.values.get(&format!("{method}()"))) {
            push(result, Next::State(from));
            continue;
        }
        match typestate.grade(state, method) {
            Grade::Unseen => {}
            Grade::Never => push(None, Next::Never),
            Grade::Fine | Grade::MayFail => {
                let (right, failed) = results(rule);
                let fails = typestate.of_pair(state, method).any(|it| by_result(&it.end));
                for it in typestate.of_pair(state, method) {
                    match &it.end {
                        End::To(to) => push(right.filter(|_| fails), Next::State(id(*to))),
                        // What is left by an exception does not go on behind the call.
                        end @ End::Ex { left_in, .. } if by_result(end) => {
                            push(failed, Next::State(left_in.filter(|left| *left != 0).map_or(from, id)));
                        }
                        End::Ex { .. } => {}
                    }
                }
            }
        }
    }
    out
}

/// Whether a result tells of an exceptional end.
fn by_result(end: &End) -> bool {
    matches!(end, End::Ex { reason, .. } if reason.kind == Kind::Error)
}

/// What an inspector that is a part of the states gives in one of them; `None` where it is no part.
fn asked(values: Option<&BTreeSet<String>>) -> Option<Option<Comparison>> {
    let values: Vec<&str> = values?.iter().map(String::as_str).collect();
    Some(match values[..] {
        ["true"] | ["> 0"] => Some((IntPred::Ne, 0)),
        ["false"] | ["= 0"] => Some((IntPred::Eq, 0)),
        _ => None,
    })
}

/// What a result is that tells of no failure, and one that does, where one comparison says so.
fn results(rule: Option<&ErrorRule>) -> (Option<Comparison>, Option<Comparison>) {
    let both = |right, failed| (Some(right), Some(failed));
    match rule {
        Some(ErrorRule::Negative) => both((IntPred::Sge, 0), (IntPred::Slt, 0)),
        Some(ErrorRule::Null) => both((IntPred::Ne, 0), (IntPred::Eq, 0)),
        Some(ErrorRule::Equal(number)) => both((IntPred::Ne, *number), (IntPred::Eq, *number)),
        Some(ErrorRule::NoneOf(numbers)) if numbers.len() == 1 => {
            let number = numbers.first().copied().unwrap_or(0);
            both((IntPred::Eq, number), (IntPred::Ne, number))
        }
        _ => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (Option<Protocol>, Vec<String>) {
        let typestate = whydunit_typestate::parse(text).expect("a text without mistakes");
        let function = |method: &str, place| ClassFunction { method: method.into(), symbol: method.into(), place };
        let functions = [
            function("port_new", Some(ObjectPlace::Result)),
            function("port_open", Some(ObjectPlace::Argument(0))),
            function("port_copy", None),
        ];
        protocol(&typestate, &functions, Some(&ErrorRule::Negative))
    }

    const PORT: &str = "typestate port\nmethod port_new, port_open, port_copy\nstate closed\nstate open\n\
                        start -> closed port_new\nclosed -> open port_open [seen 2]\n\
                        closed -> ex port_open [error -1; left in closed; seen 1]\nopen -> ex port_open\n";

    #[test]
    fn results_tell_states_apart_and_what_never_returns_is_wrong() {
        let (protocol, notes) = of(PORT);
        let methods = protocol.expect("it can be checked").methods;
        assert_eq!(
            methods[0].transitions,
            [Transition { from: 0, result: Some((IntPred::Ne, 0)), to: Next::State(0) }]
        );
        let expected = [
            Transition { from: 0, result: Some((IntPred::Sge, 0)), to: Next::State(1) },
            Transition { from: 0, result: Some((IntPred::Slt, 0)), to: Next::State(0) },
            Transition { from: 1, result: None, to: Next::Never },
        ];
        assert_eq!((&methods[1].transitions[..], methods.len()), (&expected[..], 2));
        assert!(notes.len() == 1 && notes[0].contains("port_copy"), "{notes:?}");
    }

    #[test]
    fn a_model_of_another_version_is_told() {
        let (_, notes) = of(&PORT.replace("port_new, port_open, port_copy", "port_new, port_open, port_flush"));
        let told = "no code of these methods of it: port_flush; it does not name these, which there are: port_copy";
        assert!(notes.iter().any(|note| note.starts_with("port: ") && note.ends_with(told)), "{notes:?}");
        assert!(!of(PORT).1.iter().any(|note| note.contains("another version")));
    }

    #[test]
    fn what_is_changed_from_outside_is_not_checked() {
        let (protocol, notes) = of(&format!("{PORT}open -> closed \"number =\" [seen 1]\n"));
        assert!(protocol.is_none() && notes[0].contains("`number =`"), "{notes:?}");
    }
}
