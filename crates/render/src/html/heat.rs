//! How hot a line is.

use std::collections::HashMap;

use whydunit_findings::Located;

/// So many lines of one statement are hot.
const MOST_LINES: u32 = 20;

/// Suspiciousness of lines, in five levels.
pub struct Heat<'a> {
    lines: HashMap<(&'a str, u32), f64>,
    /// The largest finite suspiciousness.
    most: f64,
}

impl<'a> Heat<'a> {
    /// Of the findings, and of what is known of other lines.
    pub fn of(located: &'a Located) -> Self {
        let mut lines: HashMap<(&str, u32), f64> = HashMap::new();
        let of_lines = located.lines.iter().map(|it| (&it.file, it.line, it.score));
        let of_findings = located.findings.iter().flat_map(|it| {
            let (first, end) = (it.location.line, it.location.end_line);
            let last = end.clamp(first, first.saturating_add(MOST_LINES - 1));
            (first..=last).map(|line| (&it.location.file, line, it.score))
        });
        for (file, line, score) in of_lines.chain(of_findings) {
            let own = lines.entry((file, line)).or_insert(score);
            *own = own.max(score);
        }
        let finite = lines.values().copied().filter(|score| score.is_finite());
        let most = finite.fold(0.0, f64::max);
        Self { lines, most }
    }

    /// The suspiciousness of a line, where it has one.
    pub fn score(&self, file: &str, line: u32) -> Option<f64> {
        self.lines.get(&(file, line)).copied().filter(|score| *score > 0.0)
    }

    /// From 1 to 5 by its share of the largest suspiciousness; 0 where there is none.
    pub fn level(&self, score: f64) -> u8 {
        match score {
            _ if score.is_infinite() => 5,
            _ if score > 0.0 => ((score / self.most * 5.0).ceil() as u8).clamp(1, 5),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_findings::{Finding, LineScore, Location};

    #[test]
    fn levels_are_shares_of_the_largest() {
        let line = |line, score| LineScore { file: "a.c".into(), line, score };
        let finding = Finding { location: Location::line("a.c", 9), score: f64::INFINITY, ..Finding::default() };
        let located = Located {
            findings: vec![finding],
            lines: vec![line(1, 0.5), line(2, 0.1), line(3, 0.0), line(4, 0.01)],
            ..Located::default()
        };
        let heat = Heat::of(&located);
        let level = |line| heat.score("a.c", line).map(|score| heat.level(score));
        assert_eq!([1, 2, 3, 4, 9].map(level), [Some(5), Some(1), None, Some(1), Some(5)]);
        assert_eq!(heat.score("b.c", 1), None);
    }
}
