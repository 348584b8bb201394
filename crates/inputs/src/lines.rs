//! Changes of lines, and texts put together.

use crate::input::{Input, Keep, Part};
use crate::random::Random;
use crate::stock::Stock;
use crate::text::{join, split};

/// A line that is gone, is there twice, has changed places with another one, or comes from another case.
pub fn line(input: &Input, stock: &Stock, random: &mut Random) -> Option<Input> {
    let part = random.pick(&texts(input))?.clone();
    let text = input.text(&part);
    let (mut lines, ended) = split(text);
    let at = random.below(lines.len());
    match random.below(5) {
        0 if !lines.is_empty() => _ = lines.remove(at),
        1 if !lines.is_empty() => lines.insert(at, lines[at]),
        2 if lines.len() > 1 => {
            let other = random.below(lines.len());
            lines.swap(at, other);
        }
        3 if !lines.is_empty() => lines[at] = random.pick(stock.lines.get(&part)?)?,
        _ => {
            let line = random.pick(stock.lines.get(&part)?)?;
            lines.insert(random.below(lines.len() + 1), line);
        }
    }
    let other = join(&lines, ended || text.is_empty());
    Some(input.with(&part, other))
}

/// Standard input or a file with that of another case behind it, or before it.
pub fn joined(input: &Input, stock: &Stock, random: &mut Random) -> Option<Input> {
    let part = random.pick(&texts(input))?.clone();
    let (own, other) = (input.text(&part), random.pick(stock.texts.get(&part)?)?);
    let (first, second) = if random.below(2) == 0 { (own, &other[..]) } else { (&other[..], own) };
    let (mut lines, _) = split(first);
    let (more, ended) = split(second);
    lines.extend(more);
    Some(input.with(&part, join(&lines, ended)))
}

/// The parts of an input that have lines.
fn texts(input: &Input) -> Vec<Part> {
    input.parts(&Keep { args: true, ..Keep::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn joining_undoes_splitting(text in "[a\n]{0,9}") {
            let (lines, ended) = split(text.as_bytes());
            prop_assert_eq!(join(&lines, ended), text.into_bytes());
        }

        #[test]
        fn a_line_more_or_less_leaves_the_others_as_they_are(seed: u64) {
            let input = Input { stdin: Some(b"one\ntwo\nthree\n".to_vec()), ..Input::default() };
            let other = Input { stdin: Some(b"four\nfive".to_vec()), ..Input::default() };
            let stock = Stock::of(&[input.clone(), other]);
            let changed = line(&input, &stock, &mut Random::new(seed, "a")).expect("there are lines");
            let text = changed.stdin.expect("it is there");
            let (lines, ended) = split(&text);
            let (own, _) = split(b"one\ntwo\nthree\n");
            prop_assert!(ended && (2..=4).contains(&lines.len()));
            prop_assert!(lines.iter().all(|line| own.contains(line) || [&b"four"[..], b"five"].contains(line)));
            prop_assert!(own.iter().filter(|line| !lines.contains(line)).count() <= 1);
        }
    }

    #[test]
    fn texts_of_two_cases_are_joined_line_by_line() {
        let of = |text: &[u8]| Input { stdin: Some(text.to_vec()), ..Input::default() };
        let stock = Stock::of(&[of(b"b\n")]);
        let found: Vec<Input> =
            (0..20).filter_map(|seed| joined(&of(b"a"), &stock, &mut Random::new(seed, "a"))).collect();
        assert!(found.contains(&of(b"a\nb\n")) && found.contains(&of(b"b\na")), "{found:?}");
    }
}
