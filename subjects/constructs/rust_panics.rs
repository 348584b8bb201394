// Panics: caught, with clean-ups on the way, raised again, from overflow, bounds and unwrap; through external frames.
use std::panic::{self, AssertUnwindSafe};

struct Guard<'a>(&'a str, &'a mut Vec<String>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.1.push(format!("{} {}", self.0, std::thread::panicking()));
    }
}

fn deep(n: usize, log: &mut Vec<String>) -> usize {
    let guard = Guard(if n == 0 { "last" } else { "level" }, log);
    if n == 0 {
        panic!("reached {}", guard.1.len());
    }
    deep(n - 1, guard.1) + 1
}

fn say(what: &str, result: std::thread::Result<u32>) {
    match result {
        Ok(value) => println!("{what}: {value}"),
        Err(error) => {
            let text = error.downcast_ref::<String>().cloned();
            let text = text.or_else(|| error.downcast_ref::<&str>().map(|text| text.to_string()));
            println!("{what}: {}", text.unwrap_or_else(|| "something else".into()));
        }
    }
}

fn main() {
    panic::set_hook(Box::new(|info| println!("hook at line {}", info.location().map_or(0, |place| place.line()))));
    let mut log = Vec::new();
    let result = panic::catch_unwind(AssertUnwindSafe(|| deep(2, &mut log) as u32));
    say("deep", result);
    println!("{log:?}");
    let list = std::hint::black_box(vec![1u32, 2, 3]);
    let index = std::hint::black_box(3usize);
    say("bounds", panic::catch_unwind(|| list[index]));
    say("slice", panic::catch_unwind(|| list[2..index + 1].len() as u32));
    say("overflow", panic::catch_unwind(|| list[2] - list[index - 1] - 1));
    say("divide", panic::catch_unwind(|| list[0] / (list[1] - 2)));
    say("unwrap", panic::catch_unwind(|| list.iter().position(|&x| x == 9).unwrap() as u32));
    say("expect", panic::catch_unwind(|| "x".parse::<u32>().expect("a number")));
    say("fine", panic::catch_unwind(|| list.iter().sum()));
    say("assert", panic::catch_unwind(|| { assert_eq!(list[0] + 1, list[2], "of the list"); 0 }));
    say("payload", panic::catch_unwind(|| panic::panic_any(7u8)));
    // Through the standard library's sort, which is called with a closure of ours.
    let mut sorted: Vec<u32> = (0..40).rev().collect();
    say("sort", panic::catch_unwind(AssertUnwindSafe(|| {
        sorted.sort_by(|a, b| if *a == 20 { panic!("at twenty") } else { a.cmp(b) });
        0
    })));
    let again = panic::catch_unwind(|| {
        let inner = panic::catch_unwind(|| panic!("inner"));
        panic::resume_unwind(inner.unwrap_err())
    });
    say("again", again);
}
