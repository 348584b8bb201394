//! Inputs next to one: a number one larger, an item more, two items in another order. Each is one step away, and none is drawn by chance.

use std::collections::HashSet;
use std::ops::Range;

use crate::input::{Input, Keep, Part};
use crate::stock::Stock;
use crate::text;
use crate::tokens::{Kind, tokens};

/// Places of an input that are looked at, for each kind of step.
const MOST_PLACES: usize = 40;

/// Up to `most` inputs that are one step away from this one, and none of the suite's: each kind of step in turn, the smallest steps first.
pub fn neighbours(input: &Input, suite: &[Input], most: usize) -> Vec<Input> {
    let stock = Stock::of(suite);
    let kinds = [
        numbers(input),
        longer(input),
        characters(input),
        swapped(input),
        other_words(input, &stock),
        other_arguments(input, &stock),
        fewer(input),
    ];
    let mut lists: Vec<_> = kinds.into_iter().map(Vec::into_iter).collect();
    let mut known: HashSet<[u8; 32]> = suite.iter().chain([input]).map(Input::digest).collect();
    let mut found = Vec::new();
    while found.len() < most && !lists.is_empty() {
        lists.retain_mut(|list| {
            let next = list.find(|input| known.insert(input.digest()));
            let is_more = next.is_some();
            found.extend(next.filter(|_| found.len() < most));
            is_more
        });
    }
    found
}

/// A place in a part.
type Place = (Part, Range<usize>);

/// Words and numbers, in order.
fn items(input: &Input) -> Vec<Place> {
    let is_item = |kind: Kind| matches!(kind, Kind::Word | Kind::Number);
    let of = |part: Part| {
        let all = tokens(input.text(&part)).filter(|token| is_item(token.kind)).map(|token| token.range);
        all.map(move |range| (part.clone(), range)).collect::<Vec<_>>()
    };
    input.parts(&Keep::default()).into_iter().flat_map(of).take(MOST_PLACES).collect()
}

/// The same with another text in a place.
fn put(input: &Input, (part, range): &Place, other: &[u8]) -> Input {
    let mut whole = input.text(part).to_vec();
    whole.splice(range.clone(), other.iter().copied());
    input.with(part, whole)
}

/// Numbers that are a little larger or smaller, with the other sign, half of it, twice it, nothing.
fn numbers(input: &Input) -> Vec<Input> {
    let steps: [fn(i128) -> i128; 9] =
        [|n| n + 1, |n| n - 1, |n| -n, |n| n * 2, |n| n / 2, |_| 0, |n| n + 2, |n| n * 10, |n| n * 3];
    let places: Vec<(Place, i128)> = items(input).into_iter().filter_map(|place| signed(input, place)).collect();
    let with = |(place, number): &(Place, i128), step: fn(i128) -> i128| {
        put(input, place, step(*number).to_string().as_bytes())
    };
    steps.iter().flat_map(|step| places.iter().map(|place| with(place, *step))).collect()
}

/// The number at a place, with its sign, and where both stand. None where it is none, too long, or behind a point.
fn signed(input: &Input, (part, range): Place) -> Option<(Place, i128)> {
    let text = input.text(&part);
    let digits = std::str::from_utf8(&text[range.clone()]).ok()?;
    let number = digits.parse::<i64>().ok()?;
    let before = |back: usize| range.start.checked_sub(back).map(|at| text[at]);
    let is_minus = before(1) == Some(b'-') && !before(2).is_some_and(|byte| byte.is_ascii_alphanumeric());
    match before(1) {
        Some(b'.') => None,
        _ if is_minus => Some(((part, range.start - 1..range.end), -i128::from(number))),
        _ => Some(((part, range), i128::from(number))),
    }
}

/// An item twice, all items twice, a line twice, an argument twice.
fn longer(input: &Input) -> Vec<Input> {
    let mut found = Vec::new();
    for part in input.parts(&Keep::default()) {
        let whole = input.text(&part);
        let (body, end) = whole.strip_suffix(b"\n").map_or((whole, &b""[..]), |body| (body, &b"\n"[..]));
        if !body.is_empty() {
            let between = between(body);
            found.push(input.with(&part, [body, between, body, end].concat()));
        }
        let (lines, ended) = text::split(whole);
        if lines.len() > 1 {
            let twice = |at: usize| [&lines[..=at], &lines[at..]].concat();
            let all = (0..lines.len().min(MOST_PLACES)).map(|at| text::join(&twice(at), ended));
            found.extend(all.map(|text| input.with(&part, text)));
        }
    }
    for (part, range) in items(input).into_iter().rev() {
        let whole = input.text(&part);
        let twice = [&whole[range.clone()], between(whole), &whole[range.clone()]].concat();
        found.push(put(input, &(part, range), &twice));
    }
    let args = &input.args;
    let again = (0..args.len()).rev().map(|at| [&args[..=at], &args[at..]].concat());
    found.extend(again.map(|args| Input { args, ..input.clone() }));
    found
}

