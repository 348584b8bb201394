//! Solvers around solvers: each adds one thing and passes the rest on. They stack in any order.

mod cached;
mod dumped;
mod fallback;
mod limited;
mod timed;

pub use cached::Cached;
pub use dumped::Dumped;
pub use fallback::Fallback;
pub use limited::Limited;
pub use timed::{Figures, Timed};
