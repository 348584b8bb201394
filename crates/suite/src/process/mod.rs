//! Runs one untrusted program within limits, and leaves nothing of it behind.
//!
//! The program runs below a keeper (a supervisor of its own, in `keeper.rs`; forked by `server.rs`), in a session of its own. The thread that runs it reads its outputs,
//! watches time, memory and number of the processes below the keeper, and at the end, or when a limit is hit, kills all
//! of them, wherever they moved. What is left behind after the program's end gets a moment to close the outputs.

mod interrupt;
mod keeper;
mod server;
mod tree;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use nix::unistd::Pid;

pub use interrupt::interrupts;
use keeper::{ENDED, FAILED, Keeper, Message, STARTED};
pub use server::{end, start_early};

/// How often the processes are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How long killing may take: a process can hang in the kernel.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file that is executed, absolute.
    pub executable: PathBuf,
    /// What it sees as its own name.
    pub arg0: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// Working folder.
    pub folder: PathBuf,
    /// Leave address randomisation as the system has it. Else it is switched off where permitted.
    pub randomise_addresses: bool,
}

/// Standard input of a program.
#[derive(Debug, Default)]
pub enum Stdin<'a> {
    /// /dev/null.
    #[default]
    Null,
    /// A file with these bytes.
    Bytes(&'a [u8]),
    /// The caller's own.
    Inherit,
}

/// Limits of a run. None: no limit.
///
/// There is no limit on address space by default: the recorder reserves terabytes of it. Memory and processes are
/// watched instead, several ten times a second.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    /// Wall time: then SIGTERM to all processes, after [`Limits::grace`] SIGKILL.
    pub time: Option<Duration>,
    /// Memory of all processes together, in bytes.
    pub memory: Option<u64>,
    /// Both outputs together, in bytes.
    pub output: u64,
    /// Processes at a time.
    pub processes: Option<usize>,
    /// Size of a file it writes (RLIMIT_FSIZE).
    pub file_size: Option<u64>,
    /// Address space of each process (RLIMIT_AS); not for recorded runs.
    pub address_space: Option<u64>,
    /// From SIGTERM to SIGKILL.
    pub grace: Duration,
    /// How long processes that outlive the program may still write to its outputs.
    pub leftovers: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Some(Duration::from_secs(10)),
            memory: Some(4 << 30),
            output: 16 << 20,
            processes: Some(64),
            file_size: Some(1 << 30),
            address_space: None,
            grace: Duration::from_millis(500),
            leftovers: Duration::from_secs(1),
        }
    }
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exit {
    /// With this status.
    Status(i32),
    /// Killed by this signal.
    Signal(i32),
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exit::Status(status) => write!(f, "exit status {status}"),
            Exit::Signal(signal) => f.write_str(&signal_name(*signal)),
        }
    }
}

/// The name of a signal, as SIGSEGV.
pub fn signal_name(signal: i32) -> String {
    match Signal::try_from(signal) {
        Ok(known) => known.as_str().to_string(),
        Err(_) => format!("signal {signal}"),
    }
}

/// Why a run was ended from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// The time limit.
    Time,
    /// It wrote too much.
    Output,
    /// It took too much memory.
    Memory,
    /// It had too many processes.
    Processes,
    /// The caller asked for it.
    Cancelled,
}

/// Which output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Stream {
    Stdout,
    Stderr,
}

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How the program ended.
    pub exit: Exit,
    /// What ended it, where it did not end by itself.
    pub stop: Option<Stop>,
    /// What it wrote, up to the limit.
    pub stdout: Vec<u8>,
    /// What it wrote there, up to the limit.
    pub stderr: Vec<u8>,
    /// From start to end of the program.
    pub time: Duration,
    /// Its process id.
    pub pid: i32,
    /// Processes that outlived it and were killed.
    pub left_behind: usize,
    /// The most memory seen, in bytes.
    pub peak_memory: u64,
    /// The most processes seen.
    pub peak_processes: usize,
}

