//! Standard input in what-if runs of C++ and Rust: strings and numbers are read where the run stands in it.

use whydunit_library::{Input, lookup};

use super::stop;
use crate::extraction::{AT_END, BufferCall, Extraction, FAILED, INPUT_BUFFER, STANDARD_INPUT};
use crate::machine::{Flow, Machine};
use crate::observer::Observer;
use crate::recall;
use crate::role::RustInput;
use crate::run::WhatIfStop;

/// Of a `std::istream`: where its `std::ios` begins. Of that: the state, the flags, the pointer to the buffer, how much is read at most.
const IOS: u64 = 16;
const STATE: u64 = 32;
const FLAGS: u64 = 24;
const BUFFER: u64 = 232;
const WIDTH: u64 = 16;
/// Where the table of a class says how far its `std::ios` lies behind it.
const TO_BASE: u64 = 24;
/// Flag: white space is skipped.
const SKIPS: u64 = 1 << 12;
/// Flags of numbers that are not decimal.
const BASES: u64 = 1 << 3 | 1 << 6 | 1;
/// Of a `std::stringbuf`: what can be read, how far it was, and how far it was written.
const READ_AT: u64 = 16;
const READ_END: u64 = 24;
const WRITE_AT: u64 = 40;
/// No text that is read is longer.
const LONGEST: u64 = 1 << 24;
/// Of a `std::string`: its length, and the place for short texts, of so many bytes.
const LENGTH: u64 = 8;
const SHORT: u64 = 16;
const SHORT_BYTES: u64 = 15;
/// A stream that nothing is known of has so many bytes, all zero.
const STREAM: u64 = 128;
/// The table of virtual functions of a `std::stringbuf`, and where in it the functions begin.
const STRING_BUFFER: &str = "_ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE";
const FUNCTIONS: u64 = 16;

/// Where text comes from.
enum Origin {
    /// Standard input, from this place on.
    Standard(usize),
    /// The buffer of a stream of the program.
    Buffer(u64),
}

/// `getline` makes blocks of so many bytes for short lines.
const LINE: u64 = 120;

impl Machine {
    /// `getline` of standard input, which makes a block or enlarges it where the line needs one: what it gives. `None` where that is
    /// another function or stream, or it is not known where the run stands in it.
    pub(super) fn line_of_input<O: Observer>(
        &mut self,
        observer: &mut O,
        name: &str,
        args: &[u64],
    ) -> Option<Vec<u64>> {
        let known = lookup(name).filter(|known| known.function.input == Some(Input::NewLine))?;
        let [block, room, stream] = known.plain(args)[..] else { return None };
        let standard = self.code.address_of(recall::STREAM).map(|named| self.core.memory.read_word(named));
        if standard != Some(stream) || !self.what_if_knows(block) || !self.what_if_knows(room) {
            return None;
        }
        let recorded = self.recall.clone()?;
        let what_if = self.what_if.as_mut()?;
        let (from, rest, _) = recorded.standard_input(&what_if.made, what_if.first_instruction)?;
        let length = recall::line(rest);
        what_if.made.stand(from + length);
        let line = [&rest[..length], b"\0"].concat();
        if length == 0 {
            return Some(vec![u64::MAX]);
        }
        let (mut to, size) = (self.core.memory.read_word(block), self.core.memory.read_word(room));
        if to == 0 || size < line.len() as u64 {
            let size = (line.len() as u64).max(LINE);
            to = self.what_if_allocate(observer, size, false);
            self.written(observer, &[(block, to.to_le_bytes().to_vec()), (room, size.to_le_bytes().to_vec())]);
        }
        self.written(observer, &[(to, line)]);
        Some(vec![length as u64])
    }

