//! What objects do in a run, as a stream of events (Dallmeier, "Mining and Checking Object Behavior", appendix B, is its ancestor).
//!
//! A stream tells of classes, methods and fields before it uses them, then what happens: objects come to be, move and end, methods
//! start and end, fields change, memory is written. It is an iterator in a process, and a file: binary, or a JSON object a line.
//!
//! Invariants
//! - What a stream refers to was told before in the same stream; [`check`] says where that does not hold.
//! - A stream that was written and read is the same stream, in either form.
//!
//! Boundary: nothing of compilers, recordings or languages. Whatever traces a program may write such a stream.

mod check;
mod event;
mod file;
mod filter;
mod live;
mod tables;

pub use check::{Broken, check};
pub use event::{End, Event, ObjectId, Value, Written};
pub use file::{FileError, Form, VERSION, read, write};
pub use filter::of_classes;
pub use live::Live;
pub use tables::{
    Class, ClassId, Field, FieldId, FieldKind, Method, MethodId, MethodRole, Position, Run, SourceFile, SourceId,
};
