//! Expressions of a source, with the types that rustc names.

use std::ops::Range;

use syn::Expr;
use syn::spanned::Spanned;

use super::declared::Declared;
use super::kinds::{class_of, plain};
use super::pure::is_pure;
use super::types::Types;
use crate::expression::{ARITHMETIC, BITS, COMPARISONS, Class, Expression, LOGIC, hash};

/// How a source is read.
pub(crate) struct Reading<'a> {
    pub source: &'a str,
    pub around: &'a Declared,
    pub types: &'a Types,
}

/// The bytes of a part of a source.
pub(crate) fn range(of: &impl Spanned) -> Range<usize> {
    of.span().byte_range()
}

/// What is in parentheses.
pub(crate) fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(of) => bare(&of.expr),
        Expr::Group(of) => bare(&of.expr),
        other => other,
    }
}

impl Reading<'_> {
    pub fn text(&self, of: &impl Spanned) -> &str {
        self.source.get(range(of)).unwrap_or_default()
    }

    /// The type of an expression, where rustc names it.
    pub fn type_of(&self, expression: &Expr) -> Option<&str> {
        self.types.of(range(expression), self.text(expression))
    }

    /// Of what kind its value is.
    pub fn class(&self, expression: &Expr) -> Class {
        if let Some(ty) = self.type_of(expression) {
            return class_of(ty);
        }
        match expression {
            Expr::Paren(of) => self.class(&of.expr),
            Expr::Cast(of) => class_of(self.text(&of.ty)),
            Expr::Lit(of) => self.literal(&of.lit).map_or_else(|| unknown(self.text(of)), |literal| literal.class()),
            Expr::Unary(of) if !matches!(of.op, syn::UnOp::Deref(_)) => self.class(&of.expr),
            Expr::Binary(of) => match operator(&of.op) {
                Some(compared) if COMPARISONS.contains(&compared) || LOGIC.contains(&compared) => Class::Bool,
                _ => self.class(&of.left),
            },
            other => unknown(self.text(other)),
        }
    }

    /// An expression of the source.
    pub fn expression(&self, expression: &Expr) -> Expression {
        match expression {
            Expr::Paren(of) => self.expression(&of.expr),
            Expr::Group(of) => self.expression(&of.expr),
            Expr::Lit(of) => self.literal(&of.lit).unwrap_or_else(|| self.atom(expression)),
            Expr::Unary(of) => {
                let operand = || Box::new(self.expression(&of.expr));
                match of.op {
                    syn::UnOp::Neg(_) => match self.expression(&of.expr) {
                        Expression::Number(number) if number > 0 => Expression::Number(-number),
                        negated => Expression::Unary("-", Box::new(negated)),
                    },
                    syn::UnOp::Not(_) if self.class(&of.expr).is_int() => Expression::Unary("~", operand()),
                    syn::UnOp::Not(_) => Expression::Unary("!", operand()),
                    _ => self.with_operands(expression, &[&of.expr]),
                }
            }
            Expr::Binary(of) => match operator(&of.op) {
                Some(known) if self.is_computed(expression, known) => {
                    let (left, right) = (self.expression(&of.left), self.expression(&of.right));
                    Expression::binary(known, agreeing(left.clone(), &right), agreeing(right, &left))
                }
                _ => self.atom(expression),
            },
            Expr::Field(of) => self.with_operands(expression, &[&of.base]),
            Expr::Index(of) => self.with_operands(expression, &[&of.expr, &of.index]),
            Expr::Cast(of) => self.with_operands(expression, &[&of.expr]),
            Expr::Reference(of) => self.with_operands(expression, &[&of.expr]),
            Expr::Try(of) => self.with_operands(expression, &[&of.expr]),
            Expr::Range(of) => {
                let ends: Vec<&Expr> = of.start.iter().chain(&of.end).map(|end| &**end).collect();
                if ends.is_empty() { self.atom(expression) } else { self.with_operands(expression, &ends) }
            }
            Expr::MethodCall(of) => {
                let operands: Vec<&Expr> = std::iter::once(&*of.receiver).chain(&of.args).collect();
                self.with_operands(expression, &operands)
            }
            Expr::Call(of) if !of.args.is_empty() => {
                self.with_operands(expression, &of.args.iter().collect::<Vec<_>>())
            }
            Expr::If(of) => {
                match (&*of.cond, single(&of.then_branch), of.else_branch.as_ref().map(|(_, other)| &**other)) {
                    (Expr::Let(_), ..) => self.atom(expression),
                    (test, Some(then), Some(Expr::Block(other))) if !self.text(of).contains('\n') => {
                        match single(&other.block) {
                            Some(other) => {
                                let [test, then, other] =
                                    [test, then, other].map(|part| Box::new(self.expression(part)));
                                Expression::Choice(test, then, other)
                            }
                            None => self.atom(expression),
                        }
                    }
                    _ => self.atom(expression),
                }
            }
            other => self.atom(other),
        }
    }

    /// Whether operators of the language compute it, not functions of types.
    fn is_computed(&self, expression: &Expr, operator: &str) -> bool {
        if COMPARISONS.contains(&operator) || LOGIC.contains(&operator) {
            return true;
        }
        let class = self.class(expression);
        class.is_number() && class != Class::Char
    }

    fn literal(&self, literal: &syn::Lit) -> Option<Expression> {
        let text = self.text(literal);
        let atom = |class| Some(Expression::Atom { text: text.to_string(), class, pure: true, constant: true });
        match literal {
            syn::Lit::Int(number) => {
                let plain = text == "0" || !text.starts_with('0') && text.bytes().all(|digit| digit.is_ascii_digit());
                match text.parse() {
                    Ok(number) if plain => Some(Expression::Number(number)),
                    _ if number.suffix().is_empty() => atom(Class::Int),
                    _ => atom(class_of(number.suffix())),
                }
            }
            syn::Lit::Float(_) => atom(Class::Float),
            syn::Lit::Bool(_) => atom(Class::Bool),
            syn::Lit::Char(_) => atom(Class::Char),
            syn::Lit::Byte(_) => atom(class_of("u8")),
            syn::Lit::Str(_) => atom(class_of("&str")),
            _ => None,
        }
    }

    fn atom(&self, expression: &Expr) -> Expression {
        let text = self.text(expression).to_string();
        let pure = is_pure(expression, self.around);
        Expression::Atom { text, class: self.class(expression), pure, constant: is_constant(expression) }
    }

    /// What could be another expression in it is an operand.
    fn with_operands(&self, expression: &Expr, parts: &[&Expr]) -> Expression {
        let whole = range(expression);
        let (mut pieces, mut operands, mut at) = (Vec::new(), Vec::new(), whole.start);
        for part in parts {
            let inner = range(*part);
            pieces.push(self.source.get(at..inner.start).unwrap_or_default().to_string());
            operands.push(self.expression(part));
            at = inner.end;
        }
        pieces.push(self.source.get(at..whole.end).unwrap_or_default().to_string());
        Expression::Written {
            pieces,
            operands,
            class: self.class(expression),
            pure: self.is_pure_itself(expression, parts),
        }
    }

    /// Whether it is pure apart from its operands.
    fn is_pure_itself(&self, expression: &Expr, parts: &[&Expr]) -> bool {
        is_pure(expression, self.around) || {
            // An operand may be what has effects.
            let quiet = parts.iter().all(|part| is_pure(part, self.around));
            !quiet
                && !matches!(expression, Expr::MethodCall(_) | Expr::Call(_) | Expr::Try(_))
                && !matches!(expression, Expr::Reference(of) if of.mutability.is_some())
        }
    }

    /// A field, as an expression has it.
    pub fn field(&self, of: &Expression, name: &str, ty: &str) -> Expression {
        let pieces = vec![String::new(), format!(".{name}")];
        Expression::Written { pieces, operands: vec![of.clone()], class: class_of(ty), pure: true }
    }
}

