//! Formulas for solvers that know floats as values of their own, without bits: where the bits of a computed float matter,
//! new variables stand for them.

use crate::lower::sign_and_rest;
use crate::{FloatCompare, FloatUnary, Format, Node, Pool, Rounding, Sort, Term, TermMap, ieee};

/// The bits of a computed float: in every model `bits` is the IEEE encoding of `float`, any one of a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Binding {
    /// A variable; of an x87 float 79 bits, without the integer bit.
    pub bits: Term,
    /// The float operation.
    pub float: Term,
    /// Its format.
    pub format: Format,
}

/// Prepares terms of one pool, each once.
///
/// In a prepared term float operations are operands of float operations, comparisons and conversions only, perhaps
/// through choices; conversions to integers are guarded; and `Neg` and `Abs` are nodes.
#[derive(Clone, Debug, Default)]
pub struct Native {
    /// A term where its bits are wanted.
    bits: TermMap<Term>,
    /// A term where its value as a float is wanted.
    floats: TermMap<Term>,
    bindings: Vec<Binding>,
}

/// A term to prepare.
#[derive(Clone, Copy)]
enum Wanted {
    Bits(Term),
    Float(Term, Format),
}

impl Native {
    /// One that has prepared nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// All bindings so far; a formula needs those of the variables that it depends on, and theirs.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// The prepared form of a term.
    pub fn prepare(&mut self, pool: &mut Pool, term: Term) -> Term {
        let mut open = vec![Wanted::Bits(term)];
        while let Some(&wanted) = open.last() {
            let before = open.len();
            if self.get(wanted).is_none() {
                let needs = self.needs(pool, wanted);
                open.extend(needs.into_iter().flatten().filter(|need| self.get(*need).is_none()));
                if open.len() > before {
                    continue;
                }
                match wanted {
                    Wanted::Bits(term) => {
                        let prepared = self.as_bits(pool, term);
                        self.bits.insert(term, prepared);
                    }
                    Wanted::Float(term, format) => {
                        let prepared = self.as_float(pool, term, format);
                        self.floats.insert(term, prepared);
                    }
                }
            }
            open.pop();
        }
        self.bits(term)
    }

    fn get(&self, wanted: Wanted) -> Option<Term> {
        match wanted {
            Wanted::Bits(term) => self.bits.get(term),
            Wanted::Float(term, _) => self.floats.get(term),
        }
    }

    fn bits(&self, term: Term) -> Term {
        self.bits.get(term).unwrap_or(term)
    }

    fn float(&self, term: Term) -> Term {
        self.floats.get(term).unwrap_or(term)
    }

    /// What must be prepared first.
    fn needs(&self, pool: &Pool, wanted: Wanted) -> [Option<Wanted>; 6] {
        let mut needs = [None; 6];
        match wanted {
            Wanted::Bits(term) => {
                let node = pool.node(term);
                let operand_format = operand_format(node);
                for (at, operand) in node.operands().enumerate() {
                    needs[at] = Some(match operand_format {
                        Some(format) => Wanted::Float(operand, format),
                        None => Wanted::Bits(operand),
                    });
                    // The NaN that comes of NaNs is made of their bits.
                    if operand_format.is_some() && result_format(node).is_some() {
                        needs[3 + at] = Some(Wanted::Bits(operand));
                    }
                }
            }
            Wanted::Float(term, format) => match (pool.node(term), signed_alike(pool, term, format)) {
                (_, Some((_, of))) => needs[0] = Some(Wanted::Float(of, format)),
                (Node::Ite(c, a, b), _) => {
                    needs[0] = Some(Wanted::Bits(*c));
                    needs[1] = Some(Wanted::Float(*a, format));
                    needs[2] = Some(Wanted::Float(*b, format));
                }
                (node, _) if result_format(node) == Some(format) => {
                    let operand_format = operand_format(node);
                    for (at, operand) in node.operands().enumerate() {
                        needs[at] = Some(match operand_format {
                            Some(format) => Wanted::Float(operand, format),
                            None => Wanted::Bits(operand),
                        });
                    }
                }
                _ => needs[0] = Some(Wanted::Bits(term)),
            },
        }
        needs
    }

