//! Standard input where what-if runs read it: where the recorded run left it, and beyond what that has read.

use std::borrow::Cow;

use whydunit_library as library;

use super::Recalled;
use crate::extraction::{BufferCall, Extraction, INPUT_BUFFER, STANDARD_INPUT};
use crate::observer::At;
use crate::role::RustInput;

/// What a function reads of standard input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reads {
    /// A character of this stream; without one, of standard input.
    Character { stream: Option<usize> },
    /// A line into memory.
    Line,
    /// A line into a block that may be made larger.
    NewLine,
    /// Items into memory.
    Block,
    /// Bytes of a descriptor into memory.
    Bytes,
    /// A character is given back.
    Back,
    /// Something else.
    Other,
}

impl Reads {
    fn of(input: library::Input) -> Option<Self> {
        use library::Input;
        Some(match input {
            Input::Character { stream } => Self::Character { stream },
            Input::Line => Self::Line,
            Input::Back => Self::Back,
            Input::NewLine => Self::NewLine,
            Input::Block => Self::Block,
            Input::Bytes => Self::Bytes,
            Input::Format { .. } | Input::Other(_) => Self::Other,
            Input::Place | Input::FormatText => return None,
            Input::Open | Input::OpenOther | Input::Rewind | Input::Seek => return None,
        })
    }

    /// What the function of this name reads; its arguments `args` as the plain function has them, and the stream or descriptor among them:
    /// none where it is standard input without being named.
    fn call<'a>(name: &str, args: &'a [u64]) -> Option<(Self, Cow<'a, [u64]>, Option<u64>)> {
        let known = library::lookup(name)?;
        let (input, args) = (known.function.input?, known.plain(args));
        let stream = input.stream().and_then(|stream| args.get(stream).copied());
        Some((Self::of(input)?, args, stream))
    }
}

/// The name of the stream that is standard input, and its descriptor.
pub(crate) const STREAM: &str = "stdin";
const DESCRIPTOR: u64 = 0;

/// The bytes of the first line, with its end.
pub(crate) fn line(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| end + 1)
}

/// What a read at the end of the input gives.
const END: u64 = 0xffff_ffff;

/// Standard input, and how far the recorded run has read it.
#[derive(Debug, Default)]
pub(crate) struct Input {
    bytes: Vec<u8>,
    /// The stream, once it was named.
    stream: Option<u64>,
    /// Behind calls that read, by their instruction counts: how much was read.
    read: Vec<(u64, usize)>,
    /// The state of the stream of C++, behind calls that changed it.
    states: Vec<(u64, u32)>,
    /// It was read in a way that is not followed, or reads gave something else.
    lost: bool,
}

impl Input {
    /// Of a run that reads these bytes.
    pub fn of(bytes: Option<Vec<u8>>) -> Self {
        Self { lost: bytes.is_none(), bytes: bytes.unwrap_or_default(), ..Self::default() }
    }

    fn at(&self) -> usize {
        self.read.last().map_or(0, |read| read.1)
    }

    /// A recorded call of C++ or Rust has returned that takes something of standard input.
    pub fn taken(&mut self, at: &At<'_>, name: &str, args: &[u64], words: &[u64]) {
        if self.lost {
            return;
        }
        let rest = self.bytes.get(self.at()..).unwrap_or_default();
        let done = if let Some(call) = RustInput::of(name) {
            let read = matches!(call, RustInput::Line | RustInput::Rest);
            call.takes(rest).filter(|used| !read || words == [0, *used as u64]).map(|used| (used, None))
        } else if let Some(call) = BufferCall::of(name) {
            let standard = at.code.address_of(STANDARD_INPUT);
            let buffer = standard.map(|stream| at.memory().read_word(stream + INPUT_BUFFER));
            match buffer == call.buffer(args) && buffer != Some(0) {
                true => call.take(rest).map(|taken| (taken.used, None)),
                false => return,
            }
        } else if let extraction = Extraction::of(name)
            && (extraction.is_some() || Extraction::is_other(name))
            && args.first().copied() == at.code.address_of(STANDARD_INPUT)
        {
            let state = self.states.last().map_or(0, |state| state.1);
            match extraction {
                // Whether the program has put it in order again is not known.
                Some(call) if state == 0 => call.take(rest, true, args).map(|taken| (taken.used, Some(taken.state))),
                _ => None,
            }
        } else {
            return;
        };
        match done {
            Some((used, state)) => {
                self.read.push((at.instruction(), self.at() + used));
                self.states.extend(state.map(|state| (at.instruction(), state)));
            }
            None => self.lost = true,
        }
    }

