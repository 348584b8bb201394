//! Memory errors and other undefined behaviour that a replay found.

use crate::Location;

/// The first access of its kind that C leaves undefined.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MemoryError {
    /// `out-of-bounds`, `use-after-free`, `use-after-return`, `double-free`, `invalid-free`, `null-pointer`, `wild-pointer`
    /// or `uninitialised`.
    pub kind: String,
    /// The access, where the position is known.
    pub location: Option<Location>,
    /// The function that it stands in.
    pub function: String,
    /// In words.
    pub message: String,
    /// What was done there.
    pub access: Option<Access>,
    /// The calls under way, innermost first, but for the one of the access: function and position.
    pub stack: Vec<(String, Option<Location>)>,
    /// The object concerned, where there is one.
    pub object: Option<MemoryObject>,
}

/// A read or write.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// Write or read.
    pub write: bool,
    /// Bytes.
    pub size: u64,
}

/// An object in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryObject {
    /// `heap`, `stack` or `global`.
    pub kind: String,
    /// Name of the variable; of the function that allocated it for heap blocks.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Where the access begins, from the object's start.
    pub offset: i64,
    /// Where it was allocated or declared.
    pub allocated: Option<Location>,
    /// Where it was freed.
    pub freed: Option<Location>,
    /// The calls under way where a heap block was allocated, innermost first: function and position.
    pub allocation: Vec<(String, Option<Location>)>,
    /// The functions between those and the allocator that only hand out what it gave, innermost first.
    pub wrappers: Vec<String>,
    /// Those where it was freed.
    pub freeing: Vec<(String, Option<Location>)>,
}

/// What a run does that the language leaves undefined, other than to memory: the first time at its place.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct UndefinedBehaviour {
    /// `signed-overflow`, `shift`, `division`, `float-to-integer`, `misaligned`, `null`, `array-index`, `array-length`, `invalid-bool`,
    /// `builtin`, `unreachable` or `missing-return`.
    pub kind: String,
    /// Where, if the position is known.
    pub location: Option<Location>,
    /// The function that it stands in.
    pub function: String,
    /// In words.
    pub message: String,
    /// The calls under way, innermost first, but for the one of the place: function and position.
    pub stack: Vec<(String, Option<Location>)>,
    /// How often it happened there.
    pub times: u64,
}

/// All that a run does wrong, as far as a replay tells.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunErrors {
    /// Memory errors.
    pub memory: Vec<MemoryError>,
    /// Other undefined behaviour.
    pub undefined: Vec<UndefinedBehaviour>,
}

impl RunErrors {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty() && self.undefined.is_empty()
    }

    /// Takes those of another run.
    pub fn extend(&mut self, other: RunErrors) {
        self.memory.extend(other.memory);
        self.undefined.extend(other.undefined);
    }

    /// The first, in a line, and how many more there are; `None` where there is none.
    pub fn reason(&self) -> Option<String> {
        let memory = self.memory.first().map(|error| ("memory error", &error.kind, &error.message, &error.location));
        let undefined =
            self.undefined.first().map(|found| ("undefined behaviour", &found.kind, &found.message, &found.location));
        let (what, kind, message, location) = memory.or(undefined)?;
        let place = location.as_ref().map(|location| format!("{location}: ")).unwrap_or_default();
        let more = match self.memory.len() + self.undefined.len() {
            1 => String::new(),
            number => format!(" (and {} more)", number - 1),
        };
        Some(format!("{what}: {place}{message} [{kind}]{more}"))
    }
}
