//! The tracer: objects, methods under way, and what is told of them.

mod boundaries;
mod branch;
mod moves;
mod reads;
mod stores;
mod watch;
mod writes;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_events::{End, Event, FieldId, FieldKind, MethodId, MethodRole, ObjectId, Position, Run, Value};
use whydunit_model::{Module, TypeId};
use whydunit_replay::{At, FuncId, PerThread};

use crate::catalogue::Catalogue;
use crate::constants::Lines;
use crate::decode;
use crate::layout::{self, Layout};
use crate::methods::{self, MethodInfo};
use crate::places::{Place, Places};
use crate::tables::Tables;
use crate::wanted::{Program, Wanted};
pub(crate) use boundaries::{bytes_to_words, words_to_bytes};
pub(crate) use branch::Branch;
use reads::Reads;
use writes::Origins;

/// A method under way.
#[derive(Clone, Debug)]
pub(crate) struct Invocation {
    method: Rc<MethodInfo>,
    object: Option<ObjectId>,
    /// Index of its frame.
    depth: usize,
    /// Objects with this number or a higher one came to be since it started.
    first: u64,
    /// When it started.
    time: u64,
    /// Where its result is written, from and to.
    result: (u64, u64),
    /// A write was told that makes it impure; one that only a cache is written by.
    told: [bool; 2],
    /// Fields whose reading was told.
    read: FxHashSet<(ObjectId, FieldId)>,
}

/// The place of an object that has moved: whoever uses it as that type uses a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    class: usize,
    size: u64,
    moved: ObjectId,
}

/// An object without a place.
#[derive(Clone, Debug)]
pub(crate) struct Floating {
    id: ObjectId,
    layout: usize,
    bytes: Vec<u8>,
}

/// A layout with the module whose types it is of.
pub(crate) struct KnownLayout {
    layout: Layout,
    module: Arc<Module>,
    fields: Vec<FieldId>,
}

impl KnownLayout {
    /// The fields of an object at `start` that have one of these bytes.
    fn touched(&self, start: u64, address: u64, size: u64) -> impl Iterator<Item = usize> + '_ {
        let (from, to) = (8 * address.saturating_sub(start), 8 * (address + size).saturating_sub(start));
        let is_touched = move |spot: &layout::Spot| {
            let bits = match spot.member.bit_size {
                0 => 8 * whydunit_causes::value::size_of(&self.module, spot.member.ty).max(1),
                bits => u64::from(bits),
            };
            spot.member.bit_offset < to && from < spot.member.bit_offset + bits
        };
        (0..self.layout.fields.len()).filter(move |&number| is_touched(&self.layout.fields[number]))
    }
}

/// Watches a replay and tells of objects.
pub(crate) struct Tracer<'a> {
    catalogue: &'a Catalogue,
    wanted: &'a Wanted,
    lines: Lines<'a>,
    tables: Tables,
    sink: &'a mut dyn FnMut(&Event),
    /// What waits until the inspectors have been asked.
    deferred: Vec<Event>,
    /// Objects whose inspectors are to be asked before anything else happens.
    asks: Vec<ObjectId>,
    /// Whether there are any.
    asking: Rc<Cell<bool>>,
    places: Places,
    left: BTreeMap<u64, Vec<Left>>,
    /// Objects that were returned in registers and have no place yet, with their bytes.
    floating: Vec<Floating>,
    dirty: Vec<usize>,
    /// Addresses that fields have, without an object there.
    unresolved: FxHashMap<u64, Vec<ObjectId>>,
    infos: Vec<Option<Option<Rc<MethodInfo>>>>,
    layouts: Vec<KnownLayout>,
    layout_of: FxHashMap<(u32, TypeId, usize), Option<usize>>,
    stack: PerThread<Vec<Invocation>>,
    thread: u32,
    next: u64,
    varies: FxHashSet<FieldId>,
    /// Values whose names were told.
    named: FxHashSet<(FieldId, i64)>,
    stores: FxHashMap<(FuncId, u32), bool>,
    filled: [(u64, u64); 4],
    scratch: Vec<usize>,
    /// Counts what comes to be and what starts.
    clock: u64,
    origins: Origins,
    reads: Reads,
    /// The type of the last exception thrown.
    thrown: Option<String>,
    /// How the method that ended last has ended.
    last_end: Option<End>,
}

