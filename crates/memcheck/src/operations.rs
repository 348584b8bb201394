//! What each operation does to undefined bits and to pointers' objects.
//!
//! [`follow`](Memcheck::follow) is called for every operation. It knows what the frequent ones do whose operands are
//! defined, as nearly all are; [`operation`](Memcheck::operation) has the rules for all.

use whydunit_model::{IntOp, IntUnary, Op, Opnd, Scalar};
use whydunit_replay::At;

use crate::bits::{self, Bits, left, mask};
use crate::checker::Memcheck;
use crate::report::Kind;
use crate::slots::Known;
use crate::tag::Tag;

/// All bits where any is undefined.
fn all_if(any: u64) -> u64 {
    if any != 0 { u64::MAX } else { 0 }
}

/// The object that the result of an integer operation points to.
#[inline(always)]
fn int_tag(op: IntOp, w: u8, a: Tag, b: Tag) -> Tag {
    match op {
        _ if w != 64 => Tag::NONE,
        IntOp::Add | IntOp::And | IntOp::Or => match (a.is_none(), b.is_none()) {
            (false, true) => a,
            (true, false) => b,
            _ => Tag::NONE,
        },
        IntOp::Sub if b.is_none() => a,
        _ => Tag::NONE,
    }
}

impl Memcheck {
    fn bits(&self, at: &At<'_>, operand: Opnd) -> Bits {
        Bits { value: at.value(operand), undefined: self.undefined(at, operand) }
    }

    /// The value and the undefined bits of an operand of two words.
    fn wide(&self, at: &At<'_>, operand: Opnd) -> (u128, u128) {
        let both = |low: u64, high: u64| u128::from(low) | u128::from(high) << 64;
        let [low, high] = [self.bits(at, operand), self.bits(at, operand.word(1))];
        (both(low.value, high.value), both(low.undefined, high.undefined))
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

    /// Whether all bits of an operand of one word are defined.
    #[inline(always)]
    fn is_defined(&self, at: &At<'_>, operand: Opnd) -> bool {
        self.slots.brief(at, operand).is_defined()
    }

    /// The object that an operand points to whose bits are all defined; constants are not looked up.
    #[inline(always)]
    fn tag(&self, at: &At<'_>, operand: Opnd) -> Tag {
        self.slots.brief(at, operand).tag()
    }

    /// Follows one operation; calls and operations on ranges have hooks of their own.
    #[inline(always)]
    pub(crate) fn follow(&mut self, at: &At<'_>, op: &Op) {
        match *op {
            Op::Int { op, w, dst, a, b, .. } if self.is_defined(at, a) && self.is_defined(at, b) => {
                self.slots.set_defined(at, dst, int_tag(op, w, self.tag(at, a), self.tag(at, b)));
            }
            Op::ICmp { w: ..=64, dst, a, b, .. } if self.is_defined(at, a) && self.is_defined(at, b) => {
                self.slots.set_defined(at, dst, Tag::NONE);
            }
            Op::Trunc { to: ..64, dst, a } | Op::SExt { from: ..=64, to: ..=64, dst, a } if self.is_defined(at, a) => {
                self.slots.set_defined(at, dst, Tag::NONE);
            }
            Op::ZExt { to: ..=64, dst, a, .. } if self.is_defined(at, a) => {
                self.slots.set_defined(at, dst, self.tag(at, a));
            }
            Op::PtrAdd { dst, base: a, .. } | Op::Copy { n: 1, dst, a } if !a.is_const() && self.is_defined(at, a) => {
                self.slots.set_defined(at, dst, self.tag(at, a));
            }
            Op::PtrIndex { dst, base, index, .. }
                if !base.is_const() && self.is_defined(at, base) && self.is_defined(at, index) =>
            {
                self.slots.set_defined(at, dst, self.tag(at, base));
            }
            Op::Load { ty, dst, addr } if ty.bytes() <= 8 => self.load(at, ty, dst, addr),
            Op::Store { ty, value, addr } if ty.bytes() <= 8 => self.store(at, ty, value, addr),
            Op::Branch { cond: decides, .. } | Op::Switch { value: decides, .. } if self.is_defined(at, decides) => {}
            Op::Jump { .. } | Op::Safepoint | Op::Call { .. } | Op::Return { .. } | Op::Trap { .. } => {}
            _ => self.operation(*at, op),
        }
    }

    /// The rules for all of them.
    #[inline(never)]
    fn operation(&mut self, at: At<'_>, op: &Op) {
        let at = &at;
        match *op {
            Op::Int { op, w, dst, a, b, .. } => self.int(at, op, w, dst, a, b),
            Op::Wide { op, w, dst, a, b, .. } => {
                let undefined = bits::wide(op, w, self.wide(at, a), self.wide(at, b));
                self.set_bits(at, dst, undefined as u64);
                self.set_bits(at, dst + 1, (undefined >> 64) as u64);
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
                    bits::compare_wide(pred, w, self.wide(at, a), self.wide(at, b))
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
                    let known = self.whole(at, a.word(word));
                    self.set(at, dst + word, known);
                }
            }
            Op::Select { n, dst, cond, a, b } => {
                let decided = all_if(self.undefined(at, cond));
                let chosen = if at.value(cond) & 1 == 1 { a } else { b };
                for word in 0..u32::from(n) {
                    let known = self.whole(at, chosen.word(word));
                    self.set(at, dst + word, Known { undefined: known.undefined | decided, tag: known.tag });
                }
            }
            Op::PtrAdd { dst, base, .. } => {
                let base = self.whole(at, base);
                self.set(at, dst, Known { undefined: left(base.undefined), tag: base.tag });
            }
            Op::PtrIndex { w, dst, base, index, .. } => {
                let index = self.undefined(at, index) & mask(w.min(64));
                let base = self.whole(at, base);
                self.set(at, dst, Known { undefined: left(base.undefined | index), tag: base.tag });
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
                let any = self.undefined(at, value) | self.undefined_words(at, Opnd::slot(dst), ty.slots());
                self.store_words(at.value(addr), ty.bytes(), [all_if(any); 2]);
            }
            Op::CmpXchg { ty, dst, addr, expected, new } => {
                self.load(at, ty, dst, addr);
                let old = self.undefined_words(at, Opnd::slot(dst), ty.slots());
                let any = old | self.undefined_words(at, expected, ty.slots());
                self.set_bits(at, dst + ty.slots(), u64::from(any != 0));
                let any = any | self.undefined_words(at, new, ty.slots());
                self.store_words(at.value(addr), ty.bytes(), [all_if(any); 2]);
            }
            Op::StackAddr { dst, offset, object } => {
                let tag = match self.objects.stack.local(at.depth, object) {
                    Some(tag) => tag,
                    None => self.objects.find(at.frame().stack_base.wrapping_add(offset)),
                };
                self.slots.set_defined(at, dst, tag);
            }
            Op::Alloca { dst, .. } | Op::StackSave { dst } | Op::ThreadLocal { dst, .. } => self.set_bits(at, dst, 0),
            Op::LandingPad { dst, .. } => self.set_words(at, dst, 2, 0),
            Op::StackRestore { a } => self.objects.stack.restore(at.depth, at.value(a)),
            Op::Branch { cond, .. } => self.decides(at, self.undefined(at, cond) & 1),
            Op::Switch { w, value, .. } => self.decides(at, self.undefined(at, value) & mask(w.min(64))),
            _ => {}
        }
    }

