//! The outline of a run: its calls, what it printed, how it ended.

use std::collections::VecDeque;

use whydunit_model::{Function, Variable};
use whydunit_replay::{At, Entry, Observer, OutputEvent, PerThread, Position, Stream};

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
    /// Number of the thread.
    pub thread: u32,
    /// So many entries came before it, those that are left out, too.
    pub number: u64,
}

/// Makes the outline of a run; only the first and the last entries of a long one are kept.
pub struct Outline {
    first: Vec<OutlineEntry>,
    last: VecDeque<OutlineEntry>,
    keep: usize,
    deepest: usize,
    left_out: u64,
    seen: u64,
    /// For each frame how many frames of Rust's libraries are among it and those below.
    folded: PerThread<Vec<usize>>,
}

impl Outline {
    /// Keeps `keep` entries at both ends, of calls down to `deepest`.
    pub fn new(keep: usize, deepest: usize) -> Self {
        Self {
            first: Vec::new(),
            last: VecDeque::new(),
            keep,
            deepest,
            left_out: 0,
            seen: 0,
            folded: PerThread::default(),
        }
    }

    /// How many entries there were by now: the number of the next one.
    pub fn seen(&self) -> u64 {
        self.seen
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
                thread: self.last.front().map_or(0, |entry| entry.thread),
                number: self.last.front().map_or(0, |entry| entry.number),
            });
        }
        out.extend(self.last);
        out
    }

    /// How many calls of libraries, or of inline functions of their headers, are under way up to a frame that has just been entered, and whether it is one: what
    /// they do between the program's own functions is not told.
    fn fold(&mut self, at: &At<'_>) -> (usize, bool) {
        let library = at.code.function(at.function).library == Some(true);
        self.folded.truncate(at.depth);
        let below = self.folded.last().copied().unwrap_or(0);
        self.folded.resize(at.depth, below);
        self.folded.push(below + usize::from(library));
        (below, library)
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
        let entry = OutlineEntry { number: self.seen, ..entry };
        self.seen += 1;
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
    if value::is_rust(module) {
        return format!("{name}({})", rust_arguments(at, model).join(", "));
    }
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

/// The arguments of a function of Rust, where its parameters tell which is which: an argument is none of them, one, or two (of
/// a slice), and a result in memory is the first.
fn rust_arguments(at: &At<'_>, model: &Function) -> Vec<String> {
    let module = at.module();
    let mut variables: Vec<&Variable> = model.variables.iter().filter(|variable| variable.arg > 0).collect();
    variables.sort_by_key(|variable| variable.arg);
    let counts: Option<Vec<usize>> = variables.iter().map(|variable| value::scalars(module, variable.ty)).collect();
    let all: usize = counts.iter().flatten().sum();
    let before = model.params.len().checked_sub(all).filter(|before| *before <= 1);
    let (Some(counts), Some(mut next)) = (counts, before) else {
        return variables.iter().map(|variable| format!("{} = …", variable.name)).collect();
    };
    let text = |(variable, count): (&&Variable, usize)| {
        let params = model.params.get(next..next + count).unwrap_or_default();
        next += count;
        let mut bytes: Vec<u8> = params.iter().flat_map(|param| at.slot(param.slot).to_le_bytes()).collect();
        bytes.truncate(value::size_of(module, variable.ty) as usize);
        format!("{} = {}", variable.name, value::format(module, variable.ty, &bytes, at.memory()))
    };
    variables.iter().zip(counts).map(text).collect()
}

impl Observer for Outline {
    const FRAMES: bool = true;

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        let (folded, library) = self.fold(at);
        let depth = at.depth - folded;
        if depth > self.deepest || library {
            return;
        }
        let position = at.caller().unwrap_or(*at).position();
        let kind = if matches!(entry, Entry::Signal { .. }) { EntryKind::Signal } else { EntryKind::Call };
        let text = call_text(at, at.model);
        let thread = at.core.threads.running();
        self.add(OutlineEntry { depth, kind, position: Some(position), text, thread, number: 0 });
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.folded.switch(from, to, Vec::new);
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
        // What a library prints is printed by who called it.
        let position = at.own_position();
        let folded = self.folded.get(output.depth).or(self.folded.last()).copied().unwrap_or(0);
        let depth = output.depth.saturating_sub(folded).min(self.deepest) + 1;
        let (text, thread) = (format!("{stream}: \"{text}\""), at.core.threads.running());
        self.add(OutlineEntry { depth, kind: EntryKind::Output, position, text, thread, number: 0 });
    }
}
