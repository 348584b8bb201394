//! Numbers for generated tests.

/// Numbers that follow from each other, by an xorshift generator: the same each time.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next one, below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}
