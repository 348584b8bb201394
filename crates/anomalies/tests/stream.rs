//! Preconditions and the calls that violate them, out of streams made by hand.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use whydunit_anomalies::{Anomaly, Calls, Collector, Expected, FailingRun, Relevant, anomalies, relevant};
use whydunit_behavior::Abstract;
use whydunit_events::{
    Class, ClassId, End, Event, Field, FieldId, FieldKind, Method, MethodId, MethodRole, ObjectId, Position, Run,
    SourceFile, SourceId, Value, check,
};

const BOUND: u32 = 0;
const USED: u32 = 1;
const ROOM: u32 = 2;
const PORT: u32 = 3;
const UNBIND: u32 = 0;
const IS_BOUND: u32 = 1;
const SERVE: u32 = 2;

/// A run: a port (object 1) with the fields `bound`, `used`, `room`, and a client (object 2) whose field `port` leads to it.
struct Stream {
    events: Vec<Event>,
    time: u64,
}

impl Stream {
    fn new(run: &str) -> Self {
        let (port, client) = (ClassId(0), ClassId(1));
        let mut events = vec![
            Event::Run(Run { name: run.into() }),
            Event::Source(SourceFile { id: SourceId(0), path: "port.cpp".into() }),
            Event::Class(Class { id: port, name: "Port".into(), library: false }),
            Event::Class(Class { id: client, name: "Client".into(), library: false }),
        ];
        let fields = [
            (BOUND, port, "bound", FieldKind::Boolean),
            (USED, port, "used", FieldKind::Integer),
            (ROOM, port, "room", FieldKind::Integer),
            (PORT, client, "port", FieldKind::Reference),
        ];
        for (id, class, name, kind) in fields {
            events.push(Event::Field(Field { id: FieldId(id), class, name: name.into(), kind }));
        }
        events.extend([USED, ROOM].map(|field| Event::Varies(FieldId(field))));
        for (id, class, name) in [(UNBIND, port, "unbind"), (IS_BOUND, port, "is_bound"), (SERVE, client, "serve")] {
            let (id, role, name) = (MethodId(id), MethodRole::Instance, name.into());
            let method = Method { id, class, name, role, constant: false, private: false, position: None };
            events.push(Event::Method(method));
        }
        for (object, class) in [(1, port), (2, client)] {
            let (object, at) = (ObjectId(object), Self::at(1));
            events.push(Event::Created { object, class, copy_of: None, at });
        }
        let mut stream = Self { events, time: 1 };
        stream.set(2, PORT, Value::Object(ObjectId(1)));
        stream
    }

    fn at(line: u32) -> Position {
        Position { file: SourceId(0), line }
    }

    fn set(&mut self, object: u64, field: u32, value: Value) {
        self.events.push(Event::Set { object: ObjectId(object), field: FieldId(field), value });
    }

    fn enter(&mut self, method: u32, object: u64, line: u32) {
        self.time += 1;
        let (method, object, at) = (MethodId(method), Some(ObjectId(object)), Self::at(line));
        self.events.push(Event::Entered { method, object, thread: 0, time: self.time, at });
    }

    fn read(&mut self, object: u64, field: u32, since: u64) {
        self.events.push(Event::Read { thread: 0, object: ObjectId(object), field: FieldId(field), since });
    }

    fn leave(&mut self, method: u32, object: u64, end: End) {
        self.events.push(Event::Left { method: MethodId(method), object: Some(ObjectId(object)), thread: 0, end });
    }

    /// A call of `unbind` on the port that reads whether it is bound, with what the inspector says.
    fn unbind(&mut self, bound: bool, line: u32) {
        let value = Value::Integer(i64::from(bound));
        self.set(1, BOUND, value);
        let (object, method) = (ObjectId(1), MethodId(IS_BOUND));
        self.events.push(Event::Inspected { object, method, kind: FieldKind::Boolean, value });
        self.enter(UNBIND, 1, line);
        self.read(1, BOUND, 0);
        self.leave(UNBIND, 1, End::Returned);
    }

