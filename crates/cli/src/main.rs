//! The `whydunit` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    whydunit::run(std::env::args_os().collect())
}
