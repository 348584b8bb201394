//! Wrapping words, some of them with the escape sequences of a terminal.
use textwrap::{dedent, fill, indent, wrap};

#[test]
fn words_fill_lines() {
    assert_eq!(fill("one two three four", 9), "one two\nthree\nfour");
}

#[test]
fn words_break_at_hyphens() {
    assert_eq!(wrap("one two-three", 8), vec!["one two-", "three"]);
}

#[test]
fn words_with_hyphens_that_fit() {
    assert_eq!(wrap("x one-two", 9), vec!["x one-two"]);
}

#[test]
fn long_words_break() {
    assert_eq!(wrap("abcdefgh", 3), vec!["abc", "def", "gh"]);
}

#[test]
fn colours_have_no_width() {
    let text = "\u{1b}[34mone\u{1b}[39m \u{1b}[34mtwo\u{1b}[39m three";
    assert_eq!(wrap(text, 7), vec!["\u{1b}[34mone\u{1b}[39m \u{1b}[34mtwo\u{1b}[39m", "three"]);
}

#[test]
fn colours_in_a_word_with_hyphens() {
    assert_eq!(wrap("x \u{1b}[1mone-two\u{1b}[0m", 9), vec!["x \u{1b}[1mone-two\u{1b}[0m"]);
}

#[test]
fn lines_get_a_prefix() {
    assert_eq!(indent("one\ntwo\n", "> "), "> one\n> two\n");
}

#[test]
fn common_space_goes() {
    assert_eq!(dedent("    one\n      two\n"), "one\n  two\n");
}
