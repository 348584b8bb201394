//! What all parts of the instrumentation share: types, runtime functions, places of the control pages, metadata.

use std::{cell::RefCell, collections::HashMap};

use whydunit_canonical::layout::{self, Sites, Symbols};
use whydunit_llvm::{AttributePlace, Builder, Metadata, Module, Opcode, PRESERVE_MOST, Type, Value};

/// Address of the safepoint counter.
pub(crate) const COUNTER: u64 = 0x6ff0_0000;
/// The state page, and addresses on it.
pub(crate) const CONTROL: std::ops::Range<u64> = 0x6ff0_1000..0x6ff0_2000;
pub(crate) const USP: u64 = 0x6ff0_1008;
pub(crate) const STATE: u64 = 0x6ff0_1010;
pub(crate) const VA_GP: u64 = 0x6ff0_1018;
pub(crate) const SIGNAL_PENDING: u64 = 0x6ff0_102c;
pub(crate) const CALLBACKS: u64 = 0x6ff0_1060;
pub(crate) const ARGUMENTS: u64 = 0x6ff0_1080;
/// Words that the callback argument buffer holds.
pub(crate) const ARGUMENT_WORDS: u64 = 128;
/// Name of the module's descriptor, and of what stands for it in code.
pub(super) const DESCRIPTOR: &str = "wd.module";
pub(super) const REFERENCE: &str = "wd.module.reference";
/// Address space of the shadow: through gs.
const SHADOW: u32 = 256;

/// Which memory an access is to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Memory {
    Real,
    Shadow,
    Control,
}

pub(crate) struct Types {
    pub(crate) void: Type,
    pub(crate) ptr: Type,
    pub(crate) shadow: Type,
    pub(crate) i1: Type,
    pub(crate) i32: Type,
    pub(crate) i64: Type,
}

pub(crate) struct Context<'m> {
    pub(crate) module: &'m Module,
    pub(crate) builder: Builder,
    pub(crate) types: Types,
    pub(crate) symbols: Symbols,
    pub(crate) sites: Sites,
    /// What stands for the module's descriptor in code until that is optimised ([`super::descriptor::resolve`]).
    pub(crate) descriptor: Value,
    /// Thunk of a function, and the function of a thunk.
    pub(crate) thunks: HashMap<Value, Value>,
    pub(crate) bodies: HashMap<Value, Value>,
    /// What of a function captured callers in other modules call; weak where it may be external.
    pub(crate) direct: RefCell<HashMap<Value, Value>>,
    pub(crate) notes: Vec<String>,
    runtime: RefCell<HashMap<String, Value>>,
    kinds: [u32; 3],
    scopes: [(Metadata, Metadata); 3],
    unlikely: Metadata,
}

