//! What is simplified, and to what.

use whydunit_terms::{
    BvOp, Compare, FloatCompare, FloatOp, FloatUnary, Format, Node, Pool, Rounding, Sort, Term, size,
};

struct Forms {
    pool: Pool,
    x: Term,
    y: Term,
    /// Of 8 bits.
    c: Term,
    p: Term,
    q: Term,
}

impl Forms {
    fn new() -> Self {
        let mut pool = Pool::new();
        let (x, y) = (pool.variable(Sort::BitVec(32), "x"), pool.variable(Sort::BitVec(32), "y"));
        let c = pool.variable(Sort::BitVec(8), "c");
        let (p, q) = (pool.variable(Sort::Bool, "p"), pool.variable(Sort::Bool, "q"));
        Self { pool, x, y, c, p, q }
    }

    fn k(&mut self, value: i64) -> Term {
        self.pool.constant(32, value as u128)
    }

    fn op(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        self.pool.bv(op, a, b)
    }

    fn with(&mut self, op: BvOp, a: Term, value: i64) -> Term {
        let value = self.k(value);
        self.pool.bv(op, a, value)
    }
}

#[test]
fn truth_values_fold() {
    let Forms { mut pool, p, q, .. } = Forms::new();
    let (yes, no) = (pool.truth(), pool.falsity());
    let (not_p, not_q) = (pool.not(p), pool.not(q));
    assert_eq!(pool.not(not_p), p);
    assert_eq!((pool.and(p, yes), pool.and(p, no), pool.and(p, p), pool.and(p, not_p)), (p, no, p, no));
    assert_eq!((pool.or(p, yes), pool.or(p, no), pool.or(p, p), pool.or(p, not_p)), (yes, p, p, yes));
    let (both, either) = (pool.and(p, q), pool.or(p, q));
    assert_eq!(pool.and(q, p), both);
    assert_eq!((pool.and(p, both), pool.and(not_p, both), pool.and(p, either)), (both, no, p));
    assert_eq!(pool.or(both, p), p);
    // p and (not p or q)
    let implied = pool.implies(p, q);
    assert_eq!(pool.and(p, implied), both);
    assert_eq!(pool.and(not_p, implied), not_p);
    assert_eq!((pool.iff(p, p), pool.iff(p, not_p), pool.iff(p, yes), pool.iff(p, no)), (yes, no, p, not_p));
    let same = pool.iff(p, q);
    assert_eq!(pool.iff(not_p, not_q), same);
    assert_eq!(pool.xor(p, not_q), same);
    assert_eq!((pool.all(&[]), pool.any(&[]), pool.all(&[p, q, not_p])), (yes, no, no));
}

#[test]
fn choices_fold() {
    let Forms { mut pool, x, y, p, q, .. } = Forms::new();
    let (yes, no, not_p) = (pool.truth(), pool.falsity(), pool.not(p));
    assert_eq!((pool.ite(yes, x, y), pool.ite(no, x, y), pool.ite(p, x, x)), (x, y, x));
    let choice = pool.ite(p, x, y);
    assert_eq!(pool.ite(not_p, y, x), choice);
    assert_eq!((pool.ite(p, choice, y), pool.ite(p, x, choice)), (choice, choice));
    let nested = pool.ite(q, choice, y);
    let both = pool.and(p, q);
    assert_eq!(nested, pool.ite(both, x, y));
    assert_eq!(pool.ite(p, yes, no), p);
    assert_eq!(pool.ite(p, q, no), both);
    assert_eq!(pool.ite(p, q, p), both);
    assert_eq!(pool.ite(p, no, yes), not_p);
    let same = pool.eq(x, y);
    assert_eq!(pool.ite(same, x, y), y);
    // A truth value as a number, and back.
    let bit = pool.from_bool(p);
    let number = pool.zext(bit, 32);
    let zero = pool.constant(32, 0);
    assert_eq!(pool.eq(number, zero), not_p);
    assert_eq!(pool.to_bool(number), p);
    let low = pool.extract(number, 0, 8);
    assert_eq!(pool.to_bool(low), p);
    let (three, five) = (pool.constant(32, 3), pool.constant(32, 5));
    let chosen = pool.ite(p, three, five);
    assert_eq!((pool.eq(chosen, five), pool.eq(chosen, zero)), (not_p, no));
    let next = pool.bv(BvOp::Add, chosen, five);
    let (eight, ten) = (pool.constant(32, 8), pool.constant(32, 10));
    assert_eq!(next, pool.ite(p, eight, ten));
}

