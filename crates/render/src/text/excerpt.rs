//! Source lines under a finding.

use whydunit_findings::Location;

use super::Page;
use super::style::plain;

/// At most so many lines of one statement.
const LINES: u32 = 4;

/// The source lines of `location`, indented, with a mark under the extent where it is known and on one line. Nothing
/// where the source is not at hand.
pub fn excerpt(page: &mut Page, location: &Location, indent: usize) {
    let last = location.end_line.clamp(location.line, location.line.saturating_add(LINES - 1));
    let width = last.to_string().len();
    for number in location.line..=last {
        let Some(source) = page.sources.line(&location.file, number) else { return };
        let source = source.trim_end();
        let gutter = page.style.faint(&format!("{:indent$}{number:>width$} |", ""));
        page.line(format!("{gutter} {}", plain(&detab(source))));
        if number == location.line && last == location.line && location.column > 0 {
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
    let carets = page.style.bad(&"^".repeat(detab(marked).chars().count()));
    page.line(format!("{bar} {:left$}{carets}", "", left = detab(before).chars().count()));
}

fn detab(line: &str) -> String {
    line.replace('\t', "    ")
}