/// An integer whose type is not known has that of what it is joined with.
fn agreeing(one: Expression, other: &Expression) -> Expression {
    match (one, other.class()) {
        (Expression::Atom { text, class: Class::Int, pure, constant }, class @ Class::Sized(_)) => {
            Expression::Atom { text, class, pure, constant }
        }
        (Expression::Atom { text, class: Class::Record(_), pure, constant }, class) if class.is_number() => {
            Expression::Atom { text, class, pure, constant }
        }
        (Expression::Written { pieces, operands, class: Class::Record(_) | Class::Int, pure }, class)
            if class.is_number() =>
        {
            Expression::Written { pieces, operands, class, pure }
        }
        (one, _) => one,
    }
}

/// Of a type that is not known: it goes with nothing else.
fn unknown(text: &str) -> Class {
    Class::Record(hash(&plain(text)))
}

/// The expression that a block is.
pub(crate) fn single(block: &syn::Block) -> Option<&Expr> {
    match &block.stmts[..] {
        [syn::Stmt::Expr(one, None)] => Some(one),
        _ => None,
    }
}

/// Whether it does the same at each place of the function.
pub(crate) fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) => true,
        Expr::Path(of) => {
            let last = of.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            of.path.segments.len() > 1 && last.starts_with(char::is_uppercase)
                || last.len() > 1 && last.chars().all(|at| at.is_uppercase() || at.is_numeric() || at == '_')
        }
        Expr::Unary(of) => is_constant(&of.expr),
        Expr::Paren(of) => is_constant(&of.expr),
        _ => false,
    }
}

/// The operator with which one that assigns computes; none of others.
pub(crate) fn operator_of_assignment(of: &syn::BinOp) -> Option<&'static str> {
    use syn::BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign, ShrAssign,
        SubAssign,
    };
    Some(match of {
        AddAssign(_) => "+",
        SubAssign(_) => "-",
        MulAssign(_) => "*",
        DivAssign(_) => "/",
        RemAssign(_) => "%",
        BitAndAssign(_) => "&",
        BitOrAssign(_) => "|",
        BitXorAssign(_) => "^",
        ShlAssign(_) => "<<",
        ShrAssign(_) => ">>",
        _ => return None,
    })
}

/// An operator, as expressions have it; none where it assigns.
pub(crate) fn operator(of: &syn::BinOp) -> Option<&'static str> {
    use syn::BinOp::{Add, And, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub};
    let written = match of {
        Add(_) => "+",
        Sub(_) => "-",
        Mul(_) => "*",
        Div(_) => "/",
        Rem(_) => "%",
        And(_) => "&&",
        Or(_) => "||",
        BitXor(_) => "^",
        BitAnd(_) => "&",
        BitOr(_) => "|",
        Shl(_) => "<<",
        Shr(_) => ">>",
        Eq(_) => "==",
        Lt(_) => "<",
        Le(_) => "<=",
        Ne(_) => "!=",
        Ge(_) => ">=",
        Gt(_) => ">",
        _ => return None,
    };
    [&COMPARISONS[..], &LOGIC, &ARITHMETIC, &BITS].into_iter().flatten().copied().find(|known| *known == written)
}
