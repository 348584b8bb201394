//! Who is told what a request is at.

use crate::Decisions;

/// Who is told, while a request is worked on. A front end shows it; [`Silent`] does not.
pub trait Progress: Send + Sync {
    /// Begins something that may take long; it ends when the result is dropped. `total` is how many steps it has, where that is known.
    fn task(&self, name: &str, total: Option<u64>) -> Task;

    /// What was decided of a project that does not say it itself.
    fn decided(&self, decisions: &Decisions);

    /// Something else has to end first.
    fn waits(&self, what_for: &str);

    /// What the answer would be if the work ended now, in a line: the last one counts.
    fn so_far(&self, answer: &str);
}

/// What is under way, as who is told knows it.
pub trait Step: Send + Sync {
    /// One more step is done; `detail` says which.
    fn step(&self, detail: &str);

    /// What it is at.
    fn detail(&self, detail: &str);
}

/// Something under way, until it is dropped. Can be shared with other threads by reference.
pub struct Task(Box<dyn Step>);

impl Task {
    /// One that is shown in this way.
    pub fn new(shown: impl Step + 'static) -> Self {
        Self(Box::new(shown))
    }

    /// One more step is done; `detail` says which.
    pub fn step(&self, detail: &str) {
        self.0.step(detail);
    }

    /// What it is at.
    pub fn detail(&self, detail: &str) {
        self.0.detail(detail);
    }
}

/// Tells nobody.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn task(&self, _: &str, _: Option<u64>) -> Task {
        Task::new(Silent)
    }

    fn decided(&self, _: &Decisions) {}

    fn waits(&self, _: &str) {}

    fn so_far(&self, _: &str) {}
}

impl Step for Silent {
    fn step(&self, _: &str) {}

    fn detail(&self, _: &str) {}
}
