//! The LLVM boundary: handles and calls of libLLVM 22 that the other crates use.
//!
//! Handles are plain copies of LLVM's pointers; they are valid as long as their [`Module`] (which owns its context)
//! lives. All `unsafe` of the compiler side stands in this crate. A handle of an erased value must not be used again:
//! that is the callers' duty, as in LLVM itself.

mod attributes;
mod builder;
mod constant;
mod construct;
mod debug;
mod handle;
mod instruction;
mod module;
mod passes;
mod target;
#[cfg(test)]
mod tests;
mod types;
mod value;

pub use attributes::*;
pub use builder::*;
pub use debug::*;
pub use handle::*;
pub use instruction::*;
pub use llvm_sys::LLVMVisibility as Visibility;
pub use module::{Error, Module};
pub use passes::*;
pub use target::*;
pub use types::*;
pub use value::*;
