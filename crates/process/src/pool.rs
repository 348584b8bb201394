//! Work on many items, side by side.

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};
use std::time::Duration;

use crate::Cancel;

/// How often the calling thread is asked to look after the work.
const TICK: Duration = Duration::from_millis(20);

/// Some threads that work on the items of a list, each on one at a time.
///
/// Items are begun in their order, and what was begun is finished, unless the work itself looks at a [`Cancel`]. So the
/// results are those of the first items, in the items' order: of all where nothing stops the pool.
pub struct Pool<'a> {
    jobs: NonZeroUsize,
    stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    cancel: Option<&'a Cancel>,
    stack: Option<usize>,
}

impl<'a> Pool<'a> {
    /// Works on `jobs` items at a time.
    pub fn new(jobs: NonZeroUsize) -> Self {
        Self { jobs, stop: None, cancel: None, stack: None }
    }

    /// As many jobs as the machine has cores for this process.
    pub fn of_cores() -> Self {
        Self::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// How many items it works on at a time.
    pub fn jobs(&self) -> usize {
        self.jobs.get()
    }

    /// Begins no further item once `cancel` is cancelled.
    pub fn cancelled_by(self, cancel: Option<&'a Cancel>) -> Self {
        Self { cancel, ..self }
    }

    /// Begins no further item once `stop` says so. It is asked before each item, by the thread that would begin it.
    pub fn until(self, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Gives each thread a stack of so many bytes.
    pub fn stack(self, bytes: usize) -> Self {
        Self { stack: Some(bytes), ..self }
    }

    /// Calls `work` for each item; the results of those that were begun, in the items' order.
    ///
    /// # Panics
    /// With what `work` panicked with, once all that was begun has ended: after a panic no further item is begun. Where not
    /// even one thread can be started.
    pub fn run<T: Send, R: Send>(
        &self,
        items: impl IntoIterator<Item = T, IntoIter: Send>,
        work: impl Fn(T) -> R + Sync,
    ) -> Vec<R> {
        self.run_with(items, work, None)
    }

    /// The same; the calling thread calls `look` now and then until all has ended, some fifty times a second.
    pub fn run_looked_after<T: Send, R: Send>(
        &self,
        items: impl IntoIterator<Item = T, IntoIter: Send>,
        work: impl Fn(T) -> R + Sync,
        mut look: impl FnMut(),
    ) -> Vec<R> {
        self.run_with(items, work, Some(&mut look))
    }

    fn run_with<T: Send, R: Send>(
        &self,
        items: impl IntoIterator<Item = T, IntoIter: Send>,
        work: impl Fn(T) -> R + Sync,
        mut look: Option<&mut dyn FnMut()>,
    ) -> Vec<R> {
        let items = items.into_iter();
        let most = items.size_hint().1.unwrap_or(usize::MAX);
        let shared = Shared {
            items: Mutex::new(items.enumerate()),
            outcome: Mutex::new(Outcome { results: Vec::new(), panic: None, working: 0 }),
            ended: Condvar::new(),
        };
        std::thread::scope(|scope| {
            for number in 0..self.jobs.get().min(most) {
                lock(&shared.outcome).working += 1;
                if !self.start(scope, || self.work(&shared, &work)) {
                    lock(&shared.outcome).working -= 1;
                    // Fewer do as well, but one there has to be.
                    assert!(number > 0, "no thread can be started");
                    break;
                }
            }
            let mut outcome = lock(&shared.outcome);
            while outcome.working > 0 {
                let Some(look) = &mut look else {
                    outcome = shared.ended.wait(outcome).unwrap_or_else(PoisonError::into_inner);
                    continue;
                };
                (outcome, _) = shared.ended.wait_timeout(outcome, TICK).unwrap_or_else(PoisonError::into_inner);
                drop(outcome);
                look();
                outcome = lock(&shared.outcome);
            }
        });
        let Outcome { mut results, panic, .. } = shared.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        results.sort_unstable_by_key(|(number, _)| *number);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Starts a thread; false where the system has none.
    fn start<'scope>(&self, scope: &'scope Scope<'scope, '_>, work: impl FnOnce() + Send + 'scope) -> bool {
        let builder = self.stack.into_iter().fold(Builder::new(), Builder::stack_size);
        builder.spawn_scoped(scope, work).is_ok()
    }

    /// What one thread does.
    fn work<T, R, I: Iterator<Item = (usize, T)>>(&self, shared: &Shared<I, R>, work: impl Fn(T) -> R) {
        // Nothing that a panic may have left half done is used after it: the caller of the pool panics, too.
        let panic = catch_unwind(AssertUnwindSafe(|| {
            while !self.is_stopped() && lock(&shared.outcome).panic.is_none() {
                let Some((number, item)) = lock(&shared.items).next() else { return };
                let result = work(item);
                lock(&shared.outcome).results.push((number, result));
            }
        }))
        .err();
        let mut outcome = lock(&shared.outcome);
        outcome.working -= 1;
        outcome.panic = outcome.panic.take().or(panic);
        drop(outcome);
        shared.ended.notify_all();
    }

    fn is_stopped(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_cancelled) || self.stop.is_some_and(|stop| stop())
    }
}

/// What the threads share.
struct Shared<I, R> {
    /// What was not begun yet, with its number.
    items: Mutex<I>,
    outcome: Mutex<Outcome<R>>,
    /// Told when a thread has ended.
    ended: Condvar,
}

struct Outcome<R> {
    results: Vec<(usize, R)>,
    /// What the first thread panicked with that did.
    panic: Option<Box<dyn Any + Send>>,
    /// Threads that have not ended.
    working: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, mpsc};

