//! Declarators of C and C++: the name that one declares, the parameters that it states.

use tree_sitter::Node;

use crate::facts::{Source, inside};

/// Nodes that are a declared name.
const NAMES: &[&str] = &["identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name"];

/// The node of the name that a declarator declares; none of one without a name.
pub(crate) fn name(declarator: Node<'_>) -> Option<Node<'_>> {
    if NAMES.contains(&declarator.kind()) {
        return Some(declarator);
    }
    if declarator.kind() == "qualified_identifier" {
        return name(declarator.child_by_field_name("name")?);
    }
    if let Some(inner) = declarator.child_by_field_name("declarator") {
        return name(inner);
    }
    let wrapping = ["parenthesized_declarator", "pointer_declarator", "reference_declarator", "template_function"];
    if !wrapping.contains(&declarator.kind()) {
        return None;
    }
    inside(declarator).into_iter().filter(|(node, _)| node.is_named()).find_map(|(node, _)| name(node))
}

/// The function declarator in a declarator, where it declares a function and no pointer to one.
pub(crate) fn function(declarator: Node<'_>) -> Option<Node<'_>> {
    match declarator.kind() {
        "function_declarator" => {
            let inner = declarator.child_by_field_name("declarator")?;
            // `(*f)(int)` is a pointer; `(f)(int)` is a function whose name is kept from macros.
            let pointer = inner.kind() == "parenthesized_declarator" && declares_pointer(inner);
            (!pointer).then_some(declarator)
        }
        "pointer_declarator" | "reference_declarator" | "init_declarator" => inside(declarator)
            .into_iter()
            .filter(|(node, _)| node.kind().ends_with("_declarator"))
            .find_map(|(node, _)| function(node)),
        _ => None,
    }
}

fn declares_pointer(node: Node<'_>) -> bool {
    inside(node).into_iter().any(|(node, _)| node.kind().ends_with("pointer_declarator") || declares_pointer(node))
}

/// The types of the parameters of a function declarator, without their names; `...` for more.
pub(crate) fn parameters(source: &Source<'_>, function: Node<'_>) -> Option<Vec<String>> {
    let list = function.child_by_field_name("parameters").filter(|list| list.kind() == "parameter_list")?;
    let mut out = Vec::new();
    for (node, _) in inside(list) {
        match node.kind() {
            "parameter_declaration" | "optional_parameter_declaration" => {
                let text = source.plain(node);
                let called = node.child_by_field_name("declarator").and_then(name);
                out.push(match called {
                    Some(called) => without(&text, &source.text(called)),
                    None => text.split_whitespace().collect(),
                });
            }
            "variadic_parameter" | "..." | "variadic_parameter_declaration" => out.push("...".into()),
            // Parameters of old, of which only names stand here.
            "identifier" => return None,
            _ => {}
        }
    }
    if out == ["void"] {
        out.clear();
    }
    Some(out)
}

/// A declarator's text without blanks and its name, the last word that is it.
pub(crate) fn without(text: &str, name: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |at: usize| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    };
    let at = text.match_indices(name).map(|(at, _)| at).filter(|&at| whole(at)).last();
    let text = at.map_or_else(|| text.to_owned(), |at| format!("{}{}", &text[..at], &text[at + name.len()..]));
    text.split_whitespace().collect()
}
