//! Other spellings of an input: what many programs read as the same. Whether one does, its suite may show.

use std::collections::BTreeSet;

use crate::input::{Input, Keep, Part};
use crate::neighbours::swapped;
use crate::text;
use crate::tokens::{Kind, tokens};

/// Places of an input that are spelled otherwise, at most.
const MOST_PLACES: usize = 6;

/// A way to spell an input otherwise.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spelling {
    /// Lines end with `\r\n`, all of them.
    Returns,
    /// Lines end with `\n` alone, all of them.
    NoReturns,
    /// The last line is not ended.
    Unended,
    /// A blank more behind a line or an argument.
    BlankBehind,
    /// A blank more before one.
    BlankBefore,
    /// A blank more where there is one.
    BlankTwice,
    /// A zero more before a number.
    ZeroBefore,
    /// A zero more behind the digits behind a point.
    ZeroBehind,
    /// All letters large.
    Upper,
    /// All letters small.
    Lower,
    /// A mark more where there is one.
    MarkTwice(char),
    /// A mark of the suite between two digits.
    Between(char),
    /// Two items that follow each other in the other order.
    Swapped,
    /// Two lines that follow each other in the other order.
    LinesSwapped,
    /// A line twice.
    LineTwice,
}

impl Spelling {
    /// All that inputs such as these may be spelled in.
    pub fn all(suite: &[Input]) -> Vec<Self> {
        use Spelling::*;
        let mut marks = BTreeSet::new();
        let mut between = BTreeSet::new();
        for input in suite {
            for part in input.parts(&Keep::default()) {
                let text = input.text(&part);
                marks.extend(text.iter().copied().filter(u8::is_ascii_punctuation));
                let inner = text.windows(3).filter(|three| three[0].is_ascii_digit() && three[2].is_ascii_digit());
                between.extend(inner.map(|three| three[1]).filter(u8::is_ascii_punctuation));
            }
        }
        let fixed = [
            Returns,
            NoReturns,
            Unended,
            BlankBehind,
            BlankBefore,
            BlankTwice,
            ZeroBefore,
            ZeroBehind,
            Upper,
            Lower,
            Swapped,
            LinesSwapped,
            LineTwice,
        ];
        let marks = marks.into_iter().map(|mark| MarkTwice(char::from(mark)));
        let between = between.into_iter().map(|mark| Between(char::from(mark)));
        fixed.into_iter().chain(marks).chain(between).collect()
    }

    /// What is done to the input, in words.
    pub fn words(&self) -> String {
        match self {
            Self::Returns => "\\r\\n in the place of \\n".into(),
            Self::NoReturns => "\\n in the place of \\r\\n".into(),
            Self::Unended => "a last line that is not ended".into(),
            Self::BlankBehind => "a blank more at the end of a line or argument".into(),
            Self::BlankBefore => "a blank more at the beginning of a line or argument".into(),
            Self::BlankTwice => "a blank more where there is one".into(),
            Self::ZeroBefore => "a zero more before a number".into(),
            Self::ZeroBehind => "a zero more at the end of a fraction".into(),
            Self::Upper => "all letters large".into(),
            Self::Lower => "all letters small".into(),
            Self::MarkTwice(mark) => format!("`{mark}` twice where it stands once"),
            Self::Between(mark) => format!("`{mark}` between two digits"),
            Self::Swapped => "two words or numbers in the other order".into(),
            Self::LinesSwapped => "two lines in the other order".into(),
            Self::LineTwice => "a line twice".into(),
        }
    }

    /// An input spelled so, at each place where it can be; none of these is the input itself.
    pub fn of(&self, input: &Input) -> Vec<Input> {
        let mut found: Vec<Input> = match self {
            Self::Swapped => swapped(input),
            _ => input.parts(&Keep::default()).iter().flat_map(|part| self.of_part(input, part)).collect(),
        };
        found.retain(|other| other != input);
        // The first places and the last ones: what is special is at an end.
        if found.len() > MOST_PLACES {
            let back = found.split_off(found.len() - MOST_PLACES / 2);
            found.truncate(MOST_PLACES - back.len());
            found.extend(back);
        }
        found
    }

    fn of_part(&self, input: &Input, part: &Part) -> Vec<Input> {
        let whole = input.text(part);
        let is_arg = matches!(part, Part::Arg(_));
        let texts = match self {
            Self::Returns | Self::NoReturns | Self::Unended | Self::LinesSwapped | Self::LineTwice if is_arg => {
                Vec::new()
            }
            Self::Returns | Self::NoReturns => self.line_ends(whole).into_iter().collect(),
            Self::Unended => whole.strip_suffix(b"\n").map(<[u8]>::to_vec).into_iter().collect(),
            Self::BlankBehind | Self::BlankBefore | Self::LinesSwapped | Self::LineTwice => self.by_lines(whole),
            Self::Upper => vec![whole.to_ascii_uppercase()],
            Self::Lower => vec![whole.to_ascii_lowercase()],
            _ => self.inserted(whole),
        };
        texts.into_iter().map(|text| input.with(part, text)).collect()
    }

    fn line_ends(&self, whole: &[u8]) -> Option<Vec<u8>> {
        let (lines, ended) = text::split(whole);
        let bare: Vec<&[u8]> = lines.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
        let is_all = |with: bool| lines.iter().all(|line| line.ends_with(b"\r") == with);
        match self {
            Self::Returns if ended && is_all(false) => {
                Some(bare.iter().flat_map(|line| [line, &b"\r\n"[..]].concat()).collect())
            }
            Self::NoReturns if ended && is_all(true) => Some(text::join(&bare, ended)),
            _ => None,
        }
    }

