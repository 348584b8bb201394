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
fn space_at_the_end_of_a_doctype() {
    assert_eq!(kinds("<!DOCTYPE a [ <!ENTITY b 'c'> ] ><a/>"), "dnD<>");
}

#[test]
fn doctype_with_elements() {
    assert_eq!(kinds("<!DOCTYPE a [\n<!ELEMENT a (b)>\n<!-- all -->\n]>\n<a/>"), "dcD<>");
}

#[test]
fn instruction_in_a_doctype() {
    assert_eq!(kinds("<!DOCTYPE a [<?b c?>]><a/>"), "dpD<>");
}

#[test]
fn declaration_and_comment() {
    assert_eq!(kinds("<?xml version='1.0'?><!-- b --><a/>"), "xc<>");
}

#[test]
fn broken_doctype() {
    assert_eq!(kinds("<!DOCTYPE a [ <!WRONG> ]><a/>"), "d!");
}
