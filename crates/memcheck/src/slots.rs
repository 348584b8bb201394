//! What is known of the values in slots: their undefined bits, and the objects that they point to.

use whydunit_model::Opnd;
use whydunit_replay::At;

use crate::tag::Tag;

/// What is known of a value: its undefined bits, and the object that it points to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Known {
    /// Undefined bits.
    pub undefined: u64,
    /// The object.
    pub tag: Tag,
}

/// What is known of a value in a word: its tag, and whether any bit is undefined.
#[derive(Clone, Copy)]
pub struct Brief(u64);

/// Some bits are undefined.
const UNDEFINED: u64 = 1 << 63;

impl Brief {
    /// Whether all bits are defined.
    #[inline(always)]
    pub fn is_defined(self) -> bool {
        self.0 & UNDEFINED == 0
    }
    /// The tag of a value whose bits are all defined.
    #[inline(always)]
    pub fn tag(self) -> Tag {
        Tag::from_bits(self.0)
    }
}

/// What is known of all slots, by their index in [`Core::slots`](whydunit_replay::Core::slots).
///
/// Every value is written before it is read in SSA form, so slots need no clearing when frames come and go.
#[derive(Clone, Default)]
pub struct Slots {
    briefs: Vec<u64>,
    /// Only where the brief says so.
    undefined: Vec<u64>,
}

impl Slots {
    /// There are at least `size` slots.
    #[inline]
    pub fn grow(&mut self, size: usize) {
        if self.briefs.len() < size {
            self.briefs.resize(size, 0);
            self.undefined.resize(size, 0);
        }
    }

    /// What is known of an operand, in short; constants are defined and point nowhere.
    #[inline(always)]
    pub fn brief(&self, at: &At<'_>, operand: Opnd) -> Brief {
        let brief = self.briefs.get(at.base + operand.index() as usize).copied().unwrap_or(0);
        Brief(if operand.is_const() { 0 } else { brief })
    }

    /// A value whose bits are all defined comes into a slot.
    #[inline(always)]
    pub fn set_defined(&mut self, at: &At<'_>, slot: u32, tag: Tag) {
        if let Some(brief) = self.briefs.get_mut(at.base + slot as usize) {
            *brief = tag.to_bits();
        }
    }

    /// What is known of a slot.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Known {
        let brief = self.briefs.get(index).copied().unwrap_or(0);
        if brief & UNDEFINED == 0 {
            return Known { undefined: 0, tag: Tag::from_bits(brief) };
        }
        Known { undefined: self.undefined.get(index).copied().unwrap_or(0), tag: Tag::from_bits(brief & !UNDEFINED) }
    }

    /// A value comes into a slot.
    #[inline(always)]
    pub fn set(&mut self, index: usize, known: Known) {
        let Some(brief) = self.briefs.get_mut(index) else { return };
        *brief = known.tag.to_bits();
        if known.undefined != 0 {
            *brief |= UNDEFINED;
            self.undefined[index] = known.undefined;
        }
    }
}
