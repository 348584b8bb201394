//! Mutants: programs with one small change.

use std::fmt;
use std::ops::Range;

use crate::fault::Place;

/// What a mutation does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Operator {
    /// A comparison becomes another one.
    Relational,
    /// An arithmetic operator becomes another one.
    Arithmetic,
    /// And becomes or, or becomes and.
    Connector,
    /// A condition is negated, or is no longer.
    Negation,
    /// A constant gets one more or less, or becomes 0 or 1.
    Constant,
    /// A statement is gone.
    Deletion,
    /// A variable becomes another one of its type that is in scope.
    Variable,
    /// A value gets a minus, or loses it.
    Minus,
    /// The index of an element is one more or less.
    Index,
    /// An assignment becomes another one.
    Assignment,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operator::Relational => "relational",
            Operator::Arithmetic => "arithmetic",
            Operator::Connector => "connector",
            Operator::Negation => "negation",
            Operator::Constant => "constant",
            Operator::Deletion => "deletion",
            Operator::Variable => "variable",
            Operator::Minus => "minus",
            Operator::Index => "index",
            Operator::Assignment => "assignment",
        })
    }
}

/// One change of a source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mutant {
    /// The source, relative to the project.
    pub file: String,
    /// The bytes that are replaced.
    pub start: usize,
    /// Their end.
    pub end: usize,
    /// What stands there instead; it has as many line breaks.
    pub text: String,
    /// What it does.
    pub operator: Operator,
    /// Where it is: the line of the change and that of its statement, or the lines next to a statement that is gone.
    pub lines: Vec<u32>,
}

impl Mutant {
    /// The source with the change.
    pub fn apply(&self, source: &str) -> String {
        let mut text = source.to_string();
        text.replace_range(self.range(), &self.text);
        text
    }

    /// The bytes that are replaced.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Where it is.
    pub fn places(&self) -> Vec<Place> {
        self.lines.iter().map(|line| Place { file: self.file.clone(), line: *line }).collect()
    }
}
