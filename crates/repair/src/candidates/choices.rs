//! What stands there only where something holds, and something else otherwise.

use super::{MOST_TESTS, Make, shifted};
use crate::distance::distance;
use crate::expression::{Class, Expression};
use crate::rearrange::everywhere;

/// What is chosen by a new test is so much farther.
const CHOICE: u32 = 2;

impl Make<'_> {
    /// Adds what is chosen by a test.
    pub(super) fn chosen(&mut self) {
        for choice in self.choices(&self.site.expression) {
            let cost = CHOICE + distance(&self.site.expression, &choice, &self.site.constants);
            self.add_at(3, cost, choice);
        }
    }

    /// It, or its strings, only where something holds: something else otherwise.
    fn choices(&self, expression: &Expression) -> Vec<Expression> {
        // Of those that say the opposite one will do: what is chosen is chosen the other way round. What decides most often looks at
        // what is chosen.
        let opposite = |test: &Expression| match test {
            Expression::Unary("!", _) => true,
            Expression::Binary(operator, ..) => ["<=", ">=", "!="].contains(operator),
            _ => false,
        };
        let tests = self.tests(&[]).into_iter().map(|(_, test)| test).filter(|test| !opposite(test));
        let mut tests: Vec<Expression> = tests.collect();
        tests.sort_by_key(|test| !test.operands().contains(&expression));
        tests.truncate(MOST_TESTS);
        let others = |part: &Expression| -> Vec<Expression> {
            let class = part.class();
            if matches!(part, Expression::Atom { constant: true, class: Class::Pointer(_), .. }) {
                let empty = Expression::Atom { text: "\"\"".into(), class, pure: true, constant: true };
                return vec![empty];
            }
            let fits = |other: &Expression| other.class() == class || class.goes_with(other.class());
            let near = self.site.variables.iter().filter(|other| fits(other)).take(3).cloned();
            let mut out: Vec<Expression> = near.collect();
            if class.is_int() || class == Class::Float {
                out.extend([1, -1].map(|by| shifted(part.clone(), by)));
                out.push(Expression::Unary("-", Box::new(part.clone())));
                out.extend([0, 1].map(Expression::Number));
            }
            out
        };
        let chosen = |part: &Expression, otherwise: bool| -> Vec<Expression> {
            let is_text = matches!(part, Expression::Atom { constant: true, class: Class::Pointer(_), .. });
            // Truth values are joined.
            if !is_text && (*part != self.site.expression || part.class() == Class::Bool) {
                return Vec::new();
            }
            let choice = |test: &Expression, other: &Expression| {
                let [then, other] =
                    if otherwise { [part, other] } else { [other, part] }.map(|of| Box::new(of.clone()));
                Expression::Choice(Box::new(test.clone()), then, other)
            };
            let others = others(part);
            tests.iter().flat_map(|test| others.iter().map(move |other| choice(test, other))).collect()
        };
        [true, false]
            .into_iter()
            .flat_map(|otherwise| everywhere(expression, &|part| chosen(part, otherwise)))
            .collect()
    }
}
