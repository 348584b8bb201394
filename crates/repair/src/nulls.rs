//! Null pointers as a source tests for them: `!p` and `p`, or `p == NULL` and `p != NULL`.

use crate::expression::kept::Kept;
use crate::expression::{Class, Expression, LOGIC};

/// A source compares with its null pointer at least so often, where that is how it is written.
const LEAST: usize = 3;

/// How a source names the null pointer that it compares with.
pub(crate) struct Nulls(&'static str);

impl Nulls {
    /// Of a source that does so.
    pub(crate) fn of(source: &str) -> Option<Self> {
        let compared = |name: &str| -> usize {
            ["== ", "!= "].iter().map(|with| source.matches(&format!("{with}{name}")).count()).sum()
        };
        let counted = ["NULL", "nullptr"].map(|name| (compared(name), name));
        counted.into_iter().filter(|(count, _)| *count >= LEAST).max().map(|(_, name)| Self(name))
    }

    /// With pointers compared whose truth decides, but for what is kept; `is_truth` says that this is so of the whole.
    pub(crate) fn compared(&self, of: &Expression, is_truth: bool, kept: &Kept) -> Expression {
        if kept.text(of).is_some() {
            return of.clone();
        }
        let with = |operator, pointer: &Expression| {
            let null = Expression::Atom { text: self.0.into(), class: pointer.class(), pure: true, constant: true };
            Expression::binary(operator, pointer.clone(), null)
        };
        let operand = |of: &Expression| Box::new(self.compared(of, true, kept));
        match of {
            Expression::Unary("!", of) if of.class().is_pointer() => with("==", of),
            Expression::Unary("!", of) => Expression::Unary("!", operand(of)),
            Expression::Binary(operator, left, right) if LOGIC.contains(operator) => {
                Expression::Binary(operator, operand(left), operand(right))
            }
            Expression::Choice(test, then, other) => {
                let [then, other] = [then, other].map(|of| Box::new(self.compared(of, is_truth, kept)));
                Expression::Choice(operand(test), then, other)
            }
            Expression::Atom { class: Class::Pointer(_), .. }
            | Expression::Written { class: Class::Pointer(_), .. }
                if is_truth =>
            {
                with("!=", of)
            }
            _ => of.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointer(text: &str) -> Expression {
        Expression::Atom { text: text.into(), class: Class::Pointer(1), pure: true, constant: false }
    }

    fn not(of: Expression) -> Expression {
        Expression::Unary("!", Box::new(of))
    }

    #[test]
    fn pointers_are_compared_as_the_source_does() {
        let nulls = Nulls::of("if (a == NULL) b = c != NULL || d == nullptr || e == NULL;").expect("three");
        let texts = [
            (Expression::binary("||", not(pointer("p")), pointer("q")), "p == NULL || q != NULL"),
            (pointer("p"), "p != NULL"),
            (Expression::binary("==", pointer("p"), pointer("q")), "p == q"),
        ];
        for (expression, text) in texts {
            assert_eq!(nulls.compared(&expression, true, &Kept::default()).text(), text);
        }
        assert_eq!(nulls.compared(&pointer("p"), false, &Kept::default()).text(), "p");
        let both = Expression::binary("&&", not(pointer("p")), not(pointer("q")));
        let kept = Kept::of("!p", &not(pointer("p")));
        assert_eq!(nulls.compared(&both, true, &kept).text_keeping(&kept), "!p && q == NULL");
    }

    #[test]
    fn a_source_that_does_not_compare_says_nothing() {
        assert!(Nulls::of("if (!a && b == NULL) return a;").is_none());
    }
}
