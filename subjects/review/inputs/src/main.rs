use std::io::{self, BufRead, Read};

fn take(v: i64) {
    assert!(v < 40, "numbers up to 39");
    println!("{v}");
}

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    match &mode[..] {
        "argument" => take(std::env::args().nth(2).unwrap().parse().unwrap()),
        "collect" => {
            let args: Vec<String> = std::env::args().skip(2).collect();
            take(args[0].parse().unwrap());
        }
        "line" => {
            let mut line = String::new();
            io::stdin().read_line(&mut line).unwrap();
            take(line.trim().parse().unwrap());
        }
        "lines" => {
            for line in io::stdin().lock().lines() {
                take(line.unwrap().parse().unwrap());
            }
        }
        "whole" => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).unwrap();
            for word in text.split_whitespace() {
                take(word.parse().unwrap());
            }
        }
        "string" => {
            let text = io::read_to_string(io::stdin()).unwrap();
            take(text.trim().parse().unwrap());
        }
        "bytes" => {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).unwrap();
            take(bytes.iter().take_while(|b| b.is_ascii_digit()).fold(0, |v, b| v * 10 + i64::from(b - b'0')));
        }
        "file" => take(std::fs::read_to_string("data.txt").unwrap().trim().parse().unwrap()),
        _ => {}
    }
}
