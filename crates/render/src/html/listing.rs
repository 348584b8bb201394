//! The sources of the page: whole files where they are small, else what is around findings.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whydunit_findings::{Finding, Located, Location};

use super::excerpt::{self, MOST_LINES, Row, Shown, by_file};
use super::heat::Heat;
use super::highlight::Kind;
use crate::plain::{Words, plain, words};
use crate::{Options, ranking};

/// So many lines around each finding are shown of a file that is not shown whole.
const AROUND: u32 = 8;
/// So many characters of a line.
const MOST_CHARACTERS: usize = 400;

/// A file with findings.
pub struct File {
    pub name: String,
    /// Its number in the page.
    pub index: usize,
    pub findings: usize,
    pub rows: Vec<Row<Line>>,
    /// Marks of an overview that is 1000 wide: where, how wide, how hot.
    pub marks: Vec<(usize, usize, u8)>,
}

/// A source line.
pub struct Line {
    pub number: u32,
    pub anchor: String,
    pub level: u8,
    /// Suspiciousness, where it has one.
    pub score: Option<String>,
    /// The best rank of its findings, and the number of that finding in the list.
    pub rank: Option<(String, usize)>,
    pub pieces: Vec<Piece>,
    /// Why its best finding is there, if something says so.
    pub witness: Vec<Words>,
}

/// A piece of a line in one look.
pub struct Piece {
    pub class: String,
    pub text: String,
}

/// The elements of lines.
pub struct Anchors {
    files: HashMap<String, usize>,
    lines: BTreeSet<(usize, u32)>,
}

impl Anchors {
    /// The element of a place, where it is in the page.
    pub fn of(&self, location: &Location) -> Option<String> {
        let file = *self.files.get(&location.file)?;
        self.lines.contains(&(file, location.line)).then(|| anchor(file, location.line))
    }
}

/// The element of a line of a file.
pub fn anchor(file: usize, line: u32) -> String {
    format!("L{file}-{line}")
}

/// All sources of the page.
pub struct Listings {
    pub files: Vec<File>,
    pub without_source: Vec<String>,
    pub anchors: Anchors,
}

impl Listings {
    /// The files of `listed` findings, in the order of their best, then those of correction sets alone.
    pub fn of(located: &Located, listed: &[Finding], heat: &Heat<'_>, options: &Options<'_>) -> Self {
        let in_sets = located.correction_sets.iter().flat_map(|set| &set.statements);
        let wanted = by_file(listed.iter().map(|finding| &finding.location).chain(in_sets));
        let mut listings = Self {
            files: Vec::new(),
            without_source: Vec::new(),
            anchors: Anchors { files: HashMap::new(), lines: BTreeSet::new() },
        };
        let mut room = MOST_LINES;
        for (name, wanted) in wanted {
            let source = options.sources.text(name).filter(|_| room > 0);
            let Some(source) = source else {
                listings.without_source.push(plain(name).into_owned());
                continue;
            };
            let findings = Findings::of(listed, name);
            let rows = rows(name, listings.files.len(), &source, &wanted, &findings, heat, &mut room);
            listings.add(name, source.lines().count(), rows, findings.number, heat);
        }
        listings
    }

    fn add(&mut self, name: &str, lines: usize, rows: Vec<Row<Line>>, findings: usize, heat: &Heat<'_>) {
        let index = self.files.len();
        let shown = rows.iter().filter_map(|row| if let Row::Line(line) = row { Some(line.number) } else { None });
        self.anchors.lines.extend(shown.map(|line| (index, line)));
        self.anchors.files.insert(name.to_string(), index);
        let mark = |line: usize| {
            let level = heat.level(heat.score(name, line as u32 + 1)?);
            Some((line * 1000 / lines, (1000 / lines).max(3), level))
        };
        let marks = (0..lines).filter_map(mark).collect();
        self.files.push(File { name: plain(name).into_owned(), index, findings, rows, marks });
    }
}

/// The findings of a file, by line.
struct Findings<'a> {
    best: BTreeMap<u32, (usize, &'a Finding)>,
    number: usize,
}

impl<'a> Findings<'a> {
    fn of(listed: &'a [Finding], file: &str) -> Self {
        let mut best = BTreeMap::new();
        let mut number = 0;
        for (index, finding) in listed.iter().enumerate().filter(|(_, finding)| finding.location.file == file) {
            best.entry(finding.location.line).or_insert((index, finding));
            number += 1;
        }
        Self { best, number }
    }
}

