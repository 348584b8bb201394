//! The C library's own printf, and random calls of it.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::ffi::CString;

use proptest::prelude::*;
use whydunit_oracle::{Argument, Count, Format, Want};

/// A System V `va_list` whose registers are used up: all arguments are in memory.
#[repr(C)]
struct List {
    general: u32,
    floating: u32,
    memory: *const u8,
    saved: *const u8,
}

unsafe extern "C" {
    fn vsnprintf(
        buffer: *mut libc::c_char,
        size: libc::size_t,
        format: *const libc::c_char,
        list: *mut List,
    ) -> libc::c_int;
}

/// What glibc prints.
pub fn print(format: &[u8], arguments: &[Argument]) -> Vec<u8> {
    let format = CString::new(format).unwrap();
    let strings: Vec<CString> = arguments
        .iter()
        .map(|argument| match argument {
            Argument::Bytes(bytes) => CString::new(bytes.clone()).unwrap(),
            _ => CString::default(),
        })
        .collect();
    let mut words = Vec::new();
    for (argument, string) in arguments.iter().zip(&strings) {
        match argument {
            Argument::Word(word) | Argument::Double(word) => words.push(*word),
            Argument::Bytes(_) => words.push(string.as_ptr() as u64),
            Argument::Null => words.push(0),
            Argument::LongDouble(bits) => {
                words.resize(words.len().next_multiple_of(2), 0);
                words.extend([*bits as u64, (*bits >> 64) as u64]);
            }
        }
    }
    // Aligned as long doubles want it.
    words.resize(words.len().next_multiple_of(2) + 2, 0);
    let words: Vec<u128> = words.chunks(2).map(|pair| u128::from(pair[0]) | u128::from(pair[1]) << 64).collect();
    let list = || List { general: 48, floating: 304, memory: words.as_ptr().cast(), saved: std::ptr::null() };
    let mut out = vec![0u8; 1 << 17];
    // SAFETY: the list has all that the format reads, and the buffer is as long as said.
    let length = unsafe { vsnprintf(out.as_mut_ptr().cast(), out.len(), format.as_ptr(), &mut list()) };
    out.truncate(usize::try_from(length).unwrap_or_else(|_| panic!("{format:?} is no format")));
    assert_eq!(out.len(), length as usize, "the buffer is too small for {format:?}");
    out
}

fn optional(text: impl Strategy<Value = String> + 'static) -> BoxedStrategy<String> {
    prop_oneof![Just(String::new()), text].boxed()
}

/// A conversion, without what other conversions need of `*`.
pub fn conversion(letters: &'static [&'static str], star: bool) -> BoxedStrategy<String> {
    let width = prop_oneof![4 => Just(String::new()), 3 => (1..14usize).prop_map(|n| n.to_string()), u32::from(star) => Just("*".into())];
    let precision = prop_oneof![
        4 => Just(String::new()),
        1 => Just(".".into()),
        3 => (0..9usize).prop_map(|n| format!(".{n}")),
        u32::from(star) => Just(".*".into()),
    ];
    let flags = prop_oneof![3 => Just(String::new()), 2 => "[-+ #0]{1,3}"];
    (flags, width, precision, proptest::sample::select(letters))
        .prop_map(|(flags, width, precision, letter)| format!("%{flags}{width}{precision}{letter}"))
        .boxed()
}

/// How many random cases a test tries; PROPTEST_CASES can ask for more.
pub fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: cases.max(default.cases), failure_persistence: None, ..default }
}

pub const INTEGERS: &[&str] = &[
    "d", "i", "u", "o", "x", "X", "b", "B", "hhd", "hhu", "hx", "hd", "ld", "lu", "lld", "llx", "zu", "zd", "jd", "td",
    "lo", "qd",
];
pub const FLOATS: &[&str] = &["f", "e", "g", "a", "F", "E", "G", "A"];
pub const LONG_FLOATS: &[&str] = &["Lf", "Le", "Lg", "La", "LG", "llf"];
pub const OTHERS: &[&str] = &["s", "c", "p"];
pub const ALL: &[&str] = &["d", "u", "x", "hhd", "ld", "llx", "f", "e", "g", "a", "s", "s", "c", "p", "i", "o"];

