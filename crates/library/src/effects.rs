//! What functions do, typed. Arguments are counted from 0, as the plain function has them.

/// A number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// The value of an argument.
    Argument(usize),
    /// The product of two arguments: the size of an item, and how many.
    Product(usize, usize),
}

/// Memory that a function reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// The text that an argument points to, at most up to its NUL.
    Text(usize),
    /// The same, but no more bytes than another argument says.
    TextUpTo(usize, usize),
    /// The number at the start of the text that an argument points to.
    Number(usize),
    /// The wide characters that an argument points to, at most up to the one that is zero.
    WideText(usize),
    /// So many bytes behind an argument.
    Bytes(usize, Size),
    /// At most so many bytes behind an argument.
    UpTo(usize, Size),
    /// The value, structure or array that an argument points to, if it is not null.
    Object(usize),
    /// What the buffers say to which the first argument points; the second is their number.
    Buffers(usize, usize),
    /// Texts, to which an array points that ends with a null pointer.
    Texts(usize),
    /// A format of `printf`, and by it the arguments after it.
    Format(usize),
    /// A format of `printf`, and by it what the `va_list` in the argument after it holds.
    FormatList(usize),
    /// A format of `scanf`.
    ScanFormat(usize),
    /// What the library or the system keep.
    Own,
}

impl Reads {
    /// The same with other places for the arguments.
    pub(crate) fn placed(self, place: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Text(n) => Self::Text(place(n)),
            Self::TextUpTo(n, most) => Self::TextUpTo(place(n), place(most)),
            Self::Number(n) => Self::Number(place(n)),
            Self::WideText(n) => Self::WideText(place(n)),
            Self::Bytes(n, size) => Self::Bytes(place(n), size.placed(place)),
            Self::UpTo(n, size) => Self::UpTo(place(n), size.placed(place)),
            Self::Object(n) => Self::Object(place(n)),
            Self::Buffers(n, count) => Self::Buffers(place(n), place(count)),
            Self::Texts(n) => Self::Texts(place(n)),
            Self::Format(n) => Self::Format(place(n)),
            Self::FormatList(n) => Self::FormatList(place(n)),
            Self::ScanFormat(n) => Self::ScanFormat(place(n)),
            Self::Own => Self::Own,
        }
    }
}

/// Memory that a function writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writes {
    /// So many bytes behind an argument.
    Bytes(usize, Size),
    /// At most so many bytes behind an argument.
    UpTo(usize, Size),
    /// A text behind an argument, whose length no argument limits.
    Text(usize),
    /// Behind the first argument, the text that the second points to, with its NUL.
    Copy(usize, usize),
    /// The same at the end of the text that the first argument points to.
    Append(usize, usize),
    /// The value, structure or array that an argument points to, if it is not null.
    Object(usize),
    /// The buffers that the first argument says; the second is their number.
    Buffers(usize, usize),
    /// What the arguments after a format of `scanf` point to.
    Scanned(usize),
    /// What the `va_list` after a format of `scanf` holds pointers to.
    ScannedList(usize),
    /// What `%n` in a format of `printf` stores; and the `va_list` after it, where it has one.
    Counts(usize),
    /// A new block.
    Block,
    /// What the library keeps, and what pointers that it gives lead to.
    Own,
}

impl Writes {
    /// The same with other places for the arguments.
    pub(crate) fn placed(self, place: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Bytes(n, size) => Self::Bytes(place(n), size.placed(place)),
            Self::UpTo(n, size) => Self::UpTo(place(n), size.placed(place)),
            Self::Text(n) => Self::Text(place(n)),
            Self::Copy(to, from) => Self::Copy(place(to), place(from)),
            Self::Append(to, from) => Self::Append(place(to), place(from)),
            Self::Object(n) => Self::Object(place(n)),
            Self::Buffers(n, count) => Self::Buffers(place(n), place(count)),
            Self::Scanned(n) => Self::Scanned(place(n)),
            Self::ScannedList(n) => Self::ScannedList(place(n)),
            Self::Counts(n) => Self::Counts(place(n)),
            Self::Block => Self::Block,
            Self::Own => Self::Own,
        }
    }
}

impl Size {
    fn placed(self, place: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Argument(n) => Self::Argument(place(n)),
            Self::Product(size, count) => Self::Product(place(size), place(count)),
        }
    }
}

