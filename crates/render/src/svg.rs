//! Models as drawings, laid out by layout-rs: states as boxes, transitions as arrows, exceptional ones dashed.

use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::render::get_shape_size;
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use whydunit_findings::{ClassModel, Report};

use crate::automaton::{grouped, lines, models, name};
use crate::plain::plain;
use crate::plot::escaped;

/// The size of letters, in pixels.
const LETTERS: usize = 14;
/// What is drawn in black, and what in red, as RGB.
const BLACK: u32 = 0x0000_0000;
const RED: u32 = 0x00c2_2e1d;
/// How layout-rs writes them.
const BLACK_WRITTEN: &str = "#000000ff";
const RED_WRITTEN: &str = "#c22e1dff";

/// The first model of a report as a file of its own; nothing of other reports.
pub fn svg(report: &Report) -> String {
    models(report).first().map(draw).unwrap_or_default()
}

/// A model as a part of a page, whose colours it takes. `number` tells it from others of the page.
pub(crate) fn within_page(model: &ClassModel, number: usize) -> String {
    let drawn = draw(model);
    let without = |text: &str, from: &str, to: &str| match (text.find(from), text.find(to)) {
        (Some(start), Some(end)) if start < end => format!("{}{}", &text[..start], &text[end + to.len()..]),
        _ => text.to_string(),
    };
    // Style sheets of parts are not let in by the page's policy.
    let drawn = without(&without(&drawn, "<?xml", "?>"), "<style>", "</style>");
    let label = escaped(&plain(&model.class));
    drawn
        .replacen("<svg ", &format!("<svg class=\"automaton\" role=\"img\" aria-label=\"the states of {label}\" "), 1)
        .replace("id=\"arrow", &format!("id=\"m{number}-arrow"))
        .replace("href=\"#arrow", &format!("href=\"#m{number}-arrow"))
        .replace("id=\"startarrow\"", &format!("id=\"m{number}-startarrow\""))
        .replace("id=\"endarrow\"", &format!("id=\"m{number}-endarrow\""))
        .replace("url(#endarrow)", &format!("url(#m{number}-endarrow)"))
        .replace("url(#startarrow)", &format!("url(#m{number}-startarrow)"))
        .replace(BLACK_WRITTEN, "currentColor")
        .replace(RED_WRITTEN, "var(--fail)")
}

fn draw(model: &ClassModel) -> String {
    let mut graph = VisualGraph::new(Orientation::TopToBottom);
    let nodes: Vec<_> = model
        .states
        .iter()
        .enumerate()
        .map(|(number, state)| {
            let mut text = vec![name(number)];
            text.extend(lines(state).iter().map(|line| plain(line).into_owned()));
            let text = text.join("\n");
            let shape = if number == 0 { ShapeKind::new_circle(&text) } else { ShapeKind::new_box(&text) };
            // In a drawing from top to bottom what belongs to an element lies beside it.
            let beside = Orientation::LeftToRight;
            let size = get_shape_size(beside, &shape, LETTERS, false);
            graph.add_node(Element::create(shape, look(BLACK, 6), beside, size))
        })
        .collect();
    for group in grouped(model) {
        for exceptional in [false, true] {
            let of = group.labels.iter().filter(|label| label.exceptional == exceptional);
            let labels: Vec<String> = of.map(|label| plain(&label.counted()).into_owned()).collect();
            let (Some(&from), Some(&to)) = (nodes.get(group.from), nodes.get(group.to)) else { continue };
            if labels.is_empty() {
                continue;
            }
            let (line, colour) = match exceptional {
                true => (LineStyleKind::Dashed, RED),
                false => (LineStyleKind::Normal, BLACK),
            };
            let (start, end) = (LineEndKind::None, LineEndKind::Arrow);
            let arrow = Arrow::new(start, end, line, &labels.join("\n"), &look(colour, 0), &None, &None);
            graph.add_edge(arrow, from, to);
        }
    }
    let mut writer = SVGWriter::new();
    if !nodes.is_empty() {
        graph.do_it(false, false, false, &mut writer);
    }
    writer.finalize()
}

fn look(colour: u32, rounded: usize) -> StyleAttr {
    // The last two digits are how opaque it is.
    StyleAttr::new(Color::new(colour << 8 | 0xff), 1, None, rounded, LETTERS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_findings::{ModelState, ModelTransition};

    /// Each of so many states leads to some others and to itself, by calls that end well and badly.
    fn model(states: usize) -> ClassModel {
        let state = |n: usize| ModelState { values: vec![("size".into(), format!("{n} < \"many\" & more"))], ended: 0 };
        let transition = |from: usize, to: usize, mark| ModelTransition {
            from,
            to,
            method: format!("go<{to}>"),
            mark,
            count: 1,
            ..ModelTransition::default()
        };
        let all = (0..states).flat_map(|from| {
            let others = [from, (from * 7 + 1) % states, (from * 3 + 2) % states];
            others.into_iter().flat_map(move |to| ["", "!"].map(|mark| transition(from, to, mark)))
        });
        ClassModel {
            class: "Box<T>".into(),
            states: (0..states).map(state).collect(),
            transitions: all.collect(),
            ..ClassModel::default()
        }
    }

    #[test]
    fn models_of_forty_states_are_drawn_with_all_that_they_have() {
        for states in [0, 1, 2, 7, 40] {
            let drawn = draw(&model(states));
            roxmltree::Document::parse(&drawn).unwrap_or_else(|error| panic!("{states}: {error}\n{drawn}"));
            assert_eq!(drawn.contains("&lt; &quot;many&quot; &amp; more"), states > 0, "{drawn}");
            assert_eq!(drawn.matches("<rect").count(), states.saturating_sub(1), "{states}");
            assert_eq!(drawn.contains("stroke-dasharray"), states > 0, "{drawn}");
        }
    }

    #[test]
    fn in_a_page_it_takes_the_pages_colours_and_names() {
        let drawn = within_page(&model(3), 2);
        assert!(drawn.trim_start().starts_with("<svg class=\"automaton\""), "{drawn}");
        assert!(drawn.contains("aria-label=\"the states of Box&lt;T>\""), "{drawn}");
        assert!(!drawn.contains("<style") && !drawn.contains("\"#000000ff\"") && drawn.contains("currentColor"));
        assert!(drawn.contains("url(#m2-endarrow)") && !drawn.contains("url(#endarrow)"));
        assert!(!drawn.contains("url(#startarrow)") && !drawn.contains("#arrow"));
    }
}
