//! The statements of a function, and sources with some of them deleted, doubled elsewhere or replaced by others: what GenProg (Le Goues,
//! Nguyen, Forrest, Weimer 2012) makes patches of.

use std::ops::Range;

use serde_json::Value;

use crate::ast::Node;
use crate::rewrite::{rewritten, semicolon};

/// The statements of a function that stand in blocks, in the order of the source. `tree` is what [`crate::functions`] gives.
pub fn statements(source: &str, tree: &Value) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    walk(source, Node(tree), &mut out);
    out.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    out.dedup();
    out
}

fn walk(source: &str, node: Node<'_>, out: &mut Vec<Range<usize>>) {
    for child in node.children() {
        if node.kind() == "CompoundStmt"
            && !child.is(&["DeclStmt", "NullStmt"])
            && let Some(range) = child.range(source)
        {
            let end = semicolon(source, range.end).filter(|_| !source[range.clone()].ends_with('}'));
            out.push(range.start..end.unwrap_or(range.end));
        }
        walk(source, child, out);
    }
}

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
