//! The types of expressions, as rustc has told them.

use std::collections::HashMap;
use std::ops::Range;

use super::messages::messages;

/// What is asked about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    /// An expression by its bytes.
    Place(usize, usize),
    /// A variable by the byte of its declaration.
    Declared(usize),
    /// An expression by its text, within the function of a line.
    Text(u32, String),
}

/// Expressions whose types are asked at one place.
pub struct Question {
    pub(super) range: Range<usize>,
    pub(super) way: String,
    pub(super) asked: Vec<(Key, String)>,
}

/// The types of expressions of a source.
#[derive(Default)]
pub struct Types {
    known: HashMap<Key, String>,
    /// The function that is read.
    pub(crate) function: u32,
}

impl Types {
    /// Of an expression, by its bytes and its text.
    pub(crate) fn of(&self, place: Range<usize>, text: &str) -> Option<&str> {
        let known = self.known.get(&Key::Place(place.start, place.end));
        known.or_else(|| self.known.get(&Key::Text(self.function, text.to_string()))).map(String::as_str)
    }

    /// Of a variable.
    pub(crate) fn of_local(&self, declared: usize) -> Option<&str> {
        self.known.get(&Key::Declared(declared)).map(String::as_str)
    }

    /// Reads what a compiler says of a source with questions in it.
    pub fn read(&mut self, text: &str, questions: &[Question], file: &str, said: &str) {
        let lines: Vec<&str> = text.split('\n').collect();
        for message in messages(said).into_iter().filter(|message| message.is_in(file)) {
            let mark = || {
                let line = lines.get((message.line as usize).checked_sub(1)?)?;
                let (question, number) = line.strip_prefix("/*?")?.split_once("*/")?.0.split_once(':')?;
                let question: &Question = questions.get(question.parse::<usize>().ok()?)?;
                question.asked.get(number.parse::<usize>().ok()?)
            };
            if let (Some((key, _)), Some(ty)) = (mark(), message.found()) {
                self.known.insert(key.clone(), ty);
            }
        }
    }
}
