//! What programs of Rust print by its own library, which is external code: the arguments of formats are there, and what formats them is
//! code of the program. In what-if runs that prints; in a recorded run it is asked once what it would print.

use std::sync::Arc;

use super::{push_frame_for_inspection, stop};
use crate::formats::Formatted;
use crate::function_id::FuncId;
use crate::machine::{Flow, Machine};
use crate::observer::{Nothing, Observer};
use crate::output::Stream;
use crate::role::{RustOutput, WRITE_CHARACTER, WRITE_TEXT};
use crate::run::{After, Limits, WhatIfRun, WhatIfStop, print_key};

/// How far one format may go.
const FORMAT: Limits = Limits { instructions: 1 << 20, depth: 1000, output: 1 << 20 };
/// Instructions that may be executed to tell what a recorded run prints.
const MOST_SPENT: u64 = 50_000_000;
/// A stream that nothing is known of has so many bytes, all zero.
const STREAM: u64 = 128;

impl Machine {
    /// From now on the run tells what it prints by Rust's own library: what is known of it, else what its formats come to. What these read
    /// of memory may be out of date where external code has written it and the program has not read it: whoever asks must know what was
    /// really printed, and compare.
    pub fn tell_formats(&mut self, known: &Formatted) {
        self.formats.on = true;
        self.formats.known = Arc::clone(&known.0);
    }

    /// What-if runs pass by what the run prints by Rust's own library, of which nobody says what it should be, as of a test in Rust's
    /// harness. Else such a call ends them, where it is not told what it prints.
    pub fn pass_formats_by(&mut self) {
        self.formats.unseen = true;
    }

    /// A call of such a function in a what-if run.
    pub(super) fn rust_output<O: Observer>(&mut self, observer: &mut O, call: RustOutput, args: &[u64]) -> Flow {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let unknown = |machine: &Self| stop(WhatIfStop::External { name: machine.external_name() });
        let words = match call {
            RustOutput::Text | RustOutput::Bytes { .. } => {
                let (address, length) = (arg(1), arg(2));
                if let Some(address) = self.what_if_lacks(address, length) {
                    return stop(WhatIfStop::UnknownMemory { address });
                }
                if let Some(stopped) = self.charge([length].into_iter()) {
                    return stop(stopped);
                }
                let (descriptor, words) = match call {
                    RustOutput::Bytes { .. } if !self.formats.on && !self.prints_unseen() => return unknown(self),
                    RustOutput::Bytes { descriptor, whole: true } => (descriptor, vec![0]),
                    RustOutput::Bytes { descriptor, whole: false } => (descriptor, vec![0, length]),
                    _ => (arg(0) as i32, vec![0]),
                };
                let bytes = self.core.memory.read_vec(address, length.min(FORMAT.output as u64) as usize);
                self.emit(observer, Stream::Descriptor(descriptor), bytes);
                words
            }
            RustOutput::Character => {
                let text = char::from_u32(arg(1) as u32).unwrap_or(char::REPLACEMENT_CHARACTER).to_string();
                self.emit(observer, Stream::Descriptor(arg(0) as i32), text.into_bytes());
                vec![0]
            }
            RustOutput::Flush => vec![0],
            RustOutput::Stream { locked: true } => vec![arg(0)],
            RustOutput::Stream { locked: false } => vec![self.what_if_allocate(observer, STREAM, true)],
            // What formats it may read what is not known; of a print that nobody looks at nothing else is left.
            RustOutput::Formatted { result, .. } if !self.formats.on && self.prints_unseen() => {
                vec![0; usize::from(result)]
            }
            RustOutput::Formatted { first, descriptor, result } => {
                let Some((function, words)) = self.format_call(observer, descriptor, args.get(first..).unwrap_or(&[]))
                else {
                    return unknown(self);
                };
                return self.call_captured(observer, function, &words, After::Formatted { result });
            }
        };
        self.what_if_returns(observer, args, &words)
    }

    /// In a what-if run: whether nobody looks at what it prints, and it may print.
    fn prints_unseen(&self) -> bool {
        let may = |run: &WhatIfRun| run.expectation.is_none() && run.limits.output > 0;
        self.formats.unseen && self.what_if.as_deref().is_some_and(may)
    }

    /// What formats, and what it is given so that what it makes of these arguments is printed; none where that is not asked for.
    fn format_call<O: Observer>(
        &mut self,
        observer: &mut O,
        descriptor: i32,
        arguments: &[u64],
    ) -> Option<(FuncId, Vec<u64>)> {
        let function = self.run.formatter.filter(|_| self.formats.on)?;
        // No destructor, no bytes, aligned to one; then what takes a text, and a character.
        let table: Vec<u8> =
            [0, 0, 1, WRITE_TEXT, WRITE_CHARACTER, 0].iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
        let place = self.what_if_allocate(observer, table.len() as u64, true);
        self.written(observer, &[(place, table)]);
        Some((function, [descriptor as u64, place].into_iter().chain(arguments.iter().copied()).collect()))
    }

    /// What a call of a recorded run printed that has returned; nothing where it is not asked for, or cannot be told.
    pub(crate) fn recorded_rust_output(
        &mut self,
        call: RustOutput,
        args: &[u64],
        words: &[u64],
    ) -> Option<(Stream, Vec<u8>)> {
        if !self.formats.on || self.what_if.is_some() {
            return None;
        }
        let key = print_key(&self.core, self.at().pc);
        let known = self.formats.known.get(&key).cloned().flatten();
        let memory = &self.core.memory;
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let worked = words.first() == Some(&0);
        let told = |descriptor: i32, bytes| Some((Stream::Descriptor(descriptor), bytes));
        match call {
            RustOutput::Bytes { descriptor: 1, .. } | RustOutput::Formatted { descriptor: 1, .. }
                if known.is_some() =>
            {
                told(1, known?)
            }
            RustOutput::Bytes { descriptor, whole } if worked => {
                let length = if whole { arg(2) } else { words.get(1).copied().unwrap_or(0) };
                told(descriptor, memory.read_vec(arg(1), length.min(1 << 32) as usize))
            }
            RustOutput::Formatted { first, descriptor, .. } => {
                if !self.formats.texts.contains_key(&key) {
                    let text = self.formatted(args.get(first..).unwrap_or(&[]));
                    self.formats.texts.insert(key, text);
                }
                told(descriptor, self.formats.texts.get(&key)?.clone()?)
            }
            _ => None,
        }
    }

    /// What format arguments come to where the run stands, asked for or not.
    pub(super) fn told_format(&mut self, arguments: &[u64]) -> Option<Vec<u8>> {
        let on = std::mem::replace(&mut self.formats.on, true);
        let told = self.formatted(arguments);
        self.formats.on = on;
        told
    }

    /// What format arguments come to where the run stands.
    fn formatted(&mut self, arguments: &[u64]) -> Option<Vec<u8>> {
        if self.formats.spent > MOST_SPENT {
            return None;
        }
        let snapshot = self.begin_free(FORMAT);
        let outcome = self.format_call(&mut Nothing, 1, arguments).map(|(function, words)| {
            let usp = self.core.usp.wrapping_sub(256) & !15;
            push_frame_for_inspection(self, function, &words, usp);
            self.finish_free(None, &mut Nothing)
        });
        self.end_free(&snapshot).ok()?;
        let outcome = outcome?.ok()?;
        self.formats.spent += outcome.instructions;
        let ended = matches!(outcome.stop, WhatIfStop::Returned(_));
        ended.then(|| outcome.output.into_iter().flat_map(|event| event.bytes).collect())
    }
}
