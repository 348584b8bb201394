//! Programs, and their modules once loaded: addresses, resolved constants, which body a function's address means.

mod constants;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use whydunit_model::checks::{self, Check};
use whydunit_model::{Callee, Function, Linkage, Module, Op, Scalar, Site, Symbol, paths};
use whydunit_recording::ModuleLoaded;

pub(crate) use self::constants::Constants;
use crate::divergence::{Position, ReplayError, Result};
use crate::function_id::FuncId;
use crate::marks::Tracked;
use crate::memory::PageHasher;
use crate::prepare::Prepared;
use crate::role::Role;

/// The models of a program, by module id.
#[derive(Clone, Default)]
pub struct Program {
    models: HashMap<String, Arc<Module>>,
}

impl Program {
    /// No models.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a model; one with the same id is replaced.
    pub fn add(&mut self, module: impl Into<Arc<Module>>) {
        let module = module.into();
        self.models.insert(module.id.clone(), module);
    }
    /// The model with this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Module>> {
        self.models.get(id)
    }
    /// All models, in no particular order.
    pub fn models(&self) -> impl Iterator<Item = &Arc<Module>> {
        self.models.values()
    }
}

/// A module with its addresses.
pub struct LoadedModule {
    /// Its model.
    pub model: Arc<Module>,
    /// Number in order of registration.
    pub index: u32,
    /// Global number of its site 0.
    pub site_base: u32,
    /// Addresses of the globals.
    pub globals: Vec<u64>,
    /// Addresses of the functions.
    pub functions: Vec<u64>,
    /// Whether the body in this module is the one at the function's address.
    pub own_bodies: Vec<bool>,
    /// Number of its function 0.
    pub first: FuncId,
    /// First site and index of each defined function, sorted.
    by_site: Vec<(Site, u32)>,
}

impl LoadedModule {
    /// Whether a direct call of function `index` from this module goes to the body here: not where a program's definition
    /// took the place of a library's, nor for weak ones, whose address decides.
    pub(crate) fn calls_own(&self, index: u32) -> bool {
        let function = &self.model.functions[index as usize];
        function.is_defined()
            && match function.linkage {
                Linkage::Internal | Linkage::Alike => true,
                Linkage::Strong => self.own_bodies[index as usize],
                Linkage::Weak | Linkage::Declared => false,
            }
    }
}

/// A function with its constants.
pub struct LoadedFunction {
    /// Which of [`Code::modules`].
    pub module: u32,
    /// Index in its module.
    pub index: u32,
    /// Constant pool, and spare ones behind it ([`Code::spare`]).
    pub consts: Box<[u64]>,
    /// General registers that the fixed parameters take.
    pub(crate) fixed: Registers,
    /// Whether its source is a library's; none where no source is known.
    pub library: Option<bool>,
    /// What it says of checks, where it is a function of a test framework.
    pub check: Option<&'static Check>,
    /// Once it has returned, without a check that failed, the test that it is has passed.
    pub(crate) body: bool,
    /// Slots of its frames; a copy of the constant pool follows them.
    pub slots: u32,
    pub(crate) frame_size: u64,
    pub(crate) frame_align: u64,
    pub(crate) entry_instructions: u32,
    pub(crate) entry_pc: u32,
    pub(crate) role: Role,
    pub(crate) prepared: Option<Box<Prepared>>,
    /// Its code with marks, while a run is followed.
    pub(crate) tracked: Option<Box<Tracked>>,
}

impl LoadedFunction {
    /// How many words a frame takes.
    pub(crate) fn frame_slots(&self) -> usize {
        self.slots as usize + self.consts.len()
    }
}

/// So many constants of each function are spare.
pub const SPARES: usize = 3;

type Addresses<T> = HashMap<u64, T, BuildHasherDefault<PageHasher>>;

/// The loaded modules of a run.
pub struct Code {
    modules: Vec<LoadedModule>,
    functions: Vec<LoadedFunction>,
    no_function: Function,
    no_module: Module,
    generations: u64,
}

/// Which function an address means at one moment of the run.
#[derive(Clone, Default)]
pub(crate) struct Symbols {
    by_address: Arc<Addresses<FuncId>>,
    names: Arc<Addresses<(u32, u32)>>,
    /// How many modules are registered, closed ones included.
    pub loaded: u32,
    /// A number that no other state of the symbols has.
    pub generation: u64,
}

impl Symbols {
    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        self.by_address.get(&address).copied()
    }
}

impl Default for Code {
    fn default() -> Self {
        Self::new()
    }
}

impl Code {
    pub(crate) fn new() -> Self {
        Self {
            modules: Vec::new(),
            functions: Vec::new(),
            no_module: Module::default(),
            generations: 0,
            no_function: Function::declared(String::new()),
        }
    }

