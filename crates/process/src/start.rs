//! Starts a program under a keeper (`keeper.rs`), by the server (`server.rs`).

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use crate::image::image;
use crate::{Limits, Program, server};

/// A started keeper. It lives until nothing below it does.
pub(crate) struct Keeper {
    pub pid: i32,
    /// Messages come here; closed when the keeper is gone.
    pub messages: OwnedFd,
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(nix::unistd::pipe2(nix::fcntl::OFlag::O_CLOEXEC)?)
}

/// Starts `program` under a keeper of its own.
pub(crate) fn start(program: &Program, stdin: &OwnedFd, limits: &Limits) -> io::Result<Keeper> {
    let image = image(program, limits)?;
    let (out_read, out_write) = pipe()?;
    let (err_read, err_write) = pipe()?;
    let (messages, report) = pipe()?;
    let fds = [&stdin, &&out_write, &&err_write, &&report].map(|fd| fd.as_raw_fd());
    let pid = server::start(&image, fds)?;
    Ok(Keeper { pid, messages, stdout: out_read, stderr: err_read })
}
