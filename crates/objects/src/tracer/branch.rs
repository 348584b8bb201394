//! What a tracer knows of a run at some point, to go back to.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use whydunit_events::{End, Event, ObjectId};
use whydunit_replay::PerThread;

use super::{Floating, Invocation, Left, Tracer};
use crate::places::Places;

/// What is known of the objects of a run and its calls. What is known of the program stays known.
#[derive(Clone)]
pub(crate) struct Branch {
    deferred: Vec<Event>,
    asks: Vec<ObjectId>,
    places: Places,
    left: BTreeMap<u64, Vec<Left>>,
    floating: Vec<Floating>,
    dirty: Vec<usize>,
    unresolved: FxHashMap<u64, Vec<ObjectId>>,
    stack: PerThread<Vec<Invocation>>,
    thread: u32,
    next: u64,
    filled: [(u64, u64); 4],
    clock: u64,
    thrown: Option<String>,
}

impl Tracer<'_> {
    /// What is known here.
    pub fn branch(&self) -> Branch {
        Branch {
            deferred: self.deferred.clone(),
            asks: self.asks.clone(),
            places: self.places.clone(),
            left: self.left.clone(),
            floating: self.floating.clone(),
            dirty: self.dirty.clone(),
            unresolved: self.unresolved.clone(),
            stack: self.stack.clone(),
            thread: self.thread,
            next: self.next,
            filled: self.filled,
            clock: self.clock,
            thrown: self.thrown.clone(),
        }
    }

    /// The run goes on where the branch was made.
    pub fn rejoin(&mut self, branch: &Branch) {
        let branch = branch.clone();
        self.asking.set(!branch.asks.is_empty());
        self.deferred = branch.deferred;
        self.asks = branch.asks;
        self.places = branch.places;
        self.left = branch.left;
        self.floating = branch.floating;
        self.dirty = branch.dirty;
        self.unresolved = branch.unresolved;
        self.stack = branch.stack;
        self.thread = branch.thread;
        self.next = branch.next;
        self.filled = branch.filled;
        self.clock = branch.clock;
        self.thrown = branch.thrown;
    }

    /// How the method that ended last has ended; it is told once.
    pub fn take_last_end(&mut self) -> Option<End> {
        self.last_end.take()
    }
}
