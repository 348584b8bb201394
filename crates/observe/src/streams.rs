//! What a program reads and writes, passed on and written down.
// In the place of a program: its input is the observer's own.
#![allow(clippy::disallowed_methods)]

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use nix::sys::stat::{SFlag, fstat};

/// Bytes that are moved at a time.
const BLOCK: usize = 1 << 16;

/// How a program gets its standard input.
pub(crate) enum Input {
    /// It has none that can be written down: none at all, a device, a terminal.
    Own,
    /// A file, which it reads itself; what there is from where it stands on is written down.
    File(PathBuf),
    /// A pipe: what comes is passed on.
    Pipe,
}

fn link(fd: u8) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{fd}")).ok()
}

/// What standard input is. Of a file the rest is copied to `copy`.
pub(crate) fn input(copy: &Path) -> io::Result<Input> {
    let Ok(stat) = fstat(io::stdin().as_fd()) else { return Ok(Input::Own) };
    match SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT {
        SFlag::S_IFREG => {
            let at = position(0).unwrap_or(0);
            let mut file = File::open("/proc/self/fd/0")?;
            io::Seek::seek(&mut file, io::SeekFrom::Start(at))?;
            io::copy(&mut file, &mut File::create(copy)?)?;
            Ok(Input::File(link(0).unwrap_or_default()))
        }
        SFlag::S_IFIFO | SFlag::S_IFSOCK => Ok(Input::Pipe),
        _ => Ok(Input::Own),
    }
}

/// Where a descriptor's file stands.
fn position(fd: u8) -> Option<u64> {
    let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{fd}")).ok()?;
    info.lines().find_map(|line| line.strip_prefix("pos:")?.trim().parse().ok())
}

/// The file that standard output is; `None` where it is none.
pub(crate) fn output_file() -> Option<PathBuf> {
    let stat = fstat(io::stdout().as_fd()).ok()?;
    let regular = SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT == SFlag::S_IFREG;
    regular.then(|| link(1)).flatten()
}

/// Whether standard output and standard error are one: what is printed there is mixed.
pub(crate) fn is_mixed() -> bool {
    link(1).is_some_and(|one| Some(one) == link(2))
}

/// Whether what is printed can be written down: a terminal shows another program than a pipe does.
pub(crate) fn is_terminal() -> bool {
    io::IsTerminal::is_terminal(&io::stdout())
}

/// Passes all that comes from `from` on to standard output, and to `copy`. Ends where nobody reads it any more.
pub(crate) fn pass_output(from: impl Read, copy: &Path) -> io::Result<()> {
    // Not through Rust's buffer of lines.
    pass(from, File::from(io::stdout().as_fd().try_clone_to_owned()?), copy)
}

/// Passes standard input on to `to`, and to `copy`, as long as the program reads it.
pub(crate) fn pass_input(to: impl Write, copy: &Path) -> io::Result<()> {
    pass(File::from(io::stdin().as_fd().try_clone_to_owned()?), to, copy)
}

fn pass(mut from: impl Read, mut to: impl Write, copy: &Path) -> io::Result<()> {
    let mut copy = File::create(copy)?;
    let mut block = vec![0; BLOCK];
    loop {
        match from.read(&mut block)? {
            0 => return Ok(()),
            n => {
                copy.write_all(&block[..n])?;
                to.write_all(&block[..n])?;
            }
        }
    }
}
