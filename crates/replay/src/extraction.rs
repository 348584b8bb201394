//! What the functions of `std::istream` take from their text, in the C locale (C++17, [istream.formatted], [facet.num.get.virtuals]; as
//! libstdc++ does where that leaves a choice).

use whydunit_numerics::parse::decimal;

/// States of a stream.
pub(crate) const AT_END: u32 = 2;
pub(crate) const FAILED: u32 = 4;

/// The standard input of C++: its symbol.
pub(crate) const STANDARD_INPUT: &str = "_ZSt3cin";
/// Of a stream for input: where it has the pointer to its buffer.
pub(crate) const INPUT_BUFFER: u64 = 16 + 232;

/// What is extracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extraction {
    /// `getline` into a string, up to a character that the third argument gives, or to the end of the line.
    Line {
        delimited: bool,
    },
    /// A word into a string.
    Word,
    /// A character that is no space.
    Character,
    /// A number, of so many bytes.
    Integer {
        bytes: u32,
        signed: bool,
    },
    Double,
    /// `get` without arguments, and into a character.
    Get,
    GetInto,
    Peek,
    /// `ignore`: so many characters, or up to one.
    Ignore,
}

/// What a function takes from a buffer of a stream, that code of the program calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BufferCall {
    /// The next character, which stays there: buffer.
    Peek,
    /// The next character: buffer.
    Next,
    /// `std::num_get<char>::get`: facet, two iterators of two words each, stream, state, value.
    Number(Extraction),
}

impl BufferCall {
    /// By symbol.
    pub fn of(symbol: &str) -> Option<Self> {
        let get =
            "_ZNKSt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE3getES3_S3_RSt8ios_baseRSt12_Ios_IostateR";
        Some(match symbol {
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE9underflowEv" => Self::Peek,
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE5uflowEv" => Self::Next,
            _ => Self::Number(match symbol.strip_prefix(get)? {
                "l" | "x" => Extraction::Integer { bytes: 8, signed: true },
                "t" => Extraction::Integer { bytes: 2, signed: false },
                "j" => Extraction::Integer { bytes: 4, signed: false },
                "m" | "y" => Extraction::Integer { bytes: 8, signed: false },
                "d" => Extraction::Double,
                _ => return None,
            }),
        })
    }

    /// The buffer among the arguments.
    pub fn buffer(self, args: &[u64]) -> Option<u64> {
        let place = if let Self::Number(_) = self { 1 } else { 0 };
        args.get(place).copied()
    }

    /// What it takes from `rest`; none for what is not computed.
    pub fn take(self, rest: &[u8]) -> Option<Taken> {
        match self {
            Self::Peek => Extraction::Peek.take(rest, false, &[]),
            Self::Next => Extraction::Get.take(rest, false, &[]),
            Self::Number(number) if rest.is_empty() => {
                number.take(b"?", false, &[]).map(|taken| Taken { state: AT_END | FAILED, ..taken })
            }
            Self::Number(number) => number.take(rest, false, &[]),
        }
    }
}

impl Extraction {
    /// By symbol.
    pub fn of(symbol: &str) -> Option<Self> {
        const STRING: &str = "RNSt7__cxx1112basic_stringIS4_S5_T1_EE";
        if let Some(rest) = symbol.strip_prefix("_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_") {
            return match rest.strip_prefix(STRING)? {
                "" => Some(Self::Line { delimited: false }),
                "S4_" => Some(Self::Line { delimited: true }),
                _ => None,
            };
        }
        Some(match symbol {
            "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE" => {
                Self::Word
            }
            "_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_" => Self::Character,
            "_ZNSirsERs" => Self::Integer { bytes: 2, signed: true },
            "_ZNSirsERi" => Self::Integer { bytes: 4, signed: true },
            "_ZNSirsERl" | "_ZNSirsERx" | "_ZNSi10_M_extractIlEERSiRT_" | "_ZNSi10_M_extractIxEERSiRT_" => {
                Self::Integer { bytes: 8, signed: true }
            }
            "_ZNSirsERt" | "_ZNSi10_M_extractItEERSiRT_" => Self::Integer { bytes: 2, signed: false },
            "_ZNSirsERj" | "_ZNSi10_M_extractIjEERSiRT_" => Self::Integer { bytes: 4, signed: false },
            "_ZNSirsERm" | "_ZNSirsERy" | "_ZNSi10_M_extractImEERSiRT_" | "_ZNSi10_M_extractIyEERSiRT_" => {
                Self::Integer { bytes: 8, signed: false }
            }
            "_ZNSirsERd" | "_ZNSi10_M_extractIdEERSiRT_" => Self::Double,
            "_ZNSi3getEv" => Self::Get,
            "_ZNSi3getERc" => Self::GetInto,
            "_ZNSi4peekEv" => Self::Peek,
            "_ZNSi6ignoreEv" | "_ZNSi6ignoreEl" | "_ZNSi6ignoreEli" => Self::Ignore,
            _ => return None,
        })
    }

