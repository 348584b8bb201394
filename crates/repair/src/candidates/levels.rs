//! What is made of variables and constants, level by level (SemFix, section 4.2).

use super::{MOST_TESTS, Make};
use crate::distance::distance;
use crate::expression::{COMPARISONS, Class, Expression, LOGIC};
use crate::rearrange::everywhere;
use crate::site::Role;

/// What stands there times a constant of the function is so far from it.
const FACTOR: u32 = 3;
/// The opposite of all of it is so far from it.
const NEGATED: u32 = 2;
/// What is left early for a new test is so much farther.
const LEFT: u32 = 6;
/// Factors that programs have everywhere.
const COMMON_FACTORS: [i64; 4] = [2, 3, 4, 10];

/// Pointers that are tested besides the nearest variables.
const MOST_POINTERS: usize = 16;
/// Enumerators that a variable is compared with.
const MOST_ENUMERATORS: usize = 40;

impl Make<'_> {
    /// Comparisons, alone and joined to what stands there.
    pub(super) fn conditions(&mut self, numbers: &[i64]) {
        let now = self.site.expression.clone();
        self.add_at(1, NEGATED, negated(now.clone()));
        for constant in [0, 1] {
            self.add(1, Expression::Number(constant));
        }
        let tests = self.tests(numbers);
        for (level, test) in &tests {
            self.add(*level, test.clone());
            for operator in LOGIC {
                self.add((*level).max(3), Expression::binary(operator, now.clone(), test.clone()));
            }
        }
        // The same of what is joined.
        let joined = |part: &Expression| -> Vec<Expression> {
            if *part == now || part.class() != Class::Bool {
                return Vec::new();
            }
            let tests = tests.iter().filter(|(level, _)| *level <= 3).take(MOST_TESTS);
            tests
                .flat_map(|(_, test)| LOGIC.map(|operator| Expression::binary(operator, part.clone(), test.clone())))
                .collect()
        };
        for within in everywhere(&now, &joined) {
            self.add(4, within);
        }
    }

    /// What a statement may be done for.
    pub(super) fn guards(&mut self) {
        // What leaves early changes more than what is left out.
        let farther = if self.site.role == Role::Left { LEFT } else { 0 };
        for (level, test) in self.tests(&[]) {
            let cost = farther + distance(&self.site.expression, &test, &self.site.constants);
            self.add_at(level, cost, test);
        }
    }

    /// Comparisons and truth values, with their levels.
    pub(super) fn tests(&self, numbers: &[i64]) -> Vec<(u8, Expression)> {
        let variables = self.variables();
        let mut tests = Vec::new();
        for variable in
            variables.iter().filter(|of| of.class().is_int() || matches!(of.class(), Class::Bool | Class::Pointer(_)))
        {
            // A number as a truth value says less than what is one.
            let level = if variable.class().is_int() { 5 } else { 2 };
            tests.push((level, variable.clone()));
            tests.push((level, Expression::Unary("!", Box::new(variable.clone()))));
        }
        // What is farther away may be no more than a null pointer.
        let pointers = self.site.variables.iter().skip(variables.len()).filter(|of| of.class().is_pointer());
        for pointer in pointers.take(MOST_POINTERS) {
            tests.push((2, pointer.clone()));
            tests.push((2, Expression::Unary("!", Box::new(pointer.clone()))));
        }
        let operands: Vec<Expression> = variables.iter().cloned().chain(self.constants()).collect();
        for left in &variables {
            for right in operands.iter().filter(|right| *right != left && comparable(left, right)) {
                // `a < b` and `b > a` are one.
                let once = !variables.contains(right) || left.text() < right.text();
                let unordered = matches!(left.class(), Class::Pointer(_) | Class::Record(_));
                for operator in
                    COMPARISONS.into_iter().filter(|operator| once && (!unordered || ["==", "!="].contains(operator)))
                {
                    tests.push((2, Expression::binary(operator, left.clone(), right.clone())));
                }
            }
            if left.class().is_int() || left.class() == Class::Char {
                for &number in numbers.iter() {
                    for operator in ["<", ">", "=="] {
                        tests.push((3, Expression::binary(operator, left.clone(), Expression::Number(number))));
                    }
                }
            }
        }
        for (variable, enumerators) in &self.site.enumerators {
            for enumerator in enumerators.iter().take(MOST_ENUMERATORS) {
                let compared = |operator| (2, Expression::binary(operator, variable.clone(), enumerator.clone()));
                tests.extend(["==", "!="].map(compared));
            }
        }
        // The same member of two structures.
        let members: Vec<(&Expression, &str)> =
            self.site.variables.iter().filter_map(|of| Some((of, of.member()?))).collect();
        for (number, &(left, member)) in members.iter().enumerate() {
            let others =
                members[number + 1..].iter().filter(|(right, other)| *other == member && comparable(left, right));
            for (right, _) in others.filter(|(right, _)| !variables.contains(left) || !variables.contains(right)) {
                let operators: &[&'static str] = if left.class().is_pointer() { &["==", "!="] } else { &COMPARISONS };
                let compared =
                    |&operator: &&'static str| (3, Expression::binary(operator, left.clone(), (*right).clone()));
                tests.extend(operators.iter().map(compared));
            }
        }
        tests
    }

    /// Constants, variables, sums.
    pub(super) fn values(&mut self, numbers: &[i64]) {
        let now = self.site.expression.clone();
        let class = if self.site.result == Class::Float { Class::Float } else { now.class() };
        let fits = |other: &Expression| other.class() == class || class.goes_with(other.class());
        let variables: Vec<Expression> = self.variables().into_iter().filter(|other| fits(other)).collect();
        for constant in self.constants().into_iter().filter(|other| fits(other)) {
            self.add(1, constant);
        }
        for variable in &variables {
            self.add(1, variable.clone());
        }
        if !class.is_number() {
            return;
        }
        let small: Vec<Expression> = self.constants().into_iter().filter(|other| fits(other)).collect();
        let of_numbers: Vec<Expression> = numbers.iter().map(|number| Expression::Number(*number)).collect();
        if class.is_int() || matches!(class, Class::Char | Class::Float) {
            for number in &of_numbers {
                self.add(2, number.clone());
            }
        }
        let firsts: Vec<Expression> = std::iter::once(now.clone()).chain(variables.iter().cloned()).collect();
        // A factor that is missing is most often one that the function has.
        let factors = small.iter().filter(|factor| self.site.constants.contains(factor)).cloned();
        let common = COMMON_FACTORS.map(Expression::Number).into_iter().filter(|factor| !small.contains(factor));
        for factor in factors.chain(common) {
            for operator in ["*", "/"] {
                let joined = Expression::binary(operator, now.clone(), factor.clone());
                self.add_at(4, FACTOR, joined);
            }
        }
        for first in &firsts {
            for (level, others) in [(2, &variables), (2, &small), (3, &of_numbers)] {
                for other in others.iter().filter(|other| *other != first && **other != Expression::Number(0)) {
                    for operator in ["+", "-"] {
                        self.add(level, Expression::binary(operator, first.clone(), other.clone()));
                    }
                }
            }
            for other in variables.iter().chain(&small).filter(|other| **other != Expression::Number(0)) {
                for operator in ["*", "/", "%"] {
                    self.add(6, Expression::binary(operator, first.clone(), other.clone()));
                }
            }
        }
    }
}

