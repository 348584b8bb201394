//! What was found, spelled out.

use whydunit_model::{DebugType, Module, TypeId};
use whydunit_replay::{At, FuncId, Position};

use crate::calls::Calls;
use crate::object::{Object, What};
use crate::wrappers::Wrappers;

/// Kinds of memory errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Outside the object that the pointer was made from.
    OutOfBounds,
    /// Of a block after it was freed.
    UseAfterFree,
    /// Of a local variable after its function returned.
    UseAfterReturn,
    /// A block freed twice.
    DoubleFree,
    /// Not the start of a block.
    InvalidFree,
    /// Near address 0.
    NullPointer,
    /// Where nothing is mapped.
    WildPointer,
    /// An uninitialised value decides a branch or an address.
    Uninitialised,
    /// Never freed, and nothing points to it any more when the program exits.
    Leak(Lost),
}

/// Blocks that are lost, and that the same calls allocated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Lost {
    /// How many.
    pub blocks: u64,
    /// Bytes of them together.
    pub bytes: u64,
    /// How many more only they lead to.
    pub behind: u64,
    /// Bytes of those together.
    pub bytes_behind: u64,
}

impl Lost {
    pub(crate) fn add(&mut self, other: Lost) {
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.behind += other.behind;
        self.bytes_behind += other.bytes_behind;
    }

    fn message(&self) -> String {
        let mut message = match self.blocks {
            1 => format!(
                "a block of {} is never freed, and nothing points to it when the program exits",
                bytes(self.bytes)
            ),
            blocks => format!(
                "{blocks} blocks of {} in all are never freed, and nothing points to them when the program exits",
                bytes(self.bytes)
            ),
        };
        if self.behind > 0 {
            let blocks =
                if self.behind == 1 { "1 more block".to_owned() } else { format!("{} more blocks", self.behind) };
            message += &format!("; only from there {blocks} ({}) can be reached", bytes(self.bytes_behind));
        }
        message
    }
}

impl Kind {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::OutOfBounds => "out-of-bounds",
            Kind::UseAfterFree | Kind::UseAfterReturn => "use-after-free",
            Kind::DoubleFree => "double-free",
            Kind::InvalidFree => "invalid-free",
            Kind::NullPointer => "null-pointer",
            Kind::WildPointer => "wild-pointer",
            Kind::Uninitialised => "uninitialised",
            Kind::Leak(_) => "leak",
        }
    }
}

/// The object that an error concerns.
#[derive(Clone, PartialEq, Debug)]
pub struct ObjectReport {
    /// `heap`, `stack` or `global`.
    pub kind: &'static str,
    /// Name of the variable; of the allocating function for heap blocks.
    pub name: String,
    /// First byte.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    /// How many elements an array has.
    pub elements: Option<u64>,
    /// Where it was allocated or declared.
    pub allocated: Option<Position>,
    /// Where it was freed.
    pub freed: Option<Position>,
    /// The calls under way where a heap block was allocated, innermost first; of the program's own code.
    pub allocation: Vec<Position>,
    /// The functions between those and the allocator that only hand out what it gave, innermost first.
    pub wrappers: Vec<String>,
    /// Those where it was freed.
    pub freeing: Vec<Position>,
}

/// A memory error.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryError {
    /// Kind.
    pub kind: Kind,
    /// The operation at fault.
    pub position: Position,
    /// Its function.
    pub function: FuncId,
    /// Calls under way, innermost first.
    pub stack: Vec<Position>,
    /// Whether the access writes.
    pub write: bool,
    /// Address of the access (of the block for frees).
    pub address: u64,
    /// Bytes of the access.
    pub size: u64,
    /// The object.
    pub object: Option<ObjectReport>,
    /// Safepoints counted when it happened.
    pub counter: u64,
    /// Instructions executed when it happened.
    pub instruction: u64,
}

impl MemoryError {
    /// In words.
    pub fn message(&self) -> String {
        let access = if self.write { "writes" } else { "reads" };
        match self.kind {
            Kind::Leak(lost) => lost.message(),
            Kind::Uninitialised if self.size == 0 => "an uninitialised value decides where this goes".into(),
            Kind::Uninitialised => format!("{access} through a pointer that was never initialised"),
            Kind::DoubleFree => format!("frees the block at {:#x} a second time", self.address),
            Kind::InvalidFree => format!("frees {:#x}, which is not the start of a block", self.address),
            Kind::NullPointer => format!("{access} {} through a null pointer ({:#x})", bytes(self.size), self.address),
            Kind::WildPointer => format!("{access} {} at {:#x}, where nothing is", bytes(self.size), self.address),
            Kind::UseAfterReturn => {
                let name =
                    self.object.as_ref().map_or("a local variable".into(), |object| format!("`{}`", object.name));
                format!("{access} {} of {name} after its function has returned", bytes(self.size))
            }
            Kind::UseAfterFree => format!("{access} {} of {} after it was freed", bytes(self.size), self.object_text()),
            Kind::OutOfBounds => {
                let Some(object) = &self.object else { return format!("{access} out of bounds") };
                let end = object.start.wrapping_add(object.size);
                let place = if self.address >= end {
                    match self.address - end {
                        0 => "just past the end".to_string(),
                        n => format!("{} past the end", bytes(n)),
                    }
                } else if self.address < object.start {
                    format!("{} before the start", bytes(object.start - self.address))
                } else {
                    format!("from offset {}", self.address - object.start)
                };
                format!("{access} {} {place} of {}", bytes(self.size), self.object_text())
            }
        }
    }

