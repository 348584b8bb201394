//! What the calls of methods found, of one test or of several.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use whydunit_behavior::{Abstract, Example};

/// Different numbers of a field that are kept; of more only their signs.
const MOST_NUMBERS: usize = 24;
/// Different pairs of a field's value and an inspector's that are kept.
const MOST_PAIRS: usize = 64;

/// A class and one of its methods.
pub(crate) type Key = (String, String);

/// How often something was found, and where first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Calls.
    pub calls: u64,
    /// Tests with such calls, by number, from 0.
    pub tests: BTreeSet<u64>,
    /// The first of these calls.
    pub example: Example,
}

impl Tally {
    /// Of one call of the only test so far.
    pub(crate) fn first(example: Example) -> Self {
        Self { calls: 1, tests: BTreeSet::from([0]), example }
    }

    fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.tests.extend(&other.tests);
    }

    /// The same of tests that come behind so many others.
    fn behind(&self, before: u64) -> Self {
        Self { tests: self.tests.iter().map(|test| test + before).collect(), ..self.clone() }
    }
}

/// What calls found at the end of a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Values {
    /// Some call has read it.
    pub read: bool,
    /// It is what a method without parameters says.
    pub inspector: bool,
    /// It is assigned more than constants.
    pub varies: bool,
    /// Names of its numbers.
    pub names: Vec<(i64, String)>,
    /// What was found, unless it is not known.
    pub seen: BTreeMap<Abstract, Tally>,
    /// Calls that found something known, and the tests with such calls.
    pub known: (u64, u64),
}

impl Values {
    /// How a value is told apart from others here.
    pub(crate) fn seen_as(&self, value: Abstract) -> Abstract {
        match value {
            Abstract::Exactly(number) if self.varies => Abstract::of_number(number),
            value => value,
        }
    }

    /// A call of the present test found this.
    pub(crate) fn found(&mut self, value: Abstract, example: impl FnOnce() -> Example) {
        self.known = (self.known.0 + 1, 1);
        let value = self.seen_as(value);
        match self.seen.get_mut(&value) {
            Some(tally) => tally.calls += 1,
            None => _ = self.seen.insert(value, Tally::first(example())),
        }
        if self.seen.len() > MOST_NUMBERS {
            self.forget_numbers();
        }
    }

    /// Numbers are told apart by their signs from here on.
    pub(crate) fn forget_numbers(&mut self) {
        self.varies = true;
        for (value, tally) in std::mem::take(&mut self.seen) {
            let value = self.seen_as(value);
            match self.seen.get_mut(&value) {
                Some(known) => known.add(&tally),
                None => _ = self.seen.insert(value, tally),
            }
        }
    }

    fn add(&mut self, other: &Self, before: u64) {
        self.read |= other.read;
        self.inspector |= other.inspector;
        self.known = (self.known.0 + other.known.0, self.known.1 + other.known.1);
        for name in &other.names {
            if !self.names.contains(name) {
                self.names.push(name.clone());
            }
        }
        let mut other = other.clone();
        match (self.varies, other.varies) {
            (true, false) => other.forget_numbers(),
            (false, true) => self.forget_numbers(),
            _ => {}
        }
        add(&mut self.seen, &other.seen, before);
        if !self.varies && self.seen.len() > MOST_NUMBERS {
            self.forget_numbers();
        }
    }
}

/// Whether a value is one that may be told by its sign alone.
fn is(value: Abstract, wanted: Abstract) -> bool {
    match (value, wanted) {
        (Abstract::Exactly(number), Abstract::Negative | Abstract::Zero | Abstract::Positive) => {
            Abstract::of_number(number) == wanted
        }
        _ => value == wanted,
    }
}

/// Adds those of tests that come behind so many others.
fn add<K: Ord + Clone>(all: &mut BTreeMap<K, Tally>, other: &BTreeMap<K, Tally>, before: u64) {
    for (key, tally) in other {
        let tally = tally.behind(before);
        match all.get_mut(key) {
            Some(known) => known.add(&tally),
            None => _ = all.insert(key.clone(), tally),
        }
    }
}

