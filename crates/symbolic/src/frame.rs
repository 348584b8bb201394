//! Frames of the run, as far as the state knows more of them than the machine.

use std::rc::Rc;

use whydunit_replay::FuncId;
use whydunit_terms::Term;

use crate::facts::Facts;

/// A frame.
#[derive(Clone)]
pub(crate) struct FrameState {
    pub function: FuncId,
    /// Names the activation on all paths that reach it by the same decisions.
    pub activation: u64,
    pub facts: Rc<Facts>,
    /// What it was given, of a function in which all may change.
    pub given: Option<Rc<[Given]>>,
}

/// A word that a function was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// Where it depends on what may change.
    pub term: Option<Term>,
    /// In the run.
    pub value: u64,
}