impl<'a> Tracer<'a> {
    /// For a run of this name; what is told goes to `sink`.
    pub fn new(program: Program<'a>, run: &str, sink: &'a mut dyn FnMut(&Event)) -> Self {
        let Program { catalogue, wanted, text } = program;
        sink(&Event::Run(Run { name: run.to_owned() }));
        Self {
            catalogue,
            wanted,
            sink,
            asking: Rc::default(),
            lines: Lines::new(text),
            tables: Tables::default(),
            deferred: Vec::new(),
            asks: Vec::new(),
            places: Places::default(),
            left: BTreeMap::new(),
            floating: Vec::new(),
            dirty: Vec::new(),
            unresolved: FxHashMap::default(),
            infos: Vec::new(),
            layouts: Vec::new(),
            layout_of: FxHashMap::default(),
            stack: PerThread::default(),
            thread: 0,
            next: 1,
            varies: FxHashSet::default(),
            named: FxHashSet::default(),
            stores: FxHashMap::default(),
            filled: [(0, 0); 4],
            scratch: Vec::new(),
            clock: 0,
            origins: Origins::default(),
            reads: Reads::default(),
            thrown: None,
            last_end: None,
        }
    }

    /// Tells something; what it refers to was told of.
    fn tell(&mut self, event: Event) {
        self.tables.events.drain(..).for_each(|event| (self.sink)(&event));
        if self.asks.is_empty() {
            (self.sink)(&event);
        } else {
            self.deferred.push(event);
        }
    }

