//! Models as drawings have them: names of states, and transitions between the same states together.

use std::collections::BTreeMap;

use whydunit_findings::{ClassModel, ModelState, ModelTransition};

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
