//! Sources with some statements deleted, doubled elsewhere or replaced by others: what GenProg (Le Goues, Nguyen, Forrest, Weimer 2012) makes
//! patches of.

use std::ops::Range;

use crate::rewrite::rewritten;

/// A change of a statement, which is named by its place in a list, like the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edit {
    /// It is not there.
    Delete(usize),
    /// Another one stands behind it.
    Insert {
        /// It.
        behind: usize,
        /// The other one.
        of: usize,
    },
    /// Another one stands in its place.
    Replace {
        /// It.
        at: usize,
        /// The other one.
        by: usize,
    },
}

impl Edit {
    /// The statement that is changed.
    pub fn at(self) -> usize {
        match self {
            Edit::Delete(at) | Edit::Insert { behind: at, .. } | Edit::Replace { at, .. } => at,
        }
    }
}

/// A source with these edits; of several of one statement the last counts.
pub fn edited(source: &str, statements: &[Range<usize>], edits: &[Edit]) -> String {
    let mut last: Vec<Edit> = Vec::new();
    for &edit in edits.iter().rev() {
        if last.iter().all(|known| known.at() != edit.at()) {
            last.push(edit);
        }
    }
    let parts: Vec<Range<usize>> = last.iter().map(|edit| statements[edit.at()].clone()).collect();
    let text = |of: usize| &source[statements[of].clone()];
    rewritten(source, &parts, &|number, original| match last[number] {
        Edit::Delete(_) => ";".to_string(),
        Edit::Insert { of, .. } => format!("{original} {}", text(of)),
        Edit::Replace { by, .. } => text(by).to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_deleted_doubled_and_replaced() {
        let source = "{ a(); b(); if (c) { d(); } }";
        let of = |text: &str| source.find(text).map(|at| at..at + text.len()).expect("it is there");
        let statements = [of("a();"), of("b();"), of("if (c) { d(); }"), of("d();")];
        let made = |edits: &[Edit]| edited(source, &statements, edits);
        assert_eq!(made(&[Edit::Delete(1)]), "{ a(); ; if (c) { d(); } }");
        assert_eq!(made(&[Edit::Insert { behind: 3, of: 0 }]), "{ a(); b(); if (c) { d(); a(); } }");
        assert_eq!(made(&[Edit::Replace { at: 0, by: 3 }, Edit::Delete(3)]), "{ d(); b(); if (c) { ; } }");
        // What is changed twice is what it was made last; what stands in a statement that is replaced is gone with it.
        assert_eq!(made(&[Edit::Delete(0), Edit::Replace { at: 0, by: 1 }]), "{ b(); b(); if (c) { d(); } }");
        assert_eq!(made(&[Edit::Replace { at: 2, by: 0 }, Edit::Delete(3)]), "{ a(); b(); a(); }");
    }
}
