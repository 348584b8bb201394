//! The life of a *keeper*: a child of the server (`server.rs`) that is subreaper, so that whatever the program below it
//! starts stays below the keeper however often it forks, changes its group or starts sessions.
//!
//! Between fork and exec, and in the keeper for its whole life, only calls that are safe after a fork of a program with
//! threads are made: no allocation, no locks. Everything they need is prepared before.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::image::Prepared;

/// Descriptors that a keeper is given: standard input, outputs, where the keeper reports to, and the image.
pub(crate) const DESCRIPTORS: usize = 5;

/// What the keeper writes to its pipe.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Message {
    /// [`STARTED`], [`FAILED`] or [`ENDED`].
    pub kind: i32,
    /// Process id, or the step that failed.
    pub a: i32,
    /// The error's number, or the wait status.
    pub b: i32,
}

pub(crate) const STARTED: i32 = 1;
pub(crate) const FAILED: i32 = 2;
pub(crate) const ENDED: i32 = 3;

const MESSAGE_BYTES: usize = std::mem::size_of::<Message>();

/// Steps that can fail in the child, for [`FAILED`].
pub(crate) const STEP_FORK: i32 = 1;
pub(crate) const STEP_FOLDER: i32 = 2;
pub(crate) const STEP_EXEC: i32 = 3;

impl Message {
    /// All whole messages at the start of `bytes`, which are removed.
    pub(crate) fn take(bytes: &mut Vec<u8>) -> Option<Message> {
        if bytes.len() < MESSAGE_BYTES {
            return None;
        }
        let mut words = bytes.drain(..MESSAGE_BYTES).collect::<Vec<u8>>().into_iter();
        let mut word = || i32::from_ne_bytes([0; 4].map(|_: u8| words.next().unwrap_or(0)));
        Some(Message { kind: word(), a: word(), b: word() })
    }
}

/// In a keeper: the program's process id, also its group's.
static ROOT: AtomicI32 = AtomicI32::new(0);

/// The error of the last call.
pub(crate) fn errno() -> i32 {
    // SAFETY: the address is this thread's own number, and valid for as long as the thread lives.
    unsafe { *libc::__errno_location() }
}

/// The keeper's life, after the fork: `fds` are the program's standard ones, where to report to, and the image of `bytes`
/// bytes.
///
/// # Safety
/// Only in a fresh fork child, which has one thread, and with open descriptors.
pub(crate) unsafe fn keep(fds: [RawFd; DESCRIPTORS], bytes: usize, parent: i32) -> ! {
    let [stdin, stdout, stderr, report, image] = fds;
    let fds = [stdin, stdout, stderr];
    // SAFETY: system calls on plain numbers, all async-signal-safe. The image is the one that was made for this program,
    // whole, as a memory file; the descriptors that are closed are used by nobody any more; the handler makes only
    // async-signal-safe calls; the child of the fork makes only such calls, too.
    unsafe {
        // A group of its own: keys pressed at the terminal are for the caller.
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        let Some(prepared) = Prepared::map(image, bytes) else {
            say(report, FAILED, STEP_FORK, errno());
            libc::_exit(1);
        };
        // The server's own socket, and the image.
        close_others(&[stdin, stdout, stderr, report]);
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
            say(report, FAILED, STEP_FORK, errno());
            libc::_exit(1);
        }
        ROOT.store(root, Ordering::Relaxed);
        say(report, STARTED, root, 0);
        for fd in fds {
            libc::close(fd);
        }
    }
    bury(report)
}

/// Waits for everything below this keeper, and reports the program's end.
fn bury(report: RawFd) -> ! {
    // SAFETY: as in `keep`; the mask and the status are ours.
    unsafe {
        unblock_signals();
        loop {
            let mut status = 0;
            let pid = libc::waitpid(-1, &mut status, 0);
            if pid > 0 && pid == ROOT.load(Ordering::Relaxed) {
                say(report, ENDED, pid, status);
            }
            if pid < 0 && errno() == libc::ECHILD {
                libc::_exit(0);
            }
        }
    }
}

