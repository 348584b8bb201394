//! Statements of Rust that change a variable: those that may be others, and those that may be missing.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt};

use super::functions::Source;
use super::kinds::{class_of, name, plain, target};
use super::local::Local;
use super::pure::{is_assignment, is_looking};
use super::reading::{bare, operator_of_assignment, range};
use super::types::Types;
use crate::language::Language;
use crate::updates::{COPY, Statements, UPDATE, closest, replaced, steps, updates};

/// Statements of a function that may have to be done elsewhere, too.
const MOST_COPIES: usize = 12;
/// Longer ones are not done twice.
const LONG: usize = 100;
/// Variables that something is given, and functions that are called for it.
const MOST_GIVEN: usize = 5;

/// What a function changes.
#[derive(Default)]
pub(crate) struct Changed {
    /// Variables that something changes, or may.
    names: HashSet<String>,
    /// How often each name stands there.
    used: HashMap<String, usize>,
    /// Variables that may be changed.
    mutable: HashSet<String>,
    /// Statements that change something, by where they begin.
    statements: Vec<(usize, String)>,
}

impl Changed {
    pub fn of(source: &Source, block: &syn::Block) -> Self {
        let mut reading = Changes { source: source.text(), to: Self::default() };
        reading.visit_block(block);
        reading.to
    }

    /// What may be missing at a byte, where these variables are visible, the innermost first.
    pub fn missing(&self, locals: &[Local], types: &Types, at: usize) -> Statements {
        let of = |local: &Local| types.of_local(local.declared).map(plain);
        let mut given: Vec<&Local> = locals.iter().filter(|local| local.name != "self").collect();
        // What is named nowhere else is most often what is missing.
        given.sort_by_key(|local| self.used.get(&local.name).copied().unwrap_or_default() > 1);
        let mut out = Vec::new();
        for local in locals.iter().filter(|local| self.mutable.contains(&local.name)) {
            let Some(ty) = of(local) else { continue };
            let class = class_of(&ty);
            if self.names.contains(&local.name) {
                if class.is_int() {
                    out.extend(steps(Language::Rust, &local.name, COPY + 1));
                }
                continue;
            }
            let others = given.iter().filter(|other| other.name != local.name);
            if class.is_number() {
                let fits = |other: &&&Local| of(other).is_some_and(|ty| class_of(&target(&ty).0).goes_with(class));
                let value =
                    |other: &&Local| format!("{}{}", "*".repeat(of(other).map_or(0, |ty| target(&ty).1)), other.name);
                let others: Vec<String> = others.filter(fits).map(value).collect();
                out.extend(updates(Language::Rust, &local.name, class, &others));
            } else {
                let others: Vec<&str> = others.map(|other| &*other.name).take(MOST_GIVEN).collect();
                out.extend(filled(&local.name, name(&target(&ty).0), &others));
            }
        }
        let mut copies: Vec<&(usize, String)> = self.statements.iter().collect();
        copies.sort_by_key(|(start, _)| start.abs_diff(at));
        out.extend(copies.into_iter().take(MOST_COPIES).map(|(_, text)| (COPY, text.clone())));
        closest(out)
    }
}

/// How something is put into a list, a set, a text: variables, and what functions among them make of others.
fn filled(of: &str, kind: &str, others: &[&str]) -> Statements {
    let methods: &[&str] = match kind {
        "Vec" => &["push", "extend"],
        "VecDeque" => &["push_back", "push_front", "extend"],
        "BinaryHeap" => &["push"],
        "String" => &["push", "push_str"],
        "HashSet" | "BTreeSet" => &["insert", "extend"],
        "HashMap" | "BTreeMap" => {
            let pair = |key: &str| -> Statements {
                let values = others.iter().filter(|value| **value != key);
                values.map(|value| (UPDATE, format!("{of}.insert({key}, {value})"))).collect()
            };
            let counted = others.iter().map(|key| (UPDATE, format!("*{of}.entry({key}).or_insert(0) += 1")));
            return others.iter().flat_map(|key| pair(key)).chain(counted).collect();
        }
        _ => return Vec::new(),
    };
    let mut values: Vec<(u32, String)> = Vec::new();
    for other in others {
        values.push((UPDATE + 1, (*other).to_string()));
        values.extend(
            [format!("*{other}"), format!("{other}.clone()"), format!("&{other}")].map(|text| (UPDATE + 2, text)),
        );
        // First: the compiler takes the type of what is put in from what comes first, and a function says more of it.
        let arguments = others.iter().filter(|argument| *argument != other);
        values.extend(arguments.map(|argument| (UPDATE, format!("{other}({argument})"))));
    }
    let put = |(cost, value): &(u32, String)| {
        let (cost, value) = (*cost, value.clone());
        methods.iter().map(move |method| (cost, format!("{of}.{method}({value})")))
    };
    values.iter().flat_map(put).collect()
}

