//! Streams of libstdc++, which are code of the program but for their ends: which buffers are the process's standard output,
//! and what numbers look like in the C locale. Places are those of libstdc++'s layout on x86-64.

use whydunit_model::{Module, Scalar};
use whydunit_numerics::text::{Spec, floating};
use whydunit_numerics::{arith, float};

use crate::memory::Memory;
use crate::output::Stream;

/// Of a `std::ostream`: where it has the pointer to its buffer.
const OUTPUT_BUFFER: u64 = 8 + 232;
/// Of a `std::ios_base`.
pub(crate) const PRECISION: u64 = 8;
pub(crate) const WIDTH: u64 = 16;
pub(crate) const FLAGS: u64 = 24;
/// The flags of a stream that nobody has changed: decimal, white space is skipped.
pub(crate) const FIRST_FLAGS: u64 = DECIMAL | 1 << 12;
pub(crate) const FIRST_PRECISION: u64 = 6;

const BOOLALPHA: u64 = 1;
const DECIMAL: u64 = 1 << 1;
const FIXED: u64 = 1 << 2;
const HEXADECIMAL: u64 = 1 << 3;
const INTERNAL: u64 = 1 << 4;
const LEFT: u64 = 1 << 5;
const OCTAL: u64 = 1 << 6;
const SCIENTIFIC: u64 = 1 << 8;
const SHOWBASE: u64 = 1 << 9;
const SHOWPOINT: u64 = 1 << 10;
const SHOWPOS: u64 = 1 << 11;
const UPPERCASE: u64 = 1 << 14;

/// No number is padded to more.
const WIDEST: u64 = 1 << 16;

/// The standard streams: the global, and the descriptor that it writes to.
const STANDARD: [(&str, i32); 3] = [("_ZSt4cout", 1), ("_ZSt4cerr", 2), ("_ZSt4clog", 2)];

/// The virtual function that a function of `std::streambuf` calls on itself.
const VIRTUAL: [(&str, &str); 6] = [
    ("5sputnEPKcl", "_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsputnEPKcl"),
    ("5sputcEc", "_ZNSt15basic_streambufIcSt11char_traitsIcEE8overflowEi"),
    ("7pubsyncEv", "_ZNSt15basic_streambufIcSt11char_traitsIcEE4syncEv"),
    ("5sgetcEv", "_ZNSt15basic_streambufIcSt11char_traitsIcEE9underflowEv"),
    ("6sbumpcEv", "_ZNSt15basic_streambufIcSt11char_traitsIcEE5uflowEv"),
    ("5sgetnEPcl", "_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsgetnEPcl"),
];

/// The name of what `caller` calls through a virtual table, where that is a buffer's; else empty.
pub(crate) fn called_virtually(caller: &str) -> &'static str {
    let Some(function) = caller.strip_prefix("_ZNSt15basic_streambufIcSt11char_traitsIcEE") else { return "" };
    VIRTUAL.iter().find(|known| known.0 == function).map_or("", |known| known.1)
}

/// A standard stream of a process, and its buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StandardStream {
    /// The stream.
    object: u64,
    descriptor: i32,
    /// The buffer that it had at first: a program may give it another one; 0: not known yet.
    buffer: u64,
}

impl StandardStream {
    /// The standard streams that a module names, which lie there.
    pub fn of<'a>(module: &'a Module, addresses: &'a [u64]) -> impl Iterator<Item = StandardStream> + 'a {
        module.globals.iter().zip(addresses).filter_map(|(global, &object)| {
            let (_, descriptor) = *STANDARD.iter().find(|stream| stream.0 == global.name)?;
            (object != 0).then_some(StandardStream { object, descriptor, buffer: 0 })
        })
    }

    pub fn is_of(&self, other: &StandardStream) -> bool {
        self.object == other.object
    }
}

