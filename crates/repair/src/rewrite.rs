//! A source with something else in the place of some of its parts.

use std::ops::Range;

/// Rewrites parts of a source: `write` makes what stands in the place of a part, out of its number and what stands there. Of
/// parts that overlap the inner one is rewritten within the outer one; what overlaps by half stays.
pub(crate) fn rewritten(source: &str, parts: &[Range<usize>], write: &dyn Fn(usize, &str) -> String) -> String {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&n| (parts[n].start, std::cmp::Reverse(parts[n].end)));
    Writer { source, parts, order: &order, write, next: 0 }.upto(0..source.len())
}

/// Where a statement ends whose last token ends at `at`, if a semicolon follows.
pub(crate) fn semicolon(source: &str, at: usize) -> Option<usize> {
    let rest = &source[at..];
    let blank = rest.len() - rest.trim_start().len();
    rest[blank..].starts_with(';').then_some(at + blank + 1)
}

/// Lines before the first one of a source, whose own lines keep their numbers.
pub(crate) fn with_prologue(prologue: &str, source: &str, body: &str) -> String {
    let end = if source.starts_with("\u{feff}") || source.contains("\r\n") { "\r\n" } else { "\n" };
    let lines: Vec<&str> = prologue.lines().collect();
    format!("{}{end}#line 1{end}{body}", lines.join(end))
}

struct Writer<'a> {
    source: &'a str,
    parts: &'a [Range<usize>],
    order: &'a [usize],
    write: &'a dyn Fn(usize, &str) -> String,
    next: usize,
}

impl Writer<'_> {
    fn upto(&mut self, part: Range<usize>) -> String {
        let (mut out, mut at) = (String::new(), part.start);
        while let Some(&number) = self.order.get(self.next) {
            let range = self.parts[number].clone();
            if range.start >= part.end {
                break;
            }
            self.next += 1;
            if range.start < at || range.end > part.end {
                continue; // overlaps by half
            }
            out.push_str(&self.source[at..range.start]);
            let original = self.upto(range.clone());
            out.push_str(&(self.write)(number, &original));
            at = range.end;
        }
        out.push_str(&self.source[at..part.end]);
        out
    }
}
