//! How documents are cut into tokens.
#[path = "../kinds.rs"]
mod kinds;

use kinds::kinds;

#[test]
fn element() {
    assert_eq!(kinds("<a b='1'>text</a>"), "<=>t>");
}

#[test]
fn empty_doctype() {
    assert_eq!(kinds("<!DOCTYPE a><a/>"), "e<>");
}

#[test]
fn doctype_with_entities() {
    assert_eq!(kinds("<!DOCTYPE a [ <!ENTITY b 'c'> ]><a/>"), "dnD<>");
}

#[test]
fn comment_before_doctype() {
    assert_eq!(kinds("<!-- b --><!DOCTYPE a><a/>"), "ce<>");
}

#[test]
fn comment_in_a_doctype() {
    assert_eq!(kinds("<!DOCTYPE a [\n<!ELEMENT a (b)>\n<!-- all -->\n]>\n<a/>"), "dcD<>");
}

#[test]
fn comment_behind_a_doctype() {
    assert_eq!(kinds("<!DOCTYPE a><!-- b --><a/>"), "ec<>");
}

#[test]
fn declaration_and_comment() {
    assert_eq!(kinds("<?xml version='1.0'?><!-- b --><a/>"), "xc<>");
}

#[test]
fn comment_at_the_end() {
    assert_eq!(kinds("<a/>\n<!-- b -->"), "<>c");
}

#[test]
fn broken_doctype() {
    assert_eq!(kinds("<!DOCTYPE a [ <!WRONG> ]><a/>"), "d!");
}