impl Ended {
    /// That processes outlived the program `name`, in a sentence. Where it was stopped nobody expects otherwise.
    pub fn outlived(&self, name: &str) -> Option<String> {
        match self.left_behind {
            _ if self.stop.is_some() => None,
            0 => None,
            1 => Some(format!("{name}: a process that it started outlived it and was killed")),
            left => Some(format!("{name}: {left} processes that it started outlived it and were killed")),
        }
    }
}

/// Why a program did not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The system could not start it.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The executable.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its working folder is not there.
    #[error("cannot enter the working folder {}: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its supervision failed.
    #[error("lost {} while it ran: {detail}", program.display())]
    Lost {
        /// The executable.
        program: PathBuf,
        /// How.
        detail: String,
    },
}

/// Eyes and hands of the caller during a run.
#[derive(Default)]
pub struct Watch<'a> {
    /// Set by the caller to end the run.
    pub cancel: Option<&'a AtomicBool>,
    /// Is given all output as it comes.
    #[allow(clippy::type_complexity)]
    pub on_output: Option<&'a mut dyn FnMut(Stream, &[u8])>,
}

/// Runs `program` and waits for its end. Afterwards none of its processes is left.
pub fn run<'a>(program: &Program, stdin: Stdin<'_>, limits: &'a Limits, watch: Watch<'a>) -> Result<Ended, RunError> {
    let failed = |source| RunError::Start { program: program.executable.clone(), source };
    let stdin = open_stdin(stdin).map_err(failed)?;
    let keeper = keeper::start(program, &stdin, limits).map_err(failed)?;
    drop(stdin);
    for fd in [&keeper.messages, &keeper.stdout, &keeper.stderr] {
        set_nonblocking(fd);
    }
    let mut run = Run {
        keeper: Guard { keeper: keeper.pid, root: None },
        urgent: tree::Urgent::new(),
        limits,
        watch,
        began: Instant::now(),
        state: State::Running,
        pid: None,
        exit: None,
        ended_at: None,
        failure: None,
        stop: None,
        output: Default::default(),
        left_behind: 0,
        peak_memory: 0,
        peak_processes: 0,
        last_seen: Vec::new(),
    };
    run.watch_until_gone(keeper);
    run.result(program)
}

/// Where a run stands.
#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    /// The program runs.
    Running,
    /// It was sent SIGTERM; SIGKILL follows then.
    Terminating { until: Instant },
    /// It has ended; others may still hold its outputs until then.
    Draining { until: Instant },
    /// All are being killed.
    Killing { since: Instant },
}

