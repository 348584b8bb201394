//! What expressions are made of.

use whydunit_terms::{BvOp, Compare, Pool, Sort, Term};

/// Bits of a number.
pub(crate) const WIDTH: u32 = 32;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// An integer, computed with in 32 bits.
    Number,
    /// A truth value.
    Truth,
    /// A pointer: it can be compared, and be none.
    Address,
}

impl Kind {
    /// The sort of its terms.
    pub(crate) fn sort(self) -> Sort {
        match self {
            Kind::Number => Sort::BitVec(WIDTH),
            Kind::Truth => Sort::Bool,
            Kind::Address => Sort::BitVec(64),
        }
    }

    /// A value out of the 64 bits in which runs have it.
    pub(crate) fn of_word(self, pool: &mut Pool, word: Term) -> Term {
        match self {
            Kind::Number => pool.extract(word, 0, WIDTH),
            Kind::Truth => {
                let zero = pool.constant(64, 0);
                let none = pool.eq(word, zero);
                pool.not(none)
            }
            Kind::Address => word,
        }
    }

    /// The 64 bits of a value.
    pub(crate) fn to_word(self, pool: &mut Pool, value: Term) -> Term {
        match self {
            Kind::Number => pool.sext(value, 64),
            Kind::Truth => {
                let (one, zero) = (pool.constant(64, 1), pool.constant(64, 0));
                pool.ite(value, one, zero)
            }
            Kind::Address => value,
        }
    }
}

/// An operator of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`, toward zero
    Divide,
    /// `a % b`
    Remainder,
    /// `a & b`
    BitAnd,
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a < b`
    Less,
    /// `a <= b`
    LessOrEqual,
    /// `a == b`
    Equal,
    /// `a != b`
    Unequal,
    /// `a && b`
    And,
    /// `a || b`
    Or,
    /// `!a`
    Not,
    /// Of an address: it is one.
    IsSet,
    /// `a ? b : c`
    Choose,
}

/// A family of operators with the same operands, one of which is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Component {
    /// A sum or difference.
    Sum,
    /// A comparison of numbers.
    Comparison,
    /// Whether two addresses are one.
    Sameness,
    /// Whether an address is one.
    Presence,
    /// Two truth values joined.
    Logic,
    /// A truth value turned around.
    Negation,
    /// One of two numbers.
    Choice,
    /// A product, quotient or remainder.
    Product,
    /// An operation bit by bit.
    Bits,
}

impl Component {
    /// What its parameters are.
    pub fn parameters(self) -> &'static [Kind] {
        use Kind::{Address, Number, Truth};
        match self {
            Component::Sum | Component::Comparison | Component::Product | Component::Bits => &[Number, Number],
            Component::Sameness => &[Address, Address],
            Component::Presence => &[Address],
            Component::Logic => &[Truth, Truth],
            Component::Negation => &[Truth],
            Component::Choice => &[Truth, Number, Number],
        }
    }

    /// What its result is.
    pub fn result(self) -> Kind {
        match self {
            Component::Sum | Component::Choice | Component::Product | Component::Bits => Kind::Number,
            _ => Kind::Truth,
        }
    }

    /// Its operators.
    pub fn operators(self) -> &'static [Operator] {
        use Operator::{
            Add, And, BitAnd, BitOr, BitXor, Choose, Divide, Equal, IsSet, Less, LessOrEqual, Multiply, Not, Or,
            Remainder, Subtract, Unequal,
        };
        match self {
            Component::Sum => &[Add, Subtract],
            Component::Comparison => &[Less, LessOrEqual, Equal, Unequal],
            Component::Sameness => &[Equal, Unequal],
            Component::Presence => &[IsSet],
            Component::Logic => &[And, Or],
            Component::Negation => &[Not],
            Component::Choice => &[Choose],
            Component::Product => &[Multiply, Divide, Remainder],
            Component::Bits => &[BitAnd, BitOr, BitXor],
        }
    }
}

impl Operator {
    /// What it gives, and what must hold so that it gives something.
    pub(crate) fn meaning(self, pool: &mut Pool, of: &[Term]) -> (Term, Option<Term>) {
        let a = of.first().copied().unwrap_or_else(|| pool.truth());
        let b = of.get(1).copied().unwrap_or(a);
        let divisor = |pool: &mut Pool| {
            let zero = pool.constant(WIDTH, 0);
            let none = pool.eq(b, zero);
            pool.not(none)
        };
        let term = match self {
            Operator::Add => pool.bv(BvOp::Add, a, b),
            Operator::Subtract => pool.bv(BvOp::Sub, a, b),
            Operator::Multiply => pool.bv(BvOp::Mul, a, b),
            Operator::Divide => return (pool.bv(BvOp::SDiv, a, b), Some(divisor(pool))),
            Operator::Remainder => return (pool.bv(BvOp::SRem, a, b), Some(divisor(pool))),
            Operator::BitAnd => pool.bv(BvOp::And, a, b),
            Operator::BitOr => pool.bv(BvOp::Or, a, b),
            Operator::BitXor => pool.bv(BvOp::Xor, a, b),
            Operator::Less => pool.compare(Compare::Slt, a, b),
            Operator::LessOrEqual => pool.compare(Compare::Sle, a, b),
            Operator::Equal => pool.eq(a, b),
            Operator::Unequal => {
                let same = pool.eq(a, b);
                pool.not(same)
            }
            Operator::And => pool.and(a, b),
            Operator::Or => pool.or(a, b),
            Operator::Not => pool.not(a),
            Operator::IsSet => {
                let none = pool.constant(64, 0);
                let none = pool.eq(a, none);
                pool.not(none)
            }
            Operator::Choose => {
                let c = of.get(2).copied().unwrap_or(b);
                pool.ite(a, b, c)
            }
        };
        (term, None)
    }
}
