//! What a call is about that is kept: calls of one function about different things say nothing of each other.

use whydunit_library::{Reads, lookup};

use crate::memory::Memory;

/// No name is longer.
const LONGEST: u64 = 1 << 12;

/// The stream or descriptor that a call reads or asks about, or the name of the file or variable that it asks for. Empty where there is
/// none.
pub(super) fn subject(name: &str, args: &[u64], memory: &Memory) -> Vec<u8> {
    let Some(known) = lookup(name) else { return Vec::new() };
    let args = known.plain(args);
    let asks = matches!(known.name(), "feof" | "ferror" | "fileno" | "isatty" | "fstat");
    let stream = known.function.input.and_then(|input| input.stream()).or(asks.then_some(0));
    if let Some(stream) = stream.and_then(|stream| args.get(stream)) {
        return stream.to_le_bytes().to_vec();
    }
    match (known.function.reads.first(), args.first()) {
        (Some(Reads::Text(0)), Some(&text)) if text != 0 => memory.read_string(text, LONGEST),
        _ => Vec::new(),
    }
}
