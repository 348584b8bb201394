//! What the program model and the instrumented copy number and place alike: symbols, sites, stack frames.
//!
//! All of it is a function of the canonical module as it stands; the instrumenter asks before it changes anything.

use std::collections::HashMap;

use whydunit_llvm::{AttributePlace, Linkage, Module, Value, Visibility};
use whydunit_model::names;

/// Whether a function is one of the markers that canonicalisation inserts (`wd.safepoint` and its like).
pub fn is_marker(name: &str) -> bool {
    name.starts_with("wd.")
}

/// Whether a function has a body that is compiled here. An `available_externally` one has not.
pub fn is_defined(value: Value) -> bool {
    !value.is_declaration() && value.linkage() != Linkage::LLVMAvailableExternallyLinkage
}

/// Whether a call may return a second time with the stack of the first (setjmp and its like). vfork may too, but it is
/// run as fork.
pub fn is_setjmp(call: Value) -> bool {
    let Some(called) = call.called() else { return false };
    let marked = call.has_attribute(AttributePlace::Function, "returns_twice")
        || called.is_function() && called.has_attribute(AttributePlace::Function, "returns_twice");
    let name = if called.is_function() { called.name() } else { String::new() };
    (marked && !matches!(name.as_str(), "vfork" | "getcontext"))
        || whydunit_library::lookup(&name).is_some_and(|known| known.function.returns_twice)
}

/// Whether a program's own definition may take the place of this one at run time: exported functions of code that was
/// compiled for a shared library. (rustc compiles all code as for one, but a name of Rust is the name of one definition.)
pub fn is_preemptible(module: &Module, function: Value) -> bool {
    let shared = module.has_flag("PIC Level") && !module.has_flag("PIE Level");
    shared
        && !function.is_local()
        && function.visibility() == Visibility::LLVMDefaultVisibility
        && !names::is_of_rust(&function.name())
}

/// Whether a function is defined alike wherever it is defined (inline functions and templates of C++): calls from its own
/// module go to the definition there, whichever one the linkers give the name to.
pub fn is_alike_everywhere(function: Value) -> bool {
    use Linkage::*;
    matches!(function.linkage(), LLVMLinkOnceODRLinkage | LLVMLinkOnceODRAutoHideLinkage | LLVMWeakODRLinkage)
}

/// The symbols of a module in the order of the address table.
#[derive(Debug, Default)]
pub struct Symbols {
    /// Global variables, declared ones included; none of LLVM's own (`llvm.used`, `llvm.global_ctors`, …).
    pub globals: Vec<Value>,
    /// Functions, declared ones included, then ifuncs; no intrinsics, no markers.
    pub functions: Vec<Value>,
    global_index: HashMap<Value, u32>,
    function_index: HashMap<Value, u32>,
}

impl Symbols {
    /// Number of a global variable.
    pub fn global(&self, value: Value) -> Option<u32> {
        self.global_index.get(&value).copied()
    }

    /// Number of a function or ifunc.
    pub fn function(&self, value: Value) -> Option<u32> {
        self.function_index.get(&value).copied()
    }
}

/// Globals and functions in module order. Aliases are no entries: they are addresses in what they stand for.
pub fn symbol_order(module: &Module) -> Symbols {
    let globals: Vec<Value> = module.globals().filter(|global| !global.name().starts_with("llvm.")).collect();
    let functions: Vec<Value> = module
        .functions()
        .filter(|function| {
            let name = function.name();
            !name.starts_with("llvm.") && !is_marker(&name)
        })
        .chain(module.ifuncs())
        .collect();
    let number = |values: &[Value]| values.iter().zip(0..).map(|(&value, index)| (value, index)).collect();
    Symbols { global_index: number(&globals), function_index: number(&functions), globals, functions }
}

/// The site numbers of a module's instructions.
#[derive(Debug, Default)]
pub struct Sites {
    numbers: HashMap<Value, u32>,
    first: HashMap<Value, u32>,
    /// How many there are.
    pub total: u32,
}

impl Sites {
    /// Number of an instruction.
    pub fn number(&self, instruction: Value) -> Option<u32> {
        self.numbers.get(&instruction).copied()
    }

    /// Number of a defined function's first instruction; its others follow in order of blocks and instructions.
    pub fn first(&self, function: Value) -> Option<u32> {
        self.first.get(&function).copied()
    }
}

/// Numbers the instructions of the defined functions, in module order.
pub fn sites(module: &Module) -> Sites {
    let mut sites = Sites::default();
    for function in module.functions().filter(|&function| is_defined(function)) {
        sites.first.insert(function, sites.total);
        for instruction in function.blocks().flat_map(|block| block.instructions()) {
            sites.numbers.insert(instruction, sites.total);
            sites.total += 1;
        }
    }
    sites
}

/// Symbols and sites of a module together.
#[derive(Debug, Default)]
pub struct Layout {
    /// Its symbols.
    pub symbols: Symbols,
    /// Its sites.
    pub sites: Sites,
}

