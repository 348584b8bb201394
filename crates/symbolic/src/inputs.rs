//! What a run is given from outside: arguments, standard input, files.

use std::collections::BTreeMap;
use std::ops::Range;

use whydunit_terms::Term;

/// What a run was given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// Arguments, the program's name first.
    pub args: Vec<Vec<u8>>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Files in the working folder, by the names under which they are opened.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// A part of what a run was given.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// An argument; the first one behind the program's name is 1.
    Argument(usize),
    /// Standard input.
    Stdin,
    /// A file.
    File(String),
}

/// As what it was read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReadAs {
    /// A byte: 8 bits.
    Byte,
    /// A number, by a function like `strtol`: 64 bits.
    Integer,
    /// A number, by a function like `strtod`: the 64 bits of a double.
    Float,
}

/// A variable of a run's path: something that it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputVariable {
    /// The variable.
    pub term: Term,
    /// Where it is from.
    pub source: Source,
    /// The bytes of the source that it was read from.
    pub range: Range<usize>,
    /// As what.
    pub read: ReadAs,
    /// What it was.
    pub value: u128,
}

impl Inputs {
    /// What a source holds.
    pub fn text(&self, source: &Source) -> &[u8] {
        match source {
            Source::Argument(number) => self.args.get(*number).map_or(&[], Vec::as_slice),
            Source::Stdin => &self.stdin,
            Source::File(name) => self.files.get(name).map_or(&[], Vec::as_slice),
        }
    }
}
