//! Calls of functions, markers and inline assembly.

use std::rc::Rc;

use whydunit_canonical::layout::{is_marker, is_setjmp};
use whydunit_llvm::{AttributePlace, Value, ValueKind};
use whydunit_model::{Arg, Call, Callee, Const, Demanded, Op, Symbol};

use crate::{Context, body::Body};

/// What a directly called function is.
#[derive(Clone)]
pub(crate) enum Target {
    /// Number in the table.
    Function(u32),
    /// Name without `llvm.`.
    Intrinsic(Rc<str>),
    /// Name without `wd.`.
    Marker(Rc<str>),
}

impl Context<'_> {
    fn target(&mut self, function: Value) -> Option<Target> {
        if let Some(known) = self.callees.get(&function) {
            return Some(known.clone());
        }
        let name = function.name();
        let target = if let Some(rest) = name.strip_prefix("llvm.") {
            Target::Intrinsic(rest.into())
        } else if is_marker(&name) {
            Target::Marker(name[3..].into())
        } else {
            Target::Function(self.symbols.function(function)?)
        };
        self.callees.insert(function, target.clone());
        Some(target)
    }
}

impl Body<'_, '_> {
    pub(crate) fn call(&mut self, value: Value) -> Option<()> {
        let called = value.called()?;
        if called.is_inline_asm() {
            let (text, constraints) = called.inline_asm()?;
            let index = self.function.asm.len() as u32;
            self.function.asm.push(format!("{text} : {constraints}"));
            return self.plain_call(value, Callee::Asm(index));
        }
        if called.is_function() {
            return match self.context.target(called)? {
                Target::Function(index) => self.plain_call(value, Callee::Direct(index)),
                Target::Intrinsic(name) => self.intrinsic(value, &name),
                Target::Marker(name) => self.marker(value, &name),
            };
        }
        let callee = match self.context_address(called) {
            Some(Const::Addr(Symbol::Function(index), 0)) => Callee::Direct(index),
            _ => Callee::Indirect(self.operand(called)?),
        };
        self.plain_call(value, callee)
    }

    /// The address of a called alias or constant.
    fn context_address(&mut self, called: Value) -> Option<Const> {
        matches!(called.kind(), ValueKind::LLVMGlobalAliasValueKind | ValueKind::LLVMGlobalIFuncValueKind)
            .then(|| self.context.address(called))
            .flatten()
    }

    fn marker(&mut self, value: Value, name: &str) -> Option<()> {
        match name {
            "safepoint" => self.emit(Op::Safepoint),
            "byval.copy" => {
                let (dst, src, len) = (self.input(value, 0)?, self.input(value, 1)?, self.input(value, 2)?);
                self.emit(Op::ByvalCopy { dst, src, len });
            }
            "check.range" => {
                let (addr, len) = (self.input(value, 0)?, self.input(value, 1)?);
                self.emit(Op::CheckRange { addr, len });
            }
            _ => return None,
        }
        Some(())
    }

    fn plain_call(&mut self, value: Value, callee: Callee) -> Option<()> {
        let called = value.called()?;
        let declared = called.is_function().then_some(called);
        let has = |place, name: &str| {
            value.has_attribute(place, name) || declared.is_some_and(|function| function.has_attribute(place, name))
        };
        let mut args = Vec::with_capacity(value.arg_count() as usize);
        for (index, argument) in (0..).zip(value.args()) {
            let shape = self.shape(argument.ty())?;
            let place = AttributePlace::Param(index);
            let byval = value
                .type_attribute(place, "byval")
                .or_else(|| declared.and_then(|function| function.type_attribute(place, "byval")));
            let word = if shape.slots == 0 { self.zero(1) } else { self.operand(argument)? };
            if has(place, "nonnull") && argument.ty().is_pointer() {
                self.demand(word, Demanded::Argument(index));
            }
            let align = byval.map_or(0, |ty| {
                let stated = value.int_attribute(place, "align").unwrap_or(0) as u32;
                stated.max(self.context.module.align_of(ty))
            });
            args.push(Arg {
                value: word,
                leaves: shape.leaves.clone(),
                byval: byval.map_or(0, |ty| self.context.module.size_of(ty)),
                align,
                vector: argument.ty().is_vector(),
            });
        }
        let ty = value.called_type()?;
        let ret = self.shape(value.ty())?.leaves.clone();
        let dst = if ret.is_empty() { 0 } else { self.result(value)? };
        let unwind = match (value.invoke_targets(), value.block()) {
            (Some((_, unwind)), Some(from)) => Some(self.target(from, unwind)?),
            _ => None,
        };
        let call = self.function.calls.len() as u32;
        self.function.calls.push(Call {
            callee,
            args,
            dst,
            ret,
            fixed: ty.is_variadic().then(|| ty.param_types().len() as u32),
            returns_twice: is_setjmp(value),
            noreturn: has(AttributePlace::Function, "noreturn"),
            unwind,
        });
        self.emit(Op::Call { call });
        Some(())
    }
}
