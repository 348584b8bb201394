//! Modules, functions, globals.

use serde::{Deserialize, Serialize};

use crate::{
    Block, Call, Class, Const, DebugType, DebugValue, Demand, Initializer, Inlined, Language, Leaves, Loc, Method,
    MethodId, Op, Opnd, Pad, Scope, Site, Slot, Switch, TypeId, Variable,
};

/// How a symbol is bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Linkage {
    /// Only in this module.
    Internal,
    /// Visible, this definition is the one.
    Strong,
    /// Visible, another definition may be the one (weak, linkonce, common).
    Weak,
    /// A function that is visible and defined alike wherever it is defined: calls from this module come to this definition,
    /// its address is that of any of them.
    Alike,
    /// Declared here, defined elsewhere.
    Declared,
}

/// A captured translation unit.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Module {
    /// Content hash of the bitcode it was lowered from, in hex.
    pub id: String,
    /// The source file as given to the compiler, made absolute.
    pub source: String,
    /// Source files, absolute where the compiler said so.
    pub files: Vec<String>,
    /// Globals, declared ones included, in the order of the address table of a recording.
    pub globals: Vec<Global>,
    /// Functions, declared ones included (not intrinsics or markers), in the order of the address table.
    pub functions: Vec<Function>,
    /// Types.
    pub types: Vec<DebugType>,
    /// The language of the source.
    pub language: Language,
    /// Classes: those of its functions, and those of C++ that its types are.
    pub classes: Vec<Class>,
    /// Methods of the classes: those of its functions, those in whose place code stands, and those of the project's classes
    /// that are only declared.
    pub methods: Vec<Method>,
    /// How many sites the module has.
    pub sites: u32,
    /// It was optimised before it was captured: what is undefined in it need not come from the source.
    pub optimised: bool,
}

/// A global variable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Symbol name; made up for unnamed ones.
    pub name: String,
    /// Name in the source, where debug information has it.
    pub source_name: Option<String>,
    /// Type, where known.
    pub ty: TypeId,
    /// Position of the declaration.
    pub loc: Option<Loc>,
    /// Binding.
    pub linkage: Linkage,
    /// Bytes.
    pub size: u64,
    /// Of the definition.
    pub align: u32,
    /// Thread-local: the address table has the main thread's.
    pub thread_local: bool,
    /// Never written by the program.
    pub constant: bool,
    /// Content at start, for definitions.
    pub init: Initializer,
}

/// A stack object of a function that is not promoted to registers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StackObject {
    /// Name of the variable, or of the compiler's temporary.
    pub name: String,
    /// Offset from the frame's base (static ones).
    pub offset: u64,
    /// Bytes (of one element for dynamic ones).
    pub size: u64,
    /// Allocated when executed, not at entry.
    pub dynamic: bool,
    /// Where it is declared.
    pub loc: Option<Loc>,
}

/// A parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Param {
    /// First slot.
    pub slot: Slot,
    /// Leaves.
    pub leaves: Leaves,
    /// Passed by value in memory: bytes.
    pub byval: u64,
    /// Alignment of what is passed by value; 0 for everything else.
    pub align: u32,
    /// A vector, which is passed as a whole.
    pub vector: bool,
}

/// A function; declared ones have no code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Symbol name.
    pub name: String,
    /// Name in the source.
    pub source_name: Option<String>,
    /// Where it is defined.
    pub loc: Option<Loc>,
    /// The method that it is, or a variant of; `None` for all other functions.
    pub method: Option<MethodId>,
    /// Whether it is a test by itself, whose body a run of another one leaves out.
    pub is_own_test: bool,
    /// Binding.
    pub linkage: Linkage,
    /// Parameters (fixed ones).
    pub params: Vec<Param>,
    /// Result.
    pub ret: Leaves,
    /// Takes variable arguments.
    pub variadic: bool,
    /// Calls setjmp or its like.
    pub calls_setjmp: bool,
    /// Slots of a frame.
    pub slots: u32,
    /// Constant pool.
    pub consts: Vec<Const>,
    /// All operations, block after block; block 0 is the entry.
    pub code: Vec<Op>,
    /// Site of each operation, in parallel to `code`.
    pub sites: Vec<Site>,
    /// Position of each operation (index into `locs`), in parallel to `code`.
    pub op_locs: Vec<u32>,
    /// Distinct positions; 0 is unknown.
    pub locs: Vec<Loc>,
    /// Blocks.
    pub blocks: Vec<Block>,
    /// Call sites.
    pub calls: Vec<Call>,
    /// Switches.
    pub switches: Vec<Switch>,
    /// What the source's language demands of operands, sorted by `pc`.
    pub demands: Vec<Demand>,
    /// What landing pads catch.
    pub pads: Vec<Pad>,
    /// Size of the static part of the emulated stack frame; 0: none.
    pub frame_size: u64,
    /// Alignment of the frame's base, at least 16.
    pub frame_align: u32,
    /// Stack objects.
    pub stack: Vec<StackObject>,
    /// Scopes; the first is the function's.
    pub scopes: Vec<Scope>,
    /// Calls in whose place the code of the called function stands.
    pub inlined: Vec<Inlined>,
    /// Variables.
    pub variables: Vec<Variable>,
    /// Values of variables in registers, sorted by `pc`.
    pub debug_values: Vec<DebugValue>,
    /// Texts of inline assembly.
    pub asm: Vec<String>,
    /// Texts of instructions that the model does not support.
    pub unsupported: Vec<String>,
}

