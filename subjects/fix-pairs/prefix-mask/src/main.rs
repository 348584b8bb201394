/// The first bits of a byte, or of two.
fn mask(short: bool, prefix: u32) -> u16 {
    if short {
        return u16::from(u8::MAX << (8 - prefix));
    }
    u16::MAX << (16 - prefix)
}

/// prefix-mask byte|word PREFIX
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let prefix = args.get(1).and_then(|text| text.parse().ok()).unwrap_or(99);
    let short = args.first().is_some_and(|kind| kind == "byte");
    if args.len() != 2 || prefix > if short { 8 } else { 16 } {
        println!("no prefix");
        return;
    }
    println!("{:x}", mask(short, prefix));
}
