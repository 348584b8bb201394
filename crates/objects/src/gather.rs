//! The arguments of recorded calls.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use whydunit_replay::{At, Code, Entry, FuncId, Limits, Machine, Observer, ReplayError, Stop};

use crate::argument::{Argument, read};
use crate::callable::Callable;
use crate::catalogue::Catalogue;
use crate::methods;
use crate::signature::{self, Signature};
use crate::tables::Tables;

/// Calls of a method with different arguments that are kept.
const KEPT: usize = 12;
/// Calls of a function that are looked at in a run.
const LOOKED: usize = 100;

/// A recorded call, as far as it can be made again elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownCall {
    /// The arguments without the object; `None` for one that is no plain data.
    pub arguments: Vec<Option<Argument>>,
    /// The run.
    pub run: String,
    /// Where it was made; empty and 0 where that is not known.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// Signatures of methods by their functions.
pub(crate) struct Signatures<'a> {
    catalogue: &'a Catalogue,
    tables: Tables,
    known: FxHashMap<FuncId, Option<Known>>,
}

/// What is known of a function that is a method.
#[derive(Clone)]
pub(crate) struct Known {
    /// Class and method, in the catalogue.
    pub of: (usize, usize),
    pub signature: Result<Rc<Signature>, String>,
}

impl<'a> Signatures<'a> {
    pub fn new(catalogue: &'a Catalogue) -> Self {
        Self { catalogue, tables: Tables::default(), known: FxHashMap::default() }
    }

    /// What a function is, where it is a method with an object.
    pub fn of(&mut self, code: &Code, function: FuncId) -> Option<Known> {
        if !self.known.contains_key(&function) {
            let found = self.find(code, function);
            self.known.insert(function, found);
        }
        self.known[&function].clone()
    }

    fn find(&mut self, code: &Code, function: FuncId) -> Option<Known> {
        let (module, model) = (code.module_of(function), code.model(function));
        let own = model.method.and_then(|id| module.methods.get(id as usize));
        let class = own.and_then(|method| method.class).map(|class| module.classes[class as usize].name.as_str());
        let of = self.catalogue.number(&model.name, class)?;
        let method = &self.catalogue.classes()[of.0].methods[of.1];
        method.receiver?;
        let info = methods::info(self.catalogue, &mut self.tables, module, model, &|_| true);
        let signature = match info {
            Some(info) => signature::of(module, model, method, &info).map(Rc::new),
            None => Err("nothing tells how it gets its object".into()),
        };
        Some(Known { of, signature })
    }
}

/// Reads the arguments of calls in recorded runs.
pub struct Gatherer<'a> {
    signatures: Signatures<'a>,
    calls: BTreeMap<(usize, usize), Vec<KnownCall>>,
    /// How often a call of each function was looked at in this run.
    looked: FxHashMap<FuncId, usize>,
    stops: bool,
}

impl<'a> Gatherer<'a> {
    /// For calls of these methods.
    pub fn new(catalogue: &'a Catalogue, methods: &[Callable]) -> Self {
        let calls = methods.iter().map(|method| ((method.class, method.method), Vec::new())).collect();
        Self { signatures: Signatures::new(catalogue), calls, looked: FxHashMap::default(), stops: false }
    }

    /// Reads a run that a machine is at the start of. Its [recall](Machine::set_recall) tells what external code had written when a call
    /// was made. Whether the run was read to its end.
    pub fn gather(&mut self, machine: &mut Machine, run: &str) -> Result<bool, ReplayError> {
        self.signatures.known.clear();
        self.looked.clear();
        loop {
            match machine.run_until(u64::MAX, self)? {
                Stop::End(_) => return Ok(true),
                Stop::Asked if self.stops => {
                    self.stops = false;
                    let here = machine.snapshot();
                    machine.leave_recording(Limits::default());
                    self.call(&machine.at(), run);
                    machine.restore(&here)?;
                }
                Stop::Asked => return Ok(false),
                Stop::Reached | Stop::WhatIf(_) => {}
            }
        }
    }

    /// A call where the run stands in the called function.
    fn call(&mut self, at: &At<'_>, run: &str) {
        let Some(Known { of, signature: Ok(signature) }) = self.signatures.of(at.code, at.function) else { return };
        let Some(calls) = self.calls.get_mut(&of) else { return };
        let arguments: Vec<_> = (0..signature.arguments.len()).map(|index| read(at, &signature, index)).collect();
        if calls.iter().any(|known| known.arguments == arguments) {
            return;
        }
        let position = at.caller().filter(At::in_frame).map(|caller| caller.position());
        let (file, line) = position.map(|it| (it.file.clone(), it.loc.line)).unwrap_or_default();
        calls.push(KnownCall { arguments, run: run.to_owned(), file, line });
    }

    /// The calls of each method, by class and method in the catalogue: with different arguments, in the order of the runs.
    pub fn into_calls(self) -> BTreeMap<(usize, usize), Vec<KnownCall>> {
        self.calls
    }
}

impl Observer for Gatherer<'_> {
    const FRAMES: bool = true;
    const STOPS: bool = true;

    fn stop(&mut self, _: &At<'_>) -> bool {
        self.stops
    }

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        let looked = self.looked.entry(at.function).or_default();
        if *looked >= LOOKED {
            return;
        }
        *looked += 1;
        let Some(Known { of, signature: Ok(_) }) = self.signatures.of(at.code, at.function) else { return };
        self.stops = self.calls.get(&of).is_some_and(|calls| calls.len() < KEPT);
    }
}
