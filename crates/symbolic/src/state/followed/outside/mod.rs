//! What a run is given from outside - arguments, standard input, files - as variables: bytes, and the numbers that library
//! functions read from them.

mod characters;
mod reads;
mod rust;
mod streams;
mod texts;

use std::collections::HashMap;
use std::ops::Range;

use whydunit_replay::At;
use whydunit_terms::{Assignment, Evaluator, Sort, Term};

use super::{Followed, State};
use crate::inputs::{InputVariable, Inputs, ReadAs, Source};
use crate::memory::compose;

pub(crate) use reads::{Reading, reads_input};

/// What a function gives at the end of its input.
const END: u64 = 0xffff_ffff;

/// What a stream reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum From {
    /// A source.
    Source(Source),
    /// A text in memory, by its number.
    Text(usize),
}

/// A text that a stream of C++ reads: its bytes, and where they are from.
struct Text {
    bytes: Vec<u8>,
    origins: Vec<Option<(Source, usize)>>,
}

/// Something that is read from front to back.
pub(crate) struct Stream {
    from: From,
    at: usize,
    /// It was read in a way that is not followed.
    lost: bool,
}

/// What a pointer in memory points to, once it is read: what code outside has written is found only then.
#[derive(Clone)]
pub(crate) enum Pointer {
    /// The middle of a table of character classes.
    Table(&'static str),
    /// Bytes of a source.
    Text(From, Range<usize>),
}

/// What was given, and how far it was read.
pub(crate) struct Outside {
    inputs: Inputs,
    /// The list of arguments that `main` was given.
    argv: u64,
    /// Where arguments lie that the program has looked for.
    texts: Vec<(u64, usize)>,
    /// Streams by their address or descriptor.
    streams: HashMap<u64, Stream>,
    /// Texts that streams read.
    texts_read: Vec<Text>,
    /// Where streams of C++ keep how far they are, with the streams.
    pub(crate) places: HashMap<u64, u64>,
    /// Other addresses of streams: those of the buffers of C++.
    aliases: HashMap<u64, u64>,
    /// Calls under way that read.
    pub(crate) reading: Vec<Reading>,
    pub(crate) variables: Vec<InputVariable>,
    known: HashMap<(Source, usize, ReadAs), Term>,
    bytes: HashMap<Term, (Source, usize)>,
    /// Where `strtok` goes on.
    token: u64,
    /// The next argument that an iterator of Rust gives.
    argument: usize,
    /// What the call under way finds was said as a condition.
    pub(crate) said: bool,
    /// Pointers by their places.
    pub(crate) pointers: HashMap<u64, Pointer>,
    /// The tables of character classes, where they lie: from character -128 on.
    tables: Vec<(u64, &'static str)>,
}

impl Outside {
    pub fn new(inputs: Inputs) -> Self {
        let stdin = Stream { from: From::Source(Source::Stdin), at: 0, lost: false };
        Self {
            inputs,
            argv: 0,
            texts: Vec::new(),
            streams: [(0, stdin)].into(),
            texts_read: Vec::new(),
            places: HashMap::new(),
            aliases: HashMap::new(),
            reading: Vec::new(),
            variables: Vec::new(),
            known: HashMap::new(),
            bytes: HashMap::new(),
            token: 0,
            argument: 0,
            said: false,
            pointers: HashMap::new(),
            tables: Vec::new(),
        }
    }

    /// `main` begins.
    pub fn begins(&mut self, argv: u64) {
        self.argv = argv;
    }

