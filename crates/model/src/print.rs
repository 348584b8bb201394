//! Functions as text, for looking at them.

use std::fmt::Write;

use crate::{Callee, Const, Function, Module, Op, Symbol};

/// The function's code as text: blocks, operations with site and line, calls with callee and arguments, constants by value.
pub fn print(module: &Module, function: &Function) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut out, module, function);
    out
}

fn write(out: &mut String, module: &Module, function: &Function) -> std::fmt::Result {
    writeln!(
        out,
        "function {} {:?} slots={} frame={}/{}",
        function.name, function.linkage, function.slots, function.frame_size, function.frame_align
    )?;
    for (index, param) in function.params.iter().enumerate() {
        writeln!(out, "  param {index} s{} {:?} byval={}", param.slot, param.leaves, param.byval)?;
    }
    for (index, object) in function.stack.iter().enumerate() {
        let kind = if object.dynamic { " dynamic" } else { "" };
        writeln!(out, "  object {index} {:?} at {} size {}{kind}", object.name, object.offset, object.size)?;
    }
    for (index, variable) in function.variables.iter().enumerate() {
        writeln!(
            out,
            "  variable {index} {:?} scope {} arg {} object {:?}",
            variable.name, variable.scope, variable.arg, variable.object
        )?;
    }
    let mut values = function.debug_values.iter().peekable();
    for (index, block) in function.blocks.iter().enumerate() {
        let edge = if block.edge { " edge" } else { "" };
        writeln!(out, "block {index} (source {}, {} instructions{edge})", block.source, block.instructions)?;
        for pc in block.start..block.end {
            while let Some(value) = values.next_if(|value| value.pc <= pc) {
                let at = value.value.map_or("lost".to_owned(), |operand| format!("{operand:?}"));
                writeln!(out, "       variable {} = {at}", value.variable)?;
            }
            let op = &function.code[pc as usize];
            let loc = function.loc(pc as usize);
            write!(out, "{pc:5}  {op:?}")?;
            detail(out, module, function, op)?;
            writeln!(out, "  ; site {} {}:{}", function.sites[pc as usize], loc.line, loc.column)?;
        }
    }
    for (index, word) in function.consts.iter().enumerate() {
        write!(out, "  c{index} = ")?;
        constant(out, module, word)?;
        writeln!(out)?;
    }
    Ok(())
}

fn detail(out: &mut String, module: &Module, function: &Function, op: &Op) -> std::fmt::Result {
    match op {
        Op::Call { call } => {
            let call = &function.calls[*call as usize];
            match &call.callee {
                Callee::Direct(index) => write!(out, " {}", module.functions[*index as usize].name)?,
                Callee::Indirect(operand) => write!(out, " through {operand:?}")?,
                Callee::Asm(index) => write!(out, " asm {:?}", function.asm[*index as usize])?,
            }
            write!(out, "(")?;
            for (index, arg) in call.args.iter().enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                write!(out, "{comma}{:?} {:?}", arg.leaves, arg.value)?;
                if arg.byval > 0 {
                    write!(out, " byval {}", arg.byval)?;
                }
            }
            write!(out, ") -> {:?} s{}", call.ret, call.dst)
        }
        Op::Switch { table, .. } => {
            let switch = &function.switches[*table as usize];
            write!(out, " {:?} else {}", switch.cases, switch.default)
        }
        Op::Trap { kind: crate::TrapKind::Unsupported(index) } => {
            write!(out, " {:?}", function.unsupported[*index as usize])
        }
        _ => Ok(()),
    }
}

fn constant(out: &mut String, module: &Module, word: &Const) -> std::fmt::Result {
    match word {
        Const::Bits(bits) => write!(out, "{bits:#x}"),
        Const::Addr(Symbol::Global(index), add) => {
            write!(out, "&{} + {add}", module.globals[*index as usize].name)
        }
        Const::Addr(Symbol::Function(index), add) => {
            write!(out, "&{}() + {add}", module.functions[*index as usize].name)
        }
        Const::Expr(expr) => write!(out, "{expr:?}"),
    }
}
