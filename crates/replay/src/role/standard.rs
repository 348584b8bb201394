//! Functions of the precompiled part of Rust's standard library: its allocator, and functions of texts that generic and inline
//! code calls.

use whydunit_library::{RustHeap, rust_heap};
use whydunit_model::names;

/// A function that is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standard {
    /// It is of the allocator.
    Heap(RustHeap),
    /// A `Vec` of elements of so many bytes.
    GrowOne { element: u64 },
    /// Place of the result, a `String`.
    CloneString,
    /// Place of the result, pointer, length.
    OtherCase { upper: bool },
    /// Pointer, length: how many characters.
    Count,
    /// Place of the result, pointer, length.
    FromUtf8,
    /// A byte, pointer, length: the first or the last place of it.
    Find { last: bool },
    /// A character.
    Is(Class),
    /// Place of the result, pointer, length.
    ParseFloat,
    /// An unsigned number of so many bits, pointer, length: its digits at the end of what is there, as pointer and length.
    Digits { bits: u8 },
}

/// A class of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Alphabetic,
    Numeric,
    Lower,
    Upper,
}

impl Standard {
    /// By symbol.
    pub fn of(symbol: &str) -> Option<Self> {
        if let Some(does) = rust_heap(symbol) {
            return Some(Self::Heap(does));
        }
        let parts = [
            "grow_one",
            "6String",
            "_lowercase",
            "_uppercase",
            "5count",
            "utf8",
            "memchr",
            "lookup",
            "7FromStr",
            "4__fmt",
        ];
        if !(symbol.starts_with("_R") || symbol.starts_with("_ZN")) || !parts.iter().any(|part| symbol.contains(part)) {
            return None;
        }
        let name = names::readable(symbol)?;
        Some(match &name[..] {
            "alloc::raw_vec::RawVec::grow_one" => {
                let complete = names::complete(symbol)?;
                let element = complete.split_once("RawVec<")?.1.split_once(['>', ','])?.0;
                Self::GrowOne { element: size_of(element)? }
            }
            "<alloc::string::String as Clone>::clone" => Self::CloneString,
            "str::to_lowercase" => Self::OtherCase { upper: false },
            "str::to_uppercase" => Self::OtherCase { upper: true },
            "core::str::count::char_count_general_case" | "core::str::count::do_count_chars" => Self::Count,
            "core::str::converts::from_utf8" => Self::FromUtf8,
            "core::slice::memchr::memchr_aligned" => Self::Find { last: false },
            "core::slice::memchr::memrchr" => Self::Find { last: true },
            "core::unicode::unicode_data::alphabetic::lookup_slow" => Self::Is(Class::Alphabetic),
            "core::unicode::unicode_data::n::lookup_slow" => Self::Is(Class::Numeric),
            "core::unicode::unicode_data::lowercase::lookup_slow" => Self::Is(Class::Lower),
            "core::unicode::unicode_data::uppercase::lookup_slow" => Self::Is(Class::Upper),
            "<f64 as FromStr>::from_str" => Self::ParseFloat,
            "u8::_fmt" => Self::Digits { bits: 8 },
            "u16::_fmt" => Self::Digits { bits: 16 },
            "u32::_fmt" => Self::Digits { bits: 32 },
            "u64::_fmt" | "usize::_fmt" => Self::Digits { bits: 64 },
            _ => return None,
        })
    }
}

impl Standard {
    /// The ranges that a call with these arguments writes of what is not the library's own.
    pub fn writes(self, args: &[u64]) -> impl Iterator<Item = (u64, u64)> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let range = match self {
            Self::Heap(_) | Self::Count | Self::Find { .. } | Self::Is(_) => None,
            Self::GrowOne { .. } | Self::ParseFloat => Some((arg(0), 16)),
            Self::CloneString | Self::OtherCase { .. } | Self::FromUtf8 => Some((arg(0), 24)),
            Self::Digits { .. } => Some((arg(1), arg(2))),
        };
        range.into_iter()
    }
}

/// The size of a type that the library itself has instantiated something for.
fn size_of(name: &str) -> Option<u64> {
    Some(match name {
        "u8" | "i8" | "bool" => 1,
        "u16" | "i16" => 2,
        "u32" | "i32" | "char" | "f32" => 4,
        "u64" | "i64" | "usize" | "isize" | "f64" => 8,
        "&str" => 16,
        "alloc::string::String" => 24,
        _ => return None,
    })
}

impl Class {
    pub fn has(self, c: char) -> bool {
        match self {
            Self::Alphabetic => c.is_alphabetic(),
            Self::Numeric => c.is_numeric(),
            Self::Lower => c.is_lowercase(),
            Self::Upper => c.is_uppercase(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, RustHeap, Standard};

    #[test]
    fn functions_are_known_by_their_symbols() {
        for (symbol, call) in [
            ("__rust_dealloc", Standard::Heap(RustHeap::Free { block: 0 })),
            ("_RNvMs3_NtCslNYArtu3iFV_5alloc7raw_vecINtB5_6RawVechE8grow_oneB7_", Standard::GrowOne { element: 1 }),
            (
                "_RNvXs4_NtCslNYArtu3iFV_5alloc6stringNtB5_6StringNtNtCsgEmfK2I1SDS_4core5clone5Clone5clone",
                Standard::CloneString,
            ),
            ("_RNvMs3_NtCslNYArtu3iFV_5alloc3stre12to_lowercase", Standard::OtherCase { upper: false }),
            ("_RNvNtNtCsgEmfK2I1SDS_4core3str5count14do_count_chars", Standard::Count),
            (
                "_RNvNtNtNtCsgEmfK2I1SDS_4core7unicode12unicode_data10alphabetic11lookup_slow",
                Standard::Is(Class::Alphabetic),
            ),
            ("_RNvXs2_NtNtCsgEmfK2I1SDS_4core3num7dec2fltdNtNtNtB9_3str6traits7FromStr8from_str", Standard::ParseFloat),
            ("_RNvMsf_NtNtNtCsgEmfK2I1SDS_4core3fmt3num3impy4__fmt", Standard::Digits { bits: 64 }),
        ] {
            assert_eq!(Standard::of(symbol), Some(call), "{symbol}");
        }
        for symbol in [
            "malloc",
            "_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal",
            "_ZN4core3str5count4here17h05af221e174051e9E",
        ] {
            assert_eq!(Standard::of(symbol), None, "{symbol}");
        }
    }
}
