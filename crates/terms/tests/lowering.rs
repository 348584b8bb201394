//! Lowered floats against evaluation, and evaluation against the processor.

use whydunit_terms::{
    Assignment, Evaluator, FloatCompare, FloatOp, FloatUnary, Format, LowerError, Lowering, Node, Pool, Rounding, Sort,
    Term, evaluate, lower_floats, reachable,
};

/// Numbers for choices, from a seed (SplitMix64).
struct Choices(u64);

impl Choices {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A float: special, subnormal, near a power of two, near `other` in exponent, or any.
    fn float(&mut self, format: Format, other: Option<u128>) -> u128 {
        let (stored, p) = (format.stored_bits(), format.significand_bits());
        let mask = |width: u32| u128::MAX >> (128 - width);
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let sign = (any >> 100 & 1) << (format.width() - 1);
        let sparse = match self.below(4) {
            0 => any & mask(p - 1),
            1 => any & 3,
            2 => mask(p - 1) - (any & 3),
            _ => any & mask(p - 1) & !mask(p / 2),
        };
        let exponents = mask(format.exponent_bits());
        let exponent = match self.below(8) {
            0 => 0,
            1 => exponents,
            2 => 1,
            3 => exponents - 1,
            4 | 5 => match other {
                Some(other) => (other >> stored & exponents).wrapping_add(any >> 70 & 3).wrapping_sub(1) & exponents,
                None => (format.bias() as u128 + (any >> 70 & 63)) & exponents,
            },
            6 => format.bias() as u128 + (any >> 70 & 3) - 1,
            _ => any >> 64 & exponents,
        };
        let fraction = if exponent == exponents && self.below(2) == 0 { 0 } else { sparse };
        let integer = match format {
            // Now and then an encoding that no operation makes.
            Format::Extended if self.below(16) == 0 => (any & 1) << 63,
            Format::Extended => u128::from(exponent != 0) << 63,
            _ => 0,
        };
        sign | exponent << stored | integer | fraction
    }

    fn integer(&mut self, width: u32) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(4) {
            0 => any & 0xff,
            1 => !(any & 0xff),
            2 => any >> self.below(128),
            _ => (1 << self.below(128)) + (any & 3),
        };
        value & (u128::MAX >> (128 - width))
    }
}

/// Values for the operands of a term.
type Draw<'a> = &'a mut dyn FnMut(&mut Choices) -> Vec<u128>;

/// Holds the lowered term against the plain one.
fn assert_same(pool: &mut Pool, term: Term, variables: &[Term], rounds: usize, draw: Draw) {
    let lowered = lower_floats(pool, term).expect("it is lowered");
    assert!(reachable(pool, &[lowered]).iter().all(|term| !pool.node(*term).is_float()));
    let mut choices = Choices(term.index().into());
    for _ in 0..rounds {
        let values = draw(&mut choices);
        let assignment: Assignment = variables.iter().copied().zip(values.iter().copied()).collect();
        let mut evaluator = Evaluator::new(pool, &assignment);
        let (expected, found) = (evaluator.value(term), evaluator.value(lowered));
        assert_eq!(found, expected, "{found:#x} instead of {expected:#x}: {:?} of {values:#x?}", pool.node(term));
    }
}

fn floats(pool: &mut Pool, format: Format, count: usize) -> Vec<Term> {
    (0..count).map(|_| pool.variable(Sort::BitVec(format.width()), "f")).collect()
}

fn two(format: Format) -> impl FnMut(&mut Choices) -> Vec<u128> {
    move |choices| {
        let a = choices.float(format, None);
        vec![a, choices.float(format, Some(a))]
    }
}

fn one(format: Format) -> impl FnMut(&mut Choices) -> Vec<u128> {
    move |choices| vec![choices.float(format, None)]
}

const ROUNDS: usize = 1500;

fn assert_operations(ops: &[FloatOp], formats: &[Format], roundings: &[Rounding], rounds: usize) {
    for format in formats {
        for op in ops {
            for rounding in roundings {
                let mut pool = Pool::new();
                let operands = floats(&mut pool, *format, 2);
                let term = pool.float(*op, *format, operands[0], operands[1], *rounding);
                assert_same(&mut pool, term, &operands, rounds, &mut two(*format));
            }
        }
    }
}

#[test]
fn sums_and_products_are_lowered_exactly() {
    assert_operations(&[FloatOp::Add, FloatOp::Sub, FloatOp::Mul], &Format::ALL, &Rounding::ALL, ROUNDS);
}

