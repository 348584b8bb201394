//! Looks at the jumps between one reading and the next: jump-monitor LIMIT
//! The readings are numbers on standard input, with spaces between them.

use std::env;
use std::io::{self, Read};
use std::process::exit;

/// The size of each jump.
fn jumps(readings: &[f64]) -> Vec<f64> {
    let mut sizes = Vec::new();
    for pair in readings.windows(2) {
        let size = (pair[1] - pair[0]).abs();
        sizes.push(size);
    }
    sizes
}

fn count_above(sizes: &[f64], limit: f64) -> usize {
    sizes
        .iter()
        .filter(|size| size.partial_cmp(&&limit).unwrap().is_gt())
        .count()
}

fn median(sizes: &[f64]) -> f64 {
    let mut sorted = sizes.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        (sorted[middle - 1] + sorted[middle]) / 2.0
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{}", message);
    exit(2);
}

fn main() {
    let arg = env::args_os().nth(1).unwrap_or_default();
    let limit = match arg.to_string_lossy().parse::<f64>() {
        Ok(limit) if limit >= 0.0 => limit,
        _ => fail("usage: jump-monitor LIMIT <readings"),
    };
    let mut text = String::new();
    if io::stdin().read_to_string(&mut text).is_err() {
        fail("the readings are not text");
    }
    let mut readings = Vec::new();
    for word in text.split_whitespace() {
        match word.parse::<f64>() {
            Ok(value) => readings.push(value),
            Err(_) => fail("a reading is not a number"),
        }
    }
    let sizes = jumps(&readings);
    println!("{} jumps, {} above the limit", sizes.len(), count_above(&sizes, limit));
    if !sizes.is_empty() {
        println!("median {:.2}", median(&sizes));
    }
}