impl Layout {
    /// The layout of a canonical module as it stands.
    pub fn of(module: &Module) -> Layout {
        Layout { symbols: symbol_order(module), sites: sites(module) }
    }
}

/// A static alloca in its frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackSlot {
    /// The alloca.
    pub alloca: Value,
    /// Bytes from the frame's base.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
}

/// The static part of a function's frame on the emulated stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameLayout {
    /// The allocas, in order.
    pub slots: Vec<StackSlot>,
    /// Bytes, a multiple of 16; 0 where there is no static alloca.
    pub size: u64,
    /// Alignment of the base, at least 16.
    pub align: u32,
}

impl FrameLayout {
    /// Places the allocas of the entry block whose count is constant, in order, each aligned up.
    pub fn of(module: &Module, function: Value) -> FrameLayout {
        let mut layout = FrameLayout { slots: Vec::new(), size: 0, align: 16 };
        let Some(entry) = function.entry_block() else { return layout };
        let mut end = 0u64;
        for alloca in entry.instructions().filter(|&instruction| is_static(instruction)) {
            let ty = alloca.allocated_type();
            let align = alloca.alignment().max(module.align_of(ty)).max(1);
            let count = alloca.operand(0).and_then(Value::int_value).unwrap_or(1);
            let size = module.size_of(ty).saturating_mul(count);
            let offset = end.next_multiple_of(align.into());
            layout.align = layout.align.max(align);
            layout.slots.push(StackSlot { alloca, offset, size });
            // An empty object still gets an address of its own.
            end = offset.saturating_add(size.max(1)).min(1 << 48);
        }
        layout.size = end.next_multiple_of(16);
        layout
    }
}

/// Whether an instruction is an alloca that belongs to the frame: in the entry block, its count constant.
pub fn is_static(instruction: Value) -> bool {
    instruction.is_alloca()
        && instruction.operand(0).is_some_and(|count| count.int_value().is_some())
        && instruction.block().is_some_and(|block| block.parent().and_then(Value::entry_block) == Some(block))
}

/// Whether a constant has no bit set: zero, or nothing in particular, which is zero in both copies.
pub fn is_zero(constant: Value) -> bool {
    if constant.is_null() || constant.is_undef_or_poison() {
        return true;
    }
    let ty = constant.ty();
    ty.is_aggregate()
        && constant.data_bytes().is_none()
        && (0..ty.element_count() as u32).all(|index| constant.aggregate_element(index).is_some_and(is_zero))
}

/// How far an address is from the one that it is computed from by a getelementptr, an instruction or an expression, where
/// that is constant: in bytes.
pub(crate) fn constant_distance(module: &Module, gep: Value) -> Option<i64> {
    let mut ty = gep.gep_source_type();
    let mut distance = 0i64;
    for position in 1..gep.operand_count() {
        let index = gep.operand(position)?.int_value_signed()?;
        if position > 1 && ty.is_struct() {
            distance = distance.wrapping_add(module.offset_of(ty, index as u32) as i64);
            ty = ty.element(index as u64)?;
            continue;
        }
        if position > 1 {
            ty = ty.element(0)?;
        }
        distance = distance.wrapping_add(index.wrapping_mul(module.size_of(ty) as i64));
    }
    Some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_sites_and_frames_follow_the_module() {
        let module = Module::parse_text(
            r#"
@llvm.used = appending global [1 x ptr] [ptr @g], section "llvm.metadata"
@g = global i32 1
@e = external global i32
declare void @wd.safepoint()
declare void @llvm.trap()
declare i32 @puts(ptr)
define available_externally i32 @copy(i32 %x) {
  ret i32 %x
}
define i32 @f(i64 %n) {
  %a = alloca i8
  %b = alloca i32, i32 3, align 32
  %c = alloca {}, align 1
  %d = alloca i64
  %v = alloca i32, i64 %n
  br label %next
next:
  %w = alloca i32
  ret i32 0
}
"#,
            "t",
        )
        .unwrap();
        let symbols = symbol_order(&module);
        let names = |values: &[Value]| values.iter().map(|value| value.name()).collect::<Vec<_>>();
        assert_eq!(names(&symbols.globals), ["g", "e"]);
        assert_eq!(names(&symbols.functions), ["puts", "copy", "f"]);
        let function = module.function("f").unwrap();
        assert_eq!(symbols.function(function), Some(2));
        let sites = sites(&module);
        assert_eq!((sites.total, sites.first(function)), (8, Some(0)));
        let last = function.blocks().last().unwrap().terminator().unwrap();
        assert_eq!(sites.number(last), Some(7));
        let layout = FrameLayout::of(&module, function);
        let places: Vec<_> = layout.slots.iter().map(|slot| (slot.offset, slot.size)).collect();
        assert_eq!(places, [(0, 1), (32, 12), (44, 0), (48, 8)]);
        assert_eq!((layout.size, layout.align), (64, 32));
    }
}
