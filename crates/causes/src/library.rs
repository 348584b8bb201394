//! Functions of the library that compute what they give from what they are passed: what they read.

use whydunit_library::printf::{self, Count, Length, Piece};
use whydunit_library::{Reads, Size, Source, lookup};
use whydunit_model::{Call, Scalar};

/// What the function reads that `call` calls by `name`, by the call's arguments; beside it the arguments themselves are all. None
/// where what it gives comes from elsewhere, or is not known to come from its arguments alone.
pub fn reads(name: &str, call: &Call) -> Option<Vec<Reads>> {
    if let Some(known) = lookup(name)
        && known.function.source == Source::Arguments
        && !known.function.calls_back
        && known.reads().all(is_followed)
    {
        return Some(known.reads().collect());
    }
    // What takes floating values is mathematics.
    let first = call.args.first().and_then(|arg| arg.leaves.first());
    let floating = matches!(first, Some(Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::F80));
    (floating && !call.ret.is_empty()).then(Vec::new)
}

/// Whether it is known how much is read.
fn is_followed(reads: Reads) -> bool {
    !matches!(
        reads,
        Reads::WideText(_)
            | Reads::Object(_)
            | Reads::Buffers(..)
            | Reads::Texts(_)
            | Reads::Bytes(_, Size::Product(..))
            | Reads::UpTo(_, Size::Product(..))
    )
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

/// What a `printf` format takes, in order. Ends where a format takes its arguments by number, or is malformed.
pub fn taken(format: &[u8]) -> Vec<Taken> {
    let mut taken = Vec::new();
    for piece in printf::pieces(format) {
        let conversion = match piece {
            Ok(Piece::Literal(_)) => continue,
            Ok(Piece::Conversion(conversion)) => conversion,
            Err(_) => break,
        };
        let numbered = [conversion.width, conversion.precision].iter().any(|n| matches!(n, Some(Count::Argument(_))));
        if numbered || conversion.argument.is_some() {
            break;
        }
        let counts = [conversion.width, conversion.precision].into_iter().filter(|n| *n == Some(Count::Next));
        taken.extend(counts.map(|_| Taken::Word));
        let wide = matches!(conversion.length, Length::Long | Length::Longest);
        taken.extend(match (conversion.letter, conversion.precision) {
            (b'%' | b'm', _) => None,
            (b's', Some(Count::Next)) if !wide => Some(Taken::Limited),
            (b's', Some(Count::Fixed(most))) if !wide => Some(Taken::Text(Some(most))),
            (b's', _) if !wide => Some(Taken::Text(None)),
            (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', _) => match conversion.length {
                Length::Longest => Some(Taken::Extended),
                _ => Some(Taken::Float),
            },
            _ => Some(Taken::Word),
        });
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
    use whydunit_model::Callee;

    use super::*;

    #[test]
    fn what_functions_read_is_known_by_any_of_their_names() {
        let call = Call {
            callee: Callee::Direct(0),
            args: Vec::new(),
            dst: 0,
            ret: Vec::new(),
            fixed: None,
            returns_twice: false,
            noreturn: false,
            unwind: None,
        };
        assert_eq!(reads("__isoc23_strtol", &call), Some(vec![Reads::Number(0)]));
        assert_eq!(reads("__snprintf_chk", &call), Some(vec![Reads::Format(4)]));
        assert_eq!(reads("isalpha", &call), Some(Vec::new()));
        for name in ["qsort", "getenv", "strtok", "printf", "wcslen", "no_such_function"] {
            assert_eq!(reads(name, &call), None, "{name}");
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
