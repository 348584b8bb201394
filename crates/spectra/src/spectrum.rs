//! Entities times tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Counts, Entity, Hits};

/// What one test executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestHits {
    /// Whether the test failed.
    pub failed: bool,
    /// The entities that it executed.
    pub hits: Hits,
}

/// Failing tests and passing tests that execute an entity.
type Counted = (u64, u64);

/// The counts of all entities that any test executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spectrum {
    /// Failing tests that execute it, passing tests that execute it.
    entities: BTreeMap<Entity, Counted>,
    failed_total: u64,
    passed_total: u64,
}

impl Spectrum {
    /// Counts `tests`.
    pub fn new(tests: impl IntoIterator<Item = TestHits>) -> Self {
        let mut spectrum = Self::default();
        // The counts of each table's entities.
        let mut tables: Vec<(Arc<[Entity]>, Vec<Counted>)> = Vec::new();
        for test in tests {
            match test.failed {
                true => spectrum.failed_total += 1,
                false => spectrum.passed_total += 1,
            }
            let table = test.hits.table();
            let at = tables.iter().position(|(known, _)| Arc::ptr_eq(known, table)).unwrap_or_else(|| {
                tables.push((Arc::clone(table), vec![(0, 0); table.len()]));
                tables.len() - 1
            });
            for number in test.hits.numbers() {
                let (failed, passed) = &mut tables[at].1[number];
                match test.failed {
                    true => *failed += 1,
                    false => *passed += 1,
                }
            }
        }
        for (table, counts) in tables {
            for (entity, counted) in table.iter().zip(counts).filter(|(_, counted)| *counted != (0, 0)) {
                let (failed, passed) = spectrum.entities.entry(entity.clone()).or_default();
                *failed += counted.0;
                *passed += counted.1;
            }
        }
        spectrum
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