    fn by_lines(&self, whole: &[u8]) -> Vec<Vec<u8>> {
        let (lines, ended) = text::split(whole);
        let one = |at: usize| -> Option<Vec<u8>> {
            let mut others: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
            match self {
                Self::BlankBehind => {
                    let end = others[at].len() - usize::from(others[at].ends_with(b"\r"));
                    others[at].insert(end, b' ');
                }
                Self::BlankBefore => others[at].insert(0, b' '),
                Self::LineTwice => others.insert(at, lines[at].to_vec()),
                _ if at + 1 < lines.len() => others.swap(at, at + 1),
                _ => return None,
            }
            Some(text::join(&others.iter().map(Vec::as_slice).collect::<Vec<_>>(), ended))
        };
        (0..lines.len()).filter_map(one).collect()
    }

    /// Texts with a character more.
    fn inserted(&self, whole: &[u8]) -> Vec<Vec<u8>> {
        let is_digit = |at: Option<usize>| at.and_then(|at| whole.get(at)).is_some_and(u8::is_ascii_digit);
        let is_point = |at: Option<usize>| at.and_then(|at| whole.get(at)) == Some(&b'.');
        let at_number = |at: usize| {
            let start = tokens(whole).find(|token| token.range.start == at && token.kind == Kind::Number);
            start.is_some() && !is_point(at.checked_sub(1))
        };
        let fraction_ends = |at: usize| {
            let ends = tokens(whole).find(|token| token.range.end == at && token.kind == Kind::Number);
            ends.is_some_and(|token| {
                is_point(token.range.start.checked_sub(1)) && is_digit(token.range.start.checked_sub(2))
            })
        };
        let here = |at: usize| -> Option<u8> {
            let own = whole.get(at).copied();
            match self {
                Self::BlankTwice => own.filter(|byte| *byte == b' '),
                Self::MarkTwice(mark) => own.filter(|byte| char::from(*byte) == *mark),
                Self::ZeroBefore => at_number(at).then_some(b'0'),
                Self::ZeroBehind => fraction_ends(at).then_some(b'0'),
                Self::Between(mark) => (is_digit(at.checked_sub(1)) && is_digit(Some(at))).then_some(*mark as u8),
                _ => None,
            }
        };
        let with = |at: usize| Some([&whole[..at], &[here(at)?], &whole[at..]].concat());
        (0..=whole.len()).filter_map(with).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(spelling: &Spelling, stdin: &str) -> Vec<String> {
        let all = spelling.of(&Input::given(&[], stdin)).into_iter();
        all.map(|input| String::from_utf8(input.stdin.unwrap_or_default()).expect("a text")).collect()
    }

    #[test]
    fn lines_end_otherwise() {
        assert_eq!(texts(&Spelling::NoReturns, "a\r\n\r\n"), ["a\n\n"]);
        assert_eq!(texts(&Spelling::Returns, "a\nb\n"), ["a\r\nb\r\n"]);
        assert!(texts(&Spelling::Returns, "a\r\nb\n").is_empty(), "not all lines end so");
        assert_eq!(texts(&Spelling::Unended, "a\n"), ["a"]);
        assert_eq!(texts(&Spelling::BlankBehind, "a\nb\r\n"), ["a \nb\r\n", "a\nb \r\n"]);
        assert_eq!(texts(&Spelling::LinesSwapped, "a\nb\n"), ["b\na\n"]);
        assert_eq!(texts(&Spelling::LineTwice, "a\n"), ["a\na\n"]);
        assert!(Spelling::LineTwice.of(&Input::given(&["a"], "")).is_empty(), "an argument is no line");
    }

    #[test]
    fn numbers_and_marks_are_spelled_otherwise() {
        assert_eq!(texts(&Spelling::ZeroBefore, "7 1.5"), ["07 1.5", "7 01.5"]);
        assert_eq!(texts(&Spelling::ZeroBehind, "7 1.5"), ["7 1.50"]);
        assert_eq!(texts(&Spelling::Between('_'), "12.34"), ["1_2.34", "12.3_4"]);
        assert_eq!(texts(&Spelling::MarkTwice('*'), "a*b"), ["a**b"]);
        assert_eq!(texts(&Spelling::BlankTwice, "a b"), ["a  b"]);
        assert_eq!(texts(&Spelling::Upper, "a1"), ["A1"]);
        assert!(texts(&Spelling::Lower, "a1").is_empty(), "it is the input itself");
        let swapped = Spelling::Swapped.of(&Input::given(&["a", "b"], "1 2 3\n"));
        assert_eq!(
            swapped,
            [
                Input::given(&["a", "b"], "2 1 3\n"),
                Input::given(&["a", "b"], "1 3 2\n"),
                Input::given(&["b", "a"], "1 2 3\n")
            ]
        );
    }

    #[test]
    fn of_many_places_the_first_and_the_last_are_taken() {
        let found = texts(&Spelling::Between(','), "123456789");
        assert_eq!(found.len(), MOST_PLACES);
        assert!(found.contains(&"1,23456789".into()) && found.contains(&"12345678,9".into()));
    }

    #[test]
    fn what_the_suite_has_is_what_may_be_put_in() {
        let all = Spelling::all(&[Input::given(&["1_000"], "a;b\n")]);
        assert!(all.contains(&Spelling::Between('_')) && all.contains(&Spelling::MarkTwice(';')));
        assert!(!all.contains(&Spelling::Between(';')) && !all.contains(&Spelling::MarkTwice('*')));
        assert!(all.iter().all(|spelling| !spelling.words().is_empty()));
    }
}
