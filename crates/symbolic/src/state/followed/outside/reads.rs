//! Calls that read what a run was given.

use std::ops::Range;

use whydunit_library::{Input, NumberValue, Precision, lookup};
use whydunit_replay::{At, External, scan::scan};
use whydunit_terms::Term;

use super::rust::Taking;
use super::streams::Extraction;
use super::{END, From, Outside, Stream};
use crate::inputs::{ReadAs, Source};
use crate::state::State;
use crate::state::followed::Followed;

/// The longest text of which a number is read.
const LONGEST: u64 = 1 << 12;

/// A call under way that reads.
pub(crate) struct Reading {
    /// Frames below it: what is called back may read, too.
    depth: usize,
    how: How,
    args: Vec<u64>,
}

/// What a function reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    /// As a function of the C library.
    Library(Input),
    /// A copy of a text.
    Copy,
    /// A stream of C++.
    Stream(Extraction),
    /// A function of Rust's library.
    Rust(Taking),
}

impl How {
    fn of(name: &str) -> Option<Self> {
        if let Some(known) = lookup(name) {
            let copies = known.name() == "strdup";
            return known.function.input.map(Self::Library).or(copies.then_some(Self::Copy));
        }
        let stream = || Extraction::of(name).map(Self::Stream);
        let other = || {
            let of_cpp = ["_ZNSi", "_ZNSt13basic_istream", "_ZStrsI"].iter().any(|head| name.starts_with(head));
            // Constructors and what ends one read nothing.
            let reads = of_cpp && !["C1E", "C2E", "D0E", "D1E", "D2E", "sentry"].iter().any(|part| name.contains(part));
            reads.then_some(Self::Library(Input::Other(Some(0))))
        };
        Taking::of(name).map(Self::Rust).or_else(stream).or_else(other)
    }
}

/// Whether a function reads what a run is given.
pub(crate) fn reads_input(name: &str) -> bool {
    How::of(name).is_some()
}

/// How a function reads a number from a text, as a format of `scanf`; whether it is signed, and of how many bits.
fn number(name: &str, args: &[u64]) -> Option<(&'static [u8], bool, u32)> {
    let number = lookup(name)?.function.number?;
    Some(match number.value {
        NumberValue::Float(Precision::Double) => (b"%lf", true, 64),
        NumberValue::Float(_) => return None,
        NumberValue::Integer { bits, signed } => {
            let format: &[u8] = match number.base.map_or(10, |base| args.get(base).copied().unwrap_or(0)) {
                10 => b"%ld",
                0 => b"%li",
                16 => b"%lx",
                8 => b"%lo",
                _ => return None,
            };
            (format, signed, bits)
        }
    })
}

