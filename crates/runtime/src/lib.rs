//! The runtime inside recorded programs.
//!
//! The runtime is C (folder `c`, interface `c/whydunit_rt.h`), compiled when this crate is, and carried in it as bytes:
//! - `libwhydunit_rt.so`, which record flavours are linked with;
//! - `libwhydunit_rt.a`, the same for static links (before the C library and `-lm`);
//! - `libwhydunit_spectrum.so` and `.a`, which spectrum flavours are linked with (they set up no shadow);
//! - `libwhydunit_redirect.so`, an `LD_PRELOAD` library that executes flavours in place of captured programs.
//!
//! Invariants
//! - The runtime has a wrapper `__wd_w_NAME` for each name that the table of `whydunit-library` says it has one for.
//! - This crate knows nothing of LLVM, recordings' files or replay; docs/engine.md says what binds them.

mod install;
mod replaced;
pub mod spectrum;

pub use install::{Installed, install};
pub use replaced::REPLACED;

/// The name of the note in captured files that holds their link id, and its type.
pub const NOTE: (&str, u32) = ("whydunit", 0x5744);

/// Exit status of a program that the runtime has ended: it cannot be recorded.
pub const EXIT_REFUSED: i32 = 125;
