//! Breakpoints at lines and functions: with conditions, numbers of hits, and messages.
//!
//! A run hits a line where a frame comes to it, and a function where a frame of it comes to its first line. Hits are counted
//! from the start of the run, so that a number means the same hit whichever way the run goes.

use std::collections::{BTreeSet, HashMap};

use whydunit_causes::expression::{Expression, read};
use whydunit_causes::variables::View;
use whydunit_model::names;
use whydunit_replay::{At, Code, FuncId};

use crate::Position;
use crate::course::Course;
use crate::going::Halts;
use crate::lines::Line;
use crate::restriction::{Counts, Restriction};

/// Where a breakpoint is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// At a line of a file, as [`Session::sources`](crate::Session::sources) has it.
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u32,
    },
    /// At functions of this name, with scopes or without.
    Function(String),
}

/// A part of a message.
#[derive(Clone, PartialEq, Debug)]
enum Part {
    Text(String),
    Value(Expression),
}

/// A breakpoint.
#[derive(Clone, PartialEq, Debug)]
pub struct Breakpoint {
    /// Its number.
    pub number: u32,
    /// Where it is.
    pub place: Place,
    message: Option<Vec<Part>>,
    restriction: Restriction,
}

impl Breakpoint {
    /// A breakpoint that always stops.
    pub fn new(number: u32, place: Place) -> Self {
        Self { number, place, message: None, restriction: Restriction::default() }
    }

    /// It stops only where this expression holds.
    pub fn on_condition(mut self, text: &str) -> Result<Self, String> {
        self.restriction.on_condition(text)?;
        Ok(self)
    }

    /// It stops only at some hits: `7`, `> 7`, `>= 7`, `< 7`, `<= 7` or `% 7`, counted from the start of the run.
    pub fn on_hits(mut self, text: &str) -> Result<Self, String> {
        self.restriction.on_hits(text)?;
        Ok(self)
    }

    /// It does not stop, but says something: a text, with expressions in braces.
    pub fn saying(mut self, text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (inside, behind) = after.split_once('}').ok_or_else(|| format!("`{text}` lacks a `}}`"))?;
            parts.push(Part::Text(before.into()));
            parts.push(Part::Value(read(inside.trim())?));
            rest = behind;
        }
        parts.push(Part::Text(rest.into()));
        self.message = Some(parts);
        Ok(self)
    }
}

/// The breakpoints of a session, found by where a run is.
#[derive(Default)]
pub struct Breakpoints {
    list: Vec<Breakpoint>,
    /// By module, file and line.
    lines: HashMap<(u32, u32, u32), Vec<usize>>,
    functions: HashMap<FuncId, Vec<usize>>,
    /// Lines that have one, whatever the file.
    numbers: BTreeSet<u32>,
}

/// What a hit does.
#[derive(Default)]
pub struct Hit {
    /// The numbers of the breakpoints that stop.
    pub numbers: Vec<u32>,
    /// What was said.
    pub said: Vec<String>,
}

