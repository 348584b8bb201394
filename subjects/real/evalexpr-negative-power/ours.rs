//! Powers and signs.
use evalexpr::{eval, eval_float, eval_int, Value};

#[test]
fn power() {
    assert_eq!(eval_float("2 ^ 3"), Ok(8.0));
}

#[test]
fn power_before_product() {
    assert_eq!(eval_float("3 * 2 ^ 2"), Ok(12.0));
}

#[test]
fn negative_exponent() {
    assert_eq!(eval("4 ^ -1"), Ok(Value::Float(0.25)));
}

#[test]
fn negative_exponent_in_brackets() {
    assert_eq!(eval_float("4 ^ (-1)"), Ok(0.25));
}

#[test]
fn negative_number() {
    assert_eq!(eval_int("-3"), Ok(-3));
    assert_eq!(eval_int("2 + -3"), Ok(-1));
}

#[test]
fn difference() {
    assert_eq!(eval_int("7 - 3 - 2"), Ok(2));
}

#[test]
fn product_of_sums() {
    assert_eq!(eval_int("(1 + 2) * (3 + 4)"), Ok(21));
}
