//! Byte offsets in an object, as far as they are known: congruences (Granger, "Static Analysis of Arithmetical Congruences").

/// A set of byte offsets: `base`, or `base` plus any multiple of `stride` where that is not 0. The elements of an array are one
/// place of it, their fields stay apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Offset {
    base: i64,
    stride: u64,
}

/// As a number of bytes: up to the object's end.
pub const TO_THE_END: u64 = u64::MAX;

impl Offset {
    /// Any offset.
    pub const ANY: Offset = Offset { base: 0, stride: 1 };
    /// The object's start.
    pub const START: Offset = Offset::exactly(0);

    /// One offset.
    pub const fn exactly(base: i64) -> Self {
        Self { base, stride: 0 }
    }

    fn new(base: i64, stride: u64) -> Self {
        match i64::try_from(stride) {
            Ok(0) => Self { base, stride },
            Ok(step) => Self { base: base.rem_euclid(step), stride },
            Err(_) => Self::ANY,
        }
    }

    /// The offset, where there is but one.
    pub fn exact(self) -> Option<i64> {
        (self.stride == 0).then_some(self.base)
    }

    /// Every offset, so many bytes on.
    pub fn plus(self, bytes: i64) -> Self {
        Self::new(self.base.wrapping_add(bytes), self.stride)
    }

    /// Every offset, any multiple of `bytes` on.
    pub fn stepped(self, bytes: u64) -> Self {
        Self::new(self.base, gcd(self.stride, bytes))
    }

    /// Sums of an offset of each.
    pub fn sum(self, other: Offset) -> Self {
        Self::new(self.base.wrapping_add(other.base), gcd(self.stride, other.stride))
    }

    /// Differences of an offset of each.
    pub fn difference(self, other: Offset) -> Self {
        Self::new(self.base.wrapping_sub(other.base), gcd(self.stride, other.stride))
    }

    /// The least set with the offsets of both.
    pub fn join(self, other: Offset) -> Self {
        let apart = self.base.abs_diff(other.base);
        Self::new(self.base, gcd(gcd(self.stride, other.stride), apart))
    }

    /// Whether all offsets of another set are in this one.
    pub fn covers(self, other: Offset) -> bool {
        self.join(other) == self
    }

    /// Whether `size` bytes at one of these offsets may meet `other_size` bytes at one of the others.
    pub fn meets(self, size: u64, other: Offset, other_size: u64) -> bool {
        let apart = i128::from(other.base) - i128::from(self.base);
        let (size, other_size) = (i128::from(size), i128::from(other_size));
        match gcd(self.stride, other.stride) {
            0 => apart < size && -apart < other_size,
            step => {
                let step = i128::from(step);
                let apart = apart.rem_euclid(step);
                apart < size || step - apart < other_size
            }
        }
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Those of its members that can lie beside another of the test's sets: a single offset is at most 60 + 50 bytes away from
    /// 0, and of two strides below 20 the multiples repeat after 20.
    fn members(offset: Offset) -> Vec<i64> {
        match offset.stride {
            0 => vec![offset.base],
            stride => (-130..130).map(|n| offset.base + n * stride as i64).collect(),
        }
    }

    #[test]
    fn elements_of_an_array_are_one_place_and_their_fields_stay_apart() {
        let element = Offset::exactly(16).stepped(24);
        let (first, second) = (element.plus(0), element.plus(8));
        assert!(!first.meets(8, second, 8) && first.meets(8, Offset::exactly(64), 8));
        assert!(first.meets(9, second, 8) && first.meets(8, Offset::ANY, 1));
        assert_eq!(Offset::exactly(4).join(Offset::exactly(4)).exact(), Some(4));
        assert_eq!(Offset::exactly(0).join(Offset::exactly(8)).join(Offset::exactly(12)), Offset::new(0, 4));
        assert!(Offset::exactly(8).meets(TO_THE_END, Offset::exactly(4000), 1));
        assert!(!Offset::exactly(8).meets(TO_THE_END, Offset::exactly(4), 4));
    }

    proptest! {
        /// Against the sets themselves.
        #[test]
        fn operations_cover_what_they_mean(
            (a, s, x) in (-60i64..60, 0u64..20, 1u64..12),
            (b, t, y) in (-60i64..60, 0u64..20, 1u64..12),
            by in -50i64..50,
        ) {
            let (one, two) = (Offset::new(a, s), Offset::new(b, t));
            let joined = one.join(two);
            prop_assert!(joined.covers(one) && joined.covers(two));
            let meet = members(one).iter().any(|&p| members(two).iter().any(|&q| p < q + y as i64 && q < p + x as i64));
            prop_assert_eq!(one.meets(x, two, y), meet);
            for p in members(one) {
                prop_assert!(one.plus(by).covers(Offset::exactly(p + by)));
                prop_assert!(one.stepped(t).covers(Offset::exactly(p + 3 * t as i64)));
                for q in members(two) {
                    prop_assert!(one.sum(two).covers(Offset::exactly(p + q)));
                    prop_assert!(one.difference(two).covers(Offset::exactly(p - q)));
                }
            }
        }
    }
}
