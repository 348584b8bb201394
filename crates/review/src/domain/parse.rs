//! Reading a constraint.

use whydunit_symbolic::Source;

use super::{Constraint, Sign, Value};

const NAMES: &str = "there are arg1, arg2, …, stdin[i], len(stdin) and len(arg1)";

/// One constraint.
pub fn constraint(line: &str) -> Result<Constraint, String> {
    let mut parser = Parser { tokens: tokens(line)?, at: 0 };
    let constraint = parser.any()?;
    match parser.peek() {
        None => Ok(constraint),
        Some(token) => Err(format!("`{token}` is too much")),
    }
}

/// Cut into words, numbers, quoted texts and signs.
fn tokens(line: &str) -> Result<Vec<String>, String> {
    let (mut found, mut rest) = (Vec::new(), line.trim_start());
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => match rest[1..].find(first) {
                Some(end) => end + 2,
                None => return Err(format!("the text that begins with {first} does not end")),
            },
            c if c.is_alphanumeric() || c == '_' || c == '-' => {
                let end = |c: char| !(c.is_alphanumeric() || c == '_');
                rest[c.len_utf8()..].find(end).map_or(rest.len(), |end| end + c.len_utf8())
            }
            _ => match ["..", "<=", ">=", "==", "!="].iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => sign.len(),
                None if "<>(){}[],=".contains(first) => 1,
                None => return Err(format!("`{first}` is no sign of a constraint")),
            },
        };
        found.push(rest[..length].to_string());
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn next(&mut self) -> Option<String> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    /// Goes over a token, if it is the next one.
    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.peek() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    fn needs(&mut self, token: &str) -> Result<(), String> {
        if self.takes(token) { Ok(()) } else { Err(format!("`{token}` is missing")) }
    }

    fn any(&mut self) -> Result<Constraint, String> {
        let mut list = vec![self.all()?];
        while self.takes("or") {
            list.push(self.all()?);
        }
        Ok(one_or(list, Constraint::Any))
    }

    fn all(&mut self) -> Result<Constraint, String> {
        let mut list = vec![self.single()?];
        while self.takes("and") {
            list.push(self.single()?);
        }
        Ok(one_or(list, Constraint::All))
    }

    fn single(&mut self) -> Result<Constraint, String> {
        if self.takes("not") {
            return Ok(Constraint::Not(self.single()?.into()));
        }
        if self.takes("(") {
            let inner = self.any()?;
            self.needs(")")?;
            return Ok(inner);
        }
        let value = self.value(false)?;
        let Some(sign) = self.next() else { return Err("a comparison is missing".into()) };
        let sign = match &sign[..] {
            "in" if self.takes("{") => return Ok(Constraint::OneOf(value, self.list()?)),
            "in" => {
                let low = self.number("before `..`")?;
                self.needs("..")?;
                return Ok(Constraint::Within(value, low, self.number("behind `..`")?));
            }
            "<" => Sign::Less,
            "<=" => Sign::LessOrEqual,
            "=" | "==" => Sign::Equal,
            "!=" => Sign::NotEqual,
            ">" => Sign::Greater,
            ">=" => Sign::GreaterOrEqual,
            other => return Err(format!("`{other}` is no comparison")),
        };
        Ok(Constraint::Compare(sign, value, self.value(false)?))
    }

    fn list(&mut self) -> Result<Vec<Value>, String> {
        let mut list = Vec::new();
        loop {
            list.push(self.value(true)?);
            if self.takes("}") {
                return Ok(list);
            }
            self.needs(",")?;
        }
    }

    fn number(&mut self, place: &str) -> Result<i64, String> {
        let number = self.peek().and_then(|token| token.parse().ok());
        self.at += usize::from(number.is_some());
        number.ok_or_else(|| format!("a number is missing {place}"))
    }

    /// A value; `words`: a word is a text.
    fn value(&mut self, words: bool) -> Result<Value, String> {
        let Some(token) = self.next() else { return Err("a value is missing".into()) };
        if let Ok(number) = token.parse() {
            return Ok(Value::Number(number));
        }
        if let Some(quoted) = token.strip_prefix(['"', '\'']) {
            let text = &quoted[..quoted.len() - 1];
            return Ok(match text.as_bytes() {
                // As in C.
                [byte] if token.starts_with('\'') => Value::Number((*byte).into()),
                _ => Value::Text(text.into()),
            });
        }
        if token == "len" {
            self.needs("(")?;
            let name = self.next().unwrap_or_default();
            let source = source(&name).ok_or_else(|| unknown(&name))?;
            self.needs(")")?;
            return Ok(Value::Length(source));
        }
        match source(&token) {
            Some(source) if self.takes("[") => {
                let at = self.number("in `[]`")?;
                self.needs("]")?;
                let at = usize::try_from(at).map_err(|_| "places are counted from 0".to_string())?;
                Ok(Value::Byte(source, at))
            }
            Some(source) => Ok(Value::Whole(source)),
            None if words && token.starts_with(|c: char| c.is_alphanumeric() || c == '_') => Ok(Value::Text(token)),
            None => Err(unknown(&token)),
        }
    }
}

fn one_or(mut list: Vec<Constraint>, many: fn(Vec<Constraint>) -> Constraint) -> Constraint {
    if list.len() == 1 { list.remove(0) } else { many(list) }
}

fn source(name: &str) -> Option<Source> {
    if name == "stdin" {
        return Some(Source::Stdin);
    }
    name.strip_prefix("arg")?.parse().ok().filter(|number| *number > 0).map(Source::Argument)
}

fn unknown(name: &str) -> String {
    format!("`{name}` is no part of an input: {NAMES}")
}
