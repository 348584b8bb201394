//! The statements of a function.

use std::ops::Range;

use serde_json::Value;

use super::ast::Node;
use crate::rewrite::semicolon;

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
