//! How objects behave: the classes, and the states and transitions of each model.

use whydunit_findings::{Anomaly, ClassModel, MethodPurity, Mined, MinedClass, ModelDifference, ModelState};

use super::{Page, counted};
use crate::automaton::{grouped, name};
use crate::plain::plain;

/// What was mined.
pub fn mined(page: &mut Page, mined: &Mined) {
    if !mined.classes.is_empty() {
        classes(page, mined);
    }
    for (index, of) in mined.models.iter().enumerate() {
        if index > 0 {
            page.line("");
        }
        model(page, of, mined.runs);
    }
    if mined.inspector_runs > 0 {
        let saved = mined.inspector_runs_saved;
        let runs = counted(mined.inspector_runs, "run");
        page.line("");
        page.line(page.style.faint(&format!("inspectors: {runs}, {saved} saved")));
    }
    if let Some(proposal) = &mined.proposal {
        proposal.lines().for_each(|line| page.line(plain(line)));
    }
    if let Some(found) = &mined.methods {
        methods(page, found);
    }
    if let Some(found) = &mined.differences {
        differences(page, found);
    }
    if let Some(found) = &mined.anomalies {
        anomalies(page, found);
    }
}

/// Calls of a failing test that find objects otherwise, with both positions.
pub(super) fn anomalies(page: &mut Page, anomalies: &[Anomaly]) {
    page.line("");
    if anomalies.is_empty() {
        page.line("no anomalies: its calls find objects as those of passing tests do, as far as these tell");
        return;
    }
    page.line(page.style.strong("Calls that find an object otherwise than passing tests do"));
    for (number, anomaly) in anomalies.iter().enumerate() {
        page.line(format!("{}. {}: {}", number + 1, plain(&anomaly.class), plain(&anomaly.text)));
        page.line(page.style.faint(&plain(&format!("   {}", anomaly.places()))));
        for also in &anomaly.also {
            page.line(page.style.faint(&plain(&format!("   also {also}"))));
        }
    }
}

/// Methods by class, each with what decided.
fn methods(page: &mut Page, methods: &[MethodPurity]) {
    if methods.is_empty() {
        page.line("no method was called");
    }
    let width = methods.iter().map(|method| method.method.chars().count()).max().unwrap_or(0);
    let mut class = None;
    for method in methods {
        if class != Some(&method.class) {
            class = Some(&method.class);
            let heading = page.style.strong(&plain(&method.class));
            page.line(heading);
        }
        let verdict = match method.verdict {
            "impure" => "impure".to_owned(),
            "cache" => "pure but for a cache".to_owned(),
            "proved" => "pure, proved".to_owned(),
            _ => format!("pure in {}", counted(method.runs, "run")),
        };
        let written = method.written.iter().map(|what| format!("writes {what}"));
        let place = method.witness.iter().map(ToString::to_string);
        let words: Vec<String> = written.chain(place).chain(method.test.iter().cloned()).collect();
        page.line(format!("  {:width$}  {verdict:<20}  {}", plain(&method.method), plain(&words.join(", "))));
    }
}

/// What is different, a line each.
fn differences(page: &mut Page, differences: &[ModelDifference]) {
    page.line("");
    if differences.is_empty() {
        page.line("no differences");
    }
    for difference in differences {
        let place = difference.location.iter().map(ToString::to_string).chain(difference.test.iter().cloned());
        let words: Vec<String> = place.collect();
        let place = if words.is_empty() { String::new() } else { format!("  ({})", words.join(", ")) };
        page.line(format!("- {}{}", plain(&difference.text), page.style.faint(&plain(&place))));
    }
}

fn classes(page: &mut Page, mined: &Mined) {
    let width = mined.classes.iter().map(|class| class.name.chars().count()).max().unwrap_or(0).max(5);
    page.line(format!("{:width$}  {:>8}  {:>7}  {:>6}", "class", "objects", "methods", "states"));
    for class in &mined.classes {
        let figures = format!("{:>8}  {:>7}  {:>6}", class.objects, class.methods, class.states);
        page.line(format!("{:width$}  {figures}{}", plain(&class.name), interesting(class)));
    }
}

fn interesting(class: &MinedClass) -> String {
    let words = [(class.exceptional, "exceptional ends"), (class.preconditions, "preconditions")];
    let words: Vec<&str> = words.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
    if words.is_empty() { String::new() } else { format!("  {}", words.join(", ")) }
}

/// The states of a model, then its transitions, those between the same states together.
fn model(page: &mut Page, model: &ClassModel, runs: u64) {
    let depth = if model.depth > 1 { format!(", paths of {} steps", model.depth) } else { String::new() };
    let heading = page.style.strong(&plain(&model.class));
    let (states, objects) = (model.states.len().saturating_sub(1) as u64, model.objects);
    page.line(format!(
        "{heading}: {} of {} in {}{depth}",
        counted(states, "state"),
        counted(objects, "object"),
        counted(runs, "run")
    ));
    let common = common(model);
    if !common.is_empty() {
        page.line(page.style.faint(&format!("  {:<6} {}", "all", in_words(common.iter().copied()))));
    }
    for (number, state) in model.states.iter().enumerate().skip(1) {
        let own = in_words(state.values.iter().filter(|value| !common.contains(value)));
        page.line(format!("  {:<6} {own}{}", name(number), ended(state)));
    }
    page.line("");
    let width = grouped(model).iter().map(|group| name(group.from).len() + name(group.to).len()).max().unwrap_or(0) + 4;
    for group in grouped(model) {
        let arrow = format!("{} -> {}", name(group.from), name(group.to));
        let labels: Vec<String> = group.labels.iter().map(|label| label.counted()).collect();
        page.line(format!("  {arrow:<width$}  {}", plain(&labels.join(", "))));
        for label in group.labels.iter().filter(|label| label.exceptional) {
            if let Some(example) = &label.example {
                let line = format!("  {:width$}  {}: {}", "", label.label, example);
                page.line(page.style.faint(&plain(&line)));
            }
        }
    }
}

/// What all states of a model with several of them have in common.
fn common(model: &ClassModel) -> Vec<&(String, String)> {
    let (Some(first), true) = (model.states.get(1), model.states.len() > 2) else { return Vec::new() };
    let everywhere = |value: &&(String, String)| model.states.iter().skip(1).all(|state| state.values.contains(value));
    first.values.iter().filter(everywhere).collect()
}

pub(super) fn in_words<'v>(values: impl Iterator<Item = &'v (String, String)>) -> String {
    let word = |(path, value): &(String, String)| match value.as_str() {
        value if value.starts_with(['<', '>', '=']) => format!("{path} {value}"),
        value if value.starts_with("not ") || matches!(value, "null" | "empty" | "unknown") => {
            format!("{path} {value}")
        }
        value => format!("{path} = {value}"),
    };
    let words: Vec<String> = values.map(word).collect();
    if words.is_empty() { "(no values)".into() } else { plain(&words.join(", ")).into_owned() }
}

fn ended(state: &ModelState) -> String {
    if state.ended == 0 { String::new() } else { format!("  ({} ended here)", state.ended) }
}
