//! Tells decimal numbers: driver NUMBER...
use rust_decimal::Decimal;
use std::env;

fn main() {
    for text in env::args().skip(1) {
        match text.parse::<Decimal>() {
            Ok(number) => println!("{}", number),
            Err(_) => println!("no number"),
        }
    }
}
