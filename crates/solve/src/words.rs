//! Circuits for the operations on bit-vectors. A word is its bits from the lowest up.

use whydunit_terms::BvOp;

use crate::gates::{FALSE, Gates, Lit, TRUE};

pub(crate) type Word = Vec<Lit>;

/// The value of a word of constants.
fn constant(word: &[Lit]) -> Option<u128> {
    word.iter().rev().try_fold(0, |value, bit| Some(value << 1 | u128::from(bit.constant()?)))
}

pub(crate) fn of_value(value: u128, width: u32) -> Word {
    (0..width).map(|at| if value >> at & 1 == 1 { TRUE } else { FALSE }).collect()
}

pub(crate) fn ite(gates: &mut Gates, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(a, b)| gates.ite(condition, *a, *b)).collect()
}

fn not(word: &[Lit]) -> Word {
    word.iter().map(|bit| !*bit).collect()
}

/// The sum with a carry into the lowest bit, and the carry out of the highest.
fn add(gates: &mut Gates, a: &[Lit], b: &[Lit], carry: Lit) -> (Word, Lit) {
    let mut carry = carry;
    let sum = a
        .iter()
        .zip(b)
        .map(|(a, b)| {
            let sum = gates.xor3(*a, *b, carry);
            carry = gates.majority(*a, *b, carry);
            sum
        })
        .collect();
    (sum, carry)
}

