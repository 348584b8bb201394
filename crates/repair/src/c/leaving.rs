//! How a function can be left early.

use super::ast::Node;
use super::scope::is_constant;
use crate::expression::Class;

/// Values that are returned early.
const MOST: usize = 2;

/// The statements that leave a function with a default: what it returns elsewhere that is constant, else null.
pub(crate) fn leaves(function: Node<'_>, source: &str) -> Vec<String> {
    let Some((result, _)) = function.type_name().split_once('(') else { return Vec::new() };
    if result.trim() == "void" {
        return vec!["return;".into()];
    }
    let mut found = Vec::new();
    returned(function, source, &mut found);
    if found.is_empty() && returns_number(function) {
        found.push("0".into());
    }
    found.into_iter().take(MOST).map(|value| format!("return {value};")).collect()
}

/// The constants that are returned, as they are written.
fn returned(node: Node<'_>, source: &str, out: &mut Vec<String>) {
    // What a function within it returns is not its own.
    if node.kind() == "LambdaExpr" {
        return;
    }
    if node.kind() == "ReturnStmt"
        && let Some(value) = node.child(0)
        && is_constant(value)
        && let Some(text) = value.range(source).and_then(|range| source.get(range))
        && !out.iter().any(|known| known == text)
    {
        out.push(text.to_string());
    }
    node.children().for_each(|child| returned(child, source, out));
}

/// Whether null is a value that it can return.
fn returns_number(node: Node<'_>) -> bool {
    match node.kind() {
        "LambdaExpr" => false,
        "ReturnStmt" => node.child(0).is_some_and(|value| Class::of(value.type_name()).is_some()),
        _ => node.children().any(returns_number),
    }
}