    /// Whether a function takes something from a stream of C++ in a way that is not followed.
    pub fn is_other(symbol: &str) -> bool {
        let of_stream = ["_ZNSi", "_ZStrsI", "_ZSt7getlineI", "_ZSt2wsI", "_ZNSt13basic_istream"];
        of_stream.iter().any(|start| symbol.starts_with(start)) && Self::of(symbol).is_none()
    }

    /// Takes it from `rest`, which a stream that is in order has before it. `skips`: white space is skipped before words and numbers;
    /// `args`: the call's. None for what is not computed.
    pub fn take(self, rest: &[u8], skips: bool, args: &[u64]) -> Option<Taken> {
        let blanks = rest.iter().take_while(|byte| is_space(**byte)).count();
        let first = match self {
            Self::Word | Self::Character | Self::Integer { .. } | Self::Double if skips => blanks,
            _ => 0,
        };
        let text = &rest[first..];
        let formatted = matches!(self, Self::Word | Self::Character | Self::Integer { .. } | Self::Double);
        if formatted && text.is_empty() {
            return Some(Taken { used: rest.len(), state: AT_END | FAILED, ..Taken::default() });
        }
        let arg = |n: usize| args.get(n).copied();
        let mut taken = match self {
            Self::Line { delimited } => {
                let end = if delimited { arg(2)? as u8 } else { b'\n' };
                match text.iter().position(|byte| *byte == end) {
                    Some(length) => Taken { used: length + 1, text: text[..length].to_vec(), ..Taken::default() },
                    None => {
                        let state = if text.is_empty() { AT_END | FAILED } else { AT_END };
                        Taken { used: text.len(), text: text.to_vec(), state, ..Taken::default() }
                    }
                }
            }
            Self::Word => {
                let length = text.iter().take_while(|byte| !is_space(**byte)).count();
                let state = if length == text.len() { AT_END } else { 0 } | if length == 0 { FAILED } else { 0 };
                Taken { used: length, text: text[..length].to_vec(), state, ..Taken::default() }
            }
            Self::Character => Taken { used: 1, value: Some(text[0].into()), ..Taken::default() },
            Self::Integer { bytes, signed } => integer(text, bytes, signed),
            Self::Double => double(text),
            Self::Get | Self::GetInto => match text.first() {
                Some(&byte) => Taken { used: 1, value: Some(byte.into()), ..Taken::default() },
                None => Taken { state: AT_END | FAILED, ..Taken::default() },
            },
            Self::Peek => match text.first() {
                Some(&byte) => Taken { value: Some(byte.into()), ..Taken::default() },
                None => Taken { state: AT_END, ..Taken::default() },
            },
            Self::Ignore => {
                let most = arg(1).map_or(1, |most| most as i64).max(0) as usize;
                let most = if arg(1) == Some(i64::MAX as u64) { usize::MAX } else { most };
                let end = arg(2).map(|end| end as i32).filter(|end| *end >= 0);
                let until = end.and_then(|end| text.iter().position(|byte| i32::from(*byte) == end));
                let wanted = until.map_or(most, |until| (until + 1).min(most));
                let state = if wanted > text.len() { AT_END } else { 0 };
                Taken { used: wanted.min(text.len()), state, ..Taken::default() }
            }
        };
        taken.used += first;
        Some(taken)
    }
}

/// What was taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Taken {
    /// So many bytes of the text.
    pub used: usize,
    /// For a string.
    pub text: Vec<u8>,
    /// For a number or a character; none where nothing is stored.
    pub value: Option<u64>,
    /// What is added to the stream's state.
    pub state: u32,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A decimal integer: what does not fit becomes the nearest that does, and fails.
