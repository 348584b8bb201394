//! Fingerprints of changes (iBUGS, section 6.4): the tokens that a change adds or removes, by syntax trees and as sets.
//!
//! `K-` keywords, `M-` calls, `H-` handling of exceptions and errors, `V-` variables, `T-` types, `Y-` literals, `O-` operators, and `Z-` an
//! expression that changed in a condition, a cast, a loop, a declaration or a handler. Of Rust `?`, `unwrap`, `expect`, `panic!` and their like
//! are handling of errors, macros are calls with a `!`, `match` is a condition. `NULL` and `nullptr` are the keyword `null`.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use crate::syntax::Source;

/// What a change adds or removes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Fingerprint {
    /// In order, as `K-if`.
    pub tokens: BTreeSet<String>,
}

type Counts = BTreeMap<(String, String), i64>;

/// Functions and macros by which C, C++ and Rust handle errors.
const HANDLING: &[&str] = &[
    "abort",
    "exit",
    "assert",
    "longjmp",
    "setjmp",
    "perror",
    "unwrap",
    "expect",
    "panic",
    "unreachable",
    "unwrap_or",
    "unwrap_or_else",
    "unwrap_or_default",
    "map_err",
    "ok_or",
    "ok_or_else",
    "bail",
    "ensure",
    "Err",
    "debug_assert",
    "todo",
];

impl Fingerprint {
    /// Adds what a file's change adds or removes; of a file that came or went the other side is empty.
    pub fn add(&mut self, path: &str, before: &[u8], after: &[u8]) {
        let mut counts = Counts::new();
        for (bytes, sign) in [(before, -1), (after, 1)] {
            let Some(source) = Source::read(path, bytes) else { return };
            count(&source, sign, &mut counts);
        }
        self.tokens.extend(counts.into_iter().filter(|(_, count)| *count != 0).map(|((name, _), _)| name));
    }

    /// The letters of KMHZ that it has tokens of.
    pub fn concise(&self) -> String {
        let has = |letter: &char| self.tokens.iter().any(|token| token.starts_with(*letter));
        "KMHZ".chars().filter(has).collect()
    }
}

fn count(source: &Source<'_>, sign: i64, counts: &mut Counts) {
    let mut add = |name: String, text: String| *counts.entry((name, text)).or_insert(0) += sign;
    for node in source.nodes() {
        if let Some((what, part)) = place(node) {
            let inside = Source::text(source, part).split_whitespace().collect::<Vec<_>>().join(" ");
            add(format!("Z-{what}"), inside);
        }
        if let Some(name) = call(source, node) {
            let plain = name.trim_end_matches('!').rsplit(['.', ':']).next().unwrap_or_default().to_owned();
            if HANDLING.contains(&plain.as_str()) {
                add(format!("H-{plain}"), String::new());
            }
            add(format!("M-{name}"), String::new());
        }
        match node.kind() {
            "try_expression" => add("H-?".into(), String::new()),
            "try_statement" | "catch_clause" | "throw_statement" => {
                let word = node.kind().split('_').next().unwrap_or_default();
                add(format!("H-{word}"), String::new());
            }
            _ => {}
        }
    }
    for leaf in source.leaves() {
        if let Some(name) = token(source, leaf) {
            add(name, String::new());
        }
    }
}

/// Where an expression stands that counts for itself, and it.
fn place(node: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    let field = |name: &str| node.child_by_field_name(name);
    Some(match node.kind() {
        "if_statement" | "if_expression" | "conditional_expression" => ("if", field("condition")?),
        "while_statement" | "while_expression" | "do_statement" => ("while", field("condition")?),
        "for_statement" => ("for", field("condition").or(field("update"))?),
        "for_expression" => ("for", field("value")?),
        "for_range_loop" => ("for", field("right")?),
        "switch_statement" => ("switch", field("condition")?),
        "match_expression" => ("match", field("value")?),
        "match_pattern" => ("match", node),
        "cast_expression" | "type_cast_expression" => ("cast", node),
        "init_declarator" | "let_declaration" => ("declaration", field("value")?),
        "catch_clause" => ("catch", field("parameters")?),
        _ => return None,
    })
}