/// What a function gives depends on this, beside its arguments and the memory of the program that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// On nothing else.
    Arguments,
    /// On what the program has done before: its streams, its heap, its threads.
    State,
    /// On what the program is given to read.
    Input,
    /// On files, and what the system says of them.
    Files,
    /// On the time.
    Clock,
    /// On a generator of random numbers.
    Random,
    /// On the environment, the locale, the machine, the process's place among others.
    Environment,
}

/// How a function reads what a program is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// It gives a character of this stream; without one, of standard input.
    Character {
        /// The stream.
        stream: Option<usize>,
    },
    /// `fgets`: a line into memory (argument 0) of a size (1) from a stream (2).
    Line,
    /// `getline`: a line into a block (argument 0, its size 1) that it makes or enlarges, from a stream (2).
    NewLine,
    /// `fread`: items into memory (argument 0), of a size (1) and number (2), from a stream (3).
    Block,
    /// `read`: bytes of a descriptor (argument 0) into memory (1), at most so many (2).
    Bytes,
    /// `pread`: as `read`, but from a place, and the descriptor stays where it is.
    Place,
    /// `ungetc`: a character (argument 0) is given back to a stream (1).
    Back,
    /// `scanf`: by a format, from this stream; without one, from standard input.
    Format {
        /// The stream. The format is the argument after it.
        stream: Option<usize>,
    },
    /// `sscanf`: by a format (argument 1) from a text (0).
    FormatText,
    /// `fopen`: the file of a name (argument 0) is opened.
    Open,
    /// A stream or descriptor is opened over something that has no name.
    OpenOther,
    /// The stream (argument 0) goes back to its start.
    Rewind,
    /// The stream or descriptor (argument 0) goes to another place.
    Seek,
    /// In some other way, from this stream or descriptor; without one, from standard input.
    Other(Option<usize>),
}

impl Input {
    /// The argument that is the stream or descriptor. `None` where none is: what is read is standard input, a text, or something new.
    pub fn stream(self) -> Option<usize> {
        match self {
            Self::Character { stream } | Self::Format { stream } | Self::Other(stream) => stream,
            Self::Line | Self::NewLine => Some(2),
            Self::Block => Some(3),
            Self::Back => Some(1),
            Self::Bytes | Self::Place | Self::Rewind | Self::Seek => Some(0),
            Self::FormatText | Self::Open | Self::OpenOther => None,
        }
    }
}

/// What a function prints.
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

/// Where a function prints to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Destination {
    /// Standard output.
    StandardOutput,
    /// The stream that this argument is.
    Stream(usize),
    /// The file descriptor that this argument is.
    Descriptor(usize),
    /// Memory that an argument points to, in which there is so much room as another one says.
    Memory {
        /// Where.
        to: usize,
        /// The room; without it the text is as long as it gets.
        room: Option<usize>,
    },
    /// A new block, to which a pointer is stored where this argument points.
    Block(usize),
}

/// What a function prints, and where to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Output {
    /// What.
    pub content: Content,
    /// Where to.
    pub destination: Destination,
}

impl Output {
    /// Whether what it prints leaves the program, rather than to lie in its memory.
    pub fn leaves(&self) -> bool {
        !matches!(self.destination, Destination::Memory { .. } | Destination::Block(_))
    }

    /// The same with other places for the arguments.
    pub(crate) fn placed(self, place: impl Fn(usize) -> usize) -> Self {
        let content = match self.content {
            Content::Format { format, first } => Content::Format { format: place(format), first: place(first) },
            Content::List { format, list } => Content::List { format: place(format), list: place(list) },
            Content::Line { text } => Content::Line { text: place(text) },
            Content::Text { text } => Content::Text { text: place(text) },
            Content::Byte { byte } => Content::Byte { byte: place(byte) },
            Content::Memory { memory, size, count } => {
                Content::Memory { memory: place(memory), size: size.map(&place), count: place(count) }
            }
        };
        let destination = match self.destination {
            Destination::StandardOutput => Destination::StandardOutput,
            Destination::Stream(n) => Destination::Stream(place(n)),
            Destination::Descriptor(n) => Destination::Descriptor(place(n)),
            Destination::Memory { to, room } => Destination::Memory { to: place(to), room: room.map(&place) },
            Destination::Block(n) => Destination::Block(place(n)),
        };
        Self { content, destination }
    }
}

