//! What methods read, and the objects that functions get.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use whydunit_causes::value::underlying;
use whydunit_events::{Event, FieldId, FieldKind, ObjectId};
use whydunit_model::{DebugType, Function, Language, Module, Slot, TypeId};
use whydunit_replay::{At, PerThread};

use super::Tracer;
use crate::catalogue::Catalogue;
use crate::methods;

/// Parameters of a function beyond so many are not looked at.
const MOST_PARAMETERS: u32 = 12;

/// When fields were written, and what functions under way were given.
#[derive(Default)]
pub(crate) struct Reads {
    /// When each field of an object was written last.
    pub written: FxHashMap<(ObjectId, FieldId), u64>,
    /// The objects that functions under way were given, with the index of their frame.
    pub given: PerThread<Vec<(usize, ObjectId)>>,
    /// The parameters of functions that refer to objects of classes, by the functions' numbers.
    parameters: Vec<Option<Rc<Vec<Parameter>>>>,
}

impl Reads {
    /// Frames from this index on are gone.
    pub fn gone(&mut self, depth: usize) {
        while self.given.last().is_some_and(|(of, _)| *of >= depth) {
            self.given.pop();
        }
    }
}

/// A parameter that refers to an object of a class.
struct Parameter {
    name: String,
    slot: Slot,
    class: usize,
    /// The type of the object, in the function's module.
    ty: TypeId,
}

impl Tracer<'_> {
    /// Memory is read.
    #[inline]
    pub(super) fn reads(&mut self, address: u64, size: u64) {
        if self.wanted.reads && size > 0 && !self.stack.is_empty() && self.places.may_touch(address, size) {
            self.note_read(address, size);
        }
    }

    fn note_read(&mut self, address: u64, size: u64) {
        let mut touching = std::mem::take(&mut self.scratch);
        self.places.touching(address, size, &mut touching);
        let mut found: Vec<(ObjectId, FieldId, u64)> = Vec::new();
        if let Some(top) = self.stack.last_mut() {
            for place in touching.iter().map(|&index| self.places.get(index)) {
                let known = &self.layouts[place.layout];
                for number in known.touched(place.start, address, size) {
                    let key = (place.id, known.fields[number]);
                    let is_part = known.layout.fields[number].kind == FieldKind::Part;
                    let since = self.reads.written.get(&key).copied().unwrap_or(0);
                    // What the method has written itself says nothing of what it found.
                    if !is_part && since < top.time && top.read.insert(key) {
                        found.push((key.0, key.1, since));
                    }
                }
            }
        }
        self.scratch = touching;
        let thread = self.thread;
        for (object, field, since) in found {
            self.tell(Event::Read { thread, object, field, since });
        }
    }

    /// A function is entered: the objects that its parameters refer to.
    #[inline]
    pub(super) fn given(&mut self, at: &At<'_>) {
        if self.wanted.reads {
            self.note_given(at);
        }
    }

    fn note_given(&mut self, at: &At<'_>) {
        let number = at.function.0 as usize;
        if self.reads.parameters.len() <= number {
            self.reads.parameters.resize_with(number + 1, || None);
        }
        let catalogue = self.catalogue;
        let known = self.reads.parameters[number].get_or_insert_with(|| {
            Rc::new(parameters(catalogue, at.module(), at.model, &|class| self.wanted.class(class)))
        });
        let known = Rc::clone(known);
        self.reads.gone(at.depth);
        for parameter in known.iter() {
            let method = self.stack.last().is_some_and(|top| top.depth == at.depth);
            let object = self.object_given(at, parameter);
            let nothing = at.slot(parameter.slot) == 0;
            if let Some(object) = object {
                self.reads.given.push((at.depth, object));
            } else if !(method && nothing) {
                continue;
            }
            // In C the object that a method is called on is a parameter like others.
            let is_own = method && object.is_some() && self.stack.last().is_some_and(|top| top.object == object);
            if is_own && at.module().language != Language::C {
                continue;
            }
            let function = at.model.source_name.as_ref().unwrap_or(&at.model.name).clone();
            let (thread, name) = (self.thread, parameter.name.clone());
            self.tell(Event::Passed { thread, function, method, parameter: name, object });
        }
    }

    /// The object that a parameter refers to; one that was returned in registers has its place there from now on.
    fn object_given(&mut self, at: &At<'_>, parameter: &Parameter) -> Option<ObjectId> {
        let address = at.slot(parameter.slot);
        if let Some(known) = self.find(address, parameter.class) {
            return Some(self.places.get(known).id);
        }
        if address == 0 || self.floating.is_empty() {
            return None;
        }
        let layout = self.layout(at, parameter.ty, parameter.class)?;
        let adopted = self.adopt(at, address, layout);
        self.flush(at);
        adopted
    }

    /// Something goes wrong: which objects the functions under way have.
    pub(super) fn failing(&mut self) {
        if !self.wanted.reads {
            return;
        }
        let own = self.stack.iter().filter_map(|invocation| invocation.object);
        let mut objects: Vec<ObjectId> = own.chain(self.reads.given.iter().map(|(_, object)| *object)).collect();
        objects.sort_unstable();
        objects.dedup();
        objects.retain(|object| self.places.find(*object).is_some());
        self.tell(Event::Failing { thread: self.thread, objects });
    }
}

/// The parameters of a function that are pointers or references to objects of classes that are wanted.
fn parameters(
    catalogue: &Catalogue,
    module: &Module,
    function: &Function,
    wanted: &dyn Fn(usize) -> bool,
) -> Vec<Parameter> {
    let parameter = |number| {
        let (variable, slot) = methods::parameter(function, number)?;
        let DebugType::Pointer { to } = module.types.get(underlying(module, variable.ty) as usize)? else {
            return None;
        };
        let class = crate::layout::class_of_type(catalogue, module, *to).filter(|class| wanted(*class))?;
        Some(Parameter { name: variable.name.clone(), slot, class, ty: *to })
    };
    (1..=MOST_PARAMETERS).filter_map(parameter).collect()
}
