//! Documents written and read again. usage: program ROUNDS
use serde_json::{json, Map, Value};

/// The numbers of a simple generator.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }
}

fn document(numbers: &mut Numbers, depth: u32) -> Value {
    match numbers.next() % if depth == 0 { 5 } else { 7 } {
        0 => Value::Null,
        1 => json!(numbers.next() % 2 == 0),
        2 => json!(numbers.next() as i64 - (1 << 30)),
        3 => json!(numbers.next() as f64 / 1000.0),
        4 => json!(format!("text \"{}\"\n\u{e9}", numbers.next())),
        5 => (0..5).map(|_| document(numbers, depth - 1)).collect(),
        _ => Value::Object((0..5).map(|n| (format!("key-{n}"), document(numbers, depth - 1))).collect::<Map<_, _>>()),
    }
}

fn main() {
    let rounds: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).expect("rounds");
    let mut numbers = Numbers(7);
    let (mut bytes, mut sum) = (0, 0.0);
    for _ in 0..rounds {
        let value: Value = (0..400).map(|_| document(&mut numbers, 5)).collect();
        let text = value.to_string();
        let again: Value = serde_json::from_str(&text).expect("what was written");
        assert_eq!(again, value);
        bytes += text.len() + serde_json::to_string_pretty(&again).expect("a value").len();
        sum += again.as_array().expect("an array").iter().filter_map(Value::as_f64).sum::<f64>();
        let half = (text.len() / 2..).find(|at| text.is_char_boundary(*at)).expect("the end, if nowhere before");
        assert!(serde_json::from_str::<Value>(&text[..half]).is_err());
    }
    println!("{bytes} bytes, sum {sum}");
}
