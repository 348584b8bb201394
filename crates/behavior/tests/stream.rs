//! Models out of streams made by hand, and the law that a stream which was written and read mines the same model.

use whydunit_behavior::{Ending, Mined, Miner, Model, Options};
use whydunit_events::{
    Class, ClassId, End, Event, Field, FieldId, FieldKind, Form, Method, MethodId, MethodRole, ObjectId, Position, Run,
    SourceFile, SourceId, Value, check, read, write,
};

const AT: Position = Position { file: SourceId(0), line: 7 };

/// A stream that is written call by call.
struct Stream {
    events: Vec<Event>,
    time: u64,
}

impl Stream {
    /// With these classes, each with its fields.
    fn new(classes: &[(&str, &[(&str, FieldKind)])]) -> Self {
        let mut events = vec![
            Event::Run(Run { name: "t".into() }),
            Event::Source(SourceFile { id: SourceId(0), path: "a.cpp".into() }),
        ];
        let mut fields = 0;
        for (id, (name, own)) in (0..).zip(classes) {
            let class = ClassId(id);
            events.push(Event::Class(Class { id: class, name: (*name).into(), library: false }));
            for (name, kind) in *own {
                let id = FieldId(fields);
                events.push(Event::Field(Field { id, class, name: (*name).into(), kind: kind.clone() }));
                fields += 1;
            }
        }
        Self { events, time: 0 }
    }

    fn method(&mut self, id: u32, class: u32, name: &str, role: MethodRole) {
        let (id, class, name) = (MethodId(id), ClassId(class), name.into());
        self.events.push(Event::Method(Method {
            id,
            class,
            name,
            role,
            constant: false,
            private: false,
            position: None,
        }));
    }

    fn create(&mut self, object: u64, class: u32) {
        let (object, class) = (ObjectId(object), ClassId(class));
        self.events.push(Event::Created { object, class, copy_of: None, at: AT });
    }

    fn enter(&mut self, method: u32, object: u64) {
        self.time += 1;
        let (method, object) = (MethodId(method), Some(ObjectId(object)));
        self.events.push(Event::Entered { method, object, thread: 0, time: self.time, at: AT });
    }

    fn leave(&mut self, method: u32, object: u64, end: End) {
        let (method, object) = (MethodId(method), Some(ObjectId(object)));
        self.events.push(Event::Left { method, object, thread: 0, end });
    }

    fn set(&mut self, object: u64, field: u32, value: Value) {
        self.events.push(Event::Set { object: ObjectId(object), field: FieldId(field), value });
    }

    /// A call that gives a field a value.
    fn call(&mut self, method: u32, object: u64, sets: Option<(u32, Value)>) {
        self.enter(method, object);
        if let Some((field, value)) = sets {
            self.set(object, field, value);
        }
        self.leave(method, object, End::Returned);
    }
}

fn mined(events: &[Event], depth: usize) -> Mined {
    check(events).expect("it is whole");
    let mut miner = Miner::new(Options { depth, ..Options::default() });
    events.iter().for_each(|event| miner.event(event));
    miner.finish()
}

fn lines(model: &Model) -> Vec<String> {
    let state = |number: usize| {
        let values = model.states[number].values.iter().map(|(path, value)| format!("{path} {value}"));
        if number == 0 { "start".into() } else { values.collect::<Vec<_>>().join(", ") }
    };
    let line = |it: &whydunit_behavior::Transition| {
        format!("{} -{}{}> {} x{}", state(it.from), it.ending.mark(), it.method, state(it.to), it.count)
    };
    model.transitions.iter().map(line).collect()
}

const CONSTRUCTOR: u32 = 0;
const ADD: u32 = 1;
const REMOVE: u32 = 2;

/// A vector that is filled and emptied, and from which once too much is taken.
fn vector() -> Stream {
    let mut stream = Stream::new(&[("Vector", &[("size", FieldKind::Integer)])]);
    stream.method(CONSTRUCTOR, 0, "Vector", MethodRole::Constructor);
    stream.method(ADD, 0, "add", MethodRole::Instance);
    stream.method(REMOVE, 0, "remove", MethodRole::Instance);
    stream.events.push(Event::Varies(FieldId(0)));
    stream.create(1, 0);
    stream.call(CONSTRUCTOR, 1, Some((0, Value::Integer(0))));
    for size in 1..4 {
        stream.call(ADD, 1, Some((0, Value::Integer(size))));
    }
    for size in (0..3).rev() {
        stream.call(REMOVE, 1, Some((0, Value::Integer(size))));
    }
    stream.enter(REMOVE, 1);
    stream.leave(REMOVE, 1, End::Exception("out_of_range".into()));
    stream.events.push(Event::Destroyed { object: ObjectId(1) });
    stream
}

#[test]
fn numbers_are_seen_by_their_sign() {
    let mined = mined(&vector().events, 1);
    assert_eq!(
        lines(&mined.models[0]),
        [
            "start -Vector> size = 0 x1",
            "size = 0 -!remove> size = 0 x1",
            "size = 0 -add> size > 0 x1",
            "size > 0 -remove> size = 0 x1",
            "size > 0 -add> size > 0 x2",
            "size > 0 -remove> size > 0 x2",
        ]
    );
    assert_eq!(mined.models[0].states[1].ended, 1);
    assert!(mined.models[0].has_exceptional_ends());
}

