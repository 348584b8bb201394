//! Signal numbers of Linux on x86-64.

pub(crate) const SIGILL: i32 = 4;
pub(crate) const SIGTRAP: i32 = 5;
pub(crate) const SIGABRT: i32 = 6;
pub(crate) const SIGBUS: i32 = 7;
pub(crate) const SIGFPE: i32 = 8;
pub(crate) const SIGSEGV: i32 = 11;