/// Where what is written to a buffer goes.
pub(crate) fn stream_of(standard: &mut [StandardStream], memory: &Memory, buffer: u64) -> Stream {
    for stream in standard.iter_mut().filter(|stream| stream.buffer == 0) {
        stream.buffer = memory.read_word(stream.object + OUTPUT_BUFFER);
    }
    let found = standard.iter().find(|stream| stream.buffer == buffer);
    found.map_or(Stream::File(buffer), |stream| Stream::Descriptor(stream.descriptor))
}

/// The type of a number that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    Bool,
    Signed,
    Unsigned,
    Double,
    Pointer,
}

impl Number {
    /// What a function of `std::num_put<char>` writes, by its symbol.
    pub fn of(symbol: &str) -> Option<Number> {
        let put = "_ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3putES3_RSt8ios_basec";
        Some(match symbol.strip_prefix(put)? {
            "b" => Number::Bool,
            "l" | "x" => Number::Signed,
            "m" | "y" => Number::Unsigned,
            "d" => Number::Double,
            "PKv" => Number::Pointer,
            _ => return None,
        })
    }

    /// The text of a number in a stream with this `std::ios_base`; none where it is absurdly wide.
    pub fn text(self, memory: &Memory, ios: u64, fill: u8, value: u64) -> Option<Vec<u8>> {
        let (flags, precision) = match memory.read_uint(ios.wrapping_add(FLAGS), 4) {
            0 => (FIRST_FLAGS, FIRST_PRECISION),
            flags => (flags, memory.read_word(ios.wrapping_add(PRECISION))),
        };
        let width = memory.read_word(ios.wrapping_add(WIDTH));
        let text = match self {
            Number::Bool if flags & BOOLALPHA != 0 => {
                let name = if value & 1 != 0 { "true" } else { "false" };
                return pad(name.into(), 0, flags & !INTERNAL, width, fill);
            }
            Number::Bool => integer(flags, true, value & 1),
            Number::Signed => integer(flags, true, value),
            Number::Unsigned => integer(flags, false, value),
            Number::Pointer => integer(flags & !(DECIMAL | OCTAL | UPPERCASE) | HEXADECIMAL | SHOWBASE, false, value),
            Number::Double => double(flags, precision, value)?,
        };
        let digits = text.as_bytes();
        let signed = digits.first().is_some_and(|first| matches!(first, b'-' | b'+'));
        let based = digits.len() > 1 && digits[0] == b'0' && matches!(digits[1], b'x' | b'X');
        let head = usize::from(signed) + 2 * usize::from(based);
        pad(text, head, flags, width, fill)
    }
}

fn integer(flags: u64, signed: bool, value: u64) -> String {
    let base = flags & SHOWBASE != 0 && value != 0;
    let upper = flags & UPPERCASE != 0;
    match (flags & OCTAL != 0, flags & HEXADECIMAL != 0) {
        (true, false) => format!("{}{value:o}", if base { "0" } else { "" }),
        (false, true) if upper => format!("{}{value:X}", if base { "0X" } else { "" }),
        (false, true) => format!("{}{value:x}", if base { "0x" } else { "" }),
        _ if !signed => value.to_string(),
        _ => {
            let value = value as i64;
            format!("{}{value}", if flags & SHOWPOS != 0 && value >= 0 { "+" } else { "" })
        }
    }
}

fn double(flags: u64, precision: u64, value: u64) -> Option<String> {
    let precision = match precision as i64 {
        ..0 => FIRST_PRECISION as usize,
        precision => usize::try_from(precision).ok().filter(|precision| *precision as u64 <= WIDEST)?,
    };
    let conversion = match (flags & FIXED != 0, flags & SCIENTIFIC != 0) {
        (true, true) => return None,
        (true, false) => b'f',
        (false, true) => b'e',
        (false, false) => b'g',
    };
    let spec = Spec {
        plus: flags & SHOWPOS != 0,
        alternate: flags & SHOWPOINT != 0,
        precision: Some(precision),
        ..Spec::default()
    };
    let conversion = if flags & UPPERCASE != 0 && conversion != b'f' { conversion - 32 } else { conversion };
    let mut text = Vec::new();
    floating(&spec, conversion, float::conversion(Scalar::F64, Scalar::F80, value.into()), &mut text);
    String::from_utf8(text).ok()
}

