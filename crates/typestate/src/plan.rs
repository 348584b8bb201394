//! Which runs would show what an automaton does not know (Dallmeier, 7.3, algorithm 2): a plan over the automaton alone.

use std::collections::{BTreeSet, VecDeque};

use crate::automaton::{End, START, Typestate};
use crate::grade::Grade;

/// How a method comes to be called in a state in which it was not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// A call that needs nothing but the object is added right after a transition (its index) that leads to the state.
    Add {
        /// The transition.
        after: usize,
    },
    /// A recorded call from another state, and with it its arguments, happens in this one, as the calls of a path that leads from
    /// this state to the other one are suppressed.
    Suppress {
        /// The transition of the recorded call.
        reused: usize,
        /// The transitions of the path.
        path: Vec<usize>,
    },
    /// A recorded call from another state happens in this one, as calls like those of a path from the other state are made before it.
    Repeat {
        /// The transition of the recorded call.
        reused: usize,
        /// The transitions of the path.
        path: Vec<usize>,
    },
}

/// A run to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// Index of the state in which the method is to be called.
    pub state: usize,
    /// The method.
    pub method: String,
    /// How.
    pub way: Way,
}

/// A state and a method that no run can be planned for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unplanned {
    /// Index of the state.
    pub state: usize,
    /// The method.
    pub method: String,
    /// Why.
    pub why: Why,
}

/// Why nothing can be planned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Why {
    /// It needs arguments, and no call of it is known that has any.
    NoCall,
    /// No returning transitions lead from the state to one in which it was called, or from there to the state.
    NoPath,
    /// No transition leads to the state.
    NotReached,
}

/// What is to be run, and what cannot be planned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// In the order of states and methods.
    pub mutants: Vec<Mutant>,
    /// Likewise.
    pub unplanned: Vec<Unplanned>,
}

impl Typestate {
    /// The plan of the thesis for all unseen pairs of a state and a method that is no constructor (none that leads from `start`):
    /// `alone` says which methods need nothing but the object. The paths are shortest ones. Repeated calls are those that the
    /// specification adds to the thesis's additions and suppressions.
    pub fn plan(&self, alone: &BTreeSet<String>) -> Plan {
        let mut plan = Plan::default();
        let makes: BTreeSet<&String> =
            self.transitions.iter().filter(|it| self.states[it.from].name == START).map(|it| &it.method).collect();
        for state in 1..self.states.len() {
            for method in self.methods.iter().filter(|method| !makes.contains(method)) {
                if self.grade(state, method) != Grade::Unseen {
                    continue;
                }
                let ways = if alone.contains(method) { self.additions(state) } else { self.reuses(state, method) };
                match ways {
                    Ok(ways) => {
                        plan.mutants.extend(ways.into_iter().map(|way| Mutant { state, method: method.clone(), way }))
                    }
                    Err(why) => plan.unplanned.push(Unplanned { state, method: method.clone(), why }),
                }
            }
        }
        plan
    }

    fn additions(&self, state: usize) -> Result<Vec<Way>, Why> {
        let leads = |after: &usize| self.transitions[*after].end == End::To(state);
        let ways: Vec<Way> = (0..self.transitions.len()).filter(leads).map(|after| Way::Add { after }).collect();
        if ways.is_empty() { Err(Why::NotReached) } else { Ok(ways) }
    }

    fn reuses(&self, state: usize, method: &str) -> Result<Vec<Way>, Why> {
        let calls = || (0..self.transitions.len()).filter(|&reused| self.transitions[reused].method == method);
        let mut ways = Vec::new();
        for reused in calls() {
            let other = self.transitions[reused].from;
            ways.extend(self.path(state, other).map(|path| Way::Suppress { reused, path }));
            ways.extend(self.path(other, state).map(|path| Way::Repeat { reused, path }));
        }
        match (ways.is_empty(), calls().next()) {
            (false, _) => Ok(ways),
            (true, None) => Err(Why::NoCall),
            (true, Some(_)) => Err(Why::NoPath),
        }
    }

