//! What is known at a place of a function's code, on some of the paths that lead there.

mod reachable;

use std::collections::BTreeSet;
use std::sync::Arc;

use whydunit_model::{BlockId, IntPred, Slot};

use crate::identity::FunctionKey;
use crate::protocol::StateId;
use crate::range::Range;
use crate::sorted::{Sorted, both};
use crate::symbol::{Sym, Symbol, Symbols, Test, Value};

/// An operation of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Site {
    pub function: FunctionKey,
    pub pc: u32,
}

/// A step of the way to a place, with the one before.
#[derive(Debug)]
pub(crate) struct Step {
    pub before: Option<Arc<Step>>,
    pub site: Site,
    pub what: Arc<str>,
}

/// Where an object came into an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Seed {
    /// It is the one that the caller passes in.
    Entry,
    /// A call made it, or left it in a state that is known.
    Call(Site),
    /// It is a variable of the function, in this stack object with this offset, that nothing was done to yet.
    Variable(u32, i64),
}

/// The object that is followed on some paths.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub seed: Seed,
    /// The operation of the function at hand since which it is followed; `None`: since its entry.
    pub since: Option<u32>,
    pub protocol: usize,
    /// Its handle or address.
    pub at: (Sym, i64),
    pub state: StateId,
    pub trail: Option<Arc<Step>>,
    /// Calls that it was handed out of.
    pub calls: usize,
    /// All paths through the functions that handed it out leave it so.
    pub sure: bool,
}

/// What tells sets of paths apart that are followed separately.
pub(crate) type Key = Option<(Seed, usize, (Sym, i64), StateId)>;

/// What lies where nothing is said of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Background {
    /// What was there at entry.
    #[default]
    Initial,
    Zero,
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub bytes: u32,
    pub value: Value,
    /// It was written, not only read.
    pub written: bool,
}

/// Memory behind one symbol.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Region {
    pub background: Background,
    pub cells: Sorted<i64, Cell>,
}

impl Region {
    /// What lies between two offsets, or from one on, may be anything.
    pub fn wipe(&mut self, offset: i64, end: Option<i64>) {
        let before = |at: i64, cell: &Cell| at + i64::from(cell.bytes) <= offset;
        match end {
            None => {
                self.cells.retain(|at, cell| before(*at, cell));
                self.background = Background::Unknown;
            }
            Some(end) => {
                self.cells.retain(|at, cell| before(*at, cell) || *at >= end);
                let cell = Cell { bytes: 8, value: Value::Any, written: true };
                self.cells.extend((offset..end).step_by(8).map(|at| (at, cell)));
            }
        }
    }
}

/// What is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub slots: Sorted<Slot, Value>,
    pub memory: Sorted<Sym, Arc<Region>>,
    /// Memory of which nothing is said may have changed since the entry.
    pub changed: bool,
    /// Own objects that other code may know.
    pub escaped: BTreeSet<Sym>,
    pub facts: Sorted<Sym, Range>,
    pub object: Option<Object>,
}

impl State {
    pub fn key(&self) -> Key {
        self.object.as_ref().map(|it| (it.seed, it.protocol, it.at, it.state))
    }

    /// What it costs to go on from here, in copies of a few entries.
    pub fn weight(&self) -> u64 {
        1 + ((self.slots.len() + self.facts.len() + self.memory.len()) / 8) as u64
    }

    /// The numbers that a value may be.
    pub fn range(&self, value: Value) -> Range {
        match value {
            Value::Number(number) => Range::exactly(number as i64),
            Value::At(sym, 0) => self.facts.get(&sym).copied().unwrap_or(Range::FULL),
            // A place in an object is not null.
            Value::At(..) => Range::NONZERO,
            Value::Truth(..) => Range::TRUTH,
            Value::Any => Range::FULL,
        }
    }

    /// The only number that a value can be, where that is known and not negative.
    fn number(&self, value: Value) -> Option<u64> {
        match value {
            Value::Number(number) => Some(number),
            _ => self.range(value).only().and_then(|only| u64::try_from(only).ok()),
        }
    }

