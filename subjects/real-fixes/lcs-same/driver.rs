//! Tells how one word becomes another: driver OLD NEW.
use similar::algorithms::{lcs, Capture};
use similar::DiffTag;
use std::env;

fn main() {
    let words: Vec<Vec<char>> = env::args().skip(1).map(|word| word.chars().collect()).collect();
    if words.len() != 2 {
        println!("no words");
        return;
    }
    let mut capture = Capture::new();
    if lcs::diff(&mut capture, &words[0], 0..words[0].len(), &words[1], 0..words[1].len()).is_err() {
        return;
    }
    for op in capture.ops() {
        let sign = match op.tag() {
            DiffTag::Equal => '=',
            DiffTag::Delete => '-',
            DiffTag::Insert => '+',
            DiffTag::Replace => '!',
        };
        println!("{} {:?} {:?}", sign, op.old_range(), op.new_range());
    }
}
