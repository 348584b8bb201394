//! The observer: started in the place of a program, it starts that one.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};

use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use crate::folder::{Folder, LIBRARIES_VARIABLE, OPENED_VARIABLE, RUN_VARIABLE};
use crate::streams::{self, Input};
use crate::{Error, log};

pub(crate) const DESCRIPTION: &str = "run.json";
pub(crate) const STDIN: &str = "stdin";
pub(crate) const STDOUT: &str = "stdout";
pub(crate) const OPENED: &str = "opened";

/// Signals that whoever started the program sends to it, and that the observer gets.
const PASSED_ON: &[i32] = &[SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM];

/// What is written down of a run, besides its input, its output and what it opened. Texts are bytes, as the system has them.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct Description {
    pub program: Vec<u8>,
    pub args: Vec<Vec<u8>>,
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    pub folder: Vec<u8>,
    /// The file that standard input is.
    pub stdin: Option<Vec<u8>>,
    /// The file that standard output is.
    pub stdout: Option<Vec<u8>>,
    /// Standard error goes where standard output goes.
    pub mixed: bool,
    /// The process, its parent, and so on.
    pub processes: Vec<u32>,
    /// Nanoseconds of the monotonic clock.
    pub start: u64,
    pub status: Option<i32>,
    pub signal: Option<i32>,
}

/// Where this program is an observer: runs the program that it stands for; how it ended. `None` where it is something else.
pub fn observer() -> Option<ExitCode> {
    let own = std::env::current_exe().ok()?;
    let folder = Folder::of_observer(&own)?;
    let id = own.file_name()?.to_str()?.to_owned();
    Some(match observe(&folder, &id) {
        Ok(status) => ended(status),
        Err(error) => {
            use io::Write;
            writeln!(io::stderr(), "whydunit: the program cannot be observed: {error}").ok();
            ExitCode::from(EXIT_REFUSED)
        }
    })
}

/// As a shell says that a program cannot be run.
const EXIT_REFUSED: u8 = 126;

/// Ends as the program ended.
fn ended(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal() {
        // The program's own core is enough.
        setrlimit(Resource::RLIMIT_CORE, 0, 0).ok();
        signal_hook::low_level::emulate_default_handler(signal).ok();
        // Not deadly by itself: as shells tell it.
        return ExitCode::from(128u8.saturating_add(signal as u8));
    }
    ExitCode::from(status.code().unwrap_or(1) as u8)
}

/// Nanoseconds of the monotonic clock.
fn now() -> u64 {
    clock_gettime(ClockId::CLOCK_MONOTONIC)
        .map(|time| time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64)
        .unwrap_or(0)
}

fn observe(folder: &Folder, id: &str) -> Result<ExitStatus, Error> {
    let program = folder.program(id)?;
    let start = now();
    let place = folder.runs().join(format!("{start:020}-{}", std::process::id()));
    fs::create_dir(&place).map_err(Error::io(&place))?;
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_else(|| program.clone().into());
    let args: Vec<OsString> = arguments.collect();
    let env = own_environment();
    let here = std::env::current_dir().map_err(Error::io(Path::new(".")))?;
    let input = streams::input(&place.join(STDIN)).map_err(Error::io(&place))?;
    let mixed = streams::is_mixed();
    let description = |status: Option<ExitStatus>| Description {
        program: program.as_os_str().as_bytes().to_vec(),
        args: args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        env: env.iter().map(|(name, value)| (name.clone().into_vec(), value.clone().into_vec())).collect(),
        folder: here.as_os_str().as_bytes().to_vec(),
        stdin: match &input {
            Input::File(path) => Some(path.as_os_str().as_bytes().to_vec()),
            _ => None,
        },
        stdout: streams::output_file().map(|path| path.into_os_string().into_vec()),
        mixed,
        processes: log::ancestors(std::process::id()),
        start,
        status: status.and_then(|status| status.code()),
        signal: status.and_then(|status| status.signal()),
    };
    let write = |description: &Description| {
        let path = place.join(DESCRIPTION);
        let text = serde_json::to_vec(description).map_err(|error| Error::Damaged(path.clone(), error))?;
        fs::write(&path, text).map_err(Error::io(&path))
    };
    // Before it starts: its parents may end before it does.
    let before = description(None);
    write(&before)?;

    let mut command = Command::new(&program);
    command.arg0(&name).args(&args).env_clear().envs(env.iter().map(|(name, value)| (name, value)));
    command.env("LD_PRELOAD", preload()).env(RUN_VARIABLE, "1").env(OPENED_VARIABLE, place.join(OPENED));
    let status = run(command, &input, mixed, &place).map_err(Error::io(&program))?;
    write(&Description { processes: before.processes, ..description(Some(status)) })?;
    Ok(status)
}

/// The environment without what is ours.
fn own_environment() -> Vec<(OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| name != "LD_PRELOAD" && !name.as_bytes().starts_with(b"WHYDUNIT_")).collect()
}

/// What the program loads: the library that tells what it opens, and what was asked for besides ours.
fn preload() -> OsString {
    let mut list = std::env::var_os(LIBRARIES_VARIABLE).unwrap_or_default();
    let all = std::env::var_os("LD_PRELOAD").unwrap_or_default();
    for library in all.as_bytes().split(|byte| *byte == b':').filter(|library| !library.is_empty()) {
        let library = OsStr::from_bytes(library);
        let ours = Path::new(library).file_name().is_some_and(|name| name.as_bytes().starts_with(b"libwhydunit_"));
        if !ours {
            list.push(":");
            list.push(library);
        }
    }
    list
}

/// Runs it; its input and output are passed on, and signals that come.
fn run(mut command: Command, input: &Input, mixed: bool, place: &Path) -> io::Result<ExitStatus> {
    if matches!(input, Input::Pipe) {
        command.stdin(Stdio::piped());
    }
    let mut output = None;
    if !streams::is_terminal() {
        let (reader, writer) = io::pipe()?;
        if mixed {
            command.stderr(writer.try_clone()?);
        }
        command.stdout(writer);
        output = Some(reader);
    }
    let ignored = ignored_signals();
    let mut signals = Signals::new(PASSED_ON.iter().filter(|signal| ignored >> (**signal - 1) & 1 == 0))?;
    let mut child = command.spawn()?;
    // Our own ends of the pipes go with it.
    drop(command);
    let pid = Pid::from_raw(child.id() as i32);
    std::thread::spawn(move || {
        for signal in signals.forever() {
            kill(pid, Signal::try_from(signal).ok()).ok();
        }
    });
    feed(&mut child, place.join(STDIN));
    if let Some(output) = output {
        // Closed where nobody reads any more: the program gets SIGPIPE, as it would have.
        match streams::pass_output(output, &place.join(STDOUT)) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
            _ => {}
        }
    }
    child.wait()
}

/// The signals that whoever started this program had made it ignore, a bit each, as its number less one.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Passes standard input on, besides. It goes on for as long as the observer does.
fn feed(child: &mut Child, copy: PathBuf) {
    if let Some(to) = child.stdin.take() {
        std::thread::spawn(move || streams::pass_input(to, &copy));
    }
}