    /// Where a run stands that left the recorded one at `instruction` and stands at `place` since it has read, what is left, and the state
    /// of the stream of C++ when it left. None where that is not known.
    pub fn standing(&self, place: Option<usize>, instruction: u64) -> Option<(usize, &[u8], u32)> {
        if self.lost {
            return None;
        }
        let done = self.read.partition_point(|read| read.0 < instruction);
        let from = place.unwrap_or_else(|| done.checked_sub(1).map_or(0, |last| self.read[last].1));
        let changed = self.states.partition_point(|state| state.0 < instruction);
        let state = changed.checked_sub(1).map_or(0, |last| self.states[last].1);
        Some((from, self.bytes.get(from..).unwrap_or_default(), state))
    }

    /// A recorded call has returned.
    pub fn returned(&mut self, at: &At<'_>, name: &str, args: &[u64], result: u64) {
        if self.lost {
            return;
        }
        let Some((reads, args, stream)) = Reads::call(name, args) else { return };
        let args = &args[..];
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let is_other = match reads {
            Reads::Bytes => stream != Some(DESCRIPTOR),
            // Where the program has no name for standard input it has no other stream that is it.
            _ => stream.is_some() && at.code.address_of(STREAM).map(|named| at.memory().read_word(named)) != stream,
        };
        if is_other {
            return;
        }
        let from = self.at();
        let rest = self.bytes.get(from..).unwrap_or_default();
        let starts = |address: u64, size: u64| {
            (size <= rest.len() as u64 && rest.starts_with(&at.memory().read_vec(address, size as usize)))
                .then_some(from + size as usize)
        };
        let to = match reads {
            Reads::Other => None,
            Reads::NewLine if (result as i64) < 0 => Some(from),
            Reads::NewLine => starts(at.memory().read_word(arg(0)), result),
            Reads::Bytes if (result as i64) < 0 => Some(from),
            Reads::Bytes => starts(arg(1), result),
            Reads::Block => {
                let there = starts(arg(0), result.saturating_mul(arg(1)));
                // A part of an item at the end is read, too.
                there.map(|to| if result < arg(2) { self.bytes.len() } else { to })
            }
            Reads::Character { .. } if result & END == END => Some(from),
            Reads::Character { .. } => (rest.first() == Some(&(result as u8))).then_some(from + 1),
            Reads::Line if result == 0 => Some(from),
            Reads::Line => {
                let text = at.memory().read_string(result, rest.len() as u64 + 1);
                (!text.is_empty() && rest.starts_with(&text)).then_some(from + text.len())
            }
            Reads::Back if result & END == END => Some(from),
            Reads::Back => {
                from.checked_sub(1).filter(|&before| self.bytes.get(before) == args.first().map(|&c| c as u8).as_ref())
            }
        };
        match to {
            Some(to) => {
                self.stream = self.stream.or(stream);
                self.read.push((at.instruction(), to));
            }
            None => self.lost = true,
        }
    }

