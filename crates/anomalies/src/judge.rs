//! Which calls of a failing run do not find what all calls of passing runs have found.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use whydunit_behavior::{Abstract, Example};
use whydunit_events::ObjectId;

use crate::calls::{Calls, MethodCalls, Tally, Values};
use crate::collector::{FailingRun, Found, FoundCall};

/// A precondition is of so many calls of passing tests.
pub const LEAST_CALLS: u64 = 5;
/// In so many tests.
pub const LEAST_TESTS: u64 = 2;
/// One test in so many, or a single one of [`FEW`], may have it otherwise.
const ODD: u64 = 20;
/// So many tests are enough for one to be odd.
const FEW: u64 = 10;
/// A precondition admits no more values than these.
const MOST_VALUES: usize = 3;

/// Why objects matter to a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relevant {
    /// Functions under way at the failure had them, or they are reachable from such.
    Failure,
    /// The most suspicious functions had them.
    Suspicious,
}

/// What passing runs have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// One of these values.
    Values(Vec<Abstract>),
    /// The number compares with that at another path in one of these ways.
    Order(String, Vec<Ordering>),
}

/// What an inspector says of the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saying {
    /// The inspector, by its path.
    pub path: String,
    /// What it says in the call.
    pub value: Abstract,
}

/// What a call found that passing runs have otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The path from the object that the method is called on, or from a parameter.
    pub path: String,
    /// The path of the object whose field it is; empty of the one that the method is called on.
    pub owner: String,
    /// The class of that object.
    pub owner_class: String,
    /// The field.
    pub field: String,
    /// What was found there.
    pub found: Abstract,
    /// How it compares with the number at another path, where that is what is otherwise.
    pub order: Option<Ordering>,
    /// What passing runs have found.
    pub expected: Expected,
    /// The names of the numbers there.
    pub names: Vec<(i64, String)>,
    /// So many calls of passing tests found that.
    pub calls: u64,
    /// In so many tests.
    pub tests: u64,
    /// One of these calls.
    pub example: Example,
    /// So many calls of passing tests found what this one does.
    pub odd_calls: u64,
    /// In so many tests.
    pub odd_tests: u64,
    /// An inspector that says the same in all calls of passing tests and of this one.
    pub inspector: Option<Saying>,
}

/// A call that does not find what its method needs, as far as passing tests tell.
#[derive(Clone, PartialEq, Debug)]
pub struct Anomaly {
    /// The class of the method.
    pub class: String,
    /// The method.
    pub method: String,
    /// The call.
    pub at: Example,
    /// So many calls there were alike.
    pub count: u64,
    /// It was left by an exception, said that it failed, or was under way when the run ended.
    pub exceptional: bool,
    /// What is otherwise, the most telling first; at least one.
    pub facts: Vec<Fact>,
    /// How telling it is, from 0 to 1.
    pub score: f64,
    order: u64,
}

/// The objects that matter to a failure: those at hand where it happened, where that is known; else those of these functions, the
/// most suspicious ones. `None` where there are none.
pub fn relevant(run: &FailingRun, functions: &[String]) -> Option<(Relevant, BTreeSet<ObjectId>)> {
    // A call on nothing has no object.
    let on_nothing = |call: &FoundCall| call.exceptional && call.objects.is_empty();
    let some = |objects: &&BTreeSet<ObjectId>| !objects.is_empty() || run.calls.iter().any(on_nothing);
    if let Some(objects) = run.at_failure.as_ref().filter(some) {
        return Some((Relevant::Failure, objects.clone()));
    }
    let bare = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    let wanted: BTreeSet<String> = functions.iter().map(|name| bare(name)).collect();
    let given = run.given.iter().filter(|(name, _)| functions.contains(name) || wanted.contains(&bare(name)));
    let objects: BTreeSet<ObjectId> = given.flat_map(|(_, objects)| objects.iter().copied()).collect();
    (!objects.is_empty()).then_some((Relevant::Suspicious, objects))
}

