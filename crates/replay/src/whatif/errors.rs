//! Standard exceptions of C++ in what-if runs: objects with a text, which `what` gives. Those that are made here get a table of
//! virtual functions of their own.

use super::{WhatIfStop, stop};
use crate::machine::{Flow, Machine};
use crate::observer::{Nothing, Observer};

/// Of an exception: its text.
const TEXT: u64 = 8;
/// Of its table of virtual functions: what gives the text.
const WHAT: u64 = 8 * 2;
/// No text is longer.
const LONGEST: u64 = 1 << 16;

/// Where `what` of exceptions lies that are made here. No program has code there.
const MADE_UP_WHAT: u64 = 0x6fff_ffff_0000;

/// Classes that the program makes by calling the library.
const CLASSES: &[&str] = &[
    "St11logic_error",
    "St12domain_error",
    "St16invalid_argument",
    "St12length_error",
    "St12out_of_range",
    "St13runtime_error",
    "St11range_error",
    "St14overflow_error",
    "St15underflow_error",
];

/// A function of a standard exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StandardError {
    /// Makes one from a text of C or C++, or from another one.
    Make(Source),
    Destroy,
    What,
}

/// What one is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Text,
    String,
    Other,
}

/// One that the library made in a recorded run.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub object: u64,
    text: Vec<u8>,
    /// What its words were before.
    before: [u64; 2],
}

/// So many are kept, the last ones.
const MOST: usize = 16;

impl StandardError {
    /// By symbol.
    pub fn of(symbol: &str) -> Option<Self> {
        match symbol {
            "_ZNSt9exceptionD1Ev" | "_ZNSt9exceptionD2Ev" => return Some(Self::Destroy),
            "_ZNKSt9exception4whatEv" | "_ZNKSt13runtime_error4whatEv" | "_ZNKSt11logic_error4whatEv" => {
                return Some(Self::What);
            }
            _ => {}
        }
        let member = symbol.strip_prefix("_ZN")?;
        let class = CLASSES.iter().find(|class| member.starts_with(**class))?;
        Some(match &member[class.len()..] {
            "C1EPKc" | "C2EPKc" => Self::Make(Source::Text),
            "C1ERKS_" | "C2ERKS_" | "C1EOS_" | "C2EOS_" => Self::Make(Source::Other),
            "D1Ev" | "D2Ev" => Self::Destroy,
            other if other.ends_with("basic_stringIcSt11char_traitsIcESaIcEEE") => Self::Make(Source::String),
            _ => return None,
        })
    }
}

/// The name of a function that only what-if runs have; empty where there is none.
pub(crate) fn made_up_name(address: u64) -> &'static str {
    if address == MADE_UP_WHAT { "_ZNKSt9exception4whatEv" } else { "" }
}

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
        errors.push(Made { object, text, before });
    }

    /// The words of standard exceptions that nobody has read or written since the library made them.
    pub(super) fn complete_errors(&mut self) {
        for Made { object, text, before } in self.run.errors.clone() {
            let places = [object, object.wrapping_add(TEXT)];
            let now = places.map(|place| self.core.memory.read_vec(place, 8));
            self.make_error(&mut Nothing, object, &text);
            for ((place, now), before) in places.into_iter().zip(now).zip(before) {
                if now != before.to_le_bytes() {
                    self.core.memory.write_from(place, &now);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_exceptions_are_known_by_their_symbols() {
        let string = "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
        let of = StandardError::of;
        assert_eq!(of("_ZNSt13runtime_errorC2EPKc"), Some(StandardError::Make(Source::Text)));
        assert_eq!(of(&format!("_ZNSt12out_of_rangeC1E{string}")), Some(StandardError::Make(Source::String)));
        assert_eq!(of("_ZNSt11logic_errorC1ERKS_"), Some(StandardError::Make(Source::Other)));
        assert_eq!(of("_ZNSt11logic_errorD2Ev"), Some(StandardError::Destroy));
        assert_eq!(of("_ZNSt13runtime_erroraSERKS_"), None);
        assert_eq!(of(made_up_name(MADE_UP_WHAT)), Some(StandardError::What));
        assert_eq!(made_up_name(MADE_UP_WHAT - 8), "");
    }
}
