//! Why a request is not done.

use serde_json::Value;
use whydunit_debugger::DebugError;
use whydunit_desk::chain;

/// What a handler gives: the body of its response.
pub type Done = Result<Value, Refusal>;

/// Why a request is not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// A word for programs, where the protocol has one.
    pub short: Option<&'static str>,
    /// For people.
    pub text: String,
}

impl Refusal {
    /// For this reason.
    pub fn new(text: impl Into<String>) -> Self {
        Self { short: None, text: text.into() }
    }

    /// The client asked for its end.
    pub fn cancelled() -> Self {
        Self { short: Some("cancelled"), text: "the request was cancelled".into() }
    }
}

impl From<DebugError> for Refusal {
    fn from(error: DebugError) -> Self {
        match error {
            DebugError::Cancelled => Self::cancelled(),
            other => Self::new(chain(&other)),
        }
    }
}

impl From<whydunit_inquiry::Error> for Refusal {
    fn from(error: whydunit_inquiry::Error) -> Self {
        use whydunit_desk::Error::{Interrupted, NoStore};
        use whydunit_inquiry::Error::Desk;
        let mut text = chain(&error);
        if let Some(place) = error.place().filter(|place| !text.contains(place.as_str())) {
            text += &format!(" ({place})");
        }
        match error {
            Desk(Interrupted) => Self::cancelled(),
            Desk(NoStore(_)) => {
                Self::new(format!("{text}: build first by `whydunit build -- COMMAND`, and record a test"))
            }
            _ => Self::new(text),
        }
    }
}

impl From<whydunit_desk::Error> for Refusal {
    fn from(error: whydunit_desk::Error) -> Self {
        whydunit_inquiry::Error::from(error).into()
    }
}
