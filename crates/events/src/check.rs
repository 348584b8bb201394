//! Whether a stream is whole.

use std::collections::{HashMap, HashSet};

use crate::event::{Event, ObjectId, Value, Written};
use crate::tables::{ClassId, FieldId, MethodId, Position, SourceId};

/// What is wrong with a stream, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {event}: {what}")]
pub struct Broken {
    /// Number of the event, from 1.
    pub event: usize,
    /// What is wrong.
    pub what: String,
}

#[derive(Default)]
struct Known {
    sources: HashSet<SourceId>,
    classes: HashSet<ClassId>,
    methods: HashSet<MethodId>,
    fields: HashSet<FieldId>,
    objects: HashSet<ObjectId>,
    stacks: HashMap<u32, Vec<MethodId>>,
}

/// Whether all that a stream refers to was told before, and whether its methods end in the order in which they started.
pub fn check<'e>(events: impl IntoIterator<Item = &'e Event>) -> Result<(), Broken> {
    let mut known = Known::default();
    for (number, event) in events.into_iter().enumerate() {
        known.event(event).map_err(|what| Broken { event: number + 1, what })?;
    }
    Ok(())
}

fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl Known {
    fn event(&mut self, event: &Event) -> Result<(), String> {
        match event {
            Event::Run(_) => {
                self.objects.clear();
                self.stacks.clear();
            }
            Event::Source(source) => _ = self.sources.insert(source.id),
            Event::Class(class) => _ = self.classes.insert(class.id),
            Event::Method(method) => {
                self.class(method.class)?;
                method.position.map_or(Ok(()), |at| self.position(at))?;
                self.methods.insert(method.id);
            }
            Event::Field(field) => {
                self.class(field.class)?;
                self.fields.insert(field.id);
            }
            Event::Named { field, .. } | Event::Varies(field) => self.field(*field)?,
            Event::Created { object, class, copy_of, at } => {
                self.class(*class)?;
                self.position(*at)?;
                copy_of.map_or(Ok(()), |of| self.object(of))?;
                require(self.objects.insert(*object), || format!("object {} is created again", object.0))?;
            }
            Event::Moved { object } => self.object(*object)?,
            Event::Destroyed { object } => {
                require(self.objects.remove(object), || format!("object {} is not alive", object.0))?;
            }
            Event::Entered { method, object, thread, at, .. } => {
                self.method(*method)?;
                self.position(*at)?;
                object.map_or(Ok(()), |object| self.object(object))?;
                self.stacks.entry(*thread).or_default().push(*method);
            }
            Event::Left { method, object, thread, .. } => {
                object.map_or(Ok(()), |object| self.object(object))?;
                let entered = self.stacks.entry(*thread).or_default().pop();
                require(entered == Some(*method), || format!("method {} does not end here", method.0))?;
            }
            Event::Set { object, field, value } => {
                self.object(*object)?;
                self.field(*field)?;
                self.value(*value)?;
            }
            Event::Inspected { object, method, value, .. } => {
                self.object(*object)?;
                self.method(*method)?;
                self.value(*value)?;
            }
            Event::Wrote { what, at, .. } => {
                self.position(*at)?;
                if let Written::Field(object, _) | Written::Object(object) = what {
                    self.object(*object)?;
                }
            }
            Event::Read { object, field, .. } => {
                self.object(*object)?;
                self.field(*field)?;
            }
            Event::Passed { object, .. } => object.map_or(Ok(()), |object| self.object(object))?,
            Event::Failing { objects, .. } => objects.iter().try_for_each(|object| self.object(*object))?,
        }
        Ok(())
    }

    fn class(&self, id: ClassId) -> Result<(), String> {
        require(self.classes.contains(&id), || format!("class {} was not told of", id.0))
    }

    fn method(&self, id: MethodId) -> Result<(), String> {
        require(self.methods.contains(&id), || format!("method {} was not told of", id.0))
    }

    fn field(&self, id: FieldId) -> Result<(), String> {
        require(self.fields.contains(&id), || format!("field {} was not told of", id.0))
    }

    fn object(&self, id: ObjectId) -> Result<(), String> {
        require(self.objects.contains(&id), || format!("object {} is not alive", id.0))
    }

    fn position(&self, at: Position) -> Result<(), String> {
        require(self.sources.contains(&at.file), || format!("source {} was not told of", at.file.0))
    }

    /// A reference may lead to an object that has ended; but it has a number of the stream's.
    fn value(&self, value: Value) -> Result<(), String> {
        match value {
            Value::Float(number) => require(!number.is_nan(), || "no number is no value".into()),
            _ => Ok(()),
        }
    }
}
