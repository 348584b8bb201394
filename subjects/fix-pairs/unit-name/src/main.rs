/// An amount with its unit, in millimetres.
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = args.get(1).map(String::as_str).unwrap_or_default();
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    if digits == 0 {
        println!("no number");
        std::process::exit(1);
    }
    let number: u64 = text[..digits].parse().unwrap();
    match &text[digits..] {
        "mm" => println!("{number}"),
        "cm" => println!("{}", number as u128 * 10),
        _ => std::process::exit(2),
    }
}
