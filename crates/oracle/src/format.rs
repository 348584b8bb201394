//! Formats of the printf family, as glibc reads them.

use crate::Refusal;

/// The largest width or precision that is looked at.
pub(crate) const LARGEST: usize = 1 << 16;

/// A format, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Format {
    /// What it prints, in order. Neighbouring literals are one.
    pub pieces: Vec<Piece>,
    /// What each argument after the format has to be.
    pub wants: Vec<Want>,
}

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Text that is printed as it is; `%%` is `%` here.
    Literal(Vec<u8>),
    /// `%d` and its like.
    Conversion(Conversion),
}

/// A conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// Its flags.
    pub flags: Flags,
    /// Its least width.
    pub width: Option<Count>,
    /// Its precision.
    pub precision: Option<Count>,
    /// What it prints.
    pub kind: Kind,
    /// The argument that it prints, from 0; none for `%m`.
    pub argument: Option<usize>,
}

/// The flags of a conversion. (`'` and `I` change nothing in the C locale.)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// A blank.
    pub blank: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Part of the format.
    Fixed(usize),
    /// `*`: the value of this argument.
    Argument(usize),
}

/// What a conversion prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `d i u o x X b B`
    Integer {
        /// How many bits of the argument count.
        bits: u32,
        /// How they are written.
        notation: Notation,
    },
    /// `c`
    Character,
    /// `s`
    Text,
    /// `p`
    Pointer,
    /// `e f g a` and their upper-case forms
    Floating {
        /// How it is written.
        style: Style,
        /// In upper case.
        upper: bool,
        /// A `long double`.
        long: bool,
    },
    /// `m`: the message of the current error.
    Message,
}

/// How an integer is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// `d i`
    Signed,
    /// `u`
    Unsigned,
    /// `o`
    Octal,
    /// `x X`
    Hexadecimal {
        /// `X`
        upper: bool,
    },
    /// `b B`
    Binary {
        /// `B`: the prefix of the alternate form is `0B`.
        upper: bool,
    },
}

/// How a floating-point number is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `e`
    Scientific,
    /// `f`
    Fixed,
    /// `g`
    General,
    /// `a`
    Hexadecimal,
}

/// What an argument after the format has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// An integer or a pointer, as a word.
    Word,
    /// A `double`.
    Double,
    /// A `long double`.
    LongDouble,
    /// A pointer to bytes that end at a NUL, or where the precision says.
    Text(Option<Count>),
}