/// What stands between the items of a text: its first blanks or marks that do; nothing where it has one item only.
fn between(text: &[u8]) -> &[u8] {
    let is_item = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii() || byte == b'-';
    let Some(first) = text.iter().position(|byte| is_item(*byte)) else { return b"" };
    let Some(end) = text[first..].iter().position(|byte| !is_item(*byte)).map(|at| first + at) else { return b"" };
    match text[end..].iter().position(|byte| is_item(*byte)) {
        Some(length) => &text[end..end + length],
        None => b"",
    }
}

/// A character twice.
fn characters(input: &Input) -> Vec<Input> {
    let twice = |place: &Place| put(input, place, &input.text(&place.0)[place.1.clone()].repeat(2));
    places(input).iter().map(twice).collect()
}

/// A character less; an argument less.
fn fewer(input: &Input) -> Vec<Input> {
    let args = &input.args;
    let less = (0..args.len()).rev().map(|at| [&args[..at], &args[at + 1..]].concat());
    let less = less.map(|args| Input { args, ..input.clone() });
    places(input).iter().map(|place| put(input, place, b"")).chain(less).collect()
}

/// Where the characters stand.
fn places(input: &Input) -> Vec<Place> {
    let of = |part: Part| {
        let text = std::str::from_utf8(input.text(&part)).unwrap_or_default();
        let all = text.char_indices().map(|(at, character)| at..at + character.len_utf8());
        all.map(move |range| (part.clone(), range)).collect::<Vec<_>>()
    };
    input.parts(&Keep::default()).into_iter().flat_map(of).take(MOST_PLACES).collect()
}

/// Two items that follow each other in the other order; two arguments.
pub(crate) fn swapped(input: &Input) -> Vec<Input> {
    let items = items(input);
    let pairs = items.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let swap = |pair: &[Place]| {
        let (part, one, two) = (&pair[0].0, &pair[0].1, &pair[1].1);
        let text = input.text(part);
        let other = [&text[two.clone()], &text[one.end..two.start], &text[one.clone()]].concat();
        put(input, &(part.clone(), one.start..two.end), &other)
    };
    let args = (1..input.args.len()).map(|at| {
        let mut other = input.clone();
        other.args.swap(at - 1, at);
        other
    });
    pairs.map(swap).chain(args).collect()
}

/// A word of the suite in the place of one.
fn other_words(input: &Input, stock: &Stock) -> Vec<Input> {
    let is_word = |place: &Place| !input.text(&place.0)[place.1.clone()].iter().all(u8::is_ascii_digit);
    let words: Vec<Place> = items(input).into_iter().filter(is_word).collect();
    let with = |word: &Vec<u8>| words.iter().map(|place| put(input, place, word)).collect::<Vec<_>>();
    stock.words.iter().take(MOST_PLACES).flat_map(with).collect()
}

/// An argument of the suite in the place of one.
fn other_arguments(input: &Input, stock: &Stock) -> Vec<Input> {
    let with = |at: usize| {
        let others = stock.args.iter().take(MOST_PLACES);
        others.map(move |other| input.with(&Part::Arg(at), other.clone().into_bytes()))
    };
    (0..input.args.len()).flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_one_step_away() {
        let suite = [Input::given(&[], "the cat\n"), Input::given(&[], "1 3\n")];
        let found = neighbours(&Input::given(&[], "1 2\n"), &suite, 1000);
        let has = |stdin: &str| found.contains(&Input::given(&[], stdin));
        for stdin in ["2 2\n", "-1 2\n", "1 4\n", "1 20\n", "1 2 1 2\n", "1 2 2\n", "1  2\n", "2 1\n", "1 \n"] {
            assert!(has(stdin), "{stdin:?} is not among {found:?}");
        }
        assert!(!has("1 3\n") && !has("1 2\n"), "what the suite has is nothing new");
        let digests: HashSet<[u8; 32]> = found.iter().map(Input::digest).collect();
        assert_eq!(digests.len(), found.len());
        // Each kind has its turn.
        assert_eq!(neighbours(&Input::given(&[], "1 2\n"), &suite, 3), found[..3]);
        assert!(found[..3].contains(&Input::given(&[], "1 2 1 2\n")));
    }

    #[test]
    fn words_arguments_and_signs() {
        let suite = [Input::given(&["-v", "dog"], "")];
        let found = neighbours(&Input::given(&["x", "-3"], "a,b"), &suite, 1000);
        let has = |args: &[&str], stdin: &str| found.contains(&Input::given(args, stdin));
        assert!(has(&["-v", "-3"], "a,b") && has(&["dog", "-3"], "a,b") && has(&["x", "3"], "a,b"));
        assert!(
            has(&["x", "-2"], "a,b") && has(&["-3", "x"], "a,b") && has(&["x"], "a,b") && has(&["x", "x", "-3"], "a,b")
        );
        assert!(has(&["x", "-3"], "a,b,a,b") && has(&["x", "-3"], "a,dog") && has(&["x", "-3"], "b,a"));
    }

    #[test]
    fn lines_stand_twice() {
        let found = neighbours(&Input::given(&[], "a\nb\n"), &[], 1000);
        assert!(found.contains(&Input::given(&[], "a\na\nb\n")) && found.contains(&Input::given(&[], "b\na\n")));
    }
}
