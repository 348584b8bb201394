//! Quoting words for a shell, and splitting its lines.
use shlex::{join, quote, split};

#[test]
fn plain_words_stay() {
    assert_eq!(quote("pear"), "pear");
    assert_eq!(quote("a-b_c.d"), "a-b_c.d");
}

#[test]
fn spaces_are_quoted() {
    assert_eq!(quote("one two"), "\"one two\"");
}

#[test]
fn braces_are_quoted() {
    assert_eq!(quote("{a,b}"), "\"{a,b}\"");
}

#[test]
fn dollars_are_escaped() {
    assert_eq!(quote("$a"), "\"\\$a\"");
}

#[test]
fn nothing_is_quoted() {
    assert_eq!(quote(""), "\"\"");
}

#[test]
fn brackets_and_tildes() {
    assert_eq!(quote("[a]"), "\"[a]\"");
    assert_eq!(quote("~"), "\"~\"");
}

#[test]
fn joined() {
    assert_eq!(join(vec!["a", "b c"]), "a \"b c\"");
}

#[test]
fn lines_are_split() {
    assert_eq!(split("a 'b c' d"), Some(vec!["a".to_string(), "b c".to_string(), "d".to_string()]));
}