#[test]
fn quotients_are_lowered_exactly() {
    assert_operations(&[FloatOp::Div], &Format::ALL, &Rounding::ALL, ROUNDS);
}

#[test]
fn remainders_are_lowered_exactly_or_refused() {
    assert_operations(&[FloatOp::Rem], &[Format::Half, Format::Single], &[Rounding::NearestEven], 600);
    assert_operations(&[FloatOp::Rem], &[Format::Double], &[Rounding::NearestEven], 120);
    let mut pool = Pool::new();
    let operands = floats(&mut pool, Format::Extended, 2);
    let term = pool.float(FloatOp::Rem, Format::Extended, operands[0], operands[1], Rounding::NearestEven);
    assert_eq!(lower_floats(&mut pool, term), Err(LowerError::ExtendedRemainder));
}

#[test]
fn least_and_greatest_are_lowered_exactly() {
    assert_operations(&[FloatOp::Min, FloatOp::Max], &Format::ALL, &[Rounding::NearestEven], ROUNDS);
}

#[test]
fn fused_operations_are_lowered_exactly_or_refused() {
    for format in [Format::Half, Format::Single, Format::Double] {
        for rounding in Rounding::ALL {
            let mut pool = Pool::new();
            let [a, b, c] = floats(&mut pool, format, 3)[..] else { unreachable!() };
            let term = pool.fma(format, a, b, c, rounding);
            let mut three = |choices: &mut Choices| {
                let (a, b) = (choices.float(format, None), choices.float(format, None));
                // Often about as large as the product, so that most of it cancels.
                let near = Assignment::from_iter([(Term::from_index(0), 0)]);
                let mut scratch = Pool::new();
                let (x, y) = (scratch.constant(format.width(), a), scratch.constant(format.width(), b));
                let product = scratch.float(FloatOp::Mul, format, x, y, Rounding::Zero);
                let product = evaluate(&scratch, product, &near);
                let c = match choices.below(4) {
                    0 => choices.float(format, Some(product)),
                    1 => product ^ 1 << (format.width() - 1),
                    2 => (product ^ 1 << (format.width() - 1)).wrapping_add(u128::from(choices.next() % 3)),
                    _ => choices.float(format, None),
                };
                vec![a, b, c & (u128::MAX >> (128 - format.width()))]
            };
            assert_same(&mut pool, term, &[a, b, c], ROUNDS, &mut three);
        }
    }
    let mut pool = Pool::new();
    let [a, b, c] = floats(&mut pool, Format::Extended, 3)[..] else { unreachable!() };
    let term = pool.fma(Format::Extended, a, b, c, Rounding::NearestEven);
    assert_eq!(lower_floats(&mut pool, term), Err(LowerError::ExtendedFma));
}

const UNARY: [FloatUnary; 8] = [
    FloatUnary::Neg,
    FloatUnary::Abs,
    FloatUnary::Sqrt,
    FloatUnary::Floor,
    FloatUnary::Ceil,
    FloatUnary::Trunc,
    FloatUnary::Rint,
    FloatUnary::Round,
];

#[test]
fn roots_and_roundings_are_lowered_exactly() {
    for format in Format::ALL {
        for op in UNARY {
            for rounding in Rounding::ALL {
                if op != FloatUnary::Sqrt && rounding != Rounding::NearestEven {
                    continue;
                }
                let mut pool = Pool::new();
                let operands = floats(&mut pool, format, 1);
                let term = pool.float_unary(op, format, operands[0], rounding);
                assert_same(&mut pool, term, &operands, ROUNDS, &mut one(format));
            }
        }
    }
}

#[test]
fn comparisons_are_lowered_exactly() {
    for format in Format::ALL {
        let mut pool = Pool::new();
        let operands = floats(&mut pool, format, 2);
        for compare in [FloatCompare::Eq, FloatCompare::Lt, FloatCompare::Le] {
            let term = pool.float_compare(compare, format, operands[0], operands[1]);
            assert_same(&mut pool, term, &operands, 2 * ROUNDS, &mut two(format));
            let same = pool.float_compare(compare, format, operands[0], operands[0]);
            assert_same(&mut pool, same, &operands, ROUNDS, &mut two(format));
        }
        let nan = pool.is_nan(format, operands[0]);
        assert_same(&mut pool, nan, &operands, ROUNDS, &mut two(format));
    }
}

