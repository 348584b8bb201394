//! What each operation does to undefined bits and to pointers' objects.

use whydunit_model::{IntOp, IntUnary, Op, Opnd, Scalar};
use whydunit_replay::At;

use crate::bits::{self, Bits, left, mask};
use crate::checker::{Known, Memcheck};
use crate::objects::Tag;
use crate::report::Kind;

/// All bits where any is undefined.
fn all_if(any: u64) -> u64 {
    if any != 0 { u64::MAX } else { 0 }
}

impl Memcheck {
    fn bits(&self, at: &At<'_>, operand: Opnd) -> Bits {
        Bits { value: at.value(operand), undefined: self.known(at, operand).undefined }
    }

    fn undefined(&self, at: &At<'_>, operand: Opnd) -> u64 {
        self.known(at, operand).undefined
    }

    fn undefined_words(&self, at: &At<'_>, operand: Opnd, words: u32) -> u64 {
        (0..words).map(|word| self.undefined(at, operand.word(word))).fold(0, |a, b| a | b)
    }

    fn set_bits(&mut self, at: &At<'_>, slot: u32, undefined: u64) {
        self.set(at, slot, Known { undefined, tag: Tag::NONE });
    }

    fn set_words(&mut self, at: &At<'_>, slot: u32, words: u32, undefined: u64) {
        for word in 0..words {
            self.set_bits(at, slot + word, undefined);
        }
    }

