//! The objects alive, with what is known of them.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use whydunit_behavior::{ClassIndex, FieldIndex, MethodIndex};
use whydunit_events::{ObjectId, Value};

/// An object.
pub(super) struct Object {
    pub class: ClassIndex,
    pub fields: BTreeMap<FieldIndex, Value>,
    pub inspectors: BTreeMap<MethodIndex, Value>,
}

/// The objects alive.
#[derive(Default)]
pub(super) struct Objects(FxHashMap<ObjectId, Object>);

impl Objects {
    pub fn create(&mut self, id: ObjectId, class: ClassIndex) {
        self.0.insert(id, Object { class, fields: BTreeMap::new(), inspectors: BTreeMap::new() });
    }

    pub fn destroy(&mut self, id: ObjectId) {
        self.0.remove(&id);
    }

    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.0.get(&id)
    }

    pub fn set(&mut self, id: ObjectId, field: FieldIndex, value: Value) {
        if let Some(object) = self.0.get_mut(&id) {
            object.fields.insert(field, value);
        }
    }

    pub fn inspected(&mut self, id: ObjectId, method: MethodIndex, value: Value) {
        if let Some(object) = self.0.get_mut(&id) {
            object.inspectors.insert(method, value);
        }
    }

    /// These objects, and those that they refer to over so many steps.
    pub fn reachable(&self, from: &[ObjectId], steps: usize) -> BTreeSet<ObjectId> {
        let mut all: BTreeSet<ObjectId> = from.iter().copied().collect();
        let mut last: Vec<ObjectId> = from.to_vec();
        for _ in 0..steps {
            let values = last.iter().filter_map(|id| self.0.get(id)).flat_map(|object| object.fields.values());
            let next: Vec<ObjectId> = values
                .filter_map(|value| match value {
                    Value::Object(object) => Some(*object),
                    _ => None,
                })
                .collect();
            last = next.into_iter().filter(|object| all.insert(*object)).collect();
        }
        all
    }
}