    /// The text of an argument that an address lies in: its start, its bytes with the one that ends it.
    pub fn text_at(&self, address: u64) -> Option<(u64, u64)> {
        let texts = self.texts.iter().map(|&(start, argument)| (start, self.inputs.args[argument].len() as u64 + 1));
        texts.into_iter().find(|&(start, size)| address.wrapping_sub(start) < size)
    }
}

impl State<'_> {
    /// The variable for something that was read.
    pub(crate) fn given(&mut self, from: &From, range: Range<usize>, read: ReadAs, value: u64) -> Option<Term> {
        let outside = &mut self.followed.as_mut()?.outside;
        let (source, range) = match from {
            From::Source(source) => (source.clone(), range),
            From::Text(text) => {
                let (source, start) = outside.texts_read[*text].origins.get(range.start).cloned().flatten()?;
                (source, start..start + range.len())
            }
        };
        let key = (source.clone(), range.start, read);
        if let Some(&known) = outside.known.get(&key) {
            return Some(known);
        }
        let width = if read == ReadAs::Byte { 8 } else { 64 };
        let term = self.pool.variable(Sort::BitVec(width), format!("{source:?}[{}]", range.start));
        outside.known.insert(key, term);
        if read == ReadAs::Byte {
            outside.bytes.insert(term, (source.clone(), range.start));
        }
        self.run.push((term, value.into()));
        outside.variables.push(InputVariable { term, source: source.clone(), range, read, value: value.into() });
        Some(term)
    }

    /// Memory that holds bytes of a source is them.
    pub(crate) fn given_bytes(&mut self, at: &At<'_>, address: u64, from: &From, range: Range<usize>) {
        let bytes: Vec<u8> = self.text(from).get(range.clone()).unwrap_or_default().to_vec();
        for (place, (offset, byte)) in range.zip(bytes).enumerate() {
            let place = address.wrapping_add(place as u64);
            if let Some(term) = self.given(from, offset..offset + 1, ReadAs::Byte, byte.into()) {
                self.marks.store(at.memory(), place, 1, Some(term), false);
            }
        }
    }

    /// A word is about to be read: what it points to may be something that was given.
    pub(crate) fn look_for_pointers(&mut self, at: &At<'_>, address: u64) {
        let Some(Followed { outside, .. }) = self.followed.as_deref_mut() else { return };
        match outside.pointers.remove(&address) {
            Some(Pointer::Table(name)) => self.found_table(name, at.memory().read_word(address)),
            Some(Pointer::Text(from, range)) => {
                let (data, length) = (at.memory().read_word(address), range.len() as u64);
                self.given_bytes(at, data, &from, range);
                // The byte that ends it.
                self.marks.store(at.memory(), data.wrapping_add(length), 1, None, false);
            }
            None => self.look_for_arguments(at, address),
        }
    }

    /// The same for the list of arguments.
    fn look_for_arguments(&mut self, at: &At<'_>, address: u64) {
        let Some(Followed { outside, .. }) = self.followed.as_deref_mut() else { return };
        let number = address.wrapping_sub(outside.argv) / 8;
        let is_one = outside.argv != 0 && number > 0 && number < outside.inputs.args.len() as u64;
        if !is_one || !address.is_multiple_of(8) {
            return;
        }
        let (start, argument) = (at.memory().read_word(address), number as usize);
        if outside.texts.iter().any(|text| text.1 == argument) {
            return;
        }
        outside.texts.push((start, argument));
        let length = outside.inputs.args[argument].len();
        self.given_bytes(at, start, &From::Source(Source::Argument(argument)), 0..length);
    }

    /// Memory was found to be something else than it was: what is known of it is forgotten, unless just that was to be found.
    pub(crate) fn found(&mut self, at: &At<'_>, address: u64, size: u64) {
        let values: Assignment = self.run.iter().copied().collect();
        for place in (0..size).map(|offset| address.wrapping_add(offset)) {
            let byte = self.marks.bytes(at.memory(), place, 1);
            let Some(term) = compose(&mut self.pool, &byte) else { continue };
            let is = Evaluator::new(&self.pool, &values).value(term) as u8;
            if is != byte[0].0 {
                self.marks.store(at.memory(), place, 1, None, false);
            }
        }
    }

    /// Where a byte of memory is from, if it is just what was given.
    pub(crate) fn origin(&mut self, at: &At<'_>, address: u64) -> Option<(Source, usize)> {
        let byte = self.marks.bytes(at.memory(), address, 1);
        let term = compose(&mut self.pool, &byte)?;
        self.followed.as_ref()?.outside.bytes.get(&term).cloned()
    }
}
