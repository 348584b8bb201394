//! The values that variables have in a run as a whole: the first and the last one, and which lines set them.
//!
//! Variables are looked at where a frame comes to another line, and where it is left: what has another value than the last time was
//! set by the line before. A variable in memory has its first value at its declaration, or where its bytes change. So a line that sets a variable twice counts once, and what a call writes by an address counts for the
//! line that calls.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use whydunit_causes::variables::{Found, View};
use whydunit_model::{Op, Opnd};
use whydunit_process::Cancel;
use whydunit_replay::{At, Entry, External, FuncId, Machine, Observer, ReplayError, Stop};

use crate::course::Course;
use crate::going::PATIENCE;
use crate::lines::Line;
use crate::{DebugError, Position};

/// Values of more bytes are not compared.
const LARGEST: usize = 4096;
/// Longer texts of values are cut off.
const LONGEST_TEXT: usize = 200;

/// Where a variable is set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetAt {
    /// How often.
    pub times: u64,
    /// The last value that is set there, as text.
    pub last: String,
}

/// The values of a variable of a function, over all of its calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariableValues {
    /// Its name.
    pub name: String,
    /// The function that declares it.
    pub function: String,
    /// The source, as the build named it.
    pub file: String,
    /// The lines at which it is known, from 1: first and last.
    pub lines: (u32, u32),
    /// In so many calls of the function it has a value.
    pub calls: u64,
    /// Its first value.
    pub first: String,
    /// Its last value.
    pub last: String,
    /// How often another value takes the place of one, in all calls.
    pub changes: u64,
    /// By lines of the same source; what parameters are given counts for none.
    pub set: BTreeMap<u32, SetAt>,
    /// The line that set it last; `None` where it only has what it was given.
    pub last_set: Option<u32>,
}

/// What is known of the values of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunValues {
    /// By variable, in no order that says something.
    pub variables: Vec<VariableValues>,
    /// Time was up, or the replay parted from the recording: this is of the run up to there.
    pub cut: bool,
}

impl RunValues {
    /// The variable of this name that is meant at a line of a source: where several have it the one that is known at the fewest lines.
    pub fn at(&self, is_file: impl Fn(&str) -> bool, line: u32, name: &str) -> Option<&VariableValues> {
        let known = self.variables.iter().filter(|it| it.name == name && it.lines.0 <= line && line <= it.lines.1);
        known.filter(|it| is_file(&it.file)).min_by_key(|it| it.lines.1 - it.lines.0)
    }
}

/// The bytes of a variable as they were last seen in a frame, and whether they are a value that was given to it: a variable in memory
/// has bytes before it has one.
type Seen = HashMap<usize, (Vec<u8>, bool)>;

struct Following<'a> {
    course: Course,
    /// By thread, the frames, the outermost first: the position of its first operation, and what was seen.
    frames: HashMap<u32, Vec<(Position, Seen)>>,
    found: HashMap<(FuncId, usize), (u32, VariableValues)>,
    until: Instant,
    cancel: &'a Cancel,
    late: bool,
}

impl Following<'_> {
    /// Looks at the variables of the frame that runs: what is another was set by the line that the frame is at.
    fn look(&mut self, at: &At<'_>) {
        self.course.stopped(at);
        let Some(frame) = self.course.running(at) else { return };
        let (entered, line) = (frame.entered, frame.line);
        let Some(view) = View::of(at, &self.course.watch, at.depth) else { return };
        let seen = seen(&mut self.frames, at, entered);
        let now = self.course.line(at);
        for (index, found) in view.in_scope_numbered() {
            if found.bytes.is_empty() || found.bytes.len() > LARGEST {
                continue;
            }
            let key = (at.function, index);
            let known = self.found.entry(key).or_insert_with(|| declared(&view, index, line, now));
            known.1.seen_at(known.0, line);
            known.1.seen_at(known.0, now);
            let variable = &view.model().variables[index];
            let first = match seen.get(&index) {
                Some((bytes, _)) if *bytes == found.bytes => continue,
                Some((_, has)) => !has,
                None => true,
            };
            let parameter = variable.arg > 0;
            let declares = line.line == variable.line && line.file == known.0;
            if variable.object.is_some() && !parameter && !declares && !seen.contains_key(&index) {
                seen.insert(index, (found.bytes, false));
                continue;
            }
            *(if first { &mut known.1.calls } else { &mut known.1.changes }) += 1;
            // What a parameter is given was set by no line of the function.
            let sets = line.file == known.0 && line.is_own() && !(parameter && first);
            known.1.takes(text(&found, &view), sets.then_some(line.line));
            seen.insert(index, (found.bytes, true));
        }
    }
}

