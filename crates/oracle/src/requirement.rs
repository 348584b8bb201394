//! What the arguments of a call have to be.

use std::collections::BTreeMap;
use std::fmt;

use crate::Refusal;

/// A value that a call was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// An integer or a pointer. What is above the bits that the callee reads is ignored.
    Word(u64),
    /// The bits of a `double`.
    Double(u64),
    /// The 80 bits of a `long double`.
    LongDouble(u128),
    /// A pointer, by what it points at: a string without its NUL (or up to the precision), or a memory area.
    Bytes(Vec<u8>),
    /// A null pointer where a string or memory is read.
    Null,
}

/// What has to have a certain value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// The argument with this index, or what it points at if that is printed.
    Argument(usize),
    /// A byte of the memory that an argument points at.
    Memory {
        /// The argument.
        argument: usize,
        /// Bytes from where it points.
        offset: usize,
    },
}

/// A set of values: exactly those that print the text in question.
#[derive(Clone, PartialEq, Debug)]
pub enum Requirement {
    /// The low bits of a word are these.
    Integer {
        /// How many bits.
        bits: u32,
        /// Whether people see them as a signed number.
        signed: bool,
        /// Their value; the bits above are 0.
        value: u64,
    },
    /// A double in this closed interval. The ends have one sign, and so has the value: -0 lies below +0 here.
    Double {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// The same of a `long double`, as the 80 bits of its ends.
    LongDouble {
        /// The lower end.
        low: u128,
        /// The upper end.
        high: u128,
    },
    /// A NaN of this sign.
    NotANumber {
        /// Whether the sign bit is set.
        negative: bool,
    },
    /// A string.
    Text(Text),
}

/// Strings that print one text. Of the string, what lies beyond `limit` is not read; what is read is `text`, of which up
/// to `optional` blanks may be missing on one side, where the call pads them anyway.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// All that is printed.
    pub text: Vec<u8>,
    /// How many blanks may be padding.
    pub optional: usize,
    /// These blanks are at the end of the text, else at its start.
    pub left: bool,
    /// The precision. Only a string of which this many bytes are read may be longer.
    pub limit: Option<usize>,
}

impl Text {
    /// Exactly this string.
    pub fn exactly(text: impl Into<Vec<u8>>) -> Self {
        Self { text: text.into(), optional: 0, left: false, limit: None }
    }

    /// The text without a number of its padding blanks.
    fn without(&self, blanks: usize) -> &[u8] {
        if self.left { &self.text[..self.text.len() - blanks] } else { &self.text[blanks..] }
    }

    /// The contents that print the text, shortest first. One that is as long as the limit may go on in any way.
    pub fn contents(&self) -> impl Iterator<Item = &[u8]> {
        let limit = self.limit.unwrap_or(usize::MAX);
        (0..=self.optional).rev().map(|blanks| self.without(blanks)).filter(move |text| text.len() <= limit)
    }

    /// Whether this string is one of them.
    pub fn holds(&self, string: &[u8]) -> bool {
        let read = &string[..self.limit.map_or(string.len(), |limit| limit.min(string.len()))];
        self.text
            .len()
            .checked_sub(read.len())
            .is_some_and(|blanks| blanks <= self.optional && self.without(blanks) == read)
    }
}

impl Requirement {
    /// Whether a value is one of the set.
    pub fn holds(&self, argument: &Argument) -> bool {
        match (self, argument) {
            (Requirement::Integer { bits, value, .. }, Argument::Word(word)) => {
                word & (u64::MAX >> (64 - bits)) == *value
            }
            (Requirement::Double { low, high }, Argument::Double(bits)) => {
                let value = f64::from_bits(*bits);
                low.total_cmp(&value).is_le() && value.total_cmp(high).is_le()
            }
            (Requirement::LongDouble { low, high }, Argument::LongDouble(bits)) => {
                (order(*low)..=order(*high)).contains(&order(*bits))
            }
            (Requirement::NotANumber { negative }, Argument::Double(bits)) => {
                let value = f64::from_bits(*bits);
                value.is_nan() && value.is_sign_negative() == *negative
            }
            (Requirement::NotANumber { negative }, Argument::LongDouble(bits)) => {
                let of = crate::float::Type::Extended;
                of.magnitude(*bits) == crate::float::Magnitude::Nan && of.negative(*bits) == *negative
            }
            (Requirement::Text(text), Argument::Bytes(string)) => text.holds(string),
            (Requirement::Text(text), Argument::Null) => {
                text.holds(if text.limit.is_some_and(|limit| limit < 6) { b"" } else { b"(null)" })
            }
            _ => false,
        }
    }

