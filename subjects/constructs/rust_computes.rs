// Searches of texts, times, paths and characters: what the library only computes, some of it compiled once for all programs.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

fn main() {
    let given = std::hint::black_box("one two three two");
    let word = std::hint::black_box("two");
    let places: Vec<usize> = given.match_indices(word).map(|(at, _)| at).collect();
    let last = given.rfind(word).unwrap_or(0);
    let parts: Vec<&str> = given.split(" two").collect();
    let moment = UNIX_EPOCH + Duration::from_secs(90) + Duration::from_millis(500);
    let since = moment.duration_since(UNIX_EPOCH + Duration::from_secs(30)).unwrap_or_default();
    let path = Path::new(std::hint::black_box("a/./b//c.tar.gz"));
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
    let steps = path.components().count();
    let mut sum = places.iter().sum::<usize>() + last + parts.len() + stem.len() + steps;
    sum += since.as_secs() as usize + given.to_uppercase().matches('T').count();
    std::process::exit((sum % 256) as i32);
}
