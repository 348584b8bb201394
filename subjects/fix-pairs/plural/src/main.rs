/// Counts things: the number, and their name in the plural where they are not one.
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (Some(number), Some(name)) = (args.get(1).and_then(|n| n.parse::<i64>().ok()), args.get(2)) else {
        std::process::exit(1);
    };
    let plural = if number == 1 {
        name.clone()
    } else {
        format!("{name}s")
    };
    println!("{number} {plural}");
}
