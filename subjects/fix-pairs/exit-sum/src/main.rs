use std::io::Read;

/// Adds up the numbers of a ledger and ends with 4 where the sum that it states is another one.
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap_or_default();
    let (mut sum, mut stated) = (0i64, None);
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("sum ") {
            stated = rest.trim().parse::<i64>().ok();
        } else if let Ok(number) = line.parse::<i64>() {
            sum += number;
        }
    }
    println!("{} lines", text.lines().count());
    std::process::exit(if stated == Some(sum) { 0 } else { 4 });
}
