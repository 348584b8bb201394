//! Expressions of a function that may be other ones.

use std::ops::Range;

use crate::expression::kept::Kept;
use crate::expression::{Class, Expression, sound};
use crate::language::Language;
use crate::nulls::Nulls;
use crate::rust;

/// What an expression is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// It decides: `if`, `while`, `for`, `?:`.
    Condition,
    /// It is assigned, or what a variable begins with.
    Assigned,
    /// It is returned.
    Returned,
    /// It is given to a function.
    Argument,
    /// It says which element.
    Index,
    /// It chooses a case.
    Choice,
    /// It is a statement, which may be done only where something holds.
    Guarded,
    /// It is a statement, before which the function or a loop may have to be left where something holds.
    Left,
    /// It is a statement that changes a variable, and may be another one.
    Replaced,
    /// Nothing stands there, and a statement may be missing.
    Added,
}

impl Role {
    /// What stands there is a statement, and what is looked for a condition.
    pub fn is_statement(self) -> bool {
        matches!(self, Role::Guarded | Role::Left)
    }

    /// What is looked for is a statement.
    pub fn is_done(self) -> bool {
        matches!(self, Role::Replaced | Role::Added)
    }
}

/// An expression that may be another one, and what that can be made of.
#[derive(Clone, Debug)]
pub struct Site {
    /// What its source is written in.
    pub language: Language,
    /// How its module names that of the file; empty of C.
    pub way: String,
    /// Its bytes in the source.
    pub range: Range<usize>,
    /// Its line, from 1.
    pub line: u32,
    /// The lines of the statement that it belongs to.
    pub lines: Range<u32>,
    /// What it is for.
    pub role: Role,
    /// What stands there.
    pub expression: Expression,
    /// What it is assigned to, where that is nothing to assign to it.
    pub target: Option<String>,
    /// By what is left early; empty of other roles.
    pub leave: String,
    /// Its type, as the source names it; `int` of a condition.
    pub ty: String,
    /// Of what kind its value is where it is used, as it may be converted to.
    pub result: Class,
    /// Variables that have a value there, and what the function reaches from them, the nearest first.
    pub variables: Vec<Expression>,
    /// Of variables that are of an enumeration its enumerators.
    pub enumerators: Vec<(Expression, Vec<Expression>)>,
    /// Structures and arrays that members and elements can be taken of.
    pub bases: Vec<Expression>,
    /// Constants of the function, then others of their enumerations.
    pub constants: Vec<Expression>,
    /// Strings of the function.
    pub texts: Vec<Expression>,
    /// What may be done where a statement is looked for, with how far each is from what stands there.
    pub statements: Vec<(u32, String)>,
}

impl Site {
    /// What stands where with another expression in it: the bytes that are replaced, and by what. A guard, or what leaves early,
    /// stands before the statement, on a line of its own.
    pub fn edit(&self, source: &str, by: &Expression) -> (Range<usize>, String) {
        let range = self.range.clone();
        if self.role.is_done() {
            return (range.clone(), self.done(source, range.start, by));
        }
        let by = match self.language {
            Language::C => {
                // Of a statement nothing is in a condition before it.
                let is_statement = self.role.is_statement();
                let kept =
                    if is_statement { Kept::default() } else { Kept::of(&source[range.clone()], &self.expression) };
                let is_truth = is_statement || self.role == Role::Condition;
                let compared = Nulls::of(source).map(|nulls| nulls.compared(by, is_truth, &kept));
                compared.as_ref().unwrap_or(by).text_keeping(&kept)
            }
            Language::Rust => self.written(by),
        };
        if !self.role.is_statement() {
            return (range, by);
        }
        let line = source[..range.start].rfind('\n').map_or(0, |end| end + 1);
        let indent: String = source[line..].chars().take_while(|at| matches!(at, ' ' | '\t')).collect();
        let step = if indent.contains('\t') { "\t" } else { "    " };
        let end = if source.contains("\r\n") { "\r\n" } else { "\n" };
        let (head, tail) = match self.language {
            Language::C => (format!("if ({by}){end}{indent}{step}"), String::new()),
            Language::Rust => (format!("if {by} {{{end}{indent}{step}"), format!("{end}{indent}}}")),
        };
        match self.role {
            // Nothing of the statement is replaced.
            Role::Left => (range.start..range.start, format!("{head}{}{tail}{end}{indent}", self.leave)),
            _ => {
                // Where braces are around it, it stands deeper with all its lines.
                let statement = match self.language {
                    Language::C => source[range.clone()].to_string(),
                    Language::Rust => source[range.clone()].replace('\n', &format!("\n{step}")),
                };
                (range, format!("{head}{statement}{tail}"))
            }
        }
    }

    /// A statement as it is written there: one that is added stands on a line of its own.
    fn done(&self, source: &str, at: usize, by: &Expression) -> String {
        if self.role == Role::Replaced {
            return by.text();
        }
        let line = source[..at].rfind('\n').map_or(0, |end| end + 1);
        let indent: String = source[line..].chars().take_while(|at| matches!(at, ' ' | '\t')).collect();
        // It is as deep as what follows, and one step deeper than the end of its block.
        let next = source[at..].lines().skip(1).find(|line| !line.trim().is_empty()).unwrap_or_default();
        let of_next = || next[..next.len() - next.trim_start().len()].to_string();
        let step = if next.starts_with('\t') || indent.contains('\t') { "\t" } else { "    " };
        let own = if next.trim_start().starts_with('}') { of_next() + step } else { of_next() };
        let end = if source.contains("\r\n") { "\r\n" } else { "\n" };
        // What is behind the place on its line comes on the next one.
        let rest = source[at..].split('\n').next().unwrap_or_default().trim();
        let behind = if rest.is_empty() || rest.starts_with("//") || rest.starts_with("/*") {
            String::new()
        } else {
            format!("{end}{indent}")
        };
        format!("{end}{own}{};{behind}", by.text())
    }

    /// Whether it decides if a loop goes on: with another value it is computed again.
    pub fn is_of_loop(&self, source: &str) -> bool {
        let before = source[..self.range.start].trim_end();
        let head = before.strip_suffix('(').unwrap_or(before).trim_end();
        self.role == Role::Condition && (before.ends_with(';') || head.ends_with("while"))
    }

    /// Whether a statement is looked for in a block with nothing in it.
    pub fn fills_a_block(&self, source: &str) -> bool {
        let (before, after) = source.split_at(self.range.start);
        self.role == Role::Added && before.trim_end().ends_with('{') && after.trim_start().starts_with('}')
    }

    /// An expression as it is written there.
    pub fn written(&self, expression: &Expression) -> String {
        match self.language {
            Language::C => expression.text(),
            Language::Rust => rust::written(expression, self.result),
        }
    }

    /// Whether an expression can stand there, as far as the kinds of values say.
    pub(crate) fn is_sound(&self, expression: &Expression) -> bool {
        match self.language {
            Language::C => sound(expression),
            Language::Rust => rust::sound(expression, self.result),
        }
    }
}
