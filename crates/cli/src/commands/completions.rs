//! `whydunit completions`

use clap::{Args, Command};
use clap_complete::Shell;

use super::printed;
use crate::exit::Exit;
use crate::failure::Failure;

/// Print a script that completes commands and options in a shell
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit completions bash > ~/.local/share/bash-completion/completions/whydunit\n  \
                        whydunit completions zsh > ~/.zfunc/_whydunit      where ~/.zfunc is in $fpath\n  \
                        whydunit completions fish > ~/.config/fish/completions/whydunit.fish\n\n\
                        `make install` and the packages install them."
)]
pub struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Prints the script for a command line.
pub fn run(args: &Completions, mut command: Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    printed(&script)
}
