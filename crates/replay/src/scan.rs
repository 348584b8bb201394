//! What `sscanf` and its like read.

use std::ops::Range;

use whydunit_library::scanf::{self, Conversion, Length, Piece, is_space};
use whydunit_numerics::parse::{decimal, integer};

/// What a call assigns.
pub struct Scanned {
    /// In order.
    pub assigned: Vec<Assigned>,
    /// The call's result.
    pub result: i32,
    /// Bytes of the text that it took.
    pub used: usize,
}

/// A value that was assigned.
pub struct Assigned {
    /// The number of the argument after the format.
    pub argument: usize,
    /// The bytes that are stored.
    pub bytes: Vec<u8>,
    /// What of the text was read for it.
    pub text: Range<usize>,
    /// The letter of the conversion.
    pub kind: u8,
    /// The integer that is written there, up to 2^70, whatever is stored of it. None where it is none.
    pub integer: Option<i128>,
}

impl Assigned {
    /// Whether what is stored are the lowest bits of what is written: of an integer that does not fit 64 bits functions make others.
    pub fn fits(&self, signed: bool) -> bool {
        let fits = |value: i128| if signed { i64::try_from(value).is_ok() } else { u64::try_from(value.abs()).is_ok() };
        self.integer.is_none_or(fits)
    }
}

/// Reads `text` by `format`; none where the format has something that is not known here.
pub fn scan(text: &[u8], format: &[u8]) -> Option<Scanned> {
    let mut scanner = Scanner { text, at: 0, argument: 0, assigned: Vec::new(), count: 0 };
    let ended = scanner.run(scanf::pieces(format))?;
    let result = if ended && scanner.count == 0 { -1 } else { scanner.count };
    Some(Scanned { result, used: scanner.at, assigned: scanner.assigned })
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    argument: usize,
    assigned: Vec<Assigned>,
    count: i32,
}

impl Scanner<'_> {
    fn spaces(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
    }

    /// Whether the text ended before a conversion.
    fn run(&mut self, format: scanf::Pieces<'_>) -> Option<bool> {
        for piece in format {
            let conversion = match piece.ok()? {
                Piece::Space => {
                    self.spaces();
                    continue;
                }
                Piece::Byte(byte) => {
                    if self.text.get(self.at) != Some(&byte) {
                        return Some(self.at >= self.text.len());
                    }
                    self.at += 1;
                    continue;
                }
                Piece::Conversion(conversion) => conversion,
            };
            if !matches!(conversion.letter, b'c' | b'[' | b'n') {
                self.spaces();
            }
            if conversion.letter != b'n' && self.at >= self.text.len() {
                return Some(true);
            }
            let Some((used, bytes)) = self.convert(&conversion)? else { return Some(false) };
            self.at += used;
            if !conversion.suppressed && conversion.letter != b'%' {
                let (text, kind) = (self.at - used..self.at, conversion.letter);
                let base = base_of(kind);
                let integer = base.map(|base| integer(&self.text[text.clone()], base).value);
                self.assigned.push(Assigned { argument: self.argument, bytes, text, kind, integer });
                self.argument += 1;
                self.count += i32::from(conversion.letter != b'n');
            }
        }
        Some(false)
    }

    /// The bytes of the text that a conversion takes, and those that it stores; none where it does not match. None at all for a
    /// conversion that is not known.
    fn convert(&self, conversion: &Conversion) -> Option<Option<(usize, Vec<u8>)>> {
        let rest = &self.text[self.at..];
        let size = conversion.length.bits() as usize / 8;
        let limited = &rest[..conversion.width.unwrap_or(rest.len()).min(rest.len())];
        let base = match conversion.letter {
            letter if let Some(base) = base_of(letter) => base,
            b'f' | b'e' | b'g' | b'a' | b'E' | b'G' => {
                let (value, used) = decimal(limited);
                let bytes = match conversion.length {
                    Length::Plain => (value as f32).to_le_bytes().to_vec(),
                    Length::Long => value.to_le_bytes().to_vec(),
                    _ => return None,
                };
                return Some((used > 0).then_some((used, bytes)));
            }
            b's' | b'[' => {
                let fits = |byte: &u8| match conversion.letter {
                    b's' => !is_space(*byte),
                    _ => conversion.set.contains(byte),
                };
                let length = limited.iter().take_while(|byte| fits(byte)).count();
                let mut bytes = limited[..length].to_vec();
                bytes.push(0);
                return Some((length > 0).then_some((length, bytes)));
            }
            b'c' => {
                let length = conversion.width.unwrap_or(1);
                return Some(rest.get(..length).map(|bytes| (length, bytes.to_vec())));
            }
            b'n' => return Some(Some((0, (self.at as u64).to_le_bytes()[..size].to_vec()))),
            b'%' => return Some((rest[0] == b'%').then_some((1, Vec::new()))),
            _ => return None,
        };
        let number = integer(limited, base);
        let size = if conversion.letter == b'p' { 8 } else { size };
        // What does not fit 64 bits becomes the nearest that does, and what is stored are its lowest bits.
        let value = match conversion.letter {
            b'd' | b'i' => number.value.clamp(i64::MIN.into(), i64::MAX.into()) as i64,
            _ if u64::try_from(number.value.abs()).is_err() => -1,
            _ => number.value as i64,
        };
        let bytes = value.to_le_bytes()[..size].to_vec();
        Some((number.used > 0).then_some((number.used, bytes)))
    }
}

