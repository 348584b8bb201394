//! Says whether texts match a pattern: driver PATTERN TEXT...
use std::env;
use wildmatch::WildMatch;

fn main() {
    let mut args = env::args().skip(1);
    let pattern = WildMatch::new(&args.next().unwrap_or_default());
    for text in args {
        println!("{}", if pattern.matches(&text) { "yes" } else { "no" });
    }
}
