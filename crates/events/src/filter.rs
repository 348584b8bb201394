//! Parts of a stream.

use std::collections::HashSet;

use crate::event::{Event, ObjectId};
use crate::tables::{ClassId, FieldId, MethodId};

/// The part of a stream that is of some classes, by their names: their objects, the methods called on these, what is written.
pub fn of_classes<'a>(
    events: impl IntoIterator<Item = Event> + 'a,
    wanted: &'a dyn Fn(&str) -> bool,
) -> impl Iterator<Item = Event> + 'a {
    let mut kept = Kept::default();
    events.into_iter().filter(move |event| kept.keeps(event, wanted))
}

#[derive(Default)]
struct Kept {
    classes: HashSet<ClassId>,
    methods: HashSet<MethodId>,
    fields: HashSet<FieldId>,
    objects: HashSet<ObjectId>,
}

impl Kept {
    fn keeps(&mut self, event: &Event, wanted: &dyn Fn(&str) -> bool) -> bool {
        match event {
            Event::Run(_) => {
                self.objects.clear();
                true
            }
            Event::Source(_) => true,
            Event::Class(class) => wanted(&class.name) && self.classes.insert(class.id),
            Event::Method(method) => self.classes.contains(&method.class) && self.methods.insert(method.id),
            Event::Field(field) => self.classes.contains(&field.class) && self.fields.insert(field.id),
            Event::Named { field, .. } | Event::Varies(field) => self.fields.contains(field),
            Event::Created { object, class, .. } => self.classes.contains(class) && self.objects.insert(*object),
            Event::Moved { object } | Event::Set { object, .. } => self.objects.contains(object),
            Event::Destroyed { object } => self.objects.remove(object),
            Event::Entered { method, .. } | Event::Left { method, .. } => self.methods.contains(method),
            Event::Inspected { object, method, .. } => self.objects.contains(object) && self.methods.contains(method),
            Event::Read { object, field, .. } => self.objects.contains(object) && self.fields.contains(field),
            Event::Passed { object, .. } => object.is_none_or(|object| self.objects.contains(&object)),
            Event::Failing { objects, .. } => objects.iter().all(|object| self.objects.contains(object)),
            Event::Wrote { .. } => true,
        }
    }
}
