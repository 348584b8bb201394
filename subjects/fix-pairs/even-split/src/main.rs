use std::env;

/// Splits an amount of cents among so many people; the first ones pay what is left over.
fn main() {
    let numbers: Vec<u8> = env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [cents, people] = numbers[..] else {
        eprintln!("cents and people, please");
        std::process::exit(2);
    };
    let (each, rest) = (cents / people, cents % people);
    for number in 0..people {
        println!("{}", each + u8::from(number <= rest));
    }
}
