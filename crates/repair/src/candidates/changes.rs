//! What stands there, with one thing changed, moved or added.

use super::{Make, shifted};
use crate::distance::distance;
use crate::expression::{ARITHMETIC, BITS, COMPARISONS, Class, Expression, LOGIC};
use crate::language::Language;
use crate::rearrange::{everywhere, exchanged, regrouped, rounded};
use crate::rust::siblings;

/// Variables that are factors.
const MOST_FACTORS: usize = 6;
/// Variables that are converted in the place of another one.
const MOST_CONVERTED: usize = 8;
/// What stands there in another order is so far from it.
const MOVED: u32 = 2;
/// Another function of the same types is so far from it.
const SIBLING: u32 = 2;
/// A quotient that is rounded otherwise is so far from it.
const ROUNDED: u32 = 2;

impl Make<'_> {
    /// What stands there with one thing changed, or with one more.
    pub(super) fn changed(&mut self) {
        for changed in self.changes(&self.site.expression) {
            self.add(0, changed);
        }
        for moved in regrouped(&self.site.expression).into_iter().chain(exchanged(&self.site.expression)) {
            self.add_at(0, MOVED, moved);
        }
        if self.site.language == Language::Rust {
            for sibling in siblings(&self.site.expression) {
                self.add_at(0, SIBLING, sibling);
            }
        }
        for character in everywhere(&self.site.expression, &characters) {
            self.add(3, character);
        }
        for longer in self.longer(&self.site.expression) {
            self.add(2, longer);
        }
        for rounded in rounded(&self.site.expression) {
            self.add_at(0, ROUNDED, rounded);
        }
        for product in self.products(&self.site.expression) {
            let cost = 1 + distance(&self.site.expression, &product, &self.site.constants);
            self.add_at(4, cost, product);
        }
        for called in self.called(&self.site.expression) {
            self.add(3, called);
        }
    }

    /// Each number in it times a variable.
    fn products(&self, expression: &Expression) -> Vec<Expression> {
        let times = |part: &Expression| -> Vec<Expression> {
            let class = part.class();
            let others = self.site.variables.iter().take(MOST_FACTORS);
            let fits = |other: &&Expression| other.class().is_number() && class.goes_with(other.class());
            let numbers = (class.is_int() || class == Class::Float) && *part != Expression::Number(0);
            others
                .filter(fits)
                .filter(|_| numbers)
                .map(|by| Expression::binary("*", part.clone(), by.clone()))
                .collect()
        };
        everywhere(expression, &times)
    }

    /// Each part of it given to a function in the place of one of the arguments with which it is called somewhere near.
    fn called(&self, expression: &Expression) -> Vec<Expression> {
        let calls = || {
            let variables = self.site.variables.iter();
            variables.filter(
                |of| matches!(of, Expression::Written { pieces, .. } if pieces[0].ends_with('(') && pieces[0] != "("),
            )
        };
        let given = |part: &Expression| -> Vec<Expression> {
            let class = part.class();
            let into = |call: &Expression| -> Vec<Expression> {
                let result = call.class();
                let operands = call.operands().into_iter().enumerate();
                let fits = result == class || class.goes_with(result);
                let places = operands.filter(|(_, operand)| fits && operand.class().goes_with(class));
                places.filter_map(|(at, _)| call.with_operand(at, part.clone())).collect()
            };
            calls().flat_map(into).filter(|_| part.is_pure()).collect()
        };
        everywhere(expression, &given)
    }

    /// Each number in it joined with a variable or a constant.
    fn longer(&self, expression: &Expression) -> Vec<Expression> {
        let mut out = Vec::new();
        for (number, operand) in expression.operands().into_iter().enumerate() {
            out.extend(self.longer(operand).into_iter().filter_map(|other| expression.with_operand(number, other)));
        }
        let class = expression.class();
        if class.is_int() || matches!(class, Class::Char | Class::Float) {
            let others = self.variables().into_iter().chain(self.constants());
            for other in others.filter(|other| class.goes_with(other.class()) && *other != Expression::Number(0)) {
                out.extend(["+", "-"].map(|operator| Expression::binary(operator, expression.clone(), other.clone())));
                out.push(Expression::binary("-", other, expression.clone()));
            }
        }
        out
    }

    fn changes(&self, expression: &Expression) -> Vec<Expression> {
        let mut out = Vec::new();
        for (number, operand) in expression.operands().into_iter().enumerate() {
            out.extend(self.changes(operand).into_iter().filter_map(|other| expression.with_operand(number, other)));
        }
        match expression {
            Expression::Binary(operator, left, right) => {
                let same: &[&[&'static str]] = &[&COMPARISONS, &LOGIC, &ARITHMETIC, &BITS];
                let others = same.iter().filter(|group| group.contains(operator)).flat_map(|group| group.iter());
                out.extend(
                    others
                        .filter(|other| *other != operator && may_order(left, right, operator, other))
                        .map(|other| Expression::Binary(other, left.clone(), right.clone())),
                );
                if ["-", "/", "%", "<<", ">>"].contains(operator) {
                    out.push(Expression::Binary(operator, right.clone(), left.clone()));
                }
                // A negation that is missing.
                if LOGIC.contains(operator) {
                    let is_one = |of: &Expression| matches!(of, Expression::Atom { .. } | Expression::Written { .. });
                    for (number, side) in [left, right].into_iter().enumerate().filter(|(_, side)| is_one(side)) {
                        out.extend(expression.with_operand(number, Expression::Unary("!", side.clone())));
                    }
                }
                // One operand less.
                if expression.class() == left.class() {
                    out.push((**left).clone());
                }
                if expression.class() == right.class() {
                    out.push((**right).clone());
                }
                if COMPARISONS.contains(operator) && left.class().is_number() && right.class().is_number() {
                    // One less than what a text begins with says nothing.
                    for by in [1, -1].into_iter().filter(|_| !is_character(right)) {
                        out.push(Expression::Binary(operator, left.clone(), Box::new(shifted((**right).clone(), by))));
                    }
                }
            }
            Expression::Unary("!" | "-", of) => out.push((**of).clone()),
            Expression::Number(number) => out.extend([1, -1].map(|by| Expression::Number(number.saturating_add(by)))),
            // What is converted may be any number.
            Expression::Written { pieces, operands, .. }
                if pieces.last().is_some_and(|last| last.starts_with(" as ")) =>
            {
                let numbers = self.site.variables.iter().filter(|other| other.class().is_number());
                let others = numbers.filter(|other| operands.first() != Some(other)).take(MOST_CONVERTED);
                out.extend(others.filter_map(|other| expression.with_operand(0, other.clone())));
            }
            Expression::Choice(test, then, other) => {
                out.push(Expression::Choice(test.clone(), other.clone(), then.clone()));
                out.extend([(**then).clone(), (**other).clone()]);
            }
            _ => {}
        }
        out.extend(self.others(expression));
        let class = expression.class();
        if (class.is_int() || class == Class::Char) && !matches!(expression, Expression::Number(_)) {
            let by_one = [1, -1].into_iter().filter(|_| !is_character(expression));
            out.extend(by_one.map(|by| shifted(expression.clone(), by)));
        }
        out
    }

    /// What can stand in the place of a variable, of what is reached from one, or of a constant.
    fn others(&self, expression: &Expression) -> Vec<Expression> {
        let class = match expression {
            Expression::Atom { class, pure: true, .. } | Expression::Written { class, pure: true, .. } => *class,
            Expression::Number(_) => Class::Int,
            _ => return Vec::new(),
        };
        let is_number = matches!(expression, Expression::Number(_));
        // A constant with a name is no number, a character that is named no other value.
        let is_named = matches!(expression, Expression::Atom { constant: true, .. });
        let is_kind = |other: &Expression| match other {
            _ if is_character(expression) => is_character(other),
            Expression::Number(_) => !is_named,
            other => is_named || !is_character(other),
        };
        let fits = |other: &&Expression| match other.class() {
            _ if !is_kind(other) => false,
            Class::Float => is_number || class == Class::Float,
            other => other == class || class.goes_with(other),
        };
        // A constant is most often another one.
        let is_constant = is_number || matches!(expression, Expression::Atom { constant: true, .. });
        let constants = if is_constant { self.site.constants.clone() } else { Vec::new() };
        let values = self.site.variables.iter().chain(&self.site.bases).filter(fits).cloned();
        let all = values.chain(self.constants().into_iter().chain(constants).filter(|other| fits(&other)));
        all.filter(|other| other != expression).collect()
    }
}

/// Characters that programs have everywhere, in the place of another one.
const CHARACTERS: [&str; 15] =
    ["' '", "'\\n'", "'\\t'", "'\\0'", "'0'", "'9'", "'a'", "'z'", "'A'", "'Z'", "'_'", "'-'", "'.'", "','", "'+'"];

/// Other characters that may be meant where one stands.
fn characters(part: &Expression) -> Vec<Expression> {
    let Expression::Atom { text, class, pure, constant: true } = part else { return Vec::new() };
    // Rust has characters that are bytes.
    let (byte, quoted) = text.strip_prefix('b').map_or(("", &**text), |quoted| ("b", quoted));
    let Some(inner) = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) else { return Vec::new() };
    // The next one and the one before.
    let own = inner.bytes().next().filter(|first| inner.len() == 1 && first.is_ascii_alphanumeric());
    let beside = own.into_iter().flat_map(|own| [own + 1, own - 1]).map(char::from);
    let beside = beside.filter(char::is_ascii_alphanumeric).map(|character| format!("'{character}'"));
    let others = CHARACTERS.iter().map(ToString::to_string).chain(beside);
    others
        .map(|other| Expression::Atom { text: format!("{byte}{other}"), class: *class, pure: *pure, constant: true })
        .filter(|other| other != part)
        .collect()
}

/// Whether it is a character that the source names.
fn is_character(of: &Expression) -> bool {
    matches!(of, Expression::Atom { text, .. } if text.starts_with('\'') || text.starts_with("b'"))
}

/// Whether a comparison may become another one: pointers, truth values and characters that are the same or not have no order.
fn may_order(left: &Expression, right: &Expression, from: &str, to: &str) -> bool {
    let is_equality = |of: &str| matches!(of, "==" | "!=");
    let kind = |of: &Expression| matches!(of.class(), Class::Pointer(_) | Class::Record(_) | Class::Bool);
    let unordered = |of: &Expression| is_character(of) || kind(of);
    !is_equality(from) || is_equality(to) || !(unordered(left) || unordered(right))
}
