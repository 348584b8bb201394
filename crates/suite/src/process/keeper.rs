//! Starts a program under a *keeper*: a forked child that is subreaper, so that whatever the program starts stays below
//! the keeper however often it forks, changes its group or starts sessions.
//!
//! Between fork and exec, and in the keeper for its whole life, only calls that are safe after a fork of a program with
//! threads are made: no allocation, no locks. Everything they need is prepared before.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicI32, Ordering};

use super::{Limits, Program};

/// What the keeper writes to its pipe.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(super) struct Message {
    /// [`STARTED`], [`FAILED`] or [`ENDED`].
    pub kind: i32,
    /// Process id, or the step that failed.
    pub a: i32,
    /// The error's number, or the wait status.
    pub b: i32,
}

pub(super) const STARTED: i32 = 1;
pub(super) const FAILED: i32 = 2;
pub(super) const ENDED: i32 = 3;

const MESSAGE_BYTES: usize = std::mem::size_of::<Message>();

/// Steps that can fail in the child, for [`FAILED`].
pub(super) const STEP_FORK: i32 = 1;
pub(super) const STEP_FOLDER: i32 = 2;
pub(super) const STEP_EXEC: i32 = 3;

impl Message {
    /// All whole messages at the start of `bytes`, which are removed.
    pub(super) fn take(bytes: &mut Vec<u8>) -> Option<Message> {
        if bytes.len() < MESSAGE_BYTES {
            return None;
        }
        let mut words = bytes.drain(..MESSAGE_BYTES).collect::<Vec<u8>>().into_iter();
        let mut word = || i32::from_ne_bytes([0; 4].map(|_: u8| words.next().unwrap_or(0)));
        Some(Message { kind: word(), a: word(), b: word() })
    }
}

/// A started keeper. It lives until nothing below it does.
pub(super) struct Keeper {
    pub pid: i32,
    /// Messages come here; closed when the keeper is gone.
    pub messages: OwnedFd,
    pub stdout: OwnedFd,
    pub stderr: OwnedFd,
}

/// Everything that exec needs, as C has it.
struct Prepared {
    program: CString,
    argv: Vec<*const libc::c_char>,
    envp: Vec<*const libc::c_char>,
    folder: CString,
    limits: [(libc::__rlimit_resource_t, Option<u64>); 4],
    randomise: bool,
    // What the pointers point into.
    _strings: Vec<CString>,
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, format!("`{}` contains a zero byte", text.display())))
}

fn prepare(program: &Program, limits: &Limits) -> io::Result<Prepared> {
    let mut strings = Vec::new();
    let mut argv = Vec::new();
    let mut envp = Vec::new();
    for arg in std::iter::once(&program.arg0).chain(&program.args) {
        strings.push(c_string(arg)?);
        argv.push(strings[strings.len() - 1].as_ptr());
    }
    for (name, value) in &program.env {
        let mut text = name.clone();
        text.push("=");
        text.push(value);
        strings.push(c_string(&text)?);
        envp.push(strings[strings.len() - 1].as_ptr());
    }
    argv.push(std::ptr::null());
    envp.push(std::ptr::null());
    Ok(Prepared {
        program: c_string(program.executable.as_os_str())?,
        argv,
        envp,
        folder: c_string(program.folder.as_os_str())?,
        limits: [
            (libc::RLIMIT_CORE, Some(0)),
            (libc::RLIMIT_FSIZE, limits.file_size),
            (libc::RLIMIT_AS, limits.address_space),
            (libc::RLIMIT_NPROC, limits.processes.and_then(super::tree::task_limit)),
        ],
        randomise: program.randomise_addresses,
        _strings: strings,
    })
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // Safety: `ends` has room for the two descriptors; both are ours when the call succeeds.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
            return Err(io::Error::last_os_error());
        }
        // The child ends must not fall on the standard descriptors, which the child overwrites.
        let lift = |fd: RawFd| {
            let lifted = libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 10);
            libc::close(fd);
            if lifted < 0 { Err(io::Error::last_os_error()) } else { Ok(OwnedFd::from_raw_fd(lifted)) }
        };
        let (read, write) = (lift(ends[0]), lift(ends[1]));
        Ok((read?, write?))
    }
}

/// Starts `program` under a keeper of its own.
pub(super) fn start(program: &Program, stdin: &OwnedFd, limits: &Limits) -> io::Result<Keeper> {
    let prepared = prepare(program, limits)?;
    let (out_read, out_write) = pipe()?;
    let (err_read, err_write) = pipe()?;
    let (messages, report) = pipe()?;
    // A standard descriptor of the caller's may be passed on; the child overwrites those in order.
    let stdin = stdin.try_clone()?;
    let stdin = if stdin.as_raw_fd() < 10 {
        // Safety: duplicates a descriptor that is open; the copy is ours.
        unsafe {
            match libc::fcntl(stdin.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 10) {
                fd if fd >= 0 => OwnedFd::from_raw_fd(fd),
                _ => return Err(io::Error::last_os_error()),
            }
        }
    } else {
        stdin
    };
    let fds = [stdin.as_raw_fd(), out_write.as_raw_fd(), err_write.as_raw_fd()];
    // Signals stay blocked over the fork: a handler of the caller's must not run in the keeper.
    // Safety: the sets are initialised by sigfillset and pthread_sigmask; the child calls only what is safe there.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let parent = libc::getpid();
        let pid = libc::fork();
        if pid == 0 {
            keep(&prepared, fds, report.as_raw_fd(), parent);
        }
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        if pid < 0 {
            return Err(error);
        }
        Ok(Keeper { pid, messages, stdout: out_read, stderr: err_read })
    }
}

/// In a keeper: the program's process id, also its group's.
static ROOT: AtomicI32 = AtomicI32::new(0);

