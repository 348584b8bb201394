//! Which stores are of constants, and what sources call these.

use std::collections::HashMap;

use whydunit_model::{Function, Op, Opnd, Slot, defined};

/// Definitions that are followed from a stored value.
const DEEPEST: usize = 12;

/// Whether the value of an operand can only be constants of the function's source.
pub(crate) fn is_constant(function: &Function, operand: Opnd) -> bool {
    follows(function, operand, &mut Vec::new())
}

fn follows(function: &Function, operand: Opnd, seen: &mut Vec<Slot>) -> bool {
    if operand.is_const() {
        return true;
    }
    let slot = operand.index();
    if seen.contains(&slot) {
        return true;
    }
    if seen.len() >= DEEPEST || function.params.iter().any(|param| param.slot == slot) {
        return false;
    }
    seen.push(slot);
    let mut is_defined = false;
    for op in &function.code {
        let of_constants = match op {
            Op::Copy { n: 1, dst, a }
            | Op::Trunc { dst, a, .. }
            | Op::ZExt { dst, a, .. }
            | Op::SExt { dst, a, .. }
                if *dst == slot =>
            {
                follows(function, *a, seen)
            }
            Op::Select { n: 1, dst, a, b, .. } if *dst == slot => {
                follows(function, *a, seen) && follows(function, *b, seen)
            }
            op if defined(function, op).is_some_and(|(first, words)| (first..first + words).contains(&slot)) => false,
            _ => continue,
        };
        is_defined = true;
        if !of_constants {
            return false;
        }
    }
    is_defined
}

/// The sources, line by line, each file read once.
pub(crate) struct Lines<'a> {
    text: &'a dyn Fn(&str) -> Option<String>,
    files: HashMap<String, Option<Vec<String>>>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { text, files: HashMap::new() }
    }

    /// The name that a line has for the constant that it gives a field: `state_ = OPEN`, `state_(OPEN)`, `state_{OPEN}`,
    /// `state_: OPEN`. `None` where the line does not name one.
    pub fn name_given(&mut self, file: &str, line: u32, field: &str) -> Option<String> {
        let text = self.text;
        let lines = self
            .files
            .entry(file.to_owned())
            .or_insert_with(|| text(file).map(|text| text.lines().map(str::to_owned).collect()));
        let line = lines.as_ref()?.get(line.checked_sub(1)? as usize)?;
        given(line, field.rsplit('.').next().unwrap_or(field))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn given(line: &str, field: &str) -> Option<String> {
    let mut from = 0;
    let mut found = None;
    while let Some(at) = line[from..].find(field).map(|at| at + from) {
        from = at + field.len();
        let starts = !line[..at].ends_with(is_word);
        let rest = line[from..].trim_start();
        let rest = match rest.chars().next() {
            Some('=') if !rest.starts_with("==") => &rest[1..],
            Some('(' | '{') => &rest[1..],
            Some(':') if !rest.starts_with("::") => &rest[1..],
            _ => continue,
        };
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !is_word(c) && c != ':').unwrap_or(rest.len());
        let after = rest[end..].trim_start();
        let whole = after.is_empty() || after.starts_with([';', ',', ')', '}']);
        let name = rest[..end].rsplit("::").next().unwrap_or_default();
        let named = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if starts && whole && named && !["true", "false", "nullptr", "NULL", "None"].contains(&name) {
            if found.is_some() {
                // Two of them: which one is meant is not known.
                return None;
            }
            found = Some(name.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::given;

    #[test]
    fn a_line_names_the_constant_that_it_gives_a_field() {
        let name = |line| given(line, "state");
        assert_eq!(name("    state = OPEN;").as_deref(), Some("OPEN"));
        assert_eq!(name("  this->state = Port::OPEN; log();").as_deref(), Some("OPEN"));
        assert_eq!(name("Port() : count(0), state(CLOSED) {}").as_deref(), Some("CLOSED"));
        assert_eq!(name("int state{CLOSED};").as_deref(), Some("CLOSED"));
        assert_eq!(name("Port { state: CLOSED, n }").as_deref(), Some("CLOSED"));
        assert_eq!(name("if (state == OPEN) go();"), None);
        assert_eq!(name("state = OPEN + 1;"), None);
        assert_eq!(name("state = 3;"), None);
        assert_eq!(name("mystate = OPEN;"), None);
        assert_eq!(name("if (x) state = A; else state = B;"), None);
    }
}
