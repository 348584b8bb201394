//! Functions of the library that compute what they give from what they are passed: what they read.

use std::collections::HashMap;
use std::sync::LazyLock;

use whydunit_model::{Call, Scalar};

/// What a function reads through an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// The string that it points to.
    Text(usize),
    /// The number at the start of that string.
    Number(usize),
    /// At most so many bytes of that string as another argument says.
    Bounded(usize, usize),
    /// A format, and by it the arguments after it.
    Format(usize),
    /// A format, and by it what the `va_list` in the argument after it holds.
    List(usize),
}

use Read::{Bounded, Format, List, Number, Text};

/// Names, and what they read. Where nothing is named, the arguments themselves are all.
const TABLE: &[(&str, &[Read])] = &[
    (
        "strtol strtoul strtoll strtoull strtoimax strtoumax strtod strtof strtold atoi atol atoll atof \
         __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull __isoc23_strtoimax __isoc23_strtoumax",
        &[Number(0)],
    ),
    ("sprintf asprintf", &[Format(1)]),
    ("snprintf", &[Format(2)]),
    ("__sprintf_chk", &[Format(3)]),
    ("__snprintf_chk", &[Format(4)]),
    ("vsprintf vasprintf", &[List(1)]),
    ("vsnprintf", &[List(2)]),
    ("__vsprintf_chk", &[List(3)]),
    ("__vsnprintf_chk", &[List(4)]),
    ("sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf", &[Text(0)]),
    ("strdup __strdup", &[Text(0)]),
    ("strndup __strndup", &[Bounded(0, 1)]),
    ("strcoll strcasestr fnmatch", &[Text(0), Text(1)]),
    ("memmem", &[Bounded(0, 1), Bounded(2, 3)]),
    ("memccpy", &[Bounded(1, 3)]),
    ("strxfrm regexec", &[Text(1)]),
    (
        "toupper tolower isalpha isdigit isalnum isspace isupper islower isprint ispunct iscntrl isxdigit isgraph isblank \
         towupper towlower btowc wctob",
        &[],
    ),
];

/// What the function reads that `call` calls by `name`; none where what it gives comes from elsewhere, or is not known to
/// come from its arguments alone.
pub fn reads(name: &str, call: &Call) -> Option<&'static [Read]> {
    static READS: LazyLock<HashMap<&'static str, &'static [Read]>> = LazyLock::new(|| rows().collect());
    if let Some(reads) = READS.get(name) {
        return Some(reads);
    }
    // What takes floating values is mathematics.
    let first = call.args.first().and_then(|arg| arg.leaves.first());
    let floating = matches!(first, Some(Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::F80));
    (floating && !call.ret.is_empty()).then_some(&[])
}

fn rows() -> impl Iterator<Item = (&'static str, &'static [Read])> {
    TABLE.iter().flat_map(|&(names, reads)| names.split_ascii_whitespace().map(move |name| (name, reads)))
}

/// What a conversion of a format takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// An integer, a character or an address.
    Word,
    /// A `double`.
    Float,
    /// A `long double`.
    Extended,
    /// A string, of which at most so many bytes are read.
    Text(Option<usize>),
    /// A string, of which at most so many bytes are read as the argument before it says.
    Limited,
}

/// What a `printf` format takes, in order. Ends where a format takes its arguments by number.
pub fn taken(format: &[u8]) -> Vec<Taken> {
    let mut taken = Vec::new();
    let mut rest = format.iter().copied();
    while rest.any(|byte| byte == b'%') {
        let (mut precision, mut limited, mut in_precision, mut extended, mut wide) = (None, false, false, false, false);
        for byte in rest.by_ref() {
            match byte {
                b'-' | b'+' | b' ' | b'#' | b'\'' | b'h' | b'j' | b'z' | b't' | b'q' => continue,
                b'l' => wide = true,
                b'L' => extended = true,
                b'.' => (precision, in_precision) = (Some(0), true),
                b'0'..=b'9' => {
                    let digit = |n: usize| n.saturating_mul(10).saturating_add(usize::from(byte - b'0'));
                    precision = precision.map(digit);
                }
                b'*' => {
                    limited = in_precision;
                    taken.push(Taken::Word);
                }
                b'$' => return taken,
                _ => {
                    taken.extend(match byte {
                        b'%' | b'm' => None,
                        b's' if limited && !wide => Some(Taken::Limited),
                        b's' if !wide => Some(Taken::Text(precision)),
                        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' if extended => Some(Taken::Extended),
                        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Some(Taken::Float),
                        _ => Some(Taken::Word),
                    });
                    break;
                }
            }
        }
    }
    taken
}

/// The part of a text that functions such as `strtol` can read as a number.
pub fn number(text: &[u8]) -> usize {
    let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let digit = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    blank + text[blank..].iter().take_while(digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_one_that_the_runtime_knows() {
        for (name, reads) in rows() {
            let known = whydunit_runtime::lookup(name);
            assert!(known.is_some_and(|known| known.reads.is_empty() == reads.is_empty()), "{name}");
        }
    }

    #[test]
    fn formats_say_what_they_take() {
        use Taken::*;
        assert_eq!(taken(b"%d and %-5.3s%%|%.*s %lu"), [Word, Text(Some(3)), Word, Limited, Word]);
        assert_eq!(taken(b"%*d%Lf%5.1f%ls%c%"), [Word, Word, Extended, Float, Word, Word]);
        assert_eq!(taken(b"%s%2$s"), [Text(None)]);
    }

    #[test]
    fn a_number_ends_before_what_is_none() {
        for (text, rest) in [(" 12\n", "\n"), ("-1.5e+3,", ","), ("0x1f", ""), ("", ""), ("/2", "/2")] {
            assert_eq!(&text[number(text.as_bytes())..], rest, "{text}");
        }
    }
}