    /// The modules, in order of registration.
    pub fn modules(&self) -> &[LoadedModule] {
        &self.modules
    }
    /// Where the global with this symbol lies; `None` where no module names it.
    pub(crate) fn address_of(&self, symbol: &str) -> Option<u64> {
        self.modules.iter().find_map(|module| {
            let mut globals = module.model.globals.iter().zip(&module.globals);
            globals.find(|(global, at)| **at != 0 && global.name == symbol).map(|(_, &at)| at)
        })
    }
    /// How many functions there are; numbers are below it.
    pub fn functions(&self) -> u32 {
        self.functions.len() as u32
    }
    /// A function.
    #[inline(always)]
    pub fn function(&self, id: FuncId) -> &LoadedFunction {
        &self.functions[id.0 as usize]
    }
    pub(crate) fn function_mut(&mut self, id: FuncId) -> &mut LoadedFunction {
        &mut self.functions[id.0 as usize]
    }
    /// The pre-decoded code of a function.
    pub(crate) fn prepare(&mut self, id: FuncId) -> &mut Prepared {
        let loaded = &self.functions[id.0 as usize];
        let model = &self.modules[loaded.module as usize].model.functions[loaded.index as usize];
        self.functions[id.0 as usize].prepared.get_or_insert_with(|| Box::new(Prepared::of(model)))
    }
    /// Code with marks is needed no more.
    pub(crate) fn forget_tracked(&mut self) {
        self.functions.iter_mut().for_each(|function| function.tracked = None);
    }
    /// The model of a function; an empty one for [`FuncId::NONE`].
    #[inline]
    pub fn model(&self, id: FuncId) -> &Function {
        match self.functions.get(id.0 as usize) {
            Some(function) => &self.modules[function.module as usize].model.functions[function.index as usize],
            None => &self.no_function,
        }
    }
    pub(crate) fn model_of(&mut self, module: u32) -> &mut Arc<Module> {
        &mut self.modules[module as usize].model
    }
    /// The constants of a function; none for [`FuncId::NONE`].
    pub fn consts(&self, id: FuncId) -> &[u64] {
        self.functions.get(id.0 as usize).map_or(&[], |function| &function.consts)
    }
    /// The module of a function; an empty one for [`FuncId::NONE`].
    pub fn module_of(&self, id: FuncId) -> &Module {
        self.functions.get(id.0 as usize).map_or(&self.no_module, |f| &self.modules[f.module as usize].model)
    }
    /// The loaded module of a function.
    pub fn loaded_module_of(&self, id: FuncId) -> Option<&LoadedModule> {
        self.functions.get(id.0 as usize).map(|function| &self.modules[function.module as usize])
    }
    /// The first defined function of this name, strong ones first.
    pub fn find(&self, name: &str) -> Option<FuncId> {
        let mut found = None;
        for module in &self.modules {
            for (index, function) in module.model.functions.iter().enumerate() {
                if function.name == name && function.is_defined() {
                    let id = FuncId(module.first.0 + index as u32);
                    if module.own_bodies[index] {
                        return Some(id);
                    }
                    found = found.or(Some(id));
                }
            }
        }
        found
    }
    /// A position, spelled out.
    pub fn position(&self, id: FuncId, pc: u32) -> Position {
        self.positions(id, pc).next().unwrap_or_default()
    }
    /// The position of an operation, then those of the calls in whose place its code stands: as if the functions had frames
    /// of their own. None for [`FuncId::NONE`].
    pub fn positions(&self, id: FuncId, pc: u32) -> impl Iterator<Item = Position> {
        let (module, function) = (self.module_of(id), self.model(id));
        let places = (id != FuncId::NONE).then(|| function.places(pc as usize));
        places.into_iter().flatten().map(move |(loc, name)| Position {
            module: module.source.clone(),
            function: name.to_owned(),
            pc,
            site: function.sites.get(pc as usize).copied().unwrap_or(0),
            file: if loc.line == 0 { None } else { module.files.get(loc.file as usize).cloned() }.unwrap_or_default(),
            loc,
        })
    }
    /// The module and function that a global site number means.
    pub fn find_site(&self, site: u32) -> Option<(FuncId, Site)> {
        let at = self.modules.partition_point(|module| module.site_base <= site);
        let module = self.modules.get(at.checked_sub(1)?)?;
        let local = site - module.site_base;
        let at = module.by_site.partition_point(|entry| entry.0 <= local);
        let (_, index) = module.by_site.get(at.checked_sub(1)?)?;
        Some((FuncId(module.first.0 + index), local))
    }
    /// A global site, spelled out.
    pub fn describe_site(&self, site: u32) -> String {
        let Some((id, local)) = self.find_site(site) else { return format!("unknown site {site}") };
        let pc = self.model(id).sites.iter().position(|&other| other == local).unwrap_or(0);
        self.position(id, pc as u32).to_string()
    }
    /// The name of a declared or defined function at an address.
    pub(crate) fn name_at<'a>(&'a self, symbols: &Symbols, address: u64) -> &'a str {
        match symbols.names.get(&address) {
            Some(&(module, index)) => &self.modules[module as usize].model.functions[index as usize].name,
            None => "",
        }
    }

    /// Registers a module. Gives its number; images of globals are written through `write`.
    pub(crate) fn load(
        &mut self,
        program: &Program,
        symbols: &mut Symbols,
        event: &ModuleLoaded,
        mut write: impl FnMut(u64, &[u8]),
    ) -> Result<u32> {
        let id = event.id_hex();
        let number = symbols.loaded;
        let other = |module: &Module, reason: String| ReplayError::OtherModel { module: module.source.clone(), reason };
        if event.index != number {
            return Err(ReplayError::Recording {
                instruction: 0,
                reason: format!("module {id} is registered as number {}, expected {number}", event.index),
            });
        }
        let known = self.modules.get(number as usize);
        let same = known.is_some_and(|known| {
            known.model.id == id && known.globals == event.globals && known.functions == event.functions
        });
        if !same {
            if let Some(known) = known {
                return Err(other(&known.model, format!("module number {number} was another one before")));
            }
            let model = program.get(&id).ok_or(ReplayError::NoModel { id })?;
            if model.globals.len() != event.globals.len() || model.functions.len() != event.functions.len() {
                return Err(other(model, "another number of symbols".into()));
            }
            self.add(Arc::clone(model), event);
        }
        symbols.loaded += 1;
        self.generations += 1;
        symbols.generation = self.generations;
        let module = &self.modules[number as usize];
        let by_address = Arc::make_mut(&mut symbols.by_address);
        let names = Arc::make_mut(&mut symbols.names);
        for (index, function) in module.model.functions.iter().enumerate() {
            let address = module.functions[index];
            if address == 0 {
                continue;
            }
            names.entry(address).or_insert((number, index as u32));
            if function.is_defined() && module.own_bodies[index] {
                by_address.insert(address, FuncId(module.first.0 + index as u32));
            }
        }
        // Weak definitions count as zero in both copies: whatever else they hold is found by loads.
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for (global, &address) in module.model.globals.iter().zip(&module.globals) {
            let initialised = !global.init.bytes.is_empty() || !global.init.addresses.is_empty();
            if !matches!(global.linkage, Linkage::Internal | Linkage::Strong) || address == 0 || !initialised {
                continue;
            }
            let image = module.image(global);
            for &byte in &image {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
            write(address, &image);
        }
        if hash != event.data_hash {
            let reason = format!("initialised data hash to {hash:#x}, recorded {:#x}", event.data_hash);
            return Err(other(&module.model, reason));
        }
        Ok(number)
    }

    fn add(&mut self, model: Arc<Module>, event: &ModuleLoaded) {
        let number = self.modules.len() as u32;
        let site_base = self.modules.last().map_or(0, |last| last.site_base + last.model.sites);
        let mut by_site: Vec<(Site, u32)> = model
            .functions
            .iter()
            .enumerate()
            .filter_map(|(index, function)| Some((*function.sites.iter().min()?, index as u32)))
            .collect();
        by_site.sort_unstable();
        let module = LoadedModule {
            index: event.index,
            site_base,
            globals: event.globals.clone(),
            functions: event.functions.clone(),
            own_bodies: event.own_bodies.clone(),
            first: FuncId(self.functions.len() as u32),
            by_site,
            model,
        };
        let libraries: Vec<bool> = module.model.files.iter().map(|file| paths::is_library(file)).collect();
        for (index, function) in module.model.functions.iter().enumerate() {
            let fixed = Registers::of_params(function);
            let consts = function.consts.iter().map(|c| c.resolve(&|symbol| module.address(symbol)));
            let consts = consts.chain([0; SPARES]).collect();
            self.functions.push(LoadedFunction {
                module: number,
                index: index as u32,
                consts,
                fixed,
                check: checks::of(&function.name),
                body: checks::is_body(&function.name) && !has_parts(&module.model, function),
                library: function.loc.and_then(|loc| libraries.get(loc.file as usize).copied()),
                slots: function.slots,
                frame_size: function.frame_size,
                frame_align: u64::from(function.frame_align.max(16)),
                entry_pc: function.blocks.first().map_or(0, |block| block.start),
                entry_instructions: function.blocks.first().map_or(0, |block| block.instructions),
                role: Role::of(&function.name),
                prepared: None,
                tracked: None,
            });
        }
        self.modules.push(module);
    }

    /// Unregisters a module (dlclose).
    pub(crate) fn unload(&mut self, symbols: &mut Symbols, index: u32) -> bool {
        let Some(module) = self.modules.get(index as usize).filter(|_| index < symbols.loaded) else { return false };
        self.generations += 1;
        symbols.generation = self.generations;
        let range = module.first.0..module.first.0 + module.functions.len() as u32;
        Arc::make_mut(&mut symbols.by_address).retain(|_, id| !range.contains(&id.0));
        Arc::make_mut(&mut symbols.names).retain(|_, (number, _)| *number != index);
        true
    }
}

