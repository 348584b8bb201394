//! Splits an amount of cents in proportion to weights: share-split AMOUNT WEIGHT...
//! Cents that are left over go to those who lose most by the rounding.

use std::env;
use std::process::exit;

struct Share {
    number: usize,
    cents: u64,
    rest: u64,
}

fn split(amount: u64, weights: &[u64]) -> Vec<Share> {
    let total: u64 = weights.iter().sum();
    let mut shares = Vec::new();
    for (i, weight) in weights.iter().enumerate() {
        let exact = amount * weight;
        shares.push(Share {
            number: i + 1,
            cents: exact / total,
            rest: exact % total,
        });
    }
    let given: u64 = shares.iter().map(|share| share.cents).sum();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(shares[i].rest));
    for &i in order.iter().take((amount - given) as usize) {
        shares[i].cents += 1;
    }
    shares
}

/// All arguments as numbers of at most a million, the amount first.
fn numbers() -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    for arg in env::args_os().skip(1) {
        let n: u64 = arg.to_str()?.parse().ok()?;
        if n > 1_000_000 {
            return None;
        }
        numbers.push(n);
    }
    if numbers.is_empty() {
        return None;
    }
    Some(numbers)
}

fn main() {
    let numbers = match numbers() {
        Some(numbers) => numbers,
        None => {
            eprintln!("usage: share-split AMOUNT WEIGHT...");
            exit(2);
        }
    };
    let (amount, weights) = (numbers[0], &numbers[1..]);
    let shares = split(amount, weights);
    for share in &shares {
        println!("{}: {}.{:02}", share.number, share.cents / 100, share.cents % 100);
    }
    println!("{} shares", shares.len());
}
