//! Object behavior models out of events (Dallmeier, 4.5 and 5.2.2).

use rustc_hash::FxHashMap;
use whydunit_events::{End, Event, FieldKind, MethodRole, ObjectId, Position, Value};

use crate::automaton::{Automaton, Label};
use crate::heap::{Active, Heap, Held};
use crate::model::{Ending, Example, Model};
use crate::names::{ClassIndex, FieldIndex, MethodIndex, Names};
use crate::options::Options;
use crate::path::{PathIndex, Paths, Step};
use crate::value::Abstract;

/// A class that was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Its name.
    pub name: String,
    /// A library has it.
    pub library: bool,
    /// The objects of it.
    pub objects: u64,
}

/// What was mined.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mined {
    /// Models of the classes asked for that had objects, in the order of their names.
    pub models: Vec<Model>,
    /// All classes that had objects, in the order of their names.
    pub classes: Vec<Seen>,
}

/// A call under way.
#[derive(Clone, Copy, Debug)]
struct Call {
    method: MethodIndex,
    object: Option<ObjectId>,
    at: Position,
}

/// Mines models; events of several runs go in one after the other.
pub struct Miner {
    options: Options,
    names: Names,
    paths: Paths,
    heap: Heap,
    automata: FxHashMap<ClassIndex, Automaton>,
    objects: FxHashMap<ClassIndex, u64>,
    threads: FxHashMap<u32, Vec<Call>>,
    /// The thread whose method started or ended last.
    thread: u32,
    /// Objects whose transitions are held.
    holding: Vec<ObjectId>,
    run: String,
    /// Events show states and nothing else.
    only_states: bool,
}

/// What a miner knows of the objects of the run that it reads.
#[derive(Clone)]
pub struct Branch {
    heap: Heap,
    threads: FxHashMap<u32, Vec<Call>>,
    thread: u32,
    holding: Vec<ObjectId>,
}

impl Miner {
    /// For what is wanted.
    pub fn new(options: Options) -> Self {
        let heap = Heap::new(options.depth.saturating_sub(1));
        Self {
            options,
            names: Names::default(),
            paths: Paths::default(),
            heap,
            automata: FxHashMap::default(),
            objects: FxHashMap::default(),
            threads: FxHashMap::default(),
            thread: 0,
            holding: Vec::new(),
            run: String::new(),
            only_states: false,
        }
    }

    /// Events from here on, of runs that were read before or that leave a recorded one, add states to the models, but no transitions,
    /// objects and calls.
    pub fn only_states(&mut self) {
        self.count_held();
        self.only_states = true;
    }

    /// What is known of the objects here.
    pub fn branch(&self) -> Branch {
        let (heap, threads) = (self.heap.clone(), self.threads.clone());
        Branch { heap, threads, thread: self.thread, holding: self.holding.clone() }
    }

    /// The events that come next go on where the branch was made.
    pub fn rejoin(&mut self, branch: &Branch) {
        let Branch { heap, threads, thread, holding } = branch.clone();
        (self.heap, self.threads, self.thread, self.holding) = (heap, threads, thread, holding);
    }

    /// The number of the state that an object is in after its last transition, among those of [`states`](Miner::states); `None` for one
    /// that is not there, or not made yet.
    pub fn state_of(&self, object: ObjectId) -> Option<usize> {
        self.heap.get(object).map(|object| object.state as usize).filter(|state| *state != 0)
    }

    /// How many fields are known to vary: where that changes, states are told otherwise than before.
    pub fn varying(&self) -> usize {
        self.names.fields.iter().filter(|field| field.varies).count()
    }

    /// One of these states.
    pub fn state_in_words(&self, class: &str, number: usize) -> Option<Vec<(String, String)>> {
        let automaton = self.names.class_named(class).and_then(|class| self.automata.get(&class))?;
        automaton.told_one(&self.names, &self.paths, number)
    }

    /// The states of a class that were met until now, as a model tells them. Several may be alike, as more is known of the
    /// fields later.
    pub fn states(&self, class: &str) -> Vec<Vec<(String, String)>> {
        let automaton = self.names.class_named(class).and_then(|class| self.automata.get(&class));
        automaton.map(|automaton| automaton.told(&self.names, &self.paths)).unwrap_or_default()
    }

