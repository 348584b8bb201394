//! Vectors, element by element, and bit casts.

use whydunit_llvm::Value;
use whydunit_model::{Flags, IntOp, IntPred, Op, Opnd, Scalar, Slot};

use crate::{body::Body, leaves::bits};

impl Body<'_, '_> {
    pub(crate) fn extract_element(&mut self, value: Value) -> Option<()> {
        let (vector, index) = (value.operand(0)?, value.operand(1)?);
        let n = self.shape(value.ty())?.slots;
        let count = vector.ty().element_count();
        let source = self.operand(vector)?;
        if let Some(position) = index.int_value() {
            let dst = self.result(value)?;
            // Past the end: poison, which is zero.
            let a = if position < count { source.word(position as u32 * n) } else { self.zero(n) };
            self.copy(n, dst, a);
            return Some(());
        }
        let (index, w) = (self.operand(index)?, index.ty().int_width().min(64) as u8);
        let dst = self.result(value)?;
        self.copy(n, dst, source);
        for position in 1..count {
            let cond = self.is_index(w, index, position);
            let a = source.word(position as u32 * n);
            self.emit(Op::Select { n: n as u8, dst, cond, a, b: Opnd::slot(dst) });
        }
        Some(())
    }

    pub(crate) fn insert_element(&mut self, value: Value) -> Option<()> {
        let (element, index) = (value.operand(1)?, value.operand(2)?);
        let n = self.shape(element.ty())?.slots;
        let count = value.ty().element_count();
        let (source, element) = (self.input(value, 0)?, self.operand(element)?);
        let constant = index.int_value();
        let index_operand = self.operand(index)?;
        let dst = self.result(value)?;
        self.copy(n * count as u32, dst, source);
        match constant {
            Some(position) if position < count => self.copy(n, dst + position as u32 * n, element),
            Some(_) => {}
            None => {
                let w = index.ty().int_width().min(64) as u8;
                for position in 0..count {
                    let cond = self.is_index(w, index_operand, position);
                    let dst = dst + position as u32 * n;
                    self.emit(Op::Select { n: n as u8, dst, cond, a: element, b: Opnd::slot(dst) });
                }
            }
        }
        Some(())
    }

    pub(crate) fn shuffle(&mut self, value: Value) -> Option<()> {
        let first = value.operand(0)?;
        let count = first.ty().element_count() as u32;
        let n = self.scalar(first.ty().element(0)?)?.slots();
        let (a, b) = (self.operand(first)?, self.input(value, 1)?);
        let dst = self.result(value)?;
        for (position, from) in (0u32..).zip(value.shuffle_mask()) {
            let element = match from {
                Some(from) if from < count => a.word(from * n),
                Some(from) if from < 2 * count => b.word((from - count) * n),
                _ => self.zero(n),
            };
            self.copy(n, dst + position * n, element);
        }
        Some(())
    }

    fn is_index(&mut self, w: u8, index: Opnd, position: u64) -> Opnd {
        let (dst, b) = (self.temporary(1), self.number(position));
        self.emit(Op::ICmp { pred: IntPred::Eq, w, dst, a: index, b });
        Opnd::slot(dst)
    }

    /// Zero in `n` words.
    pub(crate) fn zero(&mut self, n: u32) -> Opnd {
        self.pooled(vec![whydunit_model::Const::Bits(0); n as usize])
    }

    /// Bits regrouped: leaf after leaf from the lowest bit on.
    pub(crate) fn bitcast(&mut self, value: Value) -> Option<()> {
        let from = self.shape(value.operand(0)?.ty())?;
        let to = self.shape(value.ty())?;
        let total = |leaves: &[Scalar]| leaves.iter().map(|&leaf| u32::from(bits(leaf))).sum::<u32>();
        if total(&from.leaves) != total(&to.leaves) {
            return None;
        }
        let same = from.leaves.len() == to.leaves.len()
            && from.leaves.iter().zip(&to.leaves).all(|(&a, &b)| bits(a) == bits(b));
        if same {
            return self.move_operand(value, 0);
        }
        let a = self.input(value, 0)?;
        let dst = self.result(value)?;
        let sources = pieces(&from.leaves);
        for target in pieces(&to.leaves) {
            let slot = dst + target.word;
            let mut written = false;
            for source in &sources {
                let start = source.bit.max(target.bit);
                let end = (source.bit + source.width).min(target.bit + target.width);
                if start < end {
                    self.deposit(slot, target.bit, a.word(source.word), source.bit, start, end, written);
                    written = true;
                }
            }
        }
        Some(())
    }

    /// Puts bits `start..end` (of the whole value) of the word at `source_bit` in place in the word at `target_bit`.
    #[allow(clippy::too_many_arguments)]
    fn deposit(
        &mut self,
        slot: Slot,
        target_bit: u32,
        source: Opnd,
        source_bit: u32,
        start: u32,
        end: u32,
        more: bool,
    ) {
        let dst = if more { self.temporary(1) } else { slot };
        let mut current = source;
        let mut step = |body: &mut Self, op, number| {
            let b = body.number(number);
            body.emit(Op::Int { op, w: 64, flags: Flags::default(), dst, a: current, b });
            current = Opnd::slot(dst);
        };
        if start > source_bit {
            step(self, IntOp::LShr, u64::from(start - source_bit));
        }
        if end - start < 64 {
            step(self, IntOp::And, (1 << (end - start)) - 1);
        }
        if start > target_bit {
            step(self, IntOp::Shl, u64::from(start - target_bit));
        }
        if more {
            self.emit(Op::Int {
                op: IntOp::Or,
                w: 64,
                flags: Flags::default(),
                dst: slot,
                a: Opnd::slot(slot),
                b: current,
            });
        } else if current == source {
            self.copy(1, slot, source);
        }
    }
}

/// A word of a value and where its bits lie in the whole.
struct Piece {
    word: u32,
    bit: u32,
    width: u32,
}

fn pieces(leaves: &[Scalar]) -> Vec<Piece> {
    let (mut word, mut bit) = (0, 0);
    let mut out = Vec::new();
    for &leaf in leaves {
        let mut left = u32::from(bits(leaf));
        for _ in 0..leaf.slots() {
            let width = left.min(64);
            out.push(Piece { word, bit, width });
            (word, bit, left) = (word + 1, bit + width, left - width);
        }
    }
    out
}