/// The calls on and with these objects that do not find what calls of passing tests do, the most telling first. `own` is what the
/// calls of the failing test found.
pub fn anomalies(passing: &Calls, own: &Calls, run: &FailingRun, objects: &BTreeSet<ObjectId>) -> Vec<Anomaly> {
    let mut found: Vec<Anomaly> = Vec::new();
    let mut judged: BTreeMap<(&str, &str), Option<Method>> = BTreeMap::new();
    for call in run.calls.iter().filter(|call| call.exceptional || !call.objects.is_disjoint(objects)) {
        let method = judged.entry((&call.class, &call.method)).or_insert_with(|| {
            let passing = passing.of(&call.class, &call.method)?;
            Some(Method::of(passing, own.of(&call.class, &call.method)))
        });
        let facts = method.as_ref().map(|method| method.facts(call)).unwrap_or_default();
        if facts.is_empty() {
            continue;
        }
        let same = found.iter_mut().find(|known| {
            known.class == call.class && known.method == call.method && known.at == call.at && known.facts == facts
        });
        match same {
            Some(known) => {
                known.count += call.count;
                known.order = known.order.min(call.order);
            }
            None => found.push(anomaly(call, facts)),
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.order.cmp(&b.order)));
    found
}

fn anomaly(call: &FoundCall, facts: Vec<Fact>) -> Anomaly {
    // What ends an object finds what others left.
    let role = if call.destroys { 0.6 } else { 1.0 };
    let end = match call.exceptional {
        true => 1.0,
        // What only looks at an object finds what others left, too.
        false if call.constant => 0.5,
        false => 0.9,
    };
    Anomaly {
        class: call.class.clone(),
        method: call.method.clone(),
        at: call.at.clone(),
        count: call.count,
        exceptional: call.exceptional,
        score: telling(&facts[0]) * role * end,
        facts,
        order: call.order,
    }
}

/// How telling a fact is: what many calls have in common, as one value, near to the object, without exceptions.
fn telling(fact: &Fact) -> f64 {
    let support = fact.calls as f64 / (fact.calls + 2) as f64;
    let kind = match &fact.expected {
        Expected::Values(values) if values.len() == 1 => 1.0,
        Expected::Values(_) => 0.7,
        Expected::Order(..) => 0.8,
    };
    let far = 0.9_f64.powi(fact.path.matches('.').count() as i32);
    let odd = if fact.odd_tests > 0 { 0.5 } else { 1.0 };
    support * kind * far * odd
}

/// A method by its calls in passing tests, and in the failing one.
struct Method {
    passing: MethodCalls,
    own: MethodCalls,
}

impl Method {
    /// Both see values alike: what either knows of a field holds for both.
    fn of(passing: &MethodCalls, own: Option<&MethodCalls>) -> Self {
        let (mut passing, mut own) = (passing.clone(), own.cloned().unwrap_or_default());
        for (path, values) in &mut passing.values {
            let Some(known) = own.values.get_mut(path) else { continue };
            values.read |= known.read;
            match (values.varies, known.varies) {
                (true, false) => known.forget_numbers(),
                (false, true) => values.forget_numbers(),
                _ => {}
            }
            values
                .names
                .extend(known.names.iter().filter(|name| !values.names.contains(name)).cloned().collect::<Vec<_>>());
        }
        Self { passing, own }
    }

    fn facts(&self, call: &FoundCall) -> Vec<Fact> {
        let values = call.values.iter().filter_map(|found| self.value(call, found));
        let orders = call.orders.iter().filter_map(|(paths, order)| self.order(call, paths, *order));
        let mut facts: Vec<Fact> = values.chain(orders).collect();
        facts.sort_by(|a, b| telling(b).total_cmp(&telling(a)).then_with(|| a.path.cmp(&b.path)));
        facts
    }

