//! Breakpoints at lines and functions: with conditions, numbers of hits, and messages.
//!
//! A run hits a line where a frame comes to it, and a function where a frame of it comes to its first line. Hits are counted
//! from the start of the run, so that a number means the same hit whichever way the run goes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whydunit_causes::expression::{Expression, read};
use whydunit_causes::variables::View;
use whydunit_model::names;
use whydunit_replay::{At, Code, FuncId};

use crate::Position;
use crate::course::Course;
use crate::going::Halts;
use crate::lines::Line;

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

/// Which hits count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hits {
    Is(u64),
    Less(u64),
    More(u64),
    Each(u64),
}

impl Hits {
    /// `7`, `== 7`, `< 7`, `<= 7`, `> 7`, `>= 7` or `% 7`.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let number = text.trim_start_matches(['<', '>', '=', '%']);
        let wrong = || format!("`{text}` is no number of hits: `7`, `> 7`, `>= 7`, `< 7`, `<= 7` or `% 7` is meant");
        let count: u64 = number.trim().parse().map_err(|_| wrong())?;
        match &text[..text.len() - number.len()] {
            "" | "=" | "==" => Ok(Hits::Is(count)),
            "<" => Ok(Hits::Less(count)),
            "<=" => Ok(Hits::Less(count.saturating_add(1))),
            ">" => Ok(Hits::More(count)),
            ">=" => Ok(count.checked_sub(1).map_or(Hits::Each(1), Hits::More)),
            "%" if count > 0 => Ok(Hits::Each(count)),
            _ => Err(wrong()),
        }
    }

    pub fn counts(self, number: u64) -> bool {
        match self {
            Hits::Is(count) => number == count,
            Hits::Less(count) => number < count,
            Hits::More(count) => number > count,
            Hits::Each(count) => number.is_multiple_of(count),
        }
    }
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
    condition: Option<Expression>,
    hits: Option<Hits>,
    message: Option<Vec<Part>>,
    /// Where those hits are that count; `None` where all do.
    counted: Option<BTreeSet<Position>>,
}

impl Breakpoint {
    /// A breakpoint that always stops.
    pub fn new(number: u32, place: Place) -> Self {
        Self { number, place, condition: None, hits: None, message: None, counted: None }
    }

    /// It stops only where this expression holds.
    pub fn on_condition(mut self, text: &str) -> Result<Self, String> {
        self.condition = Some(read(text.trim())?);
        Ok(self)
    }

    /// It stops only at some hits: `7`, `> 7`, `>= 7`, `< 7`, `<= 7` or `% 7`, counted from the start of the run.
    pub fn on_hits(mut self, text: &str) -> Result<Self, String> {
        self.hits = Some(Hits::read(text)?);
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
    /// It is hit: whether its condition holds, and what is said where it has no value.
    fn holds(&self, view: Option<&View<'_>>) -> Result<bool, String> {
        match (&self.condition, view) {
            (Some(condition), Some(view)) => view.holds(condition),
            (Some(_), None) => Ok(false),
            (None, _) => Ok(true),
        }
    }

    fn take(&self, at: &At<'_>, course: &Course, hit: &mut Hit) {
        if self.counted.as_ref().is_some_and(|counted| !counted.contains(&course.position)) {
            return;
        }
        let view = View::of(at, &course.watch, at.depth);
        match self.holds(view.as_ref()) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                let said = format!("the condition of breakpoint {} has no value: {error}", self.number);
                return hit.said.push(said);
            }
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
    counts: BTreeMap<u32, (Hits, u64, BTreeSet<Position>)>,
}

impl Counting {
    /// For these breakpoints; `None` where no hits are counted.
    pub fn of(list: &[Breakpoint], code: &Code) -> Option<Self> {
        let counted = list.iter().filter(|breakpoint| breakpoint.hits.is_some());
        let quiet: Vec<Breakpoint> = counted.map(|b| Breakpoint { message: None, ..b.clone() }).collect();
        let counts = quiet.iter().filter_map(|b| Some((b.number, (b.hits?, 0, BTreeSet::new())))).collect();
        (!quiet.is_empty()).then(|| Self { breakpoints: Breakpoints::of(quiet, code), last: None, counts })
    }

    /// The breakpoints whose hits are counted.
    pub fn breakpoints(&self) -> &Breakpoints {
        &self.breakpoints
    }

    /// Tells the breakpoints which of their hits count.
    pub fn tell(self, list: &mut [Breakpoint]) {
        for breakpoint in list {
            breakpoint.counted = self.counts.get(&breakpoint.number).map(|(_, _, counted)| counted.clone());
        }
    }
}

impl Halts for Counting {
    fn halts(&mut self, at: &At<'_>, course: &mut Course) -> bool {
        let here = (course.position, at.function, at.pc);
        if self.last.replace(here) == Some(here) {
            return false;
        }
        let hit = self.breakpoints.hit(at, course);
        for number in hit.into_iter().flat_map(|hit| hit.numbers) {
            if let Some((hits, count, counted)) = self.counts.get_mut(&number) {
                *count += 1;
                if hits.counts(*count) {
                    counted.insert(course.position);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_told_by_their_numbers() {
        let counts = |text: &str| (0..8).filter(|n| Hits::read(text).expect("hits").counts(*n)).collect::<Vec<_>>();
        assert_eq!((counts("3"), counts("== 3")), (vec![3], vec![3]));
        assert_eq!((counts("> 5"), counts(">=6")), (vec![6, 7], vec![6, 7]));
        assert_eq!((counts("<2"), counts("<= 1")), (vec![0, 1], vec![0, 1]));
        assert_eq!(counts("% 3"), [0, 3, 6]);
        for wrong in ["", "x", "% 0", "=> 1", "-1"] {
            assert!(Hits::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn messages_have_expressions_in_braces() {
        let place = || Place::Function("f".into());
        let said = Breakpoint::new(1, place()).saying("n is {n + 1}, done").expect("a message");
        assert_eq!(said.message.expect("a message").len(), 3);
        assert!(Breakpoint::new(1, place()).saying("{n").is_err());
        assert!(Breakpoint::new(1, place()).saying("{n = 1}").is_err());
    }
}
