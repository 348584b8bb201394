//! Candidates judged side by side, none of them twice.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use whydunit_inputs::Input;

use crate::oracle::{Oracle, Verdict};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(20);

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
    interrupt: &'a AtomicBool,
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
    running: Vec<(usize, Arc<AtomicBool>)>,
    /// Workers that have ended.
    ended: usize,
    stopped: Option<Stopped>,
}

impl<'a> Trials<'a> {
    /// With `jobs` runs at a time, up to `until`; `progress` is told what the smallest input is.
    pub fn new(
        oracle: &'a dyn Oracle,
        jobs: NonZeroUsize,
        until: Option<Instant>,
        interrupt: &'a AtomicBool,
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
        let (batch, ended, next) = (Mutex::new(Batch::default()), Condvar::new(), AtomicUsize::new(0));
        let workers = self.jobs.get().min(number);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    let _counted = Worker { batch: &batch, ended: &ended };
                    self.work(number, candidate, &batch, &next);
                });
            }
            let mut state = lock(&batch);
            while state.ended < workers {
                if let Some(stopped) = self.over() {
                    state.stopped = Some(stopped);
                    state.running.iter().for_each(|(_, cancel)| cancel.store(true, Ordering::Relaxed));
                }
                (state, _) = ended.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner);
            }
        });
        let batch = batch.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(stopped) = batch.stopped {
            return Err(stopped);
        }
        batch.best.iter().for_each(|(_, input)| (self.progress)(input));
        Ok(batch.best)
    }

    /// How many of `times` runs of one input have the failure; fewer runs where time is up.
    pub fn repeat(&self, input: &Input, times: usize) -> (usize, usize) {
        let (same, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..times {
                scope.spawn(|| match self.oracle.judge(input, self.interrupt) {
                    Verdict::Cancelled => {}
                    verdict => {
                        made.fetch_add(1, Ordering::Relaxed);
                        self.runs.fetch_add(1, Ordering::Relaxed);
                        same.fetch_add(usize::from(verdict == Verdict::Same), Ordering::Relaxed);
                    }
                });
            }
        });
        (same.into_inner(), made.into_inner())
    }

    fn over(&self) -> Option<Stopped> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Stopped::Interrupted);
        }
        self.until.is_some_and(|until| Instant::now() >= until).then_some(Stopped::Time)
    }

    fn work(
        &self,
        number: usize,
        candidate: &(dyn Fn(usize) -> Input + Sync),
        batch: &Mutex<Batch>,
        next: &AtomicUsize,
    ) {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= number {
                return;
            }
            let cancel = Arc::new(AtomicBool::new(false));
            {
                let mut state = lock(batch);
                if state.stopped.is_some() || state.best.as_ref().is_some_and(|(best, _)| *best < index) {
                    return;
                }
                state.running.push((index, Arc::clone(&cancel)));
            }
            let input = candidate(index);
            let same = self.judge(&input, &cancel);
            let mut state = lock(batch);
            state.running.retain(|(running, _)| *running != index);
            // What is behind the first that fails does not matter.
            if same && state.best.as_ref().is_none_or(|(best, _)| index < *best) {
                state.best = Some((index, input));
                let behind = state.running.iter().filter(|(running, _)| *running > index);
                behind.for_each(|(_, cancel)| cancel.store(true, Ordering::Relaxed));
            }
        }
    }

    fn judge(&self, input: &Input, cancel: &AtomicBool) -> bool {
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

/// Counts a worker when it ends, also by a panic.
struct Worker<'a> {
    batch: &'a Mutex<Batch>,
    ended: &'a Condvar,
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        lock(self.batch).ended += 1;
        self.ended.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