    fn int(&mut self, at: &At<'_>, op: IntOp, w: u8, dst: u32, a: Opnd, b: Opnd) {
        let undefined = bits::int(op, w, self.bits(at, a), self.bits(at, b));
        let tag = int_tag(op, w, self.known(at, a).tag, self.known(at, b).tag);
        self.set(at, dst, Known { undefined, tag });
    }

    /// Checks the address of a load or store, and gives it.
    #[inline(always)]
    fn address(&mut self, at: &At<'_>, addr: Opnd, size: u32, write: bool) -> u64 {
        let address = at.value(addr);
        let brief = self.slots.brief(at, addr);
        // Constant addresses are those of globals, possibly declared ones of unknown size.
        let allowed = brief.is_defined() && self.objects.allows(brief.tag(), address, u64::from(size));
        if !allowed && !addr.is_const() {
            self.check_pointer(*at, self.slots.get(at.base + addr.index() as usize), address, u64::from(size), write);
        }
        address
    }

    #[inline(never)]
    fn check_pointer(&mut self, at: At<'_>, pointer: Known, address: u64, size: u64, write: bool) {
        if pointer.undefined != 0 {
            self.error(&at, Kind::Uninitialised, write, address, size, None);
        }
        self.access(&at, pointer.tag, address, size, write);
    }

    #[inline(always)]
    fn load(&mut self, at: &At<'_>, ty: Scalar, dst: u32, addr: Opnd) {
        let size = ty.bytes();
        let address = self.address(at, addr, size, false);
        if size > 8 {
            let (low, high) = (self.shadow.load(address, 8).0, self.shadow.load(address.wrapping_add(8), size - 8).0);
            // Bytes of a number count each for itself: a union passed by value can be one.
            if let Scalar::Int(w) = ty {
                self.set_bits(at, dst, low);
                return self.set_bits(at, dst + 1, high & mask((w - 64).min(64)));
            }
            return self.set_words(at, dst, 2, all_if(low | high));
        }
        let (undefined, tag) = self.shadow.load(address, size);
        let undefined = if let Scalar::Int(w) = ty { undefined & mask(w) } else { undefined };
        self.set(at, dst, Known { undefined, tag });
    }

    #[inline(always)]
    fn store(&mut self, at: &At<'_>, ty: Scalar, value: Opnd, addr: Opnd) {
        let size = ty.bytes();
        let address = self.address(at, addr, size, true);
        if size > 8 {
            return self.store_words(address, size, [self.undefined(at, value), self.undefined(at, value.word(1))]);
        }
        let known = if size == 8 { self.whole(at, value) } else { self.known(at, value) };
        if !known.tag.is_none() && !addr.is_const() && !self.tag(at, addr).on_stack() {
            self.stored(self.tag(at, addr), known.tag);
        }
        self.shadow.store(address, size, known.undefined, known.tag);
    }

    /// Stores undefined bits of up to 16 bytes.
    fn store_words(&mut self, address: u64, size: u32, undefined: [u64; 2]) {
        self.shadow.store(address, size.min(8), undefined[0], Tag::NONE);
        if size > 8 {
            self.shadow.store(address.wrapping_add(8), size - 8, undefined[1], Tag::NONE);
        }
    }
}
