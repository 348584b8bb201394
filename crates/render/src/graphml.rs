//! Models as GraphML: for editors of graphs and for libraries.

use std::fmt::Write;

use whydunit_findings::{ClassModel, Report};

use crate::automaton::{grouped, lines, models, name};
use crate::plain::plain;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="values" for="node" attr.name="values" attr.type="string"/>
  <key id="ended" for="node" attr.name="ended" attr.type="long"/>
  <key id="method" for="edge" attr.name="method" attr.type="string"/>
  <key id="count" for="edge" attr.name="count" attr.type="long"/>
  <key id="exceptional" for="edge" attr.name="exceptional" attr.type="boolean"/>
"#;

/// The models of a report, a graph each, an edge for each method; nothing of other reports.
pub fn graphml(report: &Report) -> String {
    let graphs: String = models(report).iter().map(graph).collect();
    format!("{HEAD}{graphs}</graphml>\n")
}

fn graph(model: &ClassModel) -> String {
    let class = escaped(&model.class);
    let mut out = format!("  <graph id=\"{class}\" edgedefault=\"directed\">\n");
    for (number, state) in model.states.iter().enumerate() {
        let values = escaped(&lines(state).join(", "));
        let (name, ended) = (name(number), state.ended);
        writeln!(
            out,
            "    <node id=\"{class}.{name}\"><data key=\"values\">{values}</data><data key=\"ended\">{ended}</data></node>"
        )
        .expect("a string");
    }
    for group in grouped(model) {
        for label in &group.labels {
            writeln!(
                out,
                "    <edge source=\"{class}.{}\" target=\"{class}.{}\"><data key=\"method\">{}</data><data key=\"count\">{}</data><data key=\"exceptional\">{}</data></edge>",
                name(group.from),
                name(group.to),
                escaped(&label.label),
                label.count,
                label.exceptional
            )
            .expect("a string");
        }
    }
    out + "  </graph>\n"
}

fn escaped(text: &str) -> String {
    plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
