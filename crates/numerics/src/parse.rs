//! Numbers as strtod and strtol read them, in the C locale.

/// The decimal number at the start of a text, as strtod reads it, and how many bytes it takes; 0 and 0 where there is
/// none.
pub fn decimal(text: &[u8]) -> (f64, usize) {
    let start = text.iter().position(|byte| !matches!(byte, 9..=13 | 32)).unwrap_or(text.len());
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = start + usize::from(matches!(text.get(start), Some(b'+' | b'-')));
    let whole = digits(at);
    at += whole;
    if text.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if whole + fraction == 0 {
            return (0.0, 0);
        }
        at += 1 + fraction;
    } else if whole == 0 {
        return (0.0, 0);
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let first = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(first.min(text.len()));
        if exponent > 0 {
            at = first + exponent;
        }
    }
    let value = std::str::from_utf8(&text[start..at]).ok().and_then(|text| text.parse().ok());
    value.map_or((0.0, 0), |value| (value, at))
}

/// An integer that stands in a text.
pub struct Number {
    /// It; 0 where there is none.
    pub value: i128,
    /// How many bytes of the text it takes, with the white space before it; 0 where there is none.
    pub used: usize,
}

/// The integer at the start of a text, as strtol reads it in this base (0: by its prefix), saturated far outside 64 bits.
pub fn integer(text: &[u8], base: u32) -> Number {
    let start = text.iter().position(|byte| !matches!(byte, 9..=13 | 32)).unwrap_or(text.len());
    let mut at = start;
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let hex = matches!(text.get(at..at + 3), Some([b'0', b'x' | b'X', digit]) if digit.is_ascii_hexdigit());
    let base = match base {
        0 | 16 if hex => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        other => other.clamp(2, 36),
    };
    let first = at;
    let mut value = 0i128;
    while let Some(digit) = text.get(at).and_then(|byte| (*byte as char).to_digit(base)) {
        value = (value * i128::from(base) + i128::from(digit)).min(1 << 70);
        at += 1;
    }
    Number { value: if negative { -value } else { value }, used: if at == first { 0 } else { at } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_numbers_are_read_as_far_as_they_go() {
        assert_eq!(decimal(b" -1.5e2x"), (-150.0, 7));
        assert_eq!(decimal(b"1e+"), (1.0, 1));
        assert_eq!(decimal(b".5."), (0.5, 2));
        assert_eq!((decimal(b"."), decimal(b"+e3"), decimal(b"")), ((0.0, 0), (0.0, 0), (0.0, 0)));
    }

    #[test]
    fn numbers_are_read_as_strtol_does() {
        let read = |text: &str, base| {
            let number = integer(text.as_bytes(), base);
            (number.value, number.used)
        };
        assert_eq!(read("  -12x", 10), (-12, 5));
        assert_eq!(read("0x1Fz", 0), (31, 4));
        assert_eq!(read("0x", 0), (0, 1));
        assert_eq!(read("077", 0), (63, 3));
        assert_eq!(read("abc", 10), (0, 0));
        assert_eq!(read("zz", 36), (35 * 36 + 35, 2));
    }
}