    /// Whether a value can satisfy both.
    pub fn agrees(&self, other: &Requirement) -> bool {
        match (self, other) {
            (
                Requirement::Integer { bits, value, .. },
                Requirement::Integer { bits: other_bits, value: other_value, .. },
            ) => (value ^ other_value) & (u64::MAX >> (64 - bits.min(other_bits))) == 0,
            (Requirement::Double { low, high }, Requirement::Double { low: other_low, high: other_high }) => {
                low.total_cmp(other_high).is_le() && other_low.total_cmp(high).is_le()
            }
            (Requirement::LongDouble { low, high }, Requirement::LongDouble { low: other_low, high: other_high }) => {
                order(*low) <= order(*other_high) && order(*other_low) <= order(*high)
            }
            (Requirement::Text(text), Requirement::Text(other)) => {
                // A common string, cut where the one that reads more of it stops, is among the contents of that one.
                text.contents().any(|content| other.holds(content))
                    || other.contents().any(|content| text.holds(content))
            }
            _ => self == other,
        }
    }
}

/// Extended patterns as numbers in the order of their values, -0 below +0.
fn order(bits: u128) -> i128 {
    let magnitude = (bits & ((1 << 79) - 1)) as i128;
    if bits >> 79 & 1 == 1 { -1 - magnitude } else { magnitude }
}

/// A place and what has to be there.
#[derive(Clone, PartialEq, Debug)]
pub struct Need {
    /// The place.
    pub place: Place,
    /// What has to be there.
    pub requirement: Requirement,
    /// What the call printed of it, padding included. Of a length, the number itself.
    pub printed: Vec<u8>,
    /// What is expected there.
    pub expected: Vec<u8>,
}

/// One way to make a call print what is expected: all of its needs together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Alternative {
    /// What has to become different.
    pub needs: Vec<Need>,
    /// What is right and has to stay so.
    pub stay: Vec<Need>,
    /// How many expected bytes the call prints then.
    pub consumed: usize,
}

impl Alternative {
    /// What the places have to be, those that are right included.
    pub fn all(&self) -> impl Iterator<Item = &Need> {
        self.needs.iter().chain(&self.stay)
    }

    /// Sorted into what has to change and what has to stay, given the arguments; nothing if needs of one place
    /// contradict each other.
    pub(crate) fn sorted(all: Vec<Need>, arguments: &[Argument], consumed: usize) -> Option<Alternative> {
        let mut places: BTreeMap<Place, Vec<Need>> = BTreeMap::new();
        for need in all {
            let same = places.entry(need.place).or_default();
            if !same.iter().all(|known| known.requirement.agrees(&need.requirement)) {
                return None;
            }
            same.push(need);
        }
        let mut found = Alternative { consumed, ..Alternative::default() };
        for (place, needs) in places {
            let right = needs.iter().all(|need| need.holds(arguments));
            debug_assert!(matches!(place, Place::Argument(_)) || needs.len() == 1);
            if right { &mut found.stay } else { &mut found.needs }.extend(needs);
        }
        Some(found)
    }
}

impl Need {
    /// Whether these arguments satisfy it.
    pub fn holds(&self, arguments: &[Argument]) -> bool {
        match self.place {
            Place::Argument(index) => arguments.get(index).is_some_and(|argument| self.requirement.holds(argument)),
            Place::Memory { argument, offset } => match arguments.get(argument) {
                Some(Argument::Bytes(bytes)) => {
                    bytes.get(offset).is_some_and(|byte| self.requirement.holds(&Argument::Word((*byte).into())))
                }
                _ => false,
            },
        }
    }
}

/// A call beside what is expected from where it starts to print.
#[derive(Clone, PartialEq, Debug)]
pub enum Match {
    /// It prints what is expected.
    Equal {
        /// How many bytes that are.
        consumed: usize,
    },
    /// It does not, and would if one of these held.
    Requires {
        /// At least one, the most natural reading of the expected text first. Of printf calls, these are the ways that
        /// change the fewest arguments.
        alternatives: Vec<Alternative>,
        /// There are no others like them.
        complete: bool,
    },
    /// No arguments make it print what is expected. (Widths and precisions that are arguments stay as they are.)
    Impossible {
        /// How far into the expected text its output could be made to follow.
        at: usize,
    },
    /// Nothing is said.
    Refused(Refusal),
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Requirement::Integer { bits, signed: true, value } => write!(f, "{}", extended(*bits, *value)),
            Requirement::Integer { value, .. } => write!(f, "{value}"),
            Requirement::Double { low, high } if low == high => write!(f, "{low:?}"),
            Requirement::Double { low, high } => write!(f, "from {low:?} to {high:?}"),
            Requirement::LongDouble { low, high } if low == high => write!(f, "{low:#x} (80 bits)"),
            Requirement::LongDouble { low, high } => write!(f, "from {low:#x} to {high:#x} (80 bits)"),
            Requirement::NotANumber { negative: false } => f.write_str("NaN"),
            Requirement::NotANumber { negative: true } => f.write_str("-NaN"),
            Requirement::Text(text) => {
                let shortest = text.contents().next().unwrap_or_default();
                f.write_str(&crate::excerpt::quoted(shortest))?;
                if text.limit == Some(shortest.len()) { f.write_str("…") } else { Ok(()) }
            }
        }
    }
}

/// The low bits of a word as a signed number.
pub(crate) const fn extended(bits: u32, word: u64) -> i64 {
    (word << (64 - bits)) as i64 >> (64 - bits)
}
