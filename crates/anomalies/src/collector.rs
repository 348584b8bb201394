//! What the calls of one test find, out of its events.

mod objects;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_behavior::{Abstract, Abstraction, Example, FieldIndex, MethodIndex, Names};
use whydunit_events::{End, Event, FieldKind, MethodRole, ObjectId, Position, Value};

use self::objects::Objects;
use crate::calls::{Calls, MethodCalls, Values};
use crate::paths::{PathIndex, Paths, Step};

/// Numbers of one object that are compared with each other.
const MOST_COMPARED: usize = 6;
/// Different calls of a failing run that are kept.
const MOST_CALLS: usize = 20_000;
/// Objects of calls alike that are kept.
const MOST_OBJECTS: usize = 200;

/// A call of a failing run; of several alike the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundCall {
    /// The class of the method.
    pub class: String,
    /// The method.
    pub method: String,
    /// The method is declared not to change the object that it is called on.
    pub constant: bool,
    /// The method ends the object that it is called on.
    pub destroys: bool,
    /// The call.
    pub at: Example,
    /// So many calls came before.
    pub order: u64,
    /// So many are alike.
    pub count: u64,
    /// What it was called on and with.
    pub objects: BTreeSet<ObjectId>,
    /// What it found, by paths.
    pub values: Vec<(String, Abstract)>,
    /// How numbers of one object compared that it read.
    pub orders: Vec<((String, String), Ordering)>,
    /// It was left by an exception or a panic, said that it failed, or was under way when the run ended.
    pub exceptional: bool,
}

/// What is known of the objects of a failing run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FailingRun {
    /// Its calls, in the order in which they ended.
    pub calls: Vec<FoundCall>,
    /// The classes of its objects.
    pub classes: BTreeMap<ObjectId, String>,
    /// The objects that functions under way had when it failed, and what is reachable from them; `None` where it went on to its end.
    pub at_failure: Option<BTreeSet<ObjectId>>,
    /// The objects that each function was called on or with, and what is reachable from them.
    pub given: BTreeMap<String, BTreeSet<ObjectId>>,
}

/// What a call found at the end of a path.
struct Entry {
    path: PathIndex,
    owner: ObjectId,
    cell: Option<FieldIndex>,
    value: Value,
    seen: Abstract,
    read: bool,
}

/// A call under way.
struct Call {
    method: MethodIndex,
    object: Option<ObjectId>,
    at: Position,
    time: u64,
    order: u64,
    found: Vec<Entry>,
    /// Where in `found` a field of an object is.
    cells: FxHashMap<(ObjectId, FieldIndex), usize>,
    objects: BTreeSet<ObjectId>,
    /// Inspectors were not asked since what they say may have changed.
    inside: bool,
}

/// Collects what the calls of a test find; the events of its processes go in one after the other.
pub struct Collector {
    depth: usize,
    names: Names,
    paths: Paths,
    objects: Objects,
    threads: FxHashMap<u32, Vec<Call>>,
    active: FxHashMap<ObjectId, u32>,
    found: FxHashMap<MethodIndex, (MethodCalls, FxHashMap<PathIndex, Values>)>,
    run: String,
    calls: u64,
    keeps: bool,
    kept: FailingRun,
    alike: FxHashMap<(MethodIndex, String, u32, u64), Vec<usize>>,
    given: FxHashSet<(String, ObjectId)>,
}

impl Collector {
    /// With paths of so many steps. `keeps`: what it found is kept of each call, as it is done of a failing test.
    pub fn new(depth: usize, keeps: bool) -> Self {
        Self {
            depth: depth.max(1),
            names: Names::default(),
            paths: Paths::default(),
            objects: Objects::default(),
            threads: FxHashMap::default(),
            active: FxHashMap::default(),
            found: FxHashMap::default(),
            run: String::new(),
            calls: 0,
            keeps,
            kept: FailingRun::default(),
            alike: FxHashMap::default(),
            given: FxHashSet::default(),
        }
    }

    /// The next event.
    pub fn event(&mut self, event: &Event) {
        if self.names.tell(event) {
            return;
        }
        match event {
            Event::Run(run) => {
                self.run.clone_from(&run.name);
                self.objects = Objects::default();
                self.threads.clear();
                self.active.clear();
            }
            Event::Created { object, class, .. } => {
                if let Some(class) = self.names.class(*class) {
                    self.objects.create(*object);
                    if self.keeps {
                        self.kept.classes.insert(*object, self.names.classes[class].name.clone());
                    }
                }
            }
            Event::Destroyed { object } => self.objects.destroy(*object),
            Event::Set { object, field, value } => {
                if let Some(field) = self.names.field(*field) {
                    self.objects.set(*object, field, *value);
                }
            }
            Event::Inspected { object, method, kind, value } => {
                if let Some(method) = self.names.method(*method) {
                    self.names.results.entry(method).or_insert_with(|| kind.clone());
                    self.objects.inspected(*object, method, *value);
                }
            }
            Event::Entered { method, object, thread, time, at } => {
                if let Some(method) = self.names.method(*method) {
                    self.entered((method, *object, *at), *thread, *time);
                }
            }
            Event::Passed { thread, function, method, parameter, object } => {
                self.gave(function, *object);
                if *method {
                    self.passed(*thread, parameter, *object);
                }
            }
            Event::Read { thread, object, field, since } => {
                if let Some(field) = self.names.field(*field) {
                    self.read(*thread, (*object, field), *since);
                }
            }
            Event::Left { method, thread, end, .. } => {
                if self.names.method(*method).is_some()
                    && let Some(call) = self.threads.get_mut(thread).and_then(Vec::pop)
                {
                    self.left(call, *end != End::Returned);
                }
            }
            Event::Failing { objects, .. } => {
                // What is left of it by the way out comes later.
                if self.keeps && self.kept.at_failure.is_none() {
                    self.kept.at_failure = Some(self.objects.reachable(objects, self.depth));
                }
            }
            _ => {}
        }
    }

