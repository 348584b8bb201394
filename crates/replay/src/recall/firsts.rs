//! Memory that a program did not make, as it was when the recorded run first read it: what-if runs that begin before know it, or
//! know that they do not.

use std::collections::{HashMap, HashSet, VecDeque};

use whydunit_model::Linkage;

use super::touched::{Touched, WORD, Words};
use crate::memory::{Pages, page_of};
use crate::observer::At;
use crate::state::is_on_stack;

/// So far from its arguments reaches what the system puts on the stack of a program.
const BEHIND_ARGUMENTS: u64 = 1 << 20;
/// So far from what a program names of a library reaches the rest of it.
const LIBRARY: u64 = 2 << 20;

/// So many words are kept that are zero.
const MOST_ZEROS: usize = 4096;
/// So many reads are kept of what external code has written.
const MOST_GIVEN: usize = 1 << 14;
/// So many calls of external code are kept, and so many arguments of each.
const MOST_CALLS: usize = 256;
const POINTERS: usize = 4;
/// So far behind a pointer reaches the object that it was given for.
const OBJECT: u64 = 1 << 10;
/// So many words are kept of which more was read.
const MOST_LATE: usize = 1 << 20;

/// So many words before a table of virtual functions say where the bases of its class lie.
const BASES: u64 = 8;

/// How far a run has come: the count of instructions, which is that of whole blocks, and the operation in the block.
pub(crate) type Place = (u64, u32);

/// What was read of memory that external code has written since the program last touched it.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// The times of the last touch before, 0 without one, and of the read.
    touched: u32,
    time: u32,
    /// Where the read was.
    read: Place,
    /// On the stack: the safepoint count at which the function began that it belongs to.
    born: u64,
    address: u64,
    bytes: Vec<u8>,
}

/// What a what-if run knows of memory at its start that its recorded run read later.
pub(crate) enum Then<'a> {
    /// These bytes are there.
    There(u64, &'a [u8]),
    /// So many bytes are there or not: external code wrote them before or after that.
    Uncertain(u64, u64),
}

/// What a recorded run read later than what external code had written.
#[derive(Default, Debug)]
pub(crate) struct Later {
    given: Vec<Given>,
    /// Words of which more was given than is kept, and the instruction count of the last read.
    late: HashMap<u64, u64>,
    /// Where external code had run of which is not known what it writes: then the second time begins, and so on.
    times: Vec<Place>,
    /// The words that the program touched in pages of memory that is not its own.
    foreign: HashMap<u64, Words>,
    /// All pages of which a what-if run does not know all.
    pub pages: Pages,
}

impl Later {
    /// What is known where a run leaves the recorded one, at this safepoint count.
    pub fn then(&self, place: Place, counter: u64) -> impl Iterator<Item = Then<'_>> {
        let time = 1 + self.times.partition_point(|time| *time < place) as u32;
        let later = &self.given[self.given.partition_point(|given| given.read < place)..];
        // The program touches the others first, before external code has run again: they are as they were.
        let open = later.iter().filter(move |given| given.touched < time && given.born <= counter);
        open.map(move |given| match given.time <= time {
            true => Then::There(given.address, &given.bytes),
            false => Then::Uncertain(given.address, given.bytes.len() as u64),
        })
    }

    /// Whether a run that left the recorded one at this instruction count does not know what is at an address, by what lies around it.
    pub fn hides(&self, address: u64, instruction: u64) -> bool {
        let untouched = |words: &Words| {
            let word = (address % crate::memory::PAGE as u64 / WORD) as usize;
            words[word / 64] >> (word % 64) & 1 == 0
        };
        self.late.get(&(address / WORD)).is_some_and(|read| instruction < *read)
            || self.foreign.get(&page_of(address)).is_some_and(untouched)
    }
}

