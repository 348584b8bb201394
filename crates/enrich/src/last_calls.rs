//! Which call on an object has ended last.

use std::collections::HashMap;

use whydunit_events::{Event, MethodId, MethodRole, ObjectId, Position, SourceId};

/// A call that has ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ended {
    /// The method.
    pub method: String,
    /// It makes an object.
    pub constructor: bool,
    /// Where the call stands; empty and 0 where that is not known.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// The call that has ended last on each object, out of the events of a run.
#[derive(Clone, Debug, Default)]
pub struct LastCalls {
    names: HashMap<MethodId, (String, bool)>,
    sources: HashMap<SourceId, String>,
    /// Where the calls stand that are under way, by thread.
    open: HashMap<u32, Vec<Position>>,
    last: HashMap<ObjectId, (MethodId, Position)>,
    /// The run has been left: what it does there does not count.
    pub(crate) paused: bool,
}

impl LastCalls {
    /// The next event.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::Run(_) => *self = Self::default(),
            Event::Source(source) => _ = self.sources.insert(source.id, source.path.clone()),
            Event::Method(method) => {
                let constructor = method.role == MethodRole::Constructor;
                self.names.insert(method.id, (method.name.clone(), constructor));
            }
            _ if self.paused => {}
            Event::Entered { thread, at, .. } => self.open.entry(*thread).or_default().push(*at),
            Event::Left { method, object, thread, .. } => {
                let at = self.open.entry(*thread).or_default().pop();
                if let (Some(object), Some(at)) = (object, at) {
                    self.last.insert(*object, (*method, at));
                }
            }
            _ => {}
        }
    }

    /// The call that has ended last on an object: the outermost one, where others were made inside of it. `None` before the first.
    pub fn of(&self, object: ObjectId) -> Option<Ended> {
        let (method, at) = self.last.get(&object)?;
        let (name, constructor) = self.names.get(method).cloned().unwrap_or_default();
        let file = self.sources.get(&at.file).filter(|_| at.line > 0).cloned().unwrap_or_default();
        Some(Ended { method: name, constructor, file, line: at.line })
    }
}

#[cfg(test)]
mod tests {
    use whydunit_events::{End, Event};

    use super::*;

    #[test]
    fn the_outermost_call_counts() {
        let mut calls = LastCalls::default();
        let (object, thread) = (ObjectId(1), 0);
        let entered = |method, line| Event::Entered {
            method: MethodId(method),
            object: Some(object),
            thread,
            time: 0,
            at: Position { file: SourceId(0), line },
        };
        let left = |method| Event::Left { method: MethodId(method), object: Some(object), thread, end: End::Returned };
        assert_eq!(calls.of(object), None);
        for event in [entered(1, 5), entered(2, 90), left(2), left(1)] {
            calls.event(&event);
        }
        assert_eq!(calls.of(object).map(|ended| ended.line), Some(5));
    }
}
