//! What one model has that another one lacks, in words.

use std::path::Path;

use whydunit_behavior::{Difference, Ending, Mined as Behavior, Model, Step, compare};
use whydunit_desk::convert::relative;
use whydunit_findings::{Location, ModelDifference};

/// Values that are named of a state.
const NAMED: usize = 6;

/// Whose behavior others are compared with, and the verbs that go with it.
struct Other<'a> {
    name: &'a str,
    have: &'static str,
    call: &'static str,
}

/// What the objects of a failing test do that those of the passing ones do not.
pub(crate) fn only(project: &Path, passing: &Behavior, failing: &Behavior) -> Vec<ModelDifference> {
    let other = Other { name: "passing tests", have: "have", call: "call" };
    let mut found = all(project, passing, failing, &other);
    // What the passing tests do besides is no matter of the failing one's.
    found.retain(|difference| difference.kind.starts_with("new"));
    found
}

/// What objects of a version do differently from those of an older one. States are compared by what both versions have.
pub(super) fn between(project: &Path, older: &Behavior, newer: &Behavior, revision: &str) -> Vec<ModelDifference> {
    let other = Other { name: revision, have: "has", call: "calls" };
    let (mut older, mut newer) = (older.clone(), newer.clone());
    let mut found = Vec::new();
    for model in &mut newer.models {
        let Some(known) = older.models.iter_mut().find(|known| known.class == model.class) else { continue };
        let of = |first: &Model, second: &Model| -> Vec<String> {
            first.shown().difference(&second.shown()).map(ToString::to_string).collect()
        };
        let (added, removed) = (of(model, known), of(known, model));
        for (paths, kind, how) in [(&added, "new-state", "new"), (&removed, "lost-state", "no longer there")] {
            if !paths.is_empty() {
                found.push(plain(
                    kind,
                    format!("{}: {how}, and left out of the comparison: {}", model.class, paths.join(", ")),
                ));
            }
        }
        *model = model.without(&added);
        *known = known.without(&removed);
    }
    found.extend(all(project, &older, &newer, &other));
    let gone = older.models.iter().filter(|model| newer.models.iter().all(|known| known.class != model.class));
    found.extend(gone.map(|model| {
        plain("lost-state", format!("{revision} has objects of {}, and now there are none", model.class))
    }));
    found
}

fn plain(kind: &'static str, text: String) -> ModelDifference {
    ModelDifference { kind, text, location: None, test: None }
}

fn all(project: &Path, first: &Behavior, second: &Behavior, other: &Other<'_>) -> Vec<ModelDifference> {
    let mut found = Vec::new();
    for model in &second.models {
        match first.models.iter().find(|known| known.class == model.class) {
            Some(known) => found.extend(compare(known, model).iter().map(|it| words(project, model, it, other))),
            None => {
                found.push(plain("new-state", format!("{} {} no objects of {}", other.name, other.have, model.class)));
            }
        }
    }
    found
}

fn words(project: &Path, model: &Model, difference: &Difference, other: &Other<'_>) -> ModelDifference {
    let class = &model.class;
    let (kind, text, step) = match difference {
        Difference::NewState(values) => {
            let text = format!("{class} is in a state that {} {} not: {}", other.name, other.have, state(values));
            ("new-state", text, None)
        }
        Difference::LostState(values) => {
            ("lost-state", format!("{class} is no longer in this state of {}: {}", other.name, state(values)), None)
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
    let end = match &step.ending {
        Ending::Regular => String::new(),
        Ending::Exception(reason) if reason.is_empty() => " is left by an exception or a panic and".into(),
        Ending::Exception(reason) => format!(" is left by {reason} and"),
        Ending::Failure(what) => format!(" returns {what} and"),
    };
    format!("{from}, `{}`{end} {to}", step.method)
}

fn usual(step: &Step, other: &Other<'_>) -> String {
    let ends: Vec<String> =
        step.usual.iter().map(|(label, to)| format!("`{label}` to {}", changed(&step.from, to))).collect();
    match ends.len() {
        0 => format!("; {} never {} it there", other.name, other.call),
        _ => format!("; with {}: {}", other.name, ends.join(", ")),
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
