//! Floats: bit-vectors of an IEEE layout with operations on them.

use crate::{
    FloatCompare, FloatOp, FloatUnary, Format, Node, Pool, Rounding, Sort, Term, fold, ieee,
    pool::{MAX_WIDTH, mask},
};

impl Pool {
    fn assert_format(&self, format: Format, terms: &[Term]) {
        for term in terms {
            assert_eq!(self.sort(*term), Sort::BitVec(format.width()), "a float of its format's width");
        }
    }

    /// An operation on two floats; a NaN result is the first operand that is one, made quiet (of x87 operands the one with
    /// the larger significand), else the format's default NaN. `Rem` is exact, `Min` and `Max` round nothing.
    ///
    /// # Panics
    /// When an operand has not the format's width; so for all operations on floats.
    pub fn float(&mut self, op: FloatOp, format: Format, a: Term, b: Term, rounding: Rounding) -> Term {
        self.assert_format(format, &[a, b]);
        let sort = Sort::BitVec(format.width());
        if let Some(term) = self.lift([a, b], sort, |[a, b]| ieee::binary(op, format, rounding, a, b)) {
            return term;
        }
        match op {
            FloatOp::Min | FloatOp::Max => {
                let nan = self.is_nan(format, a);
                let other = match op {
                    FloatOp::Min => self.float_compare(FloatCompare::Lt, format, b, a),
                    _ => self.float_compare(FloatCompare::Lt, format, a, b),
                };
                let other = self.or(nan, other);
                self.ite(other, b, a)
            }
            FloatOp::Rem => self.intern(Node::Float(op, format, Rounding::NearestEven, a, b), sort),
            _ => self.intern(Node::Float(op, format, rounding, a, b), sort),
        }
    }

    /// An operation on one float. Only `Sqrt` rounds by `rounding`; the others say themselves how.
    pub fn float_unary(&mut self, op: FloatUnary, format: Format, a: Term, rounding: Rounding) -> Term {
        self.assert_format(format, &[a]);
        let width = format.width();
        if let Some(term) = self.lift([a], Sort::BitVec(width), |[a]| ieee::unary(op, format, rounding, a)) {
            return term;
        }
        let rest = |pool: &mut Self| pool.extract(a, 0, width - 1);
        match op {
            FloatUnary::Neg => {
                let sign = self.extract(a, width - 1, 1);
                let (sign, rest) = (self.bvnot(sign), rest(self));
                self.concat(sign, rest)
            }
            FloatUnary::Abs => {
                let rest = rest(self);
                self.zext(rest, width)
            }
            FloatUnary::Sqrt => self.intern(Node::FloatUnary(op, format, rounding, a), Sort::BitVec(width)),
            _ => self.intern(Node::FloatUnary(op, format, Rounding::NearestEven, a), Sort::BitVec(width)),
        }
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, format: Format, a: Term, b: Term, c: Term, rounding: Rounding) -> Term {
        self.assert_format(format, &[a, b, c]);
        let sort = Sort::BitVec(format.width());
        match self.lift([a, b, c], sort, |operands| ieee::fma(format, rounding, operands)) {
            Some(term) => term,
            None => self.intern(Node::Fma(format, rounding, [a, b, c]), sort),
        }
    }

    /// An ordered comparison: false when one is a NaN.
    pub fn float_compare(&mut self, compare: FloatCompare, format: Format, a: Term, b: Term) -> Term {
        self.assert_format(format, &[a, b]);
        if let Some(term) = self.lift([a, b], Sort::Bool, |[a, b]| ieee::compare(compare, format, a, b).into()) {
            return term;
        }
        if [a, b].iter().any(|term| self.as_constant(*term).is_some_and(|bits| ieee::is_nan(format, bits))) {
            return self.falsity();
        }
        if a == b {
            if compare == FloatCompare::Lt {
                return self.falsity();
            }
            let nan = self.is_nan(format, a);
            return self.not(nan);
        }
        let (a, b) = if compare == FloatCompare::Eq && b < a { (b, a) } else { (a, b) };
        self.intern(Node::FloatCompare(compare, format, a, b), Sort::Bool)
    }