/// What a run reads first in objects that it only declares, in libraries, and where the system put its arguments.
#[derive(Default)]
pub(crate) struct Firsts {
    /// Places and bytes.
    pub found: Vec<(u64, Vec<u8>)>,
    /// What external code has written and was read later.
    later: Later,
    /// Words in objects of external code that were read and still were as they are at first, zero.
    pub zeros: HashSet<u64>,
    seen: HashSet<u64>,
    /// Objects of the program itself, sorted: the first byte and the one behind the last.
    own: Vec<(u64, u64)>,
    /// Those among them that never change.
    constants: Vec<(u64, u64)>,
    touched: Touched,
    /// The last calls of external code: the times that began behind them, and their first arguments.
    calls: VecDeque<(u32, [u64; POINTERS])>,
    /// What the external call under way has written, as far as it is told.
    told: Vec<(u64, u64)>,
    /// The time at which code last ran of which is not known what it writes of the program's.
    unknown: u32,
    /// What the operation under way touches: what it finds there was not its doing.
    touching: Option<(u64, u64)>,
    /// Pages of memory that is not the program's own.
    foreign: HashSet<u64>,
    /// The block of its own in which something was found last.
    block: (u64, u64),
    known: HashSet<u64>,
    /// What objects point to that were found: tables of virtual functions among them.
    tables: HashSet<u64>,
    /// So many modules were looked at.
    modules: usize,
    /// Objects and functions that the program only declares: places and sizes, sorted; functions have none.
    declared: Vec<(u64, u64)>,
    /// The arguments of `main`; 0: not yet.
    argv: u64,
}

impl Firsts {
    /// `main` begins with these arguments.
    pub fn starts(&mut self, argv: u64) {
        self.argv = argv;
    }

    /// External code has run of which is not known what it writes, called with these arguments.
    pub fn unknown(&mut self, at: &At<'_>, args: &[u64]) {
        self.library(at, args);
        self.unknown = self.time();
    }

    /// External code has run of which is not known what it writes of its own, as of a stream; of the program's it writes what is told.
    pub fn library(&mut self, at: &At<'_>, args: &[u64]) {
        self.finish_touch();
        self.later.times.push((at.instruction(), at.pc));
        if self.calls.len() == MOST_CALLS {
            self.calls.pop_front();
        }
        let mut pointers = [0; POINTERS];
        pointers.iter_mut().zip(args).for_each(|(pointer, &arg)| *pointer = arg);
        self.calls.push_back((self.time(), pointers));
        // What it was told to have written is known since then.
        for (address, size) in std::mem::take(&mut self.told) {
            self.touched(address, size);
        }
    }

    /// External code is called.
    pub fn called(&mut self) {
        self.told.clear();
    }

    /// External code has written these bytes, as the recording tells.
    pub fn wrote(&mut self, address: u64, size: u64) {
        self.touched(address, size);
        self.told.push((address, size));
    }

    /// External code has printed to a stream, its first argument, which may be an object of the program.
    pub fn prints(&mut self, at: &At<'_>, args: &[u64]) {
        self.look_at_modules(at);
        let stream = args.first().copied().unwrap_or(0);
        let own =
            is_on_stack(stream) || !self.is_declared(stream) && (self.is_own(stream) || self.is_in_block(at, stream));
        if own { self.unknown(at, args) } else { self.library(at, args) }
    }

    fn time(&self) -> u32 {
        self.later.times.len() as u32 + 1
    }

    /// The operation under way touches these bytes.
    #[inline]
    pub fn touches(&mut self, address: u64, size: u64) {
        self.finish_touch();
        self.touching = Some((address, size));
    }

    #[inline]
    fn finish_touch(&mut self) {
        if let Some((address, size)) = self.touching.take() {
            self.touched.touch(address, size, self.time());
        }
    }

    /// What is in these bytes is known from here on.
    pub fn touched(&mut self, address: u64, size: u64) {
        self.touched.touch(address, size, self.time());
    }

