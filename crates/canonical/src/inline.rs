//! Small functions of libraries take the place of their calls: what a header of C++ or a crate of Rust spreads over ten
//! functions of a line each is one piece of code for the recording, the replay and the formulas alike.
//!
//! Only code of libraries: the program's own functions stay what they are in the source. Positions say where code was
//! inlined, so that a frame of the replay can be shown as the calls that the source has.

use std::collections::{HashMap, HashSet};

use whydunit_llvm::{AttributePlace, Builder, Error, Linkage, Module, Opcode, Value};
use whydunit_model::checks;

use crate::{bodies, calls_setjmp, instructions, layout, place};

/// A function of more instructions, with those of what is inlined in it, stays a function.
const MOST: usize = 60;

/// No function grows by more.
const GROWTH: usize = 4000;

/// Bytes of objects in memory that a function may bring into its callers' frames.
const OBJECTS: u64 = 256;

/// The engine knows these functions of libraries by their names.
const KNOWN: &[&str] = &["St15basic_streambuf", "catch_unwind", "__rust_try"];

/// Inlines them.
pub(crate) fn libraries(module: &Module) -> Result<(), Error> {
    let mut plan = Plan::of(module);
    let bodies: Vec<Value> = bodies(module).filter(|function| function.subprogram().is_some()).collect();
    let mut calls = Vec::new();
    for &function in &bodies {
        plan.size(function);
        calls.extend(plan.calls.get(&function).into_iter().flatten().copied());
    }
    if calls.is_empty() {
        return Ok(());
    }
    let always = module.attribute("alwaysinline", 0);
    let builder = Builder::new(module);
    for call in calls {
        keep_values(&builder, call);
        call.add_attribute(AttributePlace::Function, always);
    }
    // The calls alone say what is inlined.
    for name in ["noinline", "alwaysinline"] {
        let attribute = module.attribute(name, 0);
        module.functions().for_each(|function| function.remove_attribute(AttributePlace::Function, attribute));
    }
    module.run_passes("always-inline")?;
    forget_unused(&plan.may);
    Ok(())
}

/// Functions that nobody calls any more, and that no other module can call, are gone.
fn forget_unused(functions: &HashSet<Value>) {
    let discardable = |function: &Value| {
        use Linkage::*;
        let linkage = function.linkage();
        function.is_local() || matches!(linkage, LLVMLinkOnceODRLinkage | LLVMLinkOnceODRAutoHideLinkage)
    };
    let mut left: Vec<Value> = functions.iter().copied().filter(discardable).collect();
    loop {
        let (used, unused): (Vec<Value>, Vec<Value>) = left.into_iter().partition(|function| function.has_uses());
        if unused.is_empty() {
            return;
        }
        unused.into_iter().for_each(Value::delete_function);
        left = used;
    }
}

/// Arguments and result of a call become values of the statement that calls: what it passes on, and what it makes of it.
fn keep_values(builder: &Builder, call: Value) {
    let Some(location) = call.debug_location() else { return };
    if call.block().and_then(|block| block.parent()).is_none_or(is_library) {
        return;
    }
    builder.before(call);
    builder.set_location(Some(location));
    for index in 0..call.arg_count() {
        let by_value = call.type_attribute(AttributePlace::Param(index), "byval").is_some();
        if let Some(value) = call.arg(index).filter(|&value| value.is_constant() && value.ty().is_scalar() && !by_value)
        {
            call.set_operand(index, builder.freeze(value));
        }
    }
    let next = match call.invoke_targets() {
        None => call.next_instruction(),
        // The block after it is reached from nowhere else.
        Some((normal, _)) if normal.as_value().users().len() == 1 => normal.first_instruction(),
        Some(_) => None,
    };
    if let Some(next) = next.filter(|_| call.ty().is_scalar() && call.has_uses()) {
        builder.before(next);
        builder.set_location(Some(location));
        let users = call.users();
        let kept = builder.freeze(call);
        for user in users {
            for index in 0..user.operand_count() {
                if user.operand(index) == Some(call) {
                    user.set_operand(index, kept);
                }
            }
        }
    }
}

