//! Into which parts objects fall: what is accessed, and what is copied between objects that fall into parts alike.

use std::collections::{BTreeMap, HashMap};

use whydunit_llvm::{Module, Type, Value};

use super::object::{Kind, Object};

/// No object falls into more parts.
const MOST: usize = 16;

/// A part of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub size: u64,
    pub ty: Type,
    /// It is only copied.
    filler: bool,
}

/// The parts of an object, by offset.
pub(super) type Parts = BTreeMap<u64, Part>;

/// One end of a copy: an object, and where in it.
pub(super) type End = (usize, u64);

/// A copy from or to an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    pub call: Value,
    pub to: Option<End>,
    pub from: Option<End>,
    pub size: u64,
}

/// The parts of a function's objects.
pub(super) struct Slots<'m> {
    module: &'m Module,
    /// None for an object that stays one.
    pub of: Vec<Option<Parts>>,
    pub copies: Vec<Copied>,
}

impl<'m> Slots<'m> {
    pub fn of(module: &'m Module, objects: &[Object]) -> Self {
        let mut slots = Slots { module, of: vec![Some(Parts::new()); objects.len()], copies: copies(objects) };
        for (number, object) in objects.iter().enumerate() {
            for access in &object.accesses {
                if let Kind::Load(ty) | Kind::Store(ty) = access.kind {
                    slots.add(number, access.offset, Part { size: access.size, ty, filler: false });
                }
            }
        }
        slots.spread();
        for copy in slots.copies.clone() {
            for (number, offset) in copy.to.into_iter().chain(copy.from) {
                slots.fill(number, offset, copy.size);
            }
            slots.spread();
        }
        slots.check_bounds(objects);
        slots.forget_padding(objects);
        slots.leave_costly(objects);
        slots
    }

    /// Adds a part; an object where that is not possible stays one. Whether anything has changed.
    fn add(&mut self, number: usize, offset: u64, part: Part) -> bool {
        let Some(parts) = &mut self.of[number] else { return false };
        if let Some(known) = parts.get(&offset)
            && known.size == part.size
            && alike(known.ty, part.ty)
        {
            return false;
        }
        let before = parts.range(..offset).next_back().is_some_and(|(&at, part)| at + part.size > offset);
        let within = parts.range(offset..offset + part.size).next().is_some();
        if before || within || parts.len() >= MOST {
            self.of[number] = None;
        } else {
            parts.insert(offset, part);
        }
        true
    }