/// Whether a test's body has parts, for each of which it is run once more.
fn has_parts(module: &Module, function: &Function) -> bool {
    let called = function.code.iter().filter_map(|op| match op {
        Op::Call { call } => match function.calls[*call as usize].callee {
            Callee::Direct(callee) => module.functions.get(callee as usize),
            _ => None,
        },
        _ => None,
    });
    called.into_iter().any(|callee| checks::is_part(&callee.name))
}

impl LoadedModule {
    /// The address of a symbol.
    pub fn address(&self, symbol: Symbol) -> u64 {
        match symbol {
            Symbol::Global(index) => self.globals.get(index as usize),
            Symbol::Function(index) => self.functions.get(index as usize),
        }
        .copied()
        .unwrap_or(0)
    }

    /// A global's initial image.
    pub fn image(&self, global: &whydunit_model::Global) -> Vec<u8> {
        let mut bytes = global.init.bytes.clone();
        for (offset, size, value) in &global.init.addresses {
            let (offset, size) = (*offset as usize, (*size as usize).min(8));
            if bytes.len() < offset + size {
                bytes.resize(offset + size, 0);
            }
            let word = value.resolve(&|symbol| self.address(symbol)).to_le_bytes();
            bytes[offset..offset + size].copy_from_slice(&word[..size]);
        }
        bytes.resize(global.size as usize, 0);
        bytes
    }
}

