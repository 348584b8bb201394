//! Rust: what syn reads of a source, and what rustc says of it.
//!
//! syn knows no types. They are asked of rustc: in a copy of the source each expression in question is given to a type of ours, which
//! is an error that names its own ([`questions`], [`asking`], [`Types`]). What cannot be told by kinds of values alone (borrows, moves,
//! traits) is left to the compile of the candidates, each of which stands on a line of its own ([`refused`]).

mod asking;
mod calls;
mod declared;
mod functions;
mod kinds;
mod leaving;
mod local;
mod messages;
mod missing;
mod pure;
mod reading;
mod schemata;
mod siblings;
mod sites;
mod sound;
mod types;
mod walk;
mod writing;

pub use asking::{asking, questions};
pub use calls::calls;
pub use declared::Declared;
pub use functions::{Source, statements};
pub(crate) use schemata::text as schemata;
pub use schemata::{Refused, lenient, refused};
pub(crate) use siblings::siblings;
pub use sites::sites;
pub(crate) use sound::sound;
pub use types::{Question, Types};
pub(crate) use writing::written;
