//! The process that forks keepers: a fork costs what the process has in memory, so that it is not the caller, who may have
//! much, but a process that was forked from it early and has little. It lives until the caller is gone.
//!
//! The caller asks over a socket, with the descriptors of the program and an image of what exec needs (`image.rs`). A keeper's id
//! stays taken until the caller has asked for it to be reaped.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut, Write};
use std::mem::size_of;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nix::sys::socket::{AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType, recv, sendmsg, socketpair};
use nix::unistd::Pid;

use crate::keeper::{DESCRIPTORS, close_range, errno, keep};

/// What is asked.
#[repr(C)]
#[derive(Clone, Copy)]
struct Request {
    /// [`START`] or [`REAP`].
    kind: i32,
    /// The keeper, where one is to be reaped.
    pid: i32,
    /// The length of the image, where one is to be started.
    bytes: u64,
}

const START: i32 = 1;
const REAP: i32 = 2;

/// The answer: a process id, or 0; and an error's number.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Reply {
    pid: i32,
    error: i32,
}

/// Received descriptors are moved up to here: the standard ones are overwritten in order.
const LOWEST: RawFd = 10;

struct Server {
    pid: i32,
    /// Closed before the server is waited for.
    socket: Option<OwnedFd>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.socket = None;
        let _ = nix::sys::wait::waitpid(Pid::from_raw(self.pid), None);
    }
}

static SERVER: Mutex<Option<Server>> = Mutex::new(None);

fn server() -> MutexGuard<'static, Option<Server>> {
    SERVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forks the server, where there is none yet: for a caller who has little in memory now, and much later.
pub fn start_early() {
    let mut server = server();
    if server.is_none() {
        *server = Server::fork().ok();
    }
}

/// Ends the server, where there is one: for a caller who ends, and leaves nothing behind.
pub fn end() {
    *server() = None;
}

/// Forks a keeper with these descriptors; its process id.
pub(crate) fn start(image: &[u8], descriptors: [RawFd; DESCRIPTORS - 1]) -> io::Result<i32> {
    let file = nix::sys::memfd::memfd_create(c"program", nix::sys::memfd::MFdFlags::MFD_CLOEXEC)?;
    let mut file = File::from(file);
    file.write_all(image)?;
    let [stdin, stdout, stderr, report] = descriptors;
    let all = [stdin, stdout, stderr, report, file.as_raw_fd()];
    let request = Request { kind: START, pid: 0, bytes: image.len() as u64 };
    let mut server = server();
    // One that was killed is made anew.
    for _ in 0..2 {
        if server.is_none() {
            *server = Some(Server::fork()?);
        }
        match server.as_ref().map(|server| server.ask(&request, &all)) {
            Some(Ok(Reply { pid, error: 0 })) => return Ok(pid),
            Some(Ok(Reply { error, .. })) => return Err(io::Error::from_raw_os_error(error)),
            _ => *server = None,
        }
    }
    Err(io::Error::other("the process that starts programs was killed"))
}

/// Whether a keeper has ended; then its id is free.
pub(crate) fn reap(pid: i32) -> bool {
    let request = Request { kind: REAP, pid, bytes: 0 };
    // A server that is gone has no keepers.
    server()
        .as_ref()
        .is_none_or(|server| server.ask(&request, &[]).map_or(true, |reply| reply.pid != 0 || reply.error != 0))
}

impl Server {
    fn fork() -> io::Result<Self> {
        let (own, other) = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)?;
        // Signals stay blocked in the server: what is pressed at the terminal is for the caller.
        // SAFETY: sets of zeroes are valid values, and sigfillset and pthread_sigmask fill them; the child of the fork makes
        // only async-signal-safe calls, and its socket is open.
        unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
            let pid = libc::fork();
            if pid == 0 {
                serve(other.as_raw_fd());
            }
            let error = io::Error::last_os_error();
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
            if pid < 0 {
                return Err(error);
            }
            Ok(Self { pid, socket: Some(own) })
        }
    }

    fn ask(&self, request: &Request, descriptors: &[RawFd]) -> io::Result<Reply> {
        let mut bytes = Vec::new();
        bytes.extend(request.kind.to_ne_bytes());
        bytes.extend(request.pid.to_ne_bytes());
        bytes.extend(request.bytes.to_ne_bytes());
        let control = [ControlMessage::ScmRights(descriptors)];
        let control = if descriptors.is_empty() { &[][..] } else { &control };
        let Some(socket) = self.socket.as_ref().map(AsRawFd::as_raw_fd) else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        again(|| sendmsg::<()>(socket, &[IoSlice::new(&bytes)], control, MsgFlags::MSG_NOSIGNAL, None))?;
        let mut answer = [0; size_of::<Reply>()];
        let got = again(|| recv(socket, &mut IoSliceMut::new(&mut answer), MsgFlags::empty()))?;
        if got != answer.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let word = |at: usize| i32::from_ne_bytes([answer[at], answer[at + 1], answer[at + 2], answer[at + 3]]);
        Ok(Reply { pid: word(0), error: word(4) })
    }
}

