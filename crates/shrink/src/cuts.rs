//! Ways to cut a text into pieces that can be left out.

use std::ops::Range;

use whydunit_inputs::tokens::{Kind, tokens};

use crate::blocks::{blocks, lines};
use crate::brackets::{before, groups, items_at};

/// Bytes that are left out together.
pub type Unit = Vec<Range<usize>>;

/// A way to cut. Units of some overlap: what several of them have is left out with any of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Each line.
    Lines,
    /// Blocks by indentation, with and without the lines around them.
    Blocks,
    /// What blocks hold, without the lines around it.
    Bodies,
    /// The lines around blocks, without what they hold.
    Wraps,
    /// Neighbours.
    LinePairs,
    /// Brackets with what is between them, those that so many stand around; with the word before them, and without it.
    Groups(usize),
    /// What separators part, inside of so many brackets.
    Items(usize),
    /// What is between brackets that so many stand around.
    Insides(usize),
    /// What is around brackets up to the next ones.
    Hoists,
    /// Pairs of brackets, without what is between them.
    Brackets,
    /// Words, numbers, marks, each with the blanks behind it.
    Tokens,
    /// Neighbours.
    TokenPairs,
    /// Characters where the text is UTF-8, else bytes.
    Characters,
}

impl Cut {
    /// The units, in the order of the text.
    pub fn units(self, text: &[u8]) -> Vec<Unit> {
        let single = |ranges: Vec<Range<usize>>| ranges.into_iter().map(|range| vec![range]).collect::<Vec<_>>();
        let units = match self {
            Cut::Lines => single(lines(text)),
            Cut::LinePairs => single(neighbours(&lines(text))),
            Cut::Blocks | Cut::Bodies | Cut::Wraps => self.of_blocks(text),
            Cut::Groups(depth) => {
                let found = groups(text);
                let here = found.iter().filter(|group| group.depth == depth);
                single(
                    here.flat_map(|group| {
                        let named = before(text, group).map(|start| start..group.range.end);
                        named.into_iter().chain([group.range.clone()])
                    })
                    .collect(),
                )
            }
            Cut::Items(depth) => single(items_at(text, depth)),
            Cut::Insides(depth) => {
                single(groups(text).iter().filter(|group| group.depth == depth).map(|group| group.inside()).collect())
            }
            Cut::Hoists => {
                let found = groups(text);
                let pair = |inner: &crate::brackets::Group| {
                    let outer = &found[inner.parent?].range;
                    Some(vec![outer.start..inner.range.start, inner.range.end..outer.end])
                };
                found.iter().filter_map(pair).collect()
            }
            Cut::Brackets => {
                let ends = |range: Range<usize>| vec![range.start..range.start + 1, range.end - 1..range.end];
                groups(text).into_iter().map(|group| ends(group.range)).collect()
            }
            Cut::Tokens => single(with_blanks(text)),
            Cut::TokenPairs => single(neighbours(&with_blanks(text))),
            Cut::Characters => single(match std::str::from_utf8(text) {
                Ok(text) => text.char_indices().map(|(start, c)| start..start + c.len_utf8()).collect(),
                Err(_) => (0..text.len()).map(|start| start..start + 1).collect(),
            }),
        };
        units.into_iter().filter(|unit| unit.iter().any(|range| !range.is_empty())).collect()
    }

    fn of_blocks(self, text: &[u8]) -> Vec<Unit> {
        let lines = lines(text);
        let bytes = |of: Range<usize>| lines[of.start].start..lines[of.end - 1].end;
        let mut units = Vec::new();
        for block in blocks(text, &lines) {
            match self {
                Cut::Blocks => {
                    let ends = [block.tail.map(|tail| tail + 1), Some(block.body.end)];
                    for start in block.title.into_iter().chain([block.head]) {
                        units.extend(ends.iter().flatten().map(|&end| vec![bytes(start..end)]));
                    }
                }
                Cut::Wraps => {
                    let tail = block.tail.map(|tail| bytes(tail..tail + 1));
                    for start in block.title.into_iter().chain([block.head]) {
                        units.push([bytes(start..block.head + 1)].into_iter().chain(tail.clone()).collect());
                    }
                }
                _ => units.push(vec![bytes(block.body)]),
            }
        }
        units
    }
}

