//! Cancellation by signals, from a terminal or whoever sends them.

use std::sync::{Once, OnceLock};

use crate::Cancel;

/// Set before the handlers are installed, and never again: a handler finds it there.
static INTERRUPTED: OnceLock<Cancel> = OnceLock::new();

extern "C" fn interrupt(_: libc::c_int) {
    // Both are a load or a store of an atomic: safe in a handler.
    if let Some(cancel) = INTERRUPTED.get() {
        cancel.cancel();
    }
}

extern "C" fn overlook(_: libc::c_int) {}

/// From the first call on the first SIGINT, SIGTERM and SIGHUP each cancel what this returns, instead of ending this
/// process: what runs is ended then, and what it has left can be kept. A second one ends this process. A file that grows
/// over a limit is an error of the write, not a signal. Nothing of this is passed on to other programs.
///
/// Signals are the process's, and so there is one such [`Cancel`]: every call returns the same. A front end that serves
/// one request makes it that request's; what is below front ends is given a [`Cancel`] and does not ask here.
pub fn interrupts() -> &'static Cancel {
    static INSTALLED: Once = Once::new();
    let cancel = INTERRUPTED.get_or_init(Cancel::new);
    INSTALLED.call_once(|| {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            handle(signal, interrupt, libc::SA_RESETHAND);
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
