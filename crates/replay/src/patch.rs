//! Other operations in the place of one, for what-if runs: what mutants of a program do, without building them.

use std::sync::Arc;

use whydunit_model::{Block, Call, Op, Opnd, Slot};

use crate::code::{Code, SPARES};
use crate::function_id::FuncId;
use crate::machine::Machine;
use crate::prepare::Left;

/// What stands in the place of an operation.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// Another operation. It must define the same slots, and be a terminator where the other one is.
    Instead(Op),
    /// Another operation where `test` sets the function's first [`Code::scratch`]; else the operation itself.
    Unless {
        /// Decides; no terminators.
        test: Vec<Op>,
        /// Stands there then.
        other: Op,
    },
    /// The operation, which must be no terminator, and then these.
    Then(Vec<Op>),
}

/// Something else in the place of an operation of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Patch {
    /// The function.
    pub function: FuncId,
    /// Which operation; no jump.
    pub pc: u32,
    /// What stands there.
    pub body: Body,
    /// Where the operation is a call, another one.
    pub call: Option<Call>,
    /// Values of the function's spare constants ([`Code::spare`]).
    pub constants: [u64; SPARES],
    /// A text that is put at [`PATCH_TEXT`], with a NUL behind it, until the machine is restored.
    pub text: Option<Vec<u8>>,
}

/// Where the text of a patch lies: in no page that a program of x86-64 Linux is given.
pub const PATCH_TEXT: u64 = 0x1000_0000_0000;

/// What a [`Patch`] has put aside.
#[derive(Debug)]
pub struct Original {
    function: FuncId,
    pc: u32,
    op: Op,
    call: Option<Call>,
    constants: [u64; SPARES],
    operations: usize,
    blocks: usize,
    left: Left,
}

/// An operation before which an observer is asked.
#[derive(Debug)]
pub struct Break {
    function: FuncId,
    left: Left,
}

impl Code {
    /// A constant that nothing in a function uses, by its number below [`SPARES`]; a [`Patch`] gives it a value.
    pub fn spare(&self, function: FuncId, number: usize) -> Opnd {
        Opnd::constant((self.consts(function).len() + number).saturating_sub(SPARES) as u32)
    }

    /// A slot that nothing in a function uses in what-if runs, by its number below [`SPARES`].
    pub fn scratch(&self, function: FuncId, number: usize) -> Slot {
        // Frames have copies of the constants behind their slots, for pre-decoded code, which reads no spare ones.
        self.function(function).slots + self.spare(function, number).index()
    }
}

impl Machine {
    /// Puts something in the place of an operation, until [`Machine::unpatch`]. Only what-if runs ([`Machine::leave_recording`]) may go
    /// on with it: a recording is one of the program as it was.
    pub fn patch(&mut self, patch: &Patch) -> Original {
        let &Patch { function, pc, constants, .. } = patch;
        if let Some(text) = &patch.text {
            self.core.memory.write_from(PATCH_TEXT, text);
            self.core.memory.write_from(PATCH_TEXT + text.len() as u64, &[0]);
        }
        let constants = self.code.set_spares(function, constants);
        let scratch = self.code.scratch(function, 0);
        let model = self.code.own_model(function);
        let (operations, blocks) = (model.code.len(), model.blocks.len());
        let left = self.code.prepare(function).leave_at(pc);
        let model = self.code.own_model(function);
        let op = model.code[pc as usize].clone();
        let mut call = patch.call.clone();
        swap_call(model, &op, &mut call);
        model.code[pc as usize] = match &patch.body {
            Body::Instead(other) => other.clone(),
            Body::Unless { test, other } => {
                let number = |block: usize| (blocks + block) as u32;
                let decide = Op::Branch { cond: Opnd::slot(scratch), then: number(2), els: number(1) };
                append(model, pc, test.iter().cloned().chain([decide]).collect());
                append(model, pc, vec![op.clone(), Op::Jump { to: number(3) }]);
                append(model, pc, vec![other.clone(), Op::Jump { to: number(3) }]);
                behind(model, pc);
                Op::Jump { to: number(0) }
            }
            Body::Then(ops) => {
                let (first, behind_it) = (blocks as u32, blocks as u32 + 1);
                let own = std::iter::once(op.clone());
                append(model, pc, own.chain(ops.iter().cloned()).chain([Op::Jump { to: behind_it }]).collect());
                behind(model, pc);
                Op::Jump { to: first }
            }
        };
        self.patched.push((function, pc, op.clone()));
        Original { function, pc, op, call, constants, operations, blocks, left }
    }

    /// Observers with [`Observer::BREAKS`](crate::Observer::BREAKS) are asked before an operation, which is no jump, until
    /// [`Machine::unbreak`].
    pub fn break_at(&mut self, function: FuncId, pc: u32) -> Break {
        Break { function, left: self.code.prepare(function).leave_at(pc) }
    }

    /// Takes a break off. Breaks and patches of a function are taken off in the opposite order.
    pub fn unbreak(&mut self, at: Break) {
        self.code.prepare(at.function).put_back(at.left);
    }

    /// Puts back what a patch has put aside. Patches of a function are taken off in the opposite order.
    pub fn unpatch(&mut self, original: Original) {
        let Original { function, pc, op, mut call, constants, operations, blocks, left } = original;
        self.patched.pop();
        self.code.set_spares(function, constants);
        self.code.prepare(function).put_back(left);
        let model = self.code.own_model(function);
        swap_call(model, &op, &mut call);
        model.code[pc as usize] = op;
        model.code.truncate(operations);
        model.sites.truncate(operations);
        model.op_locs.truncate(operations);
        model.blocks.truncate(blocks);
    }
}

fn swap_call(model: &mut whydunit_model::Function, op: &Op, call: &mut Option<Call>) {
    if let (Some(call), Op::Call { call: number }) = (call, op) {
        std::mem::swap(&mut model.calls[*number as usize], call);
    }
}

/// Appends a block of operations that belong to the source where operation `pc` does.
fn append(model: &mut whydunit_model::Function, pc: u32, ops: Vec<Op>) {
    let (site, loc) = (model.sites[pc as usize], model.op_locs[pc as usize]);
    let start = model.code.len() as u32;
    model.code.extend(ops);
    let end = model.code.len();
    model.sites.resize(end, site);
    model.op_locs.resize(end, loc);
    model.blocks.push(Block { start, end: end as u32, instructions: 0, source: 0, edge: true });
}

/// A block that goes on behind operation `pc`. It overlaps with the operation's own one, whose instructions are counted.
fn behind(model: &mut whydunit_model::Function, pc: u32) {
    let own = model.blocks.iter().find(|block| (block.start..block.end).contains(&pc));
    let end = own.map_or(pc + 1, |block| block.end);
    model.blocks.push(Block { start: pc + 1, end, instructions: 0, source: 0, edge: true });
}

impl Code {
    /// The model of a function, as this machine's own copy.
    fn own_model(&mut self, function: FuncId) -> &mut whydunit_model::Function {
        let (module, index) = (self.function(function).module, self.function(function).index);
        &mut Arc::make_mut(self.model_of(module)).functions[index as usize]
    }

    fn set_spares(&mut self, function: FuncId, constants: [u64; SPARES]) -> [u64; SPARES] {
        let consts = &mut self.function_mut(function).consts;
        let mut before = [0; SPARES];
        if let Some(spares) = consts.last_chunk_mut() {
            before = std::mem::replace(spares, constants);
        }
        before
    }
}
