//! Expressions, and what they come to.

use evalexpr::{Value, eval};

#[test]
fn a_text_without_an_end() {
    assert_eq!(eval("\"x"), Ok(Value::String("x".into())));
}

#[test]
fn a_text() {
    assert_eq!(eval("\"x\""), Ok(Value::String("x".into())));
}