    /// The float operation of a node over prepared operands.
    fn operation(&self, pool: &mut Pool, node: &Node) -> Term {
        match *node {
            Node::Float(op, format, rounding, a, b) => pool.float(op, format, self.float(a), self.float(b), rounding),
            Node::FloatUnary(op, format, rounding, a) => pool.float_unary(op, format, self.float(a), rounding),
            Node::Fma(format, rounding, operands) => {
                let [a, b, c] = operands.map(|term| self.float(term));
                pool.fma(format, a, b, c, rounding)
            }
            Node::FloatConvert(from, to, rounding, a) => pool.float_convert(from, to, self.float(a), rounding),
            Node::IntToFloat { format, signed, rounding, of } => {
                pool.int_to_float(format, self.bits(of), signed, rounding)
            }
            _ => pool.falsity(),
        }
    }

    fn as_float(&self, pool: &mut Pool, term: Term, format: Format) -> Term {
        if let Some((op, of)) = signed_alike(pool, term, format) {
            let of = self.float(of);
            if let Some(value) = pool.as_constant(of) {
                return pool.constant(format.width(), ieee::unary(op, format, Rounding::NearestEven, value));
            }
            let node = Node::FloatUnary(op, format, Rounding::NearestEven, of);
            return pool.intern(node, Sort::BitVec(format.width()));
        }
        match *pool.node(term) {
            Node::Ite(c, a, b) => pool.ite(self.bits(c), self.float(a), self.float(b)),
            node if result_format(&node) == Some(format) => self.operation(pool, &node),
            _ => self.bits(term),
        }
    }

    fn as_bits(&mut self, pool: &mut Pool, term: Term) -> Term {
        let node = *pool.node(term);
        if let Some(format) = result_format(&node) {
            return self.bound(pool, &node, format);
        }
        match node {
            Node::FloatCompare(compare, format, a, b) => {
                pool.float_compare(compare, format, self.float(a), self.float(b))
            }
            Node::IsNan(format, a) => pool.is_nan(format, self.float(a)),
            Node::FloatToInt { format, signed, width, of } => {
                guarded_to_int(pool, format, signed, width.into(), self.float(of))
            }
            _ => {
                let mut operands = [term; 3];
                let mut changed = false;
                for (at, operand) in node.operands().enumerate() {
                    operands[at] = self.bits(operand);
                    changed |= operands[at] != operand;
                }
                if changed { pool.rebuilt(&node, operands) } else { term }
            }
        }
    }

    /// The bits of a computed float, by a new variable.
    fn bound(&mut self, pool: &mut Pool, node: &Node, format: Format) -> Term {
        let float = self.operation(pool, node);
        if pool.as_constant(float).is_some() {
            return float;
        }
        let width = format.exponent_bits() + format.significand_bits();
        let bits = pool.variable(Sort::BitVec(width), "float");
        self.bindings.push(Binding { bits, float, format });
        let (sign, rest) = sign_and_rest(pool, bits);
        let encoded = pool.assembled(format, sign, rest);
        if operand_format(node).is_none() {
            return encoded;
        }
        let operands: Vec<Term> = node.operands().map(|operand| self.bits(operand)).collect();
        let nan_bits = pool.nan_result(node, &operands);
        let nan = pool.is_nan(format, float);
        pool.ite(nan, nan_bits, encoded)
    }
}

/// The format of a node's result, if it is a float operation.
fn result_format(node: &Node) -> Option<Format> {
    match *node {
        Node::Float(_, format, ..)
        | Node::FloatUnary(_, format, ..)
        | Node::Fma(format, ..)
        | Node::FloatConvert(_, format, ..)
        | Node::IntToFloat { format, .. } => Some(format),
        _ => None,
    }
}

