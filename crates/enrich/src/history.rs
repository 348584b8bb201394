//! What recorded runs did with the objects of a class, call by call.

use std::collections::{BTreeMap, HashMap};

use whydunit_behavior::{Miner, Model};
use whydunit_events::{ClassId, End, Event, MethodId, MethodRole, ObjectId, Position, SourceId};

/// A call on an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The method.
    pub method: String,
    /// Number of the state before, in the model; 0 before construction.
    pub from: usize,
    /// That of the state after; `None` where it has not returned, or ended exceptionally.
    pub to: Option<usize>,
    /// Where the call stands; empty and 0 where that is not known.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// The calls on an object, in their order; the first is its constructor's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// The run.
    pub run: String,
    /// The object's number among those of its class in the run, from 0.
    pub object: usize,
    /// The calls, by their numbers: outermost calls, from 1; 0 is the constructor.
    pub calls: BTreeMap<u32, Call>,
}

struct Open {
    object: Option<ObjectId>,
    number: u32,
    method: MethodId,
    at: Position,
}

/// Collects histories out of events that a miner reads, too.
pub struct Histories<'c> {
    class: &'c str,
    run: String,
    ids: Vec<ClassId>,
    names: HashMap<MethodId, (String, MethodRole)>,
    sources: HashMap<SourceId, String>,
    objects: HashMap<ObjectId, usize>,
    counts: HashMap<ObjectId, u32>,
    threads: HashMap<u32, Vec<Open>>,
    all: Vec<History>,
}

impl<'c> Histories<'c> {
    /// Of the objects of a class.
    pub fn of(class: &'c str) -> Self {
        Self {
            class,
            run: String::new(),
            ids: Vec::new(),
            names: HashMap::new(),
            sources: HashMap::new(),
            objects: HashMap::new(),
            counts: HashMap::new(),
            threads: HashMap::new(),
            all: Vec::new(),
        }
    }

    /// The next event, which the miner has read already.
    pub fn event(&mut self, miner: &Miner, event: &Event) {
        match event {
            Event::Run(run) => {
                self.run.clone_from(&run.name);
                self.objects.clear();
                self.counts.clear();
                self.threads.clear();
            }
            Event::Source(source) => _ = self.sources.insert(source.id, source.path.clone()),
            Event::Class(class) if class.name == self.class => self.ids.push(class.id),
            Event::Method(method) => _ = self.names.insert(method.id, (method.name.clone(), method.role)),
            Event::Created { object, class, .. } if self.ids.contains(class) => {
                let number = self.objects.len();
                self.objects.insert(*object, self.all.len());
                self.all.push(History { run: self.run.clone(), object: number, calls: BTreeMap::new() });
            }
            Event::Entered { method, object, thread, at, .. } => {
                let number = object.map_or(0, |object| {
                    let count = self.counts.entry(object).or_default();
                    *count += 1;
                    *count
                });
                let open = Open { object: *object, number, method: *method, at: *at };
                if let Some(&history) = object.as_ref().and_then(|object| self.objects.get(object)) {
                    let from = object.and_then(|object| miner.state_of(object)).unwrap_or(0);
                    let call = self.call(&open, from);
                    self.all[history].calls.insert(number, call);
                }
                self.threads.entry(*thread).or_default().push(open);
            }
            Event::Left { object, thread, end, .. } => {
                let Some(open) = self.threads.get_mut(thread).and_then(Vec::pop) else { return };
                let Some(id) = object.or(open.object) else { return };
                let Some(&history) = self.objects.get(&id) else { return };
                let after = miner.state_of(id).filter(|_| *end == End::Returned);
                if open.object.is_none() {
                    let call = self.call(&open, 0);
                    self.all[history].calls.insert(0, call);
                }
                if let Some(call) = self.all[history].calls.get_mut(&open.number) {
                    call.to = after;
                }
            }
            _ => {}
        }
    }

    fn call(&self, open: &Open, from: usize) -> Call {
        let method = self.names.get(&open.method).map(|(name, _)| name.clone()).unwrap_or_default();
        let file = self.sources.get(&open.at.file).cloned().unwrap_or_default();
        Call { method, from, to: None, file, line: open.at.line }
    }

    /// The call that has not returned, of those under way the one that started last; its object's history and its number.
    pub fn under_way(&self) -> Option<(&History, u32)> {
        let open =
            self.threads.values().flatten().filter_map(|open| Some((self.objects.get(&open.object?)?, open.number)));
        open.last().map(|(&history, number)| (&self.all[history], number))
    }

    /// The histories, with states numbered as in the model that the miner has made of the same events.
    pub fn finish(mut self, miner: &Miner, model: &Model) -> Vec<History> {
        let told = miner.states(self.class);
        let number = |raw: usize| -> usize {
            let known =
                told.get(raw).and_then(|values| model.states.iter().skip(1).position(|it| it.values == *values));
            if raw == 0 { 0 } else { known.map_or(0, |known| known + 1) }
        };
        for call in self.all.iter_mut().flat_map(|history| history.calls.values_mut()) {
            call.from = number(call.from);
            call.to = call.to.map(number);
        }
        self.all
    }
}