    /// A value that is otherwise.
    fn value(&self, call: &FoundCall, found: &Found) -> Option<Fact> {
        let path = found.path.as_str();
        let known = self.passing.values.get(path).filter(|known| known.read && !known.inspector)?;
        let value = known.seen_as(found.value);
        let (calls, tests) = known.known;
        if value == Abstract::Unknown || calls < LEAST_CALLS || tests < LEAST_TESTS {
            return None;
        }
        let odd = known.seen.get(&value).map_or((0, 0), |tally| (tally.calls, tally.tests.len() as u64));
        if !is_odd(odd.1, tests) {
            return None;
        }
        let expected: Vec<(&Abstract, &Tally)> = known.seen.iter().filter(|(other, _)| **other != value).collect();
        if expected.is_empty() || expected.len() > MOST_VALUES {
            return None;
        }
        let most = expected.iter().max_by_key(|(_, tally)| tally.calls)?;
        Some(Fact {
            path: path.to_owned(),
            owner: found.owner.clone(),
            owner_class: found.class.clone(),
            field: field_of(found),
            found: value,
            order: None,
            expected: Expected::Values(expected.iter().map(|(value, _)| **value).collect()),
            names: known.names.clone(),
            calls: calls - odd.0,
            tests: tests_of(expected.iter().map(|(_, tally)| *tally)),
            example: most.1.example.clone(),
            odd_calls: odd.0,
            odd_tests: odd.1,
            inspector: self.inspector(call, path, value),
        })
    }

    /// Two numbers that compare otherwise.
    fn order(&self, call: &FoundCall, paths: &(String, String), order: Ordering) -> Option<Fact> {
        let known = self.passing.orders.get(paths)?;
        let calls: u64 = known.values().map(|tally| tally.calls).sum();
        let tests = tests_of(known.values());
        if known.contains_key(&order) || calls < LEAST_CALLS || tests < LEAST_TESTS {
            return None;
        }
        let most = known.values().max_by_key(|tally| tally.calls)?;
        let found = call.values.iter().find(|found| found.path == paths.0)?;
        Some(Fact {
            path: paths.0.clone(),
            owner: found.owner.clone(),
            owner_class: found.class.clone(),
            field: field_of(found),
            found: found.value,
            order: Some(order),
            expected: Expected::Order(paths.1.clone(), known.keys().copied().collect()),
            names: Vec::new(),
            calls,
            tests,
            example: most.example.clone(),
            odd_calls: 0,
            odd_tests: 0,
            inspector: None,
        })
    }

    /// An inspector of the same object that tells this value of a path from all others.
    fn inspector(&self, call: &FoundCall, path: &str, value: Abstract) -> Option<Saying> {
        let seen_as = |value| self.passing.values.get(path).map_or(value, |known: &Values| known.seen_as(value));
        let said = |inspector: &str| call.values.iter().find(|found| found.path == inspector).map(|found| found.value);
        let pairs = self.own.pairs.keys().filter(|(field, _)| field == path);
        let says = pairs.filter_map(|key| {
            let said = said(&key.1)?;
            let passing = self.passing.pairs.get(key)?.as_ref()?;
            let own = self.own.pairs.get(key)?.as_ref()?;
            let alike = |(found, saying): &(Abstract, Abstract)| (seen_as(*found) == value) == (*saying == said);
            (passing.iter().any(|(_, saying)| *saying != said) && passing.iter().chain(own).all(alike))
                .then(|| Saying { path: key.1.clone(), value: said })
        });
        says.min_by_key(|saying| (saying.path.matches('.').count(), saying.path.len()))
    }
}

/// How many tests have some of these calls.
fn tests_of<'a>(tallies: impl Iterator<Item = &'a Tally>) -> u64 {
    tallies.flat_map(|tally| &tally.tests).collect::<BTreeSet<_>>().len() as u64
}

/// The field at the end of a path.
fn field_of(found: &Found) -> String {
    let rest = found.path.strip_prefix(&found.owner).unwrap_or(&found.path);
    rest.strip_prefix('.').unwrap_or(rest).to_owned()
}

/// Whether what so many of all tests have is the exception, or nothing at all.
fn is_odd(odd: u64, tests: u64) -> bool {
    odd == 0 || odd * ODD <= tests || odd == 1 && tests >= FEW
}