    /// The next event.
    pub fn event(&mut self, event: &Event) {
        if self.names.tell(event) {
            return;
        }
        match event {
            Event::Run(run) => {
                self.count_held();
                self.run.clone_from(&run.name);
                self.heap.clear();
                self.threads.clear();
            }
            Event::Created { object, class, copy_of, .. } => {
                if let Some(class) = self.names.class(*class) {
                    self.created(*object, class, *copy_of);
                    if self.only_states {
                        return;
                    }
                    *self.objects.entry(class).or_default() += 1;
                    if self.is_wanted(class) {
                        self.automaton(class).objects += 1;
                    }
                }
            }
            Event::Destroyed { object } => self.destroyed(*object),
            Event::Set { object, field, value } => {
                if let Some(field) = self.names.field(*field) {
                    self.heap.set(*object, field, *value);
                }
            }
            Event::Inspected { object, method, value, kind } => {
                if let Some(method) = self.names.method(*method) {
                    self.names.results.entry(method).or_insert_with(|| kind.clone());
                    self.heap.inspected(*object, method, *value);
                }
            }
            Event::Entered { method, object, thread, at, .. } => {
                if let Some(method) = self.names.method(*method) {
                    self.entered(Call { method, object: *object, at: *at }, *thread);
                }
            }
            Event::Left { method, object, thread, end } if self.names.method(*method).is_some() => {
                self.left(*thread, *object, end);
            }
            _ => {}
        }
    }

    /// Makes this miner and another one see states alike: what either knows of a field, that its values vary or what they are
    /// called, holds in both. Only then their models can be compared.
    pub fn agree_with(&mut self, other: &mut Self) {
        self.names.agree_with(&mut other.names);
        for (&class, automaton) in &mut self.automata {
            let Some(known) = other.names.class_named(&self.names.classes[class].name) else { continue };
            if let Some(known) = other.automata.get_mut(&known) {
                automaton.agree_with(known);
            }
        }
    }

    /// What was mined until now.
    pub fn finish(&mut self) -> Mined {
        self.count_held();
        let mut models: Vec<Model> = self
            .automata
            .values()
            .filter(|automaton| automaton.objects > 0)
            .map(|automaton| automaton.finish(&self.names, &self.paths, &self.options))
            .collect();
        models.sort_by(|a, b| a.class.cmp(&b.class));
        let seen = |(&class, &objects): (&ClassIndex, &u64)| {
            let known = &self.names.classes[class];
            Seen { name: known.name.clone(), library: known.library, objects }
        };
        let mut classes: Vec<Seen> = self.objects.iter().map(seen).collect();
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        Mined { models, classes }
    }

    fn is_wanted(&self, class: ClassIndex) -> bool {
        let known = &self.names.classes[class];
        match &self.options.classes {
            Some(names) => names.contains(&known.name),
            None => !known.library,
        }
    }

    fn automaton(&mut self, class: ClassIndex) -> &mut Automaton {
        self.automata.entry(class).or_insert_with(|| Automaton::new(class))
    }

    fn example(&self, at: Position) -> Example {
        let (file, line) = self.names.position(at);
        Example { run: self.run.clone(), file, line }
    }

    /// The number of the state that an object is in now.
    fn state(&mut self, id: ObjectId) -> u32 {
        let Some(class) = self.heap.get(id).map(|object| object.class) else { return 0 };
        let mut values = Vec::new();
        self.values(class, id, None, self.options.depth, &mut values);
        self.automaton(class).state(values)
    }

    /// The abstract values of the paths from an object, `steps` long at most.
    fn values(
        &mut self,
        root: ClassIndex,
        id: ObjectId,
        prefix: Option<PathIndex>,
        steps: usize,
        out: &mut Vec<(PathIndex, Abstract)>,
    ) {
        let Self { heap, paths, names, options, .. } = self;
        let Some(object) = heap.get(id) else { return };
        let mut deeper = Vec::new();
        for &(field, value) in &object.fields {
            let path = paths.step(names, options, root, prefix, Step::Field(field));
            let (known, path_of) = (&names.fields[field], &paths.all[path as usize]);
            if path_of.shown {
                out.push((path, Abstract::of(value, &known.kind, path_of.how, known.varies)));
            }
            if let Value::Object(inner) = value
                && steps > 1
            {
                deeper.push((path, inner));
            }
        }
        for &(method, value) in &object.inspectors {
            let path = paths.step(names, options, root, prefix, Step::Inspector(method));
            let path_of = &paths.all[path as usize];
            if path_of.shown {
                let kind = names.results.get(&method).unwrap_or(&FieldKind::Integer);
                out.push((path, Abstract::of(value, kind, path_of.how, true)));
            }
        }
        for (path, inner) in deeper {
            self.values(root, inner, Some(path), steps - 1, out);
        }
    }

