//! Library functions that print what their arguments say.

use whydunit_library::{Content, Destination};
use whydunit_recording::Start;

use crate::memory::Memory;
use crate::output::Stream;
use crate::streams::{self, Number, StandardStream};

/// A function whose output is in its arguments. (What the printf family, perror and psignal print is in the recording.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Print {
    Puts,
    Putchar,
    Fputc,
    Fputs,
    Fwrite,
    Write,
    /// A buffer of a C++ stream gets bytes, a character, or a number.
    Bytes,
    Character,
    Number(Number),
}

/// What is known of where output goes.
pub(crate) struct Places<'a> {
    pub start: Option<&'a Start>,
    pub streams: &'a mut [StandardStream],
}

impl Print {
    /// By name.
    pub fn of(name: &str) -> Option<Print> {
        if let Some(output) = whydunit_library::lookup(name).and_then(|known| known.function.output) {
            return Some(match (output.content, output.destination) {
                (Content::Line { .. }, Destination::StandardOutput) => Print::Puts,
                (Content::Byte { .. }, Destination::StandardOutput) => Print::Putchar,
                (Content::Byte { .. }, Destination::Stream(_)) => Print::Fputc,
                (Content::Text { .. }, Destination::Stream(_)) => Print::Fputs,
                (Content::Memory { .. }, Destination::Stream(_)) => Print::Fwrite,
                (Content::Memory { .. }, Destination::Descriptor(_)) => Print::Write,
                _ => return None,
            });
        }
        Some(match name {
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsputnEPKcl" => Print::Bytes,
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE8overflowEi" => Print::Character,
            _ => Print::Number(Number::of(name)?),
        })
    }

    /// The result of a call that works, for runs without a recording.
    pub fn success(self, args: &[u64]) -> Vec<u64> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match self {
            Print::Puts | Print::Fputs => vec![1],
            Print::Putchar | Print::Fputc => vec![arg(0) & 0xff],
            Print::Character => vec![arg(1) & 0xff],
            Print::Fwrite | Print::Write | Print::Bytes => vec![arg(2)],
            Print::Number(_) => vec![arg(1), arg(2)],
        }
    }

    /// Where what a call would print lies, and how many bytes that are; for texts one.
    pub fn reads(self, args: &[u64]) -> Option<(u64, u64)> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match self {
            Print::Puts | Print::Fputs => Some((arg(0), 1)),
            Print::Putchar | Print::Fputc | Print::Character | Print::Number(_) => None,
            Print::Fwrite => Some((arg(0), arg(1).saturating_mul(arg(2)))),
            Print::Write | Print::Bytes => Some((arg(1), arg(2))),
        }
    }

    /// What a call printed, given its result.
    pub fn bytes(self, memory: &Memory, args: &[u64], result: u64, places: Places<'_>) -> Option<(Stream, Vec<u8>)> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let stream = |file: u64| match places.start {
            Some(start) if file == start.stdout => Stream::Descriptor(1),
            Some(start) if file == start.stderr => Stream::Descriptor(2),
            _ => Stream::File(file),
        };
        let text = |at: u64| memory.read_string(at, 1 << 32);
        let failed = result as i32 == -1;
        Some(match self {
            Print::Puts | Print::Putchar | Print::Fputc | Print::Fputs if failed => return None,
            Print::Puts => {
                let mut bytes = text(arg(0));
                bytes.push(b'\n');
                (Stream::Descriptor(1), bytes)
            }
            Print::Putchar => (Stream::Descriptor(1), vec![arg(0) as u8]),
            Print::Fputc => (stream(arg(1)), vec![arg(0) as u8]),
            Print::Fputs => (stream(arg(1)), text(arg(0))),
            Print::Fwrite => {
                let n = result.min(arg(2)).saturating_mul(arg(1)).min(1 << 32);
                (stream(arg(3)), memory.read_vec(arg(0), n as usize))
            }
            Print::Write => {
                let n = if (result as i64) < 0 { 0 } else { result.min(arg(2)).min(1 << 32) };
                (Stream::Descriptor(arg(0) as i32), memory.read_vec(arg(1), n as usize))
            }
            Print::Bytes => {
                let n = result.min(arg(2)).min(1 << 32);
                (streams::stream_of(places.streams, memory, arg(0)), memory.read_vec(arg(1), n as usize))
            }
            Print::Character => {
                let byte = streams::character(result).and(streams::character(arg(1)))?;
                (streams::stream_of(places.streams, memory, arg(0)), vec![byte])
            }
            // What a stream of the program gets so is no output: its own code gets the text.
            Print::Number(number) => match streams::stream_of(places.streams, memory, arg(1)) {
                Stream::File(_) => return None,
                stream => (stream, number.text(memory, arg(3), arg(4) as u8, arg(5))?),
            },
        })
    }
}