/// Lets all signals come, whatever the caller had blocked.
fn unblock_signals() {
    // SAFETY: a set of zeroes is a valid value to be overwritten, and lives through the calls.
    unsafe {
        let mut mask: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut mask);
        libc::sigprocmask(libc::SIG_SETMASK, &mask, std::ptr::null_mut());
    }
}

/// Kills all children, and those that they leave, until there are none.
extern "C" fn cleanup(_: libc::c_int) {
    // SAFETY: opens, reads, kills, waits: all async-signal-safe, as a handler must be; the buffer is on the stack.
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
            if libc::waitpid(-1, std::ptr::null_mut(), 0) < 0 && errno() == libc::ECHILD {
                break;
            }
        }
        libc::_exit(1);
    }
}

/// The child of the keeper turns into the program.
///
/// # Safety
/// Only in a fresh fork child, which has one thread, and with open descriptors.
unsafe fn become_program(prepared: Prepared, fds: [RawFd; 3], report: RawFd, keeper: i32) -> ! {
    // SAFETY: system calls on plain numbers and on structures on the stack, all async-signal-safe; the texts and tables are
    // those of the image, which ends each with a zero.
    unsafe {
        libc::setsid();
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
        if libc::getppid() != keeper {
            libc::_exit(127);
        }
        for (number, fd) in fds.into_iter().enumerate() {
            libc::dup2(fd, number as RawFd);
        }
        for (resource, limit) in prepared.limits() {
            // Never above what the caller has.
            let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::getrlimit(resource, &mut now);
            let limit = limit.min(now.rlim_max);
            if resource == libc::RLIMIT_STACK {
                // It may be larger than usual, as far as that is allowed.
                libc::setrlimit(resource, &libc::rlimit { rlim_cur: limit, rlim_max: now.rlim_max });
                continue;
            }
            libc::setrlimit(resource, &libc::rlimit { rlim_cur: limit.min(now.rlim_cur), rlim_max: limit });
        }
        if !prepared.randomise() {
            // Refused in some containers: then addresses differ from run to run, which nothing depends on.
            let now = libc::personality(0xffff_ffff);
            if now >= 0 {
                libc::personality(now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            }
        }
        if libc::chdir(prepared.folder()) < 0 {
            say(report, FAILED, STEP_FOLDER, errno());
            libc::_exit(127);
        }
        // Signal handlers are the defaults already; an ignored SIGPIPE or a blocked set must not be inherited.
        libc::signal(libc::SIGTERM, libc::SIG_DFL);
        unblock_signals();
        libc::execve(prepared.executable(), prepared.arguments(), prepared.variables());
        say(report, FAILED, STEP_EXEC, errno());
        libc::_exit(127);
    }
}

/// Writes a message; whole, as it is shorter than what a pipe takes at once.
fn say(report: RawFd, kind: i32, a: i32, b: i32) {
    let message = Message { kind, a, b };
    // SAFETY: the message is plain data without padding, and lives through the call.
    unsafe {
        libc::write(report, (&raw const message).cast(), MESSAGE_BYTES);
    }
}

/// Closes all descriptors but `kept`.
///
/// # Safety
/// As [`close_range`].
unsafe fn close_others(kept: &[RawFd; 4]) {
    let mut from = 0;
    loop {
        // The smallest kept one that is not below `from`.
        let mut next = RawFd::MAX;
        for &fd in kept {
            if fd >= from && fd < next {
                next = fd;
            }
        }
        // SAFETY: what the caller promises, for each range.
        unsafe { close_range(from, next - 1) };
        if next == RawFd::MAX {
            return;
        }
        from = next + 1;
    }
}

/// Closes the descriptors of a range, ends included.
///
/// # Safety
/// Nobody in this process uses or owns one of them any more.
pub(crate) unsafe fn close_range(from: RawFd, to: RawFd) {
    if from > to {
        return;
    }
    // SAFETY: system calls on plain numbers; what is closed belongs to nobody, as the caller promises.
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
