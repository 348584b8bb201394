//! Expressions, and what they come to.

#[test]
fn two_slashes() {
    assert!(evalexpr::eval("1 // c").is_err());
}

#[test]
fn one_slash() {
    assert!(evalexpr::eval("6 / 3").is_ok());
}