/// A format of a few conversions with text between them.
pub fn format() -> BoxedStrategy<String> {
    let text = || prop_oneof![2 => Just(String::new()), 2 => "[ ,:/]", 1 => "[a-z0-9 %\n.-]{1,4}"];
    let text = move || text().prop_map(|text| text.replace('%', "%%"));
    let part = (text(), conversion(ALL, true)).prop_map(|(text, conversion)| text + &conversion);
    (proptest::collection::vec(part, 1..5), optional(text())).prop_map(|(parts, last)| parts.concat() + &last).boxed()
}

/// A word, most of them small.
pub fn word() -> BoxedStrategy<u64> {
    prop_oneof![
        3 => (-3i64..20).prop_map(|value| value as u64),
        3 => (-1000i64..100_000).prop_map(|value| value as u64),
        2 => any::<u64>(),
        1 => any::<i32>().prop_map(|value| value as u64),
    ]
    .boxed()
}

/// A double, of all kinds.
pub fn double() -> BoxedStrategy<u64> {
    prop_oneof![
        4 => (-2000i64..2000).prop_map(|value| (value as f64 / 8.0).to_bits()),
        3 => (-1e9f64..1e9).prop_map(f64::to_bits),
        3 => any::<u64>(),
        1 => proptest::sample::select(vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, f64::MAX, 0.5, 9.5, 99.5, 1e23])
            .prop_map(f64::to_bits),
        1 => 0..1u64 << 52,
    ]
    .boxed()
}

/// A valid long double.
pub fn long_double() -> BoxedStrategy<u128> {
    let pattern = |sign: bool, exponent: u16, significand: u64| {
        let leading = u64::from(exponent != 0) << 63;
        u128::from(sign) << 79 | u128::from(exponent) << 64 | u128::from(significand & !(1 << 63) | leading)
    };
    let near = (any::<bool>(), 16383u16 - 70..16383 + 70, any::<u64>());
    let round = (any::<bool>(), 16383u16 - 4..16383 + 14, (0..1u64 << 16).prop_map(|bits| bits << 47));
    let every = (any::<bool>(), 0..0x8000u16, any::<u64>());
    let least = (any::<bool>(), Just(0u16), any::<u64>());
    prop_oneof![16 => near, 12 => round, 1 => every, 1 => least]
        .prop_map(move |(sign, exponent, significand)| pattern(sign, exponent, significand))
        .boxed()
}

/// A short string without NUL.
pub fn string() -> BoxedStrategy<Vec<u8>> {
    prop_oneof![
        4 => "[a-z0-9 ]{0,8}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(1u8.., 0..12),
        1 => " {0,4}[ab]{0,2} {0,4}".prop_map(String::into_bytes),
    ]
    .boxed()
}

/// Arguments for a format.
pub fn arguments(format: &Format) -> BoxedStrategy<Vec<Argument>> {
    let counts = counts(format);
    let one = |(index, want): (usize, &Want)| match want {
        Want::Word if counts.contains(&index) => (-9i64..9).prop_map(|count| Argument::Word(count as u64)).boxed(),
        Want::Word => word().prop_map(Argument::Word).boxed(),
        Want::Double => double().prop_map(Argument::Double).boxed(),
        Want::LongDouble => long_double().prop_map(Argument::LongDouble).boxed(),
        Want::Text(_) => prop_oneof![8 => string().prop_map(Argument::Bytes), 1 => Just(Argument::Null)].boxed(),
    };
    format.wants.iter().enumerate().map(one).collect::<Vec<_>>().boxed()
}

/// The arguments that are widths and precisions.
pub fn counts(format: &Format) -> Vec<usize> {
    let conversions = format.pieces.iter().filter_map(|piece| match piece {
        whydunit_oracle::Piece::Conversion(conversion) => Some(conversion),
        whydunit_oracle::Piece::Literal(_) => None,
    });
    let both = conversions.flat_map(|conversion| [conversion.width, conversion.precision]);
    both.filter_map(|count| if let Some(Count::Argument(index)) = count { Some(index) } else { None }).collect()
}
