//! Bodies of tests.

use std::ops::Range;

use tree_sitter::Node;

use crate::source::{Source, children, outward};

/// How a suite knows a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// By Rust's attribute.
    Cargo,
    /// By a macro of GoogleTest, `TEST` or `TEST_F`, with the name of its suite.
    Gtest {
        /// The macro.
        macro_name: String,
        /// The suite, or the fixture.
        suite: String,
    },
    /// By a macro of Catch2 or doctest.
    Catch {
        /// The macro.
        macro_name: String,
    },
    /// It is a function that the file calls, or names in a list.
    Function,
    /// It is a whole program.
    Main,
}

/// The body of a test.
#[derive(Clone, Debug)]
pub struct Body<'s> {
    /// How the suite knows it.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// All of it, attributes among it.
    pub item: Range<usize>,
    /// What stands before its block.
    pub(crate) head: Range<usize>,
    pub(crate) block: Node<'s>,
}

/// Macros whose bodies are run once, as they stand, and those of others.
const GTEST: [&str; 2] = ["TEST", "TEST_F"];
const GTEST_OF_MANY: [&str; 3] = ["TEST_P", "TYPED_TEST", "TYPED_TEST_P"];
const CATCH: [&str; 3] = ["TEST_CASE", "SCENARIO", "TEST_CASE_METHOD"];

/// The body of the test around a node; the reason where that is none.
pub(crate) fn body<'s>(source: &'s Source, node: Node<'s>) -> Result<Body<'s>, String> {
    for around in outward(node) {
        match around.kind() {
            "closure_expression" | "lambda_expression" => {
                return Err("the call stands in a closure".into());
            }
            "function_item" => return cargo(source, around),
            "function_definition" => return function(source, around),
            "compound_statement" => {
                let head = around.prev_named_sibling().filter(|before| is_macro(source, *before, &CATCH));
                if let Some(head) = head {
                    return catch(source, head, around);
                }
            }
            _ => {}
        }
    }
    Err("the call stands in no function of the file".into())
}

/// Whether a node is the head of a block that a macro makes a test or a part of one of.
pub(crate) fn is_macro(source: &Source, node: Node<'_>, names: &[&str]) -> bool {
    let Some(call) = children(node).first().copied().filter(|_| node.kind() == "expression_statement") else {
        return false;
    };
    // The semicolon is missing where a block follows.
    let open = !source.of(node).trim_end().ends_with(';');
    let named = call.child_by_field_name("function").is_some_and(|name| names.contains(&source.of(name)));
    open && call.kind() == "call_expression" && named
}

fn cargo<'s>(source: &'s Source, function: Node<'s>) -> Result<Body<'s>, String> {
    let name = function.child_by_field_name("name").map(|name| source.of(name)).unwrap_or_default();
    let before = std::iter::successors(function.prev_sibling(), |node| node.prev_sibling());
    let belongs = |node: &Node<'_>| node.kind() == "attribute_item" || node.kind().ends_with("comment");
    let before: Vec<Node<'_>> = before.take_while(belongs).collect();
    let attributes: Vec<Node<'_>> = before.into_iter().filter(|node| node.kind() == "attribute_item").collect();
    let is_test = |node: &Node<'_>| {
        let text: String = source.of(*node).split_whitespace().collect();
        text == "#[test]" || text.contains("::test]") || text.contains("::test(")
    };
    if !attributes.iter().any(is_test) {
        return Err(format!("the run was left in `{name}`, which is no test"));
    }
    let parameters = function.child_by_field_name("parameters").map(children).unwrap_or_default();
    if !parameters.is_empty() {
        return Err(format!("the test `{name}` has parameters"));
    }
    let block = function.child_by_field_name("body").ok_or("the test has no body")?;
    let start = attributes.last().map_or(function.start_byte(), |first| first.start_byte());
    let head = start..block.start_byte();
    Ok(Body { kind: Kind::Cargo, name: name.into(), item: start..function.end_byte(), head, block })
}

/// The name that a declarator declares.
pub(crate) fn declared<'s>(source: &'s Source, node: Node<'_>) -> Option<&'s str> {
    let mut at = node;
    while let Some(inner) = at.child_by_field_name("declarator") {
        at = inner;
    }
    matches!(at.kind(), "identifier" | "field_identifier").then(|| &source.text[at.byte_range()])
}

fn function<'s>(source: &'s Source, function: Node<'s>) -> Result<Body<'s>, String> {
    let unreadable = || "the function around the call is not understood".to_string();
    let declarator = function.child_by_field_name("declarator").ok_or_else(unreadable)?;
    let block = function.child_by_field_name("body").ok_or_else(unreadable)?;
    let name = declared(source, declarator).ok_or_else(unreadable)?;
    let head = function.start_byte()..block.start_byte();
    let item = function.byte_range();
    let of = |kind, name: &str| Body { kind, name: name.into(), item: item.clone(), head: head.clone(), block };
    if GTEST_OF_MANY.contains(&name) {
        return Err(format!("the test has parameters (`{name}`)"));
    }
    if GTEST.contains(&name) {
        let mut at = declarator;
        while at.kind() != "function_declarator" {
            at = at.child_by_field_name("declarator").ok_or_else(unreadable)?;
        }
        let parameters = at.child_by_field_name("parameters").map(children).ok_or_else(unreadable)?;
        let [suite, test] = parameters[..] else { return Err(unreadable()) };
        let kind = Kind::Gtest { macro_name: name.into(), suite: source.of(suite).into() };
        return Ok(of(kind, source.of(test)));
    }
    if name == "main" {
        return Ok(of(Kind::Main, name));
    }
    Ok(of(Kind::Function, name))
}

fn catch<'s>(source: &'s Source, head: Node<'s>, block: Node<'s>) -> Result<Body<'s>, String> {
    let unreadable = || "the test around the call is not understood".to_string();
    let call = children(head).first().copied().ok_or_else(unreadable)?;
    let macro_name = call.child_by_field_name("function").map(|name| source.of(name)).unwrap_or_default();
    let arguments = call.child_by_field_name("arguments").map(children).ok_or_else(unreadable)?;
    let name = arguments.iter().find(|it| it.kind() == "string_literal").ok_or_else(unreadable)?;
    let kind = Kind::Catch { macro_name: macro_name.into() };
    let (head, item) = (head.start_byte()..block.start_byte(), head.start_byte()..block.end_byte());
    Ok(Body { kind, name: source.of(*name).trim_matches('"').into(), item, head, block })
}