    /// Takes a change of an object's state, where there is one, for what led to it.
    fn settle(&mut self, id: ObjectId, by: Option<Call>) {
        self.heap.changed.remove(&id);
        let Some((class, before)) = self.heap.get(id).map(|object| (object.class, object.state)) else { return };
        if !self.is_wanted(class) {
            return;
        }
        let after = self.state(id);
        if before == after {
            return;
        }
        if let Some(object) = self.heap.get_mut(id) {
            object.state = after;
            if before == 0 && object.copied {
                return;
            }
        }
        let label = match by {
            _ if before == 0 => Label::Made,
            Some(call) => self.foreign(class, id, call),
            None => {
                let fields = self.automata.get(&class).map(|it| it.differing(&self.paths, before, after));
                self.automaton(class).written(fields.unwrap_or_default())
            }
        };
        let example = by.map(|call| self.example(call.at)).unwrap_or_else(|| self.example_nowhere());
        self.saw(id, class, Held { from: before, to: after, label, ending: Ending::Regular, example });
    }

    /// An object comes to be; its transitions are held where a constructor under way may be making it.
    fn created(&mut self, id: ObjectId, class: ClassIndex, copy_of: Option<ObjectId>) {
        self.heap.create(id, class, copy_of);
        if self.makes(class)
            && let Some(object) = self.heap.get_mut(id)
        {
            object.held = Some(Vec::new());
            self.holding.push(id);
        }
    }

    /// Whether a constructor of a class is under way whose object is not there yet.
    fn makes(&self, class: ClassIndex) -> bool {
        self.threads.get(&self.thread).is_some_and(|stack| {
            stack.iter().any(|call| {
                let known = &self.names.methods[call.method];
                call.object.is_none() && known.role == MethodRole::Constructor && known.class == class
            })
        })
    }

    /// A transition of an object was seen.
    fn saw(&mut self, id: ObjectId, class: ClassIndex, seen: Held) {
        match self.heap.get_mut(id).and_then(|object| object.held.as_mut()) {
            Some(held) => held.push(seen),
            None => self.count(class, seen),
        }
    }

    fn count(&mut self, class: ClassIndex, seen: Held) {
        if self.only_states {
            return;
        }
        let Held { from, to, label, ending, example } = seen;
        self.automaton(class).saw(from, to, label, &ending, || example);
    }

    /// Counts the transitions of objects that no constructor under way makes after all.
    fn count_held(&mut self) {
        for id in std::mem::take(&mut self.holding) {
            let Some(object) = self.heap.get_mut(id) else { continue };
            let (class, held) = (object.class, object.held.take());
            held.into_iter().flatten().for_each(|seen| self.count(class, seen));
        }
    }

    fn example_nowhere(&self) -> Example {
        Example { run: self.run.clone(), file: String::new(), line: 0 }
    }

    /// What a call of another object's method is, seen from an object.
    fn foreign(&mut self, class: ClassIndex, id: ObjectId, call: Call) -> Label {
        let path = call.object.and_then(|to| self.path_to(class, id, None, to, self.heap.reach));
        path.map_or(Label::Foreign(call.method), |path| Label::At(path, call.method))
    }

    fn path_to(
        &mut self,
        root: ClassIndex,
        from: ObjectId,
        prefix: Option<PathIndex>,
        to: ObjectId,
        steps: usize,
    ) -> Option<PathIndex> {
        if steps == 0 {
            return None;
        }
        let references = |(field, value): &(FieldIndex, Value)| match value {
            Value::Object(object) => Some((*field, *object)),
            _ => None,
        };
        let fields: Vec<_> = self.heap.get(from)?.fields.iter().filter_map(references).collect();
        let step =
            |miner: &mut Self, field| miner.paths.step(&miner.names, &miner.options, root, prefix, Step::Field(field));
        if let Some(&(field, _)) = fields.iter().find(|(_, object)| *object == to) {
            return Some(step(self, field));
        }
        fields.into_iter().find_map(|(field, object)| {
            let path = step(self, field);
            self.path_to(root, object, Some(path), to, steps - 1)
        })
    }

    fn entered(&mut self, call: Call, thread: u32) {
        self.thread = thread;
        // What was changed before belongs to the method that is under way, or to none.
        let by = self.threads.get(&thread).and_then(|stack| stack.last().copied());
        self.settle_all(by, None);
        if let Some(id) = call.object {
            let role = self.names.methods[call.method].role;
            let constructs = role == MethodRole::Constructor;
            if let Some((class, 0, false)) = self
                .heap
                .get(id)
                .map(|object| (object.class, object.state, object.active.iter().any(|it| it.calls > 0)))
                && !constructs
                && self.is_wanted(class)
            {
                self.settle(id, Some(call));
            }
            if let Some(object) = self.heap.get_mut(id) {
                let from = object.state;
                match object.active.iter_mut().find(|active| active.thread == thread) {
                    Some(active) => active.calls += 1,
                    None => object.active.push(Active { thread, calls: 1, from }),
                }
            }
        }
        self.threads.entry(thread).or_default().push(call);
    }