fn again<T>(mut call: impl FnMut() -> nix::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(nix::Error::EINTR) => {}
            result => return Ok(result?),
        }
    }
}

/// Room for the descriptors of a message.
const CONTROL: usize = 64;

/// The server's life. When the caller is gone it ends, and its keepers with it, which are told so by the system.
///
/// # Safety
/// Only in a fresh fork child, which has one thread, with `socket` open.
unsafe fn serve(socket: RawFd) -> ! {
    // SAFETY: async-signal-safe calls on plain numbers and on structures on the stack; of the descriptors that are closed
    // none is used in this process, whose only thread this is.
    unsafe {
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_NAME, c"whydunit-start".as_ptr());
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        for standard in 0..3 {
            libc::dup2(null, standard);
        }
        close_range(3, socket - 1);
        close_range(socket + 1, RawFd::MAX);
        let own = libc::getpid();
        loop {
            let mut request = Request { kind: 0, pid: 0, bytes: 0 };
            let mut descriptors = [-1; DESCRIPTORS];
            if !receive(socket, &mut request, &mut descriptors) {
                libc::_exit(0);
            }
            let mut reply = Reply::default();
            if request.kind == START {
                reply.pid = libc::fork();
                if reply.pid == 0 {
                    keep(descriptors, request.bytes as usize, own);
                }
                if reply.pid < 0 {
                    reply.error = errno();
                }
                for fd in descriptors {
                    libc::close(fd);
                }
            } else {
                reply.pid = libc::waitpid(request.pid, std::ptr::null_mut(), libc::WNOHANG);
                if reply.pid < 0 {
                    reply.error = errno();
                }
            }
            if libc::send(socket, (&raw const reply).cast(), size_of::<Reply>(), libc::MSG_NOSIGNAL) < 0 {
                libc::_exit(0);
            }
        }
    }
}

/// The next request with its descriptors; false when there will be none.
fn receive(socket: RawFd, request: &mut Request, descriptors: &mut [RawFd; DESCRIPTORS]) -> bool {
    #[repr(align(16))]
    struct Room([u8; CONTROL]);
    // SAFETY: a header of zeroes is a valid value; its parts point to a request, which any bytes are a value of, and to a
    // room that is aligned for control messages, with their sizes, and all live through the calls. A control message is read
    // only where the system has written one, and reads of `DESCRIPTORS` numbers stay within the room.
    unsafe {
        let mut room = Room([0; CONTROL]);
        let mut part = libc::iovec { iov_base: (&raw mut *request).cast(), iov_len: size_of::<Request>() };
        let mut message: libc::msghdr = std::mem::zeroed();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = room.0.as_mut_ptr().cast();
        message.msg_controllen = CONTROL as _;
        let got = loop {
            let got = libc::recvmsg(socket, &raw mut message, libc::MSG_CMSG_CLOEXEC);
            if got >= 0 || errno() != libc::EINTR {
                break got;
            }
        };
        if got != size_of::<Request>() as isize {
            return false;
        }
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        if !header.is_null() && (*header).cmsg_type == libc::SCM_RIGHTS {
            let data: *const RawFd = libc::CMSG_DATA(header).cast();
            for (at, fd) in descriptors.iter_mut().enumerate() {
                let given = data.add(at).read_unaligned();
                *fd = libc::fcntl(given, libc::F_DUPFD_CLOEXEC, LOWEST);
                libc::close(given);
            }
        }
        true
    }
}
