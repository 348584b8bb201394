/// The sum of the digits of a text, in a byte.
fn main() {
    let text = std::env::args().nth(1).unwrap_or_default();
    let mut sum = 0u8;
    for c in text.chars().take(40) {
        sum += c.to_digit(10).unwrap_or(0) as u8;
    }
    println!("{sum}");
}
