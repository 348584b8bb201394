//! The page of models: each class's automaton, its states, and its transitions with examples.

use askama::Template;
use whydunit_findings::{ClassModel, Mined, Report};

use super::anomaly::Anomaly;
use super::{Note, STYLE, STYLE_HASH, note};
use crate::automaton::{grouped, lines, name};
use crate::plain::plain;
use crate::svg::within_page;

/// What the template shows. All texts in it are plain, and escaped where they are put into the page, but for drawings.
#[derive(Template)]
#[template(path = "mine.html")]
struct Page {
    style: &'static str,
    style_hash: &'static str,
    version: &'static str,
    headline: String,
    partial: bool,
    models: Vec<Model>,
    classes: Vec<Class>,
    differences: Vec<String>,
    anomalies: Vec<Anomaly>,
    methods: Vec<Method>,
    /// A section of whydunit.toml; empty where none was asked for.
    proposal: String,
    runs: u64,
    figures: Vec<(&'static str, String)>,
    problems: Vec<Note>,
}

/// A model.
struct Model {
    number: usize,
    class: String,
    objects: u64,
    depth: u32,
    drawing: String,
    states: Vec<State>,
    transitions: Vec<Transition>,
}

/// A state.
struct State {
    name: String,
    values: Vec<String>,
    ended: u64,
}

/// A method between two states.
struct Transition {
    method: String,
    exceptional: bool,
    from: String,
    to: String,
    count: u64,
    example: String,
}

/// A verdict on a method.
struct Method {
    name: String,
    verdict: &'static str,
    runs: u64,
}

/// A class in a listing.
struct Class {
    name: String,
    facts: String,
}

/// The page of what was mined.
pub fn page(report: &Report, mined: &Mined) -> String {
    let page = Page {
        style: STYLE,
        style_hash: STYLE_HASH,
        version: env!("CARGO_PKG_VERSION"),
        headline: match &mined.models[..] {
            [] if mined.methods.is_some() => "Which methods change nothing".into(),
            [] if mined.proposal.is_some() => "A section of whydunit.toml".into(),
            [] if mined.classes.is_empty() => "No objects were seen".into(),
            [] => format!("{} classes", mined.classes.len()),
            [one] => plain(&one.class).into_owned(),
            many => format!("{} classes", many.len()),
        },
        partial: report.partial || report.interrupted,
        models: mined.models.iter().enumerate().map(|(number, model)| shown(number + 1, model)).collect(),
        classes: mined.classes.iter().map(class).collect(),
        differences: mined.differences.iter().flatten().map(|it| plain(&it.text).into_owned()).collect(),
        anomalies: Anomaly::all(mined.anomalies.iter().flatten()),
        methods: mined.methods.iter().flatten().map(method).collect(),
        proposal: mined.proposal.as_deref().map(plain).unwrap_or_default().into_owned(),
        runs: mined.runs,
        figures: figures(report),
        problems: report.problems.iter().map(note).collect(),
    };
    // The template writes to a string: nothing can go wrong on the way.
    page.render().unwrap_or_default()
}

fn shown(number: usize, model: &ClassModel) -> Model {
    let state = |(index, state)| State {
        name: name(index),
        values: lines(state).iter().map(|line| plain(line).into_owned()).collect(),
        ended: state.ended,
    };
    let groups = grouped(model);
    let transitions = groups.iter().flat_map(|group| {
        group.labels.iter().map(|label| Transition {
            method: plain(&label.label).into_owned(),
            exceptional: label.exceptional,
            from: name(group.from),
            to: name(group.to),
            count: label.count,
            example: label.example.as_deref().map(plain).unwrap_or_default().into_owned(),
        })
    });
    Model {
        number,
        class: plain(&model.class).into_owned(),
        objects: model.objects,
        depth: model.depth,
        drawing: within_page(model, number),
        states: model.states.iter().enumerate().map(state).collect(),
        transitions: transitions.collect(),
    }
}

fn class(class: &whydunit_findings::MinedClass) -> Class {
    let mut facts = vec![
        format!("{} objects", class.objects),
        format!("{} methods", class.methods),
        format!("{} states", class.states),
    ];
    facts.extend(class.exceptional.then(|| "ends exceptionally".to_string()));
    facts.extend(class.preconditions.then(|| "has preconditions".to_string()));
    Class { name: plain(&class.name).into_owned(), facts: facts.join(", ") }
}

fn method(method: &whydunit_findings::MethodPurity) -> Method {
    let name = format!("{}::{}", method.class, method.method);
    Method { name: plain(&name).into_owned(), verdict: method.verdict, runs: method.runs }
}

fn figures(report: &Report) -> Vec<(&'static str, String)> {
    let seconds = report.stats.seconds;
    (seconds > 0.0).then(|| ("in all", format!("{seconds:.1} s"))).into_iter().collect()
}
