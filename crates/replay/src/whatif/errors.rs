//! Standard exceptions of C++ in what-if runs: objects with a text, which `what` gives. Those that are made here get a table of
//! virtual functions of their own.

use super::stop;
use crate::machine::{Flow, Machine};
use crate::observer::{Nothing, Observer};
use crate::role::{MADE_UP_WHAT, Source, StandardError};
use crate::run::{MadeError, WhatIfStop};

/// Of an exception: its text.
const TEXT: u64 = 8;
/// Of its table of virtual functions: what gives the text.
const WHAT: u64 = 8 * 2;
/// No text is longer.
const LONGEST: u64 = 1 << 16;

/// So many are kept, the last ones.
const MOST: usize = 16;

impl Machine {
    pub(super) fn standard_error<O: Observer>(&mut self, observer: &mut O, call: StandardError, args: &[u64]) -> Flow {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let memory = &self.core.memory;
        let words = match call {
            StandardError::Destroy => vec![],
            StandardError::Make(_) if !self.what_if_knows(arg(0)) => {
                return stop(WhatIfStop::UnknownMemory { address: arg(0) });
            }
            StandardError::Make(source) => {
                let text = self.text_of_error(source, arg(1));
                self.make_error(observer, arg(0), &text);
                vec![]
            }
            StandardError::What => match memory.read_word(arg(0).wrapping_add(TEXT)) {
                text if self.what_if_knows(text) => vec![text],
                address => return stop(WhatIfStop::UnknownMemory { address }),
            },
        };
        self.what_if_returns(observer, args, &words)
    }

    fn text_of_error(&self, source: Source, from: u64) -> Vec<u8> {
        let memory = &self.core.memory;
        match source {
            Source::Text => memory.read_string(from, LONGEST),
            Source::String => {
                let length = memory.read_word(from.wrapping_add(8)).min(LONGEST);
                memory.read_vec(memory.read_word(from), length as usize)
            }
            Source::Other => memory.read_string(memory.read_word(from.wrapping_add(TEXT)), LONGEST),
        }
    }

    /// Follows the standard exceptions that a recorded run makes: the library writes them, and a what-if run may begin before
    /// anything of them is read.
    pub(crate) fn follow_error(&mut self, call: StandardError, args: &[u64]) {
        let Some(&object) = args.first() else { return };
        if call == StandardError::Destroy {
            self.run.errors.retain(|known| known.object != object);
        }
        let (StandardError::Make(source), Some(&from)) = (call, args.get(1)) else { return };
        let text = self.text_of_error(source, from);
        let memory = &self.core.memory;
        let before = [memory.read_word(object), memory.read_word(object.wrapping_add(TEXT))];
        let errors = &mut self.run.errors;
        errors.retain(|known| known.object != object);
        if errors.len() == MOST {
            errors.remove(0);
        }
        errors.push(MadeError { object, text, before });
    }

    /// The standard exceptions that the library has made, and what their words are as far as the program has read or written them.
    pub(super) fn errors_so_far(&self) -> Vec<(MadeError, [u64; 2])> {
        let word = |address: u64| self.core.memory.read_word(address);
        let now = |error: &MadeError| [word(error.object), word(error.object.wrapping_add(TEXT))];
        self.run.errors.iter().map(|error| (error.clone(), now(error))).collect()
    }

    /// The words of standard exceptions that nobody has read or written since the library made them.
    pub(super) fn complete_errors(&mut self, errors: Vec<(MadeError, [u64; 2])>) {
        for (MadeError { object, text, before }, now) in errors {
            self.make_error(&mut Nothing, object, &text);
            for ((place, now), before) in [object, object.wrapping_add(TEXT)].into_iter().zip(now).zip(before) {
                if now != before {
                    self.core.memory.write_from(place, &now.to_le_bytes());
                }
            }
        }
    }

    /// Makes a standard exception with this text at `object`.
    pub(super) fn make_error<O: Observer>(&mut self, observer: &mut O, object: u64, text: &[u8]) {
        let copy = self.what_if_allocate(observer, text.len() as u64 + 1, true);
        let table = self.what_if_allocate(observer, WHAT + 8, true);
        let words = [table.to_le_bytes(), copy.to_le_bytes()].concat();
        let what = (table + WHAT, MADE_UP_WHAT.to_le_bytes().to_vec());
        self.written(observer, &[(copy, text.to_vec()), what, (object, words)]);
    }
}
