//! Source lines under a finding.

use whydunit_findings::Location;

use super::Page;
use crate::plain::plain;

/// At most so many lines of one statement.
const LINES: u32 = 4;
/// So many lines before and after a statement are its context.
const AROUND: u32 = 2;

/// The source lines of `location`, indented, with a mark under the extent where it is known and on one line. Nothing
/// where the source is not at hand.
pub fn excerpt(page: &mut Page, location: &Location, indent: usize) {
    let last = last_line(location);
    lines(page, location, indent, (location.line, last), false);
}

/// The same between the lines around it, with a sign before the lines of `location`.
pub fn excerpt_within(page: &mut Page, location: &Location, indent: usize) {
    let last = last_line(location);
    let first = location.line.saturating_sub(AROUND).max(1);
    lines(page, location, indent, (first, last.saturating_add(AROUND)), true);
}

fn last_line(location: &Location) -> u32 {
    location.end_line.clamp(location.line, location.line.saturating_add(LINES - 1))
}

fn lines(page: &mut Page, location: &Location, indent: usize, (first, last): (u32, u32), sign: bool) {
    // Lines around a line that is not there would be those of another file.
    if page.sources.line(&location.file, location.line).is_none() {
        return;
    }
    let width = last.to_string().len();
    for number in first..=last {
        let Some(source) = page.sources.line(&location.file, number) else { return };
        let source = source.trim_end();
        let own = (location.line..=last_line(location)).contains(&number);
        let gutter = format!("{number:>width$} |");
        let gutter = if own { gutter } else { page.style.faint(&gutter) };
        let lead = if own && sign { page.style.bad(">") } else { " ".into() };
        page.line(format!("{:left$}{lead} {gutter} {}", "", plain(&detab(source)), left = indent.saturating_sub(2)));
        if number == location.line && last_line(location) == number && location.column > 0 {
            mark(page, location, source, indent + width);
        }
    }
}

fn mark(page: &mut Page, location: &Location, source: &str, gutter: usize) {
    // Columns count bytes. Where they do not fit the line, the file is another one than was built: no mark is better
    // than a wrong one.
    let start = location.column as usize - 1;
    let end = (location.end_column as usize).clamp(start + 1, source.len().max(start + 1));
    let Some(before) = source.get(..start) else { return };
    let Some(marked) = source.get(start..end) else { return };
    let bar = page.style.faint(&format!("{:gutter$} |", ""));
    let wide = |text: &str| plain(&detab(text)).chars().count();
    let carets = page.style.bad(&"^".repeat(wide(marked)));
    page.line(format!("{bar} {:left$}{carets}", "", left = wide(before)));
}

fn detab(line: &str) -> String {
    line.replace('\t', "    ")
}
