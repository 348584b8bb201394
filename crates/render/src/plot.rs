//! Plots as parts of a page, whose colours they take.

use std::fmt::Write;

/// A bar.
pub struct Bar {
    /// What stands below it.
    pub label: String,
    /// How high it is.
    pub value: u64,
}

/// A point.
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// What it is of.
    pub label: String,
}

/// The size of a plot, and its margins to the left and below, in pixels.
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 56.0;
const BELOW: f64 = 44.0;
/// The margin above and to the right.
const MARGIN: f64 = 20.0;

/// Bars side by side, each with its value above it.
pub fn bars(name: &str, all: &[Bar]) -> String {
    let most = all.iter().map(|bar| bar.value).max().unwrap_or(0).max(1) as f64;
    let width = (WIDTH - LEFT - MARGIN) / all.len().max(1) as f64;
    let mut out = start(name);
    for (number, bar) in all.iter().enumerate() {
        let height = (HEIGHT - BELOW - MARGIN) * bar.value as f64 / most;
        let (x, y) = (LEFT + width * number as f64, HEIGHT - BELOW - height);
        let middle = x + width / 2.0;
        rectangle(&mut out, x + width * 0.1, y, width * 0.8, height);
        words(&mut out, middle, y - 4.0, "middle", &bar.value.to_string());
        words(&mut out, middle, HEIGHT - BELOW + 18.0, "middle", &bar.label);
    }
    axes(&mut out);
    out + "</svg>"
}

/// Points between two axes that begin at 0, with the line on which both sides are equal where they have one unit.
pub fn points(name: &str, [right, up]: [&str; 2], all: &[Point]) -> String {
    let most = |of: &dyn Fn(&Point) -> f64| all.iter().map(of).fold(1.0, f64::max);
    let (most_x, most_y) = (most(&|point| point.x), most(&|point| point.y));
    let x = |value: f64| LEFT + (WIDTH - LEFT - MARGIN) * value / most_x;
    let y = |value: f64| HEIGHT - BELOW - (HEIGHT - BELOW - MARGIN) * value / most_y;
    let mut out = start(name);
    if right.starts_with("lines") && up.starts_with("lines") {
        let end = most_x.min(most_y);
        line(&mut out, [x(0.0), y(0.0)], [x(end), y(end)], " stroke-dasharray=\"4\"");
    }
    for point in all {
        let title = escaped(&format!("{}: {} {right}, {:.0} {up}", point.label, point.x, point.y));
        let (x, y) = (x(point.x), y(point.y));
        write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"currentColor\" fill-opacity=\"0.6\"><title>{title}</title></circle>"
        )
        .expect("writing to a string");
    }
    axes(&mut out);
    words(&mut out, LEFT - 6.0, HEIGHT - BELOW, "end", "0");
    words(&mut out, LEFT - 6.0, MARGIN + 10.0, "end", &format!("{most_y:.0}"));
    words(&mut out, WIDTH - MARGIN, HEIGHT - BELOW + 18.0, "end", &format!("{most_x:.0}"));
    words(&mut out, (LEFT + WIDTH) / 2.0, HEIGHT - 8.0, "middle", right);
    words(&mut out, LEFT + 6.0, MARGIN + 10.0, "start", up);
    out + "</svg>"
}

fn start(name: &str) -> String {
    let name = escaped(name);
    format!(
        "<svg class=\"plot\" role=\"img\" aria-label=\"{name}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">"
    )
}

fn axes(out: &mut String) {
    let (bottom, corner) = (HEIGHT - BELOW, [LEFT, HEIGHT - BELOW]);
    line(out, corner, [WIDTH - MARGIN, bottom], "");
    line(out, corner, [LEFT, MARGIN], "");
}

fn line(out: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], more: &str) {
    write!(out, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"currentColor\"{more}/>")
        .expect("writing to a string");
}

fn rectangle(out: &mut String, x: f64, y: f64, width: f64, height: f64) {
    write!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"currentColor\" fill-opacity=\"0.5\"/>"
    )
    .expect("writing to a string");
}

fn words(out: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let text = escaped(text);
    write!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"12\" fill=\"currentColor\">{text}</text>"
    )
    .expect("writing to a string");
}

/// A text as a part of a drawing.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_are_whole_and_escaped() {
        let bar = |label: &str, value| Bar { label: label.into(), value };
        let drawn = bars("a < b", &[bar("1", 2), bar("<&\"", 0)]);
        roxmltree::Document::parse(&drawn).expect("it is XML");
        assert_eq!(drawn.matches("<rect").count(), 2);
        for all in [vec![], vec![Point { x: 0.0, y: 3.0, label: "<x>".into() }]] {
            let drawn = points("n", ["lines a", "lines b"], &all);
            roxmltree::Document::parse(&drawn).expect("it is XML");
            assert_eq!(drawn.matches("<circle").count(), all.len());
        }
    }
}
