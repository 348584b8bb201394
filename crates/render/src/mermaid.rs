//! Models as state diagrams of Mermaid, as README files take them.

use std::fmt::Write;

use whydunit_findings::{ClassModel, Report};

use crate::automaton::{grouped, lines, models, name};
use crate::plain::plain;

/// The models of a report, a diagram each; nothing of other reports.
pub fn mermaid(report: &Report) -> String {
    models(report).iter().map(diagram).collect::<Vec<_>>().join("\n")
}

fn diagram(model: &ClassModel) -> String {
    let mut out = format!("---\ntitle: {}\n---\nstateDiagram-v2\n", escaped(&model.class));
    for (number, state) in model.states.iter().enumerate().skip(1) {
        let values = lines(state);
        let text = if values.is_empty() { name(number) } else { values.join("<br/>") };
        let text = text.split("<br/>").map(escaped).collect::<Vec<_>>().join("<br/>");
        writeln!(out, "    {}: {text}", name(number)).expect("a string");
    }
    let node = |number: usize| if number == 0 { "[*]".to_owned() } else { name(number) };
    for group in grouped(model).iter().filter(|group| group.to != 0) {
        let labels: Vec<String> = group.labels.iter().map(|label| escaped(&label.counted())).collect();
        writeln!(out, "    {} --> {}: {}", node(group.from), node(group.to), labels.join("<br/>")).expect("a string");
    }
    out
}

/// What has a meaning in a diagram, as an entity.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in plain(text).chars() {
        match c {
            ':' | ';' | '#' | '<' | '>' | '{' | '}' | '"' | '%' => write!(out, "#{};", u32::from(c)).expect("a string"),
            c => out.push(c),
        }
    }
    out
}