impl Breakpoints {
    /// Of these, in a program.
    pub(crate) fn of(list: Vec<Breakpoint>, code: &Code) -> Self {
        let mut lines: HashMap<(u32, u32, u32), Vec<usize>> = HashMap::new();
        let mut functions: HashMap<FuncId, Vec<usize>> = HashMap::new();
        let mut numbers = BTreeSet::new();
        for (index, breakpoint) in list.iter().enumerate() {
            match &breakpoint.place {
                Place::Line { file, line } => {
                    numbers.insert(*line);
                    for (module, loaded) in code.modules().iter().enumerate() {
                        let files = loaded.model.files.iter().enumerate().filter(|(_, path)| *path == file);
                        for (number, _) in files {
                            lines.entry((module as u32, number as u32, *line)).or_default().push(index);
                        }
                    }
                }
                Place::Function(name) => {
                    for function in named(code, name) {
                        functions.entry(function).or_default().push(index);
                    }
                }
            }
        }
        Self { list, lines, functions, numbers }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a line of a function, by its code, may hit some of them.
    pub(crate) fn may_be_hit(&self, code: &Code, function: FuncId, line: u64) -> bool {
        let (module, line) = (code.function(function).module, Line::of_code(line));
        self.functions.contains_key(&function) || self.lines.contains_key(&(module, line.file, line.line))
    }

    /// What the next operation hits; `None` where that is nothing.
    #[inline]
    pub(crate) fn hit(&self, at: &At<'_>, course: &mut Course) -> Option<Hit> {
        let arrives = course.arrives(at)?;
        let enters = !self.functions.is_empty() && course.running(at).is_some_and(|frame| frame.line.line == 0);
        if !enters && !self.numbers.contains(&arrives.line) {
            return None;
        }
        let module = at.code.function(at.function).module;
        let at_line = self.lines.get(&(module, arrives.file, arrives.line)).into_iter().flatten();
        let entered = enters.then(|| self.functions.get(&at.function)).flatten().into_iter().flatten();
        let hit: Vec<&Breakpoint> = at_line.chain(entered).filter_map(|index| self.list.get(*index)).collect();
        if hit.is_empty() {
            return None;
        }
        course.stopped(at);
        let mut result = Hit::default();
        for breakpoint in hit {
            breakpoint.take(at, course, &mut result);
        }
        Some(result)
    }
}

impl Breakpoint {
    fn take(&self, at: &At<'_>, course: &Course, hit: &mut Hit) {
        if !self.restriction.counts_at(course.position) {
            return;
        }
        let view = View::of(at, &course.watch, at.depth);
        match self.restriction.holds(self.number, view.as_ref()) {
            Ok(true) => {}
            Ok(false) => return,
            Err(said) => return hit.said.push(said),
        }
        let Some(message) = &self.message else {
            // A file may have several names, and then one breakpoint stands at several places.
            if !hit.numbers.contains(&self.number) {
                hit.numbers.push(self.number);
            }
            return;
        };
        let text = message.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Value(expression) => match view.as_ref().map(|view| (view, view.value(expression))) {
                Some((view, Ok(value))) => value.text(view.module(), at.memory()),
                Some((_, Err(error))) => format!("<{error}>"),
                None => "<no frame>".into(),
            },
        });
        hit.said.push(text.collect());
    }
}

/// The functions of this name: as the source has it, with its scopes, or its symbol.
pub(crate) fn named(code: &Code, name: &str) -> Vec<FuncId> {
    let is_named = |function: &FuncId| {
        let model = code.model(*function);
        if !model.is_defined() {
            return false;
        }
        let readable = || names::readable(&model.name);
        let scoped = |full: String| full == name || full.strip_suffix(name).is_some_and(|scope| scope.ends_with("::"));
        model.name == name || model.source_name.as_deref() == Some(name) || readable().is_some_and(scoped)
    };
    (0..code.functions()).map(FuncId).filter(is_named).collect()
}

/// Counts the hits of those breakpoints whose hits are counted.
pub(crate) struct Counting {
    breakpoints: Breakpoints,
    /// Where hits were counted last: where two stretches meet one is asked twice.
    last: Option<(Position, FuncId, u32)>,
    counts: Counts,
}

impl Counting {
    /// For these breakpoints; `None` where no hits are counted.
    pub fn of(list: &[Breakpoint], code: &Code) -> Option<Self> {
        let counts = Counts::of(list.iter().map(|one| (one.number, &one.restriction)))?;
        let counted = list.iter().filter(|one| one.restriction.is_counted());
        let quiet = counted.map(|one| Breakpoint { message: None, ..one.clone() }).collect();
        Some(Self { breakpoints: Breakpoints::of(quiet, code), last: None, counts })
    }

    /// The breakpoints whose hits are counted.
    pub fn breakpoints(&self) -> &Breakpoints {
        &self.breakpoints
    }

    /// Tells the breakpoints which of their hits count.
    pub fn tell(self, list: &mut [Breakpoint]) {
        list.iter_mut().for_each(|one| self.counts.tell(one.number, &mut one.restriction));
    }
}

impl Halts for Counting {
    fn halts(&mut self, at: &At<'_>, course: &mut Course) -> bool {
        let here = (course.position, at.function, at.pc);
        if self.last.replace(here) == Some(here) {
            return false;
        }
        let hit = self.breakpoints.hit(at, course);
        self.counts.hit(hit.into_iter().flat_map(|hit| hit.numbers), course.position);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_expressions_in_braces() {
        let place = || Place::Function("f".into());
        let said = Breakpoint::new(1, place()).saying("n is {n + 1}, done").expect("a message");
        assert_eq!(said.message.expect("a message").len(), 3);
        assert!(Breakpoint::new(1, place()).saying("{n").is_err());
        assert!(Breakpoint::new(1, place()).saying("{n = 1}").is_err());
    }
}
