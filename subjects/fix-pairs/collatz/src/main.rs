/// How many steps halve a number down to 1.
fn main() {
    let number: i64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let (mut now, mut steps) = (number, 0u64);
    while now != 1 {
        now = if now % 2 == 0 { now / 2 } else { now - 1 };
        steps += 1;
    }
    println!("{steps}");
}