    fn collected(&self, keeps: bool) -> (Calls, FailingRun) {
        check(&self.events).expect("a whole stream");
        let mut collector = Collector::new(2, keeps);
        self.events.iter().for_each(|event| collector.event(event));
        collector.finish()
    }
}

/// The anomalies of a run against passing ones, of all objects.
fn found(passing: &[Stream], failing: &Stream) -> Vec<Anomaly> {
    let mut calls = Calls::default();
    passing.iter().for_each(|stream| calls.add(&stream.collected(false).0));
    let (own, run) = failing.collected(true);
    anomalies(&calls, &own, &run, &BTreeSet::from([ObjectId(1), ObjectId(2)]))
}

/// So many runs that unbind a bound port three times.
fn usual(tests: usize) -> Vec<Stream> {
    let run = |number| {
        let mut stream = Stream::new(&format!("t{number}"));
        (0..3).for_each(|_| stream.unbind(true, 10));
        stream
    };
    (0..tests).map(run).collect()
}

fn twice() -> Stream {
    let mut stream = Stream::new("twice");
    stream.unbind(true, 20);
    stream.unbind(false, 21);
    stream
}

#[test]
fn a_call_that_finds_a_field_otherwise_is_told_with_both_places() {
    let found = found(&usual(4), &twice());
    assert_eq!(found.len(), 1, "{found:#?}");
    let (anomaly, fact) = (&found[0], &found[0].facts[0]);
    assert_eq!((&*anomaly.method, anomaly.at.line, anomaly.count), ("unbind", 21, 1));
    assert_eq!((&*fact.path, fact.found), ("bound", Abstract::Truth(false)));
    assert_eq!(fact.expected, Expected::Values(vec![Abstract::Truth(true)]));
    assert_eq!((fact.calls, fact.tests, fact.odd_tests), (12, 4, 0));
    assert_eq!((&*fact.example.run, fact.example.line), ("t0", 10));
    let saying = fact.inspector.as_ref().map(|saying| (&*saying.path, saying.value));
    assert_eq!(saying, Some(("is_bound()", Abstract::Truth(false))));
}

#[test]
fn one_odd_test_of_many_makes_a_weaker_anomaly() {
    let mut passing = usual(12);
    passing[3].unbind(false, 11);
    let found = found(&passing, &twice());
    let fact = &found[0].facts[0];
    // That test has the usual calls, too.
    assert_eq!((fact.odd_calls, fact.odd_tests), (1, 1), "one odd test of twelve is told");
    assert_eq!((fact.calls, fact.tests), (36, 12));
    let saying = fact.inspector.as_ref().map(|saying| (&*saying.path, saying.value));
    assert_eq!(saying, Some(("is_bound()", Abstract::Truth(false))));
}

#[test]
fn too_few_calls_or_tests_make_no_precondition() {
    assert!(found(&usual(1), &twice()).is_empty(), "one test");
    let mut few = usual(1);
    few.push(Stream::new("more"));
    few[1].unbind(true, 10);
    assert!(found(&few, &twice()).is_empty(), "four calls");
    few[1].unbind(true, 10);
    assert_eq!(found(&few, &twice()).len(), 1, "five calls in two tests");
    let mut mixed = usual(4);
    mixed[0].unbind(false, 12);
    assert!(found(&mixed, &twice()).is_empty(), "one test of four is none to be left out");
}

#[test]
fn what_a_method_does_not_read_is_no_precondition_of_it() {
    let of = |bound: bool, since: u64| {
        let mut stream = Stream::new("t");
        for _ in 0..5 {
            stream.set(1, BOUND, Value::Integer(i64::from(bound)));
            stream.enter(UNBIND, 1, 10);
            // It has written the field itself before it reads it.
            let since = if since == 0 { stream.time } else { 0 };
            stream.read(1, BOUND, since);
            stream.leave(UNBIND, 1, End::Returned);
        }
        stream
    };
    assert!(found(&[of(true, 0), of(true, 0)], &of(false, 0)).is_empty());
    assert_eq!(found(&[of(true, 1), of(true, 1)], &of(false, 1)).len(), 1);
}

