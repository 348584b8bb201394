//! Functions of Rust's own library by which programs read standard input.

use whydunit_model::names;

/// What such a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RustInput {
    /// Appends a line to a `String`: stream, string.
    Line,
    /// Appends all that is left to a `String`: stream, string.
    Rest,
    /// Gives the stream.
    Stream,
    /// Gives the stream that is locked, or its lines.
    Locked,
    /// Reads in a way that is not followed.
    Other,
}

impl RustInput {
    /// By symbol.
    pub fn of(symbol: &str) -> Option<Self> {
        if !symbol.contains("5stdio") || !symbol.contains("tdin") {
            return None;
        }
        Some(match &*names::readable(symbol)? {
            "std::io::stdio::stdin" => Self::Stream,
            "std::io::stdio::Stdin::lock" | "std::io::stdio::Stdin::lines" => Self::Locked,
            "std::io::stdio::Stdin::read_line" | "<std::io::stdio::StdinLock as BufRead>::read_line" => Self::Line,
            "<std::io::stdio::Stdin as Read>::read_to_string"
            | "<std::io::stdio::StdinLock as Read>::read_to_string"
            | "<&std::io::stdio::Stdin as Read>::read_to_string" => Self::Rest,
            _ => Self::Other,
        })
    }

    /// How much of a text is taken; `None` where it is not known.
    pub fn takes(self, rest: &[u8]) -> Option<usize> {
        match self {
            Self::Line => Some(rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1)),
            Self::Rest => Some(rest.len()),
            Self::Stream | Self::Locked => Some(0),
            Self::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RustInput;

    #[test]
    fn functions_that_read_are_known_by_their_symbols() {
        let of = RustInput::of;
        assert_eq!(of("_RNvMs1_NtNtCsjrHSEGnQ3l9_3std2io5stdioNtB5_5Stdin9read_line"), Some(RustInput::Line));
        let lock = "_RNvXs8_NtNtCsjrHSEGnQ3l9_3std2io5stdioNtB5_9StdinLockNtB7_7BufRead9read_line";
        assert_eq!(of(lock), Some(RustInput::Line));
        assert_eq!(of("_RNvMs1_NtNtCsjrHSEGnQ3l9_3std2io5stdioNtB5_5Stdin5lines"), Some(RustInput::Locked));
        assert_eq!(
            of("_RNvXs3_NtNtCsjrHSEGnQ3l9_3std2io5stdioNtB5_5StdinNtB7_4Read14read_to_string"),
            Some(RustInput::Rest)
        );
        assert_eq!(of("_RNvXs3_NtNtCsjrHSEGnQ3l9_3std2io5stdioNtB5_5StdinNtB7_4Read4read"), Some(RustInput::Other));
        assert_eq!(of("_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6stdout"), None);
    }
}
