//! Floats: every operation on given values, NaNs bit by bit, and searches.

use whydunit_solve::{Cadical, Limits, Solver};
use whydunit_terms::{FloatCompare, FloatOp, FloatUnary, Format, Node, Pool, Rounding, Sort, Term};

use super::{Choices, Extent, assert_operation, checked};

/// A float: special, subnormal, near one, or any.
fn float(choices: &mut Choices, format: Format) -> u128 {
    let (stored, bias) = (format.stored_bits(), format.bias() as u128);
    let exponents = (1 << format.exponent_bits()) - 1;
    let exponent = match choices.below(6) {
        0 => 0,
        1 => exponents,
        2 | 3 => bias + choices.below(4) as u128 - 2,
        _ => choices.value(format.exponent_bits()),
    };
    let fraction = choices.value(format.significand_bits() - 1);
    let fraction = if choices.below(4) == 0 { 0 } else { fraction };
    let integer = if format == Format::Extended { u128::from(exponent != 0) << 63 } else { 0 };
    choices.value(1) << (format.width() - 1) | exponent << stored | integer | fraction
}

/// Every term that one operation makes of two floats and an integer.
fn operations(pool: &mut Pool, format: Format, a: Term, b: Term, integer: Term) -> Vec<Term> {
    let mut terms = Vec::new();
    for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Min, FloatOp::Max] {
        terms.push(pool.float(op, format, a, b, Rounding::NearestEven));
    }
    if matches!(format, Format::Half | Format::Single) {
        terms.push(pool.float(FloatOp::Rem, format, a, b, Rounding::NearestEven));
    }
    for rounding in [Rounding::Down, Rounding::Up, Rounding::Zero] {
        terms.push(pool.float(FloatOp::Add, format, a, b, rounding));
    }
    let unary = [
        FloatUnary::Neg,
        FloatUnary::Abs,
        FloatUnary::Sqrt,
        FloatUnary::Floor,
        FloatUnary::Ceil,
        FloatUnary::Trunc,
        FloatUnary::Rint,
        FloatUnary::Round,
    ];
    for op in unary {
        terms.push(pool.float_unary(op, format, a, Rounding::NearestEven));
    }
    for compare in [FloatCompare::Eq, FloatCompare::Lt, FloatCompare::Le] {
        terms.push(pool.float_compare(compare, format, a, b));
    }
    terms.push(pool.is_nan(format, a));
    if format != Format::Extended {
        terms.push(pool.fma(format, a, b, a, Rounding::NearestEven));
    }
    for to in Format::ALL {
        terms.push(pool.float_convert(format, to, a, Rounding::NearestEven));
    }
    for (signed, width) in [(true, 8), (true, 32), (true, 64), (false, 32), (false, 64), (false, 8), (true, 70)] {
        terms.push(pool.float_to_int(format, a, signed, width));
    }
    terms.push(pool.int_to_float(format, integer, true, Rounding::NearestEven));
    terms.push(pool.int_to_float(format, integer, false, Rounding::Up));
    terms
}

/// Each operation on given operands has one result, the one that evaluation says.
pub fn operations_on_all_formats(extent: Extent, make: &dyn Fn() -> Box<dyn Solver>) {
    let mut choices = Choices::new(5);
    for format in Format::ALL {
        let mut pool = Pool::new();
        let sort = Sort::BitVec(format.width());
        let (a, b) = (pool.variable(sort, "a"), pool.variable(sort, "b"));
        let integer = pool.variable(Sort::BitVec(32), "i");
        let mut terms = operations(&mut pool, format, a, b, integer);
        let mut samples = 3;
        if extent == Extent::Small {
            samples = 1;
            match format {
                Format::Half => {}
                // What the larger formats have of their own: the first sum, comparisons and conversions.
                _ => terms.retain(|term| {
                    let node = pool.node(*term);
                    !matches!(node, Node::Float(op, ..) if *op != FloatOp::Add)
                        && !matches!(node, Node::Fma(..) | Node::FloatUnary(FloatUnary::Sqrt, ..))
                }),
            }
        }
        for terms in terms.chunks(if extent == Extent::Whole { 1 } else { 6 }) {
            let mut solver = make();
            for term in terms {
                for _ in 0..samples {
                    let fixed = [
                        (a, float(&mut choices, format)),
                        (b, float(&mut choices, format)),
                        (integer, choices.value(32)),
                    ];
                    assert_operation(&mut *solver, &mut pool, *term, &fixed);
                }
                // An operand that is a NaN with a payload, and ones that make the default NaN.
                let (infinity, sign) = (format.infinity(), 1 << (format.width() - 1));
                let nan = infinity | 5;
                let pairs = [(infinity, infinity), (infinity, nan | sign), (nan, infinity), (0, 0)];
                for (x, y) in pairs.into_iter().take(samples + 1) {
                    assert_operation(&mut *solver, &mut pool, *term, &[(a, x), (b, y), (integer, 0)]);
                }
            }
        }
    }
}

