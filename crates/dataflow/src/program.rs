//! Modules together: which definition a symbol means, without the addresses of a run.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use whydunit_model::{Function, Global, Linkage, Module};

/// Number of a function among all functions of a program, declared ones included: in the order of the modules, then of their
/// functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);

/// Number of a global among all globals of a program, declared ones included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalId(pub u32);

/// What the code that no module has may know of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum World {
    /// It names only what the library has as well (`main`, `operator new`, `malloc`), and what no module names itself. What
    /// a program of its own is.
    #[default]
    Closed,
    /// It may name every symbol that is visible. What a library is.
    Open,
}

/// A set of modules that run together.
pub struct Program {
    modules: Vec<Arc<Module>>,
    world: World,
    /// Module of each function, and its index there.
    functions: Vec<(u32, u32)>,
    globals: Vec<(u32, u32)>,
    first_function: Vec<u32>,
    first_global: Vec<u32>,
    /// Visible definitions by name.
    named: FxHashMap<String, Vec<FunctionId>>,
    /// By name: the global that the name means.
    named_globals: FxHashMap<String, GlobalId>,
}

impl Program {
    /// Of these modules. Functions and globals are numbered in their order.
    pub fn new(modules: Vec<Arc<Module>>, world: World) -> Self {
        let mut program = Self {
            modules: Vec::new(),
            world,
            functions: Vec::new(),
            globals: Vec::new(),
            first_function: Vec::new(),
            first_global: Vec::new(),
            named: FxHashMap::default(),
            named_globals: FxHashMap::default(),
        };
        for (number, module) in (0..).zip(&modules) {
            program.first_function.push(program.functions.len() as u32);
            program.first_global.push(program.globals.len() as u32);
            for (index, function) in (0..).zip(&module.functions) {
                if function.is_defined() && function.linkage != Linkage::Internal {
                    let id = FunctionId(program.functions.len() as u32);
                    program.named.entry(function.name.clone()).or_default().push(id);
                }
                program.functions.push((number, index));
            }
            program.globals.extend((0..module.globals.len() as u32).map(|index| (number, index)));
        }
        program.modules = modules;
        // A strong definition is the one; else the first; a declaration where there is none.
        for wanted in [Linkage::Strong, Linkage::Weak, Linkage::Alike, Linkage::Declared] {
            for id in (0..program.globals.len() as u32).map(GlobalId) {
                let global = program.global(id);
                if global.linkage == wanted && !program.named_globals.contains_key(&global.name) {
                    let name = global.name.clone();
                    program.named_globals.insert(name, id);
                }
            }
        }
        program
    }

    /// The modules.
    pub fn modules(&self) -> &[Arc<Module>] {
        &self.modules
    }

    /// What other code may know of it.
    pub fn world(&self) -> World {
        self.world
    }

    /// All functions, declared ones included.
    pub fn functions(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId)
    }

    /// All functions with code.
    pub fn defined(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.functions().filter(|&id| self.function(id).is_defined())
    }

    /// All globals, declared ones included.
    pub fn globals(&self) -> impl Iterator<Item = GlobalId> + use<> {
        (0..self.globals.len() as u32).map(GlobalId)
    }

    /// The number of a function of a module.
    pub fn function_id(&self, module: usize, index: u32) -> FunctionId {
        FunctionId(self.first_function[module] + index)
    }

    /// The number of a global of a module.
    pub fn global_id(&self, module: usize, index: u32) -> GlobalId {
        GlobalId(self.first_global[module] + index)
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        let (module, index) = self.functions[id.0 as usize];
        &self.modules[module as usize].functions[index as usize]
    }

    /// A global.
    pub fn global(&self, id: GlobalId) -> &Global {
        let (module, index) = self.globals[id.0 as usize];
        &self.modules[module as usize].globals[index as usize]
    }

    /// Number of the module that a function is of.
    pub fn module_of(&self, id: FunctionId) -> usize {
        self.functions[id.0 as usize].0 as usize
    }

    /// Number of the module that a global is of.
    pub fn module_of_global(&self, id: GlobalId) -> usize {
        self.globals[id.0 as usize].0 as usize
    }

    /// The visible definitions of a name.
    pub fn find(&self, name: &str) -> &[FunctionId] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }

    /// The bodies that a direct call of function `id` from its own module may run; none where no module has one.
    pub fn called(&self, id: FunctionId) -> Vec<FunctionId> {
        let function = self.function(id);
        if function.is_defined() && matches!(function.linkage, Linkage::Internal | Linkage::Alike) {
            return vec![id];
        }
        self.meant(id)
    }

    /// The bodies that the address of function `id` of its own module may mean; none where no module has one.
    pub fn meant(&self, id: FunctionId) -> Vec<FunctionId> {
        let function = self.function(id);
        if function.is_defined() && function.linkage == Linkage::Internal {
            return vec![id];
        }
        let mut found = self.find(&function.name).to_vec();
        if found.is_empty() {
            found = stand_ins(&function.name).flat_map(|name| self.find(&name).to_vec()).collect();
        }
        if found.is_empty() && function.name.contains("__rust_") {
            found = self.allocator(&function.name);
        }
        found
    }

    /// What rustc's shim `__rust_alloc` calls: an allocator of the program's own, `__rg_alloc`.
    fn allocator(&self, shim: &str) -> Vec<FunctionId> {
        let Some((_, what)) = shim.rsplit_once("__rust_") else { return Vec::new() };
        let ends = |name: &str| name.rsplit_once("__rg_").is_some_and(|(_, rest)| rest == what);
        self.named.iter().filter(|(name, _)| ends(name)).flat_map(|(_, ids)| ids.clone()).collect()
    }

    /// The definition that a global of its own module means; one of its declarations where no module defines it.
    pub fn meant_global(&self, id: GlobalId) -> GlobalId {
        let global = self.global(id);
        match global.linkage {
            Linkage::Internal => id,
            _ => self.named_globals.get(&global.name).copied().unwrap_or(id),
        }
    }
}

/// Symbols by which a function may be defined that goes by this one: compilers make one constructor or destructor stand for
/// the complete object and for its part in another one (Itanium C++ ABI, 5.1.4.3).
fn stand_ins(name: &str) -> impl Iterator<Item = String> + '_ {
    let pairs = [("C1E", "C2E"), ("C2E", "C1E"), ("D1E", "D2E"), ("D2E", "D1E")];
    let mangled = name.starts_with("_ZN");
    pairs.into_iter().filter(move |_| mangled).filter_map(move |(one, other)| {
        let at = name.rfind(one)?;
        Some(format!("{}{other}{}", &name[..at], &name[at + one.len()..]))
    })
}
