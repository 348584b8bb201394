//! The path of a run that is followed alone: where it depends on what the run was given.

use whydunit_replay::FuncId;
use whydunit_terms::{Pool, Term};

use crate::inputs::InputVariable;

/// A run's path.
#[derive(Debug, Default)]
pub struct Path {
    /// The terms.
    pub pool: Pool,
    /// What it was given.
    pub inputs: Vec<InputVariable>,
    /// Its turns, in order.
    pub turns: Vec<Turn>,
    /// The edges of the interprocedural control-flow graph that it takes at branches, calls told apart by where they stand.
    pub edges: Vec<u64>,
    /// What was left out, in words.
    pub notes: Vec<String>,
    /// There were too many terms, or time was up: what comes behind is not followed.
    pub full: bool,
}

/// Where the path depends on what the run was given.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What holds there.
    pub holds: Term,
    /// What could hold instead, with the edge that is taken then; none of what is held as in the run.
    pub others: Vec<Other>,
    /// So many edges were taken before.
    pub edges: usize,
    /// The function.
    pub function: FuncId,
    /// The operation.
    pub pc: u32,
}

/// Another way.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// When it is gone.
    pub when: Term,
    /// Its edge; none where something undefined happens.
    pub edge: Option<u64>,
    /// The program may die there, by what the code says up to where the ways join.
    pub risky: bool,
}
