//! Streams of C++: what they read, from standard input, a file or a text in memory.

use whydunit_replay::{At, scan::scan};

use super::{END, From, Pointer, Stream, Text};
use crate::inputs::ReadAs;
use crate::state::State;
use crate::state::followed::Followed;

/// From streams to their own buffers: those that only read, and those that write, too.
const TO_BUFFER: [u64; 2] = [16, 24];
/// The longest text that a stream reads.
const LONGEST_TEXT: u64 = 1 << 20;

/// What is extracted from a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extraction {
    /// A value by `>>`, with this conversion of `scanf`.
    Extract(&'static [u8]),
    /// A word by `>>`, into a string.
    Word,
    /// A line, into a string.
    Whole,
    /// A character, which may stay there.
    Get { stays: bool },
    /// A number by `num_get`.
    Number(&'static [u8]),
    /// A file is opened for a buffer.
    OpenBuffer,
    /// A file is opened for a stream, by a name that is a C string or a `std::string`.
    OpenStream { string: bool },
}

impl Extraction {
    /// What a function of its compiled part reads.
    pub(super) fn of(name: &str) -> Option<Self> {
        let extracted = |code: &str| -> Option<&'static [u8]> {
            Some(match code {
                "i" => b"%d",
                "s" => b"%hd",
                "j" => b"%u",
                "l" | "x" => b"%ld",
                "m" | "y" => b"%lu",
                "d" => b"%lf",
                _ => return None,
            })
        };
        if let Some(code) = name.strip_prefix("_ZNSirsER") {
            return extracted(code).map(Self::Extract);
        }
        if let Some(code) = name.strip_prefix("_ZNSi10_M_extractI").and_then(|rest| rest.strip_suffix("EERSiRT_")) {
            return extracted(code).map(Self::Extract);
        }
        if let Some(rest) =
            name.strip_prefix("_ZNKSt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE3getES3_S3_R")
        {
            return extracted(rest.strip_prefix("St8ios_baseRSt12_Ios_IostateR")?).map(Self::Number);
        }
        if name.starts_with("_ZStrsIcSt11char_traitsIcESaIcEE") {
            return Some(Self::Word);
        }
        if name.starts_with("_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Rc") {
            return Some(Self::Extract(b" %c"));
        }
        if name.starts_with("_ZSt7getlineIcSt11char_traitsIcESaIcEE") {
            return Some(Self::Whole);
        }
        let opened = ["_ZNSt14basic_ifstreamIcSt11char_traitsIcEE", "_ZNSt13basic_fstreamIcSt11char_traitsIcEE"];
        if let Some(rest) = opened.iter().find_map(|class| name.strip_prefix(class))
            && let Some(rest) = ["C1E", "C2E", "4openE"].iter().find_map(|method| rest.strip_prefix(method))
        {
            let string = rest.starts_with("RKNSt7__cxx1112basic_string");
            return (string || rest.starts_with("PKc")).then_some(Self::OpenStream { string });
        }
        match name {
            "_ZNSi3getEv" | "_ZNSt15basic_streambufIcSt11char_traitsIcEE5uflowEv" => Some(Self::Get { stays: false }),
            "_ZNSi4peekEv" | "_ZNSt15basic_streambufIcSt11char_traitsIcEE9underflowEv" => {
                Some(Self::Get { stays: true })
            }
            "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode" => Some(Self::OpenBuffer),
            _ => None,
        }
    }

    /// The stream that a call reads.
    fn stream(self, args: &[u64]) -> u64 {
        let at = usize::from(matches!(self, Self::Number(_)));
        args.get(at).copied().unwrap_or(0)
    }
}

