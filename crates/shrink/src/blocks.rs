//! Lines, and blocks of them by indentation.

use std::ops::Range;

/// The lines of a text, each with its end.
pub fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).map(|end| end + 1);
    let mut found: Vec<_> = ends.map(|end| std::mem::replace(&mut start, end)..end).collect();
    if start < text.len() {
        found.push(start..text.len());
    }
    found
}

/// A line and what is indented deeper below it, by the numbers of lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The line.
    pub head: usize,
    /// The deeper ones.
    pub body: Range<usize>,
    /// The next line, where it is indented as the head is: `}`, `end`.
    pub tail: Option<usize>,
    /// The line before the head, where it is indented as the head is: that of a function whose `{` stands alone.
    pub title: Option<usize>,
}

/// The blocks of some lines, each behind those around it.
pub fn blocks(text: &[u8], lines: &[Range<usize>]) -> Vec<Block> {
    let indents: Vec<Option<usize>> = lines.iter().map(|line| indent(&text[line.clone()])).collect();
    let at = |line: Option<usize>| line.and_then(|line| *indents.get(line)?);
    let mut found = Vec::new();
    for head in 0..lines.len() {
        let Some(own) = indents[head] else { continue };
        let deeper = |line: &usize| indents[*line].is_none_or(|indent| indent > own);
        // Empty lines at the end of a block are none of it.
        let Some(last) = (head + 1..lines.len()).take_while(deeper).filter(|line| indents[*line].is_some()).last()
        else {
            continue;
        };
        let next = (last + 1..lines.len()).find(|line| indents[*line].is_some());
        let same = |line: &usize| at(Some(*line)) == Some(own);
        let (tail, title) = (next.filter(same), head.checked_sub(1).filter(same));
        found.push(Block { head, body: head + 1..last + 1, tail, title });
    }
    found
}

/// How deep a line is indented; none where it is empty.
fn indent(line: &[u8]) -> Option<usize> {
    let mut column = 0;
    for byte in line {
        match byte {
            b' ' => column += 1,
            b'\t' => column = (column / 8 + 1) * 8,
            byte if byte.is_ascii_whitespace() => {}
            _ => return Some(column),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_their_ends() {
        assert_eq!(lines(b"a\n\nb"), [0..2, 2..3, 3..4]);
        assert_eq!(lines(b"a\n\n"), [0..2, 2..3]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_block_is_what_is_deeper_and_what_closes_it() {
        let text = b"int f()\n{\n  if (x)\n    y;\n\n}\nz\n";
        let found = blocks(text, &lines(text));
        let outer = Block { head: 1, body: 2..4, tail: Some(5), title: Some(0) };
        let inner = Block { head: 2, body: 3..4, tail: None, title: None };
        assert_eq!(found, [outer, inner]);
    }
}
