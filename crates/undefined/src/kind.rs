//! Kinds of undefined behaviour.

/// A kind, as UndefinedBehaviorSanitizer tells them apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A signed number that its type cannot represent.
    SignedOverflow,
    /// A shift by as many bits as there are, or more, or by less than none.
    Shift,
    /// A division by zero, or one whose quotient its type cannot represent.
    Division,
    /// A float that the integer which it is made cannot represent.
    FloatToInteger,
    /// An address that is no multiple of what its type demands.
    Misaligned,
    /// A null pointer where an object is demanded.
    Null,
    /// An index outside its array.
    ArrayIndex,
    /// An array of variable length that has no elements.
    ArrayLength,
    /// A truth value that is neither.
    InvalidBool,
    /// What a builtin has no result for.
    Builtin,
    /// Code that the source says is never reached.
    Unreachable,
    /// A function that ends without its result.
    MissingReturn,
}

impl Kind {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::SignedOverflow => "signed-overflow",
            Kind::Shift => "shift",
            Kind::Division => "division",
            Kind::FloatToInteger => "float-to-integer",
            Kind::Misaligned => "misaligned",
            Kind::Null => "null",
            Kind::ArrayIndex => "array-index",
            Kind::ArrayLength => "array-length",
            Kind::InvalidBool => "invalid-bool",
            Kind::Builtin => "builtin",
            Kind::Unreachable => "unreachable",
            Kind::MissingReturn => "missing-return",
        }
    }
}
