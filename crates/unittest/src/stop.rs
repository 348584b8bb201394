//! The call behind which a run was left, in the text of its test.

use std::ops::Range;

use tree_sitter::Node;

use crate::body::{Body, body, declared, is_macro};
use crate::call::{Shape, arguments, opening, parenthesis};
use crate::source::{Language, Source, Token, children, outward};

/// A call in a recorded run.
#[derive(Clone, Copy, Debug)]
pub struct Stopped<'a> {
    /// The line that it stands in.
    pub line: u32,
    /// The method.
    pub method: &'a str,
    /// How it is called.
    pub shape: Shape,
    /// It makes the object.
    pub constructor: bool,
    /// The how manieth call on an object of the class in that line it was, in the run.
    pub time: u64,
}

/// How a test names an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receiver {
    /// The expression.
    pub text: String,
    /// What stands between it and a member, `.` or `->`.
    pub access: &'static str,
}

/// Where a test was left.
#[derive(Clone, Debug)]
pub struct Stop<'s> {
    /// The test.
    pub body: Body<'s>,
    /// The object.
    pub receiver: Receiver,
    /// The statements up to the call's, each with those that it has around it outside.
    pub(crate) statements: Vec<Node<'s>>,
}

impl Stop<'_> {
    /// So many statements of the test were run.
    pub fn statements(&self) -> usize {
        self.statements.len()
    }
}

/// Parts of tests of Catch2 and doctest.
const SECTIONS: [&str; 9] =
    ["SECTION", "SUBCASE", "GIVEN", "WHEN", "THEN", "AND_GIVEN", "AND_WHEN", "AND_THEN", "DYNAMIC_SECTION"];
/// Statements of which it cannot be said where in them the run was.
const REPEATED: [&str; 16] = [
    "for_statement",
    "while_statement",
    "do_statement",
    "for_range_loop",
    "if_statement",
    "switch_statement",
    "try_statement",
    "return_statement",
    "for_expression",
    "while_expression",
    "loop_expression",
    "if_expression",
    "match_expression",
    "closure_expression",
    "lambda_expression",
    "return_expression",
];

