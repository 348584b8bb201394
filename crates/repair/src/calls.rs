//! The calls of a function as its source has them: what a call that is missing, or one too many, is mended by.

use std::ops::Range;

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// What is called, without scopes.
    pub name: String,
    /// Its line, from 1.
    pub line: u32,
    /// What it is called on, as it is written; `None` where that is the own object, or nothing.
    pub receiver: Option<Operand>,
    /// Its arguments, as they are written.
    pub arguments: Vec<String>,
    /// The bytes of the statement of a block that it stands in.
    pub statement: Range<usize>,
    /// It is all of that statement.
    pub whole: bool,
}

/// Something that refers to an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// As it is written.
    pub text: String,
    /// Members are taken by `->`.
    pub pointer: bool,
}

/// A parameter or a variable of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type, as it is written; empty where that is not written.
    pub ty: String,
    /// Where it is declared: before it there is none.
    pub from: usize,
}

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCalls {
    /// Its name, without scopes.
    pub name: String,
    /// Its lines, from 1.
    pub lines: Range<u32>,
    /// Where its body begins, behind the brace.
    pub begin: usize,
    /// The first statement of its body; `None` of an empty one.
    pub first: Option<Range<usize>>,
    /// Its parameters but the own object, in their order.
    pub parameters: Vec<Variable>,
    /// Its variables that are no parameters.
    pub variables: Vec<Variable>,
    /// Statements that leave it with a default.
    pub leaves: Vec<String>,
    /// Its calls.
    pub calls: Vec<Call>,
}

impl FunctionCalls {
    /// The parameters and variables that are there at a byte.
    pub fn there(&self, at: usize) -> impl Iterator<Item = &Variable> {
        self.parameters.iter().chain(self.variables.iter().filter(move |variable| variable.from <= at))
    }
}

/// The line of a byte, from 1.
pub(crate) fn line(source: &str, at: usize) -> u32 {
    source.as_bytes()[..at.min(source.len())].iter().filter(|byte| **byte == b'\n').count() as u32 + 1
}
