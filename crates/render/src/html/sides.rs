//! Two versions of some lines side by side.

use whydunit_findings::Change;

use crate::Options;
use crate::plain::{plain, plain_line};

/// So many lines around a change are shown with it.
const AROUND: u32 = 3;
/// So many lines of a change are shown.
const MOST_LINES: usize = 400;

/// Lines of two versions.
pub(super) struct Sides {
    /// A name in the page.
    pub(super) id: String,
    pub(super) place: String,
    /// What the versions are.
    pub(super) names: (&'static str, &'static str),
    pub(super) rows: Vec<Row>,
    /// Rows that are not shown.
    pub(super) more: usize,
}

/// A row of both versions side by side.
pub(super) enum Row {
    /// A line of both, with its number in the second.
    Same(u32, String),
    /// A line of the first, and one of the second with its number.
    Changed(Option<String>, Option<(u32, String)>),
    /// What happened to the file.
    Told(String),
}

impl Sides {
    /// A change from the good version to the bad one, with the lines around it where the source at hand is that of the bad one.
    pub(super) fn of_change(change: &Change, options: &Options<'_>) -> Self {
        let (mut old, mut new, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for line in change.diff.lines() {
            match line.split_at_checked(1) {
                Some(("-", text)) => old.push(text),
                Some(("+", text)) => new.push(text),
                _ => rows.push(Row::Told(plain(line).into_owned())),
            }
        }
        let (file, first) = (&change.location.file, change.location.line);
        let source = |line: u32| options.sources.line(file, line);
        let same = |line: u32| source(line).map(|text| Row::Same(line, plain_line(&text)));
        let known = new.first().is_some_and(|text| source(first).as_deref() == Some(*text));
        let after = first.saturating_add(new.len() as u32);
        if known {
            rows.extend((first.saturating_sub(AROUND).max(1)..first).filter_map(same));
        }
        rows.extend(changed(&mut old, &mut new, first));
        if known {
            rows.extend((after..after.saturating_add(AROUND)).filter_map(same));
        }
        let place = plain(&change.location.to_string()).into_owned();
        Self::cut(plain(&change.id).into_owned(), place, ("good", "bad"), rows)
    }

    /// A patch in unified form, with its context.
    pub(super) fn of_patch(id: String, place: String, diff: &str) -> Self {
        let (mut old, mut new, mut rows, mut line) = (Vec::new(), Vec::new(), Vec::new(), 0);
        // What stands before the first hunk says which file it is.
        for text in diff.lines().skip_while(|text| !text.starts_with("@@")) {
            if let Some((" ", text)) = text.split_at_checked(1) {
                let both = changed(&mut old, &mut new, line);
                line += both.iter().filter(|row| matches!(row, Row::Changed(_, Some(_)))).count() as u32;
                rows.extend(both);
                rows.push(Row::Same(line, plain_line(text)));
                line += 1;
            } else if let Some(text) = text.strip_prefix('-') {
                old.push(text);
            } else if let Some(text) = text.strip_prefix('+') {
                new.push(text);
            } else if let Some(hunk) = text.strip_prefix("@@") {
                rows.extend(changed(&mut old, &mut new, line));
                let first = hunk.split('+').nth(1).and_then(|text| text.split([',', ' ']).next());
                line = first.and_then(|text| text.parse().ok()).unwrap_or_default();
                if !rows.is_empty() {
                    rows.push(Row::Told("…".into()));
                }
            }
        }
        rows.extend(changed(&mut old, &mut new, line));
        Self::cut(id, place, ("as it is", "with the patch"), rows)
    }

    fn cut(id: String, place: String, names: (&'static str, &'static str), mut rows: Vec<Row>) -> Self {
        let more = rows.len().saturating_sub(MOST_LINES);
        rows.truncate(MOST_LINES);
        Self { id, place, names, rows, more }
    }
}

/// Lines that went beside those that came, the first of these with a number; they are taken.
fn changed(old: &mut Vec<&str>, new: &mut Vec<&str>, first: u32) -> Vec<Row> {
    let (old, new) = (std::mem::take(old), std::mem::take(new));
    let row = |index: usize| {
        let left = old.get(index).map(|text| plain_line(text));
        let right = new.get(index).map(|text| (first + index as u32, plain_line(text)));
        Row::Changed(left, right)
    };
    (0..old.len().max(new.len())).map(row).collect()
}
