//! Who may call whom: direct calls, calls through tables of virtual functions, through other pointers, and by external code.

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_model::{Call, Callee, Function, Linkage, Op, Opnd, Scalar};

use crate::components::components;
use crate::definitions::last_definition;
use crate::library::{Calls, External, Library};
use crate::mentions::Mentions;
use crate::program::{FunctionId, Program, World};

/// How a call finds what it calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// By name.
    Direct,
    /// Through a pointer out of a table of virtual functions, as far as can be told.
    Virtual,
    /// Through a pointer.
    Indirect,
    /// Inline assembly.
    Assembly,
}

/// A call of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CallSite {
    /// The caller.
    pub caller: FunctionId,
    /// Number of the call in [`Function::calls`].
    pub call: u32,
}

/// What a call may call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callees {
    /// How it finds it.
    pub kind: CallKind,
    /// Functions with code, sorted.
    pub functions: Vec<FunctionId>,
    /// Functions of no module, by one of their declarations.
    pub externals: Vec<FunctionId>,
    /// Functions with code that the externals call before they return, and that they are given for it.
    pub callbacks: Vec<FunctionId>,
    /// It may be code of which nothing is known, which may call [`CallGraph::known_outside`].
    pub outside: bool,
}

impl Callees {
    /// Functions with code that may run before the call returns, but for those that unknown code calls.
    pub fn reached(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.functions.iter().chain(&self.callbacks).copied()
    }
}

/// The call graph of a program.
pub struct CallGraph {
    sites: Vec<Vec<Callees>>,
    callers: Vec<Vec<CallSite>>,
    known_outside: FxHashSet<FunctionId>,
    named_outside: FxHashSet<FunctionId>,
    bottom_up: Vec<Vec<FunctionId>>,
    /// Number of each function's component.
    component: Vec<u32>,
}

/// Finds what pointers of functions point to: refines a call graph.
pub trait Resolve {
    /// The functions that a call through a pointer may call, among others none that are not listed; `None` where that is not
    /// known.
    fn resolve(&mut self, site: CallSite) -> Option<Vec<FunctionId>>;
}

impl CallGraph {
    /// Of a program. A call through a pointer may call every function whose address is taken and that takes such arguments;
    /// one through a table of virtual functions, those that stand in such tables at its place.
    pub fn new(program: &Program, library: &dyn Library) -> Self {
        let builder = Builder { program, library, mentions: Mentions::of(program) };
        let named_outside = builder.named_outside();
        let taken = program.defined().filter(|&id| builder.mentions.taken(id));
        let known_outside = taken.chain(named_outside.iter().copied()).collect();
        let sites = program
            .functions()
            .map(|caller| {
                let calls = 0..program.function(caller).calls.len() as u32;
                calls.map(|call| builder.callees(CallSite { caller, call })).collect()
            })
            .collect();
        Self::of_sites(sites, known_outside, named_outside)
    }

    /// The same with what `resolve` knows of pointers.
    pub fn refined(&self, program: &Program, library: &dyn Library, resolve: &mut dyn Resolve) -> Self {
        let mut sites = self.sites.clone();
        for (caller, calls) in (0..).map(FunctionId).zip(&mut sites) {
            for (call, callees) in (0..).zip(calls) {
                if !matches!(callees.kind, CallKind::Virtual | CallKind::Indirect) {
                    continue;
                }
                let Some(found) = resolve.resolve(CallSite { caller, call }) else { continue };
                callees.functions.retain(|function| found.contains(function));
                callees.externals.retain(|function| found.contains(function));
                callees.outside = callees.externals.iter().any(|&external| {
                    let known = library.external(&program.function(external).name);
                    known.is_none_or(|known| known.calls == Calls::Anything)
                });
                if callees.externals.is_empty() {
                    callees.callbacks.clear();
                }
            }
        }
        Self::of_sites(sites, self.known_outside.clone(), self.named_outside.clone())
    }

    fn of_sites(
        sites: Vec<Vec<Callees>>,
        known_outside: FxHashSet<FunctionId>,
        named_outside: FxHashSet<FunctionId>,
    ) -> Self {
        let mut callers = vec![Vec::new(); sites.len()];
        let mut successors = vec![Vec::new(); sites.len()];
        for (caller, calls) in (0..).map(FunctionId).zip(&sites) {
            for (call, callees) in (0..).zip(calls) {
                for to in &callees.functions {
                    callers[to.0 as usize].push(CallSite { caller, call });
                }
                successors[caller.0 as usize].extend(callees.reached().map(|to| to.0));
            }
        }
        for list in &mut successors {
            list.sort_unstable();
            list.dedup();
        }
        let bottom_up = components(&successors).into_iter();
        let bottom_up: Vec<Vec<FunctionId>> =
            bottom_up.map(|component| component.into_iter().map(FunctionId).collect()).collect();
        let mut component = vec![0; sites.len()];
        for (number, members) in (0..).zip(&bottom_up) {
            members.iter().for_each(|member| component[member.0 as usize] = number);
        }
        Self { sites, callers, known_outside, named_outside, bottom_up, component }
    }

