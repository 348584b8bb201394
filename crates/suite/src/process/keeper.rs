//! Starts a program under a *keeper*: a child of the server (`server.rs`) that is subreaper, so that whatever the program starts stays below
//! the keeper however often it forks, changes its group or starts sessions.
//!
//! Between fork and exec, and in the keeper for its whole life, only calls that are safe after a fork of a program with
//! threads are made: no allocation, no locks. Everything they need is prepared before.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicI32, Ordering};

use super::server::{self, DESCRIPTORS};
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

/// Limits that the program itself has, in the order of an image.
const RESOURCES: [libc::__rlimit_resource_t; 4] =
    [libc::RLIMIT_CORE, libc::RLIMIT_FSIZE, libc::RLIMIT_AS, libc::RLIMIT_NPROC];
/// Words before the tables of an image: the numbers of arguments and variables, where program and folder stand, whether addresses
/// are random, and each limit with a word before it that says whether there is one.
const WORDS: usize = 5 + 2 * RESOURCES.len();
const WORD: usize = std::mem::size_of::<u64>();

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, format!("`{}` contains a zero byte", text.display())))
}

/// What exec needs, as one block: words, then the tables of arguments and variables with the places of their texts (0 ends a table), then the
/// texts. Where the block lies is added to the places by who uses it.
fn image(program: &Program, limits: &Limits) -> io::Result<Vec<u8>> {
    let arguments = std::iter::once(&program.arg0).chain(&program.args);
    let arguments = arguments.map(|text| c_string(text)).collect::<io::Result<Vec<_>>>()?;
    let mut variables = Vec::new();
    for (name, value) in &program.env {
        let mut text = name.clone();
        text.push("=");
        text.push(value);
        variables.push(c_string(&text)?);
    }
    let limits = [Some(0), limits.file_size, limits.address_space, limits.processes.and_then(super::tree::task_limit)];
    let start = WORD * (WORDS + arguments.len() + 1 + variables.len() + 1);
    let mut texts: Vec<u8> = Vec::new();
    let mut place = |text: &CString| {
        let at = start + texts.len();
        texts.extend(text.as_bytes_with_nul());
        at as u64
    };
    let mut words = vec![arguments.len() as u64, variables.len() as u64];
    words.push(place(&c_string(program.executable.as_os_str())?));
    words.push(place(&c_string(program.folder.as_os_str())?));
    words.push(program.randomise_addresses.into());
    words.extend(limits.iter().flat_map(|limit| [limit.is_some().into(), limit.unwrap_or(0)]));
    words.extend(arguments.iter().map(&mut place));
    words.push(0);
    words.extend(variables.iter().map(&mut place));
    words.push(0);
    let mut out: Vec<u8> = words.into_iter().flat_map(u64::to_ne_bytes).collect();
    out.extend(texts);
    Ok(out)
}

/// What exec needs, as C has it: an image in memory.
#[derive(Clone, Copy)]
struct Prepared {
    words: *mut u64,
}

impl Prepared {
    /// Maps an image, and makes its places addresses. None where that fails.
    ///
    /// Safety: `file` holds an image of so many bytes.
    unsafe fn map(file: RawFd, bytes: usize) -> Option<Self> {
        unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let at = libc::mmap(std::ptr::null_mut(), bytes, access, libc::MAP_PRIVATE, file, 0);
            if at == libc::MAP_FAILED {
                return None;
            }
            let words: *mut u64 = at.cast();
            let tables = *words + 1 + *words.add(1) + 1;
            for place in [2, 3].into_iter().chain(WORDS..WORDS + tables as usize) {
                if *words.add(place) != 0 {
                    *words.add(place) += at as u64;
                }
            }
            Some(Self { words })
        }
    }

    unsafe fn text(self, word: usize) -> *const libc::c_char {
        unsafe { *self.words.add(word) as *const libc::c_char }
    }

    unsafe fn arguments(self) -> *const *const libc::c_char {
        unsafe { self.words.add(WORDS).cast_const().cast() }
    }

    unsafe fn variables(self) -> *const *const libc::c_char {
        unsafe { self.words.add(WORDS + *self.words as usize + 1).cast_const().cast() }
    }

    unsafe fn randomise(self) -> bool {
        unsafe { *self.words.add(4) != 0 }
    }

    unsafe fn limit(self, number: usize) -> Option<u64> {
        unsafe {
            let word = self.words.add(5 + 2 * number);
            (*word != 0).then(|| *word.add(1))
        }
    }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(nix::unistd::pipe2(nix::fcntl::OFlag::O_CLOEXEC)?)
}

/// Starts `program` under a keeper of its own.
pub(super) fn start(program: &Program, stdin: &OwnedFd, limits: &Limits) -> io::Result<Keeper> {
    let image = image(program, limits)?;
    let (out_read, out_write) = pipe()?;
    let (err_read, err_write) = pipe()?;
    let (messages, report) = pipe()?;
    let fds = [&stdin, &&out_write, &&err_write, &&report].map(|fd| fd.as_raw_fd());
    let pid = server::start(&image, fds)?;
    Ok(Keeper { pid, messages, stdout: out_read, stderr: err_read })
}

/// In a keeper: the program's process id, also its group's.
static ROOT: AtomicI32 = AtomicI32::new(0);

/// The keeper's life, after the fork: `fds` are the program's standard ones, where to report to, and the image of `bytes` bytes.
///
/// Safety: only in a fresh fork child; calls async-signal-safe functions only.
pub(super) unsafe fn keep(fds: [RawFd; DESCRIPTORS], bytes: usize, parent: i32) -> ! {
    unsafe {
        let [stdin, stdout, stderr, report, image] = fds;
        let fds = [stdin, stdout, stderr];
        // A group of its own: keys pressed at the terminal are for the caller.
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        let Some(prepared) = Prepared::map(image, bytes) else {
            say(report, FAILED, STEP_FORK, *libc::__errno_location());
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
unsafe fn become_program(prepared: Prepared, fds: [RawFd; 3], report: RawFd, keeper: i32) -> ! {
    unsafe {
        libc::setsid();
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
        if libc::getppid() != keeper {
            libc::_exit(127);
        }
        for (number, fd) in fds.into_iter().enumerate() {
            libc::dup2(fd, number as RawFd);
        }
        for (number, resource) in RESOURCES.into_iter().enumerate() {
            if let Some(limit) = prepared.limit(number) {
                // Never above what the caller has.
                let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::getrlimit(resource, &mut now);
                let limit = limit.min(now.rlim_max);
                libc::setrlimit(resource, &libc::rlimit { rlim_cur: limit.min(now.rlim_cur), rlim_max: limit });
            }
        }
        if !prepared.randomise() {
            // Refused in some containers: then addresses differ from run to run, which nothing depends on.
            let now = libc::personality(0xffff_ffff);
            if now >= 0 {
                libc::personality(now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            }
        }
        if libc::chdir(prepared.text(3)) < 0 {
            say(report, FAILED, STEP_FOLDER, *libc::__errno_location());
            libc::_exit(127);
        }
        // Signal handlers are the defaults already; an ignored SIGPIPE or a blocked set must not be inherited.
        libc::signal(libc::SIGTERM, libc::SIG_DFL);
        let mut mask: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut mask);
        libc::sigprocmask(libc::SIG_SETMASK, &mask, std::ptr::null_mut());
        libc::execve(prepared.text(2), prepared.arguments(), prepared.variables());
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

pub(super) unsafe fn close_range(from: RawFd, to: RawFd) {
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
