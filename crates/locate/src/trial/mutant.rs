//! A mutant: which operation does what instead.

use whydunit_model::{Call, Callee, Op, Opnd, destination};
use whydunit_replay::{Body, Code, FuncId, PATCH_TEXT, Patch, SPARES};
use whydunit_symbolic::StatementId;

/// What a mutant does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A condition goes the other way.
    Opposite,
    /// A condition goes this way.
    Always(bool),
    /// Another operator stands there, in the source's notation.
    Operator(&'static str, &'static str),
    /// Another number stands there; both of so many bits, as signed numbers.
    Constant(i64, i64),
    /// The same for floats, written out.
    Float(String, String),
    /// Another text stands there.
    Text(String, String),
    /// What is computed is so much more, or less.
    More(i64),
    /// What is assigned is added to what is there.
    Accumulated,
    /// What is added to a variable is assigned to it.
    Plain,
    /// This value goes to the label.
    Case(i64),
    /// The element is used that lies so many behind, or before.
    Element(i64),
    /// Both operands have changed places.
    Swapped,
    /// Two arguments have changed places, by their numbers from 1.
    Arguments(usize, usize),
    /// What is done is left out.
    LeftOut,
    /// Another variable is read or written: its name, and that of the one that was, where they are known.
    Variable(Option<String>, Option<String>),
    /// Where a relation holds, what is done is left out.
    LeftOutWhere(Relation),
    /// Where a relation holds, a condition goes this way.
    AlwaysWhere(bool, Relation),
    /// Where a relation holds, the function returns before it, with this result.
    ReturnsWhere(Option<String>, Relation),
    /// Behind it a variable, whose name may be known, is given a value.
    Assigned(Option<String>, String),
}

impl Kind {
    /// Whether what it puts in the place of something has a name in the source, where it needs one.
    pub fn is_named(&self) -> bool {
        !matches!(self, Kind::Variable(None, _) | Kind::Assigned(None, _))
    }

    /// From 0 to 1, how much a mutant of this kind that passes says: one that puts anything in the place of a value passes by
    /// chance more often.
    pub fn weight(&self) -> f64 {
        match self {
            Kind::Operator(..)
            | Kind::Constant(..)
            | Kind::Float(..)
            | Kind::Text(..)
            | Kind::Arguments(..)
            | Kind::Accumulated
            | Kind::Plain
            | Kind::Swapped => 1.0,
            Kind::Case(_) | Kind::Opposite | Kind::Always(_) | Kind::Variable(_, Some(_)) | Kind::Element(_) => 0.9,
            Kind::Variable(None, _) => 0.5,
            Kind::LeftOut | Kind::Variable(..) | Kind::More(_) => 0.8,
            // A result for just these arguments mends a test whatever is wrong.
            Kind::ReturnsWhere(..) => 0.5,
            Kind::LeftOutWhere(relation) | Kind::AlwaysWhere(_, relation) if relation.left.is_some() => 0.8,
            Kind::Assigned(Some(_), _) => 0.8,
            Kind::LeftOutWhere(..) | Kind::AlwaysWhere(..) | Kind::Assigned(..) => 0.7,
        }
    }
}

/// Where in the source a mutant stands that is not its statement's line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Home {
    /// In the initial value of a variable.
    Entry {
        /// The file in which the variable is declared.
        file: String,
        /// The line.
        line: u32,
        /// Its name; empty where it is not known.
        variable: String,
        /// The first byte of what is another one.
        offset: u64,
        /// How many bytes that are.
        bytes: u32,
        /// How many bytes the variable has.
        size: u64,
    },
    /// At the label of a switch that leads to this line.
    Label {
        /// The line.
        line: u32,
    },
}

/// A variable compared with a number or another variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Relation {
    /// The variable's name, where it is known.
    pub left: Option<String>,
    /// In the source's notation.
    pub sign: &'static str,
    /// A number, or another variable's name.
    pub right: String,
}

/// An operation that does something else at each of its executions.
#[derive(Clone, PartialEq, Debug)]
pub struct Mutant {
    /// Its statement, in the numbers of the run with which it was found.
    pub statement: StatementId,
    /// What it does.
    pub kind: Kind,
    /// Where what decides a condition is tested: line and column.
    pub tested: Option<(u32, u32)>,
    /// The function that is called there, by its name.
    pub called: Option<String>,
    /// Where in the source it stands, if that is not its statement's line.
    pub home: Option<Home>,
    /// The module by its id, and the function by its number there.
    place: (String, u32),
    pub(super) pc: u32,
    body: Body,
    call: Option<Call>,
    constants: [Constant; SPARES],
}

