//! Functions on texts.
use evalexpr::{eval_int, eval_string};

#[test]
fn text_of_number() {
    assert_eq!(eval_string("str::from(12)"), Ok("12".to_string()));
}

#[test]
fn text_of_truth() {
    assert_eq!(eval_string("str::from(1 < 2)"), Ok("true".to_string()));
}

#[test]
fn text_of_text() {
    assert_eq!(eval_string("str::from(\"pear\")"), Ok("pear".to_string()));
}

#[test]
fn capitals() {
    assert_eq!(eval_string("str::to_uppercase(\"pear\")"), Ok("PEAR".to_string()));
    assert_eq!(eval_string("str::to_lowercase(\"PeAr\")"), Ok("pear".to_string()));
}

#[test]
fn trimmed() {
    assert_eq!(eval_string("str::trim(\"  pear \")"), Ok("pear".to_string()));
}

#[test]
fn length() {
    assert_eq!(eval_int("len(\"pear\")"), Ok(4));
}

#[test]
fn joined() {
    assert_eq!(eval_string("\"a\" + \"b\""), Ok("ab".to_string()));
}
