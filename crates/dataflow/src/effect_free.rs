//! Functions without effects: calls of them can be left out, or done twice.

use std::collections::HashMap;

use whydunit_model::{Callee, Function, Linkage, Module, Op, Opnd, Slot, TrapKind};

/// The names in the source of functions that write to nothing but objects of their own, and call only such functions, as far as
/// that is known without running them. Of several functions of a name all have to be without effects. `external` says it of
/// functions that are defined nowhere in these modules, by their symbols.
pub fn without_effects<'a>(modules: &'a [Module], external: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let defined = || {
        let functions = modules.iter().enumerate().flat_map(|(number, module)| {
            module.functions.iter().filter(|function| function.is_defined()).map(move |function| (number, function))
        });
        functions.map(|(number, function)| (key(number, function), number, function))
    };
    let mut without: HashMap<Key<'a>, bool> = HashMap::new();
    for (key, _, function) in defined() {
        *without.entry(key).or_insert(true) &= writes_nothing(function);
    }
    // What calls a function with effects has effects.
    loop {
        let before = without.values().filter(|without| **without).count();
        for (own, number, function) in defined() {
            if !without[&own] {
                continue;
            }
            let quiet = function.calls.iter().all(|call| {
                let Callee::Direct(callee) = call.callee else { return false };
                let callee = &modules[number].functions[callee as usize];
                let known = without.get(&key(number, callee)).copied();
                call.noreturn || known.unwrap_or_else(|| external(&callee.name))
            });
            without.insert(own, quiet);
        }
        if without.values().filter(|without| **without).count() == before {
            break;
        }
    }
    let mut names: HashMap<&str, bool> = HashMap::new();
    for (key, _, function) in defined() {
        let name = function.source_name.as_deref().unwrap_or(&function.name);
        *names.entry(name).or_insert(true) &= without[&key];
    }
    let mut names: Vec<&str> = names.into_iter().filter(|(_, without)| *without).map(|(name, _)| name).collect();
    names.sort_unstable();
    names
}

/// A symbol; of one that is not visible outside with the number of its module.
type Key<'a> = (Option<usize>, &'a str);

fn key(module: usize, function: &Function) -> Key<'_> {
    ((function.linkage == Linkage::Internal).then_some(module), &function.name)
}

/// Whether a function, apart from those that it calls, writes only to its own objects.
fn writes_nothing(function: &Function) -> bool {
    let own = own_addresses(function);
    let is_own = |operand: Opnd| !operand.is_const() && own[operand.index() as usize];
    function.asm.is_empty()
        && function.code.iter().all(|op| match op {
            Op::Store { addr, .. } => is_own(*addr),
            Op::MemMove { dst, .. } | Op::MemSet { dst, .. } | Op::ByvalCopy { dst, .. } => is_own(*dst),
            Op::AtomicRmw { .. } | Op::CmpXchg { .. } | Op::VaStart { .. } | Op::VaCopy { .. } => false,
            // An exception is an effect.
            Op::Resume { .. } | Op::LandingPad { .. } => false,
            Op::Trap { kind: TrapKind::Unsupported(_) } => false,
            _ => true,
        })
}

/// The slots that hold nothing but addresses within the function's own objects.
fn own_addresses(function: &Function) -> Vec<bool> {
    let mut own = vec![true; function.slots as usize];
    let mut written = vec![false; own.len()];
    function.params.iter().for_each(|param| own[param.slot as usize] = false);
    loop {
        let mut changed = false;
        for op in &function.code {
            let is_own = |operand: &Opnd| !operand.is_const() && own[operand.index() as usize];
            let (dst, kept): (Slot, bool) = match op {
                Op::StackAddr { dst, .. } | Op::Alloca { dst, .. } => (*dst, true),
                Op::PtrAdd { dst, base, .. } | Op::PtrIndex { dst, base, .. } => (*dst, is_own(base)),
                Op::Copy { n: 1, dst, a } => (*dst, is_own(a)),
                Op::Select { n: 1, dst, a, b, .. } => (*dst, is_own(a) && is_own(b)),
                _ => continue,
            };
            written[dst as usize] = true;
            if own[dst as usize] && !kept {
                own[dst as usize] = false;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // What other operations write is no address of an own object.
    own.iter().zip(written).map(|(own, written)| *own && written).collect()
}