    /// A block of the program begins here: what was in these bytes before is another matter.
    pub fn allocated(&mut self, address: u64, size: u64, defined: bool) {
        let time = self.time();
        if defined { self.touched.touch(address, size, time) } else { self.touched.touch_known(address, size, time) }
    }

    /// The run has ended: what it read later than that was written.
    pub fn finish(&mut self) -> Later {
        self.finish_touch();
        let mut later = std::mem::take(&mut self.later);
        later.foreign = self.foreign.iter().map(|&page| (page, self.touched.words(page))).collect();
        later.pages = later.foreign.keys().copied().chain(later.late.keys().map(|word| page_of(word * WORD))).collect();
        later
    }

    /// The program reads something.
    pub fn read(&mut self, at: &At<'_>, address: u64) {
        let word = address & !7;
        if self.zeros.len() == MOST_ZEROS || at.memory().is_written(address) || !self.seen.insert(word) {
            return;
        }
        self.look_at_modules(at);
        let is_elsewhere = is_on_stack(address) || self.is_in_block(at, address);
        if !self.is_own(address) && !is_elsewhere && at.memory().read_word(word) == 0 {
            self.zeros.insert(word);
        }
    }

    /// Something was found that external code has put there.
    pub fn found(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.look_at_modules(at);
        let constant = lies_in(&self.constants, address);
        if !constant {
            self.keep_given(at, address, size);
        }
        let on_stack = self.argv != 0 && (self.argv..self.argv + BEHIND_ARGUMENTS).contains(&address);
        // A table of virtual functions, most likely, or what leads to one.
        let word = at.memory().read_word(address);
        let in_library = || size == 8 && self.is_near(address) && (self.is_near(word) || self.is_of_table(address));
        if (on_stack || constant || self.is_declared(address) || in_library()) && self.known.insert(address) {
            self.tables.extend((size == 8).then_some(word));
            self.found.push((address, at.memory().read_vec(address, size as usize)));
        }
    }

    fn keep_given(&mut self, at: &At<'_>, address: u64, size: u64) {
        let on_stack = is_on_stack(address);
        let own = on_stack || self.is_own(address) || self.is_in_block(at, address);
        let time = if own { self.unknown } else { self.time() };
        let frame = at.core.frames.iter().rev().find(|frame| on_stack && address < frame.usp_before);
        // One that has passed no safepoint yet gets the number of the next one.
        let born = frame.map_or(0, |frame| if frame.serial == 0 { at.core.counter + 1 } else { frame.serial });
        for run in self.touched.runs(address, size) {
            // What the program has never touched of memory that is not its own is what the library had there for it: tables, locks. A run
            // that is left before comes to it by pointers that were there already.
            let (touched, time) = if run.time == 0 && !own {
                self.foreign.insert(page_of(run.address));
                (0, 1)
            } else {
                self.writers(run.address, run.time).unwrap_or((run.time, time))
            };
            if self.later.given.len() < MOST_GIVEN {
                let bytes = at.memory().read_vec(run.address, run.size as usize);
                let read = (at.instruction(), at.pc);
                self.later.given.push(Given { touched, time, read, born, address: run.address, bytes });
            } else if self.later.late.len() < MOST_LATE {
                let words = run.address / WORD..=(run.address + run.size - 1) / WORD;
                self.later.late.extend(words.map(|word| (word, at.instruction())));
            }
        }
    }

    /// Where among the last calls since a touch some were given a pointer to what lies here: they have written it. The times just before
    /// the first one of them and behind the last one.
    fn writers(&self, address: u64, touched: u32) -> Option<(u32, u32)> {
        let since = self.calls.iter().filter(|call| call.0 > touched);
        let mut given = since.filter(|call| call.1.iter().any(|&pointer| address.wrapping_sub(pointer) < OBJECT));
        let first = given.next()?;
        let last = given.next_back().unwrap_or(first);
        Some((first.0 - 1, last.0))
    }

    /// Whether an address lies in an object of the program itself.
    fn is_own(&self, address: u64) -> bool {
        lies_in(&self.own, address)
    }

