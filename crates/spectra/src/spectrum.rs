//! Entities times tests.

use std::collections::{BTreeMap, BTreeSet};

use crate::Counts;

/// A range of source lines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Position {
    /// Source file.
    pub file: String,
    /// First line, from 1.
    pub line: u32,
    /// Column of the start, from 1; 0 unknown.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
}

/// What a spectrum counts: a statement, or an outcome of the branch that stands there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Entity {
    /// Where.
    pub position: Position,
    /// The function around it.
    pub function: String,
    /// For an outcome of a branch: which (`true`, `false`, `case 3`, `default`).
    pub outcome: Option<String>,
}

/// What one test executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestHits {
    /// Whether the test failed.
    pub failed: bool,
    /// The entities that it executed.
    pub hits: BTreeSet<Entity>,
}

/// The counts of all entities that any test executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spectrum {
    /// Failing tests that execute it, passing tests that execute it.
    entities: BTreeMap<Entity, (u64, u64)>,
    failed_total: u64,
    passed_total: u64,
}

impl Spectrum {
    /// Counts `tests`.
    pub fn new(tests: impl IntoIterator<Item = TestHits>) -> Self {
        let mut spectrum = Self::default();
        for test in tests {
            spectrum.add(test);
        }
        spectrum
    }

    /// Counts one more test.
    pub fn add(&mut self, test: TestHits) {
        if test.failed {
            self.failed_total += 1;
        } else {
            self.passed_total += 1;
        }
        for entity in test.hits {
            let (failed, passed) = self.entities.entry(entity).or_default();
            if test.failed {
                *failed += 1;
            } else {
                *passed += 1;
            }
        }
    }

    /// Failing tests.
    pub fn failed_total(&self) -> u64 {
        self.failed_total
    }

    /// Passing tests.
    pub fn passed_total(&self) -> u64 {
        self.passed_total
    }

    /// The executed entities with their counts, in the order of their positions.
    pub fn entities(&self) -> impl Iterator<Item = (&Entity, Counts)> {
        self.entities.iter().map(|(entity, &(failed, passed))| {
            (entity, Counts { failed, passed, failed_total: self.failed_total, passed_total: self.passed_total })
        })
    }
}