    /// What was found, and what is kept of each call.
    pub fn finish(mut self) -> (Calls, FailingRun) {
        for (_, stack) in std::mem::take(&mut self.threads) {
            stack.into_iter().rev().for_each(|call| self.left(call, true));
        }
        let mut methods = BTreeMap::new();
        for (method, (mut calls, values)) in std::mem::take(&mut self.found) {
            for (path, mut values) in values {
                if let Step::Field(field) = *self.paths.last(path) {
                    let known = &self.names.fields[field];
                    values.names.clone_from(&known.names);
                    if known.varies {
                        values.to_signs();
                    }
                }
                calls.values.insert(self.paths.text(path).to_owned(), values);
            }
            calls.tests = 1;
            let known = &self.names.methods[method];
            methods.insert((self.names.classes[known.class].name.clone(), known.name.clone()), calls);
        }
        (Calls { methods, tests: 1 }, self.kept)
    }

    fn entered(&mut self, (method, object, at): (MethodIndex, Option<ObjectId>, Position), thread: u32, time: u64) {
        self.calls += 1;
        let role = self.names.methods[method].role;
        if role != MethodRole::Destructor {
            // The run has gone on.
            self.kept.at_failure = None;
        }
        if let Some(object) = object {
            let name = self.names.full_name(method);
            self.gave(&name, object);
        }
        let inside = object.is_some_and(|object| self.active.get(&object).is_some_and(|calls| *calls > 0));
        let mut call = Call {
            method,
            object,
            at,
            time,
            order: self.calls,
            found: Vec::new(),
            cells: FxHashMap::default(),
            objects: object.into_iter().collect(),
            inside,
        };
        if let Some(object) = object {
            *self.active.entry(object).or_default() += 1;
            // Nothing is there before construction.
            if role != MethodRole::Constructor {
                self.look(&mut call, object, None, self.depth);
            }
        }
        self.threads.entry(thread).or_default().push(call);
    }

    /// The method that started last is given an object.
    fn passed(&mut self, thread: u32, parameter: &str, object: ObjectId) {
        let Some(mut call) = self.threads.get_mut(&thread).and_then(Vec::pop) else { return };
        if call.object != Some(object) {
            let path = self.paths.step(&self.names, None, Step::Parameter(parameter.to_owned()));
            self.look(&mut call, object, Some(path), self.depth);
            call.objects.insert(object);
        }
        self.threads.entry(thread).or_default().push(call);
    }

    /// Notes what is found at the ends of the paths from an object, `steps` long at most.
    fn look(&mut self, call: &mut Call, id: ObjectId, prefix: Option<PathIndex>, steps: usize) {
        let Some(object) = self.objects.get(id) else { return };
        let mut deeper = Vec::new();
        for (&field, &value) in &object.fields {
            let path = self.paths.step(&self.names, prefix, Step::Field(field));
            let known = &self.names.fields[field];
            if let Value::Object(inner) = value
                && steps > 1
                && inner != id
            {
                deeper.push((path, inner));
            }
            if known.kind == FieldKind::Part || call.cells.contains_key(&(id, field)) {
                continue;
            }
            let seen = Abstract::of(value, &known.kind, Abstraction::Sign, known.varies);
            call.cells.insert((id, field), call.found.len());
            call.found.push(Entry { path, owner: id, cell: Some(field), value, seen, read: false });
        }
        for (&method, &value) in object.inspectors.iter().filter(|_| !call.inside) {
            let path = self.paths.step(&self.names, prefix, Step::Inspector(method));
            let kind = self.names.results.get(&method).unwrap_or(&FieldKind::Integer);
            let seen = Abstract::of(value, kind, Abstraction::Sign, true);
            call.found.push(Entry { path, owner: id, cell: None, value, seen, read: false });
        }
        for (path, inner) in deeper {
            self.look(call, inner, Some(path), steps - 1);
        }
    }

