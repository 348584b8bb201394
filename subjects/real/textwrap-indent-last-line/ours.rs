//! Indenting, dedenting and wrapping.
use textwrap::{dedent, fill, indent, wrap};

#[test]
fn lines_get_a_prefix() {
    assert_eq!(indent("one\ntwo\n", "> "), "> one\n> two\n");
}

#[test]
fn no_newline_is_added() {
    assert_eq!(indent("one\ntwo", "> "), "> one\n> two");
}

#[test]
fn empty_lines_get_none() {
    assert_eq!(indent("one\n\ntwo\n", "> "), "> one\n\n> two\n");
}

#[test]
fn one_line() {
    assert_eq!(indent("  one\n", "--"), "--  one\n");
}

#[test]
fn common_space_goes() {
    assert_eq!(dedent("    one\n      two\n"), "one\n  two\n");
}

#[test]
fn words_fill_lines() {
    assert_eq!(fill("one two three four", 9), "one two\nthree\nfour");
}

#[test]
fn long_words_break() {
    assert_eq!(wrap("abcdefgh", 3), vec!["abc", "def", "gh"]);
}
