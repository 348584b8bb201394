//! Failing tests by the faults that they seem to have: each group is ranked apart, since the tests of another fault only blur its ranking.
//!
//! What makes one test pass and breaks no passing one tells most: a test that it leaves failing, and that a change of its own mends, has another
//! fault. Where no change mends anything, tests that die at different places of the program are told apart.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Instant;

use whydunit_desk::Desk;
use whydunit_desk::{convert, prepare};
use whydunit_findings::{Apart, Group, Problem};
use whydunit_workbench::Executed;

use super::ranking::{Ranking, Search, Together};
use super::{Baseline, Method};
use crate::Error;

/// So many groups are told apart.
const MOST_GROUPS: usize = 4;

/// So much of the ranking of a group is kept that is not the first.
const MOST_FINDINGS: usize = 10;

/// A group of failing tests with its ranking.
struct Ranked {
    tests: Vec<String>,
    apart: Apart,
    ranking: Ranking,
}

impl Baseline {
    /// Ranks the statements by a method. Where the failing tests seem to have several faults, the ranking is that of the group with the most
    /// tests, and the others come with it.
    pub fn rank(&self, desk: &Desk, search: &Search) -> Result<Ranking, Error> {
        let deadline = Instant::now() + search.limit;
        let together = self.rank_together(desk, search)?;
        if !matches!(search.method, Method::Formulas(formulas) if formulas.weighted) || together.asked.len() < 2 {
            return Ok(together.ranking);
        }
        let left = || Search { limit: deadline.saturating_duration_since(Instant::now()), ..search.clone() };
        let (strange, asked) = (together.strangers.clone(), together.asked.len());
        let whole = together.ranking.clone();
        let groups = match strange.is_empty() {
            false => self.by_what_mends(desk, &left, together)?,
            true if together.mended.is_empty() => self.by_symptom(desk, &left)?,
            true => Vec::new(),
        };
        if groups.len() < 2 {
            let mut ranking = whole;
            ranking.notes.extend(strangers(&strange, asked));
            return Ok(ranking);
        }
        let Ranking { located, notes, .. } = whole;
        let mut whole = first_of(groups);
        // Where each of the tests fails that were asked, and what stood against asking others.
        let known: HashSet<String> = whole.located.failures.iter().map(|failure| failure.test.clone()).collect();
        whole.located.failures.extend(located.failures.into_iter().filter(|failure| !known.contains(&failure.test)));
        whole.notes.splice(0..0, notes);
        let mut seen = HashSet::new();
        whole.notes.retain(|note| seen.insert(note.message.clone()));
        Ok(whole)
    }

    /// Groups of tests that one change mends each: fewer than two where that is not shown.
    fn by_what_mends(&self, desk: &Desk, left: &dyn Fn() -> Search, together: Together) -> Result<Vec<Ranked>, Error> {
        let mut rest: Vec<String> = self.in_question().map(str::to_string).collect();
        let mut groups: Vec<Ranked> = Vec::new();
        let mut next = together;
        while let Some(group) = self.mended_together(desk, left, next, &rest)? {
            rest.retain(|test| !group.tests.contains(test));
            groups.push(group);
            if rest.is_empty() || groups.len() == MOST_GROUPS || left().limit.is_zero() {
                break;
            }
            next = self.about(&rest).rank_together(desk, &left())?;
        }
        Ok(groups)
    }

    /// The tests that one change mends, of those that are left, ranked; none where there is no such change. `together`: what was said of
    /// those that are left.
    fn mended_together(
        &self,
        desk: &Desk,
        left: &dyn Fn() -> Search,
        mut together: Together,
        rest: &[String],
    ) -> Result<Option<Ranked>, Error> {
        let mut ranked = rest.len();
        if !together.strangers.is_empty() {
            let mine = |test: &&String| !together.strangers.contains(test);
            let mine: Vec<String> = together.asked.iter().filter(mine).cloned().collect();
            if mine.is_empty() {
                return Ok(None);
            }
            ranked = mine.len();
            together = self.about(&mine).rank_together(desk, &left())?;
        }
        // A change that mends a test of a group before means that these are no faults apart.
        let mut others = self.in_question().filter(|test| !rest.iter().any(|left| left == test));
        if others.any(|test| together.mended.contains(test)) || !together.strangers.is_empty() {
            return Ok(None);
        }
        let tests: Vec<String> = rest.iter().filter(|test| together.mended.contains(*test)).cloned().collect();
        if tests.is_empty() {
            return Ok(None);
        }
        if tests.len() != ranked {
            together = self.about(&tests).rank_together(desk, &left())?;
        }
        Ok(Some(Ranked { tests, apart: Apart::Mended, ranking: together.ranking }))
    }

