//! Work that can be ended at any moment: it runs in a thread of its own, and where it does not end soon after it was asked to, one
//! goes on without it.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use whydunit_desk::{Cancel, Error};

/// So long an answer is waited for that was asked to end: what is known is told then, whatever the work is at.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(50);
/// For the work's thread: as much as the main one has, and more.
const STACK: usize = 64 << 20;

/// What the work comes to; `None` where it had not ended a second after it was cancelled. Fails where no thread can be made; a panic
/// of the work is passed on.
pub fn awaited<A: Send + 'static>(
    cancel: &Cancel,
    work: impl FnOnce() -> A + Send + 'static,
) -> Result<Option<A>, Error> {
    let (tell, told) = channel();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || tell.send(work()).ok())?;
    let mut asked: Option<Instant> = None;
    loop {
        match told.recv_timeout(TICK) {
            Ok(answer) => return Ok(Some(answer)),
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(_) => return Err(Error::Interrupted),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        if cancel.is_cancelled() && asked.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
            return Ok(None);
        }
    }
}
