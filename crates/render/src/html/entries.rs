//! The list of findings and that of correction sets.

use whydunit_findings::{CorrectionSet, Finding, SpectrumCounts};

use super::heat::Heat;
use super::listing::Anchors;
use super::short;
use crate::plain::{Words, plain, words};
use crate::ranking;

/// So many members of a tie come before the fold.
const BEFORE_FOLD: usize = 5;

/// Findings of one rank.
pub struct Group {
    pub rank: String,
    /// Whether several share it.
    pub tie: bool,
    pub entries: Vec<Entry>,
    /// What of the tie is folded away.
    pub folded: Vec<Entry>,
    /// The lines of what is folded away.
    pub places: String,
}

/// A finding in the list.
pub struct Entry {
    /// Its number in the list, from 0.
    pub number: usize,
    pub place: String,
    pub function: String,
    pub branch: Option<String>,
    pub code: String,
    pub score: String,
    pub level: u8,
    pub counts: Option<Counts>,
    pub witness: Vec<Words>,
    /// Correction sets, from 1.
    pub sets: Vec<u64>,
    pub more_sets: usize,
    /// The element of its line, where its source is shown.
    pub anchor: Option<String>,
}

/// How many tests ran it, with the widths of bars of 40.
pub struct Counts {
    pub failed: u64,
    pub failed_total: u64,
    pub passed: u64,
    pub passed_total: u64,
    pub failed_width: u64,
    pub passed_width: u64,
}

/// So many sets of one finding are named.
const NAMED_SETS: usize = 6;

/// The findings by rank.
pub fn groups(findings: &[Finding], heat: &Heat<'_>, anchors: &Anchors) -> Vec<Group> {
    let mut number = 0;
    let ties = findings.chunk_by(|a, b| a.rank_best == b.rank_best);
    let group = |tie: &[Finding]| {
        let mut entries: Vec<Entry> = Vec::new();
        for finding in tie {
            entries.push(entry(number, finding, heat, anchors));
            number += 1;
        }
        // A fold around a single one would be larger than it.
        let before = if tie.len() > BEFORE_FOLD + 1 { BEFORE_FOLD } else { tie.len() };
        Group {
            rank: ranking::rank(&tie[0]).replace('-', "–"),
            tie: tie[0].rank_best != tie[0].rank_worst,
            places: plain(&ranking::places(&tie[before..])).into_owned(),
            folded: entries.split_off(before),
            entries,
        }
    };
    ties.map(group).collect()
}

fn entry(number: usize, finding: &Finding, heat: &Heat<'_>, anchors: &Anchors) -> Entry {
    Entry {
        number,
        place: plain(&short(&finding.location)).into_owned(),
        function: plain(&finding.function).into_owned(),
        branch: finding.branch.as_deref().map(|branch| plain(branch).into_owned()),
        code: plain(&finding.code).into_owned(),
        score: ranking::score(finding.score),
        level: heat.level(finding.score),
        counts: finding.counts.map(counts),
        witness: ranking::said(finding).iter().map(|reason| words(reason)).collect(),
        sets: finding.sets.iter().take(NAMED_SETS).map(|index| index + 1).collect(),
        more_sets: finding.sets.len().saturating_sub(NAMED_SETS),
        anchor: anchors.of(&finding.location),
    }
}

fn counts(counts: SpectrumCounts) -> Counts {
    let width = |part: u64, all: u64| if all == 0 { 0 } else { (part.min(all) * 40).div_ceil(all) };
    Counts {
        failed: counts.failed,
        failed_total: counts.failed_total,
        passed: counts.passed,
        passed_total: counts.passed_total,
        failed_width: width(counts.failed, counts.failed_total),
        passed_width: width(counts.passed, counts.passed_total),
    }
}

/// A correction set.
pub struct Set {
    /// From 1.
    pub number: usize,
    pub cost: String,
    pub doubt: Option<&'static str>,
    pub statements: Vec<Statement>,
    /// The tests whose set it is, where it is not one of all.
    pub tests: Option<String>,
    pub witness: Vec<Words>,
}

/// A statement of a set.
pub struct Statement {
    pub place: String,
    pub anchor: Option<String>,
}

/// The first sets.
pub fn sets(sets: &[CorrectionSet], most: usize, failures: usize, anchors: &Anchors) -> Vec<Set> {
    let set = |(index, set): (usize, &CorrectionSet)| Set {
        number: index + 1,
        cost: format!("{}", (set.cost * 1000.0).round() / 1000.0),
        doubt: ranking::doubt(set),
        statements: set
            .statements
            .iter()
            .map(|place| Statement { place: plain(&short(place)).into_owned(), anchor: anchors.of(place) })
            .collect(),
        tests: ranking::of_tests(set, failures),
        witness: set.witness.iter().map(|witness| words(witness)).collect(),
    };
    sets.iter().take(most).enumerate().map(set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_a_sentence_is_told_by_its_backticks() {
        let part = |code, text: &str| (code, text.to_string());
        assert_eq!(words("if `a` were 1"), [part(false, "if "), part(true, "a"), part(false, " were 1")]);
        assert_eq!(words("one ` only"), [part(false, "one ` only")]);
    }
}