impl Function {
    /// A function of this name that is only declared: no parameters, no code.
    pub fn declared(name: String) -> Self {
        Self {
            name,
            source_name: None,
            loc: None,
            method: None,
            is_own_test: false,
            linkage: Linkage::Declared,
            params: Vec::new(),
            ret: Leaves::new(),
            variadic: false,
            calls_setjmp: false,
            slots: 0,
            consts: Vec::new(),
            code: Vec::new(),
            sites: Vec::new(),
            op_locs: Vec::new(),
            locs: Vec::new(),
            blocks: Vec::new(),
            calls: Vec::new(),
            switches: Vec::new(),
            demands: Vec::new(),
            pads: Vec::new(),
            frame_size: 0,
            frame_align: 16,
            stack: Vec::new(),
            scopes: Vec::new(),
            inlined: Vec::new(),
            variables: Vec::new(),
            debug_values: Vec::new(),
            asm: Vec::new(),
            unsupported: Vec::new(),
        }
    }
    /// The same function without effect: it returns zero, or nothing, at once.
    pub fn without_effect(&self) -> Self {
        Self {
            source_name: self.source_name.clone(),
            loc: self.loc,
            method: self.method,
            is_own_test: self.is_own_test,
            linkage: self.linkage,
            params: self.params.clone(),
            ret: self.ret.clone(),
            slots: self.slots,
            consts: vec![Const::Bits(0)],
            code: vec![Op::Return { n: u8::from(!self.ret.is_empty()), a: Opnd::constant(0) }],
            sites: self.sites.first().copied().into_iter().collect(),
            op_locs: vec![0],
            locs: vec![Loc::default()],
            blocks: vec![Block { start: 0, end: 1, instructions: 1, source: 0, edge: false }],
            scopes: self.scopes.first().cloned().into_iter().collect(),
            ..Self::declared(self.name.clone())
        }
    }
    /// Whether it has a body here.
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }
    /// The position of operation `pc`; line 0 when unknown.
    pub fn loc(&self, pc: usize) -> Loc {
        self.op_locs.get(pc).and_then(|&index| self.locs.get(index as usize)).copied().unwrap_or_default()
    }
    /// The call in whose place the code at a position stands; none for the function's own code.
    pub fn inlined(&self, loc: Loc) -> Option<&Inlined> {
        let number = self.scopes.get(loc.scope as usize)?.inlined;
        self.inlined.get((number as usize).checked_sub(1)?)
    }
    /// Whether operation `pc` is the function's own code, and none that stands in a call's place.
    pub fn is_own(&self, pc: usize) -> bool {
        self.inlined(self.loc(pc)).is_none()
    }
    /// The positions of operation `pc`, each with the name of the function whose source it is: its own, then those of the
    /// calls in whose place it stands, up to the function's own code.
    pub fn places(&self, pc: usize) -> impl Iterator<Item = (Loc, &str)> {
        let own = self.source_name.as_ref().unwrap_or(&self.name);
        std::iter::successors(Some(self.loc(pc)), |&loc| {
            self.inlined(loc).map(|inlined| self.locs.get(inlined.call as usize).copied().unwrap_or_default())
        })
        .map(|loc| (loc, self.inlined(loc).map_or(own.as_str(), |inlined| inlined.name.as_str())))
    }
}
