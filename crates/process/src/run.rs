//! One run, from its start until nothing of it is left.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use nix::unistd::Pid;

use crate::keeper::{self, ENDED, FAILED, Message, STARTED};
use crate::start::{Keeper, start};
use crate::{Cancel, Ended, Exit, Limits, Program, RunError, Stdin, Stop, Stream, server, tree};

/// How often the processes are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How long killing may take: a process can hang in the kernel.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the caller hears of a run while it goes on, and how it ends it.
#[derive(Default)]
pub struct Watch<'a> {
    /// Ends the run once it is cancelled.
    pub cancel: Option<&'a Cancel>,
    /// Is given all output as it comes.
    #[allow(clippy::type_complexity)]
    pub on_output: Option<&'a mut dyn FnMut(Stream, &[u8])>,
}

/// Runs `program` and waits for its end. Afterwards none of its processes is left.
pub fn run<'a>(program: &Program, stdin: Stdin<'_>, limits: &'a Limits, watch: Watch<'a>) -> Result<Ended, RunError> {
    let failed = |source| RunError::Start { program: program.executable.clone(), source };
    let stdin = stdin.open().map_err(failed)?;
    let keeper = start(program, &stdin, limits).map_err(failed)?;
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
        work: Duration::ZERO,
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
    work: Duration,
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
        self.work = self.work.max(tree::work(&pids));
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
            State::Terminating { until } if now >= until || self.exit.is_some() || self.cancelled() => self.kill(),
            State::Draining { until } if outputs_closed || now >= until || self.cancelled() => {
                self.left_behind = tree::below(self.keeper.keeper, usize::MAX).len();
                self.kill();
            }
            _ => {}
        }
    }

    fn cancelled(&self) -> bool {
        self.watch.cancel.is_some_and(Cancel::is_cancelled)
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
            work: self.work,
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

fn set_nonblocking(fd: &OwnedFd) {
    // A failure leaves reads that block until there is data.
    let flags = fcntl(fd, FcntlArg::F_GETFL).map_or(OFlag::empty(), OFlag::from_bits_retain);
    let _ = fcntl(fd, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK));
}