impl State<'_> {
    /// A stream of C++ whose buffer the program has filled reads a text in memory: the one before its own buffer, or the buffer.
    pub(super) fn text_of_stream(&mut self, at: &At<'_>, extraction: Extraction, args: &[u64]) {
        let stream = extraction.stream(args);
        let Some(Followed { outside, .. }) = self.followed.as_deref() else { return };
        if matches!(extraction, Extraction::OpenBuffer | Extraction::OpenStream { .. })
            || outside.aliases.contains_key(&stream)
            || outside.streams.contains_key(&stream)
        {
            return;
        }
        let word = |address: u64| match at.memory().is_written(address) {
            true => at.memory().read_word(address),
            false => 0,
        };
        for buffer in TO_BUFFER.map(|offset| stream.wrapping_add(offset)).into_iter().chain([stream]) {
            let [begin, now, end] = [8, 16, 24].map(|offset| word(buffer.wrapping_add(offset)));
            if begin == 0 || now < begin || end < now || end - begin > LONGEST_TEXT {
                continue;
            }
            let bytes = at.memory().read_vec(now, (end - now) as usize);
            let origins = self.origins(at, now, bytes.len());
            let Some(Followed { outside, .. }) = self.followed.as_deref_mut() else { return };
            outside.texts_read.push(Text { bytes, origins });
            let from = From::Text(outside.texts_read.len() - 1);
            outside.streams.insert(buffer, Stream { from, at: 0, lost: false });
            outside.places.insert(buffer.wrapping_add(16), buffer);
            if buffer != stream {
                outside.aliases.insert(stream, buffer);
            }
            return;
        }
    }

    /// The program itself sets how far a stream is, or begins another one there.
    pub(crate) fn places_stream(&mut self, address: u64) {
        let Some(Followed { outside, .. }) = self.followed.as_deref_mut() else { return };
        if let Some(buffer) = outside.places.remove(&address) {
            outside.streams.remove(&buffer);
            outside.aliases.retain(|_, known| *known != buffer);
        }
    }

    /// Something was extracted.
    pub(super) fn has_extracted(&mut self, at: &At<'_>, extraction: Extraction, args: &[u64], result: u64) {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let key = extraction.stream(args);
        match extraction {
            Extraction::Extract(format) | Extraction::Number(format) => {
                let value = if let Extraction::Number(_) = extraction { arg(7) } else { arg(1) };
                let Some((source, from)) = self.stream_at(key) else { return };
                let text = self.text(&source)[from..].to_vec();
                let assigned = scan(&text, format).filter(|read| read.result == 1);
                let Some(used) = assigned.map(|read| read.used) else { return self.lose(key) };
                let place = |offset| Some((source.clone(), from + offset));
                match self.assigned(at, &text, format, &[value], place) {
                    Some(_) => self.advance(key, used),
                    None => self.lose(key),
                }
            }
            Extraction::Word | Extraction::Whole => {
                let Some((source, from)) = self.stream_at(key) else { return };
                let rest = self.text(&source)[from..].to_vec();
                let blank = |byte: &u8| matches!(byte, 9..=13 | 32);
                let is_word = extraction == Extraction::Word;
                let skipped = if is_word { rest.iter().take_while(|byte| blank(byte)).count() } else { 0 };
                let delimiter = args.get(2).map_or(b'\n', |&delimiter| delimiter as u8);
                let ends = |byte: &u8| if is_word { blank(byte) } else { *byte == delimiter };
                let length = rest[skipped..].iter().take_while(|byte| !ends(byte)).count();
                if rest.len() == skipped {
                    return self.advance(key, skipped);
                }
                // The end of a line is read, too.
                let end = usize::from(!is_word && rest.len() > length);
                self.advance(key, skipped + length + end);
                let start = from + skipped;
                // Where the string has them is found when it is looked at.
                if let Some(Followed { outside, .. }) = self.followed.as_deref_mut() {
                    outside.pointers.insert(arg(1), Pointer::Text(source, start..start + length));
                }
            }
            Extraction::Get { stays } => {
                let Some((source, from)) = self.stream_at(key) else { return };
                if self.text(&source).get(from) == Some(&(result as u8)) && result & END != END {
                    self.advance(key, usize::from(!stays));
                    if let Some(byte) = self.given(&source, from..from + 1, ReadAs::Byte, result & 0xff) {
                        self.computed = Some(self.pool.zext(byte, 32));
                    }
                } else if result & END != END {
                    self.lose(key);
                }
            }
            Extraction::OpenBuffer => {
                self.open(at, arg(1), key, result != 0);
                self.alias(key.wrapping_sub(TO_BUFFER[0]), key);
            }
            Extraction::OpenStream { string } => {
                // Whether that went well shows when it is read.
                self.open(at, if string { at.memory().read_word(arg(1)) } else { arg(1) }, key, true);
                for offset in TO_BUFFER {
                    self.alias(key.wrapping_add(offset), key);
                }
            }
        }
    }

    /// Another address of a stream.
    fn alias(&mut self, of: u64, stream: u64) {
        if let Some(Followed { outside, .. }) = self.followed.as_deref_mut() {
            outside.aliases.insert(of, stream);
        }
    }
}
