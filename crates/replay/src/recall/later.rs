//! What external code has written and the program reads later: whether it was there at a place between is told by the calls between.

use std::collections::{HashMap, HashSet, VecDeque};

use super::touched::{Touched, WORD, Words};
use crate::memory::{PAGE, Pages, page_of};
use crate::observer::At;
use crate::state::is_on_stack;

/// So many reads are kept of what external code has written.
const MOST_GIVEN: usize = 1 << 14;
/// So many words are kept of which more was read.
const MOST_LATE: usize = 1 << 20;
/// So many calls of external code are kept, and so many arguments of each.
const MOST_CALLS: usize = 256;
const POINTERS: usize = 4;
/// So far behind a pointer reaches the object that it was given for.
const OBJECT: u64 = 1 << 10;

/// How far a run has come: the count of instructions, which is that of whole blocks, and the operation in the block.
pub(crate) type Place = (u64, u32);

/// What was read of memory that external code has written since the program last touched it. Times are counted by the calls of external
/// code that may have written: the first one ends with the first call.
#[derive(Clone, Debug)]
struct Given {
    /// Up to this time there was what the program had left, 0 where it had not touched it.
    touched: u32,
    /// From this time on it is there.
    time: u32,
    /// Where it was read.
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

/// What a recorded run read later than external code had written it.
#[derive(Default, Debug)]
pub(crate) struct Later {
    given: Vec<Given>,
    /// Words of which more was given than is kept, and the instruction count of the last read.
    late: HashMap<u64, u64>,
    /// Where external code had run that may have written: then the second time begins, and so on.
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
            let word = (address % PAGE as u64 / WORD) as usize;
            words[word / 64] >> (word % 64) & 1 == 0
        };
        self.late.get(&(address / WORD)).is_some_and(|read| instruction < *read)
            || self.foreign.get(&page_of(address)).is_some_and(untouched)
    }
}

/// A call of external code.
struct Call {
    /// The time that began behind it.
    time: u32,
    /// Its first arguments.
    pointers: [u64; POINTERS],
    /// Whether it may have written memory of the program's without the recording telling so.
    untold: bool,
}

/// Follows a run for what it reads later than external code had written it.
#[derive(Default)]
pub(crate) struct Writings {
    later: Later,
    touched: Touched,
    /// What the operation under way touches: what it finds there was not its doing.
    touching: Option<(u64, u64)>,
    /// The last calls of external code.
    calls: VecDeque<Call>,
    /// What the external call under way has written, as far as it is told.
    told: Vec<(u64, u64)>,
    /// The time at which code last ran of which is not known what it writes of the program's.
    unknown: u32,
    /// Pages of memory that is not the program's own.
    foreign: HashSet<u64>,
}

impl Writings {
    /// External code has run of which is not known what it writes, called with these arguments.
    pub fn unknown(&mut self, at: &At<'_>, args: &[u64]) {
        self.has_run(at, args, true);
        self.unknown = self.time();
    }

    /// External code has run of which is not known what it writes of its own, as of a stream; of the program's it writes what is told.
    pub fn library(&mut self, at: &At<'_>, args: &[u64]) {
        self.has_run(at, args, false);
    }

    fn has_run(&mut self, at: &At<'_>, args: &[u64], untold: bool) {
        self.finish_touch();
        self.later.times.push((at.instruction(), at.pc));
        if self.calls.len() == MOST_CALLS {
            self.calls.pop_front();
        }
        let mut pointers = [0; POINTERS];
        pointers.iter_mut().zip(args).for_each(|(pointer, &arg)| *pointer = arg);
        self.calls.push_back(Call { time: self.time(), pointers, untold });
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

    /// Something was found that external code has put there, in memory of the program's `own` or not.
    pub fn found(&mut self, at: &At<'_>, address: u64, size: u64, own: bool) {
        let time = if own { self.unknown } else { self.time() };
        let frame = at.core.frames.iter().rev().find(|frame| is_on_stack(address) && address < frame.usp_before);
        // One that has passed no safepoint yet gets the number of the next one.
        let born = frame.map_or(0, |frame| if frame.serial == 0 { at.core.counter + 1 } else { frame.serial });
        for run in self.touched.runs(address, size) {
            // What the program has never touched of memory that is not its own is what the library had there for it: tables, locks. A run
            // that is left before comes to it by pointers that were there already.
            let (touched, time) = if run.time == 0 && !own {
                self.foreign.insert(page_of(run.address));
                (0, 1)
            } else {
                self.writers(run.address, run.time, own).unwrap_or((run.time, time))
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

    /// Where among the last calls since a touch some were given a pointer to what lies here, in memory of the program's `own` or not: they
    /// have written it. The times just before the first one of them and behind the last one.
    fn writers(&self, address: u64, touched: u32, own: bool) -> Option<(u32, u32)> {
        let since = self.calls.iter().filter(|call| call.time > touched && (call.untold || !own));
        let mut given =
            since.filter(|call| call.pointers.iter().any(|&pointer| address.wrapping_sub(pointer) < OBJECT));
        let first = given.next()?;
        let last = given.next_back().unwrap_or(first);
        Some((first.time - 1, last.time))
    }

    /// The run has ended: what it read later than that was written.
    pub fn finish(&mut self) -> Later {
        self.finish_touch();
        let mut later = std::mem::take(&mut self.later);
        later.foreign = self.foreign.iter().map(|&page| (page, self.touched.words(page))).collect();
        later.pages = later.foreign.keys().copied().chain(later.late.keys().map(|word| page_of(word * WORD))).collect();
        later
    }
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
