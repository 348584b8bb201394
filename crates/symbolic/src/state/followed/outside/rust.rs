//! What functions of Rust's library read: arguments, lines and the whole of standard input, files. They give strings, whose bytes are
//! known once their pointers are read.

use whydunit_replay::At;

use super::{From, Pointer};
use crate::inputs::Source;
use crate::state::State;
use crate::state::followed::Followed;

/// In a `String` or `Vec`, and in an `Option` or a `Result` of one: where the pointer stands, and where the length does.
const POINTER: u64 = 8;
const LENGTH: u64 = 16;

/// What a function takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taking {
    /// The arguments, from the first one on.
    Arguments,
    /// The next argument.
    Argument,
    /// A line of standard input, added to a string.
    Line,
    /// The rest of standard input, added to a string.
    Rest,
    /// A file.
    File,
    /// Standard input, in a way that is not followed.
    Other,
}

impl Taking {
    /// What a function of this mangled name takes.
    pub(super) fn of(name: &str) -> Option<Self> {
        if !name.starts_with("_R") || !name.contains("3std") {
            return None;
        }
        let of_stdin = || name.contains("5stdio") && name.contains("5Stdin") || name.contains("9StdinLock");
        Some(match name {
            _ if name.ends_with("3std3env4args") => Self::Arguments,
            _ if name.contains("4Args") && name.ends_with("4next") => Self::Argument,
            _ if name.ends_with("9read_line") && of_stdin() => Self::Line,
            _ if (name.ends_with("14read_to_string") || name.ends_with("11read_to_end")) && of_stdin() => Self::Rest,
            _ if of_stdin()
                && ["4read", "8fill_buf", "10read_until", "8read_buf", "10read_exact", "5bytes", "5lines"]
                    .iter()
                    .any(|end| name.ends_with(end)) =>
            {
                Self::Other
            }
            _ if name.ends_with("2fs14read_to_string5inner") || name.ends_with("2fs4read5inner") => Self::File,
            _ => return None,
        })
    }
}

impl State<'_> {
    /// Something was taken.
    pub(super) fn has_taken(&mut self, at: &At<'_>, taking: Taking, args: &[u64]) {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let Some(Followed { outside, .. }) = self.followed.as_deref_mut() else { return };
        match taking {
            Taking::Arguments => outside.argument = 0,
            Taking::Argument => {
                let number = outside.argument;
                outside.argument += 1;
                // The program's own name is no input.
                if let Some(text) = outside.inputs.args.get(number).filter(|_| number > 0) {
                    let text = Pointer::Text(From::Source(Source::Argument(number)), 0..text.len());
                    outside.pointers.insert(arg(0).wrapping_add(POINTER), text);
                }
            }
            Taking::Line | Taking::Rest => {
                // What it had before: what code outside has written since is found only when it is read.
                let before = at.memory().read_word(arg(1).wrapping_add(LENGTH));
                let Some((source, from)) = self.stream_at(0) else { return };
                let rest = &self.text(&source)[from..];
                let line = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
                let length = if taking == Taking::Line { line } else { rest.len() };
                self.advance(0, length);
                if before > 0 {
                    self.notes.insert("input that is added to a text stays as it is".into());
                } else if let Some(Followed { outside, .. }) = self.followed.as_deref_mut() {
                    let text = Pointer::Text(source, from..from + length);
                    outside.pointers.insert(arg(1).wrapping_add(POINTER), text);
                }
            }
            Taking::Other => self.lose(0),
            Taking::File => {
                let name = at.memory().read_vec(arg(1), arg(2).min(1 << 12) as usize);
                let name = String::from_utf8_lossy(&name).into_owned();
                let name = name.strip_prefix("./").unwrap_or(&name).to_string();
                if let Some(text) = outside.inputs.files.get(&name) {
                    let text = Pointer::Text(From::Source(Source::File(name)), 0..text.len());
                    outside.pointers.insert(arg(0).wrapping_add(POINTER), text);
                }
            }
        }
    }

    /// Memory was written: pointers that stood there do not stand there any more.
    pub(crate) fn pointers_written(&mut self, address: u64, size: u64) {
        if let Some(Followed { outside, .. }) = self.followed.as_deref_mut()
            && !outside.pointers.is_empty()
        {
            outside.pointers.retain(|place, _| place.wrapping_sub(address) >= size);
        }
    }

    /// Memory was moved: pointers in it, too.
    pub(crate) fn pointers_moved(&mut self, to: u64, from: u64, size: u64) {
        let Some(Followed { outside, .. }) = self.followed.as_deref_mut().filter(|it| !it.outside.pointers.is_empty())
        else {
            return;
        };
        let moved = outside.pointers.iter().filter(|(place, _)| place.wrapping_sub(from) < size);
        let moved: Vec<(u64, Pointer)> =
            moved.map(|(place, pointer)| (to.wrapping_add(place - from), pointer.clone())).collect();
        outside.pointers.retain(|place, _| place.wrapping_sub(to) >= size);
        outside.pointers.extend(moved);
    }
}