    /// What should have held, in words; none where that is not known.
    pub fn predicate(&self) -> Option<String> {
        let object = self.object.as_ref();
        let line = |position: &Option<Position>| {
            let position = position.as_ref().filter(|position| position.loc.line > 0);
            position.map(|position| format!(" in line {}", position.loc.line)).unwrap_or_default()
        };
        Some(match self.kind {
            Kind::OutOfBounds => match object? {
                ObjectReport { elements: Some(count), name, size, .. } => {
                    let what = if size.checked_div(*count) == Some(self.size) { "index" } else { "access" };
                    format!("the {what} lies inside `{name}[{count}]`")
                }
                object if object.kind == "heap" => {
                    let place = line(&object.allocated);
                    format!("the access lies inside the block of {} allocated{place}", bytes(object.size))
                }
                _ => format!("the access lies inside {}", self.object_text()),
            },
            Kind::UseAfterFree => {
                let freed = object.map(|object| line(&object.freed)).unwrap_or_default();
                format!("the block is not freed before{freed}, or the pointer points to a live object")
            }
            Kind::UseAfterReturn => "the pointer points to an object that is alive".into(),
            Kind::DoubleFree => {
                let freed = object.map(|object| line(&object.freed)).unwrap_or_default();
                format!("the block is not freed before{freed}")
            }
            Kind::InvalidFree => "the pointer is the start of a block".into(),
            Kind::NullPointer | Kind::WildPointer => "the pointer points to an object".into(),
            Kind::Uninitialised => "the value was given before it decides".into(),
            Kind::Leak(_) => "the block is freed, or something still points to it".into(),
        })
    }

    /// How much too small the object is for an access behind its end, in words that `place`, where it is accessed, begins; none of other
    /// errors, and where the access lies farther behind the object than the object is long: that says nothing of its size.
    pub fn too_small(&self, place: &str) -> Option<String> {
        let object = self.object.as_ref().filter(|object| self.address >= object.start)?;
        let end = self.address.wrapping_add(self.size);
        let missing = end.checked_sub(object.start.wrapping_add(object.size)).filter(|&missing| missing > 0)?;
        if self.kind != Kind::OutOfBounds || missing > object.size {
            return None;
        }
        let (name, made) = match object.kind {
            "heap" => ("the block".to_string(), "allocated"),
            _ => (format!("`{}`", object.name), "declared"),
        };
        let (missing, size) = (bytes(missing), bytes(object.size));
        Some(format!("{place} needs {missing} more than the {size} that {name} is {made} with"))
    }

    fn object_text(&self) -> String {
        match &self.object {
            Some(object) if object.kind == "heap" => format!("a block of {}", bytes(object.size)),
            Some(object) if object.name.is_empty() => format!("a {} object of {}", object.kind, bytes(object.size)),
            Some(object) => format!("`{}` ({})", object.name, bytes(object.size)),
            None => "an object".into(),
        }
    }
}

fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_string() } else { format!("{n} bytes") }
}

pub(crate) fn describe(at: &At<'_>, object: &Object, calls: &Calls, wrappers: &Wrappers) -> ObjectReport {
    let (allocation, wrappers) = calls.folded(at, object.allocated, wrappers);
    let freeing = calls.positions(at, object.freed);
    let (kind, name, elements, declared) = match object.what {
        What::Heap => {
            let name = allocation.first().map(|position| position.function.clone()).unwrap_or_default();
            ("heap", name, None, None)
        }
        What::Stack(function, number) => {
            let model = at.code.model(function);
            let stack = model.stack.get(number as usize);
            let declared = stack.and_then(|stack| stack.loc).map(|loc| Position {
                function: model.name.clone(),
                file: at.code.module_of(function).files.get(loc.file as usize).cloned().unwrap_or_default(),
                loc,
                ..Position::default()
            });
            let variable = model.variables.iter().find(|variable| variable.object == Some(number));
            let elements = variable.and_then(|variable| elements(at.code.module_of(function), variable.ty));
            ("stack", stack.map(|stack| stack.name.clone()).unwrap_or_default(), elements, declared)
        }
        What::Global(module, number) => {
            let module = at.code.modules().get(module as usize).map(|loaded| &loaded.model);
            let global = module.and_then(|module| module.globals.get(number as usize));
            let declared = global.and_then(|global| global.loc).map(|loc| Position {
                file: module.and_then(|m| m.files.get(loc.file as usize)).cloned().unwrap_or_default(),
                loc,
                ..Position::default()
            });
            let name = global.map(|g| g.source_name.clone().unwrap_or_else(|| g.name.clone()));
            let elements = module.zip(global).and_then(|(module, global)| elements(module, global.ty));
            ("global", name.unwrap_or_default(), elements, declared)
        }
    };
    ObjectReport {
        kind,
        name,
        start: object.start,
        size: object.size,
        elements,
        allocated: allocation.first().cloned().or(declared),
        freed: freeing.first().cloned(),
        allocation,
        wrappers,
        freeing,
    }
}

/// How many elements a type has that is an array.
fn elements(module: &Module, ty: TypeId) -> Option<u64> {
    let mut ty = ty;
    // Names for types nest, but not without end.
    for _ in 0..64 {
        match module.types.get(ty as usize)? {
            DebugType::Alias { to, .. } => ty = *to,
            DebugType::Array { count, .. } => return *count,
            _ => return None,
        }
    }
    None
}
