//! Tells UUIDs in their usual form: driver UUID...
extern crate uuid;

use std::env;
use std::process;
use uuid::Uuid;

fn main() {
    let mut status = 0;
    for arg in env::args().skip(1) {
        match Uuid::parse_str(&arg) {
            Ok(uuid) => println!("{}", uuid),
            Err(_) => {
                println!("{} is no UUID", arg);
                status = 1;
            }
        }
    }
    process::exit(status);
}
