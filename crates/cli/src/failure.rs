//! How a command fails: one message that says what, where and what to do, and the exit status.

use std::fmt::Display;
use std::io::Write;

use whydunit_findings::Exit;

/// Why a command could not answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    /// The status that the program ends with.
    pub exit: Exit,
    what: String,
    place: Option<String>,
    advice: Option<String>,
}

impl Failure {
    /// What went wrong.
    pub fn new(exit: Exit, what: impl Display) -> Self {
        Self { exit, what: what.to_string(), place: None, advice: None }
    }

    /// A mistake in the command line, a configuration or an input.
    pub fn usage(what: impl Display) -> Self {
        Self::new(Exit::Usage, what)
    }

    /// Of what it is the matter.
    pub fn of(mut self, whose: &str) -> Self {
        self.what = format!("{whose}: {}", self.what);
        self
    }

    /// Where: a file, a line, a command.
    pub fn at(mut self, place: impl Display) -> Self {
        self.place = Some(place.to_string());
        self
    }

    /// What to do.
    pub fn advice(mut self, advice: impl Display) -> Self {
        self.advice = Some(advice.to_string());
        self
    }

    /// What went wrong, and where, in a line.
    pub fn line(&self) -> String {
        match &self.place {
            Some(place) => format!("{} ({place})", self.what),
            None => self.what.clone(),
        }
    }

    /// Writes the message to standard error.
    pub fn print(&self) {
        let mut message = format!("error: {}\n", self.what);
        if let Some(place) = &self.place {
            message += &format!("  where: {place}\n");
        }
        if let Some(advice) = &self.advice {
            message += &format!("  what to do: {advice}\n");
        }
        // Nobody is left to tell when standard error is closed.
        std::io::stderr().write_all(message.as_bytes()).ok();
    }
}

impl From<whydunit_variants::Error> for Failure {
    fn from(error: whydunit_variants::Error) -> Self {
        use whydunit_variants::Error::{Interrupted, NoBuild};
        match error {
            Interrupted => {
                Self::new(Exit::TimeLimit, error).advice("run the command again: it goes on with what is known by now")
            }
            NoBuild { .. } => Self::new(Exit::Build, error),
            _ => Self::new(Exit::Usage, error),
        }
    }
}

/// Turns a library's error into a failure. The exit status is the caller's decision each time: the same error can be a
/// user's mistake in one place and our own fault in another.
pub trait OrFail<T> {
    /// The value, or a failure with `exit` and the error's text with its causes.
    fn or_fail(self, exit: Exit) -> Result<T, Failure>;
}

impl<T, E: std::error::Error> OrFail<T> for Result<T, E> {
    fn or_fail(self, exit: Exit) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(exit, chain(&error)))
    }
}

/// An error's text, followed by those of its causes that it does not repeat itself.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.ends_with(&inner_text) {
            text += &format!(": {inner_text}");
        }
        cause = inner.source();
    }
    text
}

/// From here on a panic prints a message of ours. It is a fault of this program, whatever the input.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let what = panic.payload_as_str().unwrap_or("a panic");
        let failure = Failure::new(Exit::Internal, format!("internal error: {what}"))
            .advice("this is a fault of whydunit, please report it with the command and its input");
        match panic.location() {
            Some(location) => failure.at(location).print(),
            None => failure.print(),
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot read a.toml")]
    struct Outer(#[source] std::io::Error);

    #[test]
    fn causes_are_part_of_the_message() {
        let inner = std::io::Error::other("the disk is on fire");
        let failed: Result<(), _> = Err(Outer(inner));
        let failure = failed.or_fail(Exit::Usage).expect_err("it failed");
        assert_eq!(failure, Failure::usage("cannot read a.toml: the disk is on fire"));
    }
}
