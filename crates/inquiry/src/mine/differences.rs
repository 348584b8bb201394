//! What one model has that another one lacks, in words.

use std::path::Path;

use whydunit_behavior::{Difference, Mined as Behavior, Miner, Model, Step, compare};
use whydunit_desk::Desk;
use whydunit_desk::convert::relative;
use whydunit_findings::{Location, Mined, ModelDifference};

use super::runs::{Ran, Reading};
use super::{MineError, Question, check, convert, options};
use crate::Error;

/// Values that are named of a state.
const NAMED: usize = 6;

/// What a failing test does that the passing ones do not.
pub(super) fn of_test(
    desk: &Desk,
    reading: &mut Reading<'_>,
    question: &Question<'_>,
    class: Option<usize>,
    test: &str,
) -> Result<Mined, Error> {
    let catalogue = reading.catalogue;
    let options = options::of(reading.project, question, class.map(|class| catalogue.classes()[class].name.as_str()));
    let (mut passing, mut failing) = (Miner::new(options.clone()), Miner::new(options));
    let (mut fails, mut passed) = (false, false);
    reading.all(question, &mut |ran: &Ran<'_>, event| {
        if ran.name == test {
            fails |= ran.failed;
            failing.event(event);
        } else if !ran.failed {
            passed = true;
            passing.event(event);
        }
    })?;
    if !fails {
        return Err(MineError::Passes { test: test.to_owned() }.into());
    }
    if !passed {
        return Err(MineError::NonePasses.into());
    }
    let (passing, failing) = (passing.finish(), failing.finish());
    if let Some(class) = class {
        check(catalogue, class, &failing, 1)?;
    }
    let mut mined = convert::mined(&desk.project, &failing, class.is_some(), reading.runs);
    // What the passing tests do besides is no matter of the failing one's.
    let mut found = all(&desk.project, &passing, &failing, "passing tests");
    found.retain(|difference| difference.kind.starts_with("new"));
    mined.differences = Some(found);
    Ok(mined)
}

/// What a version does differently from an older one.
pub(super) fn between(project: &Path, older: &Behavior, newer: &Behavior, revision: &str) -> Vec<ModelDifference> {
    all(project, older, newer, revision)
}

fn all(project: &Path, first: &Behavior, second: &Behavior, other: &str) -> Vec<ModelDifference> {
    let mut found = Vec::new();
    for model in &second.models {
        match first.models.iter().find(|known| known.class == model.class) {
            Some(known) => found.extend(compare(known, model).iter().map(|it| words(project, model, it, other))),
            None => found.push(ModelDifference {
                kind: "new-state",
                text: format!("{other} {} no objects of {}", have(other), model.class),
                location: None,
                test: None,
            }),
        }
    }
    found
}

fn have(other: &str) -> &'static str {
    if other.ends_with('s') { "have" } else { "has" }
}

fn words(project: &Path, model: &Model, difference: &Difference, other: &str) -> ModelDifference {
    let class = &model.class;
    let (kind, text, step) = match difference {
        Difference::NewState(values) => {
            let text = format!("{class} is in a state that {other} {} not: {}", have(other), state(values));
            ("new-state", text, None)
        }
        Difference::LostState(values) => {
            ("lost-state", format!("{class} is never in a state of {other}: {}", state(values)), None)
        }
        Difference::NewTransition(step) => {
            let usual = usual(step, other);
            ("new-transition", format!("{class}: {}{usual}", transition(step)), Some(step))
        }
        Difference::LostTransition(step) => {
            ("lost-transition", format!("{class} no longer: {}", transition(step)), None)
        }
    };
    let example = step.and_then(|step| step.example.as_ref());
    let location = example.filter(|it| !it.file.is_empty() && it.line > 0);
    ModelDifference {
        kind,
        text,
        location: location.map(|it| Location::line(relative(project, &it.file), it.line)),
        test: example.map(|it| it.run.clone()),
    }
}

fn transition(step: &Step) -> String {
    let from = if step.from.is_empty() { "at the start".into() } else { format!("where {}", state(&step.from)) };
    let to = match () {
        () if step.to == step.from => "changes nothing".to_owned(),
        () if step.to.is_empty() => "makes nothing".to_owned(),
        () => format!("leads to {}", changed(&step.from, &step.to)),
    };
    let end = match step.label.chars().next() {
        Some('!') => " is left by an exception and",
        Some('?') => " fails and",
        _ => "",
    };
    format!("{from}, `{}`{end} {to}", step.label.trim_start_matches(['!', '?']))
}

fn usual(step: &Step, other: &str) -> String {
    let ends: Vec<String> =
        step.usual.iter().map(|(label, to)| format!("`{label}` to {}", changed(&step.from, to))).collect();
    match ends.len() {
        0 => format!("; {other} never {} it there", if other.ends_with('s') { "call" } else { "calls" }),
        _ => format!("; with {other}: {}", ends.join(", ")),
    }
}

fn state(values: &[(String, String)]) -> String {
    let more = if values.len() > NAMED { ", …" } else { "" };
    let words: Vec<String> = values.iter().take(NAMED).map(|(path, value)| format!("{path} {value}")).collect();
    format!("{}{more}", words.join(", "))
}

/// The values that differ; all where none does.
fn changed(from: &[(String, String)], to: &[(String, String)]) -> String {
    let other: Vec<(String, String)> = to.iter().filter(|it| !from.contains(it)).cloned().collect();
    if other.is_empty() { "the same".into() } else { state(&other) }
}
