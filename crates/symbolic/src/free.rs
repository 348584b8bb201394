//! Values that may be any, because their statements may change.

use std::rc::Rc;

use whydunit_model::{Scalar, Slot};
use whydunit_replay::FuncId;
use whydunit_terms::Term;

use crate::frame::Given;
use crate::statement::StatementId;

/// A value that may be any: of a statement that may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Free {
    /// The variable.
    pub term: Term,
    /// Its statement.
    pub statement: StatementId,
    /// The function.
    pub function: FuncId,
    /// The operation.
    pub pc: u32,
    /// What the value is in the run.
    pub value: u64,
    /// Bits.
    pub width: u32,
    /// What kind of number it is.
    pub scalar: Scalar,
    /// Instruction count.
    pub instruction: u64,
    /// What is free.
    pub kind: FreeKind,
    /// The slot that has the value, of the function itself or, for an argument, of the one that is called.
    pub slot: Option<Slot>,
    /// It is on the run, not on a way beside it.
    pub on_run: bool,
}

/// What a free value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FreeKind {
    /// A result.
    Value,
    /// What is stored.
    Stored,
    /// The result of a call.
    Result,
    /// A condition.
    Condition,
    /// An argument.
    Argument,
    /// What a function returns.
    Returned,
}

/// A value that may be any, returned by a function of which nothing is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Returning {
    /// Its place among the values that may change.
    pub free: usize,
    /// What the function was given.
    pub given: Rc<[Given]>,
}
