//! The face program: what stands in for compilers and linkers while a project builds. It is apart from the command
//! line because it must start fast, and that loads libLLVM.

use std::process::ExitCode;

fn main() -> ExitCode {
    whydunit_face::main(std::env::args_os().collect())
}