/// What an operator that assigns may have been meant to be: its bytes, and the others.
pub(crate) fn others(source: &Source, expression: &Expr) -> Option<(Range<usize>, Statements)> {
    let Expr::Binary(of) = expression else { return None };
    let text = |part: &Expr| source.text().get(range(part));
    let whole = range(expression);
    if source.text().get(whole.clone())?.contains('\n') {
        return None;
    }
    Some((whole, replaced(operator_of_assignment(&of.op)?, text(&of.left)?, text(&of.right)?, None)))
}

/// Where something may be missing in a block, with the lines that would be suspicious for it: before its statements, and at its end.
pub(crate) fn gaps(source: &Source, block: &syn::Block) -> Vec<(usize, Range<u32>)> {
    let whole = range(block);
    let line = |at: usize| source.line(at);
    let mut out = Vec::new();
    for number in 0..=block.stmts.len() {
        let (at, from) = match number.checked_sub(1).map(|before| &block.stmts[before]) {
            None => (whole.start + 1, whole.start),
            Some(before) if leaves(before) => continue,
            Some(before) => {
                let range = range(before);
                let is_simple = matches!(before, Stmt::Local(_) | Stmt::Expr(_, Some(_)) | Stmt::Macro(_));
                (range.end, if is_simple { range.start } else { range.end })
            }
        };
        let to = block.stmts.get(number).map_or(whole.end, |next| range(next).start);
        out.push((at, line(from)..line(to) + 1));
    }
    out
}

/// Whether nothing is done behind a statement, or nothing can stand there.
fn leaves(statement: &Stmt) -> bool {
    match statement {
        Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _) => true,
        Stmt::Expr(of, None) => {
            !matches!(of, Expr::If(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Match(_) | Expr::Block(_))
        }
        Stmt::Item(_) => true,
        _ => false,
    }
}

struct Changes<'a> {
    source: &'a str,
    to: Changed,
}

impl Changes<'_> {
    fn changes(&mut self, of: &Expr) {
        if let Some(name) = base(of) {
            self.to.names.insert(name);
        }
    }
}

/// The variable that something is a part of.
fn base(of: &Expr) -> Option<String> {
    match bare(of) {
        Expr::Path(of) => of.path.get_ident().map(ToString::to_string),
        Expr::Field(of) => base(&of.base),
        Expr::Index(of) => base(&of.expr),
        Expr::Unary(of) => base(&of.expr),
        Expr::MethodCall(of) => base(&of.receiver),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Changes<'_> {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(of, Some(_)) = statement
            && let Some(text) = self.source.get(range(of)).filter(|text| !text.contains('\n') && text.len() < LONG)
        {
            let is_change = match of {
                Expr::Assign(_) | Expr::Call(_) => true,
                Expr::Binary(of) => is_assignment(&of.op),
                Expr::MethodCall(of) => !is_looking(&of.method.to_string()),
                _ => false,
            };
            if is_change {
                self.to.statements.push((range(of).start, text.to_string()));
            }
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Assign(of) => self.changes(&of.left),
            Expr::Binary(of) if is_assignment(&of.op) => self.changes(&of.left),
            Expr::Reference(of) if of.mutability.is_some() => self.changes(&of.expr),
            Expr::MethodCall(of) if !is_looking(&of.method.to_string()) => self.changes(&of.receiver),
            Expr::Path(of) => {
                if let Some(name) = of.path.get_ident() {
                    *self.to.used.entry(name.to_string()).or_default() += 1;
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Ident(of) = pattern
            && of.mutability.is_some()
        {
            self.to.mutable.insert(of.ident.to_string());
        }
        visit::visit_pat(self, pattern);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_filled_with_what_is_there_and_what_functions_make_of_it() {
        let made = filled("out", "Vec", &["f", "value"]);
        for wanted in ["out.push(value)", "out.push(f(value))", "out.extend(*value)"] {
            assert!(made.iter().any(|(_, text)| text == wanted), "{made:?}");
        }
        assert!(
            filled("counts", "HashMap", &["key"])
                .iter()
                .any(|(_, text)| text == "*counts.entry(key).or_insert(0) += 1")
        );
        assert_eq!(filled("a", "Mutex", &["b"]), []);
    }

    #[test]
    fn something_may_be_missing_between_statements_but_not_behind_a_value() {
        let source =
            Source::parse("fn f() -> u32 {\n    let mut a = 1;\n    for b in 0..2 {\n    }\n    a\n}\n".into())
                .unwrap();
        let function = source.functions().remove(0);
        let gaps: Vec<Range<u32>> = gaps(&source, function.block).into_iter().map(|(_, lines)| lines).collect();
        assert_eq!(gaps, [1..3, 2..4, 4..6]);
    }
}
