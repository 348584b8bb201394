//! Comparisons of an expression.
use evalexpr::{eval_boolean, eval_int};

#[test]
fn equal_numbers() {
    assert_eq!(eval_boolean("2 == 2"), Ok(true));
    assert_eq!(eval_boolean("2 == 3"), Ok(false));
}

#[test]
fn unequal_numbers() {
    assert_eq!(eval_boolean("2 != 3"), Ok(true));
}

#[test]
fn not() {
    assert_eq!(eval_boolean("!(2 == 3)"), Ok(true));
    assert_eq!(eval_boolean("!true"), Ok(false));
}

#[test]
fn less_and_greater() {
    assert_eq!(eval_boolean("2 < 3"), Ok(true));
    assert_eq!(eval_boolean("2 > 3"), Ok(false));
    assert_eq!(eval_boolean("3 >= 3"), Ok(true));
    assert_eq!(eval_boolean("4 <= 3"), Ok(false));
}

#[test]
fn and_or() {
    assert_eq!(eval_boolean("2 == 2 && 3 == 4"), Ok(false));
    assert_eq!(eval_boolean("2 == 2 || 3 == 4"), Ok(true));
}

#[test]
fn sums() {
    assert_eq!(eval_int("2 + 3 * 4"), Ok(14));
    assert_eq!(eval_int("(2 + 3) * -4"), Ok(-20));
}
