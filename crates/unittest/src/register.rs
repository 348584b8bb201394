//! How a file knows the functions that are its tests: by calls, lists and declarations, each of which a new one needs, too.

use tree_sitter::Node;

use crate::body::Body;
use crate::insert::Insertion;
use crate::source::{Source, outward};

/// What has to stand in the file besides for a new test with a name beside a function that is one; the reason where the file does not know
/// that one itself in a way that can be said again.
pub(crate) fn registrations(source: &Source, body: &Body<'_>, name: &str) -> Result<Vec<Insertion>, String> {
    let tokens = source.tokens(source.root());
    let mut found: Vec<Insertion> = Vec::new();
    let mut called = false;
    for token in tokens.iter().filter(|token| token.text == body.name && !body.item.contains(&token.range.start)) {
        let node = source.around(&token.range).ok_or("the file is not understood")?;
        let (unit, listed) = unit(node).ok_or_else(|| format!("how `{}` is called cannot be said again", body.name))?;
        let end = unit.end_byte();
        let text = renamed(source.of(unit), &body.name, name);
        let at = match source.text[end..].starts_with(',') && listed {
            true => end + 1,
            false => end,
        };
        called |= unit.kind() != "declaration";
        let indentation = source.indentation(unit.start_byte());
        let text = match (listed, at > end) {
            (true, true) => format!("\n{indentation}{text},"),
            (true, false) => format!(",\n{indentation}{text}"),
            (false, _) => format!("\n{indentation}{text}"),
        };
        if found.iter().all(|known| known.at != at) {
            found.push(Insertion { at, text });
        }
    }
    if called { Ok(found) } else { Err(format!("nothing in the file calls `{}`", body.name)) }
}

/// The statement, declaration or element of a list that a name stands in, and whether it is an element.
fn unit(node: Node<'_>) -> Option<(Node<'_>, bool)> {
    let mut element = None;
    for around in outward(node) {
        let parent = around.parent()?;
        match parent.kind() {
            "initializer_list" => element = Some(around),
            "compound_statement" | "translation_unit" => {
                if let Some(element) = element {
                    return Some((element, true));
                }
                let again = match around.kind() {
                    "declaration" => parent.kind() == "translation_unit",
                    "expression_statement" | "if_statement" => true,
                    _ => false,
                };
                return again.then_some((around, false));
            }
            _ => {}
        }
    }
    None
}

/// A text with another name in it, in literals too.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(from) {
        let end = at + from.len();
        let whole = !is_word(rest[..at].chars().next_back()) && !is_word(rest[end..].chars().next());
        out += &rest[..at];
        out += if whole { to } else { from };
        rest = &rest[end..];
    }
    out + rest
}