#[test]
fn sums_keep_one_constant_outermost() {
    let mut f = Forms::new();
    let (x, y) = (f.x, f.y);
    let one = f.with(BvOp::Add, x, 1);
    let three = f.with(BvOp::Add, x, 3);
    assert_eq!(f.with(BvOp::Add, one, 2), three);
    assert_eq!(f.with(BvOp::Sub, three, 2), one);
    assert_eq!(f.with(BvOp::Sub, one, 1), x);
    let difference = f.op(BvOp::Sub, three, one);
    assert_eq!(difference, f.k(2));
    assert_eq!((f.op(BvOp::Sub, x, x), f.op(BvOp::Xor, x, x)), (f.k(0), f.k(0)));
    let sum = f.op(BvOp::Add, x, y);
    assert_eq!((f.op(BvOp::Sub, sum, x), f.op(BvOp::Sub, sum, y)), (y, x));
    assert_eq!(f.op(BvOp::Add, y, x), sum);
    let other = f.with(BvOp::Add, y, -3);
    assert_eq!(f.op(BvOp::Add, three, other), sum);
    let minus = f.pool.neg(x);
    assert_eq!((f.pool.neg(minus), f.op(BvOp::Add, x, minus)), (x, f.k(0)));
    let not = f.pool.bvnot(x);
    assert_eq!((f.pool.bvnot(not), f.with(BvOp::Add, not, 1)), (x, minus));
    // Scaled indices: (x + 1) * 12 - 12 = x * 12.
    let scaled = f.with(BvOp::Mul, one, 12);
    let plain = f.with(BvOp::Mul, x, 12);
    assert_eq!(f.with(BvOp::Sub, scaled, 12), plain);
    let twice = f.with(BvOp::Mul, plain, 5);
    assert_eq!(twice, f.with(BvOp::Mul, x, 60));
}

#[test]
fn shifts_and_masks_by_constants_are_parts() {
    let mut f = Forms::new();
    let x = f.x;
    let left = f.with(BvOp::Shl, x, 8);
    assert!(matches!(f.pool.node(left), Node::Concat(..)));
    assert_eq!(f.with(BvOp::Mul, x, 256), left);
    let low = f.pool.extract(left, 0, 8);
    assert_eq!(f.pool.as_constant(low), Some(0));
    let right = f.with(BvOp::LShr, x, 8);
    assert_eq!(f.with(BvOp::UDiv, x, 256), right);
    let masked = f.with(BvOp::And, x, 0xff);
    assert_eq!(f.with(BvOp::URem, x, 256), masked);
    let byte = f.pool.truncate(x, 8);
    assert_eq!(masked, f.pool.zext(byte, 32));
    assert_eq!((f.with(BvOp::Shl, x, 32), f.with(BvOp::LShr, x, 99)), (f.k(0), f.k(0)));
    // A number put together of its bytes.
    let bytes: Vec<Term> = (0..4).map(|at| f.pool.extract(x, 8 * at, 8)).collect();
    let mut number = f.k(0);
    for (at, byte) in bytes.iter().enumerate() {
        let wide = f.pool.zext(*byte, 32);
        let moved = f.with(BvOp::Shl, wide, 8 * at as i64);
        number = f.op(BvOp::Or, number, moved);
    }
    assert_eq!(number, x);
    let mut number = bytes[3];
    for byte in [bytes[2], bytes[1], bytes[0]] {
        number = f.pool.concat(number, byte);
    }
    assert_eq!(number, x);
}

