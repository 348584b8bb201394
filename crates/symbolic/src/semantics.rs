//! What operations of the register code mean, as terms.

use whydunit_model::{
    AtomicOp, Flags, FloatOp, FloatPred, FloatUnary, IntOp, IntPred, IntUnary, Op, Opnd, OverflowOp, Scalar,
};
use whydunit_terms::{self as terms, BvOp, Compare, FloatCompare, Format, Pool, Rounding, Term};

/// The values that an operation reads.
pub trait Values {
    /// The low `width` bits (at most 64) of an operand's word.
    fn word(&mut self, pool: &mut Pool, operand: Opnd, width: u32) -> Term;
}

/// A value of up to 128 bits.
pub fn value(pool: &mut Pool, values: &mut impl Values, operand: Opnd, width: u32) -> Term {
    if width <= 64 {
        return values.word(pool, operand, width);
    }
    let low = values.word(pool, operand, 64);
    let high = values.word(pool, operand.word(1), width - 64);
    pool.concat(high, low)
}

/// Bits of a scalar in slots.
pub fn width_of(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Int(width) => width.into(),
        Scalar::Ptr | Scalar::F64 => 64,
        Scalar::F16 => 16,
        Scalar::F32 => 32,
        Scalar::F80 => 80,
    }
}

fn format(scalar: Scalar) -> Format {
    match scalar {
        Scalar::F16 => Format::Half,
        Scalar::F32 => Format::Single,
        Scalar::F80 => Format::Extended,
        _ => Format::Double,
    }
}

/// The words of an operation's result, and what must hold for the source to say what it does (facts of C about the
/// operation: no signed overflow, no division by zero).
#[derive(Default)]
pub struct Meaning {
    /// Words, from the first slot on.
    pub words: Vec<Term>,
    /// Side conditions.
    pub conditions: Vec<Term>,
}

impl Meaning {
    fn of(pool: &mut Pool, term: Term) -> Self {
        Self { words: words(pool, term), conditions: Vec::new() }
    }
}

/// A value divided into words.
pub fn words(pool: &mut Pool, term: Term) -> Vec<Term> {
    let term = if pool.is_bool(term) { pool.from_bool(term) } else { term };
    let width = pool.width(term);
    if width <= 64 {
        return vec![term];
    }
    vec![pool.extract(term, 0, 64), pool.extract(term, 64, width - 64)]
}

