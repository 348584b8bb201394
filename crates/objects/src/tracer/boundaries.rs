//! Methods start and end.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use whydunit_events::{End, Event, MethodRole, ObjectId};
use whydunit_model::{DebugType, Opnd};
use whydunit_replay::At;

use super::{Invocation, Tracer};
use crate::decode;
use crate::methods::{Makes, MethodInfo, Receiver};
use crate::wanted::ErrorRule;

impl Tracer<'_> {
    /// A method is entered.
    pub(super) fn entered(&mut self, at: &At<'_>, method: Rc<MethodInfo>) {
        self.flush(at);
        let object = match method.receiver {
            Receiver::Address(slot, skip) => self.receiver(at, at.slot(slot).wrapping_add(skip), &method),
            Receiver::Words(slot) => self.by_value(at, slot, &method),
            Receiver::None => None,
        };
        if let Some(index) = object.and_then(|id| self.places.find(id)) {
            let place = self.places.get(index);
            // It was written from outside: what its inspectors say now is no matter of this method's.
            if place.active == 0 && place.dirty {
                self.ask(place.id);
            }
            self.flush(at);
            self.places.get_mut(index).active += 1;
        }
        let position = self.position(at.caller());
        let time = self.clock;
        let event = Event::Entered { method: method.id, object, thread: self.thread, time, at: position };
        self.tell(event);
        let first = self.next;
        let result = self.result_range(at, &method);
        self.stack.push(Invocation {
            method,
            object,
            depth: at.depth,
            first,
            time,
            result,
            told: [false; 2],
            read: FxHashSet::default(),
        });
    }

    /// The object that a method is called on at an address. One that is not known comes to be.
    fn receiver(&mut self, at: &At<'_>, address: u64, method: &MethodInfo) -> Option<ObjectId> {
        if address == 0 {
            return None;
        }
        if let Some(known) = self.find(address, method.class) {
            let place = self.places.get(known);
            // A constructor that is called for another one, or for the part of a base.
            let again = method.role == MethodRole::Constructor && place.active == 0;
            if !again {
                return Some(place.id);
            }
        }
        let layout = self.layout(at, method.ty?, method.class)?;
        if method.role == MethodRole::Constructor {
            let index = self.create(at, address, layout, None, true);
            return Some(self.places.get(index).id);
        }
        if let Some(id) = self.adopt(at, address, layout) {
            return Some(id);
        }
        // What is left behind by a copy and used again.
        let left = self.left.get(&address).and_then(|left| left.iter().find(|left| left.class == method.class));
        let of = left.map(|left| left.moved).filter(|moved| self.places.find(*moved).is_some());
        let index = self.create(at, address, layout, of, false);
        Some(self.places.get(index).id)
    }

    /// The object that is passed in registers, where one of its class has these bytes.
    fn by_value(&mut self, at: &At<'_>, slot: u32, method: &MethodInfo) -> Option<ObjectId> {
        let layout = self.layout(at, method.ty?, method.class)?;
        let size = self.layouts[layout].layout.size as usize;
        let param = at.model.params.iter().find(|param| param.slot == slot)?;
        let second = at.model.params.iter().find(|other| other.slot > slot);
        let mut leaves = param.leaves.clone();
        let covered: usize = leaves.iter().map(|leaf| leaf.bytes() as usize).sum();
        if covered < size
            && let Some(second) = second
        {
            leaves.extend(second.leaves.iter().copied());
        }
        let bytes = words_to_bytes(at, Opnd::slot(slot), &leaves, size);
        self.with_bytes(at, layout, &bytes, 0)
    }

    /// A function returns.
    pub(super) fn left_function(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        if self.stack.last().is_some_and(|top| top.depth == at.depth) {
            let Some(invocation) = self.stack.pop() else { return };
            self.returned(at, &invocation, result);
        }
        self.frame_ends(at, result);
    }

    fn returned(&mut self, at: &At<'_>, invocation: &Invocation, result: Option<(Opnd, u8)>) {
        self.flush(at);
        let method = &invocation.method;
        let end = self.failure(at, method, result).map_or(End::Returned, End::Failed);
        let mut object = invocation.object;
        if object.is_none() && end == End::Returned {
            object = self.made(at, method, result, invocation.first);
            self.flush(at);
        }
        self.told_end(method, object, end);
    }

    /// Tells that a method has ended.
    fn told_end(&mut self, method: &MethodInfo, object: Option<ObjectId>, end: End) {
        let index = object.and_then(|id| self.places.find(id));
        let mut ends = false;
        if let Some(index) = index {
            let class = self.places.get(index).class;
            let place = self.places.get_mut(index);
            place.active = place.active.saturating_sub(1);
            ends = match method.role {
                MethodRole::Destructor => class == method.class,
                MethodRole::Constructor => class == method.class && matches!(end, End::Exception(_)),
                _ => false,
            };
            if place.active == 0 && !ends && method.role != MethodRole::Destructor {
                let id = place.id;
                self.ask(id);
            }
        }
        self.last_end = Some(end.clone());
        // An object that has ended is none that something ends on.
        let object = object.filter(|_| index.is_some());
        self.tell(Event::Left { method: method.id, object, thread: self.thread, end });
        if let Some(index) = index.filter(|_| ends) {
            self.destroy(index);
        }
    }

    /// The inspectors of an object are to be asked, where it has any.
    pub(super) fn ask(&mut self, object: ObjectId) {
        let class = self.places.find(object).map(|index| self.places.get(index).class);
        if class.is_some_and(|class| self.wanted.stops(class)) && !self.asks.contains(&object) {
            self.asks.push(object);
            self.asking.set(true);
        }
    }

    /// What a method returns where that says that it has failed.
    fn failure(&mut self, at: &At<'_>, method: &MethodInfo, result: Option<(Opnd, u8)>) -> Option<String> {
        if let Some(rule) = self.wanted.errors.get(&method.class)
            && let Some((operand, _)) = result
        {
            let pointer = at.model.ret.first() == Some(&whydunit_model::Scalar::Ptr);
            let bits = at.model.ret.first().map_or(64, |leaf| 8 * leaf.bytes()).min(64);
            let value = ((at.value(operand) << (64 - bits)) as i64) >> (64 - bits);
            // Of a pointer a rule says only whether null means that.
            if pointer {
                return (value == 0 && *rule == ErrorRule::Null).then(|| "NULL".into());
            }
            return rule.fails(value).then(|| value.to_string());
        }
        let ty = method.fallible?;
        let bytes = self.result_bytes(at, method, ty, result)?;
        let debug = at.module().types.get(ty as usize)?;
        let DebugType::Variants { variants, .. } = debug else { return None };
        let name = &variants.get(decode::variant(at.module(), debug, &bytes)?)?.1.name;
        matches!(name.as_str(), "Err" | "None").then(|| name.clone())
    }

    fn result_bytes(&self, at: &At<'_>, method: &MethodInfo, ty: u32, result: Option<(Opnd, u8)>) -> Option<Vec<u8>> {
        let size = whydunit_causes::value::size_of(at.module(), ty) as usize;
        match (method.result_at, result) {
            (Some(slot), _) => Some(at.memory().read_vec(at.slot(slot), size)),
            (None, Some((operand, _))) => Some(words_to_bytes(at, operand, &at.model.ret, size)),
            (None, None) => None,
        }
    }

    /// The object that a constructor without receiver has made.
    fn made(&mut self, at: &At<'_>, method: &MethodInfo, result: Option<(Opnd, u8)>, first: u64) -> Option<ObjectId> {
        if method.makes == Makes::Nothing {
            return None;
        }
        let layout = self.layout(at, method.ty?, method.class)?;
        let offset = match method.fallible {
            Some(ty) => self.payload(at, ty, layout)?,
            None => 0,
        };
        match (method.makes, result) {
            (Makes::InPlace(slot), _) => {
                let address = at.slot(slot) + offset;
                // One that it had itself made elsewhere, and moved there.
                let known = self.find(address, method.class).filter(|&known| self.places.get(known).id.0 >= first);
                let index = known.unwrap_or_else(|| self.create(at, address, layout, None, false));
                Some(self.places.get(index).id)
            }
            (Makes::Address(skip), Some((operand, _))) if at.value(operand) != 0 => {
                let address = at.value(operand) + skip;
                if let Some(known) = self.find(address, method.class) {
                    // A function that returns one that was there has not made it.
                    let id = self.places.get(known).id;
                    return (id.0 >= first).then_some(id);
                }
                let index = self.create(at, address, layout, None, false);
                Some(self.places.get(index).id)
            }
            (Makes::Words, Some((operand, _))) => {
                let whole = self.layouts[layout].layout.size + offset;
                let bytes = words_to_bytes(at, operand, &at.model.ret, whole as usize);
                let own = bytes.get(offset as usize..)?.to_vec();
                // One that it had in its own frame already, under way to its caller.
                if let Some(id) = self.with_bytes(at, layout, &own, first) {
                    return Some(id);
                }
                Some(self.float_new(at, layout, own))
            }
            _ => None,
        }
    }

    /// Where the object lies in a result that says whether there is one.
    fn payload(&self, at: &At<'_>, ty: u32, layout: usize) -> Option<u64> {
        let DebugType::Variants { variants, .. } = at.module().types.get(ty as usize)? else { return None };
        let (_, variant) = variants.iter().find(|(_, member)| matches!(member.name.as_str(), "Ok" | "Some"))?;
        let DebugType::Struct { members, .. } = at.module().types.get(variant.ty as usize)? else { return None };
        let first = members.first()?;
        let size = whydunit_causes::value::size_of(at.module(), first.ty);
        (size == self.layouts[layout].layout.size).then_some((variant.bit_offset + first.bit_offset) / 8)
    }

    /// Frames are gone: their methods were left.
    pub(super) fn unwound(&mut self, at: &At<'_>, depth: usize) {
        self.flush(at);
        if self.stack.last().is_some_and(|top| top.depth >= depth) {
            self.failing();
        }
        while self.stack.last().is_some_and(|top| top.depth >= depth) {
            let Some(invocation) = self.stack.pop() else { break };
            let reason = self.thrown.clone().unwrap_or_default();
            self.told_end(&invocation.method, invocation.object, End::Exception(reason));
        }
        self.frames_gone(at);
    }

    /// The run is over: it ended all that was under way, in all threads, by a signal.
    pub(super) fn killed(&mut self, at: &At<'_>, reason: &str) {
        self.flush(at);
        self.failing();
        while let Some(invocation) = self.stack.pop() {
            self.told_end(&invocation.method, invocation.object, End::Exception(reason.to_owned()));
        }
    }
}

