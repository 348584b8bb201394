//! New text in a file.

use std::ops::Range;

/// A text that is to stand in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Insertion {
    /// The byte before which it stands.
    pub at: usize,
    /// The text.
    pub text: String,
}

/// A text with others in it, each with the number of whose it is; those at one place stand in their order. With the lines, from 1, that
/// each has then, in the order of the file.
pub fn inserted(text: &str, insertions: &[(usize, Insertion)]) -> (String, Vec<(usize, Range<u32>)>) {
    let mut order: Vec<&(usize, Insertion)> = insertions.iter().collect();
    order.sort_by_key(|(_, insertion)| insertion.at);
    let (mut out, mut lines, mut from) = (String::new(), Vec::new(), 0);
    for (owner, insertion) in order {
        out += &text[from..insertion.at];
        from = insertion.at;
        let first = out.matches('\n').count() as u32 + 1;
        out += &insertion.text;
        lines.push((*owner, first..out.matches('\n').count() as u32 + 2));
    }
    out += &text[from..];
    (out, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inserted_has_its_lines() {
        let insertion = |at, text: &str| Insertion { at, text: text.into() };
        let (text, lines) = inserted("a\nb\n", &[(7, insertion(4, "d\ne\n")), (8, insertion(2, "x\n"))]);
        assert_eq!(text, "a\nx\nb\nd\ne\n");
        assert_eq!(lines, [(8, 2..4), (7, 4..7)]);
    }
}