/// What an operation computes; none for those that are about memory, control or the frame.
pub fn meaning(pool: &mut Pool, values: &mut impl Values, op: &Op) -> Option<Meaning> {
    let mut get = |pool: &mut Pool, operand: Opnd, width: u32| value(pool, values, operand, width);
    const NEAR: Rounding = Rounding::NearestEven;
    let term = match *op {
        Op::Int { op, w, flags, a, b, .. } | Op::Wide { op, w, flags, a, b, .. } => {
            let (a, b) = (get(pool, a, w.into()), get(pool, b, w.into()));
            let (term, conditions) = int(pool, op, flags, w.into(), a, b);
            return Some(Meaning { words: words(pool, term), conditions });
        }
        Op::IntUnary { op, w, a, .. } => {
            let a = get(pool, a, w.into());
            int_unary(pool, op, w.into(), a)
        }
        Op::Overflow { op, w, a, b, .. } => {
            let w = u32::from(w);
            let (a, b) = (get(pool, a, w), get(pool, b, w));
            let (result, overflow) = overflow(pool, op, w, a, b);
            let mut out = Meaning::of(pool, result);
            out.words.push(pool.from_bool(overflow));
            return Some(out);
        }
        Op::Funnel { left, w, a, b, amount, .. } => {
            let w = u32::from(w);
            let (a, b, amount) = (get(pool, a, w), get(pool, b, w), get(pool, amount, w));
            funnel(pool, left, w, a, b, amount)
        }
        Op::ICmp { pred, w, a, b, .. } => {
            let (a, b) = (get(pool, a, w.into()), get(pool, b, w.into()));
            int_compare(pool, pred, a, b)
        }
        Op::Trunc { to, a, .. } => get(pool, a, to.into()),
        Op::ZExt { from, to, a, .. } => {
            let a = get(pool, a, from.into());
            pool.zext(a, to.into())
        }
        Op::SExt { from, to, a, .. } => {
            let a = get(pool, a, from.into());
            pool.sext(a, to.into())
        }
        Op::Copy { n, a, .. } => {
            let words = (0..u32::from(n)).map(|word| get(pool, a.word(word), 64)).collect();
            return Some(Meaning { words, conditions: Vec::new() });
        }
        Op::Select { n, cond, a, b, .. } => {
            let cond = get(pool, cond, 1);
            let cond = pool.to_bool(cond);
            let words = (0..u32::from(n))
                .map(|word| {
                    let (a, b) = (get(pool, a.word(word), 64), get(pool, b.word(word), 64));
                    pool.ite(cond, a, b)
                })
                .collect();
            return Some(Meaning { words, conditions: Vec::new() });
        }
        Op::PtrAdd { base, offset, .. } => {
            let base = get(pool, base, 64);
            let offset = pool.constant(64, u128::from(offset as u64));
            pool.bv(BvOp::Add, base, offset)
        }
        Op::PtrIndex { w, base, index, scale, .. } => {
            let (base, index) = (get(pool, base, 64), get(pool, index, w.into()));
            let index = pool.sext(index, 64);
            let scale = pool.constant(64, u128::from(scale as u64));
            let offset = pool.bv(BvOp::Mul, index, scale);
            pool.bv(BvOp::Add, base, offset)
        }
        Op::Float { op, ty, a, b, .. } => {
            let (a, b) = (get(pool, a, width_of(ty)), get(pool, b, width_of(ty)));
            float(pool, op, format(ty), a, b)
        }
        Op::FloatUnary { op, ty, a, .. } => {
            let a = get(pool, a, width_of(ty));
            pool.float_unary(float_unary(op), format(ty), a, NEAR)
        }
        Op::Fma { ty, a, b, c, .. } => {
            let w = width_of(ty);
            let (a, b, c) = (get(pool, a, w), get(pool, b, w), get(pool, c, w));
            pool.fma(format(ty), a, b, c, NEAR)
        }
        Op::FCmp { pred, ty, a, b, .. } => {
            let (a, b) = (get(pool, a, width_of(ty)), get(pool, b, width_of(ty)));
            float_compare(pool, pred, format(ty), a, b)
        }
        Op::FConv { from, to, a, .. } => {
            let a = get(pool, a, width_of(from));
            pool.float_convert(format(from), format(to), a, NEAR)
        }
        Op::FToInt { from, signed, w, a, .. } => {
            let a = get(pool, a, width_of(from));
            pool.float_to_int(format(from), a, signed, w.into())
        }
        Op::IntToF { to, signed, w, a, .. } => {
            let a = get(pool, a, w.into());
            pool.int_to_float(format(to), a, signed, NEAR)
        }
        _ => return None,
    };
    Some(Meaning::of(pool, term))
}

fn shift_amount(pool: &mut Pool, width: u32, amount: Term) -> Term {
    if width.is_power_of_two() {
        let mask = pool.constant(width, u128::from(width - 1));
        pool.bv(BvOp::And, amount, mask)
    } else {
        let width_term = pool.constant(width, u128::from(width));
        pool.bv(BvOp::URem, amount, width_term)
    }
}

