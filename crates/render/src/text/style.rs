//! Colour and emphasis, and text that is safe to print.

use std::borrow::Cow;

/// Escape sequences, or none.
pub struct Style {
    colour: bool,
}

impl Style {
    pub fn new(colour: bool) -> Self {
        Self { colour }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// What a listing is about.
    pub fn strong(&self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What is there for orientation only.
    pub fn faint(&self, text: &str) -> String {
        self.paint("2", text)
    }

    /// What went wrong.
    pub fn bad(&self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// What went well.
    pub fn good(&self, text: &str) -> String {
        self.paint("32", text)
    }

    /// What should be known.
    pub fn warning(&self, text: &str) -> String {
        self.paint("33", text)
    }
}

/// `text` on one line and without control characters, which could steer the terminal: they become escapes as in C.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if (c as u32) < 0x80 && c.is_control() => out.push_str(&format!("\\x{:02x}", c as u32)),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_escapes() {
        assert_eq!(plain("a\x1b[31mb\n\u{9b}"), "a\\x1b[31mb\\n\\u009b");
        assert_eq!(plain("naïve"), "naïve");
    }

    #[test]
    fn there_is_no_escape_sequence_without_colour() {
        assert_eq!(Style::new(false).bad("x"), "x");
        assert_eq!(Style::new(true).bad("x"), "\x1b[1;31mx\x1b[0m");
    }
}
