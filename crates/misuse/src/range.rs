//! Numbers that a value may be.

use whydunit_model::IntPred;

/// So many single numbers are left out of a range.
const HOLES: usize = 2;

/// Signed numbers that a symbol may be: those from `low` to `high`, without some.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub low: i64,
    pub high: i64,
    /// In order; all lie within.
    holes: [Option<i64>; HOLES],
}

impl Range {
    pub const FULL: Range = Range { low: i64::MIN, high: i64::MAX, holes: [None; HOLES] };
    pub const NONZERO: Range = Range { holes: [Some(0), None], ..Range::FULL };
    pub const TRUTH: Range = Range { low: 0, high: 1, holes: [None; HOLES] };

    pub fn exactly(number: i64) -> Self {
        Range { low: number, high: number, holes: [None; HOLES] }
    }

    /// The only number in it; `None` where there are more.
    pub fn only(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether a number is not in it.
    pub fn excludes(self, number: i64) -> bool {
        number < self.low || number > self.high || self.holes.contains(&Some(number))
    }

    /// Those of both, and what lies between.
    pub fn hull(self, other: Range) -> Self {
        let hull = Range { low: self.low.min(other.low), high: self.high.max(other.high), holes: [None; HOLES] };
        hull.with_holes(
            self.holes.into_iter().chain(other.holes).flatten().filter(|&it| self.excludes(it) && other.excludes(it)),
        )
    }

    /// The same without bounds.
    pub fn widened(self) -> Self {
        Range { low: i64::MIN, high: i64::MAX, ..self }
    }

    /// Those that are in both; `None` for none.
    pub fn both(self, other: Range) -> Option<Self> {
        let bounds = Range { low: self.low.max(other.low), high: self.high.min(other.high), holes: [None; HOLES] };
        bounds.with_holes(self.holes.into_iter().chain(other.holes).flatten()).settled()
    }

    /// Those that a comparison leaves; `None` for none.
    pub fn narrowed(self, pred: IntPred, against: i64) -> Option<Self> {
        let mut out = self;
        match pred {
            IntPred::Eq if self.excludes(against) => return None,
            IntPred::Eq => return Some(Range::exactly(against)),
            IntPred::Ne => out = self.with_holes(self.holes.into_iter().flatten().chain([against])),
            IntPred::Slt => out.high = out.high.min(against.checked_sub(1)?),
            IntPred::Sle => out.high = out.high.min(against),
            IntPred::Sgt => out.low = out.low.max(against.checked_add(1)?),
            IntPred::Sge => out.low = out.low.max(against),
            IntPred::Ult if against > 0 => {
                out.low = out.low.max(0);
                out.high = out.high.min(against - 1);
            }
            IntPred::Ule if against >= 0 => {
                out.low = out.low.max(0);
                out.high = out.high.min(against);
            }
            // What is large without a sign may be negative with one.
            _ => {}
        }
        out.settled()
    }

    /// With these holes and no others; the first ones, where they are too many.
    fn with_holes(self, holes: impl Iterator<Item = i64>) -> Self {
        let mut kept = [None; HOLES];
        for hole in holes {
            if let (Some(free), false) = (kept.iter().position(Option::is_none), kept.contains(&Some(hole))) {
                kept[free] = Some(hole);
            }
        }
        if matches!(kept, [Some(a), Some(b)] if a > b) {
            kept.reverse();
        }
        Range { holes: kept, ..self }
    }

    /// Without holes at its ends and beyond; `None` where nothing is left.
    fn settled(mut self) -> Option<Self> {
        for _ in 0..HOLES {
            if self.holes.contains(&Some(self.low)) {
                self.low = self.low.checked_add(1)?;
            }
            if self.holes.contains(&Some(self.high)) {
                self.high = self.high.checked_sub(1)?;
            }
        }
        let inside = |hole: &i64| *hole > self.low && *hole < self.high;
        let holes = self.holes.into_iter().flatten().filter(inside);
        (self.low <= self.high).then(|| self.with_holes(holes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_not_meant_stay_out() {
        let some = Range::FULL.narrowed(IntPred::Ne, 100).and_then(|it| it.narrowed(IntPred::Ne, 5)).expect("some");
        assert!(some.excludes(100) && some.excludes(5) && !some.excludes(6));
        assert_eq!(some.narrowed(IntPred::Eq, 100), None);
        let third = some.narrowed(IntPred::Ne, 6).expect("some");
        assert!(third.excludes(100) && third.excludes(5), "the older ones are kept");
        assert_eq!(Range::NONZERO.both(Range::exactly(0)), None);
        assert_eq!(Range::TRUTH.narrowed(IntPred::Ne, 0), Some(Range::exactly(1)));
    }

    #[test]
    fn what_one_side_may_be_both_may_be() {
        let not_hundred = Range::FULL.narrowed(IntPred::Ne, 100).expect("some");
        assert!(not_hundred.hull(Range::exactly(7)).excludes(100));
        assert!(!not_hundred.hull(Range::exactly(100)).excludes(100));
        assert!(Range::exactly(-1).hull(Range::exactly(1)) == Range { low: -1, high: 1, holes: [None; HOLES] });
    }
}
