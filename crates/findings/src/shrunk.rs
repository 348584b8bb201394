//! What `shrink` made of a failing case.

/// A case with the smallest input that was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shrunk {
    /// The test, or the file.
    pub name: String,
    /// How it fails, before and after, in words.
    pub failure: String,
    /// Its parts, in the order of the case; several arguments are one part.
    pub parts: Vec<ShrunkPart>,
    /// The smaller case as a line of cases.jsonl; none where a file on its own was made smaller.
    pub case: Option<String>,
    /// The smaller file's text, where a file on its own was made smaller and it is text.
    pub text: Option<String>,
    /// The file or folder that holds the smaller case.
    pub path: String,
    /// Runs of the program or the script.
    pub runs: u64,
    /// Runs that were spared, since the same input had been tried.
    pub spared: u64,
}

/// A part of a case's input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShrunkPart {
    /// What it is.
    pub kind: PartKind,
    /// Of a file its name.
    pub name: String,
    /// How large it was.
    pub before: Size,
    /// How large it is; none where it was left out.
    pub after: Option<Size>,
}

/// Which part of a case's input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PartKind {
    /// The arguments.
    Args,
    /// Standard input.
    Stdin,
    /// A file.
    File,
}

impl PartKind {
    /// The word for it, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            PartKind::Args => "args",
            PartKind::Stdin => "stdin",
            PartKind::File => "file",
        }
    }
}

/// How large a part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Bytes.
    pub bytes: u64,
    /// Lines; of arguments, how many they are.
    pub lines: u64,
}