#[test]
fn extensions_and_their_parts_fold() {
    let Forms { mut pool, x, c, p, .. } = Forms::new();
    let (signed, unsigned) = (pool.sext(c, 32), pool.zext(c, 32));
    assert_eq!((pool.truncate(signed, 8), pool.truncate(unsigned, 8)), (c, c));
    let high = pool.extract(unsigned, 8, 24);
    assert_eq!(pool.as_constant(high), Some(0));
    // A sign extension stored and loaded by bytes.
    let bytes: Vec<Term> = (0..4).map(|at| pool.extract(signed, 8 * at, 8)).collect();
    let mut loaded = bytes[0];
    for byte in &bytes[1..] {
        loaded = pool.concat(*byte, loaded);
    }
    assert_eq!(loaded, signed);
    // A choice stored and loaded by bytes.
    let choice = pool.ite(p, x, signed);
    let (low, high) = (pool.extract(choice, 0, 16), pool.extract(choice, 16, 16));
    assert_eq!(pool.concat(high, low), choice);
    let parts: Vec<Term> = (0..2)
        .map(|at| {
            let (a, b) = (pool.extract(x, 16 * at, 16), pool.extract(signed, 16 * at, 16));
            pool.ite(p, a, b)
        })
        .collect();
    assert_eq!(pool.concat(parts[1], parts[0]), choice);
    // Arithmetic on characters that is cut again.
    let one = pool.constant(32, 1);
    let next = pool.bv(BvOp::Add, signed, one);
    let next = pool.truncate(next, 8);
    let one = pool.constant(8, 1);
    assert_eq!(next, pool.bv(BvOp::Add, c, one));
    let ten = pool.constant(32, 10);
    let digit = pool.bv(BvOp::SRem, signed, ten);
    let ten = pool.constant(8, 10);
    let small = pool.bv(BvOp::SRem, c, ten);
    assert_eq!(digit, pool.sext(small, 32));
}

#[test]
fn equalities_take_operations_apart() {
    let mut f = Forms::new();
    let (x, y, c) = (f.x, f.y, f.c);
    let no = f.pool.falsity();
    let five = f.k(5);
    let is_five = f.pool.eq(x, five);
    for (op, by, result) in [(BvOp::Add, 3, 8), (BvOp::Sub, 3, 2), (BvOp::Xor, 1, 4), (BvOp::Mul, 7, 35)] {
        let term = f.with(op, x, by);
        let result = f.k(result);
        assert_eq!(f.pool.eq(term, result), is_five, "{op:?}");
    }
    let (one, two) = (f.with(BvOp::Add, x, 1), f.with(BvOp::Add, y, 3));
    let (left, right) = (f.pool.eq(one, two), f.with(BvOp::Add, y, 2));
    assert_eq!(left, f.pool.eq(x, right));
    let sum = f.op(BvOp::Add, x, y);
    let zero = f.k(0);
    let y_is_zero = f.pool.eq(y, zero);
    assert_eq!(f.pool.eq(sum, x), y_is_zero);
    let difference = f.op(BvOp::Sub, x, y);
    let same = f.pool.eq(x, y);
    assert_eq!(f.pool.eq(difference, zero), same);
    let wide = f.pool.sext(c, 32);
    let (minus_one, large) = (f.k(-1), f.k(200));
    let ones = f.pool.constant(8, 255);
    let all = f.pool.eq(c, ones);
    assert_eq!((f.pool.eq(wide, minus_one), f.pool.eq(wide, large)), (all, no));
    let pair = f.pool.concat(c, c);
    let other = f.pool.constant(16, 0x0102);
    assert_eq!(f.pool.eq(pair, other), no);
    let six = f.k(6);
    let is_six = f.pool.eq(x, six);
    assert_eq!(f.pool.and(is_five, is_six), no);
    let not_six = f.pool.not(is_six);
    assert_eq!(f.pool.and(is_five, not_six), is_five);
}