fn int(pool: &mut Pool, op: IntOp, flags: Flags, width: u32, a: Term, b: Term) -> (Term, Vec<Term>) {
    let mut conditions = Vec::new();
    let has = |flag: u8| flags.0 & flag != 0;
    let overflows = match op {
        IntOp::Add => Some((OverflowOp::SAdd, OverflowOp::UAdd)),
        IntOp::Sub => Some((OverflowOp::SSub, OverflowOp::USub)),
        IntOp::Mul => Some((OverflowOp::SMul, OverflowOp::UMul)),
        _ => None,
    };
    if let Some((signed, unsigned)) = overflows {
        for (flag, op) in [(Flags::NSW, signed), (Flags::NUW, unsigned)] {
            if has(flag) {
                let over = overflow(pool, op, width, a, b).1;
                conditions.push(pool.not(over));
            }
        }
    }
    if matches!(op, IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem) {
        let zero = pool.constant(width, 0);
        let by_zero = pool.eq(b, zero);
        conditions.push(pool.not(by_zero));
        if matches!(op, IntOp::SDiv | IntOp::SRem) {
            let (least, minus_one) = (pool.constant(width, 1 << (width - 1)), pool.constant(width, u128::MAX));
            let (least, minus_one) = (pool.eq(a, least), pool.eq(b, minus_one));
            let traps = pool.and(least, minus_one);
            conditions.push(pool.not(traps));
        }
    }
    if matches!(op, IntOp::Shl | IntOp::LShr | IntOp::AShr) {
        let most = pool.constant(width, u128::from(width - 1));
        conditions.push(pool.compare(Compare::Ule, b, most));
    }
    let plain = |op| Some(op);
    let op_of = match op {
        IntOp::Add => plain(BvOp::Add),
        IntOp::Sub => plain(BvOp::Sub),
        IntOp::Mul => plain(BvOp::Mul),
        IntOp::UDiv => plain(BvOp::UDiv),
        IntOp::SDiv => plain(BvOp::SDiv),
        IntOp::URem => plain(BvOp::URem),
        IntOp::SRem => plain(BvOp::SRem),
        IntOp::And => plain(BvOp::And),
        IntOp::Or => plain(BvOp::Or),
        IntOp::Xor => plain(BvOp::Xor),
        IntOp::Shl => plain(BvOp::Shl),
        IntOp::LShr => plain(BvOp::LShr),
        IntOp::AShr => plain(BvOp::AShr),
        _ => None,
    };
    let term = match (op_of, op) {
        (Some(op @ (BvOp::Shl | BvOp::LShr | BvOp::AShr)), _) => {
            let amount = shift_amount(pool, width, b);
            pool.bv(op, a, amount)
        }
        (Some(op), _) => pool.bv(op, a, b),
        (None, IntOp::UMin | IntOp::UMax) => {
            let less = pool.compare(Compare::Ult, a, b);
            if op == IntOp::UMin { pool.ite(less, a, b) } else { pool.ite(less, b, a) }
        }
        (None, IntOp::SMin | IntOp::SMax) => {
            let less = pool.compare(Compare::Slt, a, b);
            if op == IntOp::SMin { pool.ite(less, a, b) } else { pool.ite(less, b, a) }
        }
        (None, _) => saturating(pool, op, width, a, b),
    };
    (term, conditions)
}

fn saturating(pool: &mut Pool, op: IntOp, width: u32, a: Term, b: Term) -> Term {
    let kind = match op {
        IntOp::UAddSat => OverflowOp::UAdd,
        IntOp::USubSat => OverflowOp::USub,
        IntOp::SAddSat => OverflowOp::SAdd,
        _ => OverflowOp::SSub,
    };
    let (plain, over) = overflow(pool, kind, width, a, b);
    let limit = match kind {
        OverflowOp::UAdd => pool.constant(width, u128::MAX),
        OverflowOp::USub => pool.constant(width, 0),
        _ => {
            let zero = pool.constant(width, 0);
            let negative = pool.compare(Compare::Slt, a, zero);
            let (least, most) = (pool.constant(width, 1 << (width - 1)), pool.constant(width, (1 << (width - 1)) - 1));
            pool.ite(negative, least, most)
        }
    };
    pool.ite(over, limit, plain)
}

/// Result modulo and whether it overflowed.
fn overflow(pool: &mut Pool, op: OverflowOp, width: u32, a: Term, b: Term) -> (Term, Term) {
    let plain = match op {
        OverflowOp::UAdd | OverflowOp::SAdd => BvOp::Add,
        OverflowOp::USub | OverflowOp::SSub => BvOp::Sub,
        OverflowOp::UMul | OverflowOp::SMul => BvOp::Mul,
    };
    let result = pool.bv(plain, a, b);
    let zero = pool.constant(width, 0);
    let negative = |pool: &mut Pool, term| pool.compare(Compare::Slt, term, zero);
    let over = match op {
        OverflowOp::UAdd => pool.compare(Compare::Ult, result, a),
        OverflowOp::USub => pool.compare(Compare::Ult, a, b),
        OverflowOp::SAdd | OverflowOp::SSub => {
            let (x, y, z) = (negative(pool, a), negative(pool, b), negative(pool, result));
            let signs = pool.xor(x, y);
            let signs = if op == OverflowOp::SAdd { pool.not(signs) } else { signs };
            let changed = pool.xor(x, z);
            pool.and(signs, changed)
        }
        OverflowOp::UMul | OverflowOp::SMul if width <= 64 => {
            let signed = op == OverflowOp::SMul;
            let wide =
                |pool: &mut Pool, term| if signed { pool.sext(term, 2 * width) } else { pool.zext(term, 2 * width) };
            let (x, y, back) = (wide(pool, a), wide(pool, b), wide(pool, result));
            let whole = pool.bv(BvOp::Mul, x, y);
            let same = pool.eq(whole, back);
            pool.not(same)
        }
        // Too wide for a product in twice the bits: dividing gives it back unless it overflowed.
        _ => {
            let divide = if op == OverflowOp::SMul { BvOp::SDiv } else { BvOp::UDiv };
            let back = pool.bv(divide, result, a);
            let same = pool.eq(back, b);
            let a_zero = pool.eq(a, zero);
            let fine = pool.or(same, a_zero);
            pool.not(fine)
        }
    };
    (result, over)
}

