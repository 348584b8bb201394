//! The `whydunit` command.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Stands in for the C library's, also for LLVM, which spends a quarter of the time for a flavour in that one.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    whydunit::run(std::env::args_os().collect())
}
