//! Splitting lines as a shell does, and quoting words for it.
use shlex::{quote, split};

fn words(line: &str) -> Option<String> {
    split(line).map(|words| words.join("|"))
}

fn some(text: &str) -> Option<String> {
    Some(text.to_string())
}

#[test]
fn plain_words() {
    assert_eq!(words("a bc  d"), some("a|bc|d"));
}

#[test]
fn single_quotes() {
    assert_eq!(words("a 'b c'd"), some("a|b cd"));
}

#[test]
fn double_quotes() {
    assert_eq!(words("a \"b \\\" c\""), some("a|b \" c"));
}

#[test]
fn backslashes_outside() {
    assert_eq!(words("a\\ b c"), some("a b|c"));
}

#[test]
fn backslashes_in_single_quotes() {
    assert_eq!(words("'a\\\\b' c"), some("a\\\\b|c"));
}

#[test]
fn comments() {
    assert_eq!(words("a # b"), some("a"));
}

#[test]
fn quotes_left_open() {
    assert_eq!(words("a 'b"), None);
    assert_eq!(words("a \"b"), None);
}

#[test]
fn quoted() {
    assert_eq!(quote("a b"), "\"a b\"");
}
