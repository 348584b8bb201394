//! Which hits of a breakpoint, or changes of a value, count: those where a condition holds, or some by their numbers.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_causes::expression::{Expression, read};
use whydunit_causes::variables::View;

use crate::Position;

/// Which hits count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hits {
    Is(u64),
    Less(u64),
    More(u64),
    Each(u64),
}

impl Hits {
    /// `7`, `== 7`, `< 7`, `<= 7`, `> 7`, `>= 7` or `% 7`.
    fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let number = text.trim_start_matches(['<', '>', '=', '%']);
        let wrong = || format!("`{text}` is no number of hits: `7`, `> 7`, `>= 7`, `< 7`, `<= 7` or `% 7` is meant");
        let count: u64 = number.trim().parse().map_err(|_| wrong())?;
        match &text[..text.len() - number.len()] {
            "" | "=" | "==" => Ok(Hits::Is(count)),
            "<" => Ok(Hits::Less(count)),
            "<=" => Ok(Hits::Less(count.saturating_add(1))),
            ">" => Ok(Hits::More(count)),
            ">=" => Ok(count.checked_sub(1).map_or(Hits::Each(1), Hits::More)),
            "%" if count > 0 => Ok(Hits::Each(count)),
            _ => Err(wrong()),
        }
    }

    fn counts(self, number: u64) -> bool {
        match self {
            Hits::Is(count) => number == count,
            Hits::Less(count) => number < count,
            Hits::More(count) => number > count,
            Hits::Each(count) => number.is_multiple_of(count),
        }
    }
}

/// Which hits count; by default all do.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Restriction {
    condition: Option<Expression>,
    hits: Option<Hits>,
    /// Where those are that count by their numbers; `None` where all do.
    counted: Option<BTreeSet<Position>>,
}

impl Restriction {
    /// Only those where this expression holds; an error says what is wrong with it.
    pub fn on_condition(&mut self, text: &str) -> Result<(), String> {
        self.condition = Some(read(text.trim())?);
        Ok(())
    }

    /// Only some by their numbers, which a text like `7` or `> 7` says; an error says what is wrong with it.
    pub fn on_hits(&mut self, text: &str) -> Result<(), String> {
        self.hits = Some(Hits::read(text)?);
        Ok(())
    }

    /// Whether numbers say which count.
    pub fn is_counted(&self) -> bool {
        self.hits.is_some()
    }

    /// Whether an expression says which count.
    pub fn has_condition(&self) -> bool {
        self.condition.is_some()
    }

    /// Whether one at a position counts by its number.
    pub fn counts_at(&self, position: Position) -> bool {
        self.counted.as_ref().is_none_or(|counted| counted.contains(&position))
    }

    /// Whether the condition of breakpoint `number` holds for what is seen there, which is not so where there is no frame; an error is what
    /// to say where it has no value.
    pub fn holds(&self, number: u32, view: Option<&View<'_>>) -> Result<bool, String> {
        let Some(condition) = &self.condition else { return Ok(true) };
        let holds = view.map_or(Ok(false), |view| view.holds(condition));
        holds.map_err(|error| format!("the condition of breakpoint {number} has no value: {error}"))
    }
}

/// How often a breakpoint was hit, and where those hits are that count.
struct Counted {
    hits: Hits,
    times: u64,
    positions: BTreeSet<Position>,
}

/// Counts the hits of those breakpoints whose hits are counted, by their numbers.
pub(crate) struct Counts(BTreeMap<u32, Counted>);

impl Counts {
    /// Of breakpoints with these numbers, none of which was hit; `None` where no hits are counted.
    pub fn of<'a>(all: impl Iterator<Item = (u32, &'a Restriction)>) -> Option<Self> {
        let counted = |hits| Counted { hits, times: 0, positions: BTreeSet::new() };
        let counts: BTreeMap<u32, Counted> =
            all.filter_map(|(number, restriction)| Some((number, counted(restriction.hits?)))).collect();
        (!counts.is_empty()).then_some(Self(counts))
    }

    /// Breakpoints with these numbers are hit at a position.
    pub fn hit(&mut self, numbers: impl IntoIterator<Item = u32>, position: Position) {
        for number in numbers {
            if let Some(counted) = self.0.get_mut(&number) {
                counted.times += 1;
                if counted.hits.counts(counted.times) {
                    counted.positions.insert(position);
                }
            }
        }
    }

    /// Tells the breakpoint with a number which of its hits count.
    pub fn tell(&self, number: u32, restriction: &mut Restriction) {
        restriction.counted = self.0.get(&number).map(|counted| counted.positions.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_told_by_their_numbers() {
        let counts = |text: &str| (0..8).filter(|n| Hits::read(text).expect("hits").counts(*n)).collect::<Vec<_>>();
        assert_eq!((counts("3"), counts("== 3")), (vec![3], vec![3]));
        assert_eq!((counts("> 5"), counts(">=6")), (vec![6, 7], vec![6, 7]));
        assert_eq!((counts("<2"), counts("<= 1")), (vec![0, 1], vec![0, 1]));
        assert_eq!(counts("% 3"), [0, 3, 6]);
        for wrong in ["", "x", "% 0", "=> 1", "-1"] {
            assert!(Hits::read(wrong).is_err(), "{wrong}");
        }
    }
}