    /// The transitions of a shortest path of returning calls; `None` where there is no path.
    pub fn path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut by: Vec<Option<usize>> = vec![None; self.states.len()];
        let mut next = VecDeque::from([from]);
        while let Some(state) = next.pop_front() {
            if state == to {
                let mut path = Vec::new();
                let mut at = to;
                while at != from {
                    let step = by[at]?;
                    path.push(step);
                    at = self.transitions[step].from;
                }
                path.reverse();
                return Some(path);
            }
            for (number, it) in self.transitions.iter().enumerate().filter(|(_, it)| it.from == state) {
                if let End::To(after) = it.end
                    && after != from
                    && by[after].is_none()
                {
                    by[after] = Some(number);
                    next.push_back(after);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// A part of figure 7.3: `authSend` has a parameter, `quit` has none; `reset` was never called.
    const PROTOCOL: &str = "\
typestate SMTPProtocol
method SMTPProtocol, openPort, authSend, quit, reset
state 0
state 1
state 2
start -> 0  SMTPProtocol [seen 1]
0 -> 1  openPort [seen 1]
1 -> 2  authSend [seen 1]
2 -> 0  quit [seen 1]
";

    fn planned(state: &str, method: &str) -> Vec<String> {
        let protocol = parse(PROTOCOL).expect("a text without mistakes");
        let number = protocol.state(state).expect("a state of the text");
        let plan = protocol.plan(&BTreeSet::from(["quit".to_owned()]));
        let names = |path: &[usize]| {
            path.iter().map(|&step| protocol.transitions[step].method.as_str()).collect::<Vec<_>>().join(" ")
        };
        let of = |it: &&Mutant| it.state == number && it.method == method;
        let ways = plan.mutants.iter().filter(of).map(|it| match &it.way {
            Way::Add { after } => format!("after {}", names(&[*after])),
            Way::Suppress { path, .. } => format!("without {}", names(path)),
            Way::Repeat { path, .. } => format!("again {}", names(path)),
        });
        let none = plan.unplanned.iter().filter(|it| it.state == number && it.method == method);
        ways.chain(none.map(|it| format!("{:?}", it.why))).collect()
    }

    #[test]
    fn a_call_that_needs_only_the_object_is_added_after_each_transition_to_the_state() {
        assert_eq!(planned("0", "quit"), ["after SMTPProtocol", "after quit"]);
        assert_eq!(planned("1", "quit"), ["after openPort"]);
        assert!(planned("2", "quit").is_empty(), "it is known there");
    }

    #[test]
    fn a_recorded_call_happens_earlier_where_calls_before_it_are_suppressed() {
        assert_eq!(planned("0", "authSend"), ["without openPort", "again authSend quit"]);
        assert_eq!(planned("2", "authSend"), ["without quit openPort", "again authSend"]);
    }

    #[test]
    fn what_has_no_recorded_call_cannot_be_planned_and_constructors_are_not() {
        assert_eq!(planned("1", "reset"), ["NoCall"]);
        assert!(planned("1", "SMTPProtocol").is_empty());
    }

    #[test]
    fn pairs_that_no_path_and_no_transition_leads_to_are_named() {
        let text = "typestate T\nmethod m, n\nstate 1\nstate 2\n2 -> ex m [error E; seen 1]\n1 -> 1 n [seen 1]\n";
        let plan = parse(text).expect("a text without mistakes").plan(&BTreeSet::from(["n".to_owned()]));
        assert_eq!(plan.mutants, []);
        let whys: Vec<_> = plan.unplanned.iter().map(|it| (it.state, it.method.as_str(), it.why)).collect();
        assert_eq!(whys, [(1, "m", Why::NoPath), (2, "n", Why::NotReached)]);
    }
}
