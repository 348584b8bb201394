//! An enriched automaton as findings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use whydunit_behavior::Model;
use whydunit_desk::convert::relative;
use whydunit_enrich::{Enriched, Execution, Executor, Given, Origin};
use whydunit_findings::{
    self as findings, EnrichedArgument, EnrichedHow, EnrichedPair, EnrichedState, EnrichedTransition, Location,
};
use whydunit_typestate::{End, Grade, START, Transition};

/// The findings; the model is that of the suite, with the states that were met besides.
pub(super) fn enriched(
    project: &Path,
    model: &Model,
    made: &Enriched<'_>,
    executor: &Executor<'_>,
    runs: u64,
) -> findings::Enriched {
    let typestate = &made.typestate;
    let known: BTreeSet<usize> = model.transitions.iter().flat_map(|it| [it.from, it.to]).collect();
    let states = typestate.states.iter().enumerate().map(|(number, state)| {
        let values = model.states.get(number).map(|state| state.values.clone()).unwrap_or_default();
        let new = state.name != START && !known.contains(&number);
        EnrichedState { name: state.name.clone(), values, new }
    });
    let transitions = typestate.transitions.iter().enumerate();
    let transitions = transitions.map(|(number, it)| {
        let first = made.executions.get(&number).and_then(|executions| executions.first());
        transition(project, it, first.copied())
    });
    findings::Enriched {
        class: typestate.class.clone(),
        depth: model.depth as u32,
        objects: model.objects,
        runs,
        states: states.collect(),
        transitions: transitions.collect(),
        pairs: pairs(made, executor, &known),
        calls: executor.begun,
        executed: executor.executions.len() as u64,
        model: typestate.to_string(),
        unit_tests: None,
    }
}

fn transition(project: &Path, transition: &Transition, execution: Option<&Execution>) -> EnrichedTransition {
    let (to, reason, left_in) = match &transition.end {
        End::To(to) => (Some(*to), None, None),
        End::Ex { reason, left_in } => (None, Some((reason.kind.name(), reason.text.clone())), *left_in),
    };
    EnrichedTransition {
        from: transition.from,
        method: transition.method.clone(),
        to,
        reason,
        left_in,
        seen: transition.evidence.seen,
        tried: transition.evidence.tried,
        how: execution.map(|execution| how(project, execution)),
    }
}

fn location(project: &Path, file: &str, line: u32) -> Option<Location> {
    let known = !file.is_empty() && line > 0;
    known.then(|| Location::line(relative(project, file), line))
}

fn how(project: &Path, execution: &Execution) -> EnrichedHow {
    let reached = &execution.reached;
    let words = |given: &[Given]| given.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(", ");
    let argument = |given: &Given| {
        let (test, location) = match &given.origin {
            Origin::Call { run, file, line } => (Some(run.clone()), location(project, file, *line)),
            Origin::Boundary => (None, None),
        };
        EnrichedArgument { text: given.text.clone(), test, location }
    };
    EnrichedHow {
        test: reached.run.clone(),
        location: location(project, &reached.file, reached.line),
        steps: reached.steps.iter().map(|step| format!("{}({})", step.method, words(&step.arguments))).collect(),
        arguments: execution.arguments.iter().map(argument).collect(),
    }
}

/// What is known of the methods in states that the suite does not call there; `known` are its states.
fn pairs(made: &Enriched<'_>, executor: &Executor<'_>, known: &BTreeSet<usize>) -> Vec<EnrichedPair> {
    let mut reasons: BTreeMap<(usize, &str), BTreeSet<&str>> = BTreeMap::new();
    for state in 1..made.typestate.states.len() {
        for method in executor.methods().filter(|method| made.typestate.of_pair(state, method).next().is_none()) {
            reasons.insert((state, method), BTreeSet::new());
        }
    }
    let begun: BTreeSet<(usize, &str)> =
        executor.pairs.keys().filter_map(|(state, method)| Some((made.state(*state)?, method.as_str()))).collect();
    for ((state, method), pair) in &executor.pairs {
        if let Some(state) = made.state(*state) {
            let of_pair = reasons.entry((state, method)).or_default();
            of_pair.extend(pair.unseen.keys().map(String::as_str));
        }
    }
    let pair = |((state, method), reasons): ((usize, &str), BTreeSet<&str>)| {
        let grade = made.typestate.grade(state, method);
        let mut reasons: Vec<String> = reasons.into_iter().map(str::to_owned).collect();
        if reasons.is_empty() && grade == Grade::Unseen {
            reasons.push(match (begun.contains(&(state, method)), known.contains(&state)) {
                (true, _) => "it was not tried in the time and the number of calls allowed".into(),
                (false, true) => {
                    "no run could be left with an object in this state: right behind a call on it, in one thread, at an address"
                        .into()
                }
                (false, false) => "the state is more calls away from the recorded runs than were allowed".into(),
            });
        }
        EnrichedPair { state, method: method.to_owned(), grade: grade.name(), reasons }
    };
    reasons.into_iter().map(pair).collect()
}