    /// Follows one operation that is neither a call nor works on a range.
    pub(crate) fn operation(&mut self, at: &At<'_>, op: &Op) {
        match *op {
            Op::Int { op, w, dst, a, b, .. } => self.int(at, op, w, dst, a, b),
            Op::Wide { dst, a, b, .. } => {
                let any = self.undefined_words(at, a, 2) | self.undefined_words(at, b, 2);
                self.set_words(at, dst, 2, all_if(any));
            }
            Op::IntUnary { op, w, dst, a } => {
                let words = if w > 64 { 2 } else { 1 };
                let any = self.undefined_words(at, a, words);
                let undefined = match op {
                    IntUnary::Bswap if w <= 64 => any.swap_bytes() >> (64 - w),
                    IntUnary::BitReverse if w <= 64 => any.reverse_bits() >> (64 - w),
                    _ => all_if(any) & mask(w.min(64)),
                };
                self.set_words(at, dst, words, undefined);
            }
            Op::Overflow { w, dst, a, b, .. } => {
                let words = if w > 64 { 2 } else { 1 };
                let any = self.undefined_words(at, a, words) | self.undefined_words(at, b, words);
                self.set_words(at, dst, words, all_if(any) & mask(w.min(64)));
                self.set_bits(at, dst + words, u64::from(any != 0));
            }
            Op::Funnel { w, dst, a, b, amount, .. } => {
                let any = self.undefined(at, a) | self.undefined(at, b) | self.undefined(at, amount);
                self.set_bits(at, dst, all_if(any) & mask(w));
            }
            Op::ICmp { pred, w, dst, a, b } => {
                let undefined = if w > 64 {
                    self.undefined_words(at, a, 2) | self.undefined_words(at, b, 2) != 0
                } else {
                    bits::compare_undefined(pred, w, self.bits(at, a), self.bits(at, b))
                };
                self.set_bits(at, dst, u64::from(undefined));
            }
            Op::Trunc { to, dst, a } => {
                let words = if to > 64 { 2 } else { 1 };
                for word in 0..words {
                    let known = self.known(at, a.word(word));
                    let undefined = known.undefined & mask((to - 64 * word as u8).min(64));
                    let tag = if to == 64 { known.tag } else { Tag::NONE };
                    self.set(at, dst + word, Known { undefined, tag });
                }
            }
            Op::ZExt { from, to, dst, a } => {
                self.set(at, dst, self.known(at, a));
                if to > 64 {
                    let high = if from > 64 { self.undefined(at, a.word(1)) } else { 0 };
                    self.set_bits(at, dst + 1, high);
                }
            }
            Op::SExt { from, to, dst, a } => {
                if from > 64 {
                    self.set_bits(at, dst, self.undefined(at, a));
                    self.set_bits(at, dst + 1, all_if(self.undefined(at, a.word(1))));
                } else {
                    let undefined = bits::sign_extended(self.undefined(at, a), from) as u64;
                    self.set_bits(at, dst, undefined & mask(to.min(64)));
                    if to > 64 {
                        self.set_bits(at, dst + 1, all_if(undefined >> 63));
                    }
                }
            }
            Op::Copy { n, dst, a } => {
                for word in 0..u32::from(n) {
                    let operand = a.word(word);
                    let known = Known { undefined: self.undefined(at, operand), tag: self.pointer(at, operand) };
                    self.set(at, dst + word, known);
                }
            }
            Op::Select { n, dst, cond, a, b } => {
                let decided = all_if(self.undefined(at, cond));
                let chosen = if at.value(cond) & 1 == 1 { a } else { b };
                for word in 0..u32::from(n) {
                    let operand = chosen.word(word);
                    let undefined = self.undefined(at, operand) | decided;
                    self.set(at, dst + word, Known { undefined, tag: self.pointer(at, operand) });
                }
            }
            Op::PtrAdd { dst, base, .. } => {
                let known = Known { undefined: left(self.undefined(at, base)), tag: self.pointer(at, base) };
                self.set(at, dst, known);
            }
            Op::PtrIndex { w, dst, base, index, .. } => {
                let index = self.undefined(at, index) & mask(w.min(64));
                let known = Known { undefined: left(self.undefined(at, base) | index), tag: self.pointer(at, base) };
                self.set(at, dst, known);
            }
            Op::Float { ty, dst, a, b, .. } => {
                let any = self.undefined_words(at, a, ty.slots()) | self.undefined_words(at, b, ty.slots());
                self.set_words(at, dst, ty.slots(), all_if(any));
            }
            Op::FloatUnary { ty, dst, a, .. } => {
                let any = self.undefined_words(at, a, ty.slots());
                self.set_words(at, dst, ty.slots(), all_if(any));
            }
            Op::Fma { ty, dst, a, b, c } => {
                let any = [a, b, c].map(|x| self.undefined_words(at, x, ty.slots()));
                self.set_words(at, dst, ty.slots(), all_if(any[0] | any[1] | any[2]));
            }
            Op::FCmp { ty, dst, a, b, .. } => {
                let any = self.undefined_words(at, a, ty.slots()) | self.undefined_words(at, b, ty.slots());
                self.set_bits(at, dst, u64::from(any != 0));
            }
            Op::FConv { from, to, dst, a } => {
                let any = self.undefined_words(at, a, from.slots());
                self.set_words(at, dst, to.slots(), all_if(any));
            }
            Op::FToInt { from, w, dst, a, .. } => {
                let any = self.undefined_words(at, a, from.slots());
                self.set_words(at, dst, if w > 64 { 2 } else { 1 }, all_if(any) & mask(w.min(64)));
            }
            Op::IntToF { to, w, dst, a, .. } => {
                let any = self.undefined_words(at, a, if w > 64 { 2 } else { 1 });
                self.set_words(at, dst, to.slots(), all_if(any));
            }
            Op::Load { ty, dst, addr } => self.load(at, ty, dst, addr),
            Op::Store { ty, value, addr } => self.store(at, ty, value, addr),
            Op::AtomicRmw { ty, dst, addr, value, .. } => {
                self.load(at, ty, dst, addr);
                let any = self.undefined(at, value) | self.known(at, Opnd::slot(dst)).undefined;
                self.shadow.set_undefined(at.value(addr), ty.bytes(), all_if(any) & mask((ty.bytes() * 8) as u8));
            }
            Op::CmpXchg { ty, dst, addr, expected, new } => {
                self.load(at, ty, dst, addr);
                let any = self.known(at, Opnd::slot(dst)).undefined | self.undefined(at, expected);
                self.set_bits(at, dst + ty.slots(), u64::from(any != 0));
                let any = any | self.undefined(at, new);
                self.shadow.set_undefined(at.value(addr), ty.bytes(), all_if(any) & mask((ty.bytes() * 8) as u8));
            }
            Op::StackAddr { dst, offset, .. } => {
                let tag = self.object_at(at.frame().stack_base.wrapping_add(offset));
                self.set(at, dst, Known { undefined: 0, tag });
            }
            Op::Alloca { dst, .. } | Op::StackSave { dst } | Op::ThreadLocal { dst, .. } => self.set_bits(at, dst, 0),
            Op::StackRestore { a } => self.restore_stack(at.value(a)),
            Op::Branch { cond, .. } => self.decides(at, self.undefined(at, cond) & 1),
            Op::Switch { w, value, .. } => self.decides(at, self.undefined(at, value) & mask(w.min(64))),
            _ => {}
        }
    }

