//! Prints for each cell of a field how many stars lie beside it, above and below. Rows are as long as the first one.

use std::io::Read;

fn beside(at: usize, length: usize) -> Vec<usize> {
    let mut all = vec![at];
    if at >= 2 {
        all.push(at - 1);
    }
    if at + 1 < length {
        all.push(at + 1);
    }
    all
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let rows: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
    for (y, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for x in 0..row.len() {
            let mut stars = 0;
            for below in beside(y, rows.len()) {
                for right in beside(x, rows[0].len()) {
                    if rows[below][right] == b'*' {
                        stars += 1;
                    }
                }
            }
            line.push_str(&stars.to_string());
        }
        println!("{line}");
    }
}