/// Which calls are inlined.
struct Plan<'m> {
    module: &'m Module,
    /// Functions of libraries that may be inlined, if they are small.
    may: HashSet<Value>,
    /// Their sizes and those of all others, with what is inlined in them; none while that is worked out.
    sizes: HashMap<Value, Option<(usize, u64)>>,
    /// The calls in a function that are inlined.
    calls: HashMap<Value, Vec<Value>>,
}

impl<'m> Plan<'m> {
    fn of(module: &'m Module) -> Self {
        let may = bodies(module).filter(|&function| may_be_inlined(module, function)).collect();
        Self { module, may, sizes: HashMap::new(), calls: HashMap::new() }
    }

    /// Instructions of a function and bytes of its objects, with what is inlined in it; none in a recursion.
    fn size(&mut self, function: Value) -> Option<(usize, u64)> {
        if let Some(&known) = self.sizes.get(&function) {
            return known;
        }
        self.sizes.insert(function, None);
        let own = instructions(function).map(weight).sum::<usize>();
        let (mut size, mut bytes) = (own, objects(self.module, function));
        let mut calls = Vec::new();
        for call in instructions(function).filter(|instruction| instruction.calls()) {
            let Some(callee) = call.called_function().filter(|callee| self.may.contains(callee)) else { continue };
            let apart = call.has_attribute(AttributePlace::Function, "noinline");
            if apart || call.debug_location().is_none() || callee.param_count() != call.arg_count() {
                continue;
            }
            let Some((more, room)) = self.size(callee) else { continue };
            if more <= MOST && room <= OBJECTS && size + more <= own + GROWTH {
                size += more;
                bytes += room;
                calls.push(call);
            }
        }
        self.calls.insert(function, calls);
        self.sizes.insert(function, Some((size, bytes)));
        Some((size, bytes))
    }
}

/// What an instruction counts: nothing for a variable's coming and going, for vectors what their elements will.
fn weight(instruction: Value) -> usize {
    let goes = match instruction.opcode() {
        Opcode::LLVMAlloca | Opcode::LLVMBr | Opcode::LLVMRet => true,
        Opcode::LLVMLoad => instruction.operand(0).is_some_and(is_alloca),
        Opcode::LLVMStore => instruction.operand(1).is_some_and(is_alloca),
        _ => false,
    };
    let values = instruction.operands().chain([instruction]).map(Value::ty).filter(|ty| ty.is_vector());
    values.map(|ty| ty.element_count() as usize).max().unwrap_or(usize::from(!goes))
}

fn is_alloca(value: Value) -> bool {
    value.is_instruction() && value.is_alloca()
}

/// Bytes of a function's objects that are no scalars.
fn objects(module: &Module, function: Value) -> u64 {
    let allocas = instructions(function).filter(|instruction| instruction.is_alloca());
    allocas.map(|alloca| alloca.allocated_type()).filter(|ty| !ty.is_scalar()).map(|ty| module.size_of(ty)).sum()
}

fn may_be_inlined(module: &Module, function: Value) -> bool {
    is_library(function)
        && !function.value_type().is_variadic()
        && (layout::is_alike_everywhere(function)
            || !layout::is_preemptible(module, function) && !function.is_interposable())
        && !KNOWN.iter().any(|known| function.name().contains(known))
        && checks::of(&function.name()).is_none()
        && whydunit_library::wrapped(&function.name()).is_none()
        && !calls_setjmp(function)
        && instructions(function).all(|instruction| !instruction.is_alloca() || layout::is_static(instruction))
}

/// Whether a function is code of a library.
fn is_library(function: Value) -> bool {
    function.subprogram().is_some_and(place::is_library)
}
