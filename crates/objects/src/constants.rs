//! Which stores are of constants, and what sources call these.

use std::collections::HashMap;

use whydunit_model::{Function, Op, Opnd, Slot};

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
    let mut defined = false;
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
            op if writes(function, op, slot) => false,
            _ => continue,
        };
        defined = true;
        if !of_constants {
            return false;
        }
    }
    defined
}

/// Whether an operation may give a slot its value. Of results of several words all slots behind the first are taken for written.
fn writes(function: &Function, op: &Op, slot: Slot) -> bool {
    let within = |dst: Slot, words: u32| (dst..dst + words).contains(&slot);
    match op {
        Op::Int { dst, .. }
        | Op::Funnel { dst, .. }
        | Op::ICmp { dst, .. }
        | Op::PtrAdd { dst, .. }
        | Op::PtrIndex { dst, .. }
        | Op::FCmp { dst, .. }
        | Op::StackAddr { dst, .. }
        | Op::Alloca { dst, .. }
        | Op::StackSave { dst }
        | Op::ThreadLocal { dst, .. } => within(*dst, 1),
        Op::Wide { dst, .. }
        | Op::IntUnary { dst, .. }
        | Op::Trunc { dst, .. }
        | Op::ZExt { dst, .. }
        | Op::SExt { dst, .. }
        | Op::Float { dst, .. }
        | Op::FloatUnary { dst, .. }
        | Op::Fma { dst, .. }
        | Op::FConv { dst, .. }
        | Op::FToInt { dst, .. }
        | Op::IntToF { dst, .. }
        | Op::Load { dst, .. }
        | Op::AtomicRmw { dst, .. }
        | Op::LandingPad { dst, .. } => within(*dst, 2),
        Op::Overflow { dst, .. } | Op::CmpXchg { dst, .. } => within(*dst, 3),
        Op::Copy { n, dst, .. } | Op::Select { n, dst, .. } => within(*dst, u32::from(*n)),
        Op::Call { call } => {
            let call = &function.calls[*call as usize];
            within(call.dst, call.ret.iter().map(|leaf| leaf.slots()).sum())
        }
        _ => false,
    }
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