/// Something else in the place of an operation, before it has a place.
pub(super) struct Alternative {
    pub kind: Kind,
    pub body: Body,
    pub call: Option<Call>,
    pub constants: [Constant; SPARES],
}

/// A constant of what stands in the place of an operation.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Constant {
    /// A number.
    Number(u64),
    /// Where a text lies that the program does not have.
    Text(Vec<u8>),
    /// Where something lies in a global of a module.
    Address { module: String, global: usize, offset: u64 },
}

impl Default for Constant {
    fn default() -> Self {
        Self::Number(0)
    }
}

impl Constant {
    /// What it is in a machine; 0 where its module is not loaded.
    fn value(&self, code: &Code) -> u64 {
        match self {
            Self::Number(number) => *number,
            Self::Text(_) => PATCH_TEXT,
            Self::Address { module, global, offset } => {
                let module = code.modules().iter().find(|loaded| loaded.model.id == *module);
                let start = module.and_then(|module| module.globals.get(*global)).copied();
                start.map_or(0, |start| start + offset)
            }
        }
    }

    /// The name of the global that begins there.
    pub(super) fn name(&self, code: &Code) -> Option<String> {
        let Self::Address { module, global, offset: 0 } = self else { return None };
        let module = code.modules().iter().find(|loaded| loaded.model.id == *module)?;
        module.model.globals.get(*global)?.source_name.clone()
    }
}

/// Only a number.
pub(super) fn only(constant: u64) -> [Constant; SPARES] {
    let mut constants = <[Constant; SPARES]>::default();
    constants[0] = Constant::Number(constant);
    constants
}

impl Mutant {
    /// Something else in the place of an operation of a function of this machine.
    pub(super) fn at(code: &Code, function: FuncId, pc: u32, statement: StatementId, other: Alternative) -> Self {
        let Alternative { kind, body, call, constants } = other;
        let place = (code.module_of(function).id.clone(), code.function(function).index);
        let decides = matches!(kind, Kind::Always(_) | Kind::Opposite | Kind::AlwaysWhere(..));
        let tested = if decides { tested(code, function, pc) } else { None };
        let called = called(code, function, pc);
        Self { statement, kind, tested, called, home: None, place, pc, body, call, constants }
    }

    /// The same, at another place of the source.
    pub(super) fn at_home(self, home: Option<Home>) -> Self {
        Self { home, ..self }
    }

    /// The function in another machine.
    pub(super) fn function(&self, code: &Code) -> Option<FuncId> {
        let module = code.modules().iter().find(|module| module.model.id == self.place.0)?;
        Some(FuncId(module.first.0 + self.place.1))
    }

    /// What it puts in the place of its operation in another machine; none where its module is not loaded.
    pub(super) fn patch(&self, code: &Code) -> Option<Patch> {
        let constants = self.constants.each_ref().map(|constant| constant.value(code));
        let (body, call) = (self.body.clone(), self.call.clone());
        let text = self.constants.iter().find_map(|constant| match constant {
            Constant::Text(text) => Some(text.clone()),
            _ => None,
        });
        Some(Patch { function: self.function(code)?, pc: self.pc, body, call, constants, text })
    }
}

/// The name of the function that an operation calls.
fn called(code: &Code, function: FuncId, pc: u32) -> Option<String> {
    let model = code.model(function);
    let Op::Call { call } = *model.code.get(pc as usize)? else { return None };
    let Callee::Direct(callee) = model.calls.get(call as usize)?.callee else { return None };
    code.module_of(function).functions.get(callee as usize).map(|callee| callee.name.clone())
}

/// Where the source tests what a branch depends on, by line and column; none where debug information does not tell, or the
/// program negates it itself.
pub fn tested(code: &Code, function: FuncId, pc: u32) -> Option<(u32, u32)> {
    let model = code.model(function);
    let (Op::Branch { cond, .. } | Op::Select { cond, .. }) = *model.code.get(pc as usize)? else { return None };
    let mut wanted = cond;
    for before in (0..pc as usize).rev() {
        if destination(&model.code[before]).is_none_or(|slot| Opnd::slot(slot) != wanted) {
            continue;
        }
        match model.code[before] {
            Op::Trunc { a, .. } | Op::Copy { n: 1, a, .. } => wanted = a,
            Op::ICmp { .. } | Op::FCmp { .. } => {}
            _ => return None,
        }
        let loc = model.loc(before);
        if loc.line > 0 && loc.column > 0 {
            return Some((loc.line, loc.column));
        }
    }
    None
}
