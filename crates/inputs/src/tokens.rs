//! Words, numbers, punctuation and blanks of a text in whatever language.

use std::ops::Range;

/// A piece of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Letters, digits behind them, underlines, and everything that is not ASCII.
    Word,
    /// Digits.
    Number,
    /// Spaces, tabs, ends of lines.
    Blank,
    /// One other character.
    Mark,
}

/// The tokens of a text; together they are all of it.
pub fn tokens(text: &[u8]) -> impl Iterator<Item = Token> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let first = *text.get(start)?;
        let run = |accepts: fn(u8) -> bool| text[start..].iter().take_while(|&&byte| accepts(byte)).count();
        let (kind, length) = match first {
            byte if begins_word(byte) => (Kind::Word, run(in_word)),
            byte if byte.is_ascii_digit() => (Kind::Number, run(|byte| byte.is_ascii_digit())),
            byte if byte.is_ascii_whitespace() => (Kind::Blank, run(|byte| byte.is_ascii_whitespace())),
            _ => (Kind::Mark, 1),
        };
        start += length;
        Some(Token { kind, range: start - length..start })
    })
}

/// Whether a byte can stand in a word or number.
pub fn in_word(byte: u8) -> bool {
    begins_word(byte) || byte.is_ascii_digit()
}

fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_numbers_and_marks_are_told_apart() {
        let text = "f1(x_, 3.14)\n\tné";
        let found: Vec<_> = tokens(text.as_bytes()).map(|token| (token.kind, &text[token.range.clone()])).collect();
        use Kind::*;
        let expected = [
            (Word, "f1"),
            (Mark, "("),
            (Word, "x_"),
            (Mark, ","),
            (Blank, " "),
            (Number, "3"),
            (Mark, "."),
            (Number, "14"),
            (Mark, ")"),
            (Blank, "\n\t"),
            (Word, "né"),
        ];
        assert_eq!(found, expected);
    }

    proptest! {
        #[test]
        fn tokens_are_the_whole_text_and_never_half_a_character(text in "\\PC*") {
            let mut end = 0;
            for token in tokens(text.as_bytes()) {
                prop_assert_eq!(token.range.start, end);
                prop_assert!(text.is_char_boundary(token.range.end) && token.range.end > end);
                end = token.range.end;
            }
            prop_assert_eq!(end, text.len());
        }
    }
}
