//! Candidates judged side by side, none of them twice.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use whydunit_inputs::Input;
use whydunit_process::{Cancel, Pool};

use crate::oracle::{Oracle, Verdict};

/// Why a search ended before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The time limit.
    Time,
    /// The user.
    Interrupted,
}

/// Judges candidates.
pub struct Trials<'a> {
    oracle: &'a dyn Oracle,
    jobs: NonZeroUsize,
    until: Option<Instant>,
    interrupt: &'a Cancel,
    progress: &'a (dyn Fn(&Input) + Sync),
    known: Mutex<HashMap<[u8; 32], bool>>,
    unclear: Mutex<Option<String>>,
    runs: AtomicUsize,
    spared: AtomicUsize,
}

/// A batch under way.
#[derive(Default)]
struct Batch {
    /// The first candidate that fails so far.
    best: Option<(usize, Input)>,
    /// What runs, by the candidate's number, with what ends it.
    running: Vec<(usize, Cancel)>,
    stopped: Option<Stopped>,
}

impl<'a> Trials<'a> {
    /// With `jobs` runs at a time, up to `until`; `progress` is told what the smallest input is.
    pub fn new(
        oracle: &'a dyn Oracle,
        jobs: NonZeroUsize,
        until: Option<Instant>,
        interrupt: &'a Cancel,
        progress: &'a (dyn Fn(&Input) + Sync),
    ) -> Self {
        Self {
            oracle,
            jobs,
            until,
            interrupt,
            progress,
            known: Mutex::default(),
            unclear: Mutex::default(),
            runs: AtomicUsize::new(0),
            spared: AtomicUsize::new(0),
        }
    }

    /// Runs that were made, and runs that were spared.
    pub fn counts(&self) -> (usize, usize) {
        (self.runs.load(Ordering::Relaxed), self.spared.load(Ordering::Relaxed))
    }

    /// Why some candidates could not be judged, where that should be known.
    pub fn unclear(&self) -> Option<String> {
        lock(&self.unclear).clone()
    }

    /// That an input has the failure.
    pub fn learn(&self, input: &Input) {
        lock(&self.known).insert(input.digest(), true);
    }

    /// Which of `number` candidates is the first with the failure, and it. The answer is that of one run after the other.
    pub fn first(
        &self,
        number: usize,
        candidate: &(dyn Fn(usize) -> Input + Sync),
    ) -> Result<Option<(usize, Input)>, Stopped> {
        if let Some(stopped) = self.over() {
            return Err(stopped);
        }
        let batch = Mutex::new(Batch::default());
        // Candidates are begun in order: once one fails, all that were not begun yet are behind it.
        let enough = || {
            let state = lock(&batch);
            state.stopped.is_some() || state.best.is_some()
        };
        let look = || {
            if let Some(stopped) = self.over() {
                let mut state = lock(&batch);
                state.stopped = Some(stopped);
                state.running.iter().for_each(|(_, cancel)| cancel.cancel());
            }
        };
        let pool = Pool::new(self.jobs).until(&enough);
        pool.run_looked_after(0..number, |index| self.try_one(index, candidate, &batch), look);
        let batch = batch.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(stopped) = batch.stopped {
            return Err(stopped);
        }
        batch.best.iter().for_each(|(_, input)| (self.progress)(input));
        Ok(batch.best)
    }

    /// How many of `times` runs of one input have the failure; fewer runs where time is up.
    pub fn repeat(&self, input: &Input, times: usize) -> (usize, usize) {
        let Some(jobs) = NonZeroUsize::new(times) else { return (0, 0) };
        let mut verdicts = Pool::new(jobs).run(0..times, |_| self.oracle.judge(input, self.interrupt));
        verdicts.retain(|verdict| *verdict != Verdict::Cancelled);
        self.runs.fetch_add(verdicts.len(), Ordering::Relaxed);
        (verdicts.iter().filter(|verdict| **verdict == Verdict::Same).count(), verdicts.len())
    }

    fn over(&self) -> Option<Stopped> {
        if self.interrupt.is_cancelled() {
            return Some(Stopped::Interrupted);
        }
        self.until.is_some_and(|until| Instant::now() >= until).then_some(Stopped::Time)
    }

    /// Judges a candidate, unless it is behind one that fails.
    fn try_one(&self, index: usize, candidate: &(dyn Fn(usize) -> Input + Sync), batch: &Mutex<Batch>) {
        let cancel = Cancel::new();
        {
            let mut state = lock(batch);
            if state.stopped.is_some() || state.best.as_ref().is_some_and(|(best, _)| *best < index) {
                return;
            }
            state.running.push((index, cancel.clone()));
        }
        let input = candidate(index);
        let same = self.judge(&input, &cancel);
        let mut state = lock(batch);
        state.running.retain(|(running, _)| *running != index);
        // What is behind the first that fails does not matter.
        if same && state.best.as_ref().is_none_or(|(best, _)| index < *best) {
            state.best = Some((index, input));
            let behind = state.running.iter().filter(|(running, _)| *running > index);
            behind.for_each(|(_, cancel)| cancel.cancel());
        }
    }

    fn judge(&self, input: &Input, cancel: &Cancel) -> bool {
        let digest = input.digest();
        if let Some(&known) = lock(&self.known).get(&digest) {
            self.spared.fetch_add(1, Ordering::Relaxed);
            return known;
        }
        let verdict = self.oracle.judge(input, cancel);
        if verdict == Verdict::Cancelled {
            return false;
        }
        self.runs.fetch_add(1, Ordering::Relaxed);
        let same = verdict == Verdict::Same;
        if let Verdict::Unclear(Some(why)) = verdict {
            lock(&self.unclear).get_or_insert(why);
        }
        lock(&self.known).insert(digest, same);
        same
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