    /// What a call reads in a run that left the recorded one at `instruction` and stands at `place` of the input since it has read:
    /// what it writes, and its result. None where that is not known.
    pub fn call(&self, place: &mut Option<usize>, instruction: u64, name: &str, args: &[u64]) -> Option<Recalled> {
        let (reads, args, stream) = Reads::call(name, args)?;
        let args = &args[..];
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let is_other = stream.is_some() && stream != self.stream;
        if self.lost || reads == Reads::Other || self.read.is_empty() || is_other {
            return None;
        }
        let done = self.read.partition_point(|read| read.0 < instruction);
        let from = place.unwrap_or_else(|| done.checked_sub(1).map_or(0, |last| self.read[last].1));
        let rest = self.bytes.get(from..).unwrap_or_default();
        let (to, writes, result) = match reads {
            Reads::Character { .. } => match rest.first() {
                Some(&byte) => (from + 1, Vec::new(), u64::from(byte)),
                None => (from, Vec::new(), END),
            },
            Reads::Line => {
                let [buffer, size, ..] = *args else { return None };
                let most = (size as u32).checked_sub(1).filter(|most| *most > 0)? as usize;
                match line(rest).min(most) {
                    0 => (from, Vec::new(), 0),
                    line => (from + line, vec![(buffer, [&rest[..line], b"\0"].concat())], buffer),
                }
            }
            Reads::Block => {
                let (size, wanted) = (arg(1), arg(1).saturating_mul(arg(2)));
                let bytes = &rest[..rest.len().min(usize::try_from(wanted).unwrap_or(usize::MAX))];
                let items = (bytes.len() as u64).checked_div(size).unwrap_or(0);
                (from + bytes.len(), vec![(arg(0), bytes.to_vec())], items)
            }
            Reads::Bytes => {
                let bytes = &rest[..rest.len().min(usize::try_from(arg(2)).unwrap_or(usize::MAX))];
                (from + bytes.len(), vec![(arg(1), bytes.to_vec())], bytes.len() as u64)
            }
            Reads::Back => {
                let given = *args.first()?;
                // Another character than the one that was read would have to be kept.
                let before = from.checked_sub(1).filter(|&before| self.bytes.get(before) == Some(&(given as u8)))?;
                (before, Vec::new(), given & 0xff)
            }
            // It may have to make a block: `Machine::line_of_input`.
            Reads::NewLine | Reads::Other => return None,
        };
        *place = Some(to);
        Some(Recalled { writes, words: vec![result] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: u64 = 0x7000;

    /// What calls give in a run that left the recorded one at instruction 20, when two bytes were read.
    fn calls(calls: &[(&str, &[u64])]) -> Vec<Option<(u64, Vec<u8>)>> {
        let read = vec![(10, 1), (15, 2), (30, 3)];
        let input = Input { bytes: b"ab\ncde\n".to_vec(), stream: Some(STREAM), read, ..Input::default() };
        let mut place = None;
        let mut call = |&(name, args): &(&str, &[u64])| {
            let read = input.call(&mut place, 20, name, args)?;
            Some((read.words[0], read.writes.first().map(|write| write.1.clone()).unwrap_or_default()))
        };
        calls.iter().map(&mut call).collect()
    }

    #[test]
    fn reads_go_on_where_the_run_was_left() {
        let line = |text: &str| Some((0x8000, text.as_bytes().to_vec()));
        let byte = |byte: u8| Some((u64::from(byte), Vec::new()));
        let fgets = ("fgets", &[0x8000, 3, STREAM][..]);
        let read = calls(&[
            ("getchar", &[]),
            ("getc", &[STREAM]),
            ("ungetc", &[u64::from(b'c'), STREAM]),
            fgets,
            fgets,
            fgets,
            ("fgetc", &[STREAM]),
        ]);
        let end = Some((END, Vec::new()));
        let expected = [byte(b'\n'), byte(b'c'), byte(b'c'), line("cd\0"), line("e\n\0"), Some((0, Vec::new())), end];
        assert_eq!(read, expected);
    }

    #[test]
    fn blocks_are_read_as_far_as_there_is_something() {
        let fread = ("fread", &[0x8000, 2, 9, STREAM][..]);
        assert_eq!(calls(&[fread, fread]), [Some((2, b"\ncde\n".to_vec())), Some((0, Vec::new()))]);
        let read = ("read", &[0, 0x8000, 3][..]);
        assert_eq!(calls(&[read]), [None], "the stream is read, and not the descriptor");
    }

    #[test]
    fn what_is_not_followed_is_not_known() {
        assert_eq!(
            calls(&[("getc", &[STREAM + 8]), ("ungetc", &[u64::from(b'z'), STREAM]), ("scanf", &[1])]),
            [const { None }; 3]
        );
    }
}
