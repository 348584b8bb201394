//! All mutants of a source.
//!
//! Only code that runs is changed: bodies of functions, without the initial values of static variables. What a macro
//! gives is left alone.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use crate::error::Error;
use crate::mutant::{Mutant, Operator};
use crate::tree::{self, Node, Point};

const RELATIONAL: &[&str] = &["<", "<=", ">", ">=", "==", "!="];
const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "%"];
/// An assignment, and what it becomes.
const ASSIGNMENTS: &[(&str, &[&str])] = &[
    ("=", &["+=", "-="]),
    ("+=", &["-=", "="]),
    ("-=", &["+=", "="]),
    ("*=", &["/=", "="]),
    ("/=", &["*=", "="]),
    ("%=", &["/=", "="]),
    ("&=", &["|=", "="]),
    ("|=", &["&=", "="]),
    ("^=", &["|=", "="]),
    ("<<=", &[">>=", "="]),
    (">>=", &["<<=", "="]),
];
const NUMBERS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "bool",
];

/// All mutants of a source in a folder, in the order of the text.
pub fn mutants(folder: &Path, file: &str) -> Result<Vec<Mutant>, Error> {
    let path = folder.join(file);
    let source = std::fs::read_to_string(&path).map_err(Error::io("read the source", &path))?;
    let unit = tree::of(folder, file)?;
    let mut walk = Walk { file, source: &source, visible: Vec::new(), line: 0, found: BTreeSet::new() };
    walk.unit(&unit);
    let mut seen = BTreeSet::new();
    let mut found: Vec<Mutant> = walk.found.into_iter().collect();
    found.sort_by(|a, b| (a.start, a.end, a.operator, &a.text).cmp(&(b.start, b.end, b.operator, &b.text)));
    // What two operators give is one mutant.
    found.retain(|mutant| seen.insert((mutant.start, mutant.end, mutant.text.clone())));
    Ok(found)
}

struct Walk<'a> {
    file: &'a str,
    source: &'a str,
    /// Variables in scope, outer ones first: their names and types.
    visible: Vec<(String, String)>,
    /// The first line of the statement that the walk is in.
    line: u32,
    found: BTreeSet<Mutant>,
}

/// What a statement stands in.
enum Around {
    /// A block; with the lines next to it.
    Block(Vec<u32>),
    /// A condition, without braces; with its line.
    Condition(u32),
}

