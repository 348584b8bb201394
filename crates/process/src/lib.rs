//! Supervision of processes: runs one untrusted program within limits, and leaves nothing of it behind.
//!
//! [`run`] takes a [`Program`], its [`Stdin`], its [`Limits`] and a [`Watch`], and returns how it [`Ended`]. The program
//! runs below a *keeper* (a supervisor of its own, `keeper.rs`, forked by the server in `server.rs`), in a session of its
//! own. The thread that called [`run`] reads its outputs, watches time, memory and number of the processes below the
//! keeper, and at the end, or when a limit is hit, kills all of them, wherever they moved. What is left behind after the
//! program's end gets a moment to close the outputs.
//!
//! Beside it are the two things that whoever runs many programs needs: [`Cancel`], by which a request is asked to stop,
//! and [`Pool`], which does work for many items side by side. [`System`] tells what the kernel allows that recorded programs need.
//!
//! Invariants
//! - When [`run`] returns, no process that the program started lives, unless the kernel does not let it die: then the
//!   error says so. The same holds when the calling thread panics, and when the whole caller is killed.
//! - A [`Cancel`] that is cancelled ends a run at once: no wait in here goes on for longer than 20 ms without a look at it.
//! - Between fork and exec only calls are made that are safe there: no allocation, no locks.
//!
//! Boundary: nothing is known of tests, builds or recordings. This crate has the only `unsafe` code that deals with
//! processes; each block says why it is sound.

#![warn(clippy::undocumented_unsafe_blocks)]

mod cancel;
mod ended;
mod image;
mod interrupt;
mod keeper;
mod pool;
mod program;
mod run;
mod server;
mod start;
mod system;
mod tree;

pub use cancel::Cancel;
pub use ended::{Ended, Exit, RunError, Stop, Stream, signal_name};
pub use interrupt::interrupts;
pub use pool::Pool;
pub use program::{Limits, Program, Stdin};
pub use run::{Watch, run};
pub use server::{end, start_early};
pub use system::{System, free_space};
