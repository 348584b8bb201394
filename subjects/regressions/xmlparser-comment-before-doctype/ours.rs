//! How documents are cut into tokens.
use xmlparser::{Token, Tokenizer};

/// The kinds of a document's tokens, a letter each; `!` is an error.
fn kinds(text: &str) -> String {
    let kind = |token: Result<Token, xmlparser::Error>| match token {
        Ok(Token::Declaration { .. }) => 'x',
        Ok(Token::ProcessingInstruction { .. }) => 'p',
        Ok(Token::Comment { .. }) => 'c',
        Ok(Token::DtdStart { .. }) => 'd',
        Ok(Token::EmptyDtd { .. }) => 'e',
        Ok(Token::EntityDeclaration { .. }) => 'n',
        Ok(Token::DtdEnd { .. }) => 'D',
        Ok(Token::ElementStart { .. }) => '<',
        Ok(Token::Attribute { .. }) => '=',
        Ok(Token::ElementEnd { .. }) => '>',
        Ok(Token::Text { .. }) => 't',
        Ok(Token::Cdata { .. }) => 'T',
        Err(_) => '!',
    };
    Tokenizer::from(text).map(kind).collect()
}

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
