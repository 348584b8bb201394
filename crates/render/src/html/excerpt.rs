//! The parts of sources that a page shows: small files whole, of others what is around the places that it names.

use std::collections::{BTreeSet, HashMap};

use whydunit_findings::Location;

use super::highlight::{Highlighter, Kind};
use crate::plain::plain_line;

/// Files of so many lines are shown whole.
pub const WHOLE: usize = 1500;
/// So many lines are in the page at most.
pub const MOST_LINES: usize = 20_000;

/// A row of a listing.
pub enum Row<Line> {
    /// A line.
    Line(Line),
    /// So many lines that are not shown.
    Gap(u32),
}

/// A line that is shown.
pub struct Shown<'a> {
    pub number: u32,
    /// As it stands in the source.
    pub source: &'a str,
    /// As a page may have it.
    pub text: String,
    /// What each of its characters is.
    pub kinds: Vec<Kind>,
}

/// The files of places in the order in which they are named first, with the lines of each.
pub fn by_file<'a>(places: impl Iterator<Item = &'a Location>) -> Vec<(&'a str, BTreeSet<u32>)> {
    let mut files: Vec<(&str, BTreeSet<u32>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for place in places {
        let index = *known.entry(&place.file).or_insert_with(|| {
            files.push((&place.file, BTreeSet::new()));
            files.len() - 1
        });
        files[index].1.insert(place.line);
    }
    files
}

/// The rows of a source: of a long one those that are no more than `around` lines from one that is wanted. `room` is how many more lines the
/// page takes.
pub fn rows<Line>(
    source: &str,
    (wanted, around): (&BTreeSet<u32>, u32),
    room: &mut usize,
    mut line: impl FnMut(Shown<'_>) -> Line,
) -> Vec<Row<Line>> {
    let whole = source.lines().count() <= WHOLE;
    let near = |line: u32| wanted.range(line.saturating_sub(around)..=line.saturating_add(around)).next().is_some();
    let (mut rows, mut gap, mut highlighter) = (Vec::new(), 0, Highlighter::default());
    for (number, source) in (1..).zip(source.lines()) {
        let text = plain_line(source);
        // A comment that begins in a line that is not shown goes on in those that are.
        let kinds = highlighter.line(&text);
        if *room == 0 || !(whole || near(number)) {
            gap += 1;
            continue;
        }
        *room -= 1;
        if gap > 0 {
            rows.push(Row::Gap(std::mem::take(&mut gap)));
        }
        rows.push(Row::Line(line(Shown { number, source, text, kinds })));
    }
    if gap > 0 {
        rows.push(Row::Gap(gap));
    }
    rows
}