/// Small searches with known ends.
pub fn searches(make: &dyn Fn() -> Box<dyn Solver>) {
    let (format, nearest) = (Format::Half, Rounding::NearestEven);
    let mut pool = Pool::new();
    let sort = Sort::BitVec(16);
    let (x, y) = (pool.variable(sort, "x"), pool.variable(sort, "y"));
    let mut solver = make();
    let square = pool.float(FloatOp::Mul, format, x, x, nearest);
    let (two_and_a_quarter, one, two) =
        (pool.constant(16, 0x4080), pool.constant(16, 0x3c00), pool.constant(16, 0x4000));
    let is_square = pool.eq(square, two_and_a_quarter);
    assert!(checked(&mut *solver, &mut pool, &[], &[is_square]));
    let positive = pool.float_compare(FloatCompare::Lt, format, one, x);
    let off = pool.constant(16, 0x3e00);
    let root = pool.eq(x, off);
    let other = pool.not(root);
    assert!(!checked(&mut *solver, &mut pool, &[], &[is_square, positive, other]));
    // Adding a number changes nothing: one of them is large, or there is no sum.
    let sum = pool.float(FloatOp::Add, format, x, y, nearest);
    let same = pool.eq(sum, x);
    let y_is_one = pool.eq(y, one);
    let small = pool.float_compare(FloatCompare::Lt, format, x, two);
    let at_least_one = pool.float_compare(FloatCompare::Le, format, one, x);
    assert!(checked(&mut *solver, &mut pool, &[], &[same, y_is_one]));
    assert!(!checked(&mut *solver, &mut pool, &[], &[same, y_is_one, small, at_least_one]));
    // Multiplication does not associate.
    let z = pool.variable(sort, "z");
    let (xy, yz) = (pool.float(FloatOp::Mul, format, x, y, nearest), pool.float(FloatOp::Mul, format, y, z, nearest));
    let (left, right) =
        (pool.float(FloatOp::Mul, format, xy, z, nearest), pool.float(FloatOp::Mul, format, x, yz, nearest));
    let less = pool.float_compare(FloatCompare::Lt, format, left, right);
    assert!(checked(&mut *solver, &mut pool, &[], &[less]));
    // The bits of a float as an integer.
    let low = pool.extract(sum, 0, 8);
    let wanted = pool.constant(8, 0xa5);
    let wanted = pool.eq(low, wanted);
    assert!(checked(&mut *solver, &mut pool, &[], &[wanted, small, at_least_one]));
}

/// Random formulas, held against another solver.
pub fn formulas_against_another_solver(make: &dyn Fn() -> Box<dyn Solver>) {
    for seed in 0..12 {
        let mut choices = Choices::new(900 + seed);
        let format = Format::Half;
        let mut pool = Pool::new();
        let sort = Sort::BitVec(16);
        let mut terms: Vec<Term> = (0..3).map(|_| pool.variable(sort, "f")).collect();
        let mut truths = Vec::new();
        for _ in 0..6 {
            let pick = |choices: &mut Choices, terms: &[Term]| terms[choices.below(terms.len())];
            let (a, b) = (pick(&mut choices, &terms), pick(&mut choices, &terms));
            match choices.below(4) {
                0 => {
                    let compare = [FloatCompare::Eq, FloatCompare::Lt, FloatCompare::Le][choices.below(3)];
                    truths.push(pool.float_compare(compare, format, a, b));
                }
                1 if !truths.is_empty() => {
                    let condition = pick(&mut choices, &truths);
                    terms.push(pool.ite(condition, a, b));
                }
                _ => {
                    let op = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul][choices.below(3)];
                    terms.push(pool.float(op, format, a, b, Rounding::NearestEven));
                }
            }
        }
        let last = terms[terms.len() - 1];
        let value = pool.constant(16, float(&mut choices, format));
        truths.push(pool.eq(last, value));
        let (mut solver, mut other) = (make(), Cadical::new());
        let expected = other.check(&mut pool, &truths, &Limits::default()).expect("a check").is_sat();
        assert_eq!(checked(&mut *solver, &mut pool, &[], &truths), expected, "formula {seed}");
    }
}
