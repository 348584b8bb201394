//! One step down: which operand should have which value, so that a term has a wanted one.

use whydunit_terms::{BvOp, FloatCompare, FloatOp, FloatUnary, Format, Node, Pool, Term, apply};

use super::Random;
use super::values::Values;

/// What is wanted next.
pub(crate) enum Wanted {
    /// This operand with this value.
    Of(Term, u128),
    /// No value of an operand alone would do, as far as is known.
    Nothing,
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

/// One step down from `term`, which should have the value `wanted`.
pub(crate) fn step(pool: &Pool, values: &Values<'_>, random: &mut Random, term: Term, wanted: u128) -> Wanted {
    let get = |term: Term| values.get(term);
    let open = |term: Term| values.is_open(term);
    match *pool.node(term) {
        Node::Variable(_) | Node::Bool(_) | Node::Constant(..) => Wanted::Nothing,
        Node::Not(a) => Wanted::Of(a, !wanted & mask(pool.width(a))),
        Node::And(a, b) => {
            let choose = |c: Term| if wanted == 1 { get(c) == 0 && open(c) } else { open(c) };
            either(random, a, b, choose).map_or(Wanted::Nothing, |operand| Wanted::Of(operand, wanted))
        }
        Node::Eq(a, b) => match either(random, a, b, open) {
            None => Wanted::Nothing,
            Some(operand) => {
                let other = get(if operand == a { b } else { a });
                let m = mask(pool.width(operand));
                let value = match wanted {
                    1 => other,
                    _ if random.percent(50) => other.wrapping_add(1) & m,
                    _ => other.wrapping_sub(1) & m,
                };
                Wanted::Of(operand, value)
            }
        },
        Node::Ite(condition, then, otherwise) => choice(values, random, [condition, then, otherwise], wanted),
        Node::Ult(a, b) => less(random, (a, get(a)), (b, get(b)), wanted == 1, pool.width(a), false, open),
        Node::Slt(a, b) => less(random, (a, get(a)), (b, get(b)), wanted == 1, pool.width(a), true, open),
        Node::Extract { low, width, of } => {
            let m = mask(width.into()) << low;
            Wanted::Of(of, get(of) & !m | wanted << low & m)
        }
        Node::Concat(a, b) => {
            let low = pool.width(b);
            let (high_wanted, low_wanted) = (wanted >> low, wanted & mask(low));
            let (high, low) = ((a, high_wanted), (b, low_wanted));
            let differs = |(term, wanted): (Term, u128)| open(term) && get(term) != wanted;
            match (differs(high), differs(low)) {
                (true, true) if random.percent(50) => Wanted::Of(high.0, high.1),
                (_, true) => Wanted::Of(low.0, low.1),
                (true, false) => Wanted::Of(high.0, high.1),
                (false, false) => Wanted::Nothing,
            }
        }
        Node::Sext(_, a) => Wanted::Of(a, wanted & mask(pool.width(a))),
        Node::Bv(op, a, b) => arithmetic(pool, values, random, (op, a, b), wanted),
        Node::Float(op, format, _, a, b) => float(pool, values, random, term, (op, format, a, b), wanted),
        Node::Fma(format, _, [a, b, c]) => {
            let (Some(t), Some(x), Some(y), Some(z)) =
                (number(format, wanted), number(format, get(a)), number(format, get(b)), number(format, get(c)))
            else {
                return Wanted::Nothing;
            };
            let all = [(a, (t - z) / y), (b, (t - z) / x), (c, t - x * y)];
            let all: Vec<(Term, f64)> = all.into_iter().filter(|operand| open(operand.0)).collect();
            match all.get(random.below(all.len() as u64) as usize) {
                Some(&(operand, value)) => Wanted::Of(operand, bits(format, value)),
                None => Wanted::Nothing,
            }
        }
        Node::FloatUnary(op, format, _, a) => match (number(format, wanted), op) {
            (Some(t), FloatUnary::Sqrt) => Wanted::Of(a, bits(format, t * t)),
            (Some(t), FloatUnary::Neg) => Wanted::Of(a, bits(format, -t)),
            (Some(t), _) => Wanted::Of(a, bits(format, t)),
            _ => Wanted::Nothing,
        },
        Node::FloatCompare(compare, format, a, b) => compared(values, random, (compare, format, a, b), wanted == 1),
        Node::IsNan(format, a) => Wanted::Of(a, if wanted == 1 { format.default_nan() } else { 0 }),
        Node::FloatConvert(from, to, _, a) => match number(to, wanted) {
            Some(value) => Wanted::Of(a, bits(from, value)),
            None => Wanted::Nothing,
        },
        Node::FloatToInt { format, signed: is_signed, width, of } => {
            let value = if is_signed { signed(wanted, width.into()) as f64 } else { wanted as f64 };
            Wanted::Of(of, bits(format, value))
        }
        Node::IntToFloat { format, signed: is_signed, of, .. } => {
            let Some(value) = number(format, wanted) else { return Wanted::Nothing };
            let width = pool.width(of);
            let whole = value.round();
            let whole = if is_signed || whole >= 0.0 { whole as i128 } else { 0 };
            Wanted::Of(of, whole as u128 & mask(width))
        }
    }
}

/// `condition ? then : otherwise`: the other way, or another value of the one that is taken.
fn choice(values: &Values<'_>, random: &mut Random, [condition, then, otherwise]: [Term; 3], wanted: u128) -> Wanted {
    let get = |term: Term| values.get(term);
    let open = |term: Term| values.is_open(term);
    let holds = get(condition) & 1 == 1;
    let (now, other) = if holds { (then, otherwise) } else { (otherwise, then) };
    let flip = Wanted::Of(condition, u128::from(!holds));
    match (open(condition), open(now)) {
        (true, false) => flip,
        (true, true) if get(other) == wanted => {
            if random.percent(70) {
                flip
            } else {
                Wanted::Of(now, wanted)
            }
        }
        (true, true) if open(other) && random.percent(20) => flip,
        (_, true) => Wanted::Of(now, wanted),
        (false, false) => Wanted::Nothing,
    }
}

/// A floating operation: the other operand's value, and the one beside it that rounds as it should.
fn float(
    pool: &Pool,
    values: &Values<'_>,
    random: &mut Random,
    term: Term,
    (op, format, a, b): (FloatOp, Format, Term, Term),
    wanted: u128,
) -> Wanted {
    let get = |term: Term| values.get(term);
    let open = |term: Term| values.is_open(term);
    let Some(left) = either(random, a, b, open).map(|operand| operand == a) else { return Wanted::Nothing };
    let (Some(t), Some(x), Some(y)) = (number(format, wanted), number(format, get(a)), number(format, get(b))) else {
        return Wanted::Nothing;
    };
    let value = match (op, left) {
        (FloatOp::Add, true) => t - y,
        (FloatOp::Add, false) => t - x,
        (FloatOp::Sub, true) => t + y,
        (FloatOp::Sub, false) => x - t,
        (FloatOp::Mul, true) => t / y,
        (FloatOp::Mul, false) => t / x,
        (FloatOp::Div, true) => t * y,
        (FloatOp::Div, false) => x / t,
        (FloatOp::Rem, true) => (x / y).trunc() * y + t,
        _ => return Wanted::Nothing,
    };
    let operand = if left { a } else { b };
    near(pool, values, term, wanted, operand, bits(format, value), left)
}

/// A comparison of floats that should hold, or should not: the nearest value most of the time.
fn compared(
    values: &Values<'_>,
    random: &mut Random,
    (compare, format, a, b): (FloatCompare, Format, Term, Term),
    wanted: bool,
) -> Wanted {
    let get = |term: Term| values.get(term);
    let open = |term: Term| values.is_open(term);
    let Some(left) = either(random, a, b, open).map(|operand| operand == a) else { return Wanted::Nothing };
    let (operand, other) = if left { (a, b) } else { (b, a) };
    let Some(other) = number(format, get(other)) else { return Wanted::Nothing };
    let (up, down) = (next(format, other, true), next(format, other, false));
    let value = match (compare, wanted, left) {
        (FloatCompare::Eq, true, _) | (FloatCompare::Le, true, _) | (FloatCompare::Lt, false, _) => other,
        (FloatCompare::Eq, false, _) => {
            if random.percent(50) {
                up
            } else {
                other + 1.0
            }
        }
        (FloatCompare::Lt, true, true) | (FloatCompare::Le, false, false) => {
            if random.percent(60) {
                down
            } else {
                other - 1.0
            }
        }
        (FloatCompare::Lt, true, false) | (FloatCompare::Le, false, true) => {
            if random.percent(60) {
                up
            } else {
                other + 1.0
            }
        }
    };
    Wanted::Of(operand, bits(format, value))
}

/// One of two operands that may be chosen.
fn either(random: &mut Random, a: Term, b: Term, may: impl Fn(Term) -> bool) -> Option<Term> {
    match (may(a), may(b)) {
        (true, true) => Some(if random.percent(50) { a } else { b }),
        (true, false) => Some(a),
        (false, true) => Some(b),
        (false, false) => None,
    }
}

/// `a < b`, or `a >= b`: the nearest value most of the time.
fn less(
    random: &mut Random,
    (a, x): (Term, u128),
    (b, y): (Term, u128),
    wanted: bool,
    width: u32,
    is_signed: bool,
    open: impl Fn(Term) -> bool,
) -> Wanted {
    let Some(operand) = either(random, a, b, open) else { return Wanted::Nothing };
    // Signed numbers with the least as 0.
    let shift = if is_signed { 1 << (width - 1) } else { 0 };
    let (x, y, most) = ((x ^ shift) & mask(width), (y ^ shift) & mask(width), mask(width));
    let far = if random.percent(75) { 0 } else { u128::from(random.next()) >> random.below(64) };
    let value = match (wanted, operand == a) {
        (true, true) if y == 0 => return Wanted::Nothing,
        (true, true) => (y - 1).saturating_sub(far),
        (true, false) if x == most => return Wanted::Nothing,
        (true, false) => (x + 1).saturating_add(far).min(most),
        (false, true) => y.saturating_add(far).min(most),
        (false, false) => x.saturating_sub(far),
    };
    Wanted::Of(operand, (value ^ shift) & mask(width))
}

fn arithmetic(
    pool: &Pool,
    values: &Values<'_>,
    random: &mut Random,
    (op, a, b): (BvOp, Term, Term),
    t: u128,
) -> Wanted {
    let width = pool.width(a);
    let m = mask(width);
    let Some(left) = either(random, a, b, |operand| values.is_open(operand)).map(|operand| operand == a) else {
        return Wanted::Nothing;
    };
    let (x, y) = (values.get(a), values.get(b));
    let (operand, now, other) = if left { (a, x, y) } else { (b, y, x) };
    let value = match op {
        BvOp::Add => t.wrapping_sub(other),
        BvOp::Sub if left => t.wrapping_add(y),
        BvOp::Sub => x.wrapping_sub(t),
        BvOp::Xor => t ^ other,
        // Bits that the other one has are the wanted ones, the rest as it is.
        BvOp::And => now & !other | t & other,
        BvOp::Or => now & other | t & !other,
        BvOp::Mul => match quotient(t, other, width, random) {
            Some(value) => value,
            None => return Wanted::Nothing,
        },
        BvOp::Shl | BvOp::LShr | BvOp::AShr if left => {
            if y >= u128::from(width) {
                return Wanted::Nothing;
            }
            if op == BvOp::Shl { now & !(m >> y) | t >> y } else { (t << y) | now & mask(y as u32) & m }
        }
        BvOp::UDiv | BvOp::SDiv if left => {
            // Any remainder will do: that which it has.
            let rest = apply_bv(if op == BvOp::UDiv { BvOp::URem } else { BvOp::SRem }, x, y, width);
            let whole = t.wrapping_mul(y);
            let value = whole.wrapping_add(rest) & m;
            if apply_bv(op, value, y, width) == t { value } else { whole }
        }
        BvOp::UDiv | BvOp::SDiv => apply_bv(op, x, t, width),
        BvOp::URem | BvOp::SRem if left => {
            let whole = x.wrapping_sub(apply_bv(op, x, y, width));
            whole.wrapping_add(t)
        }
        BvOp::URem | BvOp::SRem => x.wrapping_sub(t),
        _ => u128::from(random.below(width.into())),
    };
    Wanted::Of(operand, value & m)
}

/// What times `by` is `t`, modulo, or nearly `t` without wrapping around; where there is nothing, none.
fn quotient(t: u128, by: u128, width: u32, random: &mut Random) -> Option<u128> {
    if by == 0 {
        return None;
    }
    let twos = by.trailing_zeros();
    let (x, y) = (signed(t, width), signed(by, width));
    if x.checked_rem(y) == Some(0) || t.trailing_zeros() < twos || random.percent(60) {
        return Some(x.wrapping_div(y) as u128 & mask(width));
    }
    // The inverse of an odd number by Newton's iteration.
    let odd = by >> twos;
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some((t >> twos).wrapping_mul(inverse) & mask(width - twos))
}

fn apply_bv(op: BvOp, a: u128, b: u128, width: u32) -> u128 {
    let (x, y) = (signed(a, width), signed(b, width));
    let value = match op {
        BvOp::UDiv => a.checked_div(b).unwrap_or(0),
        BvOp::URem => a.checked_rem(b).unwrap_or(a),
        BvOp::SDiv => x.checked_div(y).unwrap_or(0) as u128,
        _ => x.checked_rem(y).unwrap_or(x) as u128,
    };
    value & mask(width)
}

/// A float as a number that can be reckoned with; none for NaNs and formats that are not the processor's own.
fn number(format: Format, bits: u128) -> Option<f64> {
    let value = match format {
        Format::Double => f64::from_bits(bits as u64),
        Format::Single => f32::from_bits(bits as u32).into(),
        _ => return None,
    };
    (!value.is_nan()).then_some(value)
}

fn bits(format: Format, value: f64) -> u128 {
    match format {
        Format::Single => (value as f32).to_bits().into(),
        _ => value.to_bits().into(),
    }
}

/// The next number up or down.
fn next(format: Format, value: f64, up: bool) -> f64 {
    match (format, up) {
        (Format::Single, true) => (value as f32).next_up().into(),
        (Format::Single, false) => (value as f32).next_down().into(),
        (_, true) => value.next_up(),
        (_, false) => value.next_down(),
    }
}

/// An operand's value, or one of its neighbours when that one gives exactly what is wanted.
fn near(pool: &Pool, values: &Values<'_>, term: Term, wanted: u128, operand: Term, value: u128, left: bool) -> Wanted {
    let other = pool.node(term).operands().nth(usize::from(left)).map_or(0, |other| values.get(other));
    let gives = |value: u128| apply(pool, term, if left { [value, other, 0] } else { [other, value, 0] });
    let exact = [0, 1, u128::MAX].into_iter().map(|step| value.wrapping_add(step) & mask(pool.width(operand)));
    Wanted::Of(operand, exact.into_iter().find(|&value| gives(value) == wanted).unwrap_or(value))
}
