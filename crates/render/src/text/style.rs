//! Colour and emphasis.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_escape_sequence_without_colour() {
        assert_eq!(Style::new(false).bad("x"), "x");
        assert_eq!(Style::new(true).bad("x"), "\x1b[1;31mx\x1b[0m");
    }
}
