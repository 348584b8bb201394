//! A run that is paused after calls on objects, and what can be tried there.

use std::rc::Rc;

use whydunit_events::{End, ObjectId};
use whydunit_replay::{FuncId, Limits, Machine, Observer, ReplayError, Snapshot, Stop, WhatIfStop};

use crate::argument::{Argument, Blocks, boundaries};
use crate::asking::Asking;
use crate::callable::{Callable, SEVERAL};
use crate::gather::Signatures;
use crate::inspectors::{Inspectors, KnownDropped};
use crate::signature::{Comes, Signature};
use crate::tracer::{Branch, Tracer, bytes_to_words};
use crate::wanted::Program;

/// Where a run is paused.
pub struct Stand<'s, 'a> {
    pub(crate) machine: &'s mut Machine,
    pub(crate) program: Program<'a>,
    pub(crate) tracer: &'s mut Tracer<'a>,
    pub(crate) inspectors: &'s mut Inspectors,
    pub(crate) objects: Vec<ObjectId>,
}

/// A point of a run to go back to.
pub struct Kept {
    snapshot: Snapshot,
    branch: Branch,
    dropped: KnownDropped,
}

/// A method that can be called here.
#[derive(Clone)]
pub struct Ready {
    function: FuncId,
    signature: Rc<Signature>,
    /// From the object to what the method is called on.
    offset: u64,
}

impl Ready {
    /// The names of its arguments.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        self.signature.arguments.iter().map(|it| it.name.as_str())
    }
}

/// How a call that was tried has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tried {
    /// It has run until this.
    Stopped(WhatIfStop),
    /// The machine's patience was at an end.
    Interrupted,
}