    /// Takes in that a comparison of a symbol holds. False where it cannot.
    pub fn assume(&mut self, sym: Sym, pred: IntPred, against: i64) -> bool {
        let range = self.range(Value::At(sym, 0));
        match range.narrowed(pred, against) {
            Some(narrowed) => {
                if narrowed != range {
                    self.facts.insert(sym, narrowed);
                }
                true
            }
            None => false,
        }
    }

    /// Takes in that a condition of one bit holds or not. False where it cannot.
    pub fn decide(&mut self, condition: Value, holds: bool) -> bool {
        match condition {
            Value::Number(number) => (number & 1 == 1) == holds,
            Value::Truth(sym, Test { pred, against }) => {
                let pred = if holds { pred } else { crate::symbol::negated(pred) };
                self.assume(sym, pred, against)
            }
            Value::At(sym, 0) => self.assume(sym, if holds { IntPred::Ne } else { IntPred::Eq }, 0),
            _ => true,
        }
    }

    pub fn region(&self, base: Sym) -> Option<&Region> {
        self.memory.get(&base).map(|it| &**it)
    }

    pub fn region_mut(&mut self, base: Sym) -> &mut Region {
        Arc::make_mut(self.memory.entry_or_default(base))
    }

    /// Everything that is made of symbols that `which` holds for is no longer known; the followed object goes by `old` from here.
    pub fn forget(&mut self, symbols: &Symbols, which: &impl Fn(Symbol) -> bool, old: Sym) {
        let mut kept = None;
        if let Some(object) = &mut self.object
            && symbols.mentions(object.at.0, which)
        {
            kept = Some(object.at.0);
            object.at.0 = old;
        }
        let renew = |value: &mut Value| match *value {
            Value::At(sym, offset) if Some(sym) == kept => *value = Value::At(old, offset),
            Value::At(sym, _) if sym == old => *value = Value::Any,
            _ if symbols.value_mentions(*value, which) => *value = Value::Any,
            _ => {}
        };
        let stale = |sym: &Sym| *sym == old || symbols.mentions(*sym, which);
        self.slots.values_mut().for_each(renew);
        let mut moved = None;
        self.memory.retain(|base, region| {
            let gone = stale(base);
            if gone && Some(*base) == kept {
                moved = Some(Arc::clone(region));
            }
            !gone
        });
        self.memory.extend(moved.map(|region| (old, region)));
        let touched =
            |cell: &Cell| symbols.value_mentions(cell.value, &|symbol| which(symbol)) || holds(cell.value, old);
        for region in self.memory.values_mut().filter(|region| region.cells.values().any(touched)) {
            Arc::make_mut(region).cells.values_mut().for_each(|cell| renew(&mut cell.value));
        }
        let range = kept.and_then(|kept| self.facts.get(&kept).copied());
        self.facts.retain(|sym, _| !stale(sym));
        self.escaped.retain(|sym| !stale(sym));
        if let Some(range) = range {
            self.facts.insert(old, range);
        }
    }

    /// Takes in what is known on other paths to the start of a block. True where less is known now. `wide`: numbers that still
    /// change may be any.
    pub fn join(&mut self, other: &State, at: (FunctionKey, BlockId), symbols: &mut Symbols, wide: bool) -> bool {
        let mut changed = self.join_slots(other, at, symbols, wide);
        changed |= self.join_memory(other);
        let joined = |symbols: &Symbols, sym: Sym| matches!(symbols.of(sym), Symbol::Joined(f, b, _) if (f, b) == at);
        let before = self.facts.len();
        let mut narrowed = Vec::new();
        self.facts.retain(|&sym, range| {
            if joined(symbols, sym) {
                return true;
            }
            let Some(&theirs) = other.facts.get(&sym) else { return false };
            let hull = range.hull(theirs);
            if hull != *range {
                if wide {
                    return false;
                }
                narrowed.push((sym, hull));
            }
            true
        });
        changed |= self.facts.len() != before || !narrowed.is_empty();
        self.facts.extend(narrowed);
        let escaped = self.escaped.len();
        self.escaped.extend(&other.escaped);
        changed | (self.escaped.len() != escaped)
    }

