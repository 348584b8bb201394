//! The text form of protocols.
//!
//! One statement a line, `#` starts a comment:
//!
//! ```text
//! class FILE
//! origin written by hand from fopen(3)
//! state open
//! state closed
//! state missing
//! make fopen tmpfile result: -> open if result != 0, -> missing if result == 0
//! call fclose on 0: open -> closed, closed -> never, missing -> may-fail
//! touch closed
//! unless freopen
//! ```
//!
//! `make NAMES result|at N|in N: …`: the object is the result, lies at argument N, or its handle is stored behind it.
//! `bytes N`: so many does an object have; calls on it write no more of what it is a part of. `raw STATE`: in it are variables of functions that nothing was done to yet.

use whydunit_model::IntPred;

use crate::protocol::{Method, Next, Place, Protocol, StateId, Transition};

/// A mistake in a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Mistake {
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// What is wrong, and what stands there.
    pub message: String,
}

/// A word with its column.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    column: usize,
}

struct Line<'t> {
    number: usize,
    length: usize,
    words: Vec<Word<'t>>,
    next: usize,
}

/// Reads the protocols of a text.
pub fn parse(text: &str) -> Result<Vec<Protocol>, Mistake> {
    let mut protocols: Vec<Protocol> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut line = Line::of(number, line.split('#').next().unwrap_or_default());
        let Some(first) = line.take() else { continue };
        if first.text == "class" {
            protocols.push(Protocol { class: line.rest("the name of a class")?, ..Protocol::default() });
            continue;
        }
        let Some(protocol) = protocols.last_mut() else {
            return Err(line.wrong(first, "a model starts with `class NAME`"));
        };
        statement(protocol, first, &mut line)?;
        if let Some(word) = line.take() {
            return Err(line.wrong(word, format!("`{}` was not expected here", word.text)));
        }
    }
    match protocols.iter().find(|it| it.methods.is_empty()) {
        Some(empty) => {
            let message = format!("the class {} has no `make` or `call`", empty.class);
            Err(Mistake { line: text.lines().count().max(1), column: 1, message })
        }
        None if protocols.is_empty() => {
            Err(Mistake { line: 1, column: 1, message: "there is no `class NAME` in it".into() })
        }
        None => Ok(protocols),
    }
}

fn statement(protocol: &mut Protocol, first: Word<'_>, line: &mut Line<'_>) -> Result<(), Mistake> {
    match first.text {
        "origin" => protocol.origin = line.rest("where the model comes from")?,
        "state" => {
            let name = line.need("the name of a state")?;
            if protocol.states.len() >= 60 || protocol.states.iter().any(|it| it == name.text) {
                return Err(
                    line.wrong(name, format!("the state `{}` is there already, or there are too many", name.text))
                );
            }
            protocol.states.push(name.text.to_owned());
        }
        "touch" => {
            let state = state(protocol, line)?;
            protocol.untouchable.push(state);
        }
        "bytes" => protocol.bytes = Some(line.number("how many bytes an object has")?),
        "raw" => protocol.raw = Some(state(protocol, line)?),
        "unless" => {
            while let Some(word) = line.take() {
                protocol.unless.push(word.text.to_owned());
            }
        }
        "make" | "call" => {
            let method = method(protocol, first.text == "make", line)?;
            protocol.methods.push(method);
        }
        other => {
            let message =
                format!("`{other}` is no statement: class, origin, state, bytes, raw, make, call, touch, unless");
            return Err(line.wrong(first, message));
        }
    }
    Ok(())
}

fn method(protocol: &Protocol, makes: bool, line: &mut Line<'_>) -> Result<Method, Mistake> {
    let mut symbols = Vec::new();
    let place = loop {
        let word = line.need("the names of functions, then where the object is")?;
        match (makes, word.text) {
            (true, "result") => break Place::Result,
            (true, "at") => break Place::Made(line.number(ARGUMENT)?),
            (true, "in") => break Place::Behind(line.number(ARGUMENT)?),
            (false, "on") => break Place::Argument(line.number(ARGUMENT)?),
            (_, ":") => {
                let form = if makes { "`result`, `at N` or `in N`" } else { "`on N`" };
                return Err(line.wrong(word, format!("before the colon it has to say where the object is: {form}")));
            }
            (_, name) => symbols.push(name.to_owned()),
        }
    };
    line.expect(":")?;
    let mut transitions = Vec::new();
    loop {
        let from = if makes { 0 } else { state(protocol, line)? };
        line.expect("->")?;
        let to = match line.peek().map(|it| it.text) {
            Some("never") => {
                line.take();
                Next::Never
            }
            Some("may-fail") => {
                line.take();
                Next::MayFail
            }
            _ => Next::State(state(protocol, line)?),
        };
        let result = match line.peek().map(|it| it.text) {
            Some("if") => Some(condition(line)?),
            _ => None,
        };
        transitions.push(Transition { from, result, to });
        if line.peek().is_none() {
            return Ok(Method { symbols, place, transitions });
        }
        line.expect(",")?;
    }
}

