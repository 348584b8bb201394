//! Why a variable has the value it has at a line: finds the moment, then walks back.

use std::collections::HashSet;

use whydunit_model::{DebugType, Module, Op};
use whydunit_recording::Recording;
use whydunit_replay::{
    At, Code, Divergence, End, Entry, FuncId, Machine, Nothing, Observer, Position, Program, ReplayError, Segments,
};

use crate::access::Named;
use crate::trace::{Before, Trace};
use crate::value::{Known, is_char, size_of, underlying};
use crate::variables::{Found, Store, Watch, evaluate};
use crate::walk::{Cause, Dependence, Walk};

/// A trace covers so many instructions; memory grows with it.
const TRACED: u64 = 2_000_000;
/// How many snapshots divide a long run.
const SEGMENTS: usize = 192;
/// So many bytes of a value are followed.
const LARGEST: u32 = 4096;
/// So many members or elements of a value are followed each for itself.
const PIECES: usize = 16;
/// How many lines near the one asked for a message names.
const NEAR: usize = 6;

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// A variable, or a member or element of one.
    pub variable: String,
    /// Source file, or the end of its path.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Most steps.
    pub steps: usize,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum WhyError {
    /// The replay failed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// No code stands there.
    #[error("no statement stands at {file}:{line}; statements stand at the lines {near}")]
    NoStatement {
        /// As asked.
        file: String,
        /// As asked.
        line: u32,
        /// Lines near it.
        near: String,
    },
    /// No such file.
    #[error("no captured source file ends with `{file}`; there are {files}")]
    NoFile {
        /// As asked.
        file: String,
        /// Some of those that exist.
        files: String,
    },
    /// The line was not executed.
    #[error("{file}:{line} was not executed in this run")]
    NotExecuted {
        /// As asked.
        file: String,
        /// As asked.
        line: u32,
    },
    /// The variable is not there.
    #[error("{0}")]
    NoVariable(String),
}

/// The moment asked about: the last operation of the line's last execution, or the one right after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Moment {
    instruction: u64,
    pc: u32,
    depth: usize,
}

/// Finds the last execution of a line.
struct Finder {
    file: String,
    line: u32,
    /// Operations at the line, by function (filled as functions are met).
    at_line: Vec<Option<HashSet<u32>>>,
    last: Option<Moment>,
    after: Option<Moment>,
    open: bool,
    /// The thread that executed the line, while another one runs.
    away: Option<u32>,
}

/// The causes of a value, and how the run went on.
#[derive(Clone, PartialEq, Debug)]
pub struct Answered {
    /// The causes, the value asked for first.
    pub causes: Vec<Cause>,
    /// How the run ended, or where the replay parted from the recording: then the value is that of the last time before.
    pub end: Result<End, Box<Divergence>>,
}

/// Walks back from a value.
pub fn why(program: &Program, recording: &Recording, question: &Question) -> Result<Answered, WhyError> {
    let mut machine = Machine::new(program.clone(), recording)?;
    let mut finder = Finder {
        file: question.file.clone(),
        line: question.line,
        at_line: Vec::new(),
        last: None,
        after: None,
        open: false,
        away: None,
    };
    let divided = Segments::divide_watched(&mut machine, SEGMENTS, TRACED, &mut finder);
    // A second machine at the end of the run lends its code, as the first one goes back and forth.
    let mut whole = Machine::new(program.clone(), recording)?;
    let (segments, end) = match divided {
        Ok(segments) => (segments, Ok(whole.run(&mut Nothing)?)),
        Err(ReplayError::Divergence(divergence)) if finder.last.is_some() => {
            whole.run(&mut Nothing).err();
            machine = Machine::new(program.clone(), recording)?;
            let mut up_to = UpTo(divergence.instruction);
            (Segments::divide_watched(&mut machine, usize::MAX, TRACED, &mut up_to)?, Err(divergence))
        }
        Err(other) => return Err(other.into()),
    };
    let Some(last) = finder.last else { return Err(no_moment(whole.code(), question)) };
    let mut pieces = Pieces { segments, parts: None, segment: 0, part: 0, parted: end.is_err() };
    let mut answer = Err(WhyError::NoVariable(String::new()));
    for moment in finder.after.into_iter().chain([last]) {
        pieces.seek(&mut machine, moment.instruction)?;
        let mut until = Until {
            trace: Trace::default(),
            watch: Watch::default(),
            moment,
            question: question.variable.clone(),
            found: None,
        };
        pieces.replay(&mut machine, &mut until)?;
        match until.found {
            Some(Ok(found)) => {
                answer = Ok((found, until.trace));
                break;
            }
            Some(Err(message)) => answer = Err(WhyError::NoVariable(message)),
            None => answer = Err(WhyError::NoVariable("the moment was not reached again".into())),
        }
    }
    let (found, mut trace) = answer?;
    let asked = whole.code().position(found.function, last.pc);
    let mut walk = Walk::new(whole.code(), question.steps.max(1));
    let position = Some(if found.position.function == asked.function { asked } else { found.position });
    let first = walk.note(Cause {
        position,
        variable: found.name.clone(),
        value: found.text,
        kind: Dependence::Data,
        note: Some("asked for".into()),
        condition: None,
        is_branch: false,
        tested: None,
        from: None,
        thread: found.thread,
    });
    for Piece { name, before, value } in found.pieces {
        walk.start(before, name, found.function, value, Some(first));
    }
    walk.through(&mut trace);
    while !walk.is_done() && pieces.back(&mut machine)? {
        trace.clear();
        pieces.replay(&mut machine, &mut trace)?;
        walk.through(&mut trace);
    }
    walk.finish();
    Ok(Answered { causes: walk.into_causes(), end })
}

