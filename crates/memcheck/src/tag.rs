//! Names of objects, and where the objects lie.

/// Names an object for good: a tag of a forgotten object never names another one.
///
/// Bits 0 to 30 are the index plus one, bit 31 tells stack objects, bits 32 to 62 are the generation. Bit 63 is free for
/// whoever keeps tags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Tag(u64);

const STACK: u64 = 1 << 31;
const INDEX: u64 = STACK - 1;

impl Tag {
    /// No object.
    pub const NONE: Tag = Tag(0);

    /// The name of the object at `index` of its table; none when the table is full.
    pub fn new(on_stack: bool, index: usize, generation: Generation) -> Self {
        let number = index as u64 + 1;
        if number > INDEX {
            return Tag::NONE;
        }
        Tag(u64::from(generation.0) << 32 | if on_stack { STACK } else { 0 } | number)
    }
    /// Where it stands in its table.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & INDEX).wrapping_sub(1) as usize
    }
    /// Which of the objects that stood there in the course of the run.
    #[inline(always)]
    pub fn generation(self) -> Generation {
        Generation((self.0 >> 32) as u32)
    }
    /// Whether it names a stack object.
    #[inline(always)]
    pub fn on_stack(self) -> bool {
        self.0 & STACK != 0
    }
    /// Whether it names no object.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
    /// As a word whose highest bit is 0.
    #[inline(always)]
    pub fn to_bits(self) -> u64 {
        self.0
    }
    /// The tag of such a word.
    #[inline(always)]
    pub fn from_bits(bits: u64) -> Self {
        Tag(bits)
    }
}

/// Tells objects apart that stood at the same index: 31 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Generation(u32);

impl Generation {
    /// The one after it.
    pub fn next(self) -> Self {
        Generation((self.0 + 1) & (u32::MAX >> 1))
    }
}

/// The bytes of an object that may be accessed.
#[derive(Clone, Copy, Default, Debug)]
pub struct Span {
    /// First byte.
    pub start: u64,
    /// Bytes; none when the object is freed.
    pub size: u64,
    /// Of the object that stands here.
    pub generation: Generation,
}

impl Span {
    /// Whether `size` bytes from `address` on lie in it.
    #[inline(always)]
    pub fn holds(&self, address: u64, size: u64) -> bool {
        let offset = address.wrapping_sub(self.start);
        offset <= self.size && size <= self.size - offset
    }
}
