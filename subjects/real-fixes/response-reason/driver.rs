//! Tells the status and the headers of the response on the standard input.
extern crate httparse;

use std::io::{self, Read};

fn main() {
    let mut text = Vec::new();
    if io::stdin().read_to_end(&mut text).is_err() {
        return;
    }
    let mut headers = [httparse::EMPTY_HEADER; 8];
    let mut response = httparse::Response::new(&mut headers);
    match response.parse(&text) {
        Ok(httparse::Status::Complete(_)) => {
            println!("{} {:?}", response.code.unwrap_or(0), response.reason.unwrap_or(""));
            for header in response.headers.iter() {
                println!("{:?}: {:?}", header.name, String::from_utf8_lossy(header.value));
            }
        }
        Ok(httparse::Status::Partial) => println!("not whole"),
        Err(_) => println!("no response"),
    }
}
