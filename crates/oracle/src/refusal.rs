//! What the oracle does not answer.

/// Why nothing is said about a call. What is refused here would have to be guessed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// A conversion that glibc does not have, or with modifiers that do not go with it.
    #[error("the format has an unknown conversion, `{0}`")]
    Unknown(String),
    /// `%n`: the call writes memory.
    #[error("the format has %n, which writes to memory")]
    Stores,
    /// `%lc`, `%ls`, `%C`, `%S`: what they print depends on the locale.
    #[error("the format prints wide characters, which depend on the locale")]
    Wide,
    /// `%m` in a call whose error message is not known.
    #[error("the format has %m, and the error at the time of the call is not known")]
    Message,
    /// `%1$d` and `%d` in one format.
    #[error("the format numbers some of its arguments and not others")]
    Mixed,
    /// An argument that conversions of different kinds share.
    #[error("argument {0} of the format is used as values of different kinds")]
    Kinds(usize),
    /// A width or precision beyond the bound.
    #[error("the format has a width or precision above {}", crate::format::LARGEST)]
    TooWide,
    /// The call has fewer arguments than it reads.
    #[error("argument {0} is read and not there")]
    MissingArgument(usize),
    /// An argument was given as something else than what is read there.
    #[error("argument {0} is not of the kind that is read")]
    WrongArgument(usize),
    /// The arguments are in a `va_list`.
    #[error("the arguments of the call are not known")]
    NoArguments,
    /// One argument is printed more than once, and no value of it satisfies all places.
    #[error("an argument that is printed more than once would need different values")]
    Repeated,
    /// More readings of the expected text than the bound.
    #[error("the expected text can be read as this call's output in too many ways")]
    Ambiguous,
}

impl Refusal {
    /// With arguments counted from the call's first one, where the format's first one is `first`.
    pub(crate) fn after(self, first: usize) -> Self {
        match self {
            Refusal::MissingArgument(index) => Refusal::MissingArgument(first + index),
            Refusal::WrongArgument(index) => Refusal::WrongArgument(first + index),
            other => other,
        }
    }
}