/// What stands behind `at`, `in` and `on`.
const ARGUMENT: &str = "the number of an argument, from 0";

fn condition(line: &mut Line<'_>) -> Result<(IntPred, i64), Mistake> {
    line.expect("if")?;
    line.expect("result")?;
    let word = line.need("==, !=, <, <=, > or >=")?;
    let pred = match word.text {
        "==" => IntPred::Eq,
        "!=" => IntPred::Ne,
        "<" => IntPred::Slt,
        "<=" => IntPred::Sle,
        ">" => IntPred::Sgt,
        ">=" => IntPred::Sge,
        _ => return Err(line.wrong(word, format!("`{}` is no comparison: ==, !=, <, <=, > or >=", word.text))),
    };
    let word = line.need("a number")?;
    let number = word.text.parse().map_err(|_| line.wrong(word, format!("`{}` is no number", word.text)))?;
    Ok((pred, number))
}

fn state(protocol: &Protocol, line: &mut Line<'_>) -> Result<StateId, Mistake> {
    let word = line.need("a state")?;
    let found = protocol.states.iter().position(|it| it == word.text);
    let known = || format!("`{}` is no state of {}: {}", word.text, protocol.class, protocol.states.join(", "));
    found.map(|index| index as StateId).ok_or_else(|| line.wrong(word, known()))
}

impl<'t> Line<'t> {
    fn of(number: usize, text: &'t str) -> Self {
        let mut words = Vec::new();
        let mut start = None;
        for (at, char) in text.char_indices().chain([(text.len(), ' ')]) {
            let mark = matches!(char, ':' | ',');
            if char.is_whitespace() || mark {
                if let Some(start) = start.take() {
                    words.push(Word { text: &text[start..at], column: text[..start].chars().count() + 1 });
                }
                if mark {
                    words.push(Word { text: &text[at..at + 1], column: text[..at].chars().count() + 1 });
                }
            } else {
                start.get_or_insert(at);
            }
        }
        Self { number, length: text.trim_end().chars().count(), words, next: 0 }
    }

    fn peek(&self) -> Option<Word<'t>> {
        self.words.get(self.next).copied()
    }

    fn take(&mut self) -> Option<Word<'t>> {
        let word = self.peek();
        self.next += 1;
        word
    }

    fn need(&mut self, what: &str) -> Result<Word<'t>, Mistake> {
        let message = format!("the line ends where {what} should stand");
        self.take().ok_or(Mistake { line: self.number, column: self.length + 1, message })
    }

    fn expect(&mut self, text: &str) -> Result<(), Mistake> {
        let word = self.need(&format!("`{text}`"))?;
        match word.text == text {
            true => Ok(()),
            false => Err(self.wrong(word, format!("`{}` stands where `{text}` should", word.text))),
        }
    }

    fn number(&mut self, what: &str) -> Result<u32, Mistake> {
        let word = self.need(what)?;
        let wrong = |_| self.wrong(word, format!("`{}` is not {what}", word.text));
        word.text.parse().map_err(wrong)
    }

    fn rest(&mut self, what: &str) -> Result<String, Mistake> {
        let first = self.need(what)?;
        let mut text = first.text.to_owned();
        while let Some(word) = self.take() {
            if !matches!(word.text, ":" | ",") {
                text.push(' ');
            }
            text.push_str(word.text);
        }
        Ok(text)
    }

    fn wrong(&self, word: Word<'_>, message: impl Into<String>) -> Mistake {
        Mistake { line: self.number, column: word.column, message: message.into() }
    }
}
