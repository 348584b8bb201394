//! The prediction of allocations: what the contract says is what the runtime does.

mod support;

use std::collections::{HashMap, VecDeque};

use support::Place;
use support::log::{Event, Value};

/// The rules of docs/engine.md, section 4, as a replay follows them.
#[derive(Default)]
struct Heap {
    stacks: HashMap<u64, Vec<u64>>,
    bump: u64,
    classes: HashMap<u64, u64>,
}

fn class_of(n: u64) -> u64 {
    (n + 8).div_ceil(16).max(2)
}

impl Heap {
    fn top(&self, class: u64) -> Option<u64> {
        self.stacks.get(&class).filter(|_| class < 65)?.last().copied()
    }

    fn predict(&self, class: u64) -> u64 {
        self.top(class).unwrap_or(self.bump)
    }

    fn took(&mut self, a: u64, computed: u64, real: u64, predicted: u64) {
        if self.top(computed) == Some(a) {
            self.stacks.get_mut(&computed).unwrap().pop();
        } else if a == self.bump || (a != predicted && self.top(computed).is_none()) {
            self.bump = a + 16 * real;
        }
        self.classes.insert(a, real);
    }

    fn free(&mut self, a: u64) {
        let Some(class) = self.classes.remove(&a) else { return };
        let stack = self.stacks.entry(class).or_default();
        if class < 65 && stack.len() < 7 {
            stack.push(a);
        }
    }
}

#[test]
fn the_log_and_the_rules_give_all_addresses() {
    let place = Place::new();
    let driver = place.driver("heap");
    for seed in ["1", "2", "3"] {
        let listing = place.path("listing");
        let (output, processes) = place.record(&driver, &[seed, listing.to_str().unwrap()]);
        assert!(output.status.success());
        let mut allocs: VecDeque<_> = processes[0]
            .run()
            .into_iter()
            .filter_map(|entry| match entry.event {
                Event::Alloc { delta, class, .. } => Some((entry.counter, delta, class)),
                _ => None,
            })
            .collect();
        let (logged, mut calls, mut counter) = (allocs.len(), 0, 0);
        let mut heap = Heap::default();
        for line in std::fs::read_to_string(&listing).unwrap().lines() {
            let words: Vec<_> = line.split(' ').collect();
            let number = |word: &str| {
                u64::from_str_radix(word.trim_start_matches("0x").trim_start_matches("(nil)"), 16).unwrap_or(0)
            };
            let (n, old, new) = (words[1].parse::<u64>().unwrap(), number(words[2]), number(words[3]));
            counter += 1;
            calls += 1;
            if words[0] == "f" {
                heap.free(old);
                continue;
            }
            if words[0] == "r" && n == 0 {
                assert_eq!(new, 0);
                heap.free(old);
                continue;
            }
            let computed = class_of(n);
            let stays = words[0] == "r" && heap.classes.get(&old) == Some(&computed);
            let predicted = if stays { old } else { heap.predict(computed) };
            let (result, real) = match allocs.front() {
                Some(&(at, delta, class)) if at == counter => {
                    allocs.pop_front();
                    (predicted.wrapping_add(delta as u64), class)
                }
                _ => (predicted, computed),
            };
            assert_eq!(result, new, "seed {seed}, call {calls}: {line}");
            if words[0] == "r" && result == old {
                heap.classes.insert(old, real);
            } else {
                heap.took(result, computed, real, predicted);
                if words[0] == "r" {
                    heap.free(old);
                }
            }
        }
        assert!(allocs.is_empty());
        assert!(calls > 3000 && logged < calls, "{logged} of {calls}");
    }
}

#[test]
fn of_rusts_allocator_only_results_are_events_unless_it_calls_back() {
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("allocator"), &[]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1 1 1 1 4 1\n");
    let events = processes[0].run().into_iter().map(|entry| match &entry.event {
        Event::Ret { site, value: Value::Int(_) } => format!("result of {site}"),
        Event::Ret { site, value: Value::Void } => format!("end of {site}"),
        Event::Alloc { site, class: u64::MAX, .. } => format!("{site} is external"),
        Event::Callback { words, .. } => format!("callback {}", words[0]),
        other => format!("{other:?}"),
    });
    assert_eq!(
        Vec::from_iter(events),
        [
            "result of 1",
            "result of 2",
            "result of 4",
            "5 is external",
            "callback 3",
            "result of 5",
            "6 is external",
            "callback 4",
            "end of 6"
        ]
    );
}
