//! The instrumented copies of a module: the record and spectrum flavours.
//!
//! [`record`] works on the canonical module that the program model was lowered from, so that sites, frames and
//! safepoints of both are the same; what the code then does at run time is docs/engine.md, section 3. [`spectrum`]
//! works on a freshly parsed module. [`emit_object`] optimises either and generates code, but for what [`leave_unoptimised`] names.
//!
//! Boundary: LLVM modules in, modules and objects out; no files, no processes.

mod cold;
mod emit;
mod guard;
mod hooks;
mod record;
mod safepoints;
mod spectrum;
mod stand_in;

pub use cold::leave_unoptimised;
pub use emit::{Optimization, emit_object};
pub use record::{Callee, NATIVE, native_name, record};
pub use spectrum::spectrum;

/// Why a module cannot be instrumented.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A pass, the verifier or the code generator failed.
    #[error("{step} of {module}: {source}")]
    Llvm {
        /// What was being done.
        step: &'static str,
        /// The module.
        module: String,
        /// LLVM's reason.
        source: whydunit_llvm::Error,
    },
    /// The identity is no content hash.
    #[error("the module id {0:?} is not 64 hexadecimal digits")]
    Id(String),
}