    /// Whether a float is a NaN.
    pub fn is_nan(&mut self, format: Format, a: Term) -> Term {
        self.assert_format(format, &[a]);
        if let Some(term) = self.lift([a], Sort::Bool, |[a]| ieee::is_nan(format, a).into()) {
            return term;
        }
        let (mut format, mut a) = (format, a);
        loop {
            match *self.node(a) {
                Node::IntToFloat { .. } => return self.falsity(),
                Node::FloatConvert(from, _, _, inner) => (format, a) = (from, inner),
                Node::FloatUnary(op, _, _, inner) if op != FloatUnary::Sqrt => a = inner,
                _ => break,
            }
        }
        self.intern(Node::IsNan(format, a), Sort::Bool)
    }

    /// A float in another format. A NaN keeps its sign and the high bits of its payload and becomes quiet. Within one
    /// format nothing changes.
    pub fn float_convert(&mut self, from: Format, to: Format, a: Term, rounding: Rounding) -> Term {
        self.assert_format(from, &[a]);
        if from == to {
            return a;
        }
        let sort = Sort::BitVec(to.width());
        // Widening is exact.
        let rounding = if to > from { Rounding::NearestEven } else { rounding };
        match self.lift([a], sort, |[a]| ieee::convert(from, to, rounding, a)) {
            Some(term) => term,
            None => self.intern(Node::FloatConvert(from, to, rounding, a), sort),
        }
    }

    /// A float truncated toward zero, as an integer of `width` bits.
    ///
    /// What does not fit, and a NaN, gives what compiled code on x86-64 gives, fixed but of no meaning: of up to 32 bits
    /// (31 without sign) the low bits of the signed conversion to 32 bits, of up to 64 bits those of the conversion to 64
    /// bits, where a conversion that fails gives the least number; of 33 to 64 bits without sign what compilers make of
    /// two conversions, which is right from -2^63 to 2^64 and 0 above. From the extended format or to more than 64
    /// bits: the highest bit alone.
    ///
    /// # Panics
    /// For a width out of range.
    pub fn float_to_int(&mut self, format: Format, a: Term, signed: bool, width: u32) -> Term {
        self.assert_format(format, &[a]);
        assert!((1..=MAX_WIDTH).contains(&width), "an integer has 1 to {MAX_WIDTH} bits");
        // The conversion that the processor has, and the low bits of it.
        let (by_sign, by) = match (format, signed, width) {
            (Format::Extended, ..) | (_, _, 65..) => (signed, width),
            (_, true, ..=32) | (_, false, ..=31) => (true, 32),
            (_, true, _) | (_, false, 32) => (true, 64),
            (_, false, _) => (false, 64),
        };
        let converted = match self.lift([a], Sort::BitVec(by), |[a]| ieee::to_int(format, by_sign, by, a)) {
            Some(term) => term,
            None => {
                let node = Node::FloatToInt { format, signed: by_sign, width: by as u8, of: a };
                self.intern(node, Sort::BitVec(by))
            }
        };
        self.truncate(converted, width)
    }

    /// An integer as a float.
    pub fn int_to_float(&mut self, format: Format, a: Term, signed: bool, rounding: Rounding) -> Term {
        assert!(!self.is_bool(a), "bit-vectors");
        let (mut a, mut signed) = (a, signed);
        // The smallest term that has the value.
        loop {
            match *self.node(a) {
                Node::Sext(_, inner) if signed => a = inner,
                Node::Concat(zero, low) if self.as_constant(zero) == Some(0) => (a, signed) = (low, false),
                _ => break,
            }
        }
        let width = self.width(a);
        let fold = |[value]: [u128; 1]| {
            let value = if signed { fold::sext(value, width, MAX_WIDTH) } else { value & mask(width) };
            ieee::from_int(format, signed, rounding, value)
        };
        let sort = Sort::BitVec(format.width());
        match self.lift([a], sort, fold) {
            Some(term) => term,
            None => self.intern(Node::IntToFloat { format, signed, rounding, of: a }, sort),
        }
    }
}
