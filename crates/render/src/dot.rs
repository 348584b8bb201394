//! Models as Graphviz reads them.

use std::fmt::Write;

use whydunit_findings::{ClassModel, Report};

use crate::automaton::{grouped, lines, models, name};
use crate::plain::plain;

/// The models of a report, a directed graph each; nothing of other reports.
pub fn dot(report: &Report) -> String {
    models(report).iter().map(graph).collect()
}

fn graph(model: &ClassModel) -> String {
    let mut out = format!("digraph {} {{\n  node [shape=box, style=rounded];\n", quoted(&model.class));
    for (number, state) in model.states.iter().enumerate() {
        let mut text = vec![name(number)];
        text.extend(lines(state));
        let shape = if number == 0 { ", shape=plaintext" } else { "" };
        writeln!(out, "  {} [label={}{shape}];", name(number), quoted(&text.join("\n"))).expect("a string");
    }
    for group in grouped(model) {
        for exceptional in [false, true] {
            let of = group.labels.iter().filter(|label| label.exceptional == exceptional);
            let labels: Vec<String> = of.map(|label| label.counted()).collect();
            if !labels.is_empty() {
                let style = if exceptional { ", style=dashed, color=red" } else { "" };
                let (from, to, label) = (name(group.from), name(group.to), quoted(&labels.join("\n")));
                writeln!(out, "  {from} -> {to} [label={label}{style}];").expect("a string");
            }
        }
    }
    out + "}\n"
}

/// A text in quotes; a line break is `\n`.
fn quoted(text: &str) -> String {
    let lines: Vec<String> =
        text.split('\n').map(|line| plain(line).replace('\\', "\\\\").replace('"', "\\\"")).collect();
    format!("\"{}\"", lines.join("\\n"))
}