    /// What is copied from one object to another has the same parts in both.
    fn spread(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for copy in self.copies.clone() {
                let (Some(to), Some(from)) = (copy.to, copy.from) else { continue };
                for (source, target) in [(from, to), (to, from)] {
                    for (offset, part) in self.within(source, copy.size) {
                        changed |= self.of[source.0].is_some() && self.add(target.0, target.1 + offset, part);
                    }
                }
            }
        }
    }

    /// The parts of an object that begin within so many bytes, from there.
    pub fn within(&self, (number, offset): End, size: u64) -> Vec<(u64, Part)> {
        let parts = self.of[number].iter().flat_map(|parts| parts.range(offset..offset + size));
        parts.map(|(&at, &part)| (at - offset, part)).collect()
    }

    /// Parts for what is only copied.
    fn fill(&mut self, number: usize, offset: u64, size: u64) {
        let mut at = offset;
        while at < offset + size {
            let Some(parts) = &self.of[number] else { return };
            if let Some(part) = parts.get(&at) {
                at += part.size;
                continue;
            }
            let next = parts.range(at..).next().map_or(offset + size, |(&next, _)| next.min(offset + size));
            let aligned = if at == 0 { 8 } else { 1 << at.trailing_zeros().min(3) };
            let room = 1 << (next - at).ilog2().min(3);
            let size = std::cmp::min(aligned, room);
            self.add(number, at, Part { size, ty: self.module.int_type(8 * size as u32), filler: true });
            at += size;
        }
    }

    /// Objects of which a copy takes half a part stay what they are.
    fn check_bounds(&mut self, objects: &[Object]) {
        for (parts, object) in self.of.iter_mut().zip(objects) {
            let Some(known) = parts else { continue };
            let cut = |at: u64| known.range(..at).next_back().is_some_and(|(&start, part)| start + part.size > at);
            let moves = |kind: Kind| matches!(kind, Kind::CopyTo | Kind::CopyFrom | Kind::Zero);
            let moved = object.accesses.iter().filter(|access| moves(access.kind));
            if moved.flat_map(|access| [access.offset, access.offset + access.size]).any(cut) {
                *parts = None;
            }
        }
    }

    /// What is only copied, and comes from nowhere, is padding.
    fn forget_padding(&mut self, objects: &[Object]) {
        let mut assigned: Vec<HashMap<u64, bool>> = Vec::new();
        for (parts, object) in self.of.iter().zip(objects) {
            let parts = parts.iter().flatten().map(|(&at, part)| {
                let zero = |access: &&super::Access| {
                    access.kind == Kind::Zero && (access.offset..access.offset + access.size).contains(&at)
                };
                (at, !part.filler || object.accesses.iter().any(|access| zero(&access)))
            });
            assigned.push(parts.collect());
        }
        let mut changed = true;
        while changed {
            changed = false;
            for copy in &self.copies {
                let Some(to) = copy.to else { continue };
                for (offset, _) in self.within(to, copy.size) {
                    let known = |(number, start): End| assigned[number].get(&(start + offset)).copied();
                    let from = copy.from.filter(|from| self.of[from.0].is_some());
                    if known(to) == Some(false) && from.is_none_or(|from| known(from) == Some(true)) {
                        assigned[to.0].insert(to.1 + offset, true);
                        changed = true;
                    }
                }
            }
        }
        for (parts, assigned) in self.of.iter_mut().zip(assigned) {
            parts.iter_mut().for_each(|parts| parts.retain(|at, _| assigned.get(at) == Some(&true)));
        }
    }

    /// Objects that are mostly copied from memory and to memory stay what they are: a copy of all is one, that of the parts is
    /// one for each.
    fn leave_costly(&mut self, objects: &[Object]) {
        let mut costs: Vec<i64> = Vec::new();
        loop {
            costs.clear();
            costs.extend(objects.iter().map(|object| {
                let scalar = |access: &&super::Access| matches!(access.kind, Kind::Load(_) | Kind::Store(_));
                -(object.accesses.iter().filter(scalar).count() as i64)
            }));
            for copy in &self.copies {
                let split = |end: &End| self.of[end.0].is_some();
                match (copy.to.filter(split), copy.from.filter(split)) {
                    (Some(to), Some(from)) => [to, from].iter().for_each(|end| costs[end.0] -= 1),
                    (Some(end), None) | (None, Some(end)) => {
                        costs[end.0] += self.within(end, copy.size).len() as i64 - 1;
                    }
                    (None, None) => {}
                }
            }
            let worst = (0..objects.len()).filter(|&number| self.of[number].is_some() && costs[number] > 0);
            let Some(worst) = worst.max_by_key(|&number| costs[number]) else { return };
            self.of[worst] = None;
        }
    }
}

/// The copies that objects take part in, each once.
fn copies(objects: &[Object]) -> Vec<Copied> {
    let mut all: Vec<Copied> = Vec::new();
    let mut known: HashMap<Value, usize> = HashMap::new();
    for (number, object) in objects.iter().enumerate() {
        for access in &object.accesses {
            if !matches!(access.kind, Kind::CopyTo | Kind::CopyFrom) {
                continue;
            }
            let index = *known.entry(access.instruction).or_insert_with(|| {
                all.push(Copied { call: access.instruction, to: None, from: None, size: access.size });
                all.len() - 1
            });
            let end = Some((number, access.offset));
            match access.kind {
                Kind::CopyTo => all[index].to = end,
                _ => all[index].from = end,
            }
        }
    }
    all
}

/// Whether values of two types of the same size may lie in one variable.
fn alike(a: Type, b: Type) -> bool {
    a == b || a.is_int() && b.is_pointer() || a.is_pointer() && b.is_int()
}
