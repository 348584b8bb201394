//! What is to be done, the nearest first.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Followed, Of};

/// Something to be done.
pub struct Task {
    /// No path that comes of it is nearer to the failing run's.
    pub distance: usize,
    pub kind: Kind,
}

pub enum Kind {
    /// The mended program is run where the broken one fails.
    Try { failing: usize },
    /// The broken program is run on another input to begin with.
    Seed { seed: usize },
    /// A turn of a run is taken another way.
    Turn { run: Rc<Followed>, turn: usize, other: usize, of: Of },
}

/// A way on which the program may die, by what the code says, is gone as if it were nearer by this.
const NEARER: usize = 3;

/// Tasks by their distances; within one what may show a counterexample comes first, and then in the order in which it was added.
#[derive(Default)]
pub struct Queue {
    tasks: BTreeMap<(usize, u8, u64), Task>,
    added: u64,
    /// How many tasks there are by their distances.
    distances: BTreeMap<usize, usize>,
}

impl Queue {
    pub fn add(&mut self, task: Task) {
        let (order, distance) = match &task.kind {
            Kind::Try { .. } | Kind::Seed { .. } => (0, task.distance),
            Kind::Turn { of: Of::Mended(_), .. } => (1, task.distance),
            Kind::Turn { run, turn, other, .. } if run.shown.turns[*turn].others[*other].risky => {
                (2, task.distance.saturating_sub(NEARER))
            }
            Kind::Turn { .. } => (3, task.distance),
        };
        self.added += 1;
        *self.distances.entry(task.distance).or_default() += 1;
        self.tasks.insert((distance, order, self.added), task);
    }

    pub fn next(&mut self) -> Option<Task> {
        let (_, task) = self.tasks.pop_first()?;
        if let Some(number) = self.distances.get_mut(&task.distance) {
            *number -= 1;
            if *number == 0 {
                self.distances.remove(&task.distance);
            }
        }
        Some(task)
    }

    /// The least distance of a task.
    pub fn least(&self) -> Option<usize> {
        self.distances.keys().next().copied()
    }
}
