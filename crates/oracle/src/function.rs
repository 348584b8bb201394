//! The functions of the C library that print.

/// What a call prints, by indices of its arguments from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// A format and the arguments after it.
    Format {
        /// The format.
        format: usize,
        /// The first argument after it.
        first: usize,
    },
    /// A format and a `va_list`.
    List {
        /// The format.
        format: usize,
        /// The list.
        list: usize,
    },
    /// A string and a newline.
    Line {
        /// The string.
        text: usize,
    },
    /// A string.
    Text {
        /// The string.
        text: usize,
    },
    /// A byte.
    Byte {
        /// The byte, as an int.
        byte: usize,
    },
    /// Memory.
    Memory {
        /// Where it is.
        memory: usize,
        /// The size of an item; without it items are bytes.
        size: Option<usize>,
        /// The number of items.
        count: usize,
    },
}

/// Where a call prints to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Destination {
    /// Standard output.
    StandardOutput,
    /// The stream that this argument is.
    Stream(usize),
    /// The file descriptor that this argument is.
    Descriptor(usize),
}

/// A function that prints.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OutputFunction {
    /// What.
    pub content: Content,
    /// Where to.
    pub destination: Destination,
}

/// What a function of this name prints, if it is one of the C library that does.
pub fn output_function(name: &str) -> Option<OutputFunction> {
    use Content::{Byte, Line, Memory, Text};
    use Destination::{Descriptor, StandardOutput, Stream};
    let name = match name.strip_suffix("_unlocked") {
        Some(base @ ("puts" | "fputs" | "putchar" | "putc" | "fputc" | "fwrite")) => base,
        Some(_) => return None,
        None => name,
    };
    let (content, destination) = match name {
        "puts" | "_IO_puts" => (Line { text: 0 }, StandardOutput),
        "fputs" | "_IO_fputs" => (Text { text: 0 }, Stream(1)),
        "putchar" => (Byte { byte: 0 }, StandardOutput),
        "putc" | "fputc" | "_IO_putc" => (Byte { byte: 0 }, Stream(1)),
        "fwrite" | "_IO_fwrite" => (Memory { memory: 0, size: Some(1), count: 2 }, Stream(3)),
        "write" | "__write" => (Memory { memory: 1, size: None, count: 2 }, Descriptor(0)),
        _ => return formatted(name),
    };
    Some(OutputFunction { content, destination })
}

/// The printf family.
fn formatted(name: &str) -> Option<OutputFunction> {
    let checked = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
    let plain = checked.unwrap_or(name);
    let base = plain.strip_prefix('v').unwrap_or(plain);
    let (destination, before) = match base {
        "printf" => (Destination::StandardOutput, 0),
        "fprintf" => (Destination::Stream(0), 1),
        "dprintf" => (Destination::Descriptor(0), 1),
        _ => return None,
    };
    // The checked forms have a flag before the format.
    let format = before + usize::from(checked.is_some());
    let content = if base.len() < plain.len() {
        Content::List { format, list: format + 1 }
    } else {
        Content::Format { format, first: format + 1 }
    };
    Some(OutputFunction { content, destination })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, content: Content, destination: Destination) {
        assert_eq!(output_function(name), Some(OutputFunction { content, destination }), "{name}");
    }

    #[test]
    fn functions_are_known_by_name() {
        use Destination::{Descriptor, StandardOutput, Stream};
        check("printf", Content::Format { format: 0, first: 1 }, StandardOutput);
        check("__printf_chk", Content::Format { format: 1, first: 2 }, StandardOutput);
        check("fprintf", Content::Format { format: 1, first: 2 }, Stream(0));
        check("__fprintf_chk", Content::Format { format: 2, first: 3 }, Stream(0));
        check("dprintf", Content::Format { format: 1, first: 2 }, Descriptor(0));
        check("vprintf", Content::List { format: 0, list: 1 }, StandardOutput);
        check("__vfprintf_chk", Content::List { format: 2, list: 3 }, Stream(0));
        check("puts", Content::Line { text: 0 }, StandardOutput);
        check("fputs_unlocked", Content::Text { text: 0 }, Stream(1));
        check("putchar_unlocked", Content::Byte { byte: 0 }, StandardOutput);
        check("_IO_putc", Content::Byte { byte: 0 }, Stream(1));
        check("fwrite_unlocked", Content::Memory { memory: 0, size: Some(1), count: 2 }, Stream(3));
        check("write", Content::Memory { memory: 1, size: None, count: 2 }, Descriptor(0));
    }

    #[test]
    fn functions_that_print_nowhere_are_not_among_them() {
        for name in
            ["sprintf", "snprintf", "vsnprintf", "__sprintf_chk", "printf_unlocked", "read", "vputs", "__puts_chk", ""]
        {
            assert_eq!(output_function(name), None, "{name}");
        }
    }
}