impl Walk<'_> {
    fn unit(&mut self, unit: &Node) {
        for node in &unit.parts {
            let own = !node.begin.file.trim_start_matches("./").contains('/');
            match node.kind.as_str() {
                "VarDecl" if own => self.visible.push((node.name.clone(), node.type_name.clone())),
                "FunctionDecl" if *node.begin.file == *self.file => self.function(node),
                _ => {}
            }
        }
    }

    fn function(&mut self, node: &Node) {
        let outer = self.visible.len();
        for part in &node.parts {
            match part.kind.as_str() {
                "ParmVarDecl" => self.visible.push((part.name.clone(), part.type_name.clone())),
                "CompoundStmt" => self.block(part, None),
                _ => {}
            }
        }
        self.visible.truncate(outer);
    }

    /// A block; with the line of the condition that it depends on.
    fn block(&mut self, node: &Node, condition: Option<u32>) {
        let outer = self.visible.len();
        for (index, part) in node.parts.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| node.parts.get(before));
            let mut lines: Vec<u32> = [before, node.parts.get(index + 1)]
                .into_iter()
                .flatten()
                .map(|part| self.line_of(&part.begin))
                .collect();
            if lines.is_empty() {
                lines.extend(condition);
            }
            self.statement(part, Around::Block(lines));
        }
        self.visible.truncate(outer);
    }

    fn statement(&mut self, node: &Node, around: Around) {
        self.line = self.line_of(&node.begin);
        self.deletion(node, &around);
        let parts = &node.parts[..];
        match (node.kind.as_str(), parts) {
            ("CompoundStmt", _) => {
                self.block(node, if let Around::Condition(line) = around { Some(line) } else { None })
            }
            ("DeclStmt", _) => parts.iter().for_each(|part| self.declaration(part)),
            ("IfStmt", [condition, arms @ ..]) => {
                self.condition(condition);
                let line = self.line_of(&condition.begin);
                arms.iter().for_each(|arm| self.statement(arm, Around::Condition(line)));
            }
            ("WhileStmt", [condition, body]) => {
                self.condition(condition);
                self.statement(body, Around::Condition(self.line_of(&condition.begin)));
            }
            ("DoStmt", [body, condition]) => {
                let line = self.line_of(&condition.begin);
                self.statement(body, Around::Condition(line));
                self.line = line;
                self.condition(condition);
            }
            ("ForStmt", [first, _, condition, step, body]) => {
                let outer = self.visible.len();
                let line = self.line;
                match first.kind.as_str() {
                    "DeclStmt" => first.parts.iter().for_each(|part| self.declaration(part)),
                    _ => self.expression(first),
                }
                self.condition(condition);
                self.expression(step);
                self.statement(body, Around::Condition(line));
                self.visible.truncate(outer);
            }
            ("SwitchStmt", [value, body]) => {
                self.expression(value);
                self.statement(body, Around::Condition(self.line_of(&value.begin)));
            }
            ("CaseStmt" | "DefaultStmt" | "LabelStmt", [labels @ .., statement]) => {
                labels.iter().for_each(|label| self.expression(label));
                let line = self.line;
                self.statement(statement, Around::Condition(line));
            }
            ("ReturnStmt", _) => parts.iter().for_each(|part| self.expression(part)),
            _ if node.is_expression => self.expression(node),
            _ => {}
        }
    }

    fn declaration(&mut self, node: &Node) {
        if node.kind != "VarDecl" {
            return;
        }
        if let (true, "", Some(initial)) = (node.has_initial, node.storage.as_str(), node.parts.last()) {
            self.expression(initial);
        }
        self.visible.push((node.name.clone(), node.type_name.clone()));
    }

    fn deletion(&mut self, node: &Node, around: &Around) {
        let simple = node.is_expression || matches!(node.kind.as_str(), "BreakStmt" | "ContinueStmt");
        // What follows a value that is not returned is undefined.
        if !(simple || node.kind == "ReturnStmt" && node.parts.is_empty()) {
            return;
        }
        let (lines, rest) = match around {
            Around::Block(lines) => (lines.clone(), ""),
            Around::Condition(line) => (vec![*line], ";"),
        };
        if node.begin.from_macro || *node.begin.file != *self.file || lines.is_empty() {
            return;
        }
        let end = node.end.offset + node.end.length;
        let Some(end) = self.skip(end).filter(|end| self.source[*end..].starts_with(';')) else { return };
        let range = node.begin.offset..end + 1;
        let breaks: String = self.source[range.clone()].chars().filter(|c| *c == '\n').collect();
        self.found.insert(Mutant {
            file: self.file.to_string(),
            start: range.start,
            end: range.end,
            text: format!("{rest}{breaks}"),
            operator: Operator::Deletion,
            lines: distinct(lines),
        });
    }

    fn condition(&mut self, node: &Node) {
        if let Some(range) = self.range(node) {
            let text = format!("!({})", &self.source[range.clone()]);
            self.add(Operator::Negation, range, &text);
        }
        self.expression(node);
    }

    fn expression(&mut self, node: &Node) {
        let parts = &node.parts[..];
        match (node.kind.as_str(), parts) {
            ("BinaryOperator" | "CompoundAssignOperator", [left, right]) => self.binary(node, left, right),
            ("UnaryOperator", [operand]) => self.unary(node, operand),
            ("ConditionalOperator", [condition, arms @ ..]) => {
                self.condition(condition);
                arms.iter().for_each(|arm| self.expression(arm));
                return;
            }
            ("IntegerLiteral" | "CharacterLiteral" | "FloatingLiteral", _) => self.constant(node),
            ("DeclRefExpr", _) => self.variable(node),
            ("ArraySubscriptExpr", [_, index]) => {
                if let Some(range) = self.range(index) {
                    for change in ["+ 1", "- 1"] {
                        let text = format!("({}) {change}", &self.source[range.clone()]);
                        self.add(Operator::Index, range.clone(), &text);
                    }
                }
            }
            ("ImplicitCastExpr", _) if node.cast == "LValueToRValue" && is_number(&node.type_name) => {
                if let Some(range) = self.range(node) {
                    let text = format!("(-{})", &self.source[range.clone()]);
                    self.add(Operator::Minus, range, &text);
                }
            }
            ("UnaryExprOrTypeTraitExpr", _) => return,
            _ => {}
        }
        parts.iter().for_each(|part| self.expression(part));
    }

    fn binary(&mut self, node: &Node, left: &Node, right: &Node) {
        let operator = node.operator.as_str();
        let Some(range) = self.between(left, operator, right) else { return };
        let numbers = is_number(&left.type_name) && is_number(&right.type_name);
        let real =
            [left, right].iter().any(|part| part.type_name.ends_with("float") || part.type_name.ends_with("double"));
        let mut to = |kind, others: &mut dyn Iterator<Item = &&str>| {
            for other in others.filter(|other| **other != operator) {
                self.add(kind, range.clone(), other);
            }
        };
        if operator == "&&" || operator == "||" {
            to(Operator::Connector, &mut ["&&", "||"].iter());
        } else if RELATIONAL.contains(&operator) {
            // Of pointers and enumerations only whether they are equal.
            let equality = operator == "==" || operator == "!=";
            let sensible = |other: &&&str| numbers || !equality || **other == "==" || **other == "!=";
            to(Operator::Relational, &mut RELATIONAL.iter().filter(sensible));
        } else if ARITHMETIC.contains(&operator) {
            let sensible = |other: &&&str| match **other {
                "%" => numbers && !real,
                "*" | "/" => numbers,
                _ => true,
            };
            to(Operator::Arithmetic, &mut ARITHMETIC.iter().filter(sensible));
        } else if let Some((_, others)) = ASSIGNMENTS.iter().find(|(own, _)| *own == operator)
            && is_number(&left.type_name)
        {
            let sensible = |other: &&&str| !real || matches!(**other, "=" | "+=" | "-=" | "*=" | "/=");
            to(Operator::Assignment, &mut others.iter().filter(sensible));
        }
    }

    fn unary(&mut self, node: &Node, operand: &Node) {
        let operator = node.operator.as_str();
        let prefix = |walk: &Self| {
            let start = node.begin.offset;
            let plain = !node.begin.from_macro && *node.begin.file == *walk.file;
            (plain && walk.source[start..].starts_with(operator)).then(|| start..start + operator.len())
        };
        match operator {
            "-" | "!" => {
                let kind = if operator == "-" { Operator::Minus } else { Operator::Negation };
                if let Some(range) = prefix(self) {
                    self.add(kind, range, "");
                }
            }
            "++" | "--" => {
                let other = if operator == "++" { "--" } else { "++" };
                let suffix = |walk: &Self| {
                    let range = walk.range(operand)?;
                    let start = walk.skip(range.end)?;
                    walk.source[start..].starts_with(operator).then(|| start..start + operator.len())
                };
                if let Some(range) = prefix(self).or_else(|| suffix(self)) {
                    self.add(Operator::Assignment, range, other);
                }
            }
            _ => {}
        }
    }

    fn constant(&mut self, node: &Node) {
        let Some(range) = self.range(node) else { return };
        let mut values: Vec<String> = Vec::new();
        if node.kind == "FloatingLiteral" {
            let Ok(value) = node.value.parse::<f64>() else { return };
            let all = [value + 1.0, value - 1.0, 0.0, 1.0];
            values.extend(all.iter().filter(|other| **other != value).map(|other| format!("{other:?}")));
        } else {
            let Ok(value) = node.value.parse::<i64>() else { return };
            let all = [value.saturating_add(1), value.saturating_sub(1), 0, 1];
            values.extend(all.iter().filter(|other| **other != value).map(i64::to_string));
        }
        for value in values {
            let text = if value.starts_with('-') { format!("({value})") } else { value };
            self.add(Operator::Constant, range.clone(), &text);
        }
    }

    fn variable(&mut self, node: &Node) {
        let (Some(range), Some((kind, name))) = (self.range(node), &node.referenced) else { return };
        if !matches!(kind.as_str(), "VarDecl" | "ParmVarDecl") {
            return;
        }
        let mut hidden = BTreeSet::from([name.clone()]);
        let visible: Vec<_> = self.visible.iter().rev().cloned().collect();
        for (other, type_name) in visible {
            if hidden.insert(other.clone()) && type_name == node.type_name {
                self.add(Operator::Variable, range.clone(), &other);
            }
        }
    }

    fn add(&mut self, operator: Operator, range: Range<usize>, text: &str) {
        let lines = distinct(vec![self.line_at(range.start), self.line]);
        let file = self.file.to_string();
        self.found.insert(Mutant { file, start: range.start, end: range.end, text: text.into(), operator, lines });
    }

    /// The text of a node, where it is in this source and no macro gives its ends.
    fn range(&self, node: &Node) -> Option<Range<usize>> {
        let plain = |point: &Point| !point.from_macro && point.length > 0 && *point.file == *self.file;
        (plain(&node.begin) && plain(&node.end)).then(|| node.begin.offset..node.end.offset + node.end.length)
    }

    /// An operator between its operands, when it stands there in the source.
    fn between(&self, left: &Node, operator: &str, right: &Node) -> Option<Range<usize>> {
        let plain = |point: &Point| !point.from_macro && *point.file == *self.file;
        let start = if plain(&left.end) {
            self.skip(left.end.offset + left.end.length)?
        } else if plain(&right.begin) {
            self.source[..right.begin.offset].trim_end().len().checked_sub(operator.len())?
        } else {
            return None;
        };
        (self.source.get(start..start + operator.len()) == Some(operator)).then(|| start..start + operator.len())
    }

    /// The first byte from here on that is no space and in no comment.
    fn skip(&self, mut at: usize) -> Option<usize> {
        loop {
            let rest = self.source.get(at..)?;
            let text = rest.trim_start();
            at += rest.len() - text.len();
            at += match text {
                _ if text.starts_with("/*") => text.find("*/")? + 2,
                _ if text.starts_with("//") => text.find('\n')?,
                _ => return Some(at),
            };
        }
    }

    fn line_of(&self, point: &Point) -> u32 {
        self.line_at(point.offset)
    }

    fn line_at(&self, offset: usize) -> u32 {
        let before = self.source.as_bytes().iter().take(offset);
        1 + before.filter(|byte| **byte == b'\n').count() as u32
    }
}

fn is_number(type_name: &str) -> bool {
    let plain = type_name.trim_start_matches("const ").trim_start_matches("volatile ");
    NUMBERS.contains(&plain)
}

fn distinct(mut lines: Vec<u32>) -> Vec<u32> {
    lines.sort_unstable();
    lines.dedup();
    lines
}