/// The pieces of a run that are traced one by one: parts of segments, or short segments where a run parts from its
/// recording.
struct Pieces {
    segments: Segments,
    parts: Option<Segments>,
    segment: usize,
    part: usize,
    parted: bool,
}

impl Pieces {
    /// Goes to the piece of an instruction.
    fn seek(&mut self, machine: &mut Machine, instruction: u64) -> Result<(), ReplayError> {
        self.segment = self.segments.segment_of(instruction);
        self.divide(machine)?;
        self.part = self.parts.as_ref().map_or(0, |parts| parts.segment_of(instruction));
        Ok(())
    }

    /// Goes to the piece before; false where there is none.
    fn back(&mut self, machine: &mut Machine) -> Result<bool, ReplayError> {
        if self.part > 0 {
            self.part -= 1;
        } else if self.segment > 0 {
            self.segment -= 1;
            self.divide(machine)?;
            self.part = self.parts.as_ref().map_or(0, |parts| parts.len() - 1);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn divide(&mut self, machine: &mut Machine) -> Result<(), ReplayError> {
        if !self.parted {
            self.parts = Some(self.segments.inside(machine, self.segment, TRACED)?);
        }
        Ok(())
    }

    fn replay<O: Observer>(&self, machine: &mut Machine, observer: &mut O) -> Result<(), ReplayError> {
        let replayed = match &self.parts {
            Some(parts) => parts.replay(machine, self.part, observer),
            None => self.segments.replay(machine, self.segment, observer),
        };
        match replayed {
            // The last piece goes up to there.
            Err(ReplayError::Divergence(_)) if self.parted => Ok(()),
            other => other.map(drop),
        }
    }
}

/// Stops a run at an instruction.
struct UpTo(u64);

impl Observer for UpTo {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() >= self.0
    }
}

/// Says why no moment was found.
fn no_moment(code: &Code, question: &Question) -> WhyError {
    let Question { file, line, .. } = question;
    let (mut lines, mut files) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    for loaded in code.modules() {
        files.extend(loaded.model.files.iter().filter(|path| path.ends_with(".c")).cloned());
        for function in &loaded.model.functions {
            for loc in &function.locs {
                if loaded.model.files.get(loc.file as usize).is_some_and(|path| file_matches(path, file))
                    && loc.line > 0
                {
                    lines.insert(loc.line);
                }
            }
        }
    }
    if lines.is_empty() {
        let files: Vec<String> = files.into_iter().take(NEAR).collect();
        return WhyError::NoFile { file: file.clone(), files: files.join(", ") };
    }
    if lines.contains(line) {
        return WhyError::NotExecuted { file: file.clone(), line: *line };
    }
    let mut near: Vec<u32> = lines.into_iter().collect();
    near.sort_by_key(|known| known.abs_diff(*line));
    near.truncate(NEAR);
    near.sort_unstable();
    let near = near.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    WhyError::NoStatement { file: file.clone(), line: *line, near }
}

fn file_matches(path: &str, asked: &str) -> bool {
    path == asked || path.strip_suffix(asked).is_some_and(|rest| rest.ends_with('/') || asked.starts_with('/'))
}

impl Finder {
    fn is_at(&mut self, at: &At<'_>) -> bool {
        let index = at.function.0 as usize;
        if self.at_line.len() <= index {
            self.at_line.resize(index + 1, None);
        }
        let (file, line) = (&self.file, self.line);
        let lines = self.at_line[index].get_or_insert_with(|| {
            let files = &at.module().files;
            let here = |pc: &u32| {
                let loc = at.model.loc(*pc as usize);
                loc.line == line && files.get(loc.file as usize).is_some_and(|path| file_matches(path, file))
            };
            (0..at.model.code.len() as u32).filter(here).collect()
        });
        !lines.is_empty() && lines.contains(&at.pc)
    }
}

impl Observer for Finder {
    const OPS: bool = true;