    fn int(&mut self, at: &At<'_>, op: IntOp, w: u8, dst: u32, a: Opnd, b: Opnd) {
        let (known_a, known_b) = (self.known(at, a), self.known(at, b));
        let undefined = if known_a.undefined | known_b.undefined == 0 {
            0
        } else {
            bits::int(op, w, self.bits(at, a), self.bits(at, b))
        };
        let tag = match op {
            _ if w != 64 => Tag::NONE,
            IntOp::Add | IntOp::And | IntOp::Or => match (known_a.tag.is_none(), known_b.tag.is_none()) {
                (false, true) => known_a.tag,
                (true, false) => known_b.tag,
                _ => Tag::NONE,
            },
            IntOp::Sub if known_b.tag.is_none() => known_a.tag,
            _ => Tag::NONE,
        };
        self.set(at, dst, Known { undefined, tag });
    }

    fn address(&mut self, at: &At<'_>, addr: Opnd, size: u32, write: bool) -> u64 {
        let address = at.value(addr);
        let known = self.known(at, addr);
        if known.undefined != 0 {
            self.error(at, Kind::Uninitialised, write, address, u64::from(size), None);
        }
        // Constant addresses are those of globals, possibly declared ones of unknown size.
        if !addr.is_const() {
            self.access(at, known.tag, address, u64::from(size), write);
        }
        address
    }

    fn load(&mut self, at: &At<'_>, ty: Scalar, dst: u32, addr: Opnd) {
        let address = self.address(at, addr, ty.bytes(), false);
        let size = ty.bytes();
        if size > 8 {
            let any = self.shadow.undefined(address, 8) | self.shadow.undefined(address.wrapping_add(8), size - 8);
            self.set_words(at, dst, 2, all_if(any));
            return;
        }
        let undefined = self.shadow.undefined(address, size);
        let tag = if size == 8 { self.shadow.tag(address) } else { Tag::NONE };
        let undefined = if let Scalar::Int(w) = ty { undefined & mask(w) } else { undefined };
        self.set(at, dst, Known { undefined, tag });
    }

    fn store(&mut self, at: &At<'_>, ty: Scalar, value: Opnd, addr: Opnd) {
        let address = self.address(at, addr, ty.bytes(), true);
        let size = ty.bytes();
        if size > 8 {
            self.shadow.set_undefined(address, 8, self.undefined(at, value));
            self.shadow.set_undefined(address.wrapping_add(8), size - 8, self.undefined(at, value.word(1)));
            return;
        }
        let known = self.known(at, value);
        self.shadow.set_undefined(address, size, known.undefined);
        if size == 8 {
            let tag = self.pointer(at, value);
            self.shadow.set_tag(address, tag);
        }
    }
}
