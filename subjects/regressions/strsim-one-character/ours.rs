//! Similarities and distances of texts.
use strsim::{hamming, jaro, jaro_winkler, levenshtein, osa_distance};

#[test]
fn nothing_equals_nothing() {
    assert_eq!(jaro("", ""), 1.0);
}

#[test]
fn nothing_and_something() {
    assert_eq!(jaro("", "a"), 0.0);
    assert_eq!(jaro("a", ""), 0.0);
}

#[test]
fn one_equal_character() {
    assert_eq!(jaro("a", "a"), 1.0);
}

#[test]
fn one_other_character() {
    assert_eq!(jaro("a", "b"), 0.0);
}

#[test]
fn equal_words() {
    assert_eq!(jaro("pear", "pear"), 1.0);
}

#[test]
fn words_alike() {
    assert!((jaro("martha", "marhta") - 0.944).abs() < 0.001);
    assert!((jaro_winkler("dwayne", "duane") - 0.84).abs() < 0.001);
}

#[test]
fn distances() {
    assert_eq!(levenshtein("kitten", "sitting"), 3);
    assert_eq!(osa_distance("ab", "ba"), 1);
    assert_eq!(hamming("pear", "bear"), Ok(1));
}