fn integer(text: &[u8], bytes: u32, signed: bool) -> Taken {
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let digits = text[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let used = sign + digits;
    let at_end = if used == text.len() { AT_END } else { 0 };
    if digits == 0 {
        return Taken { used, value: Some(0), state: FAILED | at_end, ..Taken::default() };
    }
    let bits = 8 * bytes;
    let magnitude = text[sign..used]
        .iter()
        .fold(0_i128, |number, digit| number.saturating_mul(10).saturating_add(i128::from(digit - b'0')));
    let negative = text[0] == b'-';
    let (least, most) = match signed {
        true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        false => (-((1_i128 << bits) - 1), (1_i128 << bits) - 1),
    };
    let number = if negative { -magnitude } else { magnitude };
    let fits = (least..=most).contains(&number);
    // A negative number goes round in an unsigned type; what is too large is its largest.
    let stored = if fits {
        number
    } else if signed {
        number.clamp(least, most)
    } else {
        most
    };
    let value = stored as u64 & whydunit_numerics::arith::mask(bits as u8);
    Taken { used, value: Some(value), state: at_end | if fits { 0 } else { FAILED }, ..Taken::default() }
}

fn double(text: &[u8]) -> Taken {
    let mut used = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let (mut digits, mut point, mut exponent) = (false, false, false);
    while let Some(&byte) = text.get(used) {
        match byte {
            b'0'..=b'9' => digits = true,
            b'.' if !point && !exponent => point = true,
            b'e' | b'E' if digits && !exponent => {
                exponent = true;
                used += usize::from(matches!(text.get(used + 1), Some(b'-' | b'+')));
            }
            _ => break,
        }
        used += 1;
    }
    let used = used.min(text.len());
    let at_end = if used == text.len() { AT_END } else { 0 };
    let (number, read) = decimal(&text[..used]);
    let (value, state) = if digits && read == used { (number.to_bits(), at_end) } else { (0, at_end | FAILED) };
    Taken { used, value: Some(value), state, ..Taken::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(what: Extraction, rest: &str) -> (usize, String, Option<u64>, u32) {
        let taken = what.take(rest.as_bytes(), true, &[0, 0]).expect("computed");
        (taken.used, String::from_utf8(taken.text).expect("a text"), taken.value, taken.state)
    }

    #[test]
    fn lines_and_words_end_where_streams_end_them() {
        let line = Extraction::Line { delimited: false };
        assert_eq!(take(line, "ab c\nd"), (5, "ab c".into(), None, 0));
        assert_eq!(take(line, "ab"), (2, "ab".into(), None, AT_END));
        assert_eq!(take(line, "\n"), (1, String::new(), None, 0));
        assert_eq!(take(line, ""), (0, String::new(), None, AT_END | FAILED));
        let comma = Extraction::Line { delimited: true };
        assert_eq!(
            comma.take(b"a,b", true, &[0, 0, u64::from(b',')]).map(|taken| (taken.used, taken.text)),
            Some((2, b"a".to_vec()))
        );
        assert_eq!(take(Extraction::Word, " \n ab c"), (5, "ab".into(), None, 0));
        assert_eq!(take(Extraction::Word, " ab"), (3, "ab".into(), None, AT_END));
        assert_eq!(take(Extraction::Word, " \n"), (2, String::new(), None, AT_END | FAILED));
    }

    #[test]
    fn numbers_are_what_streams_make_of_them() {
        let int = Extraction::Integer { bytes: 4, signed: true };
        assert_eq!(take(int, " 12 "), (3, String::new(), Some(12), 0));
        assert_eq!(take(int, "-7"), (2, String::new(), Some(0xffff_fff9), AT_END));
        assert_eq!(take(int, "x"), (0, String::new(), Some(0), FAILED));
        assert_eq!(take(int, "99999999999,"), (11, String::new(), Some(0x7fff_ffff), FAILED));
        assert_eq!(take(int, ""), (0, String::new(), None, AT_END | FAILED));
        let unsigned = Extraction::Integer { bytes: 4, signed: false };
        assert_eq!(take(unsigned, "-1 "), (2, String::new(), Some(0xffff_ffff), 0));
        assert_eq!(take(Extraction::Double, "2.5e1x"), (5, String::new(), Some(25_f64.to_bits()), 0));
        assert_eq!(take(Extraction::Double, "."), (1, String::new(), Some(0), AT_END | FAILED));
    }

    #[test]
    fn characters_are_taken_one_by_one() {
        assert_eq!(take(Extraction::Character, "  a"), (3, String::new(), Some(97), 0));
        assert_eq!(take(Extraction::Get, " a"), (1, String::new(), Some(32), 0));
        assert_eq!(take(Extraction::Peek, "a"), (0, String::new(), Some(97), 0));
        assert_eq!(take(Extraction::Peek, ""), (0, String::new(), None, AT_END));
        let to_line = Extraction::Ignore.take(b"abc\nd", true, &[0, i64::MAX as u64, 10]);
        assert_eq!(to_line.map(|taken| (taken.used, taken.state)), Some((4, 0)));
        assert_eq!(take(Extraction::Ignore, ""), (0, String::new(), None, 0));
    }

    #[test]
    fn extractions_are_known_by_their_symbols() {
        let getline =
            "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE";
        assert_eq!(Extraction::of(getline), Some(Extraction::Line { delimited: false }));
        assert_eq!(Extraction::of(&format!("{getline}S4_")), Some(Extraction::Line { delimited: true }));
        assert_eq!(Extraction::of("_ZNSirsERi"), Some(Extraction::Integer { bytes: 4, signed: true }));
        assert!(Extraction::is_other("_ZNSi4readEPcl") && !Extraction::is_other("_ZNSirsERi"));
    }
}