/// How deep the brackets of a text are nested.
pub fn depth(text: &[u8]) -> usize {
    groups(text).iter().map(|group| group.depth + 1).max().unwrap_or(0)
}

/// The text without these units.
pub fn without<'a>(text: &[u8], units: impl Iterator<Item = &'a Unit>) -> Vec<u8> {
    let mut gone = vec![false; text.len()];
    units.flatten().for_each(|range| gone[range.clone()].fill(true));
    text.iter().zip(gone).filter(|(_, gone)| !gone).map(|(byte, _)| *byte).collect()
}

/// Each with the next one.
fn neighbours(ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    ranges.windows(2).map(|pair| pair[0].start..pair[1].end).collect()
}

/// Tokens with the blanks behind them; ends of lines stay.
fn with_blanks(text: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for token in tokens(text) {
        let blank = token.kind == Kind::Blank;
        let line_end = blank && text[token.range.clone()].contains(&b'\n');
        match found.last_mut() {
            Some(last) if blank && !line_end && last.end == token.range.start => last.end = token.range.end,
            _ if line_end => {}
            _ => found.push(token.range),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn units(cut: Cut, text: &str) -> Vec<String> {
        let piece = |unit: Unit| unit.iter().map(|range| &text[range.clone()]).collect::<Vec<_>>().join("…");
        cut.units(text.as_bytes()).into_iter().map(piece).collect()
    }

    #[test]
    fn brackets_go_whole_by_item_and_by_pair() {
        let text = "f(1, [g(2)])";
        assert_eq!(units(Cut::Groups(0), text), [text, "(1, [g(2)])"]);
        assert_eq!(units(Cut::Groups(2), text), ["g(2)", "(2)"]);
        assert_eq!(units(Cut::Items(1), text), ["1,", ", [g(2)]"]);
        assert_eq!(units(Cut::Insides(1), text), ["g(2)"]);
        assert_eq!(units(Cut::Brackets, text), ["(…)", "[…]", "(…)"]);
        assert_eq!(units(Cut::Hoists, text), ["(1, …)", "[g…]"]);
        assert_eq!((depth(text.as_bytes()), depth(b"x")), (3, 0));
    }

    #[test]
    fn blocks_go_with_the_lines_around_them() {
        let text = "a\nif\n  b\n  c\nend\nd";
        assert_eq!(
            units(Cut::Blocks, text),
            ["a\nif\n  b\n  c\nend\n", "a\nif\n  b\n  c\n", "if\n  b\n  c\nend\n", "if\n  b\n  c\n"]
        );
        assert_eq!(units(Cut::Wraps, text), ["a\nif\n…end\n", "if\n…end\n"]);
        assert_eq!(units(Cut::Bodies, text), ["  b\n  c\n"]);
        assert_eq!(units(Cut::LinePairs, "a\nb\nc"), ["a\nb\n", "b\nc"]);
    }

    #[test]
    fn tokens_take_their_blanks_along() {
        assert_eq!(units(Cut::Tokens, "let x = 1;\ny"), ["let ", "x ", "= ", "1", ";", "y"]);
        assert_eq!(units(Cut::TokenPairs, "1 + 2"), ["1 + ", "+ 2"]);
        assert_eq!(units(Cut::Characters, "aé"), ["a", "é"]);
    }

    proptest! {
        /// Whatever the text, units lie in it and leave characters whole.
        #[test]
        fn cuts_leave_characters_whole(text in "[a-c0-9 \\t\\n(){}\\[\\],;\"'\\\\é]{0,60}", pick in any::<prop::sample::Index>()) {
            let depths = 0..depth(text.as_bytes()) + 1;
            let deep = depths.flat_map(|depth| [Cut::Groups(depth), Cut::Items(depth), Cut::Insides(depth)]);
            let flat = [Cut::Lines, Cut::Blocks, Cut::Bodies, Cut::Wraps, Cut::LinePairs, Cut::Hoists, Cut::Brackets,
                        Cut::Tokens, Cut::TokenPairs, Cut::Characters];
            for cut in deep.chain(flat) {
                let units = cut.units(text.as_bytes());
                let rest = without(text.as_bytes(), units.iter().take(pick.index(units.len() + 1)));
                prop_assert!(String::from_utf8(rest).is_ok(), "{:?}", cut);
            }
        }
    }
}
