//! What belongs to a run besides its memory, frames and counts: what recorded and what-if runs have done so far.

mod exceptions;
mod formats;
mod operators;
mod whatif;

use whydunit_recording::Start;

pub(crate) use self::exceptions::{Exceptions, FIRST_TYPE, MadeError, Thrown, Type};
pub(crate) use self::formats::{Formats, PrintKey, print_key};
pub(crate) use self::operators::Operators;
pub(crate) use self::whatif::{
    After, Knowledge, Left, Merge, Ordering, OrderingKind, PRIVATE_HEAP, Pending, WhatIfRun,
};
pub use self::whatif::{Expectation, Limits, WhatIfOutcome, WhatIfStop};
use crate::code::Symbols;
use crate::end::End;
use crate::function_id::FuncId;
use crate::role::{Locked, Specific};
use crate::rounding::Rounding;
use crate::streams::StandardStream;

/// What belongs to a run besides its [`Core`](crate::Core): a snapshot keeps both.
#[derive(Clone, Default)]
pub(crate) struct Run {
    pub symbols: Symbols,
    pub start: Option<Start>,
    /// Exit status chosen by captured code.
    pub status: Option<i32>,
    /// Last results of functions whose result seldom changes.
    pub constants: Vec<(String, u64)>,
    /// How the run ended, once it has.
    pub ended: Option<End>,
    /// Floating arithmetic rounds so.
    pub rounding: Rounding,
    /// The program has operators new and delete of its own.
    pub own_operators: bool,
    /// The frame whose call has not returned, and what that call prints was told already.
    pub printed: Option<usize>,
    /// Guards of the variables of C++ that were made when first met.
    pub guards: Vec<u64>,
    /// Mutexes that captured code has locked.
    pub locked: Locked,
    /// Values of the thread's own that captured code has looked at.
    pub specific: Specific,
    /// The exceptions of C++ that captured code has thrown.
    pub exceptions: Exceptions,
    /// Standard exceptions that the library has made.
    pub errors: Vec<MadeError>,
    /// The operators new and delete that its modules define.
    pub operators: Operators,
    /// What formats values for programs of Rust.
    pub formatter: Option<FuncId>,
    /// The standard streams of C++, as far as modules name them.
    pub streams: Vec<StandardStream>,
}