impl<'m> Context<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        let types = Types {
            void: module.void_type(),
            ptr: module.ptr_type(0),
            shadow: module.ptr_type(SHADOW),
            i1: module.int_type(1),
            i32: module.int_type(32),
            i64: module.int_type(64),
        };
        let symbols = layout::symbol_order(module);
        let sites = layout::sites(module);
        let ptr = types.ptr;
        let id = module.array_type(module.int_type(8), 64);
        let mut fields = vec![id];
        fields.extend([types.i32; 6]);
        fields.extend([ptr; 9]);
        fields.extend([types.i64, ptr, types.i64]);
        let descriptor = module.add_global(REFERENCE, module.struct_type(&fields));
        let domain = module.metadata_node(&[module.metadata_text_node("wd")]);
        let scope = |name: &str| module.metadata_node(&[module.metadata_text_node(name), domain]);
        let (real, shadow, control) = (scope("wd.real"), scope("wd.shadow"), scope("wd.control"));
        let list = |nodes: &[Metadata]| module.metadata_node(nodes);
        let weight = |n: u64| module.constant_metadata(types.i32.constant(n));
        Context {
            module,
            builder: Builder::new(module),
            symbols,
            sites,
            descriptor,
            thunks: HashMap::new(),
            bodies: HashMap::new(),
            direct: RefCell::default(),
            notes: Vec::new(),
            runtime: RefCell::default(),
            kinds: ["alias.scope", "noalias", "prof"].map(|name| module.metadata_kind(name)),
            scopes: [
                (list(&[real]), list(&[shadow, control])),
                (list(&[shadow]), list(&[real, control])),
                (list(&[control]), list(&[real, shadow])),
            ],
            unlikely: list(&[module.metadata_text_node("branch_weights"), weight(1), weight(1 << 20)]),
            types,
        }
    }

    /// Says which memory an access is to, for alias analysis.
    pub(crate) fn place(&self, access: Value, memory: Memory) {
        let (scope, others) = self.scopes[memory as usize];
        access.set_metadata(self.kinds[0], Some(scope));
        access.set_metadata(self.kinds[1], Some(others));
    }

    /// The branch is nearly never taken.
    pub(crate) fn mark_unlikely(&self, branch: Value) {
        branch.set_metadata(self.kinds[2], Some(self.unlikely));
    }

    /// The shadow of an address. Not an address space cast: alias analysis would take the two for one memory.
    pub(crate) fn shadow_of(&self, address: Value) -> Value {
        let bits = self.builder.cast(Opcode::LLVMPtrToInt, address, self.types.i64);
        self.builder.cast(Opcode::LLVMIntToPtr, bits, self.types.shadow)
    }

    /// A load of real or shadow memory that nothing is assumed of.
    pub(crate) fn load(&self, ty: Type, address: Value, memory: Memory) -> Value {
        let load = self.builder.load(ty, address, 1);
        self.place(load, memory);
        load
    }

    /// A store to real or shadow memory.
    pub(crate) fn store(&self, value: Value, address: Value, memory: Memory) -> Value {
        let store = self.builder.store(value, address, 1);
        self.place(store, memory);
        store
    }

    /// A store to both memories.
    pub(crate) fn store_both(&self, value: Value, address: Value) {
        self.store(value, address, Memory::Real);
        self.store(value, self.shadow_of(address), Memory::Shadow);
    }

    fn control_address(&self, address: u64) -> Value {
        self.types.i64.constant(address).const_int_to_ptr(self.types.ptr)
    }

    /// Reads the control pages. Volatile: signal handlers and callees change them.
    pub(crate) fn read_control(&self, ty: Type, address: u64) -> Value {
        let load = self.builder.load(ty, self.control_address(address), 0);
        load.set_volatile(true);
        self.place(load, Memory::Control);
        load
    }

    /// Writes the state page.
    pub(crate) fn write_control(&self, value: Value, address: u64) {
        let store = self.builder.store(value, self.control_address(address), 0);
        store.set_volatile(true);
        self.place(store, Memory::Control);
    }

    /// A function of the runtime.
    pub(crate) fn runtime(&self, name: &str, ret: Type, params: &[Type]) -> Value {
        if let Some(&known) = self.runtime.borrow().get(name) {
            return known;
        }
        let function = self.module.get_or_declare(name, self.module.function_type(ret, params, false));
        for attribute in ["nounwind", "nonlazybind"] {
            function.add_attribute(AttributePlace::Function, self.module.attribute(attribute, 0));
        }
        self.runtime.borrow_mut().insert(name.to_owned(), function);
        function
    }

    /// Calls a function of the runtime that takes the descriptor first.
    pub(crate) fn call_runtime(&self, name: &str, ret: Type, args: &[Value]) -> Value {
        let mut all = vec![self.descriptor];
        all.extend(args);
        self.call_plain(name, ret, &all)
    }

    /// Calls a function of the runtime.
    pub(crate) fn call_plain(&self, name: &str, ret: Type, args: &[Value]) -> Value {
        let params: Vec<Type> = args.iter().map(|arg| arg.ty()).collect();
        let function = self.runtime(name, ret, &params);
        self.builder.call_function(function, args)
    }

    /// Makes a call one of a slow path, which keeps the caller's registers.
    pub(crate) fn make_cold(&self, call: Value) {
        for callee in [call.called_function(), Some(call)].into_iter().flatten() {
            callee.set_calling_convention(PRESERVE_MOST);
            callee.add_attribute(AttributePlace::Function, self.module.attribute("cold", 0));
        }
    }

    /// Says of a call that it touches the shadow that its argument points to, and otherwise only the runtime's own memory. The
    /// optimiser must know of the mending: a shadow byte that is stale in a register could be moved elsewhere.
    pub(crate) fn mends_argument(&self, call: Value) {
        // Two bits for each kind of memory, "other" above "inaccessible" above "argument".
        let effects = self.module.attribute("memory", 0b11 << 2 | 0b11);
        for callee in [call.called_function(), Some(call)].into_iter().flatten() {
            callee.add_attribute(AttributePlace::Function, effects);
        }
        self.place(call, Memory::Shadow);
    }

    /// The descriptor-relative number of an instruction, as a constant.
    pub(crate) fn site(&self, instruction: Value) -> Value {
        self.types.i32.constant(self.sites.number(instruction).unwrap_or(u32::MAX).into())
    }

    /// An intrinsic that LLVM certainly has.
    pub(crate) fn intrinsic(&self, name: &str, types: &[Type]) -> Value {
        self.module.intrinsic(name, types).unwrap_or_else(|| panic!("LLVM 22 has {name}"))
    }
}
