//! Static analyses over the program model: what can be said of a program without running it.
//!
//! Of one function: its flow graph ([`flow`]), [`Shape`], liveness, reaching definitions, and [`solve`], the worklist that they
//! are instances of. Of a [`Program`], a set of modules: the [`CallGraph`], what operands may point to ([`PointsTo`], on demand),
//! and what functions may write ([`MayWrite`]).
//!
//! Invariants
//! - Sound as far as the model says: what is not known may be anything, and a result that was not finished says so.
//! - Work is bounded, by limits of the caller's where it can be much.
//! - What functions do that no module has is told by the caller ([`Library`]).
//!
//! Boundary: the model only. No LLVM, no replay, no addresses of a run.

mod callgraph;
mod components;
mod context;
mod definitions;
mod effect_free;
pub mod flow;
mod library;
mod liveness;
mod may_write;
mod mentions;
mod object;
mod offset;
mod points_to;
mod program;
mod reaching;
mod shape;
mod slots;
mod solver;
mod unassigned;
mod values;
mod worklist;

pub use callgraph::{CallGraph, CallKind, CallSite, Callees, Resolve};
pub use components::components;
pub use effect_free::without_effects;
pub use library::{Calls, Content, External, Library, NoLibrary, Returned, Writes};
pub use liveness::live_at_starts;
pub use may_write::{Effects, MayWrite, Summary};
pub use object::{Object, Targets};
pub use offset::{Offset, TO_THE_END};
pub use points_to::{Limits, Pointees, PointsTo};
pub use program::{FunctionId, GlobalId, Program, World};
pub use reaching::{Definition, ReachingDefinitions};
pub use shape::{Shape, asserts, divides, may_die};
pub use slots::SlotSet;
pub use unassigned::unassigned_at_starts;
pub use values::Subject;
pub use worklist::{Direction, Lattice, Problem, Solution, solve};