    #[inline]
    fn op(&mut self, at: &At<'_>, _: &Op) {
        let moment = || Moment { instruction: at.instruction(), pc: at.pc, depth: at.depth };
        if self.is_at(at) {
            self.last = Some(moment());
            self.after = None;
            self.open = true;
            self.away = None;
        } else if self.open
            && self.away.is_none()
            && let Some(last) = self.last
        {
            // Calls made by the line are part of it.
            if at.depth == last.depth {
                self.after = Some(moment());
                self.open = false;
            } else if at.depth < last.depth {
                self.open = false;
            }
        }
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        let line = self.away.unwrap_or(from);
        self.away = (line != to).then_some(line);
    }
}

/// Stops the trace at a moment.
struct Until {
    trace: Trace,
    /// Which debug values hold, for naming.
    watch: Watch,
    moment: Moment,
    question: String,
    found: Option<Result<Answer, String>>,
}

struct Answer {
    name: String,
    pieces: Vec<Piece>,
    text: String,
    function: FuncId,
    position: Position,
    thread: u32,
}

/// What is followed for itself: a value, or a member or element of one.
struct Piece {
    name: Named,
    before: Before,
    value: Known,
}

impl Piece {
    fn of(module: &Module, found: &Found) -> Option<Self> {
        let (before, value) = match found.store {
            Store::Memory(address) => {
                let mut size = (found.bytes.len() as u32).clamp(1, LARGEST);
                let mut value = Known::Bytes(found.bytes.as_slice().into());
                if let Some(DebugType::Array { element, .. }) = module.types.get(underlying(module, found.ty) as usize)
                    && is_char(module, *element)
                {
                    // What stands behind the end of a text is of no interest.
                    let end = found.bytes.iter().position(|&byte| byte == 0).unwrap_or(found.bytes.len());
                    size = size.min(end.max(1) as u32);
                    value = Known::Text(found.bytes[..end].into());
                }
                (Before::Memory(address, size), value)
            }
            Store::Slot(index) => (Before::Slot(index), Known::Bytes(found.bytes.as_slice().into())),
            Store::Constant(_) => return None,
        };
        Some(Self { name: Named { text: found.name.clone(), ty: found.ty }, before, value })
    }

    /// The members or elements of a value, each for itself; the value as a whole where it has too many or none.
    fn split(module: &Module, found: &Found) -> Vec<Self> {
        let count = match module.types.get(underlying(module, found.ty) as usize) {
            Some(DebugType::Struct { members, union: false, .. }) => members.len(),
            Some(DebugType::Array { element, .. }) if !is_char(module, *element) => {
                found.bytes.len() / size_of(module, *element).max(1) as usize
            }
            _ => 0,
        };
        let parts: Vec<Found> =
            if count > PIECES { Vec::new() } else { (0..count).filter_map(|n| found.part(module, n)).collect() };
        if parts.is_empty() {
            Self::of(module, found).into_iter().collect()
        } else {
            parts.iter().filter_map(|part| Self::of(module, part)).collect()
        }
    }
}

impl Until {
    fn look(&mut self, at: &At<'_>) {
        let found = evaluate(at, &self.watch, at.depth, &self.question);
        self.found = Some(found.map(|found| Answer {
            text: found.text(at.module(), at.memory()),
            pieces: Piece::split(at.module(), &found),
            name: found.name,
            function: at.function,
            position: at.position(),
            thread: at.core.threads.running(),
        }));
    }
}

impl Observer for Until {
    const OPS: bool = true;
    const BLOCKS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;

    fn op(&mut self, at: &At<'_>, op: &Op) {
        if self.found.is_none() {
            self.watch.follow(at);
            if at.instruction() == self.moment.instruction && at.pc == self.moment.pc && at.depth == self.moment.depth {
                self.look(at);
                return;
            }
            self.trace.op(at, op);
        }
    }
    fn op_done(&mut self, at: &At<'_>, op: &Op) {
        if self.found.is_none() {
            self.trace.op_done(at, op);
        }
    }
    fn block(&mut self, at: &At<'_>, from: Option<u32>, to: u32, block: &whydunit_model::Block) {
        if self.found.is_none() {
            self.trace.block(at, from, to, block);
        }
    }
    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        if self.found.is_none() {
            self.watch.enter(at);
            self.trace.enter(at, entry);
        }
    }
    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {
        if self.found.is_none() {
            self.watch.switched(from, to);
            self.trace.switched(at, from, to);
        }
    }
    fn leave(&mut self, at: &At<'_>, result: Option<(whydunit_model::Opnd, u8)>) {
        if self.found.is_none() {
            self.trace.leave(at, result);
        }
    }
    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        if self.found.is_none() {
            self.trace.unwind(at, depth);
        }
    }
    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        if self.found.is_none() {
            self.trace.read(at, address, size);
        }
    }
    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        if self.found.is_none() {
            self.trace.moved(at, to, from, size);
        }
    }
    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        if self.found.is_none() {
            self.trace.filled(at, address, size);
        }
    }
    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: whydunit_replay::Writer) {
        if self.found.is_none() {
            self.trace.external_write(at, address, size, writer);
        }
    }
    fn external(&mut self, at: &At<'_>, call: &whydunit_replay::External<'_>) {
        if self.found.is_none() {
            self.trace.external(at, call);
        }
    }
    fn external_done(&mut self, at: &At<'_>, call: &whydunit_replay::External<'_>, result: &[u64]) {
        if self.found.is_none() {
            self.trace.external_done(at, call, result);
        }
    }
}