#[test]
fn what_a_reference_leads_to_is_read_through_calls() {
    let of = |bound: bool| {
        let mut stream = Stream::new("t");
        for _ in 0..5 {
            stream.set(1, BOUND, Value::Integer(i64::from(bound)));
            stream.enter(SERVE, 2, 30);
            stream.enter(UNBIND, 1, 40);
            stream.read(1, BOUND, 0);
            stream.leave(UNBIND, 1, End::Returned);
            stream.leave(SERVE, 2, End::Returned);
        }
        stream
    };
    let found = found(&[of(true), of(true)], &of(false));
    let facts: Vec<(&str, &str)> = found.iter().map(|it| (&*it.method, &*it.facts[0].path)).collect();
    assert_eq!(facts, [("unbind", "bound"), ("serve", "port.bound")]);
}

#[test]
fn an_overload_that_calls_another_one_is_one_call() {
    let of = |bound: bool| {
        let mut stream = Stream::new("t");
        stream.set(1, BOUND, Value::Integer(i64::from(bound)));
        for _ in 0..5 {
            stream.enter(UNBIND, 1, 30);
            stream.enter(UNBIND, 1, 40);
            stream.read(1, BOUND, 0);
            stream.leave(UNBIND, 1, End::Returned);
            stream.leave(UNBIND, 1, End::Returned);
        }
        stream
    };
    let found = found(&[of(true), of(true)], &of(false));
    let facts: Vec<(u32, u64)> = found.iter().map(|it| (it.at.line, it.facts[0].calls)).collect();
    assert_eq!(facts, [(30, 10)]);
}

#[test]
fn a_parameter_that_is_read_through_refers_to_something() {
    let of = |object: Option<ObjectId>| {
        let mut stream = Stream::new("t");
        stream.set(1, BOUND, Value::Integer(1));
        for _ in 0..5 {
            stream.enter(SERVE, 2, 30);
            let (function, parameter) = ("serve".into(), "other".into());
            stream.events.push(Event::Passed { thread: 0, function, method: true, parameter, object });
            if object.is_some() {
                stream.read(1, BOUND, 0);
            }
            stream.leave(SERVE, 2, End::Returned);
        }
        stream
    };
    let port = Some(ObjectId(1));
    let found = found(&[of(port), of(port)], &of(None));
    let fact = &found[0].facts[0];
    assert_eq!((&*fact.path, fact.found), ("other", Abstract::Null));
    assert_eq!(fact.expected, Expected::Values(vec![Abstract::Reference]));
    assert_eq!((&*fact.owner, &*fact.field), ("other", ""));
}

#[test]
fn two_numbers_that_compare_otherwise_are_told() {
    let of = |used: i64| {
        let mut stream = Stream::new("t");
        for room in [used.max(4), 9] {
            stream.set(1, USED, Value::Integer(used));
            stream.set(1, ROOM, Value::Integer(room - i64::from(used < 4)));
            for _ in 0..3 {
                stream.enter(UNBIND, 1, 10);
                stream.read(1, USED, 0);
                stream.read(1, ROOM, 0);
                stream.leave(UNBIND, 1, End::Returned);
            }
        }
        stream
    };
    let found = found(&[of(1), of(2)], &of(12));
    let fact = &found[0].facts[0];
    assert_eq!((&*fact.path, &fact.expected), ("used", &Expected::Order("room".into(), vec![Ordering::Less])));
    assert!(found.iter().all(|anomaly| anomaly.facts[0].order != Some(Ordering::Less)));
}

#[test]
fn objects_matter_that_functions_at_the_failure_have_or_suspicious_ones() {
    let mut stream = twice();
    stream.enter(SERVE, 2, 50);
    let (_, run) = stream.collected(true);
    let all = BTreeSet::from([ObjectId(1), ObjectId(2)]);
    assert_eq!(relevant(&run, &[]), None, "it went on to its end, and no function is suspected");
    assert_eq!(relevant(&run, &["Client::serve".into()]), Some((Relevant::Suspicious, all.clone())));
    stream.events.push(Event::Failing { thread: 0, objects: vec![ObjectId(2)] });
    let (_, run) = stream.collected(true);
    assert_eq!(relevant(&run, &[]), Some((Relevant::Failure, all)), "with what is reachable");
}
