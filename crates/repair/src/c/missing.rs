//! Statements of C and C++ that change a variable: those that may be others, and those that may be missing.

use std::collections::HashSet;
use std::ops::Range;

use super::ast::Node;
use super::scope::{Reading, Variable};
use crate::expression::Class;
use crate::language::Language;
use crate::updates::{COPY, MOST_OTHERS, STEP, Statements, UPDATE, closest, replaced, steps, updates};

/// Statements of a function that may have to be done elsewhere, too.
const MOST_COPIES: usize = 16;
/// Longer ones are not done twice.
const LONG: usize = 100;

/// What a function changes.
#[derive(Default)]
pub(crate) struct Changed<'a> {
    /// Variables that something changes, by their ids.
    ids: HashSet<&'a str>,
    /// Variables that it declares and may change.
    own: HashSet<&'a str>,
    /// Arrays that have no value where they are declared.
    empty: HashSet<&'a str>,
    /// All that it declares.
    declared: HashSet<&'a str>,
    /// Statements that change something, by where they begin, with the variables that they name.
    statements: Vec<(usize, String, HashSet<&'a str>)>,
    /// The source can call `memset`.
    clears: bool,
}

impl<'a> Changed<'a> {
    pub fn of(function: Node<'a>, reading: &Reading<'a>) -> Self {
        let clears = ["<string.h>", "<cstring>"].iter().any(|header| reading.source.contains(header));
        let mut changed = Self { clears, ..Self::default() };
        changed.read(function, reading.source);
        changed
    }

    fn read(&mut self, node: Node<'a>, source: &str) {
        let target = match node.kind() {
            "BinaryOperator" if node.text("opcode") == "=" => node.child(0),
            "CompoundAssignOperator" => node.child(0),
            "UnaryOperator" if ["++", "--", "&"].contains(&node.text("opcode")) => node.child(0),
            _ => None,
        };
        self.ids.extend(target.and_then(base));
        if node.is(&["VarDecl", "ParmVarDecl"]) {
            self.declared.insert(node.text("id"));
        }
        if node.kind() == "VarDecl"
            && !node.written_type().starts_with("const ")
            && node.text("storageClass") != "static"
        {
            self.own.insert(node.text("id"));
            if node.text("init").is_empty() && node.type_name().ends_with(']') {
                self.empty.insert(node.text("id"));
            }
        }
        if node.kind() == "CompoundStmt" {
            for child in node.children().filter(|child| is_change(*child)) {
                let text = child.range(source).and_then(|range| Some((range.start, source.get(range)?)));
                let short = text.filter(|(_, text)| !text.contains('\n') && text.len() < LONG);
                let mut ids = HashSet::new();
                Reading::names(child, &mut ids);
                self.statements.extend(short.map(|(at, text)| (at, text.to_string(), ids)));
            }
        }
        node.children().for_each(|child| self.read(child, source));
    }

    /// What may be missing somewhere, where these variables have a value, the innermost first, and those are declared.
    pub fn missing(&self, valued: &[&Variable<'a>], visible: &[Variable<'a>], at: usize) -> Statements {
        let mut out = Vec::new();
        for variable in valued.iter().filter(|of| of.is_value && self.own.contains(of.id)) {
            let (name, class) = (variable.atom.text(), variable.atom.class());
            let fits = |other: &&&Variable<'a>| {
                other.id != variable.id && other.is_value && class.goes_with(other.atom.class())
            };
            if !self.ids.contains(variable.id) {
                let others: Vec<String> = valued.iter().filter(fits).map(|other| other.atom.text()).collect();
                out.extend(updates(Language::C, &name, class, &others));
            }
            // The next one of a list.
            let next = variable.members.iter().filter(|member| class.is_pointer() && member.class() == class);
            out.extend(next.map(|next| (UPDATE, format!("{name} = {}", next.text()))));
        }
        let counters =
            valued.iter().filter(|of| of.is_value && of.atom.class() == Class::Int && self.own.contains(of.id));
        out.extend(counters.take(MOST_OTHERS).flat_map(|of| steps(Language::C, &of.atom.text(), COPY + 1)));
        let arrays = visible.iter().filter(|of| self.clears && self.empty.contains(of.id));
        out.extend(arrays.map(|of| (STEP, format!("memset({0}, 0, sizeof({0}))", of.atom.text()))));
        let is_visible = |id: &&str| !self.declared.contains(id) || visible.iter().any(|known| known.id == *id);
        let mut copies: Vec<_> = self.statements.iter().filter(|(.., ids)| ids.iter().all(is_visible)).collect();
        copies.sort_by_key(|(start, ..)| start.abs_diff(at));
        out.extend(copies.into_iter().take(MOST_COPIES).map(|(_, text, _)| (COPY, text.clone())));
        closest(out)
    }
}

/// The variable that something is a part of.
fn base<'a>(node: Node<'a>) -> Option<&'a str> {
    let bare = node.bare();
    match bare.kind() {
        "DeclRefExpr" => bare.0["referencedDecl"]["id"].as_str(),
        "MemberExpr" | "ArraySubscriptExpr" => base(bare.child(0)?),
        _ => None,
    }
}

/// Whether a statement of a block changes something.
fn is_change(node: Node<'_>) -> bool {
    match node.kind() {
        "BinaryOperator" => node.text("opcode") == "=",
        "UnaryOperator" => ["++", "--"].contains(&node.text("opcode")),
        "CompoundAssignOperator" | "CallExpr" | "CXXMemberCallExpr" => true,
        _ => false,
    }
}

/// What a statement that changes a variable may have been meant to be: its bytes without the semicolon, and the others.
pub(crate) fn others(node: Node<'_>, reading: &Reading<'_>) -> Option<(Range<usize>, Statements)> {
    let source = reading.source;
    let range = node.range(source)?;
    let target = node.child(0)?;
    let left = source.get(target.range(source)?)?;
    let class = reading.class_of(target.type_name())?;
    let list = match node.kind() {
        "CompoundAssignOperator" => {
            let right = source.get(node.child(1)?.range(source)?)?;
            replaced(node.text("opcode").strip_suffix('=')?, left, right, Some(class))
        }
        "UnaryOperator" if node.text("opcode") == "++" => vec![(1, format!("{left}--"))],
        "UnaryOperator" if node.text("opcode") == "--" => vec![(1, format!("{left}++"))],
        _ => return None,
    };
    let text = source.get(range.clone())?;
    (!text.contains('\n') && !node.is_expansion()).then_some((range, list))
}

/// Whether a child of a statement is one by itself, whose value nobody takes.
pub(crate) fn stands_alone(parent: Node<'_>, number: usize) -> bool {
    match parent.kind() {
        "CompoundStmt" => true,
        "ForStmt" => number >= 3,
        "IfStmt" => number > usize::from(parent.flag("hasInit")) + usize::from(parent.flag("hasVar")),
        "WhileStmt" => number > usize::from(parent.flag("hasVar")),
        "DoStmt" => number == 0,
        _ => false,
    }
}
