//! What the compiled part of libstdc++ does for streams in what-if runs: locales are the C locale, and numbers go into the buffers
//! of the program's own streams.

use super::characters::{WIDEN, WIDEN_DONE, characters_of};
use super::stop;
use crate::machine::{Flow, Machine};
use crate::observer::Observer;
use crate::output::Stream;
use crate::role::{Compiled, Print, USE_CHARACTERS};
use crate::run::{After, WhatIfStop};
use crate::streams::{self, FIRST_FLAGS, FIRST_PRECISION, FLAGS, Number, PRECISION, WIDTH};

/// Bytes of a `std::ios_base`, and of its words for programs, which it points to.
const IOS_BASE: u64 = 216;
const LOCAL_WORDS: u64 = 64;
const WORD_COUNT: u64 = 192;
const WORDS: u64 = 200;
/// So many bytes are a facet.
const FACET: u64 = 1024;
/// Of a table of virtual functions of a `std::streambuf`: the one that takes bytes.
const XSPUTN: u64 = 8 * 12;
impl Machine {
    pub(super) fn compiled<O: Observer>(&mut self, observer: &mut O, call: Compiled, args: &[u64]) -> Flow {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let writable = matches!(call, Compiled::MakeIosBase | Compiled::StartIosBase);
        if writable && !self.what_if_knows(arg(0)) {
            return stop(WhatIfStop::UnknownMemory { address: arg(0) });
        }
        let words = match call {
            Compiled::Nothing => vec![],
            Compiled::First => vec![arg(0)],
            Compiled::Flush => vec![0],
            Compiled::MakeIosBase => {
                let mut bytes = vec![0; IOS_BASE as usize - 8];
                let mut put = |at: u64, value: u64| bytes[at as usize - 8..][..8].copy_from_slice(&value.to_le_bytes());
                put(WORD_COUNT, 8);
                put(WORDS, arg(0).wrapping_add(LOCAL_WORDS));
                self.written(observer, &[(arg(0).wrapping_add(8), bytes)]);
                vec![]
            }
            Compiled::StartIosBase => {
                let mut bytes = vec![0; (FLAGS + 4 - PRECISION) as usize];
                bytes[..8].copy_from_slice(&FIRST_PRECISION.to_le_bytes());
                bytes[(FLAGS - PRECISION) as usize..].copy_from_slice(&(FIRST_FLAGS as u32).to_le_bytes());
                self.written(observer, &[(arg(0).wrapping_add(PRECISION), bytes)]);
                vec![]
            }
            Compiled::HasFacet => vec![1],
            Compiled::UseFacet => {
                let name = self.external_name();
                let known = self.recall.as_ref().and_then(|recall| recall.always(&name));
                let made = || self.run.constants.iter().find(|known| known.0 == name).map(|known| known.1);
                match known.or_else(made) {
                    Some(facet) => vec![facet],
                    None => {
                        let facet = self.what_if_allocate(observer, FACET, true);
                        if name == USE_CHARACTERS {
                            self.written(observer, &characters_of(facet));
                        }
                        self.run.constants.push((name, facet));
                        vec![facet]
                    }
                }
            }
            Compiled::Widen => {
                self.written(
                    observer,
                    &[(arg(0).wrapping_add(WIDEN_DONE), vec![1]), (arg(0).wrapping_add(WIDEN), (0..=255).collect())],
                );
                vec![]
            }
            Compiled::Number(number) => return self.put_number(observer, number, args),
        };
        self.what_if_returns(observer, args, &words)
    }

    /// `std::num_put<char>::put`: facet, buffer, whether it has failed, stream, filling, value.
    fn put_number<O: Observer>(&mut self, observer: &mut O, number: Number, args: &[u64]) -> Flow {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let (buffer, failed, ios) = (arg(1), arg(2) & 1, arg(3));
        let memory = &self.core.memory;
        let done = Print::Number(number).success(args);
        if let Stream::Descriptor(_) = streams::stream_of(&mut self.run.streams, memory, buffer) {
            let flow = self.what_if_returns(observer, args, &done);
            self.core.memory.write_uint(ios.wrapping_add(WIDTH), 8, 0);
            self.know(ios.wrapping_add(WIDTH), 8);
            return flow;
        }
        if !self.what_if_knows(buffer) {
            return stop(WhatIfStop::UnknownMemory { address: buffer });
        }
        let table = memory.read_word(buffer);
        let function = self
            .what_if_knows(table.wrapping_add(XSPUTN))
            .then(|| self.function_at(memory.read_word(table.wrapping_add(XSPUTN))));
        let text = number.text(memory, ios, arg(4) as u8, arg(5));
        let (Some(Some(function)), Some(text)) = (function, text) else {
            return stop(WhatIfStop::External { name: self.external_name() });
        };
        self.written(observer, &[(ios.wrapping_add(WIDTH), vec![0; 8])]);
        if failed != 0 {
            return self.what_if_returns(observer, args, &done);
        }
        let bytes = text.len() as u64;
        let place = self.what_if_allocate(observer, bytes, true);
        self.written(observer, &[(place, text)]);
        self.call_captured(observer, function, &[buffer, place, bytes], After::Place { buffer, bytes })
    }
}
