//! How a replayed run ends.

/// How the run ended. The machine stays at the place where it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The process exited; the status is none when external code chose it.
    Exited {
        /// Exit status, 0 to 255.
        status: Option<i32>,
    },
    /// The process became another program.
    Exec,
    /// A synchronous signal at the present operation killed it.
    Fault {
        /// The signal.
        signal: i32,
        /// The address at fault; where a handler that is not captured ended the run by another signal, that of the first one.
        address: u64,
        /// The operation is not exactly known: the run stands at the safepoint after which it happened (the native stack
        /// overflowed, or the like).
        near: bool,
    },
    /// Something killed it from outside; the run stands at the last safepoint that was counted.
    Killed {
        /// Safepoints counted.
        counter: u64,
    },
    /// The recording ends before the run did.
    RecordingEnds {
        /// Why.
        reason: String,
    },
}