    /// Groups of tests that die at one place of the program each: fewer than two where some do not die there.
    fn by_symptom(&self, desk: &Desk, left: &dyn Fn() -> Search) -> Result<Vec<Ranked>, Error> {
        let names: HashSet<&str> = self.in_question().collect();
        let mut by: BTreeMap<Symptom, Vec<String>> = BTreeMap::new();
        for test in self.executed.iter().filter(|test| names.contains(test.result.name.as_str())) {
            let Some(symptom) = symptom(desk, test) else { return Ok(Vec::new()) };
            by.entry(symptom).or_default().push(test.result.name.clone());
        }
        if by.len() < 2 {
            return Ok(Vec::new());
        }
        let mut groups: Vec<Vec<String>> = by.into_values().collect();
        groups.sort_by_key(|tests| std::cmp::Reverse(tests.len()));
        let mut ranked = Vec::new();
        for tests in groups.into_iter().take(MOST_GROUPS) {
            let ranking = self.about(&tests).rank_together(desk, &left())?.ranking;
            ranked.push(Ranked { tests, apart: Apart::Symptom, ranking });
        }
        Ok(ranked)
    }
}

/// Where a test dies, as its own output says: file and line.
type Symptom = (String, u32);

/// Where a test dies, if its output names a place that is no code of tests: a failed assertion, a panic, a sanitizer's report.
fn symptom(desk: &Desk, test: &Executed) -> Option<Symptom> {
    let texts = [&test.result.stderr, &test.result.stdout].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let executed: BTreeSet<Symptom> =
        test.hits.iter().map(|hit| (convert::relative(&desk.project, &hit.position.file), hit.position.line)).collect();
    let named = texts.iter().flat_map(|text| text.lines()).filter(|line| tells_a_death(line)).find_map(place)?;
    // Only what can be at fault is among what a test executes here.
    executed.into_iter().find(|(file, line)| *line == named.1 && (named.0.ends_with(file) || file.ends_with(&named.0)))
}

/// Whether a line is a failed assertion's, a panic's or a sanitizer's.
fn tells_a_death(line: &str) -> bool {
    let is_assertion = line.contains("Assertion") && line.contains("failed");
    is_assertion || line.contains(" panicked at ") || line.starts_with("SUMMARY: ")
}

/// The first `FILE:LINE` of a line.
fn place(line: &str) -> Option<Symptom> {
    line.split_whitespace().find_map(|word| {
        let mut parts = word.split(':');
        let (before, file) = (parts.next()?, parts.next());
        // `./program: file.c:12: ...` has the program's name in a word of its own.
        let number: u32 = file?.parse().ok()?;
        before.contains('.').then(|| (before.trim_start_matches("./").to_string(), number))
    })
}

/// The ranking of the group with the most tests, with the others in it.
fn first_of(mut groups: Vec<Ranked>) -> Ranking {
    groups.sort_by_key(|group| std::cmp::Reverse(group.tests.len()));
    let mut groups = groups.into_iter();
    let mut told = Vec::new();
    let Some(first) = groups.next() else { return Ranking::default() };
    told.push(Group { tests: first.tests, apart: first.apart, findings: Vec::new() });
    let mut whole = first.ranking;
    for group in groups {
        whole.notes.push(another(&group, &told[0].tests));
        let mut findings = group.ranking.located.findings;
        findings.truncate(MOST_FINDINGS);
        told.push(Group { tests: group.tests, apart: group.apart, findings });
        whole.cut |= group.ranking.cut;
        whole.notes.extend(group.ranking.notes);
    }
    whole.located.groups = told;
    whole
}

/// That a group has a fault of its own, and where that is most likely.
fn another(group: &Ranked, first: &[String]) -> Problem {
    let names = some_of(&group.tests);
    let verb = if group.tests.len() == 1 { "seems" } else { "seem" };
    let reason = match group.apart {
        Apart::Mended => format!("what mends {} does not mend them", some_of(first)),
        Apart::Symptom => format!("{} fail at another place", some_of(first)),
    };
    let text = format!("{names} {verb} to have another fault ({reason})");
    let help = format!("`whydunit locate {}` ranks what is of them", group.tests.join(" "));
    let found = group.ranking.located.findings.first();
    let text = match found {
        Some(found) => {
            format!("{text}, most likely at {}:{} in {}", found.location.file, found.location.line, found.function)
        }
        None => text,
    };
    Problem::new(text).help(help)
}

/// Names of tests, a few of many.
fn some_of(names: &[String]) -> String {
    prepare::some_of(names).unwrap_or_default()
}

/// That tests may fail by another fault than the others do.
fn strangers(tests: &[String], asked: usize) -> Option<Problem> {
    let (first, names) = (tests.first()?, tests.join(", "));
    let text = format!(
        "{} of {asked} failing tests may have another fault ({names}): what mends the others does not mend it",
        tests.len()
    );
    Some(Problem::new(text).help(format!("`whydunit locate {first}` asks about it alone")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_deaths_are_read_from_what_programs_print() {
        let place = |line: &str| {
            assert!(tells_a_death(line), "{line}");
            place(line)
        };
        assert_eq!(place("p: src/a.c:12: run: Assertion `n > 0' failed."), Some(("src/a.c".into(), 12)));
        assert_eq!(place("thread 'main' panicked at src/lib.rs:7:13:"), Some(("src/lib.rs".into(), 7)));
        let report = "SUMMARY: AddressSanitizer: heap-use-after-free /home/me/list.c:30:5 in drop";
        assert_eq!(place(report), Some(("/home/me/list.c".into(), 30)));
        assert!(!tells_a_death("list.c:30: warning: unused"));
    }
}
