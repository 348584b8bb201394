//! Following the outputs of a run.

use std::fmt;

use crate::excerpt::{first_line, quoted};
use crate::{Alternative, Call, Match, Need, Place, Requirement};

/// A place in the expected output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Bytes before it.
    pub offset: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in bytes, from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// What a program should print to one stream, and how far it has. Any bytes will do.
#[derive(Clone, Debug)]
pub struct Oracle {
    expected: Vec<u8>,
    offset: usize,
    /// Calls so far.
    calls: usize,
    /// The last call that printed something, and where it started.
    last: Option<(Call, usize, usize)>,
    differs: bool,
}

/// What a call comes to.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// The output is as expected, up to here.
    AsExpected {
        /// The bytes printed so far.
        offset: usize,
    },
    /// It is here that the output first differs.
    Differs(Box<Difference>),
    /// It differed before: where this call's text belongs is not known.
    After,
}

/// The first call whose output is not as expected.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// Which of the calls that the oracle was shown, from 0.
    pub call: usize,
    /// Where its output starts.
    pub start: Position,
    /// The first byte that is not as expected.
    pub at: Position,
    /// What it prints.
    pub printed: Vec<u8>,
    /// What is expected from its start, up to the end of the line.
    pub expected: Vec<u8>,
    /// What its arguments have to be. Where nothing makes it right, the call should not be reached here: it is too many,
    /// or one before it is missing.
    pub found: Match,
    /// The call before may be the one that is wrong: it printed only a part of what is expected on its line (1 where 12 is
    /// expected), and this is what it would take to print more.
    pub earlier: Option<Earlier>,
    /// A later line of the expected output that is what the call prints: the lines before it are missing.
    pub resumes: Option<Position>,
}

/// A call before the one that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Earlier {
    /// Which, from 0.
    pub call: usize,
    /// Where its output starts.
    pub start: Position,
    /// What it takes to print more.
    pub alternatives: Vec<Alternative>,
}

/// How a run's output ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All is printed.
    Complete,
    /// Output is missing: a call that prints it should have been reached.
    Missing {
        /// From here on.
        at: Position,
        /// What is still expected.
        expected: Vec<u8>,
    },
    /// It differed before.
    Differed,
}

impl Oracle {
    /// Nothing is printed yet.
    pub fn new(expected: impl Into<Vec<u8>>) -> Self {
        Self { expected: expected.into(), offset: 0, calls: 0, last: None, differs: false }
    }

    /// The bytes printed so far, all as expected.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// What is still expected.
    pub fn rest(&self) -> &[u8] {
        &self.expected[self.offset..]
    }

    /// The line and column of an offset.
    pub fn position(&self, offset: usize) -> Position {
        let before = &self.expected[..offset.min(self.expected.len())];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Position { offset: before.len(), line, column: before.len() - start + 1 }
    }

    /// The run's next call that prints to this stream.
    pub fn next(&mut self, call: &Call) -> Step {
        let index = self.calls;
        self.calls += 1;
        if self.differs {
            return Step::After;
        }
        let found = call.matched(self.rest());
        if let Match::Equal { consumed } = found {
            if consumed > 0 {
                self.last = Some((call.clone(), index, self.offset));
            }
            self.offset += consumed;
            return Step::AsExpected { offset: self.offset };
        }
        self.differs = true;
        Step::Differs(Box::new(self.difference(call, index, found)))
    }

    /// The run is over.
    pub fn finish(&self) -> Ending {
        if self.differs {
            return Ending::Differed;
        }
        match self.rest() {
            [] => Ending::Complete,
            rest => Ending::Missing { at: self.position(self.offset), expected: rest.into() },
        }
    }

    fn difference(&self, call: &Call, index: usize, found: Match) -> Difference {
        let rest = self.rest();
        let printed = call.output().map(|printed| printed.into_owned()).unwrap_or_default();
        let common = printed.iter().zip(rest).take_while(|(a, b)| a == b).count();
        Difference {
            call: index,
            start: self.position(self.offset),
            at: self.position(self.offset + common),
            resumes: if matches!(found, Match::Impossible { .. }) { self.resumes(&printed) } else { None },
            printed,
            expected: first_line(rest).into(),
            found,
            earlier: self.earlier(),
        }
    }

    /// The call before, if the expected line goes on where it stopped.
    fn earlier(&self) -> Option<Earlier> {
        let (call, index, start) = self.last.as_ref()?;
        if self.rest().is_empty() || self.expected[..self.offset].ends_with(b"\n") {
            return None;
        }
        match call.matched_beyond(&self.expected[*start..], Some(self.offset - start)) {
            Match::Requires { alternatives, .. } => {
                Some(Earlier { call: *index, start: self.position(*start), alternatives })
            }
            _ => None,
        }
    }

    /// Where whole lines that were printed too early are expected.
    fn resumes(&self, printed: &[u8]) -> Option<Position> {
        let lines = |text: &[u8]| text.ends_with(b"\n");
        let whole = self.offset == 0 || lines(&self.expected[..self.offset]);
        if !whole || !lines(printed) || printed.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let starts = self.rest().iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        starts
            .map(|start| self.offset + start)
            .find(|start| self.expected[*start..].starts_with(printed))
            .map(|start| self.position(start))
    }
}

/// Text for people: "line 3, column 5: this prints 12, 13 is expected".
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Match::Requires { alternatives, .. } = &self.found
            && let Some(alternative) = alternatives.first()
        {
            write!(f, "{}: this prints ", self.at)?;
            return match values(alternative) {
                Some((printed, expected)) => write!(f, "{printed}, {expected} is expected"),
                None => {
                    let expected = &self.expected[..self.expected.len().min(alternative.consumed)];
                    write!(f, "{}, {} is expected", quoted(&self.printed), quoted(expected))
                }
            };
        }
        if let Some(earlier) = &self.earlier
            && let Some((printed, expected)) = earlier.alternatives.first().and_then(values)
        {
            return write!(f, "{}: the output before this is {printed}, {expected} is expected", earlier.start);
        }
        write!(f, "{}: this prints {}", self.at, quoted(first_line(&self.printed)))?;
        match &self.expected[..] {
            [] => f.write_str(", nothing more is expected"),
            expected => write!(f, ", {} is expected", quoted(expected)),
        }
    }
}

/// What the first argument that has to change prints, and what it should, without padding.
fn values(alternative: &Alternative) -> Option<(String, String)> {
    let need: &Need = alternative.needs.first()?;
    let Place::Argument(_) = need.place else { return None };
    Some(match need.requirement {
        Requirement::Text(_) => (quoted(&need.printed), quoted(&need.expected)),
        Requirement::Integer { bits: 8, signed: false, .. } => (quoted(&need.printed), quoted(&need.expected)),
        _ => {
            let shown = |text: &[u8]| String::from_utf8_lossy(text.trim_ascii()).into_owned();
            (shown(&need.printed), shown(&need.expected))
        }
    })
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Complete => f.write_str("the output is complete"),
            Ending::Missing { at, expected } => {
                write!(f, "{at}: the output ends, {} is still expected", quoted(first_line(expected)))
            }
            Ending::Differed => f.write_str("the output is not as expected"),
        }
    }
}
