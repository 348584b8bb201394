//! Ranks, with ties.

use crate::{Counts, Entity, Formula, Spectrum};

/// A position in a ranking, from 1. Entities of one score share it: the best is the position that the first of them
/// would have, the worst that of the last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rank {
    /// First position of the tie.
    pub best: u64,
    /// Last position of the tie.
    pub worst: u64,
}

impl Rank {
    /// Mean position.
    pub fn mid(self) -> f64 {
        (self.best + self.worst) as f64 / 2.0
    }

    /// Whether others have the same score.
    pub fn is_tie(self) -> bool {
        self.best != self.worst
    }
}

/// An entity in a ranking.
#[derive(Clone, PartialEq, Debug)]
pub struct RankedEntity<'a> {
    /// Which.
    pub entity: &'a Entity,
    /// Its counts.
    pub counts: Counts,
    /// Its suspiciousness.
    pub score: f64,
    /// Its rank.
    pub rank: Rank,
}

impl Spectrum {
    /// The entities that a failing test executes, most suspicious first, and those of a tie by position. All others have
    /// a score of 0 or less with every formula, so leaving them out changes no rank.
    pub fn ranking(&self, formula: Formula) -> Vec<RankedEntity<'_>> {
        let mut ranked: Vec<_> = self
            .entities()
            .filter(|(_, counts)| counts.failed > 0)
            .map(|(entity, counts)| {
                let score = formula.score(counts);
                RankedEntity { entity, counts, score, rank: Rank { best: 0, worst: 0 } }
            })
            .collect();
        // Stable, so entities of a tie stay in the order of their positions.
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut before = 0;
        for tie in ranked.chunk_by_mut(|a, b| a.score == b.score) {
            let rank = Rank { best: before + 1, worst: before + tie.len() as u64 };
            before = rank.worst;
            for entity in tie {
                entity.rank = rank;
            }
        }
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, TestHits};

    fn statement(line: u32) -> Entity {
        let position = Position { file: "a.c".into(), line, column: 1, end_line: line };
        Entity { position, function: "f".into(), outcome: None }
    }

    fn test(failed: bool, lines: &[u32]) -> TestHits {
        TestHits { failed, hits: lines.iter().map(|&line| statement(line)).collect() }
    }

    fn lines_and_ranks(ranked: &[RankedEntity]) -> Vec<(u32, u64, u64, f64)> {
        ranked.iter().map(|r| (r.entity.position.line, r.rank.best, r.rank.worst, r.rank.mid())).collect()
    }

    #[test]
    fn entities_of_one_score_share_their_ranks() {
        // Lines 3 and 4 run in the failing test only; 1 and 2 in all; 6 in passing tests only.
        let spectrum = Spectrum::new([
            test(true, &[1, 2, 3, 4]),
            test(false, &[1, 2, 5, 6]),
            test(false, &[1, 2, 6]),
            test(true, &[1, 2, 3, 4, 5]),
        ]);
        assert_eq!((spectrum.failed_total(), spectrum.passed_total()), (2, 2));
        for formula in Formula::ALL {
            let ranked = spectrum.ranking(formula);
            let expect = match formula {
                // Line 5: f = p = 1, as suspicious as 1 and 2 where only the share of failing tests counts.
                Formula::Tarantula | Formula::Barinel => {
                    vec![(3, 1, 2, 1.5), (4, 1, 2, 1.5), (1, 3, 5, 4.0), (2, 3, 5, 4.0), (5, 3, 5, 4.0)]
                }
                _ => vec![(3, 1, 2, 1.5), (4, 1, 2, 1.5), (1, 3, 4, 3.5), (2, 3, 4, 3.5), (5, 5, 5, 5.0)],
            };
            assert_eq!(lines_and_ranks(&ranked), expect, "{formula}");
        }
    }

    #[test]
    fn outcomes_of_a_branch_are_entities_of_their_own() {
        let outcome = |name: &str| Entity { outcome: Some(name.into()), ..statement(1) };
        let hits = |failed, names: &[&str]| TestHits { failed, hits: names.iter().map(|name| outcome(name)).collect() };
        let spectrum = Spectrum::new([hits(true, &["true"]), hits(false, &["true", "false"])]);
        let ranked = spectrum.ranking(Formula::Ochiai);
        assert_eq!(ranked.len(), 1);
        assert_eq!(ranked[0].entity.outcome.as_deref(), Some("true"));
        assert_eq!(ranked[0].counts, Counts { failed: 1, passed: 1, failed_total: 1, passed_total: 1 });
    }

    #[test]
    fn without_a_failing_test_nothing_is_ranked() {
        assert!(Spectrum::new([test(false, &[1])]).ranking(Formula::Op2).is_empty());
    }
}