/// A value of a field, and what an inspector said at the same time.
pub(crate) type Pair = (Abstract, Abstract);

/// Such pairs; `None` for too many.
pub(crate) type Pairs = Option<BTreeSet<Pair>>;

/// No pairs yet.
pub(crate) fn none() -> Pairs {
    Some(BTreeSet::new())
}

/// Adds a pair, unless there are too many.
pub(crate) fn add_pair(to: &mut Pairs, pair: Pair) {
    if let Some(pairs) = to {
        pairs.insert(pair);
        if pairs.len() > MOST_PAIRS {
            *to = None;
        }
    }
}

/// What the calls of a method found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MethodCalls {
    /// Calls.
    pub calls: u64,
    /// Tests with such calls.
    pub tests: u64,
    /// What they found, by the path from the object that it is called on, or from a parameter.
    pub values: BTreeMap<String, Values>,
    /// How two numbers of one object that a call read compare.
    pub(crate) orders: BTreeMap<(String, String), BTreeMap<Ordering, Tally>>,
    /// What fields and inspectors of one object were at the same time, by their paths; `None` for too many.
    pub(crate) pairs: BTreeMap<(String, String), Pairs>,
}

impl MethodCalls {
    fn add(&mut self, other: &Self, before: u64) {
        self.calls += other.calls;
        self.tests += other.tests;
        for (path, values) in &other.values {
            let known = self.values.entry(path.clone()).or_default();
            known.add(values, before);
        }
        for (paths, orders) in &other.orders {
            add(self.orders.entry(paths.clone()).or_default(), orders, before);
        }
        for (paths, pairs) in &other.pairs {
            let known = self.pairs.entry(paths.clone()).or_insert_with(none);
            match pairs {
                Some(pairs) => pairs.iter().for_each(|pair| add_pair(known, *pair)),
                None => *known = None,
            }
        }
    }
}

/// A change of a field by a method that returned.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Change {
    /// The class of the object.
    pub class: String,
    /// The field.
    pub field: String,
    /// The class that has the method, and the method.
    pub by: Key,
    /// The value before.
    pub from: Abstract,
    /// The value after.
    pub to: Abstract,
}

/// What calls found, by class and method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Calls {
    pub(crate) methods: BTreeMap<Key, MethodCalls>,
    pub(crate) changes: BTreeMap<Change, u64>,
    /// Tests that they are of.
    pub tests: u64,
}

impl Calls {
    /// What the calls of a method found.
    pub fn of(&self, class: &str, method: &str) -> Option<&MethodCalls> {
        self.methods.get(&(class.to_owned(), method.to_owned()))
    }

    /// The classes whose methods were called.
    pub fn classes(&self) -> BTreeSet<&str> {
        self.methods.keys().map(|(class, _)| class.as_str()).collect()
    }

    /// The methods, each with its class, that were seen to lead objects of a class from a value of a field to one of these, those that
    /// did so most often first.
    pub fn leading(&self, class: &str, field: &str, from: Abstract, to: &[Abstract]) -> Vec<(String, String)> {
        let mut found: BTreeMap<&Key, u64> = BTreeMap::new();
        for (change, count) in self.changes.iter().filter(|(change, _)| change.class == class && change.field == field)
        {
            if is(change.from, from) && to.iter().any(|to| is(change.to, *to)) {
                *found.entry(&change.by).or_default() += count;
            }
        }
        let mut found: Vec<(&Key, u64)> = found.into_iter().collect();
        found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        found.into_iter().map(|(by, _)| by.clone()).collect()
    }

    /// Adds those of other tests.
    pub fn add(&mut self, other: &Self) {
        let before = self.tests;
        self.tests += other.tests;
        for (change, count) in &other.changes {
            *self.changes.entry(change.clone()).or_default() += count;
        }
        for (key, calls) in &other.methods {
            self.methods.entry(key.clone()).or_default().add(calls, before);
        }
    }
}
