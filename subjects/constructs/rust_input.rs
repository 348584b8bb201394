// Reads lines and arguments, writes to both outputs, leaves with a status of its own.
//: args x yz
//: stdin first line\na = 1, 2,3\nbad\nb=-7\n
use std::io::{self, BufRead, Read, Write};

#[derive(Debug)]
struct Entry<'a> {
    key: &'a str,
    values: Vec<i64>,
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let (key, values) = line.split_once('=')?;
    let values = values.split(',').map(|value| value.trim().parse().ok()).collect::<Option<_>>()?;
    Some(Entry { key: key.trim(), values })
}

fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut first = String::new();
    io::stdin().lock().read_line(&mut first).unwrap();
    let mut rest = String::new();
    io::stdin().read_to_string(&mut rest).unwrap();
    println!("{args:?} {}", first.trim_end());
    let mut sum = 0;
    for line in rest.lines() {
        match entry(line) {
            Some(entry) => {
                sum += entry.values.iter().sum::<i64>();
                println!("{entry:?}");
            }
            None => eprintln!("no entry: {line}"),
        }
    }
    io::stdout().write_all(format!("{sum:>5}\n").as_bytes()).unwrap();
    std::process::ExitCode::from(u8::try_from(sum.rem_euclid(50)).unwrap())
}