    use super::*;

    fn pool(jobs: usize) -> Pool<'static> {
        Pool::new(NonZeroUsize::new(jobs).unwrap())
    }

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let slow_first = |n: u64| {
            std::thread::sleep(Duration::from_millis(20u64.saturating_sub(n)));
            n * n
        };
        for jobs in [1, 3, 100] {
            assert_eq!(pool(jobs).run(0..30, slow_first), (0..30).map(|n| n * n).collect::<Vec<_>>());
        }
        assert_eq!(pool(4).run(Vec::<u64>::new(), slow_first), Vec::<u64>::new());
    }

    #[test]
    fn so_many_items_are_worked_on_at_a_time_and_no_more() {
        // Passed only by four at once.
        let barrier = Barrier::new(4);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        pool(4).run(0..16, |_| {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            barrier.wait();
            now.fetch_sub(1, Ordering::SeqCst);
        });
        assert_eq!(most.into_inner(), 4);
    }

    #[test]
    fn items_may_be_owned_and_changed() {
        let mut sums = vec![0; 5];
        pool(2).run(std::iter::zip(&mut sums, 1..), |(sum, n)| *sum += n);
        assert_eq!(sums, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn once_cancelled_what_was_begun_is_finished_and_nothing_else_begun() {
        let cancel = Cancel::new();
        let results = pool(2).cancelled_by(Some(&cancel)).run(0..1000, |n| {
            if n == 5 {
                cancel.cancel();
            }
            n
        });
        assert!((6..=7).contains(&results.len()), "{results:?}");
        assert_eq!(results, (0..results.len()).collect::<Vec<_>>());
        assert_eq!(pool(2).cancelled_by(Some(&cancel)).run(0..9, |n| n), []);
    }

    #[test]
    fn it_stops_when_it_is_told_to() {
        let done = AtomicUsize::new(0);
        let enough = || done.load(Ordering::SeqCst) >= 3;
        let results = pool(1).until(&enough).run(0..1000, |n| {
            done.fetch_add(1, Ordering::SeqCst);
            n
        });
        assert_eq!(results, [0, 1, 2]);
    }

    #[test]
    fn a_panic_comes_out_as_it_was_and_ends_the_others() {
        let begun = Mutex::new(HashSet::new());
        let run = || {
            pool(2).run(0..1000, |n| {
                lock(&begun).insert(n);
                assert!(n != 3, "three is not wanted");
                std::thread::sleep(Duration::from_millis(1));
            })
        };
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"three is not wanted"));
        assert!(lock(&begun).len() < 1000);
    }

    #[test]
    fn the_caller_looks_after_it_until_the_end() {
        // The work ends only because the caller looks.
        let (send, receive) = mpsc::channel();
        let receive = Mutex::new(receive);
        let mut looks = 0;
        let results = pool(1).run_looked_after(
            0..3,
            |n| n + lock(&receive).recv().unwrap_or(0),
            || {
                looks += 1;
                let _ = send.send(10);
            },
        );
        assert_eq!(results, [10, 11, 12]);
        assert!(looks >= 3);
    }

    #[test]
    fn threads_have_the_stack_that_they_are_given() {
        fn deep(left: usize) -> usize {
            let room = std::hint::black_box([left; 1024]);
            if left == 0 { 0 } else { 1 + deep(left - 1) + room[0] - left }
        }
        // Some 32 MB, where a thread has 2.
        assert_eq!(pool(1).stack(256 << 20).run([4000], deep), [4000]);
    }
}
