/// The first letters of words, as many as are asked for.
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let count: usize = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    for word in args.iter().skip(2) {
        println!("{}", &word[..count]);
    }
}
