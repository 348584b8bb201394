//! `whydunit lsp`

use std::io::BufReader;

use clap::Args;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;

/// Show in an editor what the commands find
///
/// Serves the Language Server Protocol on standard input and output, for an editor to start beside its other servers: misuse,
/// failures, suspicious statements, and the values of variables in the failing run.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  whydunit lsp    for an editor that starts it\n\nHow editors are set up stands in the manual: docs/book/src/lsp.md"
)]
pub struct Lsp {}

/// Serves until the client says that it ends.
pub fn run(session: &Session, _: &Lsp) -> Result<Exit, Failure> {
    let input = BufReader::new(std::io::stdin());
    let served = whydunit_language::serve(input, std::io::stdout(), &session.desk.project);
    let orderly = served
        .map_err(|error| Failure::usage(error).advice("this command is for editors: see docs/book/src/lsp.md"))?;
    // As the protocol has it: who ends without having said so before has failed.
    Ok(if orderly { Exit::Success } else { Exit::Findings })
}