    /// Whether an address lies in a live block of the program.
    fn is_in_block(&mut self, at: &At<'_>, address: u64) -> bool {
        let (start, size) = self.block;
        let lives = |start| at.core.heap.get(start).is_some_and(|live| live.size == size);
        if address.wrapping_sub(start) < size && lives(start) {
            return true;
        }
        let found = at.core.heap.block_of(address);
        self.block = found.unwrap_or_default();
        found.is_some()
    }

    /// Whether an address lies just before a table of virtual functions.
    fn is_of_table(&self, address: u64) -> bool {
        (1..=BASES).any(|words| self.tables.contains(&address.wrapping_add(8 * words)))
    }

    fn look_at_modules(&mut self, at: &At<'_>) {
        let modules = at.code.modules();
        if self.modules == modules.len() {
            return;
        }
        for module in &modules[self.modules..] {
            let objects = module.model.globals.iter().zip(&module.globals);
            let own = objects.clone().filter(|(global, at)| global.linkage != Linkage::Declared && **at != 0);
            let constants = own.clone().filter(|(global, _)| global.constant);
            self.constants.extend(constants.map(|(global, &at)| (at, at + global.size)));
            self.own.extend(own.map(|(global, &at)| (at, at + global.size)));
            let objects = objects.filter(|(global, _)| global.linkage == Linkage::Declared);
            let functions = module.model.functions.iter().zip(&module.functions);
            let functions = functions.filter(|(function, _)| !function.is_defined());
            let places = objects.map(|(global, &at)| (at, global.size)).chain(functions.map(|(_, &at)| (at, 0)));
            self.declared.extend(places.filter(|place| place.0 != 0));
        }
        self.own.sort_unstable();
        self.constants.sort_unstable();
        self.declared.sort_unstable();
        self.declared.dedup();
        self.modules = modules.len();
    }

    /// The neighbours of an address: what begins there or before, and what begins behind.
    fn neighbours(&self, address: u64) -> [Option<(u64, u64)>; 2] {
        let after = self.declared.partition_point(|place| place.0 <= address);
        [after.checked_sub(1).map(|last| self.declared[last]), self.declared.get(after).copied()]
    }

    fn is_declared(&self, address: u64) -> bool {
        self.neighbours(address)[0].is_some_and(|(at, size)| address - at < size)
    }

    fn is_near(&self, address: u64) -> bool {
        self.neighbours(address).iter().flatten().any(|place| place.0.abs_diff(address) < LIBRARY)
    }
}

/// Whether an address lies in one of these objects, sorted: the first byte and the one behind the last of each.
fn lies_in(objects: &[(u64, u64)], address: u64) -> bool {
    let before = objects.partition_point(|object| object.0 <= address);
    before.checked_sub(1).is_some_and(|last| address < objects[last].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_later_was_there_unless_something_ran_that_may_have_written_it() {
        let given = |touched, time, read| Given { touched, time, read, born: 0, address: 8, bytes: vec![1] };
        // External code ran at 10, 20, 30 and 40. Touched behind the first one and read behind the third one; and once more.
        let later = Later {
            given: vec![given(2, 4, (33, 0)), given(4, 5, (44, 7))],
            times: vec![(10, 3), (20, 3), (30, 3), (40, 3)],
            ..Later::default()
        };
        let told = |place| {
            let told = later.then(place, 0).map(|then| if matches!(then, Then::There(..)) { '+' } else { '?' });
            told.collect::<String>()
        };
        assert_eq!(told((20, 2)), "", "the program touches it first, and finds it as it is");
        assert_eq!(told((20, 4)), "?", "the second one has run: whether it wrote is not known");
        assert_eq!(told((30, 4)), "+");
        assert_eq!(told((35, 0)), "", "it was read already");
        assert_eq!(told((44, 7)), "+", "it is read next");
        assert_eq!(told((44, 8)), "");
    }
}
