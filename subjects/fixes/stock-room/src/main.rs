//! Keeps the stock of a storeroom. Commands on standard input:
//!   add ITEM N      take ITEM N
//!   reserve ITEM N  release ITEM N
//! What is reserved stays on hand, but is not free.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

#[derive(Default)]
struct Stock {
    on_hand: u32,
    reserved: u32,
}

impl Stock {
    fn free(&self) -> u32 {
        self.on_hand - self.reserved
    }
}

/// Does one command; the error says why it cannot be done.
fn obey(room: &mut BTreeMap<String, Stock>, line: &str) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() != 3 {
        return Err("expected COMMAND ITEM N".to_string());
    }
    let n: u32 = match words[2].parse() {
        Ok(n) if n <= 10_000 => n,
        _ => return Err(format!("bad number {}", words[2])),
    };
    let item = words[1];
    if words[0] == "add" {
        room.entry(item.to_string()).or_default().on_hand += n;
        return Ok(());
    }
    let stock = match room.get_mut(item) {
        Some(stock) => stock,
        None => return Err(format!("no {}", item)),
    };
    match words[0] {
        "take" => {
            stock.on_hand -= n;
        }
        "reserve" => {
            stock.reserved += n;
        }
        "release" => {
            stock.reserved -= n;
        }
        other => return Err(format!("unknown command {}", other)),
    }
    println!("{}: {} free", item, stock.free());
    Ok(())
}

fn main() {
    let mut room = BTreeMap::new();
    for (i, line) in io::stdin().lock().lines().enumerate() {
        let line = match line {
            Ok(line) => line,
            Err(_) => std::process::exit(2),
        };
        if line.trim().is_empty() {
            continue;
        }
        if let Err(why) = obey(&mut room, &line) {
            println!("line {}: {}", i + 1, why);
        }
    }
    for (item, stock) in &room {
        println!("{} {} ({} reserved)", item, stock.on_hand, stock.reserved);
    }
}
