//! How a command fails: one message that says what, where and what to do, and the exit status.

use std::fmt::Display;
use std::io::Write;

use whydunit_desk::chain;

use crate::advice;
use crate::exit::Exit;

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

impl From<whydunit_inquiry::Error> for Failure {
    fn from(error: whydunit_inquiry::Error) -> Self {
        Self { exit: Exit::of_error(&error), what: chain(&error), place: error.place(), advice: advice::of(&error) }
    }
}

impl From<whydunit_desk::Error> for Failure {
    fn from(error: whydunit_desk::Error) -> Self {
        whydunit_inquiry::Error::from(error).into()
    }
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