/// The bytes of a value that is passed in words, as it lies in memory.
pub(crate) fn words_to_bytes(at: &At<'_>, first: Opnd, leaves: &[whydunit_model::Scalar], size: usize) -> Vec<u8> {
    let mut bytes = vec![0u8; size];
    let (mut offset, mut word) = (0usize, 0);
    for leaf in leaves {
        let own = leaf.bytes() as usize;
        let align = own.next_power_of_two().clamp(1, 16);
        offset = offset.next_multiple_of(align);
        for part in 0..leaf.slots() {
            let value = at.value(first.word(word + part)).to_le_bytes();
            let start = offset + 8 * part as usize;
            let taken = own.saturating_sub(8 * part as usize).min(8);
            if let Some(to) = bytes.get_mut(start..start + taken) {
                to.copy_from_slice(&value[..taken]);
            }
        }
        word += leaf.slots();
        offset += own;
    }
    bytes
}

/// The words that a value with these bytes is passed in: what [`words_to_bytes`] undoes.
pub(crate) fn bytes_to_words(bytes: &[u8], leaves: &[whydunit_model::Scalar]) -> Vec<u64> {
    let mut words = Vec::new();
    let mut offset = 0usize;
    for leaf in leaves {
        let own = leaf.bytes() as usize;
        offset = offset.next_multiple_of(own.next_power_of_two().clamp(1, 16));
        for part in 0..leaf.slots() as usize {
            let start = (offset + 8 * part).min(bytes.len());
            let end = (start + own.saturating_sub(8 * part).min(8)).min(bytes.len());
            words.push(decode::word(&bytes[start..end]));
        }
        offset += own;
    }
    words
}
