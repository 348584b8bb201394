//! Changes of numbers, words and characters.

use std::ops::Range;

use crate::input::{Input, Keep, Part};
use crate::random::Random;
use crate::stock::Stock;
use crate::tokens::{Kind, in_word, tokens};

/// Numbers at which programs often do something else.
const BOUNDARIES: &[i128] = &[
    -1,
    1,
    2,
    9,
    10,
    11,
    99,
    100,
    101,
    127,
    128,
    255,
    256,
    999,
    1000,
    1001,
    9999,
    10_000,
    32_767,
    32_768,
    65_535,
    65_536,
    1_000_000,
    2_147_483_647,
    2_147_483_648,
    -2_147_483_648,
    4_294_967_296,
];
/// A near number is so far away at most.
const NEAR: usize = 10;

/// Another number in the place of one.
pub fn number(input: &Input, stock: &Stock, random: &mut Random) -> Option<Input> {
    let (part, range) = place(input, numbers, random)?;
    let text = input.text(&part);
    let is_fraction = range.start > 0 && text[range.start - 1] == b'.';
    let mut other = other_number(&text[range.clone()], stock, random);
    // Behind a point a minus only breaks the number.
    if is_fraction {
        other = other.trim_start_matches('-').to_string();
    }
    Some(input.with(&part, replaced(text, range, other.as_bytes())))
}

/// Another word of the suite in the place of one.
pub fn word(input: &Input, stock: &Stock, random: &mut Random) -> Option<Input> {
    let words = |text: &[u8]| -> Vec<Range<usize>> {
        tokens(text).filter(|token| token.kind == Kind::Word).map(|token| token.range).collect()
    };
    let (part, range) = place(input, words, random)?;
    let other = random.pick(&stock.words)?;
    Some(input.with(&part, replaced(input.text(&part), range, other)))
}

/// A character that is gone, is there twice, is another one, or has one before it.
pub fn character(input: &Input, stock: &Stock, random: &mut Random) -> Option<Input> {
    let characters = |text: &[u8]| -> Vec<Range<usize>> {
        let text = std::str::from_utf8(text).unwrap_or_default();
        text.char_indices().map(|(at, character)| at..at + character.len_utf8()).collect()
    };
    let (part, range) = place(input, characters, random)?;
    let text = input.text(&part);
    let own = &text[range.clone()];
    let mut buffer = [0; 4];
    let new = match random.below(4) {
        0 => Vec::new(),
        1 => own.repeat(2),
        kind => {
            let other = random.pick(&stock.characters)?.encode_utf8(&mut buffer).as_bytes();
            if kind == 2 { other.to_vec() } else { [other, own].concat() }
        }
    };
    Some(input.with(&part, replaced(text, range, &new)))
}

/// A number in digits, as another one: mostly near.
fn other_number(digits: &[u8], stock: &Stock, random: &mut Random) -> String {
    let own = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<i128>().ok());
    let boundary = |random: &mut Random| random.pick(BOUNDARIES).copied().unwrap_or_default().to_string();
    let in_stock = |random: &mut Random| {
        let other = random.pick(&stock.numbers).map_or(&b"0"[..], Vec::as_slice);
        String::from_utf8_lossy(other).into_owned()
    };
    // What is too long for arithmetic becomes another one as a whole.
    let Some(own) = own else {
        return if random.below(2) == 0 { in_stock(random) } else { boundary(random) };
    };
    let near = 2 + random.below(NEAR - 1) as i128;
    match random.below(10) {
        0 | 1 => own.saturating_add(1).to_string(),
        2 | 3 => own.saturating_sub(1).to_string(),
        4 => if random.below(2) == 0 { own.saturating_add(near) } else { own.saturating_sub(near) }.to_string(),
        5 => own.saturating_mul(2).to_string(),
        6 => own.saturating_neg().to_string(),
        7 => "0".into(),
        8 => in_stock(random),
        _ => boundary(random),
    }
}

/// The numbers of a text, each with its minus, where that is no operator behind a value.
fn numbers(text: &[u8]) -> Vec<Range<usize>> {
    let with_sign = |range: Range<usize>| match range.start.checked_sub(1) {
        Some(sign) if text[sign] == b'-' => {
            let operator = sign.checked_sub(1).is_some_and(|at| in_word(text[at]) || matches!(text[at], b')' | b']'));
            if operator { range } else { sign..range.end }
        }
        _ => range,
    };
    tokens(text).filter(|token| token.kind == Kind::Number).map(|token| with_sign(token.range)).collect()
}

/// One of the places that `find` finds in the parts of an input: each part that has one is as likely.
fn place(
    input: &Input,
    find: impl Fn(&[u8]) -> Vec<Range<usize>>,
    random: &mut Random,
) -> Option<(Part, Range<usize>)> {
    let parts = input.parts(&Keep::default()).into_iter();
    let all: Vec<(Part, Vec<Range<usize>>)> =
        parts.map(|part| (part.clone(), find(input.text(&part)))).filter(|(_, found)| !found.is_empty()).collect();
    let (part, found) = random.pick(&all)?;
    Some((part.clone(), random.pick(found)?.clone()))
}

fn replaced(text: &[u8], range: Range<usize>, new: &[u8]) -> Vec<u8> {
    [&text[..range.start], new, &text[range.end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_minus_belongs_to_a_number_unless_it_is_an_operator() {
        let text = b"-5 a-6 (-7) 8-9 x 10.25";
        let found: Vec<&str> =
            numbers(text).into_iter().map(|range| std::str::from_utf8(&text[range]).unwrap()).collect();
        assert_eq!(found, ["-5", "6", "-7", "8", "9", "10", "25"]);
    }

    #[test]
    fn near_numbers_boundaries_and_those_of_others_come_up() {
        let stock = Stock { numbers: vec![b"4711".to_vec()], ..Stock::default() };
        let mut random = Random::new(1, "a");
        let found: BTreeSet<String> = (0..500).map(|_| other_number(b"-40", &stock, &mut random)).collect();
        for one in ["-39", "-41", "-80", "40", "0", "4711", "255", "-2147483648"] {
            assert!(found.contains(one), "{one}: {found:?}");
        }
        let long = "9".repeat(60);
        assert!((0..50).all(|_| other_number(long.as_bytes(), &stock, &mut random).parse::<i128>().is_ok()));
    }

    #[test]
    fn a_fraction_gets_no_minus() {
        let input = Input { args: vec!["0.5".into()], ..Input::default() };
        let mut random = Random::new(1, "a");
        for _ in 0..200 {
            let other = number(&input, &Stock::default(), &mut random).expect("there is a number");
            assert!(!other.args[0].contains(".-"), "{other:?}");
        }
    }
}