fn sub(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Word {
    add(gates, a, &not(b), TRUE).0
}

fn negated(gates: &mut Gates, a: &[Lit]) -> Word {
    let zero = vec![FALSE; a.len()];
    sub(gates, &zero, a)
}

pub(crate) fn equal(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let mut level: Word = a.iter().zip(b).map(|(a, b)| !gates.xor(*a, *b)).collect();
    conjunction(gates, &mut level)
}

fn conjunction(gates: &mut Gates, level: &mut Word) -> Lit {
    while level.len() > 1 {
        *level = level.chunks(2).map(|pair| if let [a, b] = *pair { gates.and(a, b) } else { pair[0] }).collect();
    }
    level.first().copied().unwrap_or(TRUE)
}

fn any(gates: &mut Gates, word: &[Lit]) -> Lit {
    let mut level = not(word);
    !conjunction(gates, &mut level)
}

pub(crate) fn less(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    // The borrow of a - b.
    a.iter().zip(b).fold(FALSE, |less, (a, b)| gates.majority(!*a, *b, less))
}

pub(crate) fn less_signed(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let flip = |word: &[Lit]| {
        let mut word = word.to_vec();
        if let Some(sign) = word.last_mut() {
            *sign = !*sign;
        }
        word
    };
    less(gates, &flip(a), &flip(b))
}

/// An operation of two words of one width.
pub(crate) fn operation(gates: &mut Gates, op: BvOp, a: &[Lit], b: &[Lit]) -> Word {
    let bitwise = |gates: &mut Gates, f: fn(&mut Gates, Lit, Lit) -> Lit| {
        a.iter().zip(b).map(|(a, b)| f(gates, *a, *b)).collect()
    };
    match op {
        BvOp::Add => add(gates, a, b, FALSE).0,
        BvOp::Sub => sub(gates, a, b),
        BvOp::Mul => multiply(gates, a, b),
        BvOp::UDiv => divide(gates, a, b).0,
        BvOp::URem => divide(gates, a, b).1,
        BvOp::SDiv | BvOp::SRem => divide_signed(gates, op, a, b),
        BvOp::And => bitwise(gates, Gates::and),
        BvOp::Or => bitwise(gates, Gates::or),
        BvOp::Xor => bitwise(gates, Gates::xor),
        BvOp::Shl => {
            let reversed: Word = a.iter().rev().copied().collect();
            let mut word = shift_right(gates, &reversed, b, FALSE);
            word.reverse();
            word
        }
        BvOp::LShr => shift_right(gates, a, b, FALSE),
        BvOp::AShr => shift_right(gates, a, b, a.last().copied().unwrap_or(FALSE)),
    }
}

/// A shift toward the lowest bit in stages, one for each bit of the amount that can matter.
fn shift_right(gates: &mut Gates, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
    let width = a.len();
    let mut word = a.to_vec();
    let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
    for (stage, bit) in amount.iter().take(stages).enumerate() {
        let by = 1usize << stage;
        let shifted: Word = (0..width).map(|at| word.get(at + by).copied().unwrap_or(fill)).collect();
        word = ite(gates, *bit, &shifted, &word);
    }
    let beyond = any(gates, amount.get(stages..).unwrap_or(&[]));
    word.iter().map(|bit| gates.ite(beyond, fill, *bit)).collect()
}

/// The product by rows; by a constant with the fewest rows, some of them subtracted.
fn multiply(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Word {
    let width = a.len();
    let constants = |word: &[Lit]| word.iter().filter(|bit| bit.constant().is_some()).count();
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    if let Some(value) = constant(b) {
        return multiply_by_constant(gates, a, value);
    }
    let mut sum = vec![FALSE; width];
    for (at, bit) in b.iter().enumerate() {
        if *bit == FALSE {
            continue;
        }
        let row: Word = a[..width - at].iter().map(|other| gates.and(*other, *bit)).collect();
        let upper = add(gates, &sum[at..], &row, FALSE).0;
        sum.truncate(at);
        sum.extend(upper);
    }
    sum
}

/// The digits of the constant are -1, 0 and 1, no two neighbours of them not 0 (Reitwiesner's non-adjacent form).
fn multiply_by_constant(gates: &mut Gates, a: &[Lit], value: u128) -> Word {
    let width = a.len();
    let mut sum = vec![FALSE; width];
    let (mut rest, mut carry) = (value, 0u8);
    for at in 0..width {
        let low = (rest & 1) as u8 + carry;
        let next = (rest >> 1 & 1) as u8;
        rest >>= 1;
        if low & 1 == 0 {
            carry = low >> 1;
            continue;
        }
        // One bit: plus one, or minus one with a carry into a run of ones.
        let minus = next == 1;
        carry = u8::from(minus);
        let row = &a[..width - at];
        let upper = if minus { sub(gates, &sum[at..], row) } else { add(gates, &sum[at..], row, FALSE).0 };
        sum.truncate(at);
        sum.extend(upper);
    }
    sum
}

/// Quotient and remainder by long division; the remainder of a step is not wider than what was taken in.
fn divide(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len();
    // Whether the divisor has a bit from a place on.
    let mut above = vec![FALSE; width + 1];
    for at in (0..width).rev() {
        above[at] = gates.or(above[at + 1], b[at]);
    }
    let mut quotient = vec![FALSE; width];
    let mut rest: Word = Vec::new();
    for at in (0..width).rev() {
        rest.insert(0, a[at]);
        // A divisor with a bit above the remainder is greater.
        let size = rest.len();
        let (difference, carry) = add(gates, &rest, &not(&b[..size]), TRUE);
        let over = gates.or(above[size], !carry);
        quotient[at] = !over;
        rest = ite(gates, over, &rest, &difference);
    }
    // By zero every step subtracts nothing: all ones and the dividend, as SMT-LIB has it.
    (quotient, rest)
}

fn divide_signed(gates: &mut Gates, op: BvOp, a: &[Lit], b: &[Lit]) -> Word {
    let sign = |word: &[Lit]| word.last().copied().unwrap_or(FALSE);
    let (a_sign, b_sign) = (sign(a), sign(b));
    let magnitude = |gates: &mut Gates, word: &[Lit], sign: Lit| {
        let other = negated(gates, word);
        ite(gates, sign, &other, word)
    };
    let (x, y) = (magnitude(gates, a, a_sign), magnitude(gates, b, b_sign));
    let (quotient, rest) = divide(gates, &x, &y);
    let (result, flip) = match op {
        BvOp::SDiv => (quotient, gates.xor(a_sign, b_sign)),
        _ => (rest, a_sign),
    };
    magnitude(gates, &result, flip)
}
