//! Puts the letters of a word into a list, from a place on, and tells the list: driver AT WORD ITEM..., where the items are the list.
//! A word that has something else than letters is refused.
extern crate smallvec;

use smallvec::SmallVec;
use std::env;
use std::panic::{self, AssertUnwindSafe};
use std::process;

/// A letter as an item of the list.
fn item(letter: char) -> String {
    assert!(letter.is_alphabetic(), "{:?} is no letter", letter);
    letter.to_string()
}

/// The exit status.
fn run(args: &[String]) -> i32 {
    if args.len() < 2 {
        return 2;
    }
    let word = &args[1];
    let mut list: SmallVec<[String; 8]> = args[2..].iter().cloned().collect();
    let at = match args[0].parse() {
        Ok(at) if at <= list.len() => at,
        _ => return 2,
    };
    let done = panic::catch_unwind(AssertUnwindSafe(|| list.insert_many(at, word.chars().map(item))));
    if done.is_err() {
        println!("refused");
        return 1;
    }
    println!("{}: {}", list.len(), list.join(" "));
    0
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    process::exit(run(&args));
}