    fn join_slots(&mut self, other: &State, at: (FunctionKey, BlockId), symbols: &mut Symbols, wide: bool) -> bool {
        let mut changed = false;
        let mut slots = Vec::with_capacity(self.slots.len());
        let mut ranges = Vec::new();
        for (slot, mine, theirs) in both(&self.slots, &other.slots) {
            let (Some(&mine), Some(&theirs)) = (mine, theirs) else {
                changed |= mine.is_some();
                continue;
            };
            if mine == theirs {
                slots.push((slot, mine));
                continue;
            }
            let sym = symbols.number(Symbol::Joined(at.0, at.1, slot));
            slots.push((slot, Value::At(sym, 0)));
            let mut range = self.range(mine).hull(other.range(theirs));
            if mine == Value::At(sym, 0) && range == self.range(mine) {
                continue;
            }
            changed = true;
            if wide {
                range = range.widened();
            }
            ranges.push((sym, range));
        }
        self.slots = Sorted::of_ordered(slots);
        for (sym, range) in ranges {
            if range == Range::FULL {
                self.facts.remove(&sym);
            } else {
                self.facts.insert(sym, range);
            }
        }
        changed
    }

    fn join_memory(&mut self, other: &State) -> bool {
        let mut changed = other.changed && !self.changed;
        let empty = Region::default();
        let mut memory = Vec::with_capacity(self.memory.len());
        for (base, mine, theirs) in both(&self.memory, &other.memory) {
            if let (Some(mine), Some(theirs)) = (mine, theirs)
                && Arc::ptr_eq(mine, theirs)
            {
                memory.push((base, Arc::clone(mine)));
                continue;
            }
            let (known, them) = (mine.map_or(&empty, |it| &**it), theirs.map_or(&empty, |it| &**it));
            if known == them {
                memory.extend(mine.or(theirs).map(|it| (base, Arc::clone(it))));
                continue;
            }
            let same_number = |a: Value, b: Value| self.number(a).filter(|it| other.number(b) == Some(*it));
            let joined = joined_regions(known, them, (self.changed, other.changed), same_number);
            let same = joined == *known;
            changed |= !same;
            let kept = mine.filter(|_| same).cloned();
            memory.push((base, kept.unwrap_or_else(|| Arc::new(joined))));
        }
        self.memory = Sorted::of_ordered(memory);
        self.changed |= other.changed;
        changed
    }
}

fn holds(value: Value, sym: Sym) -> bool {
    matches!(value, Value::At(held, _) if held == sym)
}

/// What both sides have; `unsaid`: what is not said of either side may have changed; `same_number`: what two values are, where each can only be that.
fn joined_regions(
    mine: &Region,
    theirs: &Region,
    unsaid: (bool, bool),
    same_number: impl Fn(Value, Value) -> Option<u64>,
) -> Region {
    let background = if mine.background == theirs.background { mine.background } else { Background::Unknown };
    let mut cells = Vec::new();
    for (offset, one, two) in both(&mine.cells, &theirs.cells) {
        // What was only read on one side can be read again, where nothing has changed.
        let again = |cell: &Cell| !cell.written && unsaid == (false, false) && mine.background == theirs.background;
        let cell = match (one, two) {
            (Some(a), Some(b)) if a.bytes == b.bytes && a.value == b.value => {
                Cell { written: a.written || b.written, ..*a }
            }
            (Some(a), Some(b)) => {
                let number = same_number(a.value, b.value).filter(|_| a.bytes == b.bytes);
                Cell { bytes: a.bytes.max(b.bytes), value: number.map_or(Value::Any, Value::Number), written: true }
            }
            (Some(a), None) | (None, Some(a)) if again(a) => continue,
            (Some(a), None) | (None, Some(a)) => Cell { value: Value::Any, written: true, ..*a },
            (None, None) => continue,
        };
        cells.push((offset, cell));
    }
    Region { background, cells: Sorted::of_ordered(cells) }
}
