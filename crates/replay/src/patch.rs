//! Another operation in the place of one, for free runs: what mutants of a program do, without building them.

use std::sync::Arc;

use whydunit_model::{Call, Op, Opnd};

use crate::code::{Code, FuncId};
use crate::machine::Machine;

/// Another operation in the place of one of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Patch {
    /// The function.
    pub function: FuncId,
    /// Which operation.
    pub pc: u32,
    /// What stands there. It must define the same slots, and be a terminator where the other one is.
    pub op: Op,
    /// Where it is a call, the call.
    pub call: Option<Call>,
    /// Value of the function's spare constant ([`Code::spare`]).
    pub constant: u64,
}

impl Code {
    /// A constant that nothing in a function uses; a [`Patch`] gives it a value.
    pub fn spare(&self, function: FuncId) -> Opnd {
        Opnd::constant(self.consts(function).len().saturating_sub(1) as u32)
    }
}

impl Machine {
    /// Puts an operation in the place of another one, until the patch that this gives back is put there. Only free runs
    /// ([`Machine::go_free`]) may go on with it: a recording is one of the program as it was.
    pub fn patch(&mut self, patch: &Patch) -> Patch {
        let &Patch { function, pc, constant, .. } = patch;
        let mut before = patch.clone();
        let model = self.code.own_model(function);
        std::mem::swap(&mut model.code[pc as usize], &mut before.op);
        if let (Some(call), Op::Call { call: number }) = (&mut before.call, before.op.clone()) {
            std::mem::swap(&mut model.calls[number as usize], call);
        }
        before.constant = self.code.set_spare(function, constant);
        before
    }
}

impl Code {
    /// The model of a function, as this machine's own copy.
    fn own_model(&mut self, function: FuncId) -> &mut whydunit_model::Function {
        let (module, index) = (self.function(function).module, self.function(function).index);
        &mut Arc::make_mut(self.model_of(module)).functions[index as usize]
    }

    fn set_spare(&mut self, function: FuncId, constant: u64) -> u64 {
        let consts = &mut self.function_mut(function).consts;
        consts.last_mut().map_or(0, |spare| std::mem::replace(spare, constant))
    }
}
