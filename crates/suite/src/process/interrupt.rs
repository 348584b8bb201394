//! The wish to stop, from a terminal or whoever sends signals.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static WISHED: AtomicBool = AtomicBool::new(false);

extern "C" fn wish(_: libc::c_int) {
    WISHED.store(true, Ordering::Relaxed);
}

extern "C" fn overlook(_: libc::c_int) {}

/// From the first call on the first SIGINT, SIGTERM and SIGHUP each set the flag that this gives, for [`Watch::cancel`], instead of
/// ending this process: what runs is ended then and what it has left can be kept. A second one ends it. A file that
/// grows over a limit is an error of the write, not a signal. Nothing of this is passed on to other programs.
///
/// [`Watch::cancel`]: super::Watch::cancel
pub fn interrupts() -> &'static AtomicBool {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            handle(signal, wish, libc::SA_RESETHAND);
        }
        handle(libc::SIGXFSZ, overlook, 0);
    });
    &WISHED
}

/// Installs a handler where the signal is not ignored, as under `nohup`.
fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int), flags: libc::c_int) {
    // Safety: the handlers do nothing that is not safe in one; the structures are plain and initialised.
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