fn rows(
    name: &str,
    index: usize,
    source: &str,
    wanted: &BTreeSet<u32>,
    findings: &Findings<'_>,
    heat: &Heat<'_>,
    room: &mut usize,
) -> Vec<Row<Line>> {
    excerpt::rows(source, (wanted, AROUND), room, |Shown { number, source, text, kinds }| {
        let best = findings.best.get(&number);
        let score = heat.score(name, number);
        Line {
            number,
            anchor: anchor(index, number),
            level: score.map_or(0, |score| heat.level(score)),
            score: score.map(ranking::score),
            rank: best.map(|(number, finding)| (ranking::rank(finding).replace('-', "–"), *number)),
            pieces: pieces(&text, &kinds, best.and_then(|(_, finding)| extent(source, &finding.location))),
            witness: best
                .map(|(_, finding)| ranking::reasons(finding).iter().map(|text| words(text)).collect())
                .unwrap_or_default(),
        }
    })
}

/// The first and the last character of a finding in its line as it is shown, where its columns fit.
fn extent(line: &str, location: &Location) -> Option<(usize, usize)> {
    let start = (location.column as usize).checked_sub(1)?;
    let end = if location.end_line > location.line { line.trim_end().len() } else { location.end_column as usize };
    let shown = |text: &str| plain(&text.replace('\t', "    ")).chars().count();
    let before = shown(line.get(..start)?);
    let marked = shown(line.get(start..end.max(start + 1))?);
    Some((before, before + marked))
}

/// A line in pieces of one look, the extent of its finding marked.
pub fn pieces(line: &str, kinds: &[Kind], marked: Option<(usize, usize)>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (index, (c, kind)) in line.chars().zip(kinds).take(MOST_CHARACTERS).enumerate() {
        let mark = marked.is_some_and(|(first, end)| (first..end).contains(&index));
        let class = [kind.class(), if mark { "m" } else { "" }].join(" ").trim().to_string();
        match pieces.last_mut() {
            Some(last) if last.class == class => last.text.push(c),
            _ => pieces.push(Piece { class, text: c.into() }),
        }
    }
    if kinds.len() > MOST_CHARACTERS {
        pieces.push(Piece { class: String::new(), text: " …".into() });
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;
    use crate::html::excerpt::WHOLE;

    struct Lines(usize);

    impl Sources for Lines {
        fn text(&self, file: &str) -> Option<String> {
            (file != "gone.c").then(|| "x;\n".repeat(self.0))
        }
    }

    fn at(file: &str, line: u32) -> Finding {
        Finding { location: Location::line(file, line), score: 1.0, ..Finding::default() }
    }

    fn listings(findings: Vec<Finding>, lines: usize) -> Listings {
        let located = Located { findings, ..Located::default() };
        let options = Options { sources: &Lines(lines), ..Options::default() };
        Listings::of(&located, &located.findings, &Heat::of(&located), &options)
    }

    #[test]
    fn of_a_large_file_only_what_is_around_findings_is_shown() {
        let listings = listings(vec![at("a.c", 1000), at("a.c", 5), at("gone.c", 1)], WHOLE + 1);
        let gaps: Vec<u32> = listings.files[0]
            .rows
            .iter()
            .filter_map(|row| if let Row::Gap(n) = row { Some(*n) } else { None })
            .collect();
        assert_eq!(gaps, [1000 - AROUND - 5 - AROUND - 1, WHOLE as u32 + 1 - 1000 - AROUND]);
        assert!(listings.anchors.of(&Location::line("a.c", 1000 + AROUND)).is_some());
        assert_eq!(listings.anchors.of(&Location::line("a.c", 500)), None);
        assert_eq!(listings.without_source, ["gone.c"]);
    }

    #[test]
    fn a_page_has_a_bound() {
        let findings = (0..20).map(|n| at(&format!("{n}.c"), 1)).collect();
        let listings = listings(findings, WHOLE);
        let lines: usize = listings.files.iter().map(|file| file.rows.len()).sum();
        assert!(lines <= MOST_LINES + listings.files.len(), "{lines}");
        assert!(!listings.without_source.is_empty());
    }

    #[test]
    fn the_extent_of_a_finding_is_marked_through_tabs_and_wide_letters() {
        let location = Location { column: 5, end_column: 6, ..Location::point("a.c", 1, 5) };
        assert_eq!(extent("\t\u{e4} ab", &location), Some((6, 8)));
        assert_eq!(extent("a", &location), None);
    }
}
