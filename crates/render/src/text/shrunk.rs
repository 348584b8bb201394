//! What `shrink` made smaller, as text.

use whydunit_findings::{PartKind, Shrunk, ShrunkPart, Size};

use super::Page;
use crate::plain::{plain, plain_line};

/// So many lines of a file are shown.
const LINES: usize = 30;

pub fn shrunk(page: &mut Page, shrunk: &Shrunk) {
    page.line(format!("{}: {}", page.style.strong(&plain(&shrunk.name)), plain(&shrunk.failure)));
    let names: Vec<String> = shrunk.parts.iter().map(name).collect();
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (part, name) in shrunk.parts.iter().zip(names) {
        let after = part.after.map_or("left out".to_string(), |after| size(part.kind, after));
        let same = part.after == Some(part.before);
        let change = if same { String::new() } else { format!(" -> {after}") };
        page.line(format!("  {name:wide$}  {}{change}", size(part.kind, part.before)));
    }
    let spared = match shrunk.spared {
        0 => String::new(),
        spared => format!(", {spared} more spared"),
    };
    page.line(format!("  after {}{spared}", count(shrunk.runs, "run")));
    if let Some(case) = &shrunk.case {
        page.line("the case, as a line of cases.jsonl:");
        page.line(plain(case));
    }
    if let Some(text) = &shrunk.text {
        page.line("the text:");
        let lines: Vec<&str> = text.lines().collect();
        lines.iter().take(LINES).for_each(|line| page.line(format!("  {}", plain_line(line))));
        if lines.len() > LINES {
            page.line(format!("  … and {} more", count((lines.len() - LINES) as u64, "line")));
        }
    }
    page.line(format!("kept in {}", plain(&shrunk.path)));
}

fn name(part: &ShrunkPart) -> String {
    match part.kind {
        PartKind::Args => "arguments".into(),
        PartKind::Stdin => "standard input".into(),
        PartKind::File => plain(&part.name).into_owned(),
    }
}

fn size(kind: PartKind, size: Size) -> String {
    let bytes = count(size.bytes, "byte");
    match kind {
        PartKind::Args => format!("{} ({bytes})", size.lines),
        _ => format!("{bytes} in {}", count(size.lines, "line")),
    }
}

fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
