//! Which changes of recorded runs would show what a model does not know (Dallmeier, 7.3, algorithm 2), for front ends that run a program
//! again with a call more, or with some calls less.

use std::collections::BTreeSet;

use crate::history::{Call, History};

/// A method that can be called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Wanted {
    /// Its name.
    pub method: String,
    /// It takes arguments.
    pub takes: bool,
}

/// What a run does otherwise than recorded, on one object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The method is called right behind the call with this number.
    Insert {
        /// The number.
        after: u32,
    },
    /// The calls with these numbers are left out, so that a recorded call of the method happens earlier in the object's life.
    Suppress {
        /// The numbers.
        calls: Vec<u32>,
    },
}

/// A run that would show how a method ends in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// The run that is changed.
    pub run: String,
    /// The object's number in it.
    pub object: usize,
    /// Number of the state.
    pub state: usize,
    /// The method.
    pub method: String,
    /// What is changed.
    pub change: Change,
    /// The recorded call that the change stands behind, or that happens earlier.
    pub place: Call,
}

/// The mutants for all pairs of a state from 1 to `states` and a method that are not `known`, at most `each` of a pair, from different
/// places where that can be had. A pair has none where no object was in the state behind a call, or where a method that takes
/// arguments was never called later in the life of an object that has been in the state.
pub fn plan(
    histories: &[History],
    states: usize,
    known: &BTreeSet<(usize, String)>,
    methods: &[Wanted],
    each: usize,
) -> Vec<Mutant> {
    let mut planned = Vec::new();
    for state in 1..=states {
        for wanted in methods.iter().filter(|wanted| !known.contains(&(state, wanted.method.clone()))) {
            let mut found: Vec<Mutant> = if wanted.takes {
                histories.iter().flat_map(|history| suppressions(history, state, &wanted.method)).collect()
            } else {
                histories.iter().flat_map(|history| insertions(history, state, &wanted.method)).collect()
            };
            choose(&mut found, each);
            planned.extend(found);
        }
    }
    planned
}

/// Keeps so many, those of new places first.
fn choose(found: &mut Vec<Mutant>, each: usize) {
    let mut places = BTreeSet::new();
    let (mut new, again): (Vec<Mutant>, Vec<Mutant>) = std::mem::take(found)
        .into_iter()
        .partition(|it| places.insert((it.place.file.clone(), it.place.line, it.place.method.clone())));
    new.extend(again);
    new.truncate(each);
    *found = new;
}

fn insertions<'h>(history: &'h History, state: usize, method: &'h str) -> impl Iterator<Item = Mutant> + 'h {
    let leads = move |(_, call): &(&u32, &Call)| call.to == Some(state);
    history.calls.iter().filter(leads).map(move |(&after, call)| Mutant {
        run: history.run.clone(),
        object: history.object,
        state,
        method: method.into(),
        change: Change::Insert { after },
        place: call.clone(),
    })
}

/// For each call of the method the fewest calls before it without which the object would still be in the state.
fn suppressions<'h>(history: &'h History, state: usize, method: &'h str) -> impl Iterator<Item = Mutant> + 'h {
    let of_method = move |(_, call): &(&u32, &Call)| call.method == method;
    history.calls.iter().filter(of_method).filter_map(move |(&number, call)| {
        let first =
            history.calls.range(1..number).rev().find(|(_, before)| before.from == state).map(|(&first, _)| first)?;
        Some(Mutant {
            run: history.run.clone(),
            object: history.object,
            state,
            method: method.into(),
            change: Change::Suppress { calls: (first..number).collect() },
            place: call.clone(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(method: &str, from: usize, to: usize, line: u32) -> Call {
        Call { method: method.into(), from, to: Some(to), file: "Main.java".into(), line }
    }

    /// The thesis's example: a connection is opened (0 to 1 there, 1 to 2 here) and then sends.
    fn connection() -> Vec<History> {
        let calls = [
            (0, call("Connection", 0, 1, 3)),
            (1, call("open", 1, 2, 4)),
            (2, call("authSend", 2, 3, 5)),
            (3, call("quit", 3, 1, 6)),
        ];
        vec![History { run: "t".into(), object: 0, calls: calls.into() }]
    }

    fn planned(method: &str, takes: bool, known: &[usize]) -> Vec<(usize, Change)> {
        let known = known.iter().map(|state| (*state, method.to_owned())).collect();
        let wanted = [Wanted { method: method.into(), takes }];
        plan(&connection(), 3, &known, &wanted, 3).into_iter().map(|it| (it.state, it.change)).collect()
    }

    #[test]
    fn a_method_without_arguments_is_called_behind_what_leads_to_the_state() {
        let insert = |after| Change::Insert { after };
        assert_eq!(planned("drop", false, &[]), [(1, insert(0)), (1, insert(3)), (2, insert(1)), (3, insert(2))]);
        assert_eq!(planned("drop", false, &[1, 3]), [(2, insert(1))]);
    }

    #[test]
    fn a_recorded_call_happens_earlier_where_the_calls_before_it_are_left_out() {
        assert_eq!(planned("authSend", true, &[2]), [(1, Change::Suppress { calls: vec![1] })]);
        // No object that sends later has been in state 3 before.
        assert_eq!(planned("open", true, &[1]), []);
    }

    #[test]
    fn mutants_of_a_pair_are_few_and_of_different_places() {
        let mut histories = connection();
        histories.push(History { object: 1, ..histories[0].clone() });
        let wanted = [Wanted { method: "drop".into(), takes: false }];
        let found = plan(&histories, 1, &BTreeSet::new(), &wanted, 3);
        let places: Vec<(usize, u32)> = found.iter().map(|it| (it.object, it.place.line)).collect();
        assert_eq!(places, [(0, 3), (0, 6), (1, 3)]);
    }
}