#[test]
fn comparisons_at_the_ends_of_ranges_fold() {
    let mut f = Forms::new();
    let (x, c) = (f.x, f.c);
    let (yes, no) = (f.pool.truth(), f.pool.falsity());
    let (zero, one, most) = (f.k(0), f.k(1), f.k(-1));
    let (least, greatest) = (f.k(i64::from(i32::MIN)), f.k(i64::from(i32::MAX)));
    let is_zero = f.pool.eq(x, zero);
    let mut is = |compare, a, b| f.pool.compare(compare, a, b);
    assert_eq!((is(Compare::Ult, x, zero), is(Compare::Ule, zero, x)), (no, yes));
    assert_eq!((is(Compare::Ult, most, x), is(Compare::Ule, x, most)), (no, yes));
    assert_eq!((is(Compare::Ult, x, one), is(Compare::Ule, x, zero)), (is_zero, is_zero));
    assert_eq!((is(Compare::Slt, x, least), is(Compare::Sle, x, greatest)), (no, yes));
    assert_eq!((is(Compare::Slt, x, x), is(Compare::Ule, x, x)), (no, yes));
    let (wide, signed) = (f.pool.zext(c, 32), f.pool.sext(c, 32));
    let (limit, hundred) = (f.k(256), f.k(100));
    let mut is = |compare, a, b| f.pool.compare(compare, a, b);
    assert_eq!(
        (is(Compare::Ult, wide, limit), is(Compare::Slt, wide, zero), is(Compare::Slt, most, wide)),
        (yes, no, yes)
    );
    assert_eq!((is(Compare::Slt, signed, limit), is(Compare::Slt, limit, signed)), (yes, no));
    let (unsigned, signed) = (is(Compare::Slt, wide, hundred), is(Compare::Slt, signed, hundred));
    let hundred = f.pool.constant(8, 100);
    assert_eq!(unsigned, f.pool.compare(Compare::Ult, c, hundred));
    assert_eq!(signed, f.pool.compare(Compare::Slt, c, hundred));
}

#[test]
fn arrays_are_trees_over_the_bits_of_the_index() {
    let mut f = Forms::new();
    let (x, c) = (f.x, f.c);
    let elements: Vec<Term> = (0..200).map(|at| f.k(1000 + at)).collect();
    let default = f.k(-1);
    let chosen = f.pool.choose(c, &elements, default);
    assert!(size(&f.pool, &[chosen]) < 200 + 200 + 40);
    let seven = f.pool.constant(8, 7);
    assert_eq!(f.pool.choose(seven, &elements, default), elements[7]);
    let outside = f.pool.constant(8, 220);
    assert_eq!(f.pool.choose(outside, &elements, default), default);
    assert_eq!((f.pool.choose(c, &[], x), f.pool.choose(c, &[x; 256], x)), (x, x));
}

#[test]
fn floats_fold_and_share_bits() {
    let Forms { mut pool, x, .. } = Forms::new();
    let (format, nearest) = (Format::Single, Rounding::NearestEven);
    let float = |pool: &mut Pool, value: f32| pool.constant(32, value.to_bits().into());
    let (half, two) = (float(&mut pool, 0.5), float(&mut pool, 2.0));
    let quotient = pool.float(FloatOp::Div, format, half, two, nearest);
    assert_eq!(quotient, float(&mut pool, 0.25));
    let minus = pool.float_unary(FloatUnary::Neg, format, x, nearest);
    assert_eq!(pool.float_unary(FloatUnary::Neg, format, minus, nearest), x);
    let magnitude = pool.float_unary(FloatUnary::Abs, format, minus, nearest);
    assert_eq!(magnitude, pool.float_unary(FloatUnary::Abs, format, x, nearest));
    let nan = pool.is_nan(format, x);
    let ordered = pool.not(nan);
    assert_eq!(pool.float_compare(FloatCompare::Eq, format, x, x), ordered);
    assert_eq!(pool.float_compare(FloatCompare::Lt, format, x, x), pool.falsity());
    let number = pool.int_to_float(format, x, true, nearest);
    assert_eq!(pool.is_nan(format, number), pool.falsity());
    assert_eq!(pool.float_convert(format, format, x, nearest), x);
    let least = pool.float(FloatOp::Min, format, x, half, nearest);
    assert!(matches!(pool.node(least), Node::Ite(..)));
}
