//! Memory that what-if runs need and that a recording knows in part only.

use std::sync::Arc;

use super::characters::{TABLES, characters_of};
use crate::code::Constants;
use crate::machine::Machine;
use crate::memory::PAGE;
use crate::recall::{Recall, Then};
use crate::role::USE_CHARACTERS;
use crate::run::Knowledge;

impl Machine {
    /// Memory that the recording knows in part only, of which the rest is known from elsewhere: the program's arguments, the
    /// streams, the tables of character classes. Bytes that are not zero were seen and stay, and so do those that were written since.
    pub(crate) fn complete_memory(&mut self) {
        let recall = self.recall.clone();
        if let Some(recall) = &recall {
            self.complete_later(recall);
        }
        self.complete_constants();
        self.complete_counts();
        for guard in self.run.guards.clone() {
            self.complete(guard, &[1]);
        }
        let Some(recall) = recall else { return };
        self.complete_facet(&recall);
        for (address, bytes) in &recall.found {
            self.complete(*address, bytes);
        }
        let argv = self.run.start.as_ref().map_or(0, |start| start.argv);
        // The texts lie one behind the other; the program may have taken pointers to them out of its list.
        let mut place = if self.core.memory.is_written(argv) { self.core.memory.read_word(argv) } else { 0 };
        let known = if place == 0 { &[][..] } else { &recall.arguments[..] };
        for text in known {
            self.complete(place, text);
            place += text.len() as u64 + 1;
        }
        let streams = self
            .run
            .start
            .as_ref()
            .map(|start| [("stdin", start.stdin), ("stdout", start.stdout), ("stderr", start.stderr)]);
        let mut words = Vec::new();
        for module in &self.code.modules()[..self.run.symbols.loaded as usize] {
            for (global, &at) in module.model.globals.iter().zip(&module.globals) {
                let stream = streams.iter().flatten().find(|stream| stream.0 == global.name);
                words.extend(stream.filter(|_| at != 0).map(|stream| (at, stream.1.to_le_bytes().to_vec())));
                // What-if runs have one thread.
                words.extend((at != 0 && global.name == "__libc_single_threaded").then(|| (at, vec![1])));
            }
        }
        words.iter().for_each(|(at, bytes)| self.complete(*at, bytes));
        for (name, table) in &*TABLES {
            let known = self.run.constants.iter().find(|constant| constant.0 == *name).map_or(0, |constant| constant.1);
            let middle = if known != 0 { self.core.memory.read_word(known) } else { 0 };
            if middle != 0 {
                self.complete(middle - 128 * (table.len() as u64 / 384), table);
            }
        }
    }

    /// What external code had written before the run was left, and the recorded run read later. What it may have written later is not
    /// known.
    fn complete_later(&mut self, recall: &Recall) {
        let Some(what_if) = &mut self.what_if else { return };
        let mut knowledge = Knowledge::of(recall.later.pages.clone());
        let place = (self.core.instructions, self.core.frames.last().map_or(0, |frame| frame.pc));
        for then in recall.later.then(place, self.core.counter) {
            match then {
                Then::There(address, bytes) => self.core.memory.write_from(address, bytes),
                Then::Uncertain(address, size) => knowledge.forget(address, size),
            }
        }
        self.core.memory.set_partly(knowledge.pages().clone());
        what_if.knowledge = knowledge;
    }

    /// What Rust's library counts panics by, which the program looks at itself: nothing panics before a run is left.
    fn complete_counts(&mut self) {
        let counts = |global: &whydunit_model::Global| global.name.contains("GLOBAL_PANIC_COUNT");
        let modules = &self.code.modules()[..self.run.symbols.loaded as usize];
        let places = modules.iter().flat_map(|module| module.model.globals.iter().zip(&module.globals));
        let place = places.into_iter().find(|(global, at)| **at != 0 && counts(global)).map(|(_, &at)| at);
        if let Some(place) = place.filter(|place| !self.core.memory.is_written(*place)) {
            self.core.memory.write_from(place, &[0; 8]);
        }
    }

    /// The tables of characters of a facet of C++.
    fn complete_facet(&mut self, recall: &Recall) {
        let Some(facet) = recall.always(USE_CHARACTERS) else { return };
        for (address, bytes) in characters_of(facet) {
            self.complete(address, &bytes);
        }
    }

    fn complete(&mut self, address: u64, bytes: &[u8]) {
        let now = self.core.memory.read_vec(address, bytes.len());
        let place = (self.core.instructions, self.core.frames.last().map_or(0, |frame| frame.pc));
        for (at, (&now, &byte)) in (address..).zip(now.iter().zip(bytes)) {
            let rewritten = || self.recall.as_ref().is_some_and(|recall| recall.is_rewritten(at, place));
            if now == 0 && byte != 0 && !rewritten() {
                self.core.memory.write_from(at, &[byte]);
            }
        }
        self.know(address, bytes.len() as u64);
    }

    fn complete_constants(&mut self) {
        let loaded = self.run.symbols.loaded;
        if self.constants.as_ref().is_none_or(|known| known.loaded != loaded) {
            self.constants = Some(Constants::of(&self.code, loaded));
        }
        let Some(pages) = self.constants.as_ref().map(|constants| Arc::clone(&constants.pages)) else { return };
        for (address, image) in pages.iter() {
            let now = self.core.memory.read_vec(*address, PAGE);
            let complete = now.iter().zip(image).map(|(&now, &byte)| if now == 0 { byte } else { now });
            let complete: Vec<u8> = complete.collect();
            if complete != now {
                self.core.memory.write_from(*address, &complete);
            }
        }
    }
}