impl State<'_> {
    /// What a function reads as a number from a text that was given.
    pub(crate) fn number_given(&mut self, at: &At<'_>, call: &External<'_>) -> Option<Term> {
        self.followed.as_ref()?;
        let arg = |n: usize| call.args.get(n).copied().unwrap_or(0);
        let (format, signed, bits) = number(call.name, call.args)?;
        let text = self.text_given(at, arg(0));
        let read = scan(&text, format)?;
        let assigned = read.assigned.first().filter(|assigned| assigned.fits(signed))?;
        let (source, start) = self.origin(at, arg(0).wrapping_add(assigned.text.start as u64))?;
        let value = u64::from_le_bytes(assigned.bytes[..].try_into().ok()?);
        let range = start..start + assigned.text.len();
        let as_float = assigned.kind == b'f';
        let term =
            self.given(&From::Source(source), range, if as_float { ReadAs::Float } else { ReadAs::Integer }, value)?;
        self.within(term, bits, signed && !as_float, value);
        Some(if bits < 64 { self.pool.truncate(term, bits) } else { term })
    }

    /// A text that was given, as far as it was: what code outside has written since is found only when the program reads it.
    fn text_given(&mut self, at: &At<'_>, address: u64) -> Vec<u8> {
        let mut text = Vec::new();
        while text.len() < LONGEST as usize
            && let Some((source, place)) = self.origin(at, address.wrapping_add(text.len() as u64))
            && let Some(&byte) = self.text(&From::Source(source)).get(place)
        {
            text.push(byte);
        }
        text
    }

    /// A number that was given fits so many bits.
    fn within(&mut self, term: Term, bits: u32, signed: bool, value: u64) {
        if bits >= 64 || !signed {
            return;
        }
        let short = self.pool.truncate(term, bits);
        let long = self.pool.sext(short, 64);
        let fits = self.pool.eq(long, term);
        // Of one that does not fit the function makes something else.
        let unused = 64 - bits;
        if (value << unused) as i64 >> unused == value as i64 {
            self.hold(fits);
        }
    }

    /// A call begins that may read.
    pub(crate) fn reads(&mut self, at: &At<'_>, call: &External<'_>) {
        if self.followed.is_none() {
            return;
        }
        let Some(how) = How::of(call.name) else { return };
        if let How::Stream(extraction) = how {
            self.text_of_stream(at, extraction, call.args);
        }
        if let Some(Followed { outside, .. }) = self.followed.as_deref_mut() {
            // What is in between in other forms of the function is none of its arguments.
            let args =
                lookup(call.name).map_or_else(|| call.args.to_vec(), |known| known.plain(call.args).into_owned());
            outside.reading.push(Reading { depth: at.depth, how, args });
        }
    }

    /// Where bytes of memory are from.
    pub(super) fn origins(&mut self, at: &At<'_>, address: u64, length: usize) -> Vec<Option<(Source, usize)>> {
        (0..length).map(|offset| self.origin(at, address.wrapping_add(offset as u64))).collect()
    }

    /// It has returned.
    pub(crate) fn has_read(&mut self, at: &At<'_>, call: &External<'_>, result: u64) {
        self.learn_table(call.name, result);
        let Some(Followed { outside, .. }) = self.followed.as_deref_mut() else { return };
        // Those that an exception has ended are gone.
        outside.reading.retain(|reading| reading.depth <= at.depth);
        let is_it = |reading: &mut Reading| reading.depth == at.depth && How::of(call.name) == Some(reading.how);
        let Some(Reading { how, args, .. }) = outside.reading.pop_if(is_it) else { return };
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match how {
            How::Library(input) => self.has_read_by(at, input, &args, result),
            How::Rust(taking) => self.has_taken(at, taking, &args),
            How::Stream(extraction) => self.has_extracted(at, extraction, &args, result),
            How::Copy => {
                let length = at.memory().read_string(arg(0), LONGEST).len() as u64;
                for offset in 0..length {
                    let byte = self.marks.bytes(at.memory(), arg(0).wrapping_add(offset), 1);
                    let term = crate::memory::compose(&mut self.pool, &byte);
                    self.marks.store(at.memory(), result.wrapping_add(offset), 1, term, false);
                }
            }
        }
    }

    /// A function of the C library has read.
    fn has_read_by(&mut self, at: &At<'_>, input: Input, args: &[u64], result: u64) {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match input {
            Input::Character { stream } => {
                let Some((source, from)) = self.stream_at(stream.map_or(0, arg)) else { return };
                if result & END == END {
                    return;
                }
                if self.text(&source).get(from) != Some(&(result as u8)) {
                    return self.lose(stream.map_or(0, arg));
                }
                self.advance(stream.map_or(0, arg), 1);
                if let Some(byte) = self.given(&source, from..from + 1, ReadAs::Byte, result & 0xff) {
                    self.computed = Some(self.pool.zext(byte, 32));
                }
            }
            Input::Line | Input::NewLine => {
                let (stream, buffer) = match input {
                    Input::Line => (arg(2), result),
                    _ => (arg(2), at.memory().read_word(arg(0))),
                };
                let none = result == 0 || input == Input::NewLine && result == u64::MAX;
                let text = if none { Vec::new() } else { at.memory().read_string(buffer, u64::from(u32::MAX)) };
                self.block(at, stream, buffer, &text);
            }
            Input::Block => {
                let bytes = arg(1).saturating_mul(result);
                let text = at.memory().read_vec(arg(0), bytes.min(1 << 24) as usize);
                self.block(at, arg(3), arg(0), &text);
            }
            Input::Bytes => {
                let bytes = (result as i64).clamp(0, 1 << 24) as usize;
                let text = at.memory().read_vec(arg(1), bytes);
                self.block(at, arg(0) & END, arg(1), &text);
            }
            Input::Back => {
                let Some((source, from)) = self.stream_at(arg(1)) else { return };
                let before = from.checked_sub(1).filter(|&before| self.text(&source)[before] == arg(0) as u8);
                match before.and(self.stream(arg(1))) {
                    _ if result & END == END => {}
                    Some(stream) => stream.at -= 1,
                    None => self.lose(arg(1)),
                }
            }
            Input::Format { stream } => {
                let key = stream.map_or(0, arg);
                let Some((source, from)) = self.stream_at(key) else { return };
                let first = stream.map_or(0, |_| 1);
                let text = self.text(&source)[from..].to_vec();
                let rest = args.get(first + 1..).unwrap_or_default();
                match self
                    .formatted_read(at, &text, arg(first), rest, result, |offset| Some((source.clone(), from + offset)))
                {
                    Some(used) => self.advance(key, used),
                    None => self.lose(key),
                }
            }
            Input::FormatText => {
                let text = at.memory().read_string(arg(0), LONGEST);
                let origins = self.origins(at, arg(0), text.len());
                let rest = args.get(2..).unwrap_or_default();
                self.formatted_read(at, &text, arg(1), rest, result, |offset| {
                    let (source, at) = origins.get(offset).cloned().flatten()?;
                    Some((From::Source(source), at))
                });
            }
            Input::OpenOther => {
                if let Some(Followed { outside, .. }) = self.followed.as_deref_mut() {
                    let from = From::Source(Source::Stdin);
                    outside.streams.insert(result, Stream { from, at: 0, lost: true });
                }
            }
            Input::Place => self.lose(arg(0)),
            Input::Other(stream) => self.lose(stream.map_or(0, arg)),
            Input::Open => {
                self.open(at, arg(0), result, result != 0 && result & END != END);
            }
            Input::Rewind => {
                if let Some(stream) = self.stream(arg(0)) {
                    stream.at = 0;
                }
            }
            Input::Seek => self.lose(arg(0)),
        }
    }

    /// What a call like `scanf` assigns; how much of the text it took. None where that is not known.
    fn formatted_read(
        &mut self,
        at: &At<'_>,
        text: &[u8],
        format: u64,
        args: &[u64],
        result: u64,
        origin: impl Fn(usize) -> Option<(From, usize)>,
    ) -> Option<usize> {
        let format = at.memory().read_string(format, LONGEST);
        let read = scan(text, &format)?;
        if read.result as u32 != result as u32 { None } else { self.assigned(at, text, &format, args, origin) }
    }

    /// Stores what a text is read as by a format; how much of it was read. None where that is not known.
    pub(super) fn assigned(
        &mut self,
        at: &At<'_>,
        text: &[u8],
        format: &[u8],
        args: &[u64],
        origin: impl Fn(usize) -> Option<(From, usize)>,
    ) -> Option<usize> {
        let read = scan(text, format)?;
        for assigned in &read.assigned {
            let address = *args.get(assigned.argument)?;
            let Some((source, start)) = origin(assigned.text.start) else { continue };
            let range: Range<usize> = start..start + assigned.text.len();
            let fits = assigned.fits(matches!(assigned.kind, b'd' | b'i'));
            match assigned.kind {
                _ if !fits => self.marks.store(at.memory(), address, assigned.bytes.len(), None, false),
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                    let (size, signed) = (assigned.bytes.len(), matches!(assigned.kind, b'd' | b'i'));
                    let mut bytes = [0; 8];
                    bytes[..size].copy_from_slice(&assigned.bytes);
                    let shift = 64 - 8 * size as u32;
                    let whole = u64::from_le_bytes(bytes);
                    let value = if signed { ((whole << shift) as i64 >> shift) as u64 } else { whole };
                    let term = self.given(&source, range, ReadAs::Integer, value)?;
                    self.within(term, 8 * size as u32, signed, value);
                    let term = self.pool.truncate(term, 8 * size as u32);
                    self.marks.store(at.memory(), address, size, Some(term), false);
                }
                b'f' | b'e' | b'g' | b'a' if assigned.bytes.len() == 8 => {
                    let value = u64::from_le_bytes(assigned.bytes[..].try_into().ok()?);
                    let term = self.given(&source, range, ReadAs::Float, value)?;
                    self.marks.store(at.memory(), address, 8, Some(term), false);
                }
                b's' | b'c' | b'[' => self.given_bytes(at, address, &source, range),
                _ => {}
            }
        }
        Some(read.used)
    }

    /// A file is read as a stream from now on.
    pub(super) fn open(&mut self, at: &At<'_>, name: u64, stream: u64, opened: bool) {
        let name = String::from_utf8_lossy(&at.memory().read_string(name, LONGEST)).into_owned();
        let name = name.strip_prefix("./").map_or(name.clone(), String::from);
        let Some(Followed { outside, .. }) = self.followed.as_deref_mut().filter(|_| opened) else { return };
        let lost = !outside.inputs.files.contains_key(&name);
        outside.streams.insert(stream, Stream { from: From::Source(Source::File(name)), at: 0, lost });
    }

    /// Bytes were read from a stream into memory.
    fn block(&mut self, at: &At<'_>, stream: u64, address: u64, bytes: &[u8]) {
        let Some((source, from)) = self.stream_at(stream) else { return };
        if !self.text(&source)[from..].starts_with(bytes) {
            return self.lose(stream);
        }
        self.advance(stream, bytes.len());
        self.given_bytes(at, address, &source, from..from + bytes.len());
    }

    /// A stream; what nobody has seen opened is standard input.
    pub(super) fn stream(&mut self, key: u64) -> Option<&mut Stream> {
        let Outside { streams, aliases, .. } = &mut self.followed.as_mut()?.outside;
        let key = aliases.get(&key).copied().unwrap_or(key);
        let key = if streams.contains_key(&key) { key } else { 0 };
        streams.get_mut(&key)
    }

    /// What a stream reads, and where it stands; none where that is not known.
    pub(super) fn stream_at(&mut self, key: u64) -> Option<(From, usize)> {
        let stream = self.stream(key).filter(|stream| !stream.lost)?;
        let (source, from) = (stream.from.clone(), stream.at);
        let length = self.text(&source).len();
        Some((source, from.min(length)))
    }

    /// What is read from there.
    pub(super) fn text(&self, from: &From) -> &[u8] {
        let Some(Followed { outside, .. }) = self.followed.as_deref() else { return &[] };
        match from {
            From::Source(source) => outside.inputs.text(source),
            From::Text(text) => &outside.texts_read[*text].bytes,
        }
    }

    pub(super) fn advance(&mut self, key: u64, bytes: usize) {
        if let Some(stream) = self.stream(key) {
            stream.at += bytes;
        }
    }

    /// Nobody knows where a stream stands.
    pub(super) fn lose(&mut self, key: u64) {
        if let Some(Followed { outside, .. }) = self.followed.as_deref_mut() {
            let key = outside.aliases.get(&key).copied().unwrap_or(key);
            let unknown = || Stream { from: From::Source(Source::Stdin), at: 0, lost: true };
            outside.streams.entry(key).or_insert_with(unknown).lost = true;
        }
        self.notes.insert("input that was read in a way that is not followed stays as it is".into());
    }
}
