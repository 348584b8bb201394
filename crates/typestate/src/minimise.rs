//! States with the same future are one.

use std::collections::{BTreeMap, BTreeSet};

use crate::automaton::{End, Kind, State, Typestate};
use crate::grade::Grade;

/// What a state leads to, by classes of states: method, its grade, and the class after a return, or the way of failing and the class
/// of what is left.
type Future = BTreeSet<(String, Grade, Result<usize, (Kind, Option<usize>)>)>;

impl Typestate {
    /// The automaton whose states with the same future are one: the coarsest partition in which states of a class have the same
    /// methods with the same grades and ends in the same classes. The state before construction stays by itself. What is unseen
    /// in one state and known in another one keeps them apart, so that no transition comes that was not there.
    #[must_use]
    pub fn minimised(&self) -> Self {
        let mut class_of: Vec<usize> = (0..self.states.len()).map(|state| usize::from(state > 0)).collect();
        let mut count = class_of.iter().max().map_or(0, |last| last + 1);
        loop {
            let mut known: BTreeMap<(usize, Future), usize> = BTreeMap::new();
            let mut refined = Vec::new();
            for state in 0..self.states.len() {
                let next = known.len();
                refined.push(*known.entry((class_of[state], self.future(state, &class_of))).or_insert(next));
            }
            let refines = known.len();
            class_of = refined;
            if refines == count {
                return self.merged(&class_of, count);
            }
            count = refines;
        }
    }

    fn future(&self, state: usize, class_of: &[usize]) -> Future {
        let ends = self.transitions.iter().filter(|it| it.from == state).map(|it| {
            let end = match &it.end {
                End::To(to) => Ok(class_of[*to]),
                End::Ex { reason, left_in } => Err((reason.kind, left_in.map(|left| class_of[left]))),
            };
            (it.method.clone(), self.grade(state, &it.method), end)
        });
        ends.collect()
    }

    fn merged(&self, class_of: &[usize], count: usize) -> Self {
        let mut made = Self { states: vec![State::default(); count], transitions: Vec::new(), ..self.clone() };
        for (state, class) in self.states.iter().zip(class_of) {
            let one = &mut made.states[*class];
            if one.name.is_empty() {
                one.name.clone_from(&state.name);
                one.values.clone_from(&state.values);
                continue;
            }
            // A path that one of them lacks may have any value.
            one.values.retain(|path, _| state.values.contains_key(path));
            for (path, values) in &mut one.values {
                values.extend(state.values[path].iter().cloned());
            }
        }
        for it in &self.transitions {
            let mut new = it.clone();
            new.from = class_of[it.from];
            match &mut new.end {
                End::To(to) => *to = class_of[*to],
                End::Ex { left_in, .. } => *left_in = left_in.map(|left| class_of[left]),
            }
            made.add(new);
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    fn minimised(text: &str) -> String {
        parse(text).expect("a text without mistakes").minimised().to_string()
    }

    #[test]
    fn states_that_only_a_value_without_consequences_tells_apart_become_one() {
        let text = "\
typestate Zip
method Zip, close, put, write
state 1  open = false, size = \"= 0\"
state 2  open = true, size = \"= 0\"
state 3  open = false, size = \"> 0\"
state 4  open = true, size = \"> 0\"
start -> 1  Zip [seen 1]
1 -> 2  put [seen 1]
1 -> ex  write [exception; left in 1; seen 2]
2 -> 3  close [seen 1]
3 -> 4  put [seen 1]
3 -> ex  write [exception; left in 3; seen 1]
4 -> 3  close [seen 2]
";
        let expected = "\
typestate Zip
method Zip, close, put, write
state 1  open = false, size = \"= 0\" | \"> 0\"
state 2  open = true, size = \"= 0\" | \"> 0\"
start -> 1  Zip [seen 1]
1 -> 2  put [seen 2]
1 -> ex  write [exception; left in 1; seen 3]
2 -> 1  close [seen 3]
";
        assert_eq!(minimised(text), expected);
    }

    #[test]
    fn what_is_unseen_is_not_taken_from_another_state() {
        let text = "\
typestate T
method T, m, n
state 1
state 2
start -> 1  T [seen 1]
1 -> 2  m [seen 1]
2 -> 2  m [seen 1]
2 -> ex  n [exception; left in 2; seen 1]
";
        assert_eq!(minimised(text), text);
    }

    #[test]
    fn a_grade_keeps_states_apart() {
        let text = "\
typestate T
method T, go, m
state 1
state 2
start -> 1  T [seen 1]
1 -> 2  go [seen 1]
1 -> ex  m [error E; left in 1; seen 1]
2 -> 2  go [seen 1]
2 -> ex  m [error E; left in 2; misuse; seen 1]
";
        assert_eq!(minimised(text), text);
    }
}
