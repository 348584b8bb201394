//! Terminators, and the moves of phis on edges.

use whydunit_llvm::{Block, Opcode, Value};
use whydunit_model::{self as model, BlockId, Op, Opnd, Site, Slot, Switch, TrapKind};

use super::Body;

/// An edge whose moves get a block of their own.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    from: Block,
    to: Block,
    /// Of the terminator.
    site: Site,
    loc: u32,
}

struct Move {
    n: u32,
    dst: Slot,
    src: Opnd,
    phi: Value,
}

impl Body<'_, '_> {
    /// Lowers a terminator; none where the model has no such thing.
    pub(crate) fn terminator(&mut self, instruction: Value) -> Option<()> {
        let from = instruction.block()?;
        match instruction.opcode() {
            Opcode::LLVMRet => {
                let (n, a) = match instruction.operand(0) {
                    Some(value) => {
                        let slots = self.shape(value.ty())?.slots;
                        // A structure without members is returned as nothing.
                        (slots, if slots == 0 { self.number(0) } else { self.operand(value)? })
                    }
                    None => (0, self.number(0)),
                };
                self.emit(Op::Return { n: u8::try_from(n).ok()?, a });
            }
            Opcode::LLVMBr => match instruction.branch_condition() {
                None => {
                    let to = *instruction.successors().first()?;
                    let moves = self.moves(from, to)?;
                    self.write_moves(moves);
                    let to = *self.blocks.get(&to)?;
                    self.emit(Op::Jump { to });
                }
                Some(condition) => {
                    let cond = self.operand(condition)?;
                    let targets = instruction.successors();
                    let then = self.target(from, *targets.first()?)?;
                    let els = self.target(from, *targets.get(1)?)?;
                    self.emit(Op::Branch { cond, then, els });
                }
            },
            Opcode::LLVMSwitch => {
                let condition = instruction.operand(0)?;
                let width = condition.ty().int_width();
                if width > 64 {
                    return None;
                }
                let value = self.operand(condition)?;
                let default = self.target(from, instruction.switch_default()?)?;
                let mut cases = Vec::new();
                for (case, to) in instruction.switch_cases() {
                    cases.push((case.int_value()?, self.target(from, to)?));
                }
                cases.sort_unstable();
                let table = self.function.switches.len() as u32;
                self.function.switches.push(Switch { cases, default });
                self.emit(Op::Switch { w: width as u8, value, table });
            }
            Opcode::LLVMInvoke => {
                let (to, _) = instruction.invoke_targets()?;
                self.call(instruction)?;
                let moves = self.moves(from, to)?;
                self.write_moves(moves);
                let to = *self.blocks.get(&to)?;
                self.emit(Op::Jump { to });
            }
            Opcode::LLVMResume => {
                let a = self.input(instruction, 0)?;
                self.emit(Op::Resume { a });
            }
            Opcode::LLVMUnreachable => self.emit(Op::Trap { kind: TrapKind::Unreachable }),
            _ => return None,
        }
        Some(())
    }

    /// The block to go to for the edge from `from` to `to`.
    pub(crate) fn target(&mut self, from: Block, to: Block) -> Option<BlockId> {
        if !to.first_instruction()?.is_phi() {
            return self.blocks.get(&to).copied();
        }
        if let Some(&known) = self.edge_numbers.get(&(from, to)) {
            return Some(known);
        }
        let number = (self.blocks.len() + self.edges.len()) as BlockId;
        self.edges.push(Edge { from, to, site: self.site, loc: self.loc });
        self.edge_numbers.insert((from, to), number);
        Some(number)
    }

    /// What the phis of `to` take when it is reached from `from`.
    fn moves(&mut self, from: Block, to: Block) -> Option<Vec<Move>> {
        let mut moves = Vec::new();
        for phi in to.instructions().take_while(|instruction| instruction.is_phi()) {
            let Some(shape) = self.shape(phi.ty()) else { continue };
            if shape.slots == 0 {
                continue;
            }
            let (value, _) = phi.incoming().into_iter().find(|&(_, block)| block == from)?;
            let dst = self.result(phi)?;
            let src = self.operand(value)?;
            if src != Opnd::slot(dst) {
                moves.push(Move { n: shape.slots, dst, src, phi });
            }
        }
        Some(moves)
    }

    /// Writes moves that happen at once: one whose target no other still reads goes first; a cycle is cut by a temporary.
    fn write_moves(&mut self, mut moves: Vec<Move>) {
        let (site, loc) = (self.site, self.loc);
        while !moves.is_empty() {
            let free =
                (0..moves.len()).find(|&index| moves.iter().all(|other| other.src != Opnd::slot(moves[index].dst)));
            let Some(index) = free else {
                let (n, dst, phi) = (moves[0].n, moves[0].dst, moves[0].phi);
                let saved = self.temporary(n);
                self.as_phi(phi);
                self.copy(n, saved, Opnd::slot(dst));
                for other in moves.iter_mut().filter(|other| other.src == Opnd::slot(dst)) {
                    other.src = Opnd::slot(saved);
                }
                continue;
            };
            let next = moves.swap_remove(index);
            self.as_phi(next.phi);
            self.copy(next.n, next.dst, next.src);
        }
        (self.site, self.loc) = (site, loc);
    }

    /// Moves count as their phi's.
    fn as_phi(&mut self, phi: Value) {
        if let Some(&site) = self.phi_sites.get(&phi) {
            self.site = site;
        }
        self.loc = self.debug.loc(&mut self.context.debug, phi.debug_location());
    }

    /// Writes the blocks of the edges, after all others.
    pub(crate) fn write_edges(&mut self) {
        for index in 0..self.edges.len() {
            let edge = self.edges[index];
            (self.site, self.loc) = (edge.site, edge.loc);
            let start = self.function.code.len() as u32;
            match (self.moves(edge.from, edge.to), self.blocks.get(&edge.to).copied()) {
                (Some(moves), Some(to)) => {
                    self.write_moves(moves);
                    self.emit(Op::Jump { to });
                }
                _ => {
                    self.unsupported_text(format!("phi with a value that is not supported, from {}", edge.from.name()))
                }
            }
            self.release_temporaries();
            let end = self.function.code.len() as u32;
            let source = self.blocks.get(&edge.from).copied().unwrap_or(0);
            self.function.blocks.push(model::Block { start, end, instructions: 0, source, edge: true });
        }
    }
}
