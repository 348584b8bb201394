//! What one model has that another one lacks.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Ending, Example, Model, Transition};

/// A difference between two models of a class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Difference {
    /// A state that only the second has, by its values.
    NewState(Vec<(String, String)>),
    /// A state that only the first has.
    LostState(Vec<(String, String)>),
    /// A transition that only the second has.
    NewTransition(Step),
    /// A transition that only the first has.
    LostTransition(Step),
}

/// A transition by the values of its states.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    /// The values before; none before construction.
    pub from: Vec<(String, String)>,
    /// The values after.
    pub to: Vec<(String, String)>,
    /// The method.
    pub method: String,
    /// How it ends.
    pub ending: Ending,
    /// A call.
    pub example: Option<Example>,
    /// How the method went on from this state in the other model: labels, and the values after.
    pub usual: Vec<(String, Vec<(String, String)>)>,
}

type Key = (Vec<(String, String)>, Vec<(String, String)>, String);

/// What the second model has and the first lacks, then what the first has and the second lacks.
pub fn compare(first: &Model, second: &Model) -> Vec<Difference> {
    let mut found = Vec::new();
    let (one, two) = (states(first), states(second));
    found.extend(two.difference(&one).map(|state| Difference::NewState(state.clone())));
    let (known, new) = (transitions(first), transitions(second));
    found.extend(missing(&new, &known).map(Difference::NewTransition));
    found.extend(one.difference(&two).map(|state| Difference::LostState(state.clone())));
    found.extend(missing(&known, &new).map(Difference::LostTransition));
    found
}

fn states(model: &Model) -> BTreeSet<Vec<(String, String)>> {
    model.states.iter().skip(1).map(|state| state.values.clone()).collect()
}

fn transitions(model: &Model) -> BTreeMap<Key, &Transition> {
    let values = |state: usize| model.states[state].values.clone();
    let key = |it: &Transition| (values(it.from), values(it.to), format!("{}{}", it.ending.mark(), it.method));
    model.transitions.iter().map(|it| (key(it), it)).collect()
}

fn missing<'m>(
    of: &'m BTreeMap<Key, &'m Transition>,
    from: &'m BTreeMap<Key, &'m Transition>,
) -> impl Iterator<Item = Step> + 'm {
    of.iter().filter(|(key, _)| !from.contains_key(*key)).map(|((before, after, _), transition)| {
        let same = |((start, _, _), other): &(&Key, &&Transition)| start == before && other.method == transition.method;
        let usual = from.iter().filter(same).map(|((_, to, label), _)| (label.clone(), to.clone())).collect();
        Step {
            from: before.clone(),
            to: after.clone(),
            method: transition.method.clone(),
            ending: transition.ending.clone(),
            example: transition.examples.first().cloned(),
            usual,
        }
    })
}