/// The keeper's life, after the fork.
///
/// Safety: only in a fresh fork child; calls async-signal-safe functions only.
unsafe fn keep(prepared: &Prepared, fds: [RawFd; 3], report: RawFd, parent: i32) -> ! {
    unsafe {
        // A group of its own: keys pressed at the terminal are for the caller.
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        // Other threads' pipes came along with the fork: held open here, their ends would never be seen.
        close_others(&[fds[0], fds[1], fds[2], report]);
        for signal in 1..65 {
            libc::signal(signal, libc::SIG_DFL);
        }
        // When the caller dies, everything goes.
        libc::signal(libc::SIGTERM, cleanup as *const () as libc::sighandler_t);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM, 0, 0, 0);
        if libc::getppid() != parent {
            libc::_exit(1);
        }
        let keeper = libc::getpid();
        let root = libc::fork();
        if root == 0 {
            become_program(prepared, fds, report, keeper);
        }
        if root < 0 {
            say(report, FAILED, STEP_FORK, *libc::__errno_location());
            libc::_exit(1);
        }
        ROOT.store(root, Ordering::Relaxed);
        say(report, STARTED, root, 0);
        for fd in fds {
            libc::close(fd);
        }
        let mut mask: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut mask);
        libc::sigprocmask(libc::SIG_SETMASK, &mask, std::ptr::null_mut());
        loop {
            let mut status = 0;
            let pid = libc::waitpid(-1, &mut status, 0);
            if pid == root {
                say(report, ENDED, root, status);
            }
            if pid < 0 && *libc::__errno_location() == libc::ECHILD {
                libc::_exit(0);
            }
        }
    }
}

/// Kills all children, and those that they leave, until there are none.
extern "C" fn cleanup(_: libc::c_int) {
    // Safety: opens, reads, kills, waits: all async-signal-safe; the buffer is on the stack.
    unsafe {
        for _ in 0..10_000 {
            let mut text = [0u8; 4096];
            let fd = libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
            let got = if fd < 0 { 0 } else { libc::read(fd, text.as_mut_ptr().cast(), text.len()) };
            if fd < 0 {
                libc::kill(-ROOT.load(Ordering::Relaxed), libc::SIGKILL);
                break;
            }
            libc::close(fd);
            let mut pid = 0;
            for &byte in &text[..got.max(0) as usize] {
                if byte.is_ascii_digit() {
                    pid = pid * 10 + i32::from(byte - b'0');
                } else if pid > 0 {
                    libc::kill(pid, libc::SIGKILL);
                    pid = 0;
                }
            }
            if libc::waitpid(-1, std::ptr::null_mut(), 0) < 0 && *libc::__errno_location() == libc::ECHILD {
                break;
            }
        }
        libc::_exit(1);
    }
}

/// The child of the keeper turns into the program.
///
/// Safety: as [`keep`].
unsafe fn become_program(prepared: &Prepared, fds: [RawFd; 3], report: RawFd, keeper: i32) -> ! {
    unsafe {
        libc::setsid();
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
        if libc::getppid() != keeper {
            libc::_exit(127);
        }
        for (number, fd) in fds.into_iter().enumerate() {
            libc::dup2(fd, number as RawFd);
        }
        for (resource, limit) in prepared.limits {
            if let Some(limit) = limit {
                // Never above what the caller has.
                let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::getrlimit(resource, &mut now);
                let limit = limit.min(now.rlim_max);
                libc::setrlimit(resource, &libc::rlimit { rlim_cur: limit.min(now.rlim_cur), rlim_max: limit });
            }
        }
        if !prepared.randomise {
            // Refused in some containers: then addresses differ from run to run, which nothing depends on.
            let now = libc::personality(0xffff_ffff);
            if now >= 0 {
                libc::personality(now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            }
        }
        if libc::chdir(prepared.folder.as_ptr()) < 0 {
            say(report, FAILED, STEP_FOLDER, *libc::__errno_location());
            libc::_exit(127);
        }
        // Signal handlers are the defaults already; an ignored SIGPIPE or a blocked set must not be inherited.
        libc::signal(libc::SIGTERM, libc::SIG_DFL);
        let mut mask: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut mask);
        libc::sigprocmask(libc::SIG_SETMASK, &mask, std::ptr::null_mut());
        libc::execve(prepared.program.as_ptr(), prepared.argv.as_ptr(), prepared.envp.as_ptr());
        say(report, FAILED, STEP_EXEC, *libc::__errno_location());
        libc::_exit(127);
    }
}

/// Writes a message; whole, as it is shorter than what a pipe takes at once.
unsafe fn say(report: RawFd, kind: i32, a: i32, b: i32) {
    let message = Message { kind, a, b };
    unsafe {
        libc::write(report, (&raw const message).cast(), MESSAGE_BYTES);
    }
}

/// Closes all descriptors but `kept`.
unsafe fn close_others(kept: &[RawFd; 4]) {
    unsafe {
        let mut from = 0;
        loop {
            // The smallest kept one that is not below `from`.
            let mut next = RawFd::MAX;
            for &fd in kept {
                if fd >= from && fd < next {
                    next = fd;
                }
            }
            close_range(from, next - 1);
            if next == RawFd::MAX {
                return;
            }
            from = next + 1;
        }
    }
}

unsafe fn close_range(from: RawFd, to: RawFd) {
    if from > to {
        return;
    }
    unsafe {
        if libc::syscall(libc::SYS_close_range, from as libc::c_uint, to as libc::c_uint, 0) == 0 {
            return;
        }
        // Before Linux 5.9.
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        let end = limit.rlim_cur.min(1 << 20) as RawFd;
        for fd in from..=to.min(end) {
            libc::close(fd);
        }
    }
}