    /// `std::istream` takes something; none where the stream is one that is not followed.
    pub(super) fn extraction<O: Observer>(&mut self, observer: &mut O, call: Extraction, args: &[u64]) -> Option<Flow> {
        let stream = *args.first()?;
        let (origin, rest, ios, before) = self.origin(stream)?;
        let memory = &self.core.memory;
        let flags = match self.what_if_knows(ios.wrapping_add(FLAGS)) {
            true => memory.read_uint(ios.wrapping_add(FLAGS), 4),
            false => 0,
        };
        let flags = if flags == 0 { SKIPS } else { flags };
        let width =
            if self.what_if_knows(ios.wrapping_add(WIDTH)) { memory.read_word(ios.wrapping_add(WIDTH)) } else { 0 };
        if flags & BASES != 0 && matches!(call, Extraction::Integer { .. }) || width != 0 {
            return None;
        }
        let state = before;
        let taken = if state == 0 {
            call.take(&rest, flags & SKIPS != 0, args)?
        } else {
            crate::extraction::Taken { state: FAILED, ..Default::default() }
        };
        if let Some(stopped) = self.charge([taken.used as u64].into_iter()) {
            return Some(stop(stopped));
        }
        let now = (state | taken.state).to_le_bytes().to_vec();
        let target = args.get(1).copied().unwrap_or(0);
        let mut writes = vec![(ios.wrapping_add(STATE), now)];
        match (call, taken.value) {
            (Extraction::Line { .. } | Extraction::Word, _) => {
                // Where the stream was in order the string is emptied, whatever comes.
                let emptied = state == 0 && (taken.state & FAILED == 0 || matches!(call, Extraction::Line { .. }));
                if emptied && !self.set_string(observer, target, &taken.text) {
                    return Some(stop(WhatIfStop::UnknownMemory { address: target }));
                }
            }
            (Extraction::Integer { bytes, .. }, Some(value)) => {
                writes.push((target, value.to_le_bytes()[..bytes as usize].to_vec()))
            }
            (Extraction::Double, Some(value)) => writes.push((target, value.to_le_bytes().to_vec())),
            (Extraction::Character | Extraction::GetInto, Some(value)) => writes.push((target, vec![value as u8])),
            _ => {}
        }
        match origin {
            Origin::Standard(from) => {
                let what_if = self.what_if.as_mut()?;
                what_if.made.stand(from + taken.used);
            }
            Origin::Buffer(buffer) => {
                let at = self.core.memory.read_word(buffer + READ_AT) + taken.used as u64;
                writes.push((buffer + READ_AT, at.to_le_bytes().to_vec()));
            }
        }
        self.written(observer, &writes);
        let result = match call {
            Extraction::Get | Extraction::Peek => taken.value.unwrap_or(0xffff_ffff),
            _ => stream,
        };
        Some(self.what_if_returns(observer, args, &[result]))
    }

    /// Where a stream reads, what is left there, its `std::ios`, and its state.
    fn origin(&mut self, stream: u64) -> Option<(Origin, Vec<u8>, u64, u32)> {
        let memory = &self.core.memory;
        if self.code.address_of(STANDARD_INPUT) == Some(stream) {
            let ios = stream.wrapping_add(IOS);
            let (from, rest, state) = self.standard_input()?;
            // The program may have put the stream in order again.
            let now = memory.read_uint(ios.wrapping_add(STATE), 4) as u32;
            let has_read = self.what_if.as_ref().is_some_and(|what_if| what_if.made.has_read());
            return Some((Origin::Standard(from), rest, ios, if has_read { now } else { state }));
        }
        let table = memory.read_word(stream);
        if !self.what_if_knows(stream) || !self.what_if_knows(table.wrapping_sub(TO_BASE)) {
            return None;
        }
        let ios = stream.wrapping_add(memory.read_word(table.wrapping_sub(TO_BASE)));
        let known = self.what_if_knows(ios.wrapping_add(BUFFER)) && self.what_if_knows(ios.wrapping_add(STATE));
        let buffer = memory.read_word(ios.wrapping_add(BUFFER));
        let rest = if known { self.left_in(buffer)? } else { return None };
        let state = memory.read_uint(ios.wrapping_add(STATE), 4) as u32;
        Some((Origin::Buffer(buffer), rest, ios, state))
    }

    /// Where the run stands in standard input, what is left of it, and the state of its stream when the recorded run was left.
    fn standard_input(&self) -> Option<(usize, Vec<u8>, u32)> {
        let (recall, what_if) = (self.recall.as_ref()?, self.what_if.as_ref()?);
        let (from, rest, state) = recall.standard_input(&what_if.made, what_if.first_instruction)?;
        Some((from, rest.to_vec(), state))
    }

    /// What can be read of a `std::stringbuf`; none where it is another buffer, or not known.
    fn left_in(&self, buffer: u64) -> Option<Vec<u8>> {
        let memory = &self.core.memory;
        let table = memory.read_word(buffer).checked_sub(FUNCTIONS)?;
        if !self.what_if_knows(buffer) || self.code.address_of(STRING_BUFFER) != Some(table) {
            return None;
        }
        let word = |at: u64| memory.read_word(buffer.wrapping_add(at));
        let (at, end) = (word(READ_AT), word(READ_END).max(word(WRITE_AT)));
        let length = end.checked_sub(at).filter(|length| *length <= LONGEST)?;
        if at == 0 || length > 0 && !self.what_if_knows(at) {
            return None;
        }
        Some(memory.read_vec(at, length as usize))
    }