/// What was seen of the frame that runs.
fn seen<'a>(frames: &'a mut HashMap<u32, Vec<(Position, Seen)>>, at: &At<'_>, entered: Position) -> &'a mut Seen {
    let frames = frames.entry(at.core.threads.running()).or_default();
    frames.truncate(at.depth + 1);
    while frames.len() <= at.depth {
        frames.push((Position::MAX, Seen::new()));
    }
    let frame = &mut frames[at.depth];
    if frame.0 != entered {
        *frame = (entered, Seen::new());
    }
    &mut frame.1
}

/// A variable that is met for the first time, with the number of its file.
fn declared(view: &View<'_>, index: usize, line: Line, now: Line) -> (u32, VariableValues) {
    let (model, module) = (view.model(), view.module());
    let variable = &model.variables[index];
    let place = if line.line == 0 { now } else { line };
    let from = if variable.line == 0 { place.line } else { variable.line };
    let values = VariableValues {
        name: variable.name.clone(),
        function: whydunit_model::names::readable(&model.name).unwrap_or_else(|| model.name.clone()),
        file: module.files.get(place.file as usize).cloned().unwrap_or_default(),
        lines: (from, from),
        ..VariableValues::default()
    };
    (place.file, values)
}

fn text(found: &Found, view: &View<'_>) -> String {
    let text = found.text(view.module(), view.at.memory());
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl VariableValues {
    fn seen_at(&mut self, file: u32, line: Line) {
        if line.file == file && line.is_own() {
            self.lines = (self.lines.0.min(line.line), self.lines.1.max(line.line));
        }
    }

    fn takes(&mut self, text: String, line: Option<u32>) {
        if self.calls == 1 && self.changes == 0 {
            self.first.clone_from(&text);
        }
        if let Some(line) = line {
            let set = self.set.entry(line).or_default();
            set.times += 1;
            set.last.clone_from(&text);
            self.last_set = Some(line);
        }
        self.last = text;
    }
}

impl Observer for Following<'_> {
    const OPS: bool = true;
    const FRAMES: bool = true;
    const STOPS: bool = true;

    #[inline]
    fn stop(&mut self, _: &At<'_>) -> bool {
        if !self.course.position.is_multiple_of(PATIENCE) {
            return false;
        }
        self.late = Instant::now() >= self.until;
        self.late || self.cancel.is_cancelled()
    }

    #[inline]
    fn op(&mut self, at: &At<'_>, _: &Op) {
        if self.course.arrives(at).is_some_and(Line::is_own) {
            self.look(at);
        }
        self.course.op(at);
    }

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        self.course.enter(at);
    }

    fn leave(&mut self, at: &At<'_>, _: Option<(Opnd, u8)>) {
        if self.course.running(at).is_some_and(|frame| frame.line.is_own()) {
            self.look(at);
        }
    }

    // A call that ends the program is not returned from.
    fn external(&mut self, at: &At<'_>, _: &External<'_>) {
        if self.course.running(at).is_some_and(|frame| frame.line.is_own()) {
            self.look(at);
        }
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.course.switched(from, to);
    }
}

/// The values of the variables of a run, whose machine stands at its start. After `time` what is known by then is given.
pub fn values(machine: &mut Machine, time: Duration, cancel: &Cancel) -> Result<RunValues, DebugError> {
    let mut following = Following {
        course: Course::default(),
        frames: HashMap::new(),
        found: HashMap::new(),
        until: Instant::now() + time,
        cancel,
        late: false,
    };
    let cut = match machine.run_until(u64::MAX, &mut following) {
        Ok(Stop::End(_)) => false,
        Ok(_) if following.late => true,
        Ok(_) => return Err(DebugError::Cancelled),
        Err(ReplayError::Divergence(_)) => true,
        Err(other) => return Err(other.into()),
    };
    let variables = following.found.into_values().map(|(_, values)| values).collect();
    Ok(RunValues { variables, cut })
}
