//! What is to be done, the nearest first.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Followed;

/// Something to be done.
pub struct Task {
    /// No path that comes of it is nearer to the failing run's.
    pub distance: usize,
    pub kind: Kind,
}

pub enum Kind {
    /// The mended program is run where the broken one fails.
    Try { failing: usize },
    /// A turn of a run is taken another way: of the mended program under the condition of a failing path, or else of the broken one.
    Turn { run: Rc<Followed>, turn: usize, other: usize, failing: Option<usize> },
}

/// Tasks by their distances; within one what may show a counterexample comes first, and then in the order in which it was added.
#[derive(Default)]
pub struct Queue {
    tasks: BTreeMap<(usize, u8, u64), Task>,
    added: u64,
}

impl Queue {
    pub fn add(&mut self, task: Task) {
        let order = match &task.kind {
            Kind::Try { .. } => 0,
            Kind::Turn { failing: Some(_), .. } => 1,
            Kind::Turn { .. } => 2,
        };
        self.added += 1;
        self.tasks.insert((task.distance, order, self.added), task);
    }

    /// The next one, unless it is farther than that.
    pub fn next(&mut self, distance: usize) -> Option<Task> {
        self.has_within(distance).then(|| self.tasks.pop_first().map(|(_, task)| task)).flatten()
    }

    /// Whether one is within a distance.
    pub fn has_within(&self, distance: usize) -> bool {
        self.tasks.first_key_value().is_some_and(|((first, ..), _)| *first <= distance)
    }
}
