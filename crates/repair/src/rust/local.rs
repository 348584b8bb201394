//! Variables of a function.

/// A variable that is declared somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Local {
    pub name: String,
    /// The byte of its declaration.
    pub declared: usize,
}