#[test]
fn conversions_are_lowered_exactly() {
    for from in Format::ALL {
        for to in Format::ALL {
            for rounding in Rounding::ALL {
                let mut pool = Pool::new();
                let operands = floats(&mut pool, from, 1);
                let term = pool.float_convert(from, to, operands[0], rounding);
                // Numbers of the range of the target are what rounds.
                let mut near = |choices: &mut Choices| {
                    if choices.below(2) == 0 {
                        return vec![choices.float(from, None)];
                    }
                    let value = choices.float(to, None);
                    let mut scratch = Pool::new();
                    let value = scratch.constant(to.width(), value);
                    let value = scratch.float_convert(to, from, value, Rounding::Zero);
                    let noise = u128::from(choices.next() % 5);
                    let value = scratch.as_constant(value).expect("a constant");
                    vec![value.wrapping_add(noise) & (u128::MAX >> (128 - from.width()))]
                };
                assert_same(&mut pool, term, &operands, ROUNDS, &mut near);
            }
        }
    }
}

#[test]
fn conversions_with_integers_are_lowered_exactly() {
    for format in Format::ALL {
        for signed in [false, true] {
            for width in [1, 8, 16, 31, 32, 33, 48, 63, 64, 65, 100, 128] {
                let mut pool = Pool::new();
                let operands = floats(&mut pool, format, 1);
                let term = pool.float_to_int(format, operands[0], signed, width);
                let mut near = |choices: &mut Choices| {
                    if choices.below(2) == 0 {
                        return vec![choices.float(format, None)];
                    }
                    let mut scratch = Pool::new();
                    let value = scratch.constant(128, choices.integer(128) >> choices.below(128));
                    let rounding = Rounding::ALL[choices.below(4)];
                    let value = scratch.int_to_float(format, value, true, rounding);
                    let value = scratch.as_constant(value).expect("a constant");
                    vec![value ^ u128::from(choices.next() % 3)]
                };
                assert_same(&mut pool, term, &operands, 300, &mut near);

                let integer = pool.variable(Sort::BitVec(width), "i");
                for rounding in Rounding::ALL {
                    let term = pool.int_to_float(format, integer, signed, rounding);
                    assert_same(&mut pool, term, &[integer], 200, &mut |choices| vec![choices.integer(width)]);
                }
            }
        }
    }
}

#[test]
fn every_half_float_is_lowered_exactly() {
    let mut pool = Pool::new();
    let half = pool.variable(Sort::BitVec(16), "h");
    let mut terms = vec![
        pool.float_unary(FloatUnary::Sqrt, Format::Half, half, Rounding::NearestEven),
        pool.float_unary(FloatUnary::Floor, Format::Half, half, Rounding::NearestEven),
        pool.float_unary(FloatUnary::Rint, Format::Half, half, Rounding::NearestEven),
        pool.float_unary(FloatUnary::Round, Format::Half, half, Rounding::NearestEven),
        pool.float_convert(Format::Half, Format::Single, half, Rounding::NearestEven),
        pool.float_convert(Format::Half, Format::Extended, half, Rounding::NearestEven),
        pool.float_to_int(Format::Half, half, true, 32),
    ];
    let third = pool.constant(16, 0x3555);
    terms.push(pool.float(FloatOp::Mul, Format::Half, half, third, Rounding::NearestEven));
    terms.push(pool.float(FloatOp::Add, Format::Half, half, third, Rounding::Down));
    terms.push(pool.float(FloatOp::Div, Format::Half, third, half, Rounding::Up));
    let lowered: Vec<Term> = terms.iter().map(|term| lower_floats(&mut pool, *term).expect("it is lowered")).collect();
    for bits in 0..1 << 16 {
        let assignment = Assignment::from_iter([(half, bits)]);
        let mut evaluator = Evaluator::new(&pool, &assignment);
        for (term, lowered) in terms.iter().zip(&lowered) {
            assert_eq!(evaluator.value(*lowered), evaluator.value(*term), "{:?} of {bits:#x}", pool.node(*term));
        }
    }
}

