//! Calls in the text of a source.

use std::ops::Range;

use crate::source::{Language, Source, Token};

/// How a method is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// On an object: `object.method(…)`.
    Member,
    /// With a pointer to the object as the parameter with this number, from 0: `method(&object, …)`.
    Function(usize),
}

/// A call that a test is to make.
#[derive(Clone, Debug)]
pub struct Call {
    /// The method.
    pub method: String,
    /// How it is called.
    pub shape: Shape,
    /// Its arguments, as they are written.
    pub arguments: Vec<String>,
    /// Its result as the source has it; empty for none.
    pub result: String,
    /// It may change its object.
    pub changes: bool,
}

/// The token that closes what the token with this number opens.
pub(crate) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (number, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(number);
                }
            }
            _ => {}
        }
    }
    None
}

/// The token that opens what the token with this number closes.
pub(crate) fn opening(tokens: &[Token<'_>], close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for number in (0..=close).rev() {
        match tokens[number].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(number);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parenthesis that opens the arguments of a call whose name is the token with this number.
pub(crate) fn parenthesis(tokens: &[Token<'_>], name: usize) -> Option<usize> {
    match tokens.get(name + 1)?.text {
        "(" => Some(name + 1),
        // `parse::<u8>(text)`
        "::" if tokens.get(name + 2)?.text == "<" => {
            (name + 3..tokens.len()).take(20).find(|&at| tokens[at].text == "(" && tokens[at - 1].text == ">")
        }
        _ => None,
    }
}

/// The arguments of a call, by their tokens; `open` is its parenthesis.
pub(crate) fn arguments(tokens: &[Token<'_>], open: usize) -> Option<Vec<Range<usize>>> {
    let close = closing(tokens, open)?;
    let (mut found, mut start, mut at) = (Vec::new(), open + 1, open + 1);
    while at < close {
        match tokens[at].text {
            "(" | "[" | "{" => at = closing(tokens, at)?,
            "," => {
                found.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if start < close {
        found.push(start..close);
    }
    Some(found)
}

/// The arguments of the only call of a method in a line, without the object, as they stand there. `None` for one that is made of
/// variables; `None` of all where the call is not found.
pub fn arguments_of(source: &Source, line: u32, method: &str, shape: Shape) -> Option<Vec<Option<String>>> {
    let tokens = source.tokens(source.root());
    let is_call = |&number: &usize| {
        tokens[number].line == line && tokens[number].text == method && parenthesis(&tokens, number).is_some()
    };
    let mut calls = (0..tokens.len()).filter(is_call);
    let (Some(call), None) = (calls.next(), calls.next()) else { return None };
    let mut ranges = arguments(&tokens, parenthesis(&tokens, call)?)?;
    if let Shape::Function(receiver) = shape {
        if receiver >= ranges.len() {
            return None;
        }
        ranges.remove(receiver);
    }
    let text = |range: &Range<usize>| {
        let (first, last) = (tokens.get(range.start)?, tokens.get(range.end.checked_sub(1)?)?);
        let closed = is_closed(source.language, &tokens[range.clone()]);
        closed.then(|| source.text[first.range.start..last.range.end].to_owned())
    };
    Some(ranges.iter().map(text).collect())
}

/// Whether an expression is made of literals, types, enumerators and constants: it means the same wherever it stands in its file.
fn is_closed(language: Language, tokens: &[Token<'_>]) -> bool {
    let constant = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
    tokens.iter().enumerate().all(|(number, token)| {
        let next = tokens.get(number + 1).map_or("", |token| token.text);
        let before = number.checked_sub(1).map_or("", |before| tokens[before].text);
        match token.kind {
            "identifier" => {
                constant(token.text) || next == "::" || before == "::" || language == Language::Rust && next == "!"
            }
            "self" | "this" => false,
            _ => !matches!(token.text, "|" | "=" | "++" | "--" | "?"),
        }
    })
}
