//! Automata as texts.

use std::fmt::{self, Display, Formatter};

use super::words::quoted;
use crate::automaton::{EX, End, Kind, Transition, Typestate};

impl Display for Typestate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "typestate {}", quoted(&self.class))?;
        if !self.methods.is_empty() {
            let methods: Vec<_> = self.methods.iter().map(|method| quoted(method)).collect();
            writeln!(f, "method {}", methods.join(", "))?;
        }
        for state in self.states.iter().skip(1) {
            write!(f, "state {}", quoted(&state.name))?;
            for (number, (path, values)) in state.values.iter().enumerate() {
                let values: Vec<_> = values.iter().map(|value| quoted(value)).collect();
                let before = if number == 0 { "  " } else { ", " };
                write!(f, "{before}{} = {}", quoted(path), values.join(" | "))?;
            }
            writeln!(f)?;
        }
        self.transitions.iter().try_for_each(|it| self.transition(f, it))
    }
}

impl Typestate {
    fn transition(&self, f: &mut Formatter<'_>, it: &Transition) -> fmt::Result {
        let name = |state: usize| quoted(&self.states[state].name);
        let (to, mut known) = match &it.end {
            End::To(to) => (name(*to), Vec::new()),
            End::Ex { reason, left_in } => {
                let mut known = Vec::new();
                match reason.text.as_str() {
                    // Nothing says so much as a person does who names no reason.
                    "" if reason.kind == Kind::Exception && left_in.is_none() && it.evidence.is_asserted() => {}
                    "" => known.push(reason.kind.name().to_owned()),
                    text => known.push(format!("{} {}", reason.kind.name(), quoted(text))),
                }
                known.extend(left_in.map(|left| format!("left in {}", name(left))));
                (EX.to_owned(), known)
            }
        };
        if it.evidence.misuse {
            known.push("misuse".into());
        }
        let counts = [("seen", it.evidence.seen), ("tried", it.evidence.tried)];
        known.extend(counts.iter().filter(|(_, count)| *count > 0).map(|(word, count)| format!("{word} {count}")));
        known.extend(it.evidence.arguments.iter().map(|arguments| format!("with {}", quoted(arguments))));
        write!(f, "{} -> {to}  {}", name(it.from), quoted(&it.method))?;
        match known.is_empty() {
            true => writeln!(f),
            false => writeln!(f, " [{}]", known.join("; ")),
        }
    }
}
