// What is formatted, kind by kind: numbers, floats, texts, structures, what a program writes itself, and to what it writes.
use std::collections::BTreeMap;
use std::fmt::{self, Write};

#[derive(Debug, Clone, PartialEq)]
struct Point {
    x: i32,
    name: Option<&'static str>,
    tail: (u8, char),
}

#[derive(Debug)]
enum Kind {
    Unit,
    Tuple(f32, bool),
    Named { list: Vec<u16> },
}

struct Grid(Vec<Vec<u8>>);

impl fmt::Display for Grid {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.0 {
            for cell in row {
                to.write_char(if *cell == 0 { '.' } else { '#' })?;
            }
            to.write_str("/")?;
        }
        to.pad(if to.alternate() { "alternate" } else { "plain" })
    }
}

/// Takes so many bytes and no more.
struct Narrow(String, usize);

impl Write for Narrow {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text;
        if self.0.len() > self.1 { Err(fmt::Error) } else { Ok(()) }
    }
}

fn main() {
    let n = std::hint::black_box(1234i64);
    let mut lines = vec![
        format!("{n} {:>8} {:<8}| {:^9} {:+} {:08.3} {:#x} {:#010b} {:o} {:e}", -n, n, n, n, 3.14159, n, 37, n, n * 1000),
        format!("{} {} {:?} {:.2} {:10.1e} {} {}", 0.1 + 0.2, 1e300, f64::NAN, 2.0f32 / 3.0, 12345.678, -0.0, f64::MAX),
        format!("{} {} {}", u128::MAX, i128::MIN, u64::MAX),
        format!("{:?} {:?} {:?} {:?}", "tab\t\"quote\" é\u{301}\u{7f}", 'ß', '\'', b"bytes\x00\xff"),
        format!("{:>6}|{:*^7}|{:.3}|{:5}", "äö", "mid", "shortened", 'x'),
        format!("{} {:#} {:>1$}", Grid(vec![vec![0, 1], vec![1, 0]]), 12, 3),
    ];
    let point = Point { x: -7, name: Some("p"), tail: (200, '\n') };
    let kinds = [Kind::Unit, Kind::Tuple(1.5, true), Kind::Named { list: vec![1, 2] }];
    lines.push(format!("{point:?} {kinds:?}"));
    lines.push(format!("{point:#?}").replace('\n', "~"));
    let map: BTreeMap<_, _> = (0..3).map(|n| (n, point.clone())).filter(|(n, _)| n % 2 == 0).collect();
    lines.push(format!("{:?} {:?}", map.keys().collect::<Vec<_>>(), map.get(&0) == Some(&point)));
    let mut narrow = Narrow(String::new(), 10);
    let outcome = write!(narrow, "{}-{}-{}", "four", n, "more");
    lines.push(format!("{outcome:?} {}", narrow.0));
    lines.push([1.to_string(), true.to_string(), 'c'.to_string(), format!("{:p}", std::ptr::null::<u8>())].concat());
    for line in &lines {
        println!("{line}");
    }
}