#[test]
fn a_stream_that_was_written_and_read_mines_the_same_model() {
    let events = vector().events;
    for form in [Form::Binary, Form::Lines] {
        let again = read(&write(&events, form)).expect("it was written");
        assert_eq!(again, events);
        assert_eq!(mined(&again, 1), mined(&events, 1));
    }
}

#[test]
fn runs_are_merged_by_names() {
    let one = vector().events;
    let both: Vec<Event> = one.iter().chain(&one).cloned().collect();
    let (one, both) = (mined(&one, 1), mined(&both, 1));
    assert_eq!(one.models[0].states.len(), both.models[0].states.len());
    assert_eq!(both.models[0].objects, 2);
    assert!(one.models[0].transitions.iter().zip(&both.models[0].transitions).all(|(a, b)| b.count == 2 * a.count));
}

#[test]
fn values_that_turn_out_to_vary_become_one_state() {
    let mut stream = vector();
    // It is told after the states were seen.
    let varies = stream.events.iter().position(|event| matches!(event, Event::Varies(_))).expect("it is there");
    let varies = stream.events.remove(varies);
    assert_eq!(mined(&stream.events, 1).models[0].states.len(), 5);
    stream.events.push(varies);
    assert_eq!(lines(&mined(&stream.events, 1).models[0]), lines(&mined(&vector().events, 1).models[0]));
}

/// A manager with its transaction.
fn manager() -> Stream {
    let reference: &[(&str, FieldKind)] = &[("tx", FieldKind::Reference)];
    let active: &[(&str, FieldKind)] = &[("active", FieldKind::Boolean)];
    let mut stream = Stream::new(&[("Manager", reference), ("Transaction", active)]);
    for (id, class, name) in [(0, 0, "Manager"), (1, 1, "Transaction")] {
        stream.method(id, class, name, MethodRole::Constructor);
    }
    stream.method(2, 1, "begin", MethodRole::Instance);
    stream.method(3, 0, "start", MethodRole::Instance);
    stream.create(1, 0);
    stream.enter(0, 1);
    stream.create(2, 1);
    stream.call(1, 2, Some((1, Value::Integer(0))));
    stream.set(1, 0, Value::Object(ObjectId(2)));
    stream.leave(0, 1, End::Returned);
    stream
}

#[test]
fn a_call_on_what_is_referred_to_is_a_transition_from_outside_alone() {
    let mut outside = manager();
    outside.call(2, 2, Some((1, Value::Integer(1))));
    let deep = mined(&outside.events, 2);
    assert_eq!(
        lines(&deep.models[0]),
        [
            "start -Manager> tx not null, tx.active false x1",
            "tx not null, tx.active false -tx.begin> tx not null, tx.active true x1"
        ]
    );
    assert_eq!(lines(&mined(&outside.events, 1).models[0]), ["start -Manager> tx not null x1"]);

    let mut inside = manager();
    inside.enter(3, 1);
    inside.call(2, 2, Some((1, Value::Integer(1))));
    inside.leave(3, 1, End::Returned);
    let seen = lines(&mined(&inside.events, 2).models[0]);
    assert_eq!(seen[1..], ["tx not null, tx.active false -start> tx not null, tx.active true x1"]);
}

#[test]
fn fields_that_are_written_without_a_method_are_named() {
    let mut stream = vector();
    let end = stream.events.pop().expect("the end");
    stream.set(1, 0, Value::Integer(5));
    stream.call(ADD, 1, Some((0, Value::Integer(6))));
    stream.events.push(end);
    let seen = lines(&mined(&stream.events, 1).models[0]);
    assert!(seen.contains(&"size = 0 -size => size > 0 x1".to_owned()), "{seen:#?}");
}

#[test]
fn a_constructor_that_throws_makes_nothing() {
    let mut stream = Stream::new(&[("Vector", &[("size", FieldKind::Integer)])]);
    stream.method(CONSTRUCTOR, 0, "Vector", MethodRole::Constructor);
    stream.create(1, 0);
    stream.enter(CONSTRUCTOR, 1);
    stream.leave(CONSTRUCTOR, 1, End::Exception("bad_alloc".into()));
    stream.events.push(Event::Destroyed { object: ObjectId(1) });
    let mined = mined(&stream.events, 1);
    assert_eq!(lines(&mined.models[0]), ["start -!Vector> start x1"]);
    assert_eq!(mined.models[0].transitions[0].ending, Ending::Exception("bad_alloc".into()));
}

#[test]
fn a_stream_that_is_not_whole_says_where() {
    let mut stream = vector();
    stream.set(9, 0, Value::Integer(1));
    let broken = check(&stream.events).expect_err("an object that is not there");
    assert_eq!((broken.event, broken.what.as_str()), (stream.events.len(), "object 9 is not alive"));
    assert!(read(b"something else").is_err() && read(b"{\"schema\":\"other\"}\n").is_err());
    let mut damaged = write(&vector().events, Form::Binary);
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    assert!(read(&damaged).is_err());
}
