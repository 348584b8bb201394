//! A place in a format, and what conversions of `printf` and `scanf` have in common.

/// A length modifier: how wide what an argument is, or points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Length {
    /// `hh`
    Byte,
    /// `h`
    Short,
    /// None: an `int`, a `double` of `printf`, a `float` of `scanf`.
    #[default]
    Plain,
    /// `l`, `j`, `z`, `Z` and `t`: 64 bits; of characters and texts, wide ones.
    Long,
    /// `ll`, `q` and `L`: 64 bits, or a `long double`.
    Longest,
}

impl Length {
    /// Bits of an integer so long.
    pub fn bits(self) -> u32 {
        match self {
            Self::Byte => 8,
            Self::Short => 16,
            Self::Plain => 32,
            Self::Long | Self::Longest => 64,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    pub text: &'a [u8],
    pub at: usize,
}

impl Cursor<'_> {
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// A decimal number, if there is one; the largest there is where it is larger.
    pub fn digits(&mut self) -> Option<usize> {
        let start = self.at;
        let mut value = 0usize;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }

    /// Length modifiers; none where there is no such one.
    pub fn length(&mut self) -> Option<Length> {
        let start = self.at;
        while let Some(b'h' | b'l' | b'q' | b'L' | b'j' | b'z' | b'Z' | b't') = self.peek() {
            self.at += 1;
        }
        Some(match &self.text[start..self.at] {
            b"" => Length::Plain,
            b"hh" => Length::Byte,
            b"h" => Length::Short,
            b"l" | b"j" | b"z" | b"Z" | b"t" => Length::Long,
            b"ll" | b"q" | b"L" => Length::Longest,
            _ => return None,
        })
    }
}