/// Bytes of a scalar inside a vector.
pub(crate) fn element_bytes(leaf: Scalar) -> u64 {
    match leaf {
        Scalar::Int(width) => u64::from(width).div_ceil(8),
        Scalar::F16 => 2,
        Scalar::F32 => 4,
        Scalar::F80 => 16,
        _ => 8,
    }
}

/// System V: which registers the fixed parameters take.
/// Running count of argument registers, System V.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Registers {
    pub general: u32,
    pub vector: u32,
    /// Bytes on the stack.
    pub stack: u64,
}

/// Where an argument leaf goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// General registers from this number on.
    General(u32),
    /// A vector register.
    Vector(u32),
    /// The stack, at this distance from the first argument there.
    Stack(u64),
}

impl Registers {
    /// Places one leaf.
    pub fn leaf(&mut self, leaf: Scalar) -> Place {
        match leaf {
            Scalar::F80 => self.on_stack(16, 16),
            Scalar::F16 | Scalar::F32 | Scalar::F64 if self.vector < 8 => {
                self.vector += 1;
                Place::Vector(self.vector - 1)
            }
            Scalar::F16 | Scalar::F32 | Scalar::F64 => self.on_stack(8, 8),
            Scalar::Int(width) if width > 64 => {
                if self.general + 2 <= 6 {
                    self.general += 2;
                    Place::General(self.general - 2)
                } else {
                    self.on_stack(16, 16)
                }
            }
            _ if self.general < 6 => {
                self.general += 1;
                Place::General(self.general - 1)
            }
            _ => self.on_stack(8, 8),
        }
    }

    /// Places a vector of these leaves.
    pub fn whole(&mut self, leaves: &[Scalar]) -> Place {
        let bytes = leaves.iter().map(|leaf| element_bytes(*leaf)).sum();
        if self.vector < 8 && bytes <= 16 {
            self.vector += 1;
            return Place::Vector(self.vector - 1);
        }
        self.on_stack(bytes, bytes.min(16))
    }

    /// Places a by-value argument or what found no register.
    pub fn on_stack(&mut self, size: u64, align: u64) -> Place {
        let start = self.stack.next_multiple_of(align.max(8));
        self.stack = start + size.next_multiple_of(8);
        Place::Stack(start)
    }

    /// What the parameters of a function take.
    fn of_params(function: &Function) -> Self {
        let mut registers = Self::default();
        for param in &function.params {
            if param.byval != 0 {
                registers.on_stack(param.byval, param.align.into());
                continue;
            }
            if param.vector {
                registers.whole(&param.leaves);
                continue;
            }
            for &leaf in &param.leaves {
                registers.leaf(leaf);
            }
        }
        registers
    }
}
