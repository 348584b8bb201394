//! A line of a text, cut into words and marks.

/// A mistake in a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Mistake {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// The marks that end a word.
const MARKS: &str = ",;=|[]";

/// A word as it stands in a text.
pub(super) fn quoted(word: &str) -> String {
    let marked = |it: char| it.is_whitespace() || it.is_control() || MARKS.contains(it) || "\"\\#".contains(it);
    if !word.is_empty() && !word.contains("->") && !word.contains(marked) {
        return word.to_owned();
    }
    let mut text = String::from("\"");
    for it in word.chars() {
        match it {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '"' | '\\' => text.extend(['\\', it]),
            it => text.push(it),
        }
    }
    text.push('"');
    text
}

/// A part of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Word(String),
    Arrow,
    Mark(char),
}

/// The parts of a line that are not read yet.
pub(super) struct Words {
    line: usize,
    tokens: Vec<(usize, Token)>,
    next: usize,
    /// Where the line ends.
    end: usize,
}

impl Words {
    /// Cuts the line with this number.
    pub fn of(line: usize, text: &str) -> Result<Self, Mistake> {
        let chars: Vec<char> = text.chars().collect();
        let mut words = Self { line, tokens: Vec::new(), next: 0, end: chars.len() + 1 };
        let mut at = 0;
        while at < chars.len() {
            let column = at + 1;
            let it = chars[at];
            if it == '#' {
                words.end = column;
                break;
            } else if it.is_whitespace() {
                at += 1;
                continue;
            } else if chars[at..].starts_with(&['-', '>']) {
                words.tokens.push((column, Token::Arrow));
                at += 2;
            } else if MARKS.contains(it) {
                words.tokens.push((column, Token::Mark(it)));
                at += 1;
            } else if it == '"' {
                let (word, end) = in_quotes(&chars, at).map_err(|(at, message)| words.mistake(at + 1, message))?;
                words.tokens.push((column, Token::Word(word)));
                at = end;
            } else {
                let start = at;
                let ends = |at: usize| {
                    let it = chars[at];
                    it.is_whitespace()
                        || MARKS.contains(it)
                        || "\"#".contains(it)
                        || chars[at..].starts_with(&['-', '>'])
                };
                while at < chars.len() && !ends(at) {
                    at += 1;
                }
                words.tokens.push((column, Token::Word(chars[start..at].iter().collect())));
            }
        }
        Ok(words)
    }

    fn mistake(&self, column: usize, message: impl Into<String>) -> Mistake {
        Mistake { line: self.line, column, message: message.into() }
    }

    /// The column of what comes next.
    pub fn column(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(column, _)| *column)
    }

    /// A mistake at what was read last.
    pub fn wrong(&self, message: impl Into<String>) -> Mistake {
        let last = self.next.checked_sub(1).and_then(|last| self.tokens.get(last));
        self.mistake(last.map_or(self.end, |(column, _)| *column), message)
    }

    /// A mistake at what comes next.
    pub fn expected(&self, what: &str) -> Mistake {
        let stands = match self.tokens.get(self.next) {
            Some((_, Token::Word(word))) => format!("`{word}`"),
            Some((_, Token::Arrow)) => "`->`".into(),
            Some((_, Token::Mark(mark))) => format!("`{mark}`"),
            None => "the end of the line".into(),
        };
        self.mistake(self.column(), format!("{what} is expected here, not {stands}"))
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.next == self.tokens.len()
    }

    /// The next word.
    pub fn word(&mut self, what: &str) -> Result<String, Mistake> {
        let Some((_, Token::Word(word))) = self.tokens.get(self.next) else { return Err(self.expected(what)) };
        let word = word.clone();
        self.next += 1;
        Ok(word)
    }

    /// Whether a mark comes next, which is read then.
    pub fn takes(&mut self, mark: char) -> bool {
        let takes = self.tokens.get(self.next).is_some_and(|(_, token)| *token == Token::Mark(mark));
        self.next += usize::from(takes);
        takes
    }

    /// Whether a mark comes next.
    pub fn is_before(&self, marks: &[char]) -> bool {
        matches!(self.tokens.get(self.next), Some((_, Token::Mark(mark))) if marks.contains(mark))
    }

    /// A mark that has to come next.
    pub fn mark(&mut self, mark: char) -> Result<(), Mistake> {
        if self.takes(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    /// An arrow that has to come next.
    pub fn arrow(&mut self) -> Result<(), Mistake> {
        if self.tokens.get(self.next).is_none_or(|(_, token)| *token != Token::Arrow) {
            return Err(self.expected("`->`"));
        }
        self.next += 1;
        Ok(())
    }

    /// The line has to end.
    pub fn ends(&self) -> Result<(), Mistake> {
        if self.is_empty() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }
}

/// The word in quotes that starts at a place, and the place after it; or the place of what is wrong.
fn in_quotes(chars: &[char], start: usize) -> Result<(String, usize), (usize, String)> {
    let mut word = String::new();
    let mut at = start + 1;
    while let Some(&it) = chars.get(at) {
        at += 1;
        match (it, chars.get(at)) {
            ('"', _) => return Ok((word, at)),
            ('\\', Some('n')) => word.push('\n'),
            ('\\', Some('r')) => word.push('\r'),
            ('\\', Some(&quoted @ ('"' | '\\'))) => word.push(quoted),
            ('\\', _) => return Err((at - 1, "only `\\n`, `\\r`, `\\\"` and `\\\\` are known in quotes".into())),
            _ => {
                word.push(it);
                continue;
            }
        }
        at += 1;
    }
    Err((start, "the quotes that start here do not end in this line".into()))
}
