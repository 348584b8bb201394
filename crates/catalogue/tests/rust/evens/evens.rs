//! Says how many of its arguments are even, and their sum.

use std::env;

fn main() {
    let mut even = 0;
    let mut sum = 0i64;
    for argument in env::args().skip(1) {
        match argument.parse::<i64>() {
            Ok(value) if value % 2 == 0 => {
                even += 1;
                sum += value;
            }
            Ok(_) => {}
            Err(_) => println!("{argument} is no number"),
        }
    }
    println!("{even} even, sum {sum}");
}
