//! Calls that print.

use std::borrow::Cow;

use whydunit_library::Content;

use crate::format::{Count, Format, Want};
use crate::matching::{Parts, byte_parts, string_parts};
use crate::memory::Area;
use crate::{Argument, Match, Place, Refusal};

/// A call of an output function that did print. (One that failed printed nothing; of a short write, the count is what was
/// written.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// What it prints.
    pub content: Content,
    /// Its arguments, by their index in the call. Formats, strings and memory are [`Argument::Bytes`].
    pub arguments: Vec<Argument>,
    /// What it printed; only looked at for [`Content::List`], whose arguments are not known.
    pub printed: Vec<u8>,
    /// The message of the error at the time of the call, for `%m`.
    pub message: Option<Vec<u8>>,
}

/// Where the values of a call come from.
pub trait Source {
    /// An argument of the call as a word.
    fn word(&self, index: usize) -> Option<u64>;
    /// The bits of an argument that is a `double`.
    fn double(&self, index: usize) -> Option<u64>;
    /// The 80 bits of an argument that is a `long double`.
    fn long_double(&self, index: usize) -> Option<u128>;
    /// The bytes at an address up to a NUL, or so many.
    fn string(&self, address: u64, limit: Option<usize>) -> Vec<u8>;
    /// So many bytes at an address.
    fn memory(&self, address: u64, length: usize) -> Vec<u8>;
}

/// What a call prints, made ready.
enum Body<'a> {
    Parts(Parts),
    Area(Area<'a>),
    List,
}

impl Call {
    /// A call with these arguments.
    pub fn new(content: Content, arguments: Vec<Argument>) -> Self {
        Self { content, arguments, printed: Vec::new(), message: None }
    }

    /// A call whose values are read from `source`, as the function itself would read them.
    pub fn gather(content: Content, source: &dyn Source) -> Result<Call, Refusal> {
        let word = |index| source.word(index).ok_or(Refusal::MissingArgument(index));
        let pointed = |index, limit| {
            Ok(match word(index)? {
                0 => Argument::Null,
                address => Argument::Bytes(source.string(address, limit)),
            })
        };
        let mut arguments = Vec::new();
        let mut set = |index: usize, argument| {
            while arguments.len() <= index {
                arguments.push(Argument::Word(source.word(arguments.len()).unwrap_or(0)));
            }
            arguments[index] = argument;
        };
        match content {
            Content::Format { format, first } => {
                let Argument::Bytes(text) = pointed(format, None)? else { return Err(Refusal::WrongArgument(format)) };
                let parsed = Format::parse(&text)?;
                set(format, Argument::Bytes(text));
                for (index, want) in parsed.wants.iter().enumerate() {
                    let index = first + index;
                    let missing = Refusal::MissingArgument(index);
                    let value = match want {
                        Want::Word => Argument::Word(word(index)?),
                        Want::Double => Argument::Double(source.double(index).ok_or(missing)?),
                        Want::LongDouble => Argument::LongDouble(source.long_double(index).ok_or(missing)?),
                        Want::Text(None) => pointed(index, None)?,
                        Want::Text(Some(Count::Fixed(limit))) => pointed(index, Some(*limit))?,
                        Want::Text(Some(Count::Argument(limit))) => {
                            pointed(index, usize::try_from(word(first + limit)? as i32).ok())?
                        }
                    };
                    set(index, value);
                }
            }
            Content::List { format, .. } => set(format, pointed(format, None)?),
            Content::Line { text } | Content::Text { text } => set(text, pointed(text, None)?),
            Content::Byte { byte } => set(byte, Argument::Word(word(byte)?)),
            Content::Memory { memory, size, count } => {
                let items = word(count)?;
                let length = size.map_or(Ok(1), word)?.saturating_mul(items);
                let address = word(memory)?;
                set(count, Argument::Word(items));
                let bytes = source.memory(address, usize::try_from(length).unwrap_or(usize::MAX));
                set(memory, Argument::Bytes(bytes));
            }
        }
        Ok(Call::new(content, arguments))
    }