    /// Code of the program takes something from the buffer of a stream; none where that is one that is not followed.
    pub(super) fn buffer_call<O: Observer>(
        &mut self,
        observer: &mut O,
        call: BufferCall,
        args: &[u64],
    ) -> Option<Flow> {
        let buffer = call.buffer(args)?;
        let memory = &self.core.memory;
        let standard = self.code.address_of(STANDARD_INPUT).map(|stream| memory.read_word(stream + INPUT_BUFFER));
        let (from, rest) = match standard == Some(buffer) && buffer != 0 {
            true => self.standard_input().map(|(from, rest, _)| (Some(from), rest))?,
            // The end was seen already.
            false if buffer == 0 => (None, Vec::new()),
            false => (None, self.left_in(buffer)?),
        };
        let taken = call.take(&rest)?;
        let mut writes = Vec::new();
        let words = match call {
            BufferCall::Peek | BufferCall::Next => vec![taken.value.unwrap_or(0xffff_ffff)],
            BufferCall::Number(number) => {
                let [_, _, _, _, _, stream, state, target] = *args else { return None };
                let flags = memory.read_uint(stream.wrapping_add(FLAGS), 4);
                if flags & BASES != 0 && matches!(number, Extraction::Integer { .. }) {
                    return None;
                }
                let bytes = if let Extraction::Integer { bytes, .. } = number { bytes as usize } else { 8 };
                writes.push((state, taken.state.to_le_bytes().to_vec()));
                writes.extend(taken.value.map(|value| (target, value.to_le_bytes()[..bytes].to_vec())));
                vec![if taken.state & AT_END == 0 { buffer } else { 0 }, 0xffff_ffff]
            }
        };
        match from {
            Some(from) => self.what_if.as_mut()?.made.stand(from + taken.used),
            None if buffer == 0 => {}
            None => {
                let at = memory.read_word(buffer + READ_AT) + taken.used as u64;
                writes.push((buffer + READ_AT, at.to_le_bytes().to_vec()));
            }
        }
        self.written(observer, &writes);
        Some(self.what_if_returns(observer, args, &words))
    }

    /// Gives a `std::string` another text; false where it is not known.
    fn set_string<O: Observer>(&mut self, observer: &mut O, string: u64, text: &[u8]) -> bool {
        if !self.what_if_knows(string) {
            return false;
        }
        let memory = &self.core.memory;
        let place = memory.read_word(string);
        let short = string.wrapping_add(SHORT);
        let room = if place == short { SHORT_BYTES } else { memory.read_word(short) };
        let length = text.len() as u64;
        let mut writes = Vec::new();
        let place = if length <= room && (place == short || self.what_if_knows(place)) {
            place
        } else {
            let place = self.what_if_allocate(observer, length + 1, true);
            writes.push((string, place.to_le_bytes().to_vec()));
            writes.push((short, length.to_le_bytes().to_vec()));
            place
        };
        writes.push((place, [text, b"\0"].concat()));
        writes.push((string.wrapping_add(LENGTH), length.to_le_bytes().to_vec()));
        self.written(observer, &writes);
        true
    }

    /// A program of Rust reads standard input; none where it is not known what it gets.
    pub(super) fn rust_input<O: Observer>(&mut self, observer: &mut O, call: RustInput, args: &[u64]) -> Option<Flow> {
        let words = match call {
            RustInput::Stream => vec![self.what_if_allocate(observer, STREAM, true)],
            RustInput::Locked => vec![*args.first()?, 0],
            RustInput::Other => return None,
            RustInput::Line | RustInput::Rest => {
                let recall = self.recall.clone()?;
                let what_if = self.what_if.as_mut()?;
                let (from, rest, _) = recall.standard_input(&what_if.made, what_if.first_instruction)?;
                let taken = rest.get(..call.takes(rest)?)?;
                what_if.made.stand(from + taken.len());
                if let Err(stopped) = self.append(observer, *args.get(1)?, taken) {
                    return Some(stop(stopped));
                }
                vec![0, taken.len() as u64]
            }
        };
        Some(self.what_if_returns(observer, args, &words))
    }
}
