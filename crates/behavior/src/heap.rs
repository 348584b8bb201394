//! The objects alive, with the values of their fields and who refers to whom (Dallmeier, 5.2.1).

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_events::{ObjectId, Value};

use crate::automaton::Label;
use crate::model::{Ending, Example};
use crate::names::{ClassIndex, FieldIndex, MethodIndex};

/// A method of an object under way in a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active {
    pub thread: u32,
    /// So many calls, one inside the other.
    pub calls: u32,
    /// The state at the outermost.
    pub from: u32,
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub class: ClassIndex,
    pub fields: Vec<(FieldIndex, Value)>,
    pub inspectors: Vec<(MethodIndex, Value)>,
    /// The objects that refer to it, as often as they do.
    pub referrers: Vec<ObjectId>,
    /// The abstract state after its last transition; 0 before construction.
    pub state: u32,
    pub active: Vec<Active>,
    /// The transitions since it came to be, while it is not known whether a constructor under way makes it: calls inside of that
    /// are a part of it.
    pub held: Option<Vec<Held>>,
    /// It is a copy of an object, whose state nothing has told yet.
    pub copied: bool,
}

/// A transition that is not yet counted.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub from: u32,
    pub to: u32,
    pub label: Label,
    pub ending: Ending,
    pub example: Example,
}

/// The objects alive.
#[derive(Clone, Default)]
pub(crate) struct Heap {
    objects: FxHashMap<ObjectId, Object>,
    /// Objects whose state may be another one than that of their last transition.
    pub changed: FxHashSet<ObjectId>,
    /// So many steps over references make a change of one object a change of another's state.
    pub reach: usize,
}

impl Heap {
    pub fn new(reach: usize) -> Self {
        Self { reach, ..Self::default() }
    }

    pub fn clear(&mut self) {
        self.objects.clear();
        self.changed.clear();
    }

    pub fn create(&mut self, id: ObjectId, class: ClassIndex, copy_of: Option<ObjectId>) {
        let object = Object {
            class,
            fields: Vec::new(),
            inspectors: Vec::new(),
            referrers: Vec::new(),
            state: 0,
            active: Vec::new(),
            held: None,
            copied: copy_of.is_some(),
        };
        self.objects.insert(id, object);
    }

    /// Removes an object and gives it.
    pub fn destroy(&mut self, id: ObjectId) -> Option<Object> {
        let object = self.objects.remove(&id)?;
        self.changed.remove(&id);
        for &(_, value) in &object.fields {
            self.forget(id, value);
        }
        Some(object)
    }

    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(&id)
    }

    pub fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(&id)
    }

    pub fn set(&mut self, id: ObjectId, field: FieldIndex, value: Value) {
        let Some(object) = self.objects.get_mut(&id) else { return };
        let before = match object.fields.iter_mut().find(|(known, _)| *known == field) {
            Some((_, known)) => std::mem::replace(known, value),
            None => {
                object.fields.push((field, value));
                object.fields.sort_by_key(|(field, _)| *field);
                Value::Unknown
            }
        };
        self.forget(id, before);
        self.refer(id, value);
        self.touch(id, self.reach);
    }

    pub fn inspected(&mut self, id: ObjectId, method: MethodIndex, value: Value) {
        let Some(object) = self.objects.get_mut(&id) else { return };
        match object.inspectors.iter_mut().find(|(known, _)| *known == method) {
            Some((_, known)) if *known == value => return,
            Some((_, known)) => *known = value,
            None => {
                object.inspectors.push((method, value));
                object.inspectors.sort_by_key(|(method, _)| *method);
            }
        }
        self.touch(id, self.reach);
    }

    fn refer(&mut self, from: ObjectId, value: Value) {
        if let Value::Object(to) = value
            && let Some(object) = self.objects.get_mut(&to)
        {
            object.referrers.push(from);
        }
    }

    fn forget(&mut self, from: ObjectId, value: Value) {
        if let Value::Object(to) = value
            && let Some(object) = self.objects.get_mut(&to)
            && let Some(index) = object.referrers.iter().position(|known| *known == from)
        {
            object.referrers.swap_remove(index);
        }
    }

    /// An object has changed, and with it the state of those that refer to it over so many steps.
    fn touch(&mut self, id: ObjectId, steps: usize) {
        self.changed.insert(id);
        if steps > 0 {
            let referrers = self.objects.get(&id).map(|object| object.referrers.clone()).unwrap_or_default();
            for referrer in referrers {
                self.touch(referrer, steps - 1);
            }
        }
    }
}