    /// What it prints.
    pub fn output(&self) -> Result<Cow<'_, [u8]>, Refusal> {
        Ok(match self.body()? {
            Body::Parts(parts) => Cow::Owned(parts.printed()),
            Body::Area(area) => Cow::Owned(area.printed().into()),
            Body::List => Cow::Borrowed(&self.printed),
        })
    }

    /// What its arguments have to be so that it prints the start of `expected`. Places are by the call's own indices.
    pub fn matched(&self, expected: &[u8]) -> Match {
        self.matched_beyond(expected, None)
    }

    /// What its arguments have to stay so that it goes on printing what it prints; none where that cannot be said.
    pub fn kept(&self) -> Option<crate::Alternative> {
        let text = self.output().ok()?.into_owned();
        match self.matched_beyond(&text, text.len().checked_sub(1)) {
            Match::Equal { .. } => Some(crate::Alternative::default()),
            Match::Requires { alternatives, .. } => alternatives.into_iter().find(|found| found.needs.is_empty()),
            Match::Impossible { .. } | Match::Refused(_) => None,
        }
    }

    /// The same of more than `beyond` bytes.
    pub fn matched_beyond(&self, expected: &[u8], beyond: Option<usize>) -> Match {
        match self.body() {
            Err(refusal) => Match::Refused(refusal),
            Ok(Body::List) if beyond.is_none() && expected.starts_with(&self.printed) => {
                Match::Equal { consumed: self.printed.len() }
            }
            Ok(Body::List) => Match::Refused(Refusal::NoArguments),
            Ok(Body::Area(area)) => area.matched(&self.arguments, expected, beyond),
            Ok(Body::Parts(parts)) => {
                let mut found = parts.matched(self.after_format(), expected, beyond);
                if let (Match::Requires { alternatives, .. }, Content::Format { first, .. }) =
                    (&mut found, self.content)
                {
                    let needs = alternatives.iter_mut().flat_map(|found| found.needs.iter_mut().chain(&mut found.stay));
                    for need in needs {
                        if let Place::Argument(index) = &mut need.place {
                            *index += first;
                        }
                    }
                }
                found
            }
        }
    }

    /// The arguments that a format's conversions count; of other calls all.
    fn after_format(&self) -> &[Argument] {
        match self.content {
            Content::Format { first, .. } => self.arguments.get(first..).unwrap_or_default(),
            _ => &self.arguments,
        }
    }

    fn body(&self) -> Result<Body<'_>, Refusal> {
        let bytes = |index: usize| match self.arguments.get(index) {
            Some(Argument::Bytes(bytes)) => Ok(&bytes[..]),
            Some(Argument::Null) => Ok(&[][..]),
            Some(_) => Err(Refusal::WrongArgument(index)),
            None => Err(Refusal::MissingArgument(index)),
        };
        let number = |index: usize| match self.arguments.get(index) {
            Some(Argument::Word(word)) => Ok((index, *word)),
            Some(_) => Err(Refusal::WrongArgument(index)),
            None => Err(Refusal::MissingArgument(index)),
        };
        Ok(match self.content {
            Content::Format { format, first } => {
                let parsed = Format::parse(bytes(format)?)?;
                let parts = Parts::of_format(&parsed, self.after_format(), self.message.as_deref());
                Body::Parts(parts.map_err(|refusal| refusal.after(first))?)
            }
            Content::List { .. } => Body::List,
            Content::Line { text } => Body::Parts(string_parts(text, &self.arguments, b"\n")?),
            Content::Text { text } => Body::Parts(string_parts(text, &self.arguments, b"")?),
            Content::Byte { byte } => Body::Parts(byte_parts(byte, &self.arguments)?),
            Content::Memory { memory, size, count } => Body::Area(Area {
                memory,
                bytes: bytes(memory)?,
                size: size.map(number).transpose()?,
                count: number(count)?,
            }),
        })
    }
}
