//! Texts that calls of the library print, and those that they print into memory: they are read up to their NULs, so that a NUL has to stand
//! in their object.

use whydunit_library::printf::{self, Conversion, Count, Length, Piece};
use whydunit_library::{Content, Destination, lookup};
use whydunit_model::{Call, Opnd};
use whydunit_replay::{At, External, ExternalKind};

use crate::checker::Memcheck;

/// Formats are looked at that have so many bytes at most, and texts.
const LONGEST: u64 = 1 << 20;

impl Memcheck {
    /// Checks what a call has printed. What it read is as it was: it has printed it elsewhere.
    pub(crate) fn printed(&mut self, at: &At<'_>, external: &External<'_>) {
        if !matches!(external.kind, ExternalKind::Recorded | ExternalKind::Modelled) {
            return;
        }
        let Some(output) = lookup(external.name).and_then(|known| known.output()) else { return };
        let call = external.call;
        let into = match output.destination {
            Destination::Memory { to, .. } => call.args.get(to).map(|arg| self.whole(at, arg.value).tag),
            _ => None,
        };
        for text in texts(at, call, output.content) {
            let tag = self.whole(at, text).tag;
            if into.is_none_or(|into| into != tag) {
                self.text(at, text);
            }
        }
    }

    /// A text is read that an operand points to.
    fn text(&mut self, at: &At<'_>, pointer: Opnd) {
        let (tag, address) = (self.whole(at, pointer).tag, at.value(pointer));
        let Some(object) = self.objects.get(tag) else { return };
        let end = object.start.saturating_add(object.size);
        let room = end.saturating_sub(address).min(LONGEST);
        let bytes = at.memory().read_vec(address, room as usize);
        let size = match bytes.iter().position(|&byte| byte == 0) {
            Some(length) => length as u64 + 1,
            None if room < LONGEST => room + 1,
            None => return,
        };
        self.access(at, tag, address, size, false);
    }
}

/// The operands of a call that point to texts that it prints as a whole.
fn texts(at: &At<'_>, call: &Call, content: Content) -> Vec<Opnd> {
    let argument = |n: usize| call.args.get(n).map(|arg| arg.value);
    match content {
        Content::Text { text } | Content::Line { text } => argument(text).into_iter().collect(),
        Content::Format { format, first } => {
            let Some(address) = argument(format).map(|format| at.value(format)) else { return Vec::new() };
            let text = at.memory().read_string(address, LONGEST);
            conversions(&text).into_iter().filter_map(|n| argument(first + n)).collect()
        }
        _ => Vec::new(),
    }
}

/// The numbers of the arguments, behind a format's own, that it prints as texts from the first byte to the last; those before a conversion
/// that is not understood.
fn conversions(format: &[u8]) -> Vec<usize> {
    let (mut texts, mut next) = (Vec::new(), 0);
    for piece in printf::pieces(format) {
        let Ok(piece) = piece else { break };
        let Piece::Conversion(Conversion { argument, width, precision, length, letter, .. }) = piece else { continue };
        next += [width, precision].iter().filter(|count| matches!(count, Some(Count::Next))).count();
        let number = argument.unwrap_or(next);
        next += usize::from(argument.is_none() && letter != b'm');
        if letter == b's' && precision.is_none() && length == Length::Plain {
            texts.push(number);
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::conversions;

    #[test]
    fn texts_are_counted_among_the_other_arguments() {
        assert_eq!(conversions(b"%d %s %% %*d %-8s %.3s %m %ls %s\n"), [1, 4, 7]);
        assert_eq!(conversions(b"%2$s %1$s"), [1, 0]);
    }
}
