//! Work handed from two threads to two others, and its results back. usage: program MESSAGES
use std::thread;

use crossbeam_channel::{bounded, unbounded};

/// Some hundred steps of computing.
fn work(mut number: u64) -> u64 {
    for _ in 0..400 {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
    }
    number
}

fn main() {
    let messages: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).expect("messages");
    let (to_workers, work_items) = bounded(64);
    let (to_main, results) = unbounded();
    for first in 0..2 {
        let to_workers = to_workers.clone();
        thread::spawn(move || (0..messages).for_each(|n| to_workers.send(1 + 2 * n + first).expect("a receiver")));
    }
    drop(to_workers);
    for _ in 0..2 {
        let (work_items, to_main) = (work_items.clone(), to_main.clone());
        thread::spawn(move || work_items.iter().for_each(|n| to_main.send(work(n)).expect("a receiver")));
    }
    drop(to_main);
    println!("{:016x}", results.iter().fold(0u64, |sum, number| sum.wrapping_add(number)));
}
