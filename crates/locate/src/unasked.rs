//! What is not asked about a statement: that no values of it make the run pass is said only where nothing else of it could.

use std::fmt;

use std::collections::HashSet;

use whydunit_library::lookup;
use whydunit_model::{Call, Callee, Function, Module, Op, Opnd, Scalar, destination};
use whydunit_replay::{Code, FuncId};
use whydunit_symbolic::{Knowledge, StatementId, Unsaid};

/// Why it is not known that a statement can do nothing, although no value of it that was asked about makes the run pass.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Unasked {
    /// It gives no value.
    NoValue,
    /// It prints.
    Prints(String),
    /// What it calls writes memory, or is given something, outside captured code.
    Given(String),
    /// It calls a function whose result it does not use.
    Calls(String),
    /// It copies or fills memory as a whole, a structure say.
    Memory,
    /// It writes to a place that it computes.
    Place,
    /// What its formula does not speak of.
    Formula(Unsaid),
}

impl fmt::Display for Unasked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue => f.write_str("it gives no value"),
            Self::Prints(name) => write!(f, "what `{name}` prints"),
            Self::Given(name) => write!(f, "what `{name}` is given and does"),
            Self::Calls(name) => write!(f, "what `{name}` does"),
            Self::Memory => f.write_str("memory that it copies or fills as a whole"),
            Self::Place => f.write_str("where it writes"),
            Self::Formula(Unsaid::Turns) => f.write_str("loops that turn more often"),
            Self::Formula(Unsaid::Ways) => f.write_str("ways through the program that were not gone"),
            Self::Formula(Unsaid::Objects) => f.write_str("pointers to other objects"),
            Self::Formula(Unsaid::Output) => f.write_str("other output before the failure"),
            Self::Formula(Unsaid::Predicate) => f.write_str("other ways not to fail there"),
        }
    }
}

impl Unasked {
    /// What a statement does in these functions besides giving values; nothing where it gives values alone. `prints`: what it
    /// prints was asked about.
    pub(crate) fn of(
        code: &Code,
        knowledge: &Knowledge,
        functions: impl Iterator<Item = FuncId>,
        statement: StatementId,
        prints: bool,
    ) -> Option<Self> {
        let mut seen = Vec::new();
        for function in functions {
            if seen.contains(&function) {
                continue;
            }
            seen.push(function);
            let Some(facts) = knowledge.facts.get(function.0 as usize).and_then(Option::as_ref) else { continue };
            let inside = |pc: u32| facts.statements.get(pc as usize) == Some(&statement);
            let (module, model) = (code.module_of(function), code.model(function));
            let of = |pc: u32| inside(pc).then(|| of_operation(module, model, pc, &inside)).flatten();
            let of = |pc: u32| of(pc).filter(|found| !(prints && matches!(found, Self::Prints(_))));
            if let Some(found) = (0..model.code.len() as u32).find_map(of) {
                return Some(found);
            }
        }
        None
    }
}

fn of_operation(module: &Module, model: &Function, pc: u32, inside: &dyn Fn(u32) -> bool) -> Option<Unasked> {
    match &model.code[pc as usize] {
        Op::MemMove { .. } | Op::MemSet { .. } | Op::ByvalCopy { .. } => Some(Unasked::Memory),
        Op::Store { addr, .. } => computes(model, *addr, inside, &mut HashSet::new()).then_some(Unasked::Place),
        Op::AtomicRmw { .. } | Op::CmpXchg { .. } => Some(Unasked::Place),
        Op::Call { call } => of_call(module, &model.calls[*call as usize]),
        _ => None,
    }
}

/// Whether an address is computed by the statement itself, with something that is no constant.
fn computes(model: &Function, address: Opnd, inside: &dyn Fn(u32) -> bool, seen: &mut HashSet<Opnd>) -> bool {
    // In a loop an address may be made of what it was before.
    if address.is_const() || !seen.insert(address) {
        return false;
    }
    let defines = |pc: &u32| destination(&model.code[*pc as usize]) == Some(address.index());
    let mut defining = (0..model.code.len() as u32).filter(|pc| inside(*pc)).filter(defines);
    defining.any(|pc| match &model.code[pc as usize] {
        Op::PtrIndex { index, base, .. } => !index.is_const() || computes(model, *base, inside, seen),
        Op::PtrAdd { base, .. } => computes(model, *base, inside, seen),
        Op::StackAddr { .. } | Op::Alloca { .. } => false,
        _ => true,
    })
}

fn of_call(module: &Module, call: &Call) -> Option<Unasked> {
    let Callee::Direct(index) = call.callee else { return Some(Unasked::Calls("a function by its address".into())) };
    let called = module.functions.get(index as usize);
    let name = called.map_or_else(String::new, |called| called.source_name.clone().unwrap_or(called.name.clone()));
    if called.is_some_and(|called| !called.code.is_empty()) {
        let whole = call.args.iter().any(|arg| arg.byval > 0 || arg.leaves.len() > 1);
        let pointer = call.args.iter().any(|arg| arg.leaves.first() == Some(&Scalar::Ptr));
        return match whole || pointer || call.ret.is_empty() {
            true => Some(Unasked::Calls(name)),
            false => None,
        };
    }
    match called.and_then(|called| lookup(&called.name)) {
        Some(known) if known.function.is_pure() => None,
        Some(known) if known.output().is_some() => Some(Unasked::Prints(name)),
        _ => Some(Unasked::Given(name)),
    }
}
