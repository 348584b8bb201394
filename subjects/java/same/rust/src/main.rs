//! A port: what may be sent depends on what was sent before.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

#[allow(clippy::upper_case_acronyms)]
#[derive(PartialEq)]
enum State {
    CLOSED,
    OPEN,
    KNOWN,
}

struct Port {
    state: State,
}

impl Port {
    fn new() -> Self {
        Port { state: State::CLOSED }
    }

    fn open(&mut self) {
        if self.state != State::CLOSED {
            panic!("open already");
        }
        self.state = State::OPEN;
    }

    fn send(&mut self, name: &str) {
        if self.state != State::OPEN {
            panic!("not open");
        }
        if !name.is_empty() {
            self.state = State::KNOWN;
        }
    }

    fn quit(&mut self) {
        self.state = State::CLOSED;
    }
}

fn main() {
    set_hook(Box::new(|_| ()));
    let mut port = Port::new();
    for word in std::env::args().skip(1) {
        let done = catch_unwind(AssertUnwindSafe(|| match word.as_str() {
            "open" => port.open(),
            "send" => port.send("somebody"),
            _ => port.quit(),
        }));
        if let Err(error) = done {
            println!("{word}: {}", error.downcast_ref::<&str>().unwrap_or(&"?"));
        }
    }
}
