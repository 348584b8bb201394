//! C and C++: what clang's syntax tree says of a source.

mod angelic;
mod ast;
mod calls;
mod clang;
mod leaving;
mod missing;
mod schemata;
mod scope;
mod sites;
mod statements;

pub use angelic::{ANGEL, Input, Looked, angelic, line_of_angel};
pub use calls::calls;
pub use clang::{Compile, errors, functions};
pub(crate) use schemata::{head, text as schemata};
pub use scope::Surroundings;
pub use sites::sites;
pub use statements::statements;