impl<'a> Stand<'_, 'a> {
    /// The objects on which an outermost call has ended here.
    pub fn objects(&self) -> &[ObjectId] {
        &self.objects
    }

    /// What is traced.
    pub fn program(&self) -> Program<'a> {
        self.program
    }

    /// The machine, where it stands.
    pub fn machine(&mut self) -> &mut Machine {
        self.machine
    }

    /// The class of an object, by its number in the catalogue; `None` for one that has ended.
    pub fn class(&self, object: ObjectId) -> Option<usize> {
        self.tracer.class(object)
    }

    /// Where an object is; `None` for one that has ended, or is under way in registers.
    pub fn address(&self, object: ObjectId) -> Option<u64> {
        self.tracer.start(object)
    }

    /// This point, to go back to.
    pub fn keep(&mut self) -> Kept {
        let snapshot = self.machine.snapshot();
        Kept { snapshot, branch: self.tracer.branch(), dropped: self.inspectors.known_dropped() }
    }

    /// Goes back to a point that was kept. Who reads the events has to go back, too.
    pub fn go_back(&mut self, kept: &Kept) -> Result<(), ReplayError> {
        self.machine.restore(&kept.snapshot)?;
        self.tracer.rejoin(&kept.branch);
        self.inspectors.drop_only(&kept.dropped);
        Ok(())
    }

    /// How a method can be called here; the reason where it cannot.
    pub fn ready(&self, callable: &Callable) -> Result<Ready, String> {
        if let Some(hindrance) = callable.hindrance {
            return Err(hindrance.into());
        }
        let code = self.machine.code();
        let symbols = &self.program.catalogue.classes()[callable.class].methods[callable.method].symbols;
        let mut found = symbols.iter().filter_map(|symbol| code.find(symbol));
        let function = found.next().ok_or("it has no code in this program")?;
        if found.next().is_some() {
            return Err(SEVERAL.into());
        }
        let known = Signatures::new(self.program.catalogue).of(code, function);
        let signature = known.ok_or("nothing tells how it gets its object")?.signature?;
        Ok(Ready { function, signature, offset: callable.offset })
    }

    /// The boundary values of each argument of a method. `null`: pointers may be null, too, where they are no references.
    pub fn boundaries(&self, callable: &Callable, ready: &Ready, null: bool) -> Vec<Vec<Argument>> {
        let module = self.machine.code().module_of(ready.function);
        let types = &self.program.catalogue.classes()[callable.class].methods[callable.method].parameters;
        let is_reference = |index: usize| types.get(index).is_some_and(|ty| ty.contains('&'));
        let arguments = ready.signature.arguments.iter().enumerate();
        arguments.map(|(index, it)| boundaries(module, it.ty, null && !is_reference(index))).collect()
    }

    /// Leaves the recording. From here on calls can be made, until the run goes back to a point that was kept.
    pub fn leave(&mut self, limits: Limits) {
        self.machine.leave_recording(limits);
    }

    /// Calls a method on the object at an address, in a run that has left the recording; what happens is told as events. The data of the
    /// arguments lie in `blocks` then. The run stands behind the call afterwards where it has returned or was left by an exception of C++,
    /// else somewhere inside of it.
    pub fn call<O: Observer>(
        &mut self,
        ready: &Ready,
        object: u64,
        arguments: &[Argument],
        limits: Limits,
        observer: &mut O,
        blocks: &mut Blocks,
    ) -> Result<Tried, ReplayError> {
        let words = self.words(ready, object, arguments, observer, blocks);
        self.run(ready.function, &words, limits, observer)
    }

    /// The words that a call passes.
    fn words<O: Observer>(
        &mut self,
        ready: &Ready,
        object: u64,
        arguments: &[Argument],
        observer: &mut O,
        blocks: &mut Blocks,
    ) -> Vec<u64> {
        let mut passed: Vec<std::vec::IntoIter<u64>> = Vec::new();
        for (index, (argument, parameter)) in arguments.iter().zip(&ready.signature.arguments).enumerate() {
            let words = if parameter.by_address {
                vec![argument.datum.put(self.machine, observer, blocks)]
            } else {
                let bytes = argument.datum.in_registers(self.machine, observer, blocks);
                let params = &self.machine.code().model(ready.function).params;
                let parts = params.iter().zip(&ready.signature.comes).filter(|it| *it.1 == Comes::Argument(index));
                let leaves: Vec<_> = parts.flat_map(|(param, _)| param.leaves.iter().copied()).collect();
                bytes_to_words(&bytes, &leaves)
            };
            passed.push(words.into_iter());
        }
        let mut words = Vec::new();
        for (number, comes) in ready.signature.comes.iter().enumerate() {
            match comes {
                Comes::Result(size) => words.push(self.machine.place(&vec![0; *size as usize], observer)),
                Comes::Object(skip) => words.push(object.wrapping_add(ready.offset).wrapping_sub(*skip)),
                Comes::Argument(index) => {
                    let param = &self.machine.code().model(ready.function).params[number];
                    let slots: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
                    let given = passed.get_mut(*index);
                    let given = given.map(|given| given.take(slots as usize).collect::<Vec<_>>()).unwrap_or_default();
                    words.extend((0..slots as usize).map(|n| given.get(n).copied().unwrap_or(0)));
                }
            }
        }
        words
    }

    fn run<O: Observer>(
        &mut self,
        function: FuncId,
        words: &[u64],
        limits: Limits,
        observer: &mut O,
    ) -> Result<Tried, ReplayError> {
        let Self { machine, program, tracer, inspectors, .. } = self;
        _ = tracer.take_last_end();
        if let Some(stopped) = machine.begin_call(function, words, limits, &mut (&mut **tracer, &mut *observer)) {
            return Ok(Tried::Stopped(stopped));
        }
        let asking = tracer.asking();
        loop {
            let both = &mut (&mut **tracer, &mut *observer);
            match machine.go_on(&mut (both, Asking(asking.clone())))? {
                Stop::Asked if asking.get() => inspectors.ask(machine, *program, tracer)?,
                Stop::WhatIf(stopped) => {
                    if matches!(stopped, WhatIfStop::Returned(_) | WhatIfStop::Thrown { panic: false, .. }) {
                        machine.end_call();
                        inspectors.ask(machine, *program, tracer)?;
                    }
                    return Ok(Tried::Stopped(stopped));
                }
                _ => return Ok(Tried::Interrupted),
            }
        }
    }

    /// How the method that ended last has ended, by the rules for errors; `None` where none has ended in the last call.
    pub fn ending(&mut self) -> Option<End> {
        self.tracer.take_last_end()
    }
}
