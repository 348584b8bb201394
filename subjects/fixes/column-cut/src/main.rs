//! Cuts the lines of standard input to a number of bytes: column-cut WIDTH [-n]
//! With -n the lines are numbered.

use std::env;
use std::io::{self, Read};
use std::process::exit;

struct Options {
    width: usize,
    numbered: bool,
}

fn options() -> Option<Options> {
    let mut width = None;
    let mut numbered = false;
    for arg in env::args_os().skip(1) {
        let arg = arg.to_str()?;
        if arg == "-n" {
            numbered = true;
        } else if width.is_none() {
            width = Some(arg.parse().ok()?);
        } else {
            return None;
        }
    }
    Some(Options { width: width?, numbered })
}

fn cut(line: &str, width: usize) -> &str {
    if line.len() <= width {
        return line;
    }
    let end = width;
    &line[..end]
}

fn main() {
    let options = match options() {
        Some(options) => options,
        None => {
            eprintln!("usage: column-cut WIDTH [-n] <text");
            exit(2);
        }
    };
    let mut text = String::new();
    if io::stdin().read_to_string(&mut text).is_err() {
        eprintln!("the text is not UTF-8");
        exit(2);
    }
    let mut shortened = 0;
    let mut total = 0;
    for line in text.lines() {
        let part = cut(line, options.width);
        total += 1;
        if part.len() < line.len() {
            shortened += 1;
        }
        if options.numbered {
            println!("{:>3} |{}|", total, part);
        } else {
            println!("|{}|", part);
        }
    }
    println!("{} of {} lines cut", shortened, total);
}
