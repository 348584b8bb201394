//! Formats of the printf family, as glibc reads them.

use std::ops::Range;

use whydunit_library::printf::{self, Flags, Length};

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
        let mut reader = Reader { format: text, wants: Vec::new(), next: 0, numbered: None };
        let mut pieces = Vec::new();
        let mut literal = Vec::new();
        for piece in printf::pieces(text) {
            match piece.map_err(|found| reader.unknown(found.text))? {
                printf::Piece::Literal(bytes) => literal.extend_from_slice(bytes),
                printf::Piece::Conversion(found) => {
                    let conversion = reader.conversion(&found)?;
                    if !literal.is_empty() {
                        pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                    }
                    pieces.push(Piece::Conversion(conversion));
                }
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        // An argument that a numbered format skips is an int to glibc.
        Ok(Format { pieces, wants: reader.wants.into_iter().map(|want| want.unwrap_or(Want::Word)).collect() })
    }
}

/// Notes what conversions want of the arguments.
struct Reader<'a> {
    format: &'a [u8],
    wants: Vec<Option<Want>>,
    /// The next argument of a format that does not number them.
    next: usize,
    /// Whether arguments are numbered, once one was met.
    numbered: Option<bool>,
}

impl Reader<'_> {
    fn conversion(&mut self, found: &printf::Conversion) -> Result<Conversion, Refusal> {
        let width = match self.count(found.width)? {
            Some(Count::Fixed(0)) => None,
            width => width,
        };
        let precision = self.count(found.precision)?;
        let kind = self.kind(found)?;
        let want = match kind {
            Kind::Message => None,
            Kind::Integer { .. } | Kind::Character | Kind::Pointer => Some(Want::Word),
            Kind::Text => Some(Want::Text(precision)),
            Kind::Floating { long: false, .. } => Some(Want::Double),
            Kind::Floating { long: true, .. } => Some(Want::LongDouble),
        };
        let argument = want.map(|want| self.argument(found.argument, want)).transpose()?;
        Ok(Conversion { flags: found.flags, width, precision, kind, argument })
    }

    /// A width or a precision.
    fn count(&mut self, count: Option<printf::Count>) -> Result<Option<Count>, Refusal> {
        let number = match count {
            None => return Ok(None),
            Some(printf::Count::Fixed(count)) if count > LARGEST => return Err(Refusal::TooWide),
            Some(printf::Count::Fixed(count)) => return Ok(Some(Count::Fixed(count))),
            Some(printf::Count::Next) => None,
            Some(printf::Count::Argument(number)) => Some(number),
        };
        Ok(Some(Count::Argument(self.argument(number, Want::Word)?)))
    }

    /// Notes what an argument has to be.
    fn argument(&mut self, number: Option<usize>, want: Want) -> Result<usize, Refusal> {
        if self.numbered.is_some_and(|numbered| numbered != number.is_some()) {
            return Err(Refusal::Mixed);
        }
        if number.is_some_and(|number| number >= LARGEST) {
            return Err(Refusal::TooWide);
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

    fn unknown(&self, text: Range<usize>) -> Refusal {
        Refusal::Unknown(format!("%{}", self.format[text].escape_ascii()))
    }

    /// What a conversion prints, by its length modifiers and its letter.
    fn kind(&self, found: &printf::Conversion) -> Result<Kind, Refusal> {
        let unknown = || self.unknown(found.text.clone());
        let (bits, long) = (found.length.bits(), found.length == Length::Longest);
        let integer = |notation| Ok(Kind::Integer { bits, notation });
        let floating = |style, upper| Ok(Kind::Floating { style, upper, long });
        match found.letter {
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