/// The base of a conversion to an integer; 0 where the text says it. None of others.
fn base_of(letter: u8) -> Option<u32> {
    Some(match letter {
        b'd' | b'u' => 10,
        b'i' => 0,
        b'x' | b'X' | b'p' => 16,
        b'o' => 8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(text: &str, format: &str) -> (i32, Vec<Vec<u8>>) {
        let scanned = scan(text.as_bytes(), format.as_bytes()).expect("a known format");
        (scanned.result, scanned.assigned.into_iter().map(|assigned| assigned.bytes).collect())
    }

    #[test]
    fn texts_are_read_as_sscanf_does() {
        assert_eq!(scanned("job 7 x", "%3s %d%n"), (2, vec![b"job\0".to_vec(), vec![7, 0, 0, 0], vec![5, 0, 0, 0]]));
        assert_eq!(scanned("a-1,ff", "%*[a-z]%hd,%lx").1, vec![vec![255, 255], vec![255, 0, 0, 0, 0, 0, 0, 0]]);
        assert_eq!(scanned("", "%d"), (-1, vec![]));
        assert_eq!(scanned("x", "%d"), (0, vec![]));
        assert_eq!(scanned("1.5", "%lf"), (1, vec![1.5f64.to_le_bytes().to_vec()]));
        assert_eq!(scanned("ab", "%c%[^a]"), (2, vec![b"a".to_vec(), b"b\0".to_vec()]));
        assert_eq!(scanned("5 %", "%d %%").0, 1);
        let large = "99999999999999999999";
        assert_eq!(scanned(large, "%ld").1, vec![i64::MAX.to_le_bytes().to_vec()]);
        assert_eq!((scanned(large, "%lu").1, scanned(large, "%d").1), (vec![vec![255; 8]], vec![vec![255; 4]]));
        let places = scan(b"job  -7,x", b"%*s %d").expect("a known format");
        assert_eq!((places.assigned[0].text.clone(), places.assigned[0].kind, places.used), (5..7, b'd', 7));
        assert!(scan(b"x", b"%m").is_none());
        let fits = |text: &str, format: &str, signed| {
            scan(text.as_bytes(), format.as_bytes()).expect("a known format").assigned[0].fits(signed)
        };
        assert!(fits("9223372036854775807", "%ld", true) && !fits("9223372036854775808", "%ld", true));
        assert!(fits("18446744073709551615", "%lu", false) && !fits("-18446744073709551616", "%lu", false));
        assert!(
            !fits("ffffffffffffffff", "%lx", true)
                && fits("-ffffffffffffffff", "%lx", false)
                && fits("1.5", "%lf", true)
        );
    }
}
