//! Counts the parts of an XML document on the standard input.
use std::io::{self, Read};
use xmlparser::{Token, Tokenizer};

fn main() {
    let mut text = String::new();
    if io::stdin().read_to_string(&mut text).is_err() {
        return;
    }
    for token in Tokenizer::from(text.as_str()) {
        match token {
            Ok(Token::Declaration { .. }) => println!("declaration"),
            Ok(Token::ProcessingInstruction { target, .. }) => println!("instruction {}", target.as_str()),
            Ok(Token::Comment { .. }) => println!("comment"),
            Ok(Token::EmptyDtd { .. }) => println!("type"),
            Ok(Token::ElementStart { local, .. }) => println!("element {}", local.as_str()),
            Ok(_) => println!("part"),
            Err(_) => {
                println!("no document");
                break;
            }
        }
    }
}
