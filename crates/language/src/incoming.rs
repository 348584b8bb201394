//! What comes from the client, read by a thread of its own.

use std::io::BufRead;
use std::sync::mpsc::Sender;

use lsp_server::{ErrorCode, Message, Request};
use serde_json::Value;
use whydunit_framing::Content;

use crate::event::Event;
use crate::refusal::Refusal;

/// Reads a stream; each message is an event, and so is its end.
pub fn read<S: 'static>(mut input: impl BufRead + Send + 'static, events: Sender<Event<S>>) {
    std::thread::spawn(move || {
        loop {
            let event = next(&mut input);
            let last = matches!(event, Event::Ended(_));
            // Where nobody waits for events the session is over.
            if events.send(event).is_err() || last {
                return;
            }
        }
    });
}

fn next<S>(input: &mut impl BufRead) -> Event<S> {
    match whydunit_framing::read(input) {
        Ok(Some(Content::Message(content))) => match message(&content) {
            Ok(message) => Event::Message(message),
            Err((id, refusal)) => Event::Wrong(id, refusal),
        },
        Ok(Some(Content::TooLong(bytes))) => {
            let text = format!("a message of {bytes} bytes is too long, and was passed over");
            Event::Wrong(Value::Null, Refusal::new(ErrorCode::InvalidRequest, text))
        }
        Ok(None) => Event::Ended(None),
        Err(error) => Event::Ended(Some(error)),
    }
}

/// The message that a content is; else the number of its request, as far as it has one, and what is wrong.
fn message(content: &[u8]) -> Result<Message, (Value, Refusal)> {
    let wrong = |id: Value, code: ErrorCode, text: String| {
        (id, Refusal::new(code, format!("a message cannot be understood: {text}")))
    };
    let value: Value = serde_json::from_slice(content)
        .map_err(|error| wrong(Value::Null, ErrorCode::ParseError, error.to_string()))?;
    let id = value.get("id").filter(|id| id.is_number() || id.is_string()).cloned().unwrap_or_default();
    let is_request = value.get("id").is_some() && value.get("method").is_some();
    let message = match is_request {
        // Else one with a wrong number would count as a notification.
        true => serde_json::from_value::<Request>(value).map(Message::Request),
        false => serde_json::from_value(value),
    };
    message.map_err(|_| {
        let text = "it is neither a request nor a response nor a notification";
        wrong(id, ErrorCode::InvalidRequest, text.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_from_what_is_none() {
        let read = |text: &str| message(text.as_bytes());
        assert!(matches!(read(r#"{"id":1,"method":"a"}"#), Ok(Message::Request(_))));
        assert!(matches!(read(r#"{"id":"x","method":"a","params":[1]}"#), Ok(Message::Request(_))));
        assert!(matches!(read(r#"{"method":"a"}"#), Ok(Message::Notification(_))));
        assert!(matches!(read(r#"{"id":1,"result":null}"#), Ok(Message::Response(_))));
        for wrong in ["", "{", "[]", "7", "{}", r#"{"id":1.5,"method":"a"}"#, r#"{"id":null,"method":"a"}"#, "\u{0}"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let (id, _) = read(r#"{"id":12345678901,"method":"a"}"#).expect_err("a number that is too large");
        assert_eq!(id, 12_345_678_901_u64);
    }
}
