//! Brackets that belong together.

use std::ops::Range;

use whydunit_inputs::tokens::in_word;

/// A text in quotes is not longer.
const QUOTED: usize = 4096;

/// A pair of brackets, or of quotes in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// From the opening one to the closing one, both of them included.
    pub range: Range<usize>,
    /// So many pairs stand around it.
    pub depth: usize,
    /// The number of the nearest pair around it.
    pub parent: Option<usize>,
}

impl Group {
    /// What stands between.
    pub fn inside(&self) -> Range<usize> {
        self.range.start + 1..self.range.end - 1
    }
}

/// The groups of a text, each behind those around it. Brackets without another half are none.
pub fn groups(text: &[u8]) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    // What is open: its closing half, and where it stands.
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut position = 0;
    while let Some(&byte) = text.get(position) {
        match byte {
            b'(' => open.push((b')', position)),
            b'[' => open.push((b']', position)),
            b'{' => open.push((b'}', position)),
            b')' | b']' | b'}' => {
                // Opening ones that are skipped have no other half.
                if let Some(index) = open.iter().rposition(|(closing, _)| *closing == byte) {
                    let start = open[index].1;
                    open.truncate(index);
                    found.push(Group { range: start..position + 1, depth: 0, parent: None });
                }
            }
            b'"' | b'\'' | b'`' => {
                if let Some(length) = quoted(&text[position..]) {
                    found.push(Group { range: position..position + length, depth: 0, parent: None });
                    position += length;
                    continue;
                }
            }
            _ => {}
        }
        position += 1;
    }
    found.sort_by_key(|group| (group.range.start, std::cmp::Reverse(group.range.end)));
    let mut around: Vec<usize> = Vec::new();
    for index in 0..found.len() {
        while around.last().is_some_and(|&outer| found[outer].range.end <= found[index].range.start) {
            around.pop();
        }
        (found[index].depth, found[index].parent) = (around.len(), around.last().copied());
        around.push(index);
    }
    found
}

/// How long a text in quotes is, that begins here and ends in the same line. An apostrophe in a word begins none.
fn quoted(text: &[u8]) -> Option<usize> {
    let mut position = 1;
    while let Some(&byte) = text.get(position).filter(|_| position < QUOTED) {
        match byte {
            b'\\' => position += 1,
            b'\n' => return None,
            byte if byte == text[0] => return Some(position + 1),
            _ => {}
        }
        position += 1;
    }
    None
}

/// What separators (`,` and `;`) part in `inside`, but for those in the groups `nested` directly in it; each with the
/// separator behind it, the last with the one before it.
fn items(text: &[u8], inside: Range<usize>, nested: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut separators = Vec::new();
    let mut nested = nested.iter().peekable();
    let mut position = inside.start;
    while position < inside.end {
        if let Some(inner) = nested.next_if(|inner| inner.start <= position) {
            position = position.max(inner.end);
            continue;
        }
        if matches!(text[position], b',' | b';') {
            separators.push(position);
        }
        position += 1;
    }
    let Some(&last) = separators.last() else { return Vec::new() };
    let mut start = inside.start;
    let mut found = Vec::new();
    for separator in separators {
        found.push(start..separator + 1);
        start = separator + 1;
    }
    if text[last + 1..inside.end].iter().any(|byte| !byte.is_ascii_whitespace()) {
        found.push(last..inside.end);
    }
    found
}

/// The items inside of so many brackets.
pub fn items_at(text: &[u8], depth: usize) -> Vec<Range<usize>> {
    let all = groups(text);
    let mut nested: Vec<Vec<Range<usize>>> = vec![Vec::new(); all.len() + 1];
    for group in &all {
        // Those outside all come first.
        nested[group.parent.map_or(0, |parent| parent + 1)].push(group.range.clone());
    }
    if depth == 0 {
        return items(text, 0..text.len(), &nested[0]);
    }
    let here = all.iter().zip(&nested[1..]).filter(|(group, _)| group.depth + 1 == depth);
    here.flat_map(|(group, nested)| items(text, group.inside(), nested)).collect()
}

/// Where the word or number begins that stands directly before a group: the `f` of `f(x)`.
pub fn before(text: &[u8], group: &Group) -> Option<usize> {
    let head = &text[..group.range.start];
    let end = head.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'))? + 1;
    let start = head[..end].iter().rposition(|&byte| !in_word(byte)).map_or(0, |mark| mark + 1);
    (start < end).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(&str, usize)> {
        groups(text.as_bytes()).iter().map(|group| (&text[group.range.clone()], group.depth)).collect()
    }

    #[test]
    fn pairs_are_found_with_what_is_around_them() {
        assert_eq!(texts("f(a[1], {})"), [("(a[1], {})", 0), ("[1]", 1), ("{}", 1)]);
        assert_eq!(texts("(]) ) ("), [("(])", 0)]);
        assert_eq!(texts(r#"("a)\"b" it's)"#), [(r#"("a)\"b" it's)"#, 0), (r#""a)\"b""#, 1)]);
    }

    #[test]
    fn items_go_with_a_separator() {
        let text = b"[1, [2, 3], 4]; x";
        let at = |depth| items_at(text, depth).into_iter().map(|range| &text[range]).collect::<Vec<_>>();
        assert_eq!(at(0), [&b"[1, [2, 3], 4];"[..], b"; x"]);
        assert_eq!(at(1), [&b"1,"[..], b" [2, 3],", b", 4"]);
        assert_eq!(at(2), [&b"2,"[..], b", 3"]);
        assert!(items_at(b"(a)", 1).is_empty());
    }

    #[test]
    fn a_call_goes_with_its_name() {
        let text = b"x = f (1) + (2)";
        let starts: Vec<_> = groups(text).iter().map(|group| before(text, group)).collect();
        assert_eq!(starts, [Some(4), None]);
    }
}
