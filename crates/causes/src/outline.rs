//! The outline of a run: its calls, what it printed, how it ended.

use std::collections::VecDeque;

use whydunit_model::Function;
use whydunit_replay::{At, Entry, Observer, OutputEvent, Position, Stream};

use crate::value;
use crate::variables::size_words;

/// What an entry tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A call of captured code.
    Call,
    /// Something was printed.
    Output,
    /// A signal arrived.
    Signal,
    /// So many entries are left out here.
    LeftOut,
}

impl EntryKind {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            EntryKind::Call => "call",
            EntryKind::Output => "output",
            EntryKind::Signal => "signal",
            EntryKind::LeftOut => "left-out",
        }
    }
}

/// A line of the outline.
#[derive(Clone, PartialEq, Debug)]
pub struct OutlineEntry {
    /// Depth of the call, 0 for the outermost.
    pub depth: usize,
    /// Kind.
    pub kind: EntryKind,
    /// The call's or output's place; none outside captured code.
    pub position: Option<Position>,
    /// In a line.
    pub text: String,
}

/// Makes the outline of a run; only the first and the last entries of a long one are kept.
pub struct Outline {
    first: Vec<OutlineEntry>,
    last: VecDeque<OutlineEntry>,
    keep: usize,
    deepest: usize,
    left_out: u64,
}

impl Outline {
    /// Keeps `keep` entries at both ends, of calls down to `deepest`.
    pub fn new(keep: usize, deepest: usize) -> Self {
        Self { first: Vec::new(), last: VecDeque::new(), keep, deepest, left_out: 0 }
    }

    /// The entries.
    pub fn into_entries(self) -> Vec<OutlineEntry> {
        let mut out = self.first;
        if self.left_out > 0 {
            out.push(OutlineEntry {
                depth: 0,
                kind: EntryKind::LeftOut,
                position: None,
                text: format!("{} entries left out", self.left_out),
            });
        }
        out.extend(self.last);
        out
    }

    fn wants(&mut self) -> bool {
        if self.first.len() < self.keep {
            return true;
        }
        if self.last.len() == self.keep {
            self.last.pop_front();
            self.left_out += 1;
        }
        true
    }

    fn add(&mut self, entry: OutlineEntry) {
        if self.wants() {
            if self.first.len() < self.keep {
                self.first.push(entry);
            } else {
                self.last.push_back(entry);
            }
        }
    }
}

/// A function's name and arguments, from its parameters' slots.
fn call_text(at: &At<'_>, model: &Function) -> String {
    let module = at.module();
    let name = model.source_name.as_ref().unwrap_or(&model.name);
    let mut arguments = Vec::new();
    for (index, param) in model.params.iter().enumerate() {
        let variable = model.variables.iter().find(|variable| variable.arg as usize == index + 1);
        let Some(variable) = variable else { continue };
        let words = size_words(value::size_of(module, variable.ty));
        // Split or by-value parameters do not stand in one slot.
        let text = if param.byval > 0 || words > param.leaves.iter().map(|leaf| leaf.slots()).sum() {
            "…".into()
        } else {
            let mut bytes = Vec::new();
            for word in 0..words {
                bytes.extend(at.slot(param.slot + word).to_le_bytes());
            }
            bytes.truncate(value::size_of(module, variable.ty).max(1) as usize);
            value::format(module, variable.ty, &bytes, at.memory())
        };
        arguments.push(format!("{} = {text}", variable.name));
    }
    format!("{name}({})", arguments.join(", "))
}

impl Observer for Outline {
    const FRAMES: bool = true;

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        if at.depth > self.deepest {
            return;
        }
        let position = match at.depth.checked_sub(1).map(|depth| &at.core.frames[depth]) {
            Some(caller) => at.code.position(caller.function, caller.pc),
            None => at.position(),
        };
        let kind = if matches!(entry, Entry::Signal { .. }) { EntryKind::Signal } else { EntryKind::Call };
        let text = call_text(at, at.model);
        self.add(OutlineEntry { depth: at.depth, kind, position: Some(position), text });
    }

    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        let shown = String::from_utf8_lossy(&output.bytes);
        let mut text: String = shown.chars().take(120).flat_map(|c| c.escape_debug()).collect();
        if shown.chars().count() > 120 {
            text.push('…');
        }
        let stream = match output.stream {
            Stream::Descriptor(1) => "stdout".to_string(),
            Stream::Descriptor(2) => "stderr".to_string(),
            Stream::Descriptor(other) => format!("descriptor {other}"),
            Stream::File(file) => format!("file {file:#x}"),
        };
        let position = at.in_frame().then(|| at.position());
        let depth = output.depth.min(self.deepest) + 1;
        self.add(OutlineEntry { depth, kind: EntryKind::Output, position, text: format!("{stream}: \"{text}\"") });
    }
}
