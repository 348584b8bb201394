//! Which objects are alive, and where.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use whydunit_events::{ObjectId, Value};

/// Bytes of a line: objects are found by the lines that they touch.
const LINE: u32 = 6;
/// Lines of one object beyond so many are not looked at: what lies there is found by its start only.
const MOST_LINES: u64 = 1 << 12;
const FILTER: usize = 1 << 16;

/// An object and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub id: ObjectId,
    pub start: u64,
    pub size: u64,
    pub class: usize,
    pub layout: usize,
    /// The values of its fields that were told last.
    pub told: Vec<Value>,
    /// The fields that have been written since it came to be, where that is followed.
    pub written: Option<Vec<bool>>,
    /// It is in the list of what may have changed.
    pub dirty: bool,
    /// When its constructor started, where that was seen.
    pub born: Option<u64>,
    /// Methods under way on it.
    pub active: u32,
}

impl Place {
    pub fn end(&self) -> u64 {
        self.start + self.size.max(1)
    }
}

/// The objects alive, by number.
#[derive(Clone)]
pub(crate) struct Places {
    all: Vec<Option<Place>>,
    free: Vec<usize>,
    by_id: FxHashMap<ObjectId, usize>,
    by_class: FxHashMap<usize, BTreeSet<ObjectId>>,
    lines: FxHashMap<u64, Vec<usize>>,
    by_start: BTreeMap<(u64, usize), ()>,
    /// How many objects touch the lines that fall together here, as far as that can be counted.
    filter: Box<[u8]>,
}

impl Default for Places {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            free: Vec::new(),
            by_id: FxHashMap::default(),
            by_class: FxHashMap::default(),
            lines: FxHashMap::default(),
            by_start: BTreeMap::new(),
            filter: vec![0; FILTER].into(),
        }
    }
}

fn slot(line: u64) -> usize {
    (line ^ line >> 16) as usize & (FILTER - 1)
}

impl Places {
    pub fn get(&self, index: usize) -> &Place {
        self.all[index].as_ref().expect("a live object")
    }

    pub fn get_mut(&mut self, index: usize) -> &mut Place {
        self.all[index].as_mut().expect("a live object")
    }

    /// Whether a number is that of an object.
    pub fn is_alive(&self, index: usize) -> bool {
        self.all[index].is_some()
    }

    pub fn find(&self, id: ObjectId) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    pub fn insert(&mut self, place: Place) -> usize {
        let index = self.free.pop().unwrap_or_else(|| {
            self.all.push(None);
            self.all.len() - 1
        });
        self.by_id.insert(place.id, index);
        self.by_class.entry(place.class).or_default().insert(place.id);
        self.list(index, place.start, place.end());
        self.all[index] = Some(place);
        index
    }

    pub fn remove(&mut self, index: usize) -> Place {
        let place = self.all[index].take().expect("a live object");
        self.by_id.remove(&place.id);
        if let Some(own) = self.by_class.get_mut(&place.class) {
            own.remove(&place.id);
        }
        self.unlist(index, place.start, place.end());
        self.free.push(index);
        place
    }

    pub fn move_to(&mut self, index: usize, start: u64) {
        let (before, end) = (self.get(index).start, self.get(index).end());
        self.unlist(index, before, end);
        self.get_mut(index).start = start;
        let end = self.get(index).end();
        self.list(index, start, end);
    }

    fn lines(start: u64, end: u64) -> std::ops::Range<u64> {
        let first = start >> LINE;
        first..((end - 1) >> LINE).min(first + MOST_LINES) + 1
    }

    fn list(&mut self, index: usize, start: u64, end: u64) {
        self.by_start.insert((start, index), ());
        for line in Self::lines(start, end) {
            self.lines.entry(line).or_default().push(index);
            let count = &mut self.filter[slot(line)];
            *count = count.saturating_add(1);
        }
    }

    fn unlist(&mut self, index: usize, start: u64, end: u64) {
        self.by_start.remove(&(start, index));
        for line in Self::lines(start, end) {
            if let Some(known) = self.lines.get_mut(&line) {
                known.retain(|it| *it != index);
                if known.is_empty() {
                    self.lines.remove(&line);
                }
            }
            // One that was counted to the end is never counted down again.
            let count = &mut self.filter[slot(line)];
            if *count != u8::MAX {
                *count -= 1;
            }
        }
    }

    /// Whether an object may lie in these bytes.
    #[inline]
    pub fn may_touch(&self, address: u64, size: u64) -> bool {
        let (first, last) = (address >> LINE, address.wrapping_add(size.max(1) - 1) >> LINE);
        self.filter[slot(first)] != 0 || first != last && (last - first > 1 || self.filter[slot(last)] != 0)
    }

    /// The objects that have a byte of these.
    pub fn touching(&self, address: u64, size: u64, out: &mut Vec<usize>) {
        out.clear();
        let end = address.saturating_add(size.max(1));
        let wanted = |index: &usize| {
            let place = self.get(*index);
            place.start < end && place.end() > address
        };
        let lines = Self::lines(address, end);
        if lines.end - lines.start > 64 {
            out.extend(self.starting(address, end));
            out.extend(self.lines.get(&(address >> LINE)).into_iter().flatten().copied().filter(wanted));
        } else {
            for line in lines {
                out.extend(self.lines.get(&line).into_iter().flatten().copied().filter(wanted));
            }
        }
        out.sort_unstable();
        out.dedup();
    }

    /// The objects that start in this range.
    pub fn starting(&self, from: u64, to: u64) -> impl Iterator<Item = usize> + '_ {
        self.by_start.range((from, 0)..(to, 0)).map(|((_, index), ())| *index)
    }

    /// The objects of a class, the youngest first.
    pub fn of_class(&self, class: usize) -> impl Iterator<Item = &Place> {
        let own = self.by_class.get(&class).into_iter().flatten().rev();
        own.filter_map(|id| Some(self.get(self.find(*id)?)))
    }
}
