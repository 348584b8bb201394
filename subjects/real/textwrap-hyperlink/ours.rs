//! How wide text is on a terminal.
use textwrap::core::display_width;
use textwrap::{fill, wrap};

#[test]
fn plain_text() {
    assert_eq!(display_width("three"), 5);
    assert_eq!(display_width(""), 0);
}

#[test]
fn colours_have_no_width() {
    assert_eq!(display_width("\x1b[31mred\x1b[0m"), 3);
}

#[test]
fn links_have_no_width() {
    assert_eq!(display_width("\x1b]8;;http://a.org\x1b\\pear\x1b]8;;\x1b\\"), 4);
}

#[test]
fn two_colours() {
    assert_eq!(display_width("\x1b[1;31mred\x1b[32mgreen\x1b[0m!"), 9);
}

#[test]
fn letters_of_other_scripts() {
    assert_eq!(display_width("äöü"), 3);
}

#[test]
fn coloured_words_fill_lines() {
    assert_eq!(fill("\x1b[31mone\x1b[0m two", 8), "\x1b[31mone\x1b[0m two");
}

#[test]
fn words_fill_lines() {
    assert_eq!(wrap("one two three", 7), vec!["one two", "three"]);
}
