//! What is to be traced.

use std::collections::{BTreeMap, BTreeSet};

use crate::candidate::Candidate;
use crate::catalogue::Catalogue;

/// When the result of a function says that it has failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorRule {
    /// A negative number.
    Negative,
    /// A null pointer.
    Null,
    /// This number.
    Equal(i64),
    /// All but these numbers.
    NoneOf(BTreeSet<i64>),
}

impl ErrorRule {
    /// Whether a result says so.
    pub fn fails(&self, value: i64) -> bool {
        match self {
            Self::Negative => value < 0,
            Self::Null => value == 0,
            Self::Equal(number) => value == *number,
            Self::NoneOf(numbers) => !numbers.contains(&value),
        }
    }
}

/// What is to be traced.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// The classes, by their number in the catalogue; `None`: all that are no library's.
    pub classes: Option<BTreeSet<usize>>,
    /// Methods that are asked besides the run, by the class of the object.
    pub inspectors: BTreeMap<usize, Vec<Candidate>>,
    /// Classes whose objects the run is paused for, after each outermost call on one.
    pub pauses: BTreeSet<usize>,
    /// How functions of classes say that they have failed.
    pub errors: BTreeMap<usize, ErrorRule>,
    /// Writes are told of.
    pub purity: bool,
    /// Fields that are read, objects that functions get, and those at hand where something goes wrong are told of.
    pub reads: bool,
    /// Libraries' classes, by number.
    pub libraries: BTreeSet<usize>,
}

impl Wanted {
    /// Whether objects of a class are traced.
    pub fn class(&self, class: usize) -> bool {
        self.classes.as_ref().map_or_else(|| !self.libraries.contains(&class), |classes| classes.contains(&class))
    }

    /// Whether anything is done besides the run after a call on an object of a class.
    pub(crate) fn stops(&self, class: usize) -> bool {
        self.inspects(class) || self.pauses.contains(&class)
    }

    pub(crate) fn inspects(&self, class: usize) -> bool {
        self.inspectors.get(&class).is_some_and(|known| !known.is_empty())
    }
}

/// What a tracer works with.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    /// The classes.
    pub catalogue: &'a Catalogue,
    /// What is to be traced.
    pub wanted: &'a Wanted,
    /// The text of a source; `None` for one that is not what was compiled.
    pub text: &'a dyn Fn(&str) -> Option<String>,
}
