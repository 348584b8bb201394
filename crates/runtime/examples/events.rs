//! Prints the events of a process folder: `events FOLDER`.

use std::path::Path;

use whydunit_recording::{LogReader, read_control};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: events FOLDER")?;
    let folder = Path::new(&folder);
    println!("{:?}", read_control(folder)?);
    let mut reader = LogReader::open(folder)?;
    while let Some(event) = reader.next_event()? {
        println!("{} {:?}", if event.inherited { "^" } else { " " }, event.entry);
    }
    match reader.damage() {
        Some(damage) => Err(damage.to_string().into()),
        None => Ok(()),
    }
}