    /// What a call may call.
    pub fn callees(&self, site: CallSite) -> &Callees {
        &self.sites[site.caller.0 as usize][site.call as usize]
    }

    /// The calls that may call a function; external code may call it besides.
    pub fn callers(&self, function: FunctionId) -> &[CallSite] {
        &self.callers[function.0 as usize]
    }

    /// Whether code of no module may call a function: by name, or by an address that it may have been given.
    pub fn known_outside(&self, function: FunctionId) -> bool {
        self.known_outside.contains(&function)
    }

    /// Whether code of no module may call a function by its name, or nobody else names it.
    pub fn named_outside(&self, function: FunctionId) -> bool {
        self.named_outside.contains(&function)
    }

    /// Whether a call, before it returns, may have code that it calls itself, or external code on its behalf, call a function.
    pub fn may_call(&self, site: CallSite, function: FunctionId) -> bool {
        let callees = self.callees(site);
        callees.functions.binary_search(&function).is_ok()
            || callees.callbacks.contains(&function)
            || callees.outside && self.known_outside(function)
    }

    /// Functions that call each other together, callees before their callers: the strongly connected components.
    pub fn bottom_up(&self) -> &[Vec<FunctionId>] {
        &self.bottom_up
    }

    /// Which of [`CallGraph::bottom_up`] a function is in.
    pub fn component_of(&self, function: FunctionId) -> usize {
        self.component[function.0 as usize] as usize
    }

    /// Whether a function may call itself, without another one between.
    pub fn calls_itself(&self, function: FunctionId) -> bool {
        self.sites[function.0 as usize].iter().any(|callees| callees.reached().any(|to| to == function))
    }
}

struct Builder<'p> {
    program: &'p Program,
    library: &'p dyn Library,
    mentions: Mentions,
}

/// Whether libstdc++ is compiled with this function, too: templates over characters (streams, strings), which it exports. Where the
/// program has it, the linker lets the library call the program's.
fn in_shared_library(symbol: &str) -> bool {
    let std = ["_ZNSt", "_ZNKSt", "_ZSt"].iter().any(|start| symbol.starts_with(start));
    // Streams and strings of `char` have short names of their own.
    let member = symbol.strip_prefix("_ZNK").or_else(|| symbol.strip_prefix("_ZN")).unwrap_or_default();
    std && symbol.contains("char_traits") || ["So", "Si", "Sd", "Ss"].iter().any(|short| member.starts_with(short))
}