impl Format {
    /// Takes a format apart; `text` is without the NUL at its end.
    pub fn parse(text: &[u8]) -> Result<Format, Refusal> {
        let mut parser = Parser { text, at: 0, wants: Vec::new(), next: 0, numbered: None };
        let mut pieces = Vec::new();
        let mut literal = Vec::new();
        while let Some(&byte) = text.get(parser.at) {
            parser.at += 1;
            if byte != b'%' {
                literal.push(byte);
            } else if parser.eat(b'%') {
                literal.push(b'%');
            } else {
                let conversion = parser.conversion()?;
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                pieces.push(Piece::Conversion(conversion));
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        // An argument that a numbered format skips is an int to glibc.
        Ok(Format { pieces, wants: parser.wants.into_iter().map(|want| want.unwrap_or(Want::Word)).collect() })
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    wants: Vec<Option<Want>>,
    /// The next argument of a format that does not number them.
    next: usize,
    /// Whether arguments are numbered, once one was met.
    numbered: Option<bool>,
}

impl Parser<'_> {
    /// After its `%`.
    fn conversion(&mut self) -> Result<Conversion, Refusal> {
        let start = self.at;
        let number = self.number()?;
        let mut flags = Flags::default();
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b'-' => flags.left = true,
                b'+' => flags.plus = true,
                b' ' => flags.blank = true,
                b'#' => flags.alternate = true,
                b'0' => flags.zero = true,
                b'\'' | b'I' => {}
                _ => break,
            }
            self.at += 1;
        }
        let width = match self.count()? {
            Some(Count::Fixed(0)) => None,
            width => width,
        };
        let precision = if self.eat(b'.') { Some(self.count()?.unwrap_or(Count::Fixed(0))) } else { None };
        let kind = self.kind(start)?;
        let want = match kind {
            Kind::Message => None,
            Kind::Integer { .. } | Kind::Character | Kind::Pointer => Some(Want::Word),
            Kind::Text => Some(Want::Text(precision)),
            Kind::Floating { long: false, .. } => Some(Want::Double),
            Kind::Floating { long: true, .. } => Some(Want::LongDouble),
        };
        let argument = want.map(|want| self.argument(number, want)).transpose()?;
        Ok(Conversion { flags, width, precision, kind, argument })
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self) -> Result<Option<usize>, Refusal> {
        let start = self.at;
        let mut value = 0;
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            value = value * 10 + usize::from(digit - b'0');
            if value > LARGEST {
                return Err(Refusal::TooWide);
            }
            self.at += 1;
        }
        Ok((self.at > start).then_some(value))
    }

    /// The `1$` of `%1$d`, from 0.
    fn number(&mut self) -> Result<Option<usize>, Refusal> {
        let start = self.at;
        if let Some(number) = self.digits()?.filter(|number| *number > 0)
            && self.eat(b'$')
        {
            return Ok(Some(number - 1));
        }
        self.at = start;
        Ok(None)
    }

    /// A width, or what stands after the point.
    fn count(&mut self) -> Result<Option<Count>, Refusal> {
        if self.eat(b'*') {
            let number = self.number()?;
            return Ok(Some(Count::Argument(self.argument(number, Want::Word)?)));
        }
        Ok(self.digits()?.map(Count::Fixed))
    }

    /// Notes what an argument has to be.
    fn argument(&mut self, number: Option<usize>, want: Want) -> Result<usize, Refusal> {
        if self.numbered.is_some_and(|numbered| numbered != number.is_some()) {
            return Err(Refusal::Mixed);
        }
        self.numbered = Some(number.is_some());
        let index = number.unwrap_or(self.next);
        self.next += 1;
        if self.wants.len() <= index {
            self.wants.resize(index + 1, None);
        }
        self.wants[index] = Some(match (self.wants[index], want) {
            (None, want) => want,
            (Some(Want::Text(one)), Want::Text(other)) => Want::Text(if one == other { one } else { None }),
            (Some(known), want) if known == want => want,
            _ => return Err(Refusal::Kinds(index)),
        });
        Ok(index)
    }

    /// Length modifiers and the conversion's letter.
    fn kind(&mut self, start: usize) -> Result<Kind, Refusal> {
        let modifiers = self.at;
        while matches!(self.text.get(self.at), Some(b'h' | b'l' | b'q' | b'L' | b'j' | b'z' | b'Z' | b't')) {
            self.at += 1;
        }
        let length = &self.text[modifiers..self.at];
        let letter = self.text.get(self.at).copied();
        self.at = (self.at + 1).min(self.text.len());
        let unknown = || Refusal::Unknown(format!("%{}", self.text[start..self.at].escape_ascii()));
        let (bits, long) = match length {
            b"" => (32, false),
            b"hh" => (8, false),
            b"h" => (16, false),
            b"l" | b"j" | b"z" | b"Z" | b"t" => (64, false),
            b"ll" | b"q" | b"L" => (64, true),
            _ => return Err(unknown()),
        };
        let integer = |notation| Ok(Kind::Integer { bits, notation });
        let floating = |style, upper| Ok(Kind::Floating { style, upper, long });
        match letter.ok_or_else(unknown)? {
            b'd' | b'i' => integer(Notation::Signed),
            b'u' => integer(Notation::Unsigned),
            b'o' => integer(Notation::Octal),
            b'x' => integer(Notation::Hexadecimal { upper: false }),
            b'X' => integer(Notation::Hexadecimal { upper: true }),
            b'b' => integer(Notation::Binary { upper: false }),
            b'B' => integer(Notation::Binary { upper: true }),
            b'n' => Err(Refusal::Stores),
            // What is left has no short forms.
            _ if bits < 32 => Err(unknown()),
            b'C' | b'S' => Err(Refusal::Wide),
            b'c' | b's' if bits == 64 => Err(Refusal::Wide),
            b'c' => Ok(Kind::Character),
            b's' => Ok(Kind::Text),
            b'p' => Ok(Kind::Pointer),
            b'm' => Ok(Kind::Message),
            b'e' => floating(Style::Scientific, false),
            b'E' => floating(Style::Scientific, true),
            b'f' => floating(Style::Fixed, false),
            b'F' => floating(Style::Fixed, true),
            b'g' => floating(Style::General, false),
            b'G' => floating(Style::General, true),
            b'a' => floating(Style::Hexadecimal, false),
            b'A' => floating(Style::Hexadecimal, true),
            _ => Err(unknown()),
        }
    }
}
