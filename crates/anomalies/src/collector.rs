//! What the calls of one test find, out of its events.

mod objects;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_behavior::{Abstract, Abstraction, ClassIndex, Example, FieldIndex, MethodIndex, Names};
use whydunit_events::{End, Event, FieldKind, MethodRole, ObjectId, Position, Value};

use self::objects::Objects;
use crate::calls::{Calls, Change, MethodCalls, Pairs, Tally, Values, add_pair, none};
use crate::paths::{PathIndex, Paths, Step};

/// Numbers of one object that are compared with each other.
const MOST_COMPARED: usize = 6;
/// Different calls of a failing run that are kept.
const MOST_CALLS: usize = 20_000;
/// Different changes of fields by methods that are kept.
const MOST_CHANGES: usize = 20_000;
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
    /// What it found.
    pub values: Vec<Found>,
    /// How numbers of one object compared that it read.
    pub orders: Vec<((String, String), Ordering)>,
    /// It was left by an exception or a panic, said that it failed, or was under way when the run ended.
    pub exceptional: bool,
}

/// What a call found at the end of a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Found {
    /// The path from the object that the method is called on, or from a parameter.
    pub path: String,
    /// The path of the object that has it; empty of the one that the method is called on.
    pub owner: String,
    /// The class of that object.
    pub class: String,
    /// What was found.
    pub value: Abstract,
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

/// What is at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Field(FieldIndex),
    Inspector,
    /// The object that a parameter refers to, or nothing.
    Parameter,
}

/// What a call found at the end of a path.
struct Entry {
    path: PathIndex,
    /// The path of the object that has it.
    prefix: Option<PathIndex>,
    owner: ObjectId,
    class: ClassIndex,
    what: What,
    value: Value,
    seen: Abstract,
    read: bool,
}

/// What the calls of a method have found until now.
#[derive(Default)]
struct OfMethod {
    calls: MethodCalls,
    values: FxHashMap<PathIndex, Values>,
    pairs: FxHashMap<(PathIndex, PathIndex), Pairs>,
    orders: FxHashMap<(PathIndex, PathIndex), BTreeMap<Ordering, Tally>>,
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
    /// It is a part of the call around it.
    part: bool,
}