impl Builder<'_> {
    /// What outside code can name, and what nothing of the program names.
    fn named_outside(&self) -> FxHashSet<FunctionId> {
        let visible = |id: FunctionId| {
            let function = self.program.function(id);
            let replaces = || {
                let name = function.name.as_str();
                let operator = ["_Znw", "_Zna", "_Zdl", "_Zda"].iter().any(|start| name.starts_with(start));
                name == "main" || operator || in_shared_library(name) || self.library.external(name).is_some()
            };
            match function.linkage {
                Linkage::Internal => false,
                _ => self.program.world() == World::Open || replaces(),
            }
        };
        let outside = |&id: &FunctionId| visible(id) || !self.mentions.named(id);
        self.program.defined().filter(outside).collect()
    }

    fn callees(&self, site: CallSite) -> Callees {
        let function = self.program.function(site.caller);
        let call = &function.calls[site.call as usize];
        let mut callees = Callees {
            kind: CallKind::Direct,
            functions: Vec::new(),
            externals: Vec::new(),
            callbacks: Vec::new(),
            outside: false,
        };
        match call.callee {
            Callee::Asm(_) => (callees.kind, callees.outside) = (CallKind::Assembly, true),
            Callee::Direct(index) => {
                let id = self.program.function_id(self.program.module_of(site.caller), index);
                callees.functions = self.program.called(id);
                if callees.functions.is_empty() {
                    callees.externals.push(id);
                }
            }
            Callee::Indirect(pointer) => self.indirect(site, call, pointer, &mut callees),
        }
        for external in callees.externals.clone() {
            let known = self.library.external(&self.program.function(external).name);
            match known.unwrap_or_else(External::unknown).calls {
                Calls::Nothing => {}
                Calls::Argument(number) => self.callbacks(site.caller, call, number, &mut callees),
                Calls::Anything => callees.outside = true,
            }
        }
        callees.functions.sort_unstable();
        callees.functions.dedup();
        callees
    }

    fn indirect(&self, site: CallSite, call: &Call, pointer: Opnd, callees: &mut Callees) {
        let function = self.program.function(site.caller);
        let given = Places::given(call);
        let fits = |&id: &FunctionId| takes(self.program.function(id), given);
        let place = call_place(function, site.call).and_then(|pc| place_in_table(function, pc, pointer));
        (callees.kind, callees.outside) = (CallKind::Indirect, true);
        match place {
            Some(place) => {
                let found: Vec<_> = self.mentions.virtuals_at(place).filter(fits).collect();
                if !found.is_empty() {
                    callees.kind = CallKind::Virtual;
                }
                callees.functions = found;
                callees.functions.extend(self.mentions.taken_elsewhere().filter(fits));
            }
            None => callees.functions.extend(self.mentions.all_taken().filter(fits)),
        }
        callees.externals.extend(self.mentions.taken_externals().filter(fits));
    }

    /// What an external function calls back that gets a pointer to it.
    fn callbacks(&self, caller: FunctionId, call: &Call, number: u32, callees: &mut Callees) {
        let Some(argument) = call.args.get(number as usize) else { return };
        let function = self.program.function(caller);
        if argument.value.is_const()
            && let Some(value) = function.consts.get(argument.value.index() as usize)
            && let Some(found) = self.mentions.functions_in(self.program, self.program.module_of(caller), value)
        {
            callees.callbacks.extend(found);
            return;
        }
        callees.callbacks.extend(self.mentions.all_taken());
        callees.outside = true;
    }
}

/// The operation that makes call number `call`.
pub(crate) fn call_place(function: &Function, call: u32) -> Option<u32> {
    let makes = |op: &Op| matches!(op, Op::Call { call: other } if *other == call);
    function.code.iter().position(makes).map(|pc| pc as u32)
}

/// Where in a table a called pointer stands: it is loaded from so many bytes behind an address that is itself computed. `None`
/// where it comes from elsewhere.
fn place_in_table(function: &Function, pc: u32, pointer: Opnd) -> Option<i64> {
    let from = |pc: u32, operand: Opnd| {
        let pc = last_definition(function, pc, operand.index()).filter(|_| !operand.is_const())?;
        Some((pc, &function.code[pc as usize]))
    };
    let (mut pc, Op::Load { addr, .. }) = from(pc, pointer)? else { return None };
    let (mut operand, mut place) = (*addr, 0);
    loop {
        if operand.is_const() {
            return None;
        }
        let Some((at, op)) = from(pc, operand) else { return Some(place) };
        match *op {
            Op::PtrAdd { base, offset, .. } => (pc, operand, place) = (at, base, place + offset),
            Op::Copy { n: 1, a, .. } => (pc, operand) = (at, a),
            Op::PtrIndex { .. } | Op::StackAddr { .. } | Op::Alloca { .. } => return None,
            _ => return Some(place),
        }
    }
}

/// How many general registers, vector registers and long doubles arguments take.
#[derive(Clone, Copy, Default)]
struct Places {
    general: u32,
    vector: u32,
    extended: u32,
}

impl Places {
    fn of<'a>(leaves: impl Iterator<Item = &'a Scalar>) -> Self {
        let mut places = Self::default();
        for leaf in leaves {
            match leaf {
                Scalar::Int(_) | Scalar::Ptr => places.general += leaf.slots(),
                Scalar::F16 | Scalar::F32 | Scalar::F64 => places.vector += 1,
                Scalar::F80 => places.extended += 1,
            }
        }
        places
    }

    fn given(call: &Call) -> Self {
        Self::of(call.args.iter().flat_map(|arg| &arg.leaves))
    }
}

/// Whether a function may take the arguments of a call, which take these places: each of its parameters goes where the caller puts an
/// argument. Results and further arguments do not matter.
fn takes(function: &Function, given: Places) -> bool {
    let wanted = Places::of(function.params.iter().flat_map(|param| &param.leaves));
    wanted.general <= given.general && wanted.vector <= given.vector && wanted.extended <= given.extended
}

/// Calls by caller and operation.
pub(crate) fn call_places(function: &Function) -> FxHashMap<u32, u32> {
    let calls = (0..).zip(&function.code).filter_map(|(pc, op)| match op {
        Op::Call { call } => Some((*call, pc)),
        _ => None,
    });
    calls.collect()
}