/// The format of a node's operands, if they are floats.
fn operand_format(node: &Node) -> Option<Format> {
    match *node {
        Node::Float(_, format, ..)
        | Node::FloatUnary(_, format, ..)
        | Node::Fma(format, ..)
        | Node::FloatConvert(format, ..)
        | Node::FloatCompare(_, format, ..)
        | Node::IsNan(format, _)
        | Node::FloatToInt { format, .. } => Some(format),
        _ => None,
    }
}

/// The float that a term is but for its sign: the other sign, or none.
fn signed_alike(pool: &Pool, term: Term, format: Format) -> Option<(FloatUnary, Term)> {
    let Node::Concat(sign, rest) = *pool.node(term) else { return None };
    let Node::Extract { low: 0, width, of } = *pool.node(rest) else { return None };
    let top = format.width() - 1;
    if pool.width(of) != format.width() || u32::from(width) != top {
        return None;
    }
    match *pool.node(sign) {
        _ if pool.as_constant(sign) == Some(0) => Some((FloatUnary::Abs, of)),
        Node::Not(bit) => match *pool.node(bit) {
            Node::Extract { low, of: same, .. } if same == of && u32::from(low) == top => Some((FloatUnary::Neg, of)),
            _ => None,
        },
        _ => None,
    }
}

/// A conversion that is asked only for what fits.
fn guarded_to_int(pool: &mut Pool, format: Format, signed: bool, width: u32, a: Term) -> Term {
    let whole = pool.float_unary(FloatUnary::Trunc, format, a, Rounding::NearestEven);
    let power = |pool: &mut Pool, bits: u32, negative: bool| {
        // 2^bits, or infinity.
        let value = if bits == 128 {
            let half = ieee::from_int(format, false, Rounding::NearestEven, 1 << 127);
            let two = ieee::from_int(format, false, Rounding::NearestEven, 2);
            ieee::binary(crate::FloatOp::Mul, format, Rounding::NearestEven, half, two)
        } else {
            ieee::from_int(format, false, Rounding::NearestEven, 1 << bits)
        };
        let value = if negative { value | format.sign() } else { value };
        pool.constant(format.width(), value)
    };
    let convert = |pool: &mut Pool, signed: bool| {
        let node = Node::FloatToInt { format, signed, width: width as u8, of: whole };
        pool.intern(node, Sort::BitVec(width))
    };
    let failure = pool.constant(width, 1 << (width - 1));
    let nothing = pool.constant(width, 0);
    let zero = pool.constant(format.width(), 0);
    let is_zero = pool.float_compare(FloatCompare::Eq, format, whole, zero);
    let not_below = pool.float_compare(FloatCompare::Le, format, zero, whole);
    if signed || width == 64 && format != Format::Extended {
        let (least, bound) = (power(pool, width - 1, true), power(pool, width - 1, false));
        let infinite = pool.as_constant(bound) == Some(format.infinity());
        let compare = if infinite { FloatCompare::Lt } else { FloatCompare::Le };
        let above = pool.float_compare(compare, format, least, whole);
        let below = pool.float_compare(FloatCompare::Lt, format, whole, bound);
        let fits = pool.and(above, below);
        let converted = convert(pool, true);
        let by_sign = pool.ite(fits, converted, failure);
        if signed {
            return by_sign;
        }
        let bound = power(pool, 64, false);
        let below = pool.float_compare(FloatCompare::Lt, format, whole, bound);
        let converted = convert(pool, false);
        let positive = pool.ite(below, converted, nothing);
        let converted = pool.ite(not_below, positive, by_sign);
        return pool.ite(is_zero, nothing, converted);
    }
    let bound = power(pool, width, false);
    let below = pool.float_compare(FloatCompare::Lt, format, whole, bound);
    let fits = pool.and(not_below, below);
    let converted = convert(pool, false);
    let converted = pool.ite(is_zero, nothing, converted);
    pool.ite(fits, converted, failure)
}