/// Where the call stands, and the test around it; the reason where no test can begin so.
pub fn stop<'s>(source: &'s Source, stopped: &Stopped<'_>) -> Result<Stop<'s>, String> {
    let tokens = source.tokens(source.root());
    let mut found: Option<(Node<'s>, Receiver)> = None;
    let mut calls = 0;
    for number in named(source, &tokens, stopped) {
        let node = source.around(&tokens[number].range).ok_or("the line is not understood")?;
        let receiver = match stopped.constructor && !receives(&tokens, number, stopped.shape) {
            true => made(source, node),
            false => receiver(source, &tokens, number, stopped.shape),
        }?;
        if found.as_ref().is_some_and(|(_, known)| *known != receiver) {
            return Err("its line calls the method on several objects".into());
        }
        calls += 1;
        found = Some((node, receiver));
    }
    let Some((node, receiver)) = found else {
        return Err(format!("its line has no call of `{}` that can be read", stopped.method));
    };
    if calls > 1 {
        return Err(format!("its line calls `{}` several times", stopped.method));
    }
    let body = body(source, node)?;
    let statements = statements(source, &body, node)?;
    let tokens = statements.last().map(|last| source.tokens(*last)).unwrap_or_default();
    let calls = (0..tokens.len()).filter(|&at| parenthesis(&tokens, at).is_some()).count() as u64;
    if stopped.time > calls.max(1) {
        return Err("the run came there several times".into());
    }
    Ok(Stop { body, receiver, statements })
}

/// Tokens that may be the name of the call.
fn named(source: &Source, tokens: &[Token<'_>], stopped: &Stopped<'_>) -> Vec<usize> {
    let is_name = |&number: &usize| {
        let token = &tokens[number];
        let called = parenthesis(tokens, number).is_some();
        // `Stack stack;` makes one, too.
        token.text == stopped.method && (called || stopped.constructor && source.language == Language::Cpp)
    };
    let all: Vec<usize> = (0..tokens.len()).filter(is_name).collect();
    let here: Vec<usize> = all.iter().copied().filter(|&number| tokens[number].line == stopped.line).collect();
    if !here.is_empty() {
        return here;
    }
    // The line of what a macro is given is that of the macro.
    let begins = |number: &usize| {
        let node = source.around(&tokens[*number].range);
        let mut around = node.into_iter().flat_map(outward).take_while(|node| !node.kind().ends_with("block"));
        around.any(|node| node.kind() == "call_expression" && node.start_position().row as u32 + 1 == stopped.line)
    };
    all.into_iter().filter(begins).collect()
}

/// Whether a function gets the object.
fn receives(tokens: &[Token<'_>], name: usize, shape: Shape) -> bool {
    let Shape::Function(receiver) = shape else { return false };
    let ranges = parenthesis(tokens, name).and_then(|open| arguments(tokens, open)).unwrap_or_default();
    ranges.get(receiver).is_some_and(|range| tokens[range.start].text == "&")
}

/// The variable that a statement makes an object for.
fn made(source: &Source, node: Node<'_>) -> Result<Receiver, String> {
    let nameless = || "the object has no name where it is made".to_string();
    for around in outward(node) {
        match around.kind() {
            "let_declaration" => {
                let pattern = around.child_by_field_name("pattern").ok_or_else(nameless)?;
                if pattern.kind() != "identifier" {
                    return Err(nameless());
                }
                return Ok(Receiver { text: source.of(pattern).into(), access: "." });
            }
            "declaration" => {
                let declarators: Vec<Node<'_>> = {
                    let mut cursor = around.walk();
                    around.children_by_field_name("declarator", &mut cursor).collect()
                };
                let [declarator] = declarators[..] else {
                    return Err("its statement declares several variables".into());
                };
                let name = declared(source, declarator).ok_or_else(nameless)?;
                let tokens = source.tokens(around);
                let leads = |token: &Token<'_>| {
                    matches!(token.text, "new" | "unique_ptr" | "shared_ptr" | "make_unique" | "make_shared")
                };
                let pointer = source.of(declarator).starts_with('*') || tokens.iter().any(leads);
                return Ok(Receiver { text: name.into(), access: if pointer { "->" } else { "." } });
            }
            "assignment_expression" => {
                let left = around.child_by_field_name("left").ok_or_else(nameless)?;
                if !children(left).is_empty() {
                    return Err(nameless());
                }
                return Ok(Receiver { text: source.of(left).into(), access: "." });
            }
            "expression_statement" | "compound_statement" | "block" => break,
            _ => {}
        }
    }
    Err(nameless())
}

/// What a method is called on.
fn receiver(source: &Source, tokens: &[Token<'_>], name: usize, shape: Shape) -> Result<Receiver, String> {
    let nameless = || "the object has no name there".to_string();
    let range = match shape {
        Shape::Function(number) => {
            let open = parenthesis(tokens, name).ok_or_else(nameless)?;
            let range = arguments(tokens, open).and_then(|all| all.get(number).cloned()).ok_or_else(nameless)?;
            let plain = |token: &Token<'_>| {
                token.is_name() || token.kind == "field_identifier" || matches!(token.text, "&" | "." | "->" | "*")
            };
            if range.is_empty() || !tokens[range.clone()].iter().all(plain) {
                return Err(nameless());
            }
            range
        }
        Shape::Member => {
            let access = name.checked_sub(1).ok_or_else(nameless)?;
            if !matches!(tokens[access].text, "." | "->") {
                return Err(nameless());
            }
            primary(tokens, access).ok_or_else(nameless)?..access
        }
    };
    let text = source.text[tokens[range.start].range.start..tokens[range.end - 1].range.end].to_owned();
    let arrow = shape == Shape::Member && tokens[name - 1].text == "->";
    Ok(Receiver { text, access: if arrow { "->" } else { "." } })
}

/// The first token of what stands before an access: names, members, elements; `None` where a call gives it.
fn primary(tokens: &[Token<'_>], access: usize) -> Option<usize> {
    let mut at = access.checked_sub(1)?;
    loop {
        match tokens[at].text {
            "]" => at = opening(tokens, at)?.checked_sub(1)?,
            ")" => {
                let open = opening(tokens, at)?;
                let called = open.checked_sub(1).map(|before| &tokens[before]);
                let called = called.is_some_and(|token| token.is_name() || matches!(token.text, ")" | "]" | ">" | "!"));
                let inner = open + 1..at;
                let plain = tokens[inner].iter().all(|token| token.is_name() || matches!(token.text, "*" | "&"));
                return (!called && plain).then_some(open);
            }
            _ if tokens[at].is_name()
                || tokens[at].kind == "field_identifier"
                || tokens[at].kind == "integer_literal" =>
            {
                match at.checked_sub(2).filter(|_| matches!(tokens[at - 1].text, "." | "->" | "::")) {
                    Some(before) => at = before,
                    None => return Some(at),
                }
            }
            _ => return None,
        }
    }
}

/// The statements of a body up to the one around a node: the reason where that one is not run once, after them.
fn statements<'s>(source: &Source, body: &Body<'s>, node: Node<'s>) -> Result<Vec<Node<'s>>, String> {
    let mut levels: Vec<Vec<Node<'s>>> = Vec::new();
    let mut inner = node;
    let mut innermost = true;
    while let Some(around) = inner.parent() {
        if innermost && REPEATED.contains(&inner.kind()) {
            return Err("the call stands in a loop, a branch or a closure".into());
        }
        if matches!(around.kind(), "compound_statement" | "block") {
            let here: Vec<Node<'s>> = before(source, around, inner);
            innermost = false;
            levels.push(here);
            if around == body.block {
                levels.reverse();
                return Ok(levels.concat());
            }
            if !is_plain(source, around) {
                return Err("the call stands in a loop, a branch or a closure".into());
            }
        }
        inner = around;
    }
    Err("the call stands outside of the test".into())
}

/// Whether a block is run once where it stands.
fn is_plain(source: &Source, block: Node<'_>) -> bool {
    if block.prev_named_sibling().is_some_and(|before| is_macro(source, before, &SECTIONS)) {
        return true;
    }
    let parent = block.parent().map_or("", |parent| parent.kind());
    matches!(parent, "compound_statement" | "block" | "expression_statement" | "unsafe_block")
}

/// The statements of a block up to the one that holds a node; those that are blocks by themselves around it, and sections of tests
/// beside it, left out.
fn before<'s>(source: &Source, block: Node<'s>, holds: Node<'s>) -> Vec<Node<'s>> {
    let range: Range<usize> = holds.byte_range();
    let mut found = Vec::new();
    let mut skip = false;
    for child in children(block) {
        if child.start_byte() > range.start {
            break;
        }
        let section = is_macro(source, child, &SECTIONS);
        let skipped = std::mem::replace(&mut skip, section);
        if section || skipped {
            continue;
        }
        let around = child.start_byte() <= range.start && range.end <= child.end_byte();
        let is_block = |node: Node<'_>| matches!(node.kind(), "compound_statement" | "block" | "unsafe_block");
        let wraps = is_block(child)
            || child.kind() == "expression_statement" && children(child).first().is_some_and(|it| is_block(*it));
        if around && wraps {
            continue;
        }
        found.push(child);
    }
    found
}
