//! `whydunit dap`

use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener};

use clap::Args;
use whydunit_desk::Error;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;

/// Debug a recording in an editor, forwards and backwards
///
/// Serves the Debug Adapter Protocol on standard input and output, for an editor to start: it opens the recording of a test
/// where the test failed, steps back from there, and tells what a value comes from.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit dap              for an editor that starts it\n  whydunit dap --port 4711  for editors that connect to it, one after the other\n\
                  How editors are set up stands in the manual: docs/book/src/dap.md"
)]
pub struct Dap {
    /// Wait for clients at this port of the machine's own address, one after the other; 0: any free one, which is told
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
}

/// Serves until the client disconnects; on a port until it is ended.
pub fn run(session: &Session, args: &Dap) -> Result<Exit, Failure> {
    let project = &session.desk.project;
    let protocol = |error| Failure::usage(error).advice("this command is for editors: see docs/book/src/dap.md");
    let Some(port) = args.port else {
        let input = BufReader::new(std::io::stdin());
        whydunit_adapter::serve(input, std::io::stdout(), project).map_err(protocol)?;
        return Ok(Exit::Success);
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(Error::from)?;
    let address = listener.local_addr().map_err(Error::from)?;
    writeln!(std::io::stderr(), "waiting for an editor at {address}").ok();
    for client in listener.incoming() {
        let client = client.map_err(Error::from)?;
        let input = BufReader::new(client.try_clone().map_err(Error::from)?);
        let whole = client.try_clone().map_err(Error::from)?;
        // What one client does wrong does not concern the next.
        if let Err(error) = whydunit_adapter::serve(input, client, project) {
            writeln!(std::io::stderr(), "{error}").ok();
        }
        // It may be gone already.
        whole.shutdown(Shutdown::Both).ok();
        if session.desk.is_cancelled() {
            break;
        }
    }
    Ok(Exit::Success)
}
