//! Why a request is not done.

use lsp_server::ErrorCode;
use serde_json::Value;

/// What a handler gives: the result of its response.
pub type Done = Result<Value, Refusal>;

/// Why a request is not done.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The protocol's number for it.
    pub code: i32,
    /// For people.
    pub text: String,
}

impl Refusal {
    /// For a reason of this kind.
    pub fn new(code: ErrorCode, text: impl Into<String>) -> Self {
        Self { code: code as i32, text: text.into() }
    }

    /// Something that was asked for as it should be, and cannot be done.
    pub fn failed(text: impl Into<String>) -> Self {
        Self::new(ErrorCode::RequestFailed, text)
    }

    /// The client asked for its end.
    pub fn cancelled() -> Self {
        Self::new(ErrorCode::RequestCanceled, "the request was cancelled")
    }

    /// Whether the client asked for its end.
    pub fn is_cancelled(&self) -> bool {
        self.code == ErrorCode::RequestCanceled as i32
    }
}

impl From<whydunit_inquiry::Error> for Refusal {
    fn from(error: whydunit_inquiry::Error) -> Self {
        use whydunit_desk::Error::{NoStore, Stale};
        use whydunit_inquiry::Error::Desk;
        if error.is_cut_short() {
            return Self::cancelled();
        }
        let text = error.line();
        Self::failed(match error {
            Desk(NoStore(_)) => format!("{text}: build first by `whydunit build -- COMMAND`"),
            Desk(Stale { .. }) => format!("{text}: build again by `whydunit build -- COMMAND`"),
            _ => text,
        })
    }
}

impl From<whydunit_desk::Error> for Refusal {
    fn from(error: whydunit_desk::Error) -> Self {
        whydunit_inquiry::Error::from(error).into()
    }
}