/// Collects what the calls of a test find; the events of its processes go in one after the other.
pub struct Collector {
    depth: usize,
    names: Names,
    paths: Paths,
    objects: Objects,
    threads: FxHashMap<u32, Vec<Call>>,
    active: FxHashMap<ObjectId, u32>,
    found: FxHashMap<MethodIndex, OfMethod>,
    changes: FxHashMap<(ClassIndex, FieldIndex, MethodIndex, Abstract, Abstract), u64>,
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
            changes: FxHashMap::default(),
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
                    self.objects.create(*object, class);
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
                object.iter().for_each(|object| self.gave(function, *object));
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
            // What is left of it by the way out comes later.
            Event::Failing { objects, .. } if self.keeps && self.kept.at_failure.is_none() => {
                self.kept.at_failure = Some(self.objects.reachable(objects, self.depth));
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
        for (method, OfMethod { mut calls, values, pairs, orders }) in std::mem::take(&mut self.found) {
            let text = |path: PathIndex| self.paths.text(path).to_owned();
            for (path, mut values) in values {
                if let Step::Field(field) = *self.paths.last(path) {
                    let known = &self.names.fields[field];
                    values.names.clone_from(&known.names);
                    if known.varies {
                        values.forget_numbers();
                    }
                }
                calls.values.insert(text(path), values);
            }
            calls.pairs = pairs.into_iter().map(|((one, other), pairs)| ((text(one), text(other)), pairs)).collect();
            calls.orders = orders.into_iter().map(|((one, other), of)| ((text(one), text(other)), of)).collect();
            calls.tests = 1;
            let known = &self.names.methods[method];
            methods.insert((self.names.classes[known.class].name.clone(), known.name.clone()), calls);
        }
        let class = |class: ClassIndex| self.names.classes[class].name.clone();
        let mut changes = BTreeMap::new();
        for (&(of, field, method, from, to), count) in &self.changes {
            let known = &self.names.methods[method];
            let by = (class(known.class), known.name.clone());
            let key = Change { class: class(of), field: self.names.fields[field].name.clone(), by, from, to };
            *changes.entry(key).or_default() += count;
        }
        (Calls { methods, changes, tests: 1 }, self.kept)
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
        // An overload that calls another one, or a recursion.
        let under_way = self.threads.get(&thread).and_then(|stack| stack.last());
        let part = under_way.is_some_and(|call| call.method == method && call.object == object);
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
            part,
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

    /// The method that started last is given an object, or nothing.
    fn passed(&mut self, thread: u32, parameter: &str, object: Option<ObjectId>) {
        let Some(mut call) = self.threads.get_mut(&thread).and_then(Vec::pop) else { return };
        let path = self.paths.step(&self.names, None, Step::Parameter(parameter.to_owned()));
        if let Some(object) = object.filter(|_| call.object != object) {
            self.look(&mut call, object, Some(path), self.depth);
            call.objects.insert(object);
        }
        let (value, seen) = match object {
            Some(object) => (Value::Object(object), Abstract::Reference),
            None => (Value::Null, Abstract::Null),
        };
        let class = self.names.methods[call.method].class;
        let owner = object.unwrap_or(ObjectId(0));
        let what = What::Parameter;
        call.found.push(Entry { path, prefix: Some(path), owner, class, what, value, seen, read: false });
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
            let class = object.class;
            call.found.push(Entry {
                path,
                prefix,
                owner: id,
                class,
                what: What::Field(field),
                value,
                seen,
                read: false,
            });
        }
        for (&method, &value) in object.inspectors.iter().filter(|_| !call.inside) {
            let path = self.paths.step(&self.names, prefix, Step::Inspector(method));
            let kind = self.names.results.get(&method).unwrap_or(&FieldKind::Integer);
            let seen = Abstract::of(value, kind, Abstraction::Sign, true);
            let class = object.class;
            call.found.push(Entry { path, prefix, owner: id, class, what: What::Inspector, value, seen, read: false });
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
        if call.part {
            return;
        }
        if !exceptional {
            self.changed(&call);
        }
        let example = || {
            let (file, line) = self.names.position(call.at);
            Example { run: self.run.clone(), file, line }
        };
        let of = self.found.entry(call.method).or_default();
        of.calls.calls += 1;
        for entry in &call.found {
            let known = of.values.entry(entry.path).or_default();
            // A parameter is read through what it refers to.
            let through = || call.found.iter().any(|other| other.read && other.owner == entry.owner);
            known.read |= entry.read || entry.what == What::Parameter && through();
            known.inspector |= entry.what == What::Inspector;
            if entry.seen != Abstract::Unknown {
                known.found(entry.seen, example);
            }
        }
        for (first, second) in pairs_of(&call.found) {
            add_pair(of.pairs.entry((first.path, second.path)).or_insert_with(none), (first.seen, second.seen));
        }
        let orders = compared(&call.found, &self.names);
        for (paths, order) in &orders {
            let known = of.orders.entry(*paths).or_default();
            known.entry(*order).and_modify(|tally| tally.calls += 1).or_insert_with(|| Tally::first(example()));
        }
        if self.keeps {
            let text = |path: PathIndex| self.paths.text(path).to_owned();
            let orders = orders.iter().map(|((one, other), order)| ((text(*one), text(*other)), *order)).collect();
            let at = example();
            self.keep(call, orders, at, exceptional);
        }
    }

    /// Notes what a call has changed of the object that it was called on.
    fn changed(&mut self, call: &Call) {
        let Some(object) = call.object.and_then(|object| self.objects.get(object)) else { return };
        let own = call.found.iter().filter(|entry| Some(entry.owner) == call.object);
        let of_field = |entry: &Entry| match entry.what {
            What::Field(field) => Some((field, entry.value)),
            What::Inspector | What::Parameter => None,
        };
        for (field, before) in own.filter_map(of_field) {
            let Some(&now) = object.fields.get(&field) else { continue };
            if now != before && self.changes.len() < MOST_CHANGES {
                let kind = &self.names.fields[field].kind;
                let of = |value| Abstract::of(value, kind, Abstraction::Sign, false);
                let key = (object.class, field, call.method, of(before), of(now));
                *self.changes.entry(key).or_default() += 1;
            }
        }
    }

    fn keep(&mut self, call: Call, orders: Vec<((String, String), Ordering)>, at: Example, exceptional: bool) {
        let text = |path: PathIndex| self.paths.text(path).to_owned();
        let found = |entry: &Entry| Found {
            path: text(entry.path),
            owner: entry.prefix.map(text).unwrap_or_default(),
            class: self.names.classes[entry.class].name.clone(),
            value: entry.seen,
        };
        let values: Vec<Found> = call.found.iter().map(found).collect();
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

fn hash(values: &[Found], orders: &[((String, String), Ordering)]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    (values, orders).hash(&mut hasher);
    hasher.finish()
}

/// Fields that were read, each with the inspectors of the same object.
fn pairs_of(found: &[Entry]) -> impl Iterator<Item = (&Entry, &Entry)> {
    let fields = found.iter().filter(|entry| matches!(entry.what, What::Field(_)) && entry.seen != Abstract::Unknown);
    fields.flat_map(move |field| {
        let own = move |entry: &&Entry| entry.what == What::Inspector && entry.owner == field.owner;
        found.iter().filter(own).map(move |inspector| (field, inspector))
    })
}

/// How two numbers that were read compare, of each object.
fn compared(found: &[Entry], names: &Names) -> Vec<((PathIndex, PathIndex), Ordering)> {
    let number = |entry: &Entry| match (entry.what, entry.value) {
        (What::Field(field), Value::Integer(number))
            if entry.read && names.fields[field].kind == FieldKind::Integer =>
        {
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
            orders.extend(numbers[index + 1..].iter().map(|(second, other)| ((*first, *second), one.cmp(other))));
        }
    }
    orders
}
