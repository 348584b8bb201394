//! Tells the number of variable length that a text in hexadecimal digits begins with, which has to be one of 32 bits: driver DIGITS.
use integer_encoding::{VarInt, VarIntReader};
use std::env;

fn main() {
    let digits: Vec<u8> = env::args()
        .nth(1)
        .unwrap_or_default()
        .bytes()
        .filter_map(|b| (b as char).to_digit(16).map(|d| d as u8))
        .collect();
    let bytes: Vec<u8> = digits.chunks(2).filter(|pair| pair.len() == 2).map(|pair| pair[0] * 16 + pair[1]).collect();
    match bytes.as_slice().read_varint::<u32>() {
        Ok(number) => {
            println!("{}", number);
            assert_eq!(u64::decode_var(&bytes).map(|(all, _)| all), Some(u64::from(number)));
        }
        Err(_) => println!("no number"),
    }
}