    /// Settles all objects that have changed and have no method under way, but for one.
    fn settle_all(&mut self, by: Option<Call>, except: Option<ObjectId>) {
        if self.heap.changed.is_empty() {
            return;
        }
        let mut changed: Vec<ObjectId> = self.heap.changed.iter().copied().collect();
        changed.sort_unstable();
        for id in changed {
            let Some(object) = self.heap.get(id) else { continue };
            if Some(id) == except || !object.active.is_empty() {
                continue;
            }
            // One that nothing was called on yet is being filled.
            match object.state {
                0 => _ = self.heap.changed.remove(&id),
                _ => self.settle(id, by),
            }
        }
    }

    fn left(&mut self, thread: u32, made: Option<ObjectId>, end: &End) {
        self.thread = thread;
        let Some(call) = self.threads.get_mut(&thread).and_then(Vec::pop) else { return };
        let id = call.object.or(made);
        let known = id.and_then(|id| Some((id, self.heap.get(id)?.class)));
        match known {
            Some((id, class)) => self.left_object(thread, call, (id, class), end),
            None => {
                self.failed_construction(call, end);
                self.settle_all(Some(call), None);
            }
        }
        if !self.holding.is_empty() && !self.makes(self.names.methods[call.method].class) {
            self.count_held();
        }
    }

    /// A method of an object ends.
    fn left_object(&mut self, thread: u32, call: Call, (id, class): (ObjectId, ClassIndex), end: &End) {
        let outer = self.makes(class);
        let Some(object) = self.heap.get_mut(id) else { return };
        let mut from = object.state;
        if call.object.is_none() {
            // What was called on it meanwhile is a part of the constructor.
            from = 0;
            object.held = object.held.is_some().then_some(Vec::new()).filter(|_| outer);
        }
        if call.object.is_some() {
            if let Some(index) = object.active.iter().position(|active| active.thread == thread) {
                object.active[index].calls -= 1;
                if object.active[index].calls > 0 {
                    return;
                }
                from = object.active.swap_remove(index).from;
            }
            if !object.active.is_empty() {
                // Another thread has seen it change meanwhile.
                from = object.state;
            }
        }
        self.settle_all(Some(call), Some(id));
        self.heap.changed.remove(&id);
        if !self.is_wanted(class) {
            return;
        }
        let after = if self.names.methods[call.method].role == MethodRole::Destructor { from } else { self.state(id) };
        let ending = ending(end);
        let example = self.example(call.at);
        if !self.only_states {
            *self.automaton(class).calls.entry(call.method).or_default() += 1;
        }
        match self.names.methods[call.method].role {
            // Not every object has one, and it leads nowhere.
            MethodRole::Destructor => {}
            // There is no object.
            MethodRole::Constructor if ending != Ending::Regular => {
                self.count(class, Held { from: 0, to: 0, label: Label::Method(call.method), ending, example });
            }
            _ => {
                if let Some(object) = self.heap.get_mut(id) {
                    object.state = after;
                }
                self.saw(id, class, Held { from, to: after, label: Label::Method(call.method), ending, example });
            }
        }
    }

    /// A constructor that made no object.
    fn failed_construction(&mut self, call: Call, end: &End) {
        let known = &self.names.methods[call.method];
        let (class, ending) = (known.class, ending(end));
        if known.role == MethodRole::Constructor && ending != Ending::Regular && self.is_wanted(class) {
            let example = self.example(call.at);
            self.count(class, Held { from: 0, to: 0, label: Label::Method(call.method), ending, example });
        }
    }

    fn destroyed(&mut self, id: ObjectId) {
        let Some(object) = self.heap.destroy(id) else { return };
        object.held.into_iter().flatten().for_each(|seen| self.count(object.class, seen));
        if self.is_wanted(object.class) && !self.only_states {
            self.automaton(object.class).ended(object.state);
        }
    }
}

fn ending(end: &End) -> Ending {
    match end {
        End::Returned => Ending::Regular,
        End::Exception(reason) => Ending::Exception(reason.clone()),
        End::Failed(what) => Ending::Failure(what.clone()),
    }
}
