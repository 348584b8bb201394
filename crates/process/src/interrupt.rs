//! Cancellation by signals, from a terminal or whoever sends them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Once, OnceLock};

use crate::Cancel;

/// Set before the handlers are installed, and never again: a handler finds it there.
static INTERRUPTED: OnceLock<Cancel> = OnceLock::new();

/// When the first signal came, in milliseconds of the monotonic clock; 0: none has come.
static FIRST: AtomicU64 = AtomicU64::new(0);

/// Signals that come so soon after the first, in milliseconds, are the same wish: `timeout` sends its signal to the process and then to the
/// group that it is in, and whoever presses Ctrl-C twice does not mean that the answer is to be thrown away.
const SAME_WISH: u64 = 1000;

extern "C" fn interrupt(signal: libc::c_int) {
    // Loads and stores of atomics, clock_gettime, signal and raise: all of them are safe in a handler.
    if let Some(cancel) = INTERRUPTED.get() {
        cancel.cancel();
    }
    let now = milliseconds();
    match FIRST.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed) {
        Err(first) if now.saturating_sub(first) >= SAME_WISH => {
            // SAFETY: both calls take plain numbers and are async-signal-safe; the signal is delivered when this handler returns.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
        }
        _ => {}
    }
}

/// The monotonic clock, at least 1.
fn milliseconds() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure lives through the call, which is async-signal-safe.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    (time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000).max(1)
}

extern "C" fn overlook(_: libc::c_int) {}

/// From the first call on the first SIGINT, SIGTERM and SIGHUP each cancel what this returns, instead of ending this
/// process: what runs is ended then, and what it has left can be kept. One that comes a second later ends this process. A file that grows
/// over a limit is an error of the write, not a signal. Nothing of this is passed on to other programs.
///
/// Signals are the process's, and so there is one such [`Cancel`]: every call returns the same. A front end that serves
/// one request makes it that request's; what is below front ends is given a [`Cancel`] and does not ask here.
pub fn interrupts() -> &'static Cancel {
    static INSTALLED: Once = Once::new();
    let cancel = INTERRUPTED.get_or_init(Cancel::new);
    INSTALLED.call_once(|| {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            handle(signal, interrupt, 0);
        }
        handle(libc::SIGXFSZ, overlook, 0);
    });
    cancel
}

/// Installs a handler where the signal is not ignored, as under `nohup`.
fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int), flags: libc::c_int) {
    // SAFETY: the structures are plain data, for which zeroes are a valid value, and live through the calls; the handlers do
    // nothing that is not async-signal-safe.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &mut action) != 0 || action.sa_sigaction == libc::SIG_IGN {
            return;
        }
        action = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as libc::sighandler_t;
        action.sa_flags = flags | libc::SA_RESTART;
        libc::sigaction(signal, &action, std::ptr::null_mut());
    }
}