    /// A function is called on an object or with it.
    fn gave(&mut self, function: &str, object: ObjectId) {
        if self.keeps && self.given.insert((function.to_owned(), object)) {
            let reachable = self.objects.reachable(&[object], self.depth);
            self.kept.given.entry(function.to_owned()).or_default().extend(reachable);
        }
    }

    /// A field is read: calls that started after it was written have found it.
    fn read(&mut self, thread: u32, cell: (ObjectId, FieldIndex), since: u64) {
        for call in self.threads.get_mut(&thread).into_iter().flatten().rev().take_while(|call| call.time > since) {
            if let Some(&index) = call.cells.get(&cell) {
                call.found[index].read = true;
            }
        }
    }

    fn left(&mut self, call: Call, exceptional: bool) {
        if let Some(active) = call.object.and_then(|object| self.active.get_mut(&object)) {
            *active = active.saturating_sub(1);
        }
        let (file, line) = self.names.position(call.at);
        let example = Example { run: self.run.clone(), file, line };
        let (calls, values) = self.found.entry(call.method).or_default();
        calls.calls += 1;
        for entry in &call.found {
            let known = values.entry(entry.path).or_default();
            known.read |= entry.read;
            known.inspector |= entry.cell.is_none();
            if entry.seen != Abstract::Unknown {
                known.found(entry.seen, || example.clone());
            }
        }
        for (first, second) in pairs_of(&call.found) {
            let paths = (self.paths.text(first.path), self.paths.text(second.path));
            calls.pair(paths, (first.seen, second.seen));
        }
        let orders = compared(&call.found, &self.names, &self.paths);
        for (paths, order) in &orders {
            let known = calls.orders.entry(paths.clone()).or_default();
            known.entry(*order).and_modify(|tally| tally.calls += 1).or_insert_with(|| crate::Tally {
                calls: 1,
                tests: 1,
                example: example.clone(),
            });
        }
        if self.keeps {
            self.keep(call, orders, example, exceptional);
        }
    }

    fn keep(&mut self, call: Call, orders: Vec<((String, String), Ordering)>, at: Example, exceptional: bool) {
        let text = |entry: &Entry| (self.paths.text(entry.path).to_owned(), entry.seen);
        let values: Vec<(String, Abstract)> = call.found.iter().map(text).collect();
        let hash = hash(&values, &orders);
        let alike = self.alike.entry((call.method, at.file.clone(), at.line, hash)).or_default();
        let same = alike.iter().copied().find(|&index| {
            let known = &self.kept.calls[index];
            known.values == values && known.orders == orders && known.exceptional == exceptional
        });
        if let Some(index) = same {
            let known = &mut self.kept.calls[index];
            known.count += 1;
            if known.objects.len() < MOST_OBJECTS {
                known.objects.extend(call.objects);
            }
            return;
        }
        if self.kept.calls.len() >= MOST_CALLS {
            return;
        }
        alike.push(self.kept.calls.len());
        let known = &self.names.methods[call.method];
        self.kept.calls.push(FoundCall {
            class: self.names.classes[known.class].name.clone(),
            method: known.name.clone(),
            constant: known.constant,
            destroys: known.role == MethodRole::Destructor,
            at,
            order: call.order,
            count: 1,
            objects: call.objects,
            values,
            orders,
            exceptional,
        });
    }
}

fn hash(values: &[(String, Abstract)], orders: &[((String, String), Ordering)]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    (values, orders).hash(&mut hasher);
    hasher.finish()
}

/// Fields that were read, each with the inspectors of the same object.
fn pairs_of(found: &[Entry]) -> impl Iterator<Item = (&Entry, &Entry)> {
    let fields = found.iter().filter(|entry| entry.cell.is_some() && entry.seen != Abstract::Unknown);
    fields.flat_map(move |field| {
        let own = move |entry: &&Entry| entry.cell.is_none() && entry.owner == field.owner;
        found.iter().filter(own).map(move |inspector| (field, inspector))
    })
}

/// How two numbers that were read compare, of each object.
fn compared(found: &[Entry], names: &Names, paths: &Paths) -> Vec<((String, String), Ordering)> {
    let number = |entry: &Entry| match (entry.cell, entry.value) {
        (Some(field), Value::Integer(number)) if entry.read && names.fields[field].kind == FieldKind::Integer => {
            Some((entry.owner, entry.path, number))
        }
        _ => None,
    };
    let mut by_owner: BTreeMap<ObjectId, Vec<(PathIndex, i64)>> = BTreeMap::new();
    for (owner, path, number) in found.iter().filter_map(number) {
        by_owner.entry(owner).or_default().push((path, number));
    }
    let mut orders = Vec::new();
    for numbers in by_owner.values_mut() {
        numbers.truncate(MOST_COMPARED);
        for (index, (first, one)) in numbers.iter().enumerate() {
            for (second, other) in &numbers[index + 1..] {
                let text = |path: PathIndex| paths.text(path).to_owned();
                orders.push(((text(*first), text(*second)), one.cmp(other)));
            }
        }
    }
    orders
}
