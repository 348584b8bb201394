//! Which methods modify what was there when they were called (Dallmeier, 5.3).

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use whydunit_events::{Event, MethodRole, ObjectId, Position, Written};

use crate::model::Example;
use crate::names::{MethodIndex, Names};

/// What the runs say of a method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// It has modified something.
    Impure,
    /// It has modified nothing but what is no part of an object for its users.
    Cache,
    /// It has modified nothing.
    Seen,
}

/// A write that makes a method impure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// Where it is, and in which run.
    pub at: Example,
    /// What is written to, as the method sees it: `this.size`, a field of a class, a variable.
    pub what: String,
}

/// A method that was called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PureMethod {
    /// The class that declares it.
    pub class: String,
    /// Its name.
    pub method: String,
    /// What the runs say.
    pub verdict: Verdict,
    /// Runs in which it was called.
    pub runs: u64,
    /// Calls.
    pub calls: u64,
    /// A write that decided; none of a pure one.
    pub witness: Option<Witness>,
    /// A library has it.
    pub library: bool,
}

#[derive(Clone, Copy)]
struct Call {
    method: MethodIndex,
    object: Option<ObjectId>,
    time: u64,
}

#[derive(Default)]
struct Known {
    runs: BTreeSet<u32>,
    calls: u64,
    impure: Option<Witness>,
    cache: Option<Witness>,
}

/// Collects verdicts over runs: one run in which a method is impure decides.
#[derive(Default)]
pub struct Purity {
    names: Names,
    methods: FxHashMap<MethodIndex, Known>,
    threads: FxHashMap<u32, Vec<Call>>,
    classes: FxHashMap<ObjectId, usize>,
    run: String,
    runs: u32,
}

impl Purity {
    /// The next event.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Run(run) => {
                self.run.clone_from(&run.name);
                self.runs += 1;
                self.threads.clear();
                self.classes.clear();
            }
            Event::Source(source) => self.names.add_source(source.id, &source.path),
            Event::Class(class) => self.names.add_class(class.id, &class.name, class.library),
            Event::Method(method) => self.names.add_method(method),
            Event::Field(field) => self.names.add_field(field),
            Event::Created { object, class, .. } => {
                if let Some(class) = self.names.class(*class) {
                    self.classes.insert(*object, class);
                }
            }
            Event::Destroyed { object } => _ = self.classes.remove(object),
            Event::Entered { method, object, thread, time, .. } => {
                if let Some(method) = self.names.method(*method) {
                    let known = self.methods.entry(method).or_default();
                    known.runs.insert(self.runs);
                    known.calls += 1;
                    self.threads.entry(*thread).or_default().push(Call { method, object: *object, time: *time });
                }
            }
            Event::Left { method, thread, .. } if self.names.method(*method).is_some() => {
                self.threads.get_mut(thread).and_then(Vec::pop);
            }
            Event::Wrote { thread, what, born, cache, at } => self.wrote(*thread, what, *born, *cache, *at),
            _ => {}
        }
    }

    /// Everything that was entered after what is written came to be modifies what was there before.
    fn wrote(&mut self, thread: u32, what: &Written, born: u64, cache: bool, at: Position) {
        let calls: Vec<Call> = match self.threads.get(&thread) {
            Some(stack) => stack.iter().rev().take_while(|call| call.time > born).copied().collect(),
            None => return,
        };
        for call in calls {
            // The object of a constructor or destructor is its to write.
            let own =
                matches!(what, Written::Field(object, _) | Written::Object(object) if Some(*object) == call.object);
            let role = self.names.methods[call.method].role;
            if own && matches!(role, MethodRole::Constructor | MethodRole::Destructor) {
                continue;
            }
            let known = &self.methods[&call.method];
            if known.impure.is_some() || cache && known.cache.is_some() {
                continue;
            }
            let (file, line) = self.names.position(at);
            let what = self.words(what, call);
            let witness = Witness { at: Example { run: self.run.clone(), file, line }, what };
            let known = self.methods.entry(call.method).or_default();
            *(if cache { &mut known.cache } else { &mut known.impure }) = Some(witness);
        }
    }

    fn words(&self, what: &Written, call: Call) -> String {
        let object = |id: &ObjectId| match self.classes.get(id) {
            _ if Some(*id) == call.object => "this".to_owned(),
            Some(&class) => format!("an object of {}", self.names.classes[class].name),
            None => "an object".into(),
        };
        match what {
            Written::Field(id, field) => {
                let name = self.names.field(*field).map(|field| self.names.fields[field].name.as_str());
                match object(id).as_str() {
                    "this" => format!("this.{}", name.unwrap_or("?")),
                    other => format!("{} of {other}", name.unwrap_or("a field")),
                }
            }
            Written::Object(id) => object(id),
            Written::Static(name) => format!("the variable {name}"),
            Written::Local(name) => format!("the variable {name} of a caller"),
            Written::Memory => "memory that was there before".into(),
        }
    }

    /// The methods that were called, in the order of classes and names.
    pub fn finish(&self) -> Vec<PureMethod> {
        let mut found: BTreeMap<(String, String), PureMethod> = BTreeMap::new();
        for (&method, known) in &self.methods {
            let of = &self.names.methods[method];
            let class = &self.names.classes[of.class];
            let (verdict, witness) = match (&known.impure, &known.cache) {
                (Some(witness), _) => (Verdict::Impure, Some(witness.clone())),
                (None, Some(witness)) => (Verdict::Cache, Some(witness.clone())),
                (None, None) => (Verdict::Seen, None),
            };
            let pure = PureMethod {
                class: class.name.clone(),
                method: of.name.clone(),
                verdict,
                runs: known.runs.len() as u64,
                calls: known.calls,
                witness,
                library: class.library,
            };
            found.insert((pure.class.clone(), pure.method.clone()), pure);
        }
        found.into_values().collect()
    }
}
