//! Says what JSON texts are: driver TEXT...
extern crate json;

use std::env;

fn main() {
    for text in env::args().skip(1) {
        match json::parse(&text) {
            Ok(value) => println!("{}", if value.is_number() { "a number" } else { "something else" }),
            Err(_) => println!("no JSON"),
        }
    }
}