/// `head`: so many bytes at the start stay there where the filling is within.
fn pad(text: String, head: usize, flags: u64, width: u64, fill: u8) -> Option<Vec<u8>> {
    let mut bytes = text.into_bytes();
    if (width as i64) <= bytes.len() as i64 {
        return Some(bytes);
    }
    if width > WIDEST {
        return None;
    }
    let missing = width as usize - bytes.len();
    let at = if flags & LEFT != 0 {
        bytes.len()
    } else if flags & INTERNAL != 0 {
        head
    } else {
        0
    };
    bytes.splice(at..at, std::iter::repeat_n(fill, missing));
    Some(bytes)
}

/// A character that a buffer gets for itself, as `overflow` has it; none where it is the end of the file.
pub(crate) fn character(word: u64) -> Option<u8> {
    (arith::sext(word, 32) != -1).then_some(word as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: Number, flags: u64, width: u64, precision: u64, fill: u8, value: u64) -> String {
        let ios = 0x7000_0000;
        let mut memory = Memory::new();
        memory.write_uint(ios + FLAGS, 4, flags);
        memory.write_uint(ios + WIDTH, 8, width);
        memory.write_uint(ios + PRECISION, 8, precision);
        String::from_utf8(number.text(&memory, ios, fill, value).unwrap()).unwrap()
    }

    #[test]
    fn numbers_come_out_as_streams_write_them() {
        let plain = FIRST_FLAGS;
        assert_eq!(text(Number::Signed, plain, 0, 6, b' ', -12i64 as u64), "-12");
        assert_eq!(text(Number::Signed, plain | INTERNAL, 6, 6, b'*', -12i64 as u64), "-***12");
        assert_eq!(text(Number::Signed, plain | SHOWPOS, 5, 6, b' ', 7), "   +7");
        assert_eq!(text(Number::Unsigned, HEXADECIMAL | SHOWBASE | UPPERCASE, 0, 6, b' ', 255), "0XFF");
        assert_eq!(text(Number::Unsigned, HEXADECIMAL | SHOWBASE | INTERNAL, 6, 6, b'0', 255), "0x00ff");
        assert_eq!(text(Number::Unsigned, OCTAL | SHOWBASE, 0, 6, b' ', 8), "010");
        assert_eq!(text(Number::Pointer, plain, 0, 6, b' ', 0xbeef), "0xbeef");
        assert_eq!(text(Number::Bool, plain, 0, 6, b' ', 1), "1");
        assert_eq!(text(Number::Bool, plain | BOOLALPHA | LEFT, 6, 6, b'.', 0), "false.");
        assert_eq!(text(Number::Double, plain, 0, 6, b' ', 1.5f64.to_bits()), "1.5");
        assert_eq!(text(Number::Double, plain | FIXED, 8, 2, b' ', (-1.005f64).to_bits()), "   -1.00");
        assert_eq!(text(Number::Double, plain | SCIENTIFIC | UPPERCASE, 0, 1, b' ', 12345f64.to_bits()), "1.2E+04");
        assert_eq!(text(Number::Double, plain | SHOWPOINT, 0, 6, b' ', 1f64.to_bits()), "1.00000");
        assert_eq!(text(Number::Signed, 0, 0, 0, b' ', 3), "3", "what nobody has looked at is as at first");
    }

    #[test]
    fn what_functions_of_buffers_call_has_a_name() {
        let sputn = "_ZNSt15basic_streambufIcSt11char_traitsIcEE5sputnEPKcl";
        assert!(called_virtually(sputn).ends_with("6xsputnEPKcl"));
        assert_eq!(called_virtually("_ZNSt15basic_streambufIcSt11char_traitsIcEE6sungetcEv"), "");
        assert_eq!(called_virtually("main"), "");
    }
}
