//! Gives a number another scale: driver rescale|round NUMBER DIGITS.
use rust_decimal::Decimal;
use std::env;

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    if args.len() != 3 {
        println!("no numbers");
        return;
    }
    let (mut number, digits) = match (args[1].parse::<Decimal>(), args[2].parse::<u32>()) {
        (Ok(number), Ok(digits)) => (number, digits),
        _ => {
            println!("no numbers");
            return;
        }
    };
    match args[0].as_str() {
        "rescale" => number.rescale(digits),
        "round" => number = number.round_dp(digits),
        _ => println!("as it is"),
    }
    println!("{}", number);
}
