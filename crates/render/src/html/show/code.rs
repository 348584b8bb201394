//! The sources of the page: whole files where they are small, else what is around places that it names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whydunit_findings::{Location, Moments, Show};

use crate::Options;
use crate::html::excerpt::{self, MOST_LINES, Row, Shown, by_file};
use crate::html::listing::{Piece, anchor, pieces};
use crate::plain::plain;

/// By lines of a file the first moment at it, and how many there are.
type AtLines = BTreeMap<u32, (usize, usize)>;

/// So many lines around each place are shown of a file that is not shown whole.
const AROUND: u32 = 12;

/// A file.
pub struct File {
    pub name: String,
    /// Its number in the page.
    pub index: usize,
    pub rows: Vec<Row<Line>>,
}

/// A source line.
pub struct Line {
    pub number: u32,
    pub anchor: String,
    /// The first moment at the line, and how many there are.
    pub moments: Option<(usize, usize)>,
    pub pieces: Vec<Piece>,
}

/// All sources of the page.
pub struct Code {
    pub files: Vec<File>,
    pub without_source: Vec<String>,
    numbers: HashMap<String, usize>,
    texts: HashMap<(usize, u32), String>,
}

/// The places that the page names, those that stand out first.
fn places<'a>(show: &'a Show, moments: &'a Moments) -> Vec<&'a Location> {
    let failure = show.failure.as_deref();
    let of_failure = failure.into_iter().flat_map(|failure| {
        failure.location.iter().chain(failure.stack.iter().filter_map(|(_, location)| location.as_ref()))
    });
    let steps = moments.walk.iter().flat_map(|walk| &walk.steps).filter_map(|step| step.location.as_ref());
    let memory = show.errors.memory.iter().filter_map(|error| error.location.as_ref());
    let undefined = show.errors.undefined.iter().filter_map(|found| found.location.as_ref());
    let seen = moments.moments.iter().flat_map(|moment| &moment.stack).filter_map(|call| call.location.as_ref());
    of_failure.chain(steps).chain(memory).chain(undefined).chain(seen).collect()
}

impl Code {
    /// The sources of what the page of a run names.
    pub fn of(show: &Show, moments: &Moments, options: &Options<'_>) -> Self {
        let mut at: HashMap<&str, AtLines> = HashMap::new();
        for (index, moment) in moments.moments.iter().enumerate() {
            let Some(place) = moment.stack.first().and_then(|call| call.location.as_ref()) else { continue };
            at.entry(&place.file).or_default().entry(place.line).or_insert((index, 0)).1 += 1;
        }
        let (numbers, texts) = (HashMap::new(), HashMap::new());
        let mut code = Self { files: Vec::new(), without_source: Vec::new(), numbers, texts };
        let mut room = MOST_LINES;
        for (name, wanted) in by_file(places(show, moments).into_iter()) {
            let Some(source) = options.sources.text(name).filter(|_| room > 0) else {
                code.without_source.push(plain(name).into_owned());
                continue;
            };
            code.add(name, &source, (&wanted, at.get(name)), &mut room);
        }
        code
    }

    fn add(
        &mut self,
        name: &str,
        source: &str,
        (wanted, moments): (&BTreeSet<u32>, Option<&AtLines>),
        room: &mut usize,
    ) {
        let index = self.files.len();
        let rows = excerpt::rows(source, (wanted, AROUND), room, |Shown { number, text, kinds, .. }| {
            let line = Line {
                number,
                anchor: anchor(index, number),
                moments: moments.and_then(|moments| moments.get(&number)).copied(),
                pieces: pieces(&text, &kinds, None),
            };
            self.texts.insert((index, number), text);
            line
        });
        self.numbers.insert(name.to_string(), index);
        self.files.push(File { name: plain(name).into_owned(), index, rows });
    }

    /// The element of a place, where it is in the page.
    pub fn anchor(&self, location: &Location) -> Option<String> {
        let file = *self.numbers.get(&location.file)?;
        self.texts.contains_key(&(file, location.line)).then(|| anchor(file, location.line))
    }

    /// The line of a place, where it is in the page.
    pub fn line(&self, location: &Location) -> Option<String> {
        let file = *self.numbers.get(&location.file)?;
        Some(self.texts.get(&(file, location.line))?.trim().to_string())
    }
}
