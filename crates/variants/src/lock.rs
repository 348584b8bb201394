//! The versions of dependencies that cargo would have chosen on a day.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use whydunit_changes::{File, Mode, Tree};
use whydunit_process::{Cancel, Exit, Limits, Program, Stdin, Watch, run};

use crate::Error;

/// The name of the file in which cargo keeps what it chose.
pub const LOCK: &str = "Cargo.lock";
/// Asking the registry may take so long.
const TIME: Duration = Duration::from_secs(300);

/// The lock file of a project as of a time, `2026-01-31T00:00:00Z`, chosen in `folder`, which is emptied. `None` where it is no package of
/// cargo's at its top, where it has a lock file of its own, or where cargo cannot choose so.
pub(crate) fn of_day(version: &Tree, time: &str, folder: &Path, cancel: &Cancel) -> Result<Option<File>, Error> {
    if !version.files.contains_key("Cargo.toml") || version.files.contains_key(LOCK) {
        return Ok(None);
    }
    let Some(cargo) = whydunit_suite::find_program(Path::new("cargo")) else { return Ok(None) };
    crate::bench::emptied(folder)?;
    version.lay_out(folder, &Tree::default())?;
    let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    // Choosing by day is not yet among what cargo promises to keep.
    env.push(("RUSTC_BOOTSTRAP".into(), "1".into()));
    let words = ["generate-lockfile", "-Zunstable-options", "--publish-time", time];
    let program = Program {
        arg0: cargo.clone().into(),
        executable: cargo,
        args: words.map(OsString::from).into(),
        env,
        folder: folder.to_path_buf(),
        randomise_addresses: true,
    };
    let limits = Limits { time: Some(TIME), memory: None, processes: None, file_size: None, ..Limits::default() };
    let ended = run(&program, Stdin::Null, &limits, Watch { cancel: Some(cancel), on_output: None })?;
    Error::of_cancelled(cancel)?;
    if ended.exit != Exit::Status(0) || ended.stop.is_some() {
        return Ok(None);
    }
    Ok(fs::read(folder.join(LOCK)).ok().map(|bytes| File { bytes: bytes.into(), mode: Mode::Plain }))
}