/// Kills and reaps the keeper's processes even when the thread that watches them panics.
struct Guard {
    keeper: i32,
    root: Option<i32>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.keeper > 0 {
            let since = Instant::now();
            while since.elapsed() < PATIENCE {
                tree::kill_all(self.keeper, self.root);
                if server::reap(self.keeper) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

struct Run<'a> {
    keeper: Guard,
    urgent: tree::Urgent,
    limits: &'a Limits,
    watch: Watch<'a>,
    began: Instant,
    state: State,
    pid: Option<i32>,
    exit: Option<Exit>,
    ended_at: Option<Instant>,
    failure: Option<(i32, i32)>,
    stop: Option<Stop>,
    output: [Vec<u8>; 2],
    left_behind: usize,
    peak_memory: u64,
    peak_processes: usize,
    /// The processes at the last look.
    last_seen: Vec<i32>,
}

impl Run<'_> {
    fn watch_until_gone(&mut self, keeper: Keeper) {
        let mut messages = Some(File::from(keeper.messages));
        let mut outputs = [Some(File::from(keeper.stdout)), Some(File::from(keeper.stderr))];
        let mut pending = Vec::new();
        let mut next_tick = self.began + Duration::from_millis(2);
        while messages.is_some() {
            self.wait_for_input(&messages, &outputs, next_tick);
            for (number, output) in outputs.iter_mut().enumerate() {
                self.read_output(number, output);
            }
            drain(&mut messages, &mut pending);
            while let Some(message) = Message::take(&mut pending) {
                self.take_message(message);
            }
            let now = Instant::now();
            if now >= next_tick || matches!(self.state, State::Killing { .. }) {
                next_tick = now + TICK;
                self.look_at_processes();
            }
            self.advance(now, outputs.iter().all(Option::is_none));
            if matches!(self.state, State::Killing { since } if since.elapsed() > PATIENCE) {
                break;
            }
        }
        // All writers are dead: what they wrote lies in the pipes.
        for (number, output) in outputs.iter_mut().enumerate() {
            while self.read_output(number, output) {}
        }
    }

    fn wait_for_input(&self, messages: &Option<File>, outputs: &[Option<File>; 2], next_tick: Instant) {
        let mut until = next_tick;
        if let State::Terminating { until: other } | State::Draining { until: other } = self.state {
            until = until.min(other);
        }
        if matches!(self.state, State::Running)
            && let Some(limit) = self.limits.time
        {
            until = until.min(self.began + limit);
        }
        let mut wait = until.saturating_duration_since(Instant::now());
        if matches!(self.state, State::Killing { .. }) {
            wait = Duration::from_millis(1);
        }
        let files = messages.iter().chain(outputs.iter().flatten());
        let mut fds: Vec<PollFd> = files.map(|file| PollFd::new(file.as_fd(), PollFlags::POLLIN)).collect();
        // Rounded up: a wait of less than a millisecond must not become a busy loop.
        let millis = u16::try_from(wait.as_millis() + 1).unwrap_or(100);
        let _ = poll(&mut fds, PollTimeout::from(millis));
    }

    /// Reads once; whether there may be more. Beyond the limit nothing is kept.
    fn read_output(&mut self, number: usize, output: &mut Option<File>) -> bool {
        let Some(file) = output else { return false };
        let mut buffer = [0; 1 << 16];
        match file.read(&mut buffer) {
            Ok(0) => *output = None,
            Ok(n) => {
                let used = (self.output[0].len() + self.output[1].len()) as u64;
                let room = self.limits.output.saturating_sub(used).min(n as u64) as usize;
                let bytes = &buffer[..room];
                self.output[number].extend_from_slice(bytes);
                if let Some(on_output) = &mut self.watch.on_output {
                    on_output(if number == 0 { Stream::Stdout } else { Stream::Stderr }, bytes);
                }
                if room < n {
                    *output = None;
                    self.stop_now(Stop::Output);
                    return false;
                }
                return true;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => *output = None,
        }
        false
    }

    fn take_message(&mut self, message: Message) {
        match message.kind {
            STARTED => {
                self.pid = Some(message.a);
                self.keeper.root = self.pid;
            }
            FAILED => self.failure = Some((message.a, message.b)),
            ENDED => {
                let now = Instant::now();
                self.ended_at = Some(now);
                self.exit = Some(if libc::WIFSIGNALED(message.b) {
                    Exit::Signal(libc::WTERMSIG(message.b))
                } else {
                    Exit::Status(libc::WEXITSTATUS(message.b))
                });
                if self.state == State::Running {
                    self.state = State::Draining { until: now + self.limits.leftovers };
                }
            }
            _ => {}
        }
    }

    /// Counts and measures; kills what is left when it is time to.
    fn look_at_processes(&mut self) {
        let keeper = self.keeper.keeper;
        if matches!(self.state, State::Killing { .. }) {
            tree::kill_all(keeper, self.pid);
            return;
        }
        let most = self.limits.processes.unwrap_or(usize::MAX);
        let pids = tree::below(keeper, most);
        self.peak_processes = self.peak_processes.max(pids.len());
        if self.limits.processes.is_some_and(|limit| pids.len() > limit) {
            self.stop_now(Stop::Processes);
            return;
        }
        let memory = tree::memory(&pids);
        if !pids.is_empty() {
            self.last_seen = pids;
        }
        self.peak_memory = self.peak_memory.max(memory);
        if self.limits.memory.is_some_and(|limit| memory > limit) {
            self.stop_now(Stop::Memory);
        }
    }

    /// Kills everything at once because of `stop`.
    fn stop_now(&mut self, stop: Stop) {
        if self.exit.is_none() || stop == Stop::Output {
            self.stop.get_or_insert(stop);
        }
        self.kill();
    }

    fn kill(&mut self) {
        if !matches!(self.state, State::Killing { .. }) {
            self.state = State::Killing { since: Instant::now() };
        }
        self.urgent.keeper(self.keeper.keeper);
        tree::kill_all(self.keeper.keeper, self.pid);
    }

    fn advance(&mut self, now: Instant, outputs_closed: bool) {
        match self.state {
            State::Running if self.cancelled() => self.stop_now(Stop::Cancelled),
            State::Running if self.limits.time.is_some_and(|limit| now >= self.began + limit) => {
                self.stop = Some(Stop::Time);
                self.state = State::Terminating { until: now + self.limits.grace };
                tree::signal(self.keeper.keeper, Signal::SIGTERM);
                // A stopped process takes the signal only when it goes on.
                tree::signal(self.keeper.keeper, Signal::SIGCONT);
            }
            State::Terminating { until } if now >= until || self.exit.is_some() => self.kill(),
            State::Draining { until } if outputs_closed || now >= until || self.cancelled() => {
                self.left_behind = tree::below(self.keeper.keeper, usize::MAX).len();
                self.kill();
            }
            _ => {}
        }
    }

    fn cancelled(&self) -> bool {
        self.watch.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn result(mut self, program: &Program) -> Result<Ended, RunError> {
        let stuck = matches!(self.state, State::Killing { since } if since.elapsed() > PATIENCE);
        if !stuck {
            // It has closed its messages: it is about to end.
            while !server::reap(self.keeper.keeper) {
                std::thread::sleep(Duration::from_micros(100));
            }
        }
        // Gone, or beyond our reach: nothing for the guard to do. Where the keeper itself was killed its pid is reaped.
        self.keeper.keeper = 0;
        let lost = |detail: &str| RunError::Lost { program: program.executable.clone(), detail: detail.into() };
        if let Some((step, number)) = self.failure {
            let source = io::Error::from_raw_os_error(number);
            return Err(match step {
                keeper::STEP_FOLDER => RunError::Folder { folder: program.folder.clone(), source },
                keeper::STEP_FORK | keeper::STEP_EXEC => {
                    RunError::Start { program: program.executable.clone(), source }
                }
                _ => lost("unknown step"),
            });
        }
        if stuck {
            return Err(lost("some of its processes cannot be killed"));
        }
        let (Some(exit), Some(pid)) = (self.exit, self.pid) else {
            if let Some(pid) = self.pid {
                // The keeper's death kills the program; this gets the rest of its group, and what was seen last.
                let _ = nix::sys::signal::killpg(Pid::from_raw(pid), Signal::SIGKILL);
                for pid in self.last_seen {
                    let _ = nix::sys::signal::kill(Pid::from_raw(pid), Signal::SIGKILL);
                }
            }
            return Err(lost("its supervisor was killed"));
        };
        let [stdout, stderr] = self.output;
        Ok(Ended {
            exit,
            stop: self.stop,
            stdout,
            stderr,
            time: self.ended_at.unwrap_or_else(Instant::now) - self.began,
            pid,
            left_behind: self.left_behind,
            peak_memory: self.peak_memory,
            peak_processes: self.peak_processes,
        })
    }
}

/// Reads all there is; none afterwards when the other end is closed.
fn drain(file: &mut Option<File>, into: &mut Vec<u8>) {
    let mut buffer = [0; 256];
    while let Some(open) = file {
        match open.read(&mut buffer) {
            Ok(0) => *file = None,
            Ok(n) => into.extend_from_slice(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(_) => *file = None,
        }
    }
}

fn open_stdin(stdin: Stdin<'_>) -> io::Result<OwnedFd> {
    match stdin {
        Stdin::Null => Ok(File::open("/dev/null")?.into()),
        Stdin::Bytes(bytes) => {
            let mut file = tempfile::NamedTempFile::new()?;
            file.write_all(bytes)?;
            // Opened again: at the start, and read-only. The name goes with `file`.
            Ok(File::open(file.path())?.into())
        }
        #[expect(clippy::disallowed_methods, reason = "it is handed on, nothing is read from it")]
        Stdin::Inherit => io::stdin().as_fd().try_clone_to_owned(),
    }
}

fn set_nonblocking(fd: &OwnedFd) {
    // Safety: plain flag operations on a descriptor that is open. A failure leaves reads that block until there is data.
    unsafe {
        let flags = libc::fcntl(fd.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK);
    }
}
