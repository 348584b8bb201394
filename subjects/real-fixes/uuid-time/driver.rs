//! Tells the system's time of a timestamp of UUIDs: driver SECONDS NANOSECONDS.
use std::env;
use std::process;
use std::time::SystemTime;
use uuid::Timestamp;

/// The numbers of the arguments.
fn numbers() -> Option<(u64, u32)> {
    let args: Vec<String> = env::args().skip(1).collect();
    match &args[..] {
        [seconds, nanoseconds] => Some((seconds.parse().ok()?, nanoseconds.parse().ok()?)),
        _ => None,
    }
}

fn main() {
    let Some((seconds, nanoseconds)) = numbers() else { process::exit(2) };
    let time = SystemTime::from(Timestamp::from_unix_time(seconds, nanoseconds, 0, 0));
    let since = time.duration_since(SystemTime::UNIX_EPOCH).expect("a time before the epoch");
    println!("{}.{:09}", since.as_secs(), since.subsec_nanos());
}