fn int_unary(pool: &mut Pool, op: IntUnary, width: u32, a: Term) -> Term {
    match op {
        IntUnary::Ctpop => pool.popcount(a),
        IntUnary::Ctlz => pool.leading_zeros(a),
        IntUnary::Cttz => pool.trailing_zeros(a),
        IntUnary::Bswap => reversed(pool, a, width, 8),
        IntUnary::BitReverse => reversed(pool, a, width, 1),
        IntUnary::Abs => {
            let zero = pool.constant(width, 0);
            let negative = pool.compare(Compare::Slt, a, zero);
            let minus = pool.neg(a);
            pool.ite(negative, minus, a)
        }
    }
}

/// Pieces of `bits` bits in the opposite order.
fn reversed(pool: &mut Pool, a: Term, width: u32, bits: u32) -> Term {
    let mut whole = pool.extract(a, 0, bits);
    for low in (bits..width).step_by(bits as usize) {
        let piece = pool.extract(a, low, bits);
        whole = pool.concat(whole, piece);
    }
    whole
}

fn funnel(pool: &mut Pool, left: bool, width: u32, a: Term, b: Term, amount: Term) -> Term {
    let amount = shift_amount(pool, width, amount);
    let zero = pool.constant(width, 0);
    let none = pool.eq(amount, zero);
    let all = pool.constant(width, u128::from(width));
    let rest = pool.bv(BvOp::Sub, all, amount);
    let (high, low) = if left { (amount, rest) } else { (rest, amount) };
    let (high, low) = (pool.bv(BvOp::Shl, a, high), pool.bv(BvOp::LShr, b, low));
    let both = pool.bv(BvOp::Or, high, low);
    pool.ite(none, if left { a } else { b }, both)
}

/// A comparison of integers.
pub fn int_compare(pool: &mut Pool, pred: IntPred, a: Term, b: Term) -> Term {
    match pred {
        IntPred::Eq => pool.eq(a, b),
        IntPred::Ne => {
            let equal = pool.eq(a, b);
            pool.not(equal)
        }
        IntPred::Ult => pool.compare(Compare::Ult, a, b),
        IntPred::Ule => pool.compare(Compare::Ule, a, b),
        IntPred::Ugt => pool.compare(Compare::Ult, b, a),
        IntPred::Uge => pool.compare(Compare::Ule, b, a),
        IntPred::Slt => pool.compare(Compare::Slt, a, b),
        IntPred::Sle => pool.compare(Compare::Sle, a, b),
        IntPred::Sgt => pool.compare(Compare::Slt, b, a),
        IntPred::Sge => pool.compare(Compare::Sle, b, a),
    }
}

fn float(pool: &mut Pool, op: FloatOp, format: Format, a: Term, b: Term) -> Term {
    let op = match op {
        FloatOp::Add => terms::FloatOp::Add,
        FloatOp::Sub => terms::FloatOp::Sub,
        FloatOp::Mul => terms::FloatOp::Mul,
        FloatOp::Div => terms::FloatOp::Div,
        FloatOp::Rem => terms::FloatOp::Rem,
        FloatOp::MinNum => terms::FloatOp::Min,
        FloatOp::MaxNum => terms::FloatOp::Max,
        FloatOp::CopySign => {
            let width = format.width();
            let (rest, sign) = (pool.truncate(a, width - 1), pool.extract(b, width - 1, 1));
            return pool.concat(sign, rest);
        }
    };
    pool.float(op, format, a, b, Rounding::NearestEven)
}

