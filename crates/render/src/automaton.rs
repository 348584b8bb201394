//! Models as drawings have them: names of states, and transitions between the same states together.

use std::collections::BTreeMap;

use whydunit_findings::{
    Body, ClassModel, Enriched, EnrichedState, EnrichedTransition, ModelState, ModelTransition, Report,
};

/// The models of a report that are drawn.
pub(crate) fn models(report: &Report) -> Vec<ClassModel> {
    match &report.body {
        Body::Mine(mined) => mined.models.clone(),
        Body::Enrich(enriched) => vec![drawn(enriched)],
        _ => Vec::new(),
    }
}

/// An automaton as a model, in which exceptional ends lead to a state of their own.
fn drawn(enriched: &Enriched) -> ClassModel {
    let named = |name: &str, what: &str| ModelState { values: vec![(name.to_owned(), what.to_owned())], ended: 0 };
    let state = |state: &EnrichedState| match state.values.is_empty() && state.name != "start" {
        true => named(&state.name, "it has ended"),
        false => ModelState { values: state.values.clone(), ended: 0 },
    };
    let mut states: Vec<ModelState> = enriched.states.iter().map(state).collect();
    let ex = states.len();
    if enriched.transitions.iter().any(|it| it.to.is_none()) {
        states.push(named("ex", "an exceptional end"));
    }
    let transition = |it: &EnrichedTransition| ModelTransition {
        from: it.from,
        to: it.to.unwrap_or(ex),
        method: it.method.clone(),
        mark: if it.to.is_none() { "!" } else { "" },
        reason: it.reason.as_ref().map(|(kind, text)| format!("{kind} {text}").trim_end().to_owned()),
        count: it.seen + it.tried,
        examples: Vec::new(),
    };
    ClassModel {
        class: enriched.class.clone(),
        depth: enriched.depth,
        objects: enriched.objects,
        states,
        transitions: enriched.transitions.iter().map(transition).collect(),
    }
}

/// What a state is called.
pub(crate) fn name(number: usize) -> String {
    if number == 0 { "start".into() } else { format!("s{number}") }
}

/// The values of a state, a line each.
pub(crate) fn lines(state: &ModelState) -> Vec<String> {
    state.values.iter().map(|(path, value)| format!("{path}: {value}")).collect()
}

/// A method on an edge.
pub(crate) struct Label {
    pub label: String,
    pub count: u64,
    pub exceptional: bool,
    /// Where it was seen, and what it ended by.
    pub example: Option<String>,
}

impl Label {
    /// With how often it was seen.
    pub fn counted(&self) -> String {
        format!("{} \u{d7}{}", self.label, self.count)
    }
}

/// The transitions from one state to another.
pub(crate) struct Group {
    pub from: usize,
    pub to: usize,
    pub labels: Vec<Label>,
}

/// The transitions, those between the same states together, those of one label counted together.
pub(crate) fn grouped(model: &ClassModel) -> Vec<Group> {
    let mut groups: BTreeMap<(usize, usize), BTreeMap<String, Label>> = BTreeMap::new();
    for transition in &model.transitions {
        let labels = groups.entry((transition.from, transition.to)).or_default();
        let new = || Label {
            label: transition.label(),
            count: 0,
            exceptional: !transition.mark.is_empty(),
            example: example(transition),
        };
        labels.entry(transition.label()).or_insert_with(new).count += transition.count;
    }
    let group = |((from, to), labels): ((usize, usize), BTreeMap<String, Label>)| {
        let mut labels: Vec<Label> = labels.into_values().collect();
        labels.sort_by(|a, b| (a.exceptional, &a.label).cmp(&(b.exceptional, &b.label)));
        Group { from, to, labels }
    };
    groups.into_iter().map(group).collect()
}

fn example(transition: &ModelTransition) -> Option<String> {
    let example = transition.examples.first()?;
    let reason = transition.reason.as_ref().map(|reason| format!("{reason}, "));
    let place = example.location.as_ref().map(|location| format!("{location}, "));
    Some(format!("{}{}{}", reason.unwrap_or_default(), place.unwrap_or_default(), example.test))
}
