//! The face program: what stands in for compilers and linkers while a project builds. It is apart from the command
//! line because it must start fast, and that loads libLLVM.

use std::process::ExitCode;

fn main() -> ExitCode {
    // In the place of a program of the project, whose runs are observed.
    whydunit_observe::observer().unwrap_or_else(|| whydunit_face::main(std::env::args_os().collect()))
}