fn float_unary(op: FloatUnary) -> terms::FloatUnary {
    match op {
        FloatUnary::Neg => terms::FloatUnary::Neg,
        FloatUnary::Abs => terms::FloatUnary::Abs,
        FloatUnary::Sqrt => terms::FloatUnary::Sqrt,
        FloatUnary::Floor => terms::FloatUnary::Floor,
        FloatUnary::Ceil => terms::FloatUnary::Ceil,
        FloatUnary::Trunc => terms::FloatUnary::Trunc,
        FloatUnary::Rint => terms::FloatUnary::Rint,
        FloatUnary::Round => terms::FloatUnary::Round,
    }
}

fn float_compare(pool: &mut Pool, pred: FloatPred, format: Format, a: Term, b: Term) -> Term {
    use FloatCompare::{Eq, Le, Lt};
    let ordered = |pool: &mut Pool, compare, x, y| pool.float_compare(compare, format, x, y);
    let unordered = |pool: &mut Pool| {
        let (x, y) = (pool.is_nan(format, a), pool.is_nan(format, b));
        pool.or(x, y)
    };
    // An unordered predicate is the negation of the opposite ordered one.
    match pred {
        FloatPred::False => pool.bool(false),
        FloatPred::True => pool.bool(true),
        FloatPred::Oeq => ordered(pool, Eq, a, b),
        FloatPred::Ogt => ordered(pool, Lt, b, a),
        FloatPred::Oge => ordered(pool, Le, b, a),
        FloatPred::Olt => ordered(pool, Lt, a, b),
        FloatPred::Ole => ordered(pool, Le, a, b),
        FloatPred::One => {
            let (less, greater) = (ordered(pool, Lt, a, b), ordered(pool, Lt, b, a));
            pool.or(less, greater)
        }
        FloatPred::Ord => {
            let nan = unordered(pool);
            pool.not(nan)
        }
        FloatPred::Uno => unordered(pool),
        FloatPred::Ueq => {
            let (less, greater) = (ordered(pool, Lt, a, b), ordered(pool, Lt, b, a));
            let differ = pool.or(less, greater);
            pool.not(differ)
        }
        FloatPred::Ugt => negated(pool, |pool| ordered(pool, Le, a, b)),
        FloatPred::Uge => negated(pool, |pool| ordered(pool, Lt, a, b)),
        FloatPred::Ult => negated(pool, |pool| ordered(pool, Le, b, a)),
        FloatPred::Ule => negated(pool, |pool| ordered(pool, Lt, b, a)),
        FloatPred::Une => negated(pool, |pool| ordered(pool, Eq, a, b)),
    }
}

fn negated(pool: &mut Pool, term: impl FnOnce(&mut Pool) -> Term) -> Term {
    let term = term(pool);
    pool.not(term)
}

/// What an atomic read-modify-write stores.
pub fn atomic(pool: &mut Pool, op: AtomicOp, old: Term, value: Term) -> Term {
    let pick = |pool: &mut Pool, compare, smaller: bool| {
        let less = pool.compare(compare, old, value);
        if smaller { pool.ite(less, old, value) } else { pool.ite(less, value, old) }
    };
    match op {
        AtomicOp::Xchg => value,
        AtomicOp::Add => pool.bv(BvOp::Add, old, value),
        AtomicOp::Sub => pool.bv(BvOp::Sub, old, value),
        AtomicOp::And => pool.bv(BvOp::And, old, value),
        AtomicOp::Nand => {
            let and = pool.bv(BvOp::And, old, value);
            pool.bvnot(and)
        }
        AtomicOp::Or => pool.bv(BvOp::Or, old, value),
        AtomicOp::Xor => pool.bv(BvOp::Xor, old, value),
        AtomicOp::Max => pick(pool, Compare::Slt, false),
        AtomicOp::Min => pick(pool, Compare::Slt, true),
        AtomicOp::UMax => pick(pool, Compare::Ult, false),
        AtomicOp::UMin => pick(pool, Compare::Ult, true),
    }
}
