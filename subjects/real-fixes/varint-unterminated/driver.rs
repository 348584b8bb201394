//! Tells the number of variable length that a text in hexadecimal digits begins with: driver DIGITS.
use integer_encoding::VarInt;
use std::env;

/// What versions of the crate give.
trait Read {
    fn read(self) -> Option<(u64, usize)>;
}

impl Read for (u64, usize) {
    fn read(self) -> Option<(u64, usize)> {
        Some(self)
    }
}

impl Read for Option<(u64, usize)> {
    fn read(self) -> Option<(u64, usize)> {
        self
    }
}

fn main() {
    let digits: Vec<u8> = env::args()
        .nth(1)
        .unwrap_or_default()
        .bytes()
        .filter_map(|b| (b as char).to_digit(16).map(|d| d as u8))
        .collect();
    let bytes: Vec<u8> = digits.chunks(2).filter(|pair| pair.len() == 2).map(|pair| pair[0] * 16 + pair[1]).collect();
    match u64::decode_var(&bytes).read() {
        Some((number, size)) => println!("{} in {} bytes", number, size),
        None => println!("no number"),
    }
}
