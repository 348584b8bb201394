//! Functions of Rust's own library by which programs print.

use whydunit_model::names;

/// Where the functions of a writer lie that replays make, by which formats print. No program has code there.
pub(crate) const WRITE_TEXT: u64 = 0x6fff_ffff_0010;
pub(crate) const WRITE_CHARACTER: u64 = 0x6fff_ffff_0020;
/// Their names.
pub(crate) const TEXT_NAME: &str = "whydunit.write_str";
pub(crate) const CHARACTER_NAME: &str = "whydunit.write_char";

/// What such a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RustOutput {
    /// Prints what format arguments say, which begin at argument `first`; has a result where `result`.
    Formatted { first: usize, descriptor: i32, result: bool },
    /// Prints bytes: pointer and length behind the stream. All of them where `whole`, else it says how many.
    Bytes { descriptor: i32, whole: bool },
    /// Gives out what was printed: it is seen as it is printed.
    Flush,
    /// Gives the stream, or a stream that is locked.
    Stream { locked: bool },
    /// A writer that replays make gets a text: descriptor, pointer, length.
    Text,
    /// It gets a character: descriptor, character.
    Character,
}

impl RustOutput {
    /// By symbol.
    pub fn of(symbol: &str) -> Option<Self> {
        match symbol {
            TEXT_NAME => return Some(Self::Text),
            CHARACTER_NAME => return Some(Self::Character),
            _ if !symbol.contains("5stdio") => return None,
            _ => {}
        }
        let name = names::readable(symbol)?;
        let descriptor = if name.contains("err") { 2 } else { 1 };
        Some(match &*name {
            "std::io::stdio::_print" | "std::io::stdio::_eprint" => {
                Self::Formatted { first: 0, descriptor: if name.ends_with("_eprint") { 2 } else { 1 }, result: false }
            }
            "std::io::stdio::stdout" | "std::io::stdio::stderr" => Self::Stream { locked: false },
            "std::io::stdio::Stdout::lock" | "std::io::stdio::Stderr::lock" => Self::Stream { locked: true },
            _ => {
                let (stream, function) = name.strip_prefix("<")?.split_once(" as Write>::")?;
                let stream = stream.trim_start_matches('&').strip_prefix("std::io::stdio::")?;
                if !matches!(stream, "Stdout" | "StdoutLock" | "Stderr" | "StderrLock") {
                    return None;
                }
                let descriptor = if stream.starts_with("Stderr") { 2 } else { descriptor };
                match function {
                    "write_fmt" => Self::Formatted { first: 1, descriptor, result: true },
                    "write_all" => Self::Bytes { descriptor, whole: true },
                    "write" => Self::Bytes { descriptor, whole: false },
                    "flush" => Self::Flush,
                    _ => return None,
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::RustOutput;

    #[test]
    fn functions_that_print_are_known_by_their_symbols() {
        let of = RustOutput::of;
        let formatted = |first, descriptor, result| Some(RustOutput::Formatted { first, descriptor, result });
        assert_eq!(of("_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6__print"), formatted(0, 1, false));
        assert_eq!(of("_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio7__eprint"), formatted(0, 2, false));
        let stdout = "_RNvXse_NtNtCsjrHSEGnQ3l9_3std2io5stdioNtB5_6StdoutNtB7_5Write9write_fmt";
        assert_eq!(of(stdout), formatted(1, 1, true));
        let lock = "_RNvXsi_NtNtCsjrHSEGnQ3l9_3std2io5stdioNtB5_10StdoutLockNtB7_5Write9write_all";
        assert_eq!(of(lock), Some(RustOutput::Bytes { descriptor: 1, whole: true }));
        assert_eq!(of("_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6stdout"), Some(RustOutput::Stream { locked: false }));
        assert_eq!(of("_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio5stdin"), None);
        assert_eq!(of("puts"), None);
    }
}