/// The name of what is called.
fn call(source: &Source<'_>, node: Node<'_>) -> Option<String> {
    let callee = match node.kind() {
        "call_expression" => node.child_by_field_name("function")?,
        "macro_invocation" => return Some(format!("{}!", source.text(node.child_by_field_name("macro")?))),
        _ => return None,
    };
    // Of a method its name, without the object.
    let named = callee.child_by_field_name("field").unwrap_or(callee);
    let name = source.text(named);
    (name.len() < 80 && !name.contains('\n')).then_some(name)
}

/// The token of a leaf.
fn token(source: &Source<'_>, leaf: Node<'_>) -> Option<String> {
    let text = source.text(leaf);
    let name = match leaf.kind() {
        "null" | "nullptr" | "NULL" => "K-null".to_owned(),
        "identifier" | "field_identifier" | "shorthand_field_identifier" | "self" => {
            if text == "NULL" {
                return Some("K-null".into());
            }
            let called = leaf.parent().is_some_and(|parent| {
                matches!(parent.kind(), "call_expression" | "macro_invocation")
                    && parent.child(0).is_some_and(|first| first == leaf)
                    || parent.child_by_field_name("field") == Some(leaf)
                        && parent.parent().is_some_and(|call| call.child_by_field_name("function") == Some(parent))
            });
            if called {
                return None;
            }
            format!("V-{text}")
        }
        "type_identifier" | "primitive_type" => format!("T-{text}"),
        "number_literal" | "integer_literal" | "float_literal" | "string_content" | "character" | "char_literal"
        | "true" | "false" => format!("Y-{}", text.chars().take(40).collect::<String>()),
        _ if leaf.is_named() => return None,
        _ if text.chars().all(|c| c.is_ascii_alphabetic() || c == '_') => format!("K-{text}"),
        _ if text.chars().all(|c| "+-*/%<>=!&|^~?".contains(c)) && text != "->" && text != "=>" => {
            // `?` of Rust is no operator but handling of errors, and the `!` of a macro belongs to its name.
            let is_other =
                leaf.parent().is_some_and(|parent| matches!(parent.kind(), "try_expression" | "macro_invocation"));
            return (!is_other).then(|| format!("O-{text}"));
        }
        _ => return None,
    };
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(path: &str, before: &str, after: &str) -> (String, Vec<String>) {
        let mut print = Fingerprint::default();
        print.add(path, before.as_bytes(), after.as_bytes());
        (print.concise(), print.tokens.into_iter().collect())
    }

    #[test]
    fn a_check_for_null_is_keywords_and_a_condition() {
        let (concise, tokens) =
            print("a.c", "int f(int *p) { return *p; }", "int f(int *p) { if (p != NULL) return *p; return 0; }");
        assert_eq!(concise, "KZ");
        assert_eq!(tokens, ["K-if", "K-null", "K-return", "O-!=", "V-p", "Y-0", "Z-if"]);
    }

    #[test]
    fn what_only_moves_is_in_no_fingerprint() {
        let same = print("a.c", "int a; void g(void);\nint b;", "int b;\nint a; void g(void);");
        assert_eq!(same, (String::new(), vec![]));
        let (concise, tokens) =
            print("a.c", "int f(int a) { while (a < 3) a++; }", "int f(int a) { while (a <= 3) a++; }");
        assert_eq!((&*concise, tokens.join(" ").as_str()), ("Z", "O-< O-<= Z-while"));
    }

    #[test]
    fn rust_has_its_own_ways() {
        let (concise, tokens) = print("a.rs", "fn f() { g(x).unwrap(); }", "fn f() { g(x)?; log!(); }");
        assert_eq!(concise, "MH");
        assert_eq!(tokens, ["H-?", "H-unwrap", "M-log!", "M-unwrap"]);
        let (_, tokens) = print("a.cpp", "void f() { g(); }", "void f() { try { g(); } catch (E& e) { throw; } }");
        assert!(
            ["H-try", "H-catch", "H-throw", "T-E", "Z-catch"].iter().all(|token| tokens.iter().any(|it| it == token))
        );
    }
}
