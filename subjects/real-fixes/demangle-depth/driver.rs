//! Tells a mangled name: driver NAME or driver HEAD PART TIMES TAIL, a name of parts.
extern crate rustc_demangle;

use std::env;
use std::fmt::Write;

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let name = match (args.len(), args.get(2).and_then(|times| times.parse::<usize>().ok())) {
        (1, _) => args[0].clone(),
        (4, Some(times)) if times <= 100_000 => args[0].clone() + &args[1].repeat(times) + &args[3],
        _ => {
            println!("no name");
            return;
        }
    };
    match rustc_demangle::try_demangle(&name) {
        Ok(told) => {
            let mut text = String::new();
            let _ = write!(text, "{:#}", told);
            println!("a name");
        }
        Err(_) => println!("no name"),
    }
}
