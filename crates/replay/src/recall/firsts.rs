//! Memory that a program did not make, as it was when the recorded run first read it: what-if runs that begin before know it.

use std::collections::HashSet;

use whydunit_model::Linkage;

use crate::observer::At;
use crate::state::is_on_stack;

/// So far from its arguments reaches what the system puts on the stack of a program.
pub(crate) const BEHIND_ARGUMENTS: u64 = 1 << 20;
/// So far from what a program names of a library reaches the rest of it.
const LIBRARY: u64 = 2 << 20;

/// So many words are kept that are zero.
const MOST_ZEROS: usize = 4096;
/// So many words before a table of virtual functions say where the bases of its class lie.
const BASES: u64 = 8;

/// What a run reads first in objects that it only declares, in libraries, and where the system put its arguments.
#[derive(Default)]
pub(crate) struct Firsts {
    /// Places and bytes.
    pub found: Vec<(u64, Vec<u8>)>,
    /// Words in objects of external code that were read and still were as they are at first, zero.
    pub zeros: HashSet<u64>,
    seen: HashSet<u64>,
    /// Objects of the program itself, sorted: the first byte and the one behind the last.
    own: Vec<(u64, u64)>,
    /// Those among them that never change.
    constants: Vec<(u64, u64)>,
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

    /// The program reads something.
    pub fn read(&mut self, at: &At<'_>, address: u64) {
        let word = address & !7;
        if self.zeros.len() == MOST_ZEROS || at.memory().is_written(address) || !self.seen.insert(word) {
            return;
        }
        if !self.is_of_program(at, address) && at.memory().read_word(word) == 0 {
            self.zeros.insert(word);
        }
    }

    /// Something was found that external code has put there; whether it is kept.
    pub fn found(&mut self, at: &At<'_>, address: u64, size: u64) -> bool {
        self.look_at_modules(at);
        let constant = lies_in(&self.constants, address);
        let on_stack = self.argv != 0 && (self.argv..self.argv + BEHIND_ARGUMENTS).contains(&address);
        // A table of virtual functions, most likely, or what leads to one.
        let word = at.memory().read_word(address);
        let in_library = || size == 8 && self.is_near(address) && (self.is_near(word) || self.is_of_table(address));
        let kept = (on_stack || constant || self.is_declared(address) || in_library()) && self.known.insert(address);
        if kept {
            self.tables.extend((size == 8).then_some(word));
            self.found.push((address, at.memory().read_vec(address, size as usize)));
        }
        kept
    }

    /// Whether an address lies in an object of the program that never changes.
    pub fn is_constant(&mut self, at: &At<'_>, address: u64) -> bool {
        self.look_at_modules(at);
        lies_in(&self.constants, address)
    }

    /// Whether an address lies in memory of the program's own: an object, the stack, a block.
    pub fn is_of_program(&mut self, at: &At<'_>, address: u64) -> bool {
        self.look_at_modules(at);
        is_on_stack(address) || !self.is_declared(address) && (self.is_own(address) || self.is_in_block(at, address))
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