/// The opposite, as people write it: without a sign before what has one, and `a < b` of `a >= b`, unless these may have no order.
pub(super) fn negated(of: Expression) -> Expression {
    match of {
        Expression::Unary("!", of) => *of,
        Expression::Binary(operator, left, right) => match opposite(operator, &left, &right) {
            Some(opposite) => Expression::Binary(opposite, left, right),
            None => Expression::Unary("!", Box::new(Expression::Binary(operator, left, right))),
        },
        of => Expression::Unary("!", Box::new(of)),
    }
}

/// The comparison that holds where another one of the same operands does not; `None` where neither may hold, and for what is none.
fn opposite(operator: &str, left: &Expression, right: &Expression) -> Option<&'static str> {
    let has_order = |of: &Expression| !matches!(of.class(), Class::Float | Class::Record(_));
    match operator {
        "==" => Some("!="),
        "!=" => Some("=="),
        _ if !has_order(left) || !has_order(right) => None,
        "<" => Some(">="),
        ">=" => Some("<"),
        ">" => Some("<="),
        "<=" => Some(">"),
        _ => None,
    }
}

fn comparable(left: &Expression, right: &Expression) -> bool {
    match (left.class(), right.class()) {
        (one @ Class::Pointer(_), other @ Class::Pointer(_)) => one == other,
        (Class::Pointer(_), _) => *right == Expression::Number(0),
        (left, right) => left.goes_with(right) && left != Class::Bool,
    }
}