    /// What says that the run has to stop for inspectors.
    pub fn asking(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.asking)
    }

    /// The objects whose inspectors are to be asked.
    pub fn asks(&self) -> &[ObjectId] {
        &self.asks
    }

    /// The values of inspectors, before what waited for them.
    pub fn resume(&mut self, values: Vec<Event>) {
        self.asks.clear();
        self.asking.set(false);
        values.into_iter().for_each(|event| self.tell(event));
        std::mem::take(&mut self.deferred).into_iter().for_each(|event| self.tell(event));
    }

    /// The number of a method in the stream.
    pub fn method_id(&mut self, class: usize, method: &whydunit_classes::Method) -> MethodId {
        self.tables.method(self.catalogue, class, method, MethodRole::Instance)
    }

    /// The class of an object that is alive.
    pub fn class(&self, object: ObjectId) -> Option<usize> {
        self.places.find(object).map(|index| self.places.get(index).class)
    }

    /// Where an object is that is alive; `None` where it has no place.
    pub fn start(&self, object: ObjectId) -> Option<u64> {
        let index = self.places.find(object)?;
        Some(self.places.get(index).start).filter(|start| *start != 0)
    }

    /// The bytes of an object that has no place.
    pub fn bytes(&self, object: ObjectId) -> Option<&[u8]> {
        self.floating.iter().find(|floating| floating.id == object).map(|floating| &floating.bytes[..])
    }

    fn info(&mut self, at: &At<'_>) -> Option<Rc<MethodInfo>> {
        let number = at.function.0 as usize;
        if self.infos.len() <= number {
            self.infos.resize(number + 1, None);
        }
        if self.infos[number].is_none() {
            let wanted = |class| self.wanted.class(class);
            let found = methods::info(self.catalogue, &mut self.tables, at.module(), at.model, &wanted);
            self.infos[number] = Some(found.map(Rc::new));
        }
        self.infos[number].as_ref().and_then(Clone::clone)
    }

    /// The number of the layout of a method's objects.
    fn layout(&mut self, at: &At<'_>, ty: TypeId, class: usize) -> Option<usize> {
        let loaded = at.code.loaded_module_of(at.function)?;
        let key = (loaded.index, ty, class);
        if let Some(&known) = self.layout_of.get(&key) {
            return known;
        }
        let made = layout::of(self.catalogue, &loaded.model, ty, class);
        let made = made.map(|layout| {
            let same = |known: &KnownLayout| Arc::ptr_eq(&known.module, &loaded.model) && known.layout == layout;
            self.layouts.iter().position(same).unwrap_or_else(|| {
                let tell = |spot: &layout::Spot| self.tables.field(self.catalogue, class, &spot.name, &spot.kind);
                let fields = layout.fields.iter().map(tell).collect();
                self.layouts.push(KnownLayout { layout, module: Arc::clone(&loaded.model), fields });
                self.layouts.len() - 1
            })
        });
        self.layout_of.insert(key, made);
        made
    }

    /// An object comes to be at an address.
    fn create(
        &mut self,
        at: &At<'_>,
        start: u64,
        layout: usize,
        copy_of: Option<ObjectId>,
        constructed: bool,
    ) -> usize {
        let known = &self.layouts[layout].layout;
        let (class, size, fields) = (known.class, known.size, known.fields.len());
        if start != 0 {
            self.forget_at(start, class);
        }
        let id = ObjectId(self.next);
        self.next += 1;
        let told = vec![Value::Unknown; fields];
        let filled = self.filled.iter().any(|&(from, to)| from <= start && start + size <= to);
        let written = (constructed && !filled).then(|| vec![false; fields]);
        let born = constructed.then_some(self.clock);
        let place = Place { id, start, size, class, layout, told, written, dirty: false, active: 0, born };
        let class_id = self.tables.class(self.catalogue, class);
        let position = self.position(Some(*at));
        self.tell(Event::Created { object: id, class: class_id, copy_of, at: position });
        let index = self.places.insert(place);
        self.mark(index);
        if !constructed && copy_of.is_none() {
            self.all_vary(layout);
        }
        // What contains it has a part now, and what has its address a reference.
        let mut around = std::mem::take(&mut self.scratch);
        self.places.touching(start, size, &mut around);
        around.iter().for_each(|&outer| self.mark(outer));
        self.scratch = around;
        for owner in self.unresolved.remove(&start).unwrap_or_default() {
            if let Some(owner) = self.places.find(owner) {
                self.mark(owner);
            }
        }
        index
    }

    fn mark(&mut self, index: usize) {
        let place = self.places.get_mut(index);
        if !place.dirty {
            place.dirty = true;
            self.dirty.push(index);
        }
    }

    /// Whatever object of this class was at the address has ended.
    fn forget_at(&mut self, start: u64, class: usize) {
        let old = self.places.starting(start, start + 1).find(|&index| self.places.get(index).class == class);
        if let Some(old) = old {
            self.destroy(old);
        }
        if let Some(left) = self.left.get_mut(&start) {
            left.retain(|left| left.class != class);
        }
    }

    fn destroy(&mut self, index: usize) {
        let place = self.places.remove(index);
        self.tell(Event::Destroyed { object: place.id });
    }

    /// Tells of the fields that have other values than were told.
    fn flush(&mut self, at: &At<'_>) {
        if self.dirty.is_empty() {
            return;
        }
        for index in std::mem::take(&mut self.dirty) {
            if self.places.is_alive(index) {
                self.places.get_mut(index).dirty = false;
                self.tell_fields(at, index);
            }
        }
    }

    fn tell_fields(&mut self, at: &At<'_>, index: usize) {
        let place = self.places.get(index);
        let (id, layout, start) = (place.id, place.layout, place.start);
        let known = &self.layouts[layout];
        let bytes = at.memory().read_vec(start, known.layout.size as usize);
        let mut changes = Vec::new();
        let mut unresolved = Vec::new();
        for (number, spot) in known.layout.fields.iter().enumerate() {
            if place.written.as_ref().is_some_and(|written| !written[number]) && spot.kind != FieldKind::Part {
                continue;
            }
            let value = decode::field(&known.module, &spot.member, &spot.kind, &bytes).unwrap_or(Value::Unknown);
            let value = match (&spot.kind, value) {
                (FieldKind::Part, _) => self.object_at(start + spot.member.bit_offset / 8, spot.leads_to),
                (FieldKind::Reference, Value::Integer(0)) => Value::Null,
                (FieldKind::Reference, Value::Integer(address)) => {
                    let address = (address as u64).wrapping_add(spot.skip);
                    let found = self.object_at(address, spot.leads_to);
                    if found == Value::Other && spot.leads_to.is_some() {
                        unresolved.push(address);
                    }
                    found
                }
                (_, value) => value,
            };
            if value != place.told[number] {
                changes.push((number, value));
            }
        }
        for address in unresolved {
            let owners = self.unresolved.entry(address).or_default();
            if !owners.contains(&id) {
                owners.push(id);
            }
        }
        // It was written from outside: its inspectors may say something else now.
        if self.wanted.reads && !changes.is_empty() && self.places.get(index).active == 0 {
            self.ask(id);
        }
        for (number, value) in changes {
            self.places.get_mut(index).told[number] = value;
            let field = self.layouts[layout].fields[number];
            self.tell(Event::Set { object: id, field, value });
        }
    }

    /// The object of a class, or of one derived from it, at an address.
    fn object_at(&self, address: u64, class: Option<usize>) -> Value {
        let Some(class) = class else { return Value::Other };
        self.find(address, class).map_or(Value::Other, |index| Value::Object(self.places.get(index).id))
    }

    /// The object at an address that is of a class or of one derived from it.
    fn find(&self, address: u64, class: usize) -> Option<usize> {
        let exact = self.places.starting(address, address + 1).find(|&index| self.places.get(index).class == class);
        exact.or_else(|| {
            let mut touching = Vec::new();
            self.places.touching(address, 1, &mut touching);
            touching.into_iter().find(|&index| {
                let place = self.places.get(index);
                match self.catalogue.base(place.class, class) {
                    Some(Some(offset)) => place.start + offset == address,
                    Some(None) => true,
                    None => false,
                }
            })
        })
    }

    /// Where a run stands in the source.
    fn position(&mut self, at: Option<At<'_>>) -> Position {
        let place = at.filter(At::in_frame).map(|at| at.position());
        let (file, line) = place.as_ref().map_or(("", 0), |place| (place.file.as_str(), place.loc.line));
        self.tables.position(file, line)
    }
}