#[test]
fn only_the_wanted_formats_are_lowered() {
    let (format, nearest) = (Format::Double, Rounding::NearestEven);
    let mut pool = Pool::new();
    let [a, b] = floats(&mut pool, format, 2)[..] else { unreachable!() };
    let sum = pool.float(FloatOp::Add, format, a, b, nearest);
    let wide = pool.float_convert(format, Format::Extended, sum, nearest);
    let wide = pool.float(FloatOp::Mul, Format::Extended, wide, wide, nearest);
    let back = pool.float_convert(Format::Extended, format, wide, nearest);
    let less = pool.float_compare(FloatCompare::Lt, format, back, a);
    let mut lowering = Lowering::of(&[Format::Extended]);
    let lowered = lowering.lower(&mut pool, less).expect("it is lowered");
    let nodes = |root: Term| reachable(&pool, &[root]).into_iter().map(|term| *pool.node(term));
    let with = |root: Term, format: Format| nodes(root).filter(|node| node.formats().contains(&Some(format))).count();
    assert_eq!((with(less, Format::Extended), with(lowered, Format::Extended)), (3, 0));
    assert!(nodes(lowered).any(|node| matches!(node, Node::FloatCompare(..))));
    assert!(nodes(lowered).any(|node| matches!(node, Node::Float(FloatOp::Add, ..))));
    let mut choices = Choices(3);
    for _ in 0..ROUNDS {
        let assignment = Assignment::from_iter([a, b].into_iter().zip(two(format)(&mut choices)));
        assert_eq!(evaluate(&pool, lowered, &assignment), evaluate(&pool, less, &assignment));
    }
}

/// An operation of which the operands are constants folds to the term's value, and that is what the processor computes.
#[test]
fn evaluation_is_what_the_processor_computes() {
    let mut choices = Choices(11);
    let nearest = Rounding::NearestEven;
    let nan64 = |bits: u64| f64::from_bits(bits).is_nan();
    let nan32 = |bits: u32| f32::from_bits(bits).is_nan();
    for _ in 0..20_000 {
        let mut pool = Pool::new();
        let a = choices.float(Format::Double, None);
        let b = choices.float(Format::Double, Some(a));
        let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
        let (p, q) = (pool.constant(64, a), pool.constant(64, b));
        let pairs = [
            (FloatOp::Add, x + y),
            (FloatOp::Sub, x - y),
            (FloatOp::Mul, x * y),
            (FloatOp::Div, x / y),
            (FloatOp::Rem, x % y),
        ];
        for (op, expected) in pairs {
            let found = pool.float(op, Format::Double, p, q, nearest);
            let found = pool.as_constant(found).expect("a constant") as u64;
            assert!(found == expected.to_bits() || nan64(found) && expected.is_nan(), "{op:?} {x:e} {y:e}");
        }
        let unary = [
            (FloatUnary::Sqrt, x.sqrt()),
            (FloatUnary::Floor, x.floor()),
            (FloatUnary::Ceil, x.ceil()),
            (FloatUnary::Trunc, x.trunc()),
            (FloatUnary::Rint, x.round_ties_even()),
            (FloatUnary::Round, x.round()),
        ];
        for (op, expected) in unary {
            let found = pool.float_unary(op, Format::Double, p, nearest);
            let found = pool.as_constant(found).expect("a constant") as u64;
            assert!(found == expected.to_bits() || nan64(found) && expected.is_nan(), "{op:?} {x:e}");
        }
        let narrow = pool.float_convert(Format::Double, Format::Single, p, nearest);
        let found = pool.as_constant(narrow).expect("a constant") as u32;
        assert!(found == (x as f32).to_bits() || nan32(found) && x.is_nan(), "{x:e}");
        let root = pool.float_unary(FloatUnary::Sqrt, Format::Single, narrow, nearest);
        let root = pool.as_constant(root).expect("a constant") as u32;
        let expected = (x as f32).sqrt();
        assert!(root == expected.to_bits() || nan32(root) && expected.is_nan(), "{x:e}");
        if x.abs() < 9e18 {
            let integer = pool.float_to_int(Format::Double, p, true, 64);
            assert_eq!(pool.as_constant(integer), Some((x as i64 as u64).into()), "{x:e}");
        }
        if (0.0..1.8e19).contains(&x) {
            let integer = pool.float_to_int(Format::Double, p, false, 64);
            assert_eq!(pool.as_constant(integer), Some((x as u64).into()), "{x:e}");
        }
        let integer = choices.integer(128);
        let constant = pool.constant(128, integer);
        let signed = pool.int_to_float(Format::Double, constant, true, nearest);
        assert_eq!(pool.as_constant(signed), Some((integer as i128 as f64).to_bits().into()));
        let unsigned = pool.int_to_float(Format::Single, constant, false, nearest);
        assert_eq!(pool.as_constant(unsigned), Some((integer as f32).to_bits().into()));
    }
}