/// What a function does with the heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// Nothing that the program sees.
    None,
    /// malloc: predicted.
    Malloc,
    /// calloc: predicted, the memory is zero.
    Calloc,
    /// realloc: predicted, the contents move.
    Realloc,
    /// free, and delete of C++.
    Free,
    /// operator new of C++: as malloc, or announced as an external call, which may call back or throw.
    New,
    /// The result (or what it writes) is a new block that `free` takes; recorded, not predicted.
    Block,
    /// A function of Rust's allocator: its result is recorded, what it moves or zeroes is computed, unless it calls back.
    Rust,
}

/// How a function that does not come back leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It ends the process with argument 0 as status.
    Exit {
        /// What streams hold is written first.
        flushes: bool,
    },
    /// It ends the process with SIGABRT.
    Abort,
    /// The same, since an assertion does not hold.
    Assertion {
        /// The argument that is the text of the assertion.
        text: Option<usize>,
    },
    /// It goes back to where `setjmp` (argument 0) was called, which returns argument 1.
    Jump,
    /// It throws an exception of C++.
    Throw,
    /// The runtime refuses it: a program that calls it cannot be recorded.
    Refused,
}

/// How the result of a function says that it failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fails {
    /// It does not fail, or does not say so.
    Never,
    /// A null pointer, and `errno` says why.
    Null,
    /// A null pointer: there is nothing to be given, which is no error.
    NotFound,
    /// Less than zero, and `errno` says why.
    Negative,
    /// `EOF`: an error, or the end of the input.
    Eof,
    /// What is not zero.
    NonZero,
    /// Zero.
    Zero,
    /// The number of the error; `errno` stays.
    ErrorNumber,
    /// Fewer items than this argument asks for.
    Fewer(usize),
    /// A pointer, or a number without a sign, of which all bits are set; and `errno` says why.
    AllOnes,
    /// Only `errno` says so.
    Errno,
    /// It throws an exception.
    Throws,
}

impl Fails {
    /// Whether `errno` says why.
    pub fn sets_errno(self) -> bool {
        matches!(self, Self::Null | Self::Negative | Self::Eof | Self::Fewer(_) | Self::AllOnes | Self::Errno)
    }
}

/// How a function reads a number from the text that argument 0 points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// What it gives.
    pub value: NumberValue,
    /// The argument that says where the end of the number is to be stored.
    pub end: Option<usize>,
    /// The argument that is the base; without it 10.
    pub base: Option<usize>,
}

/// What a number that is read becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberValue {
    /// An integer.
    Integer {
        /// How wide the result is.
        bits: u32,
        /// Whether it has a sign.
        signed: bool,
    },
    /// A floating-point number.
    Float(Precision),
}

/// A type of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// `float`
    Single,
    /// `double`
    Double,
    /// `long double`
    Extended,
}

/// What a function of `ctype.h` says of a character, or makes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Character {
    /// Whether it is an upper-case letter.
    Upper,
    /// Whether it is a lower-case letter.
    Lower,
    /// Whether it is a letter.
    Alphabetic,
    /// Whether it is a digit.
    Digit,
    /// Whether it is a hexadecimal digit.
    HexDigit,
    /// Whether it is white space.
    Space,
    /// Whether it can be printed.
    Printable,
    /// Whether it leaves a mark when printed.
    Graphic,
    /// Whether it is a blank or a tab.
    Blank,
    /// Whether it controls something.
    Control,
    /// Whether it is a mark of punctuation.
    Punctuation,
    /// Whether it is a letter or a digit.
    Alphanumeric,
    /// Its upper-case letter.
    ToUpper,
    /// Its lower-case letter.
    ToLower,
}

impl Character {
    /// All classes: what is said of a character.
    pub const CLASSES: [Character; 12] = [
        Self::Upper,
        Self::Lower,
        Self::Alphabetic,
        Self::Digit,
        Self::HexDigit,
        Self::Space,
        Self::Printable,
        Self::Graphic,
        Self::Blank,
        Self::Control,
        Self::Punctuation,
        Self::Alphanumeric,
    ];

    /// The function of glibc that gives the table in which a class's bits, or the letters, are.
    pub const fn table(self) -> &'static str {
        match self {
            Self::ToLower => "__ctype_tolower_loc",
            Self::ToUpper => "__ctype_toupper_loc",
            _ => "__ctype_b_loc",
        }
    }

    /// The bit of a class in the tables of glibc (`_ISbit` in ctype.h, on machines whose lowest byte comes first).
    pub fn bit(self) -> Option<u16> {
        let place = Self::CLASSES.iter().position(|class| *class == self)?;
        Some(if place < 8 { 0x100 << place } else { 1 << (place - 8) })
    }
}
