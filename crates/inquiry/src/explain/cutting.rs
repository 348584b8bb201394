//! The changes at fault cut down to the lines that matter (DDCHANGE; Zeller's minimiser over pairs of lines, as for the fixes of a history).

use whydunit_changes::{ChangeKind, Changes, Tree};
use whydunit_delta::{Outcome, Set, sweep, union, without};
use whydunit_findings::{self as findings, Location};
use whydunit_history::{LineChanges, Screened, TestFiles};
use whydunit_variants::Verdict;

use super::told;
use super::work::Working;
use crate::Error;

/// So many versions are tried to spare lines.
const BUILDS: u64 = 16;

/// Changes at fault by the lines that matter.
pub(super) struct Cut {
    /// From the version in which only these lines are reverted, and what goes with them, to the bad one.
    minimal: Changes,
    /// Lines that have to be reverted, and all lines of the changes; those that are comments or empty do not count.
    pub lines: (u64, u64),
    /// Nothing more can be spared, as far as lines are reverted one by one.
    pub complete: bool,
}

impl Working<'_> {
    /// Which lines of the changes at fault have to be reverted, when those that go with them are; none where there is one only, or the
    /// changes are not of lines.
    pub(super) fn cut(&mut self, root: &[usize], auxiliary: &[usize]) -> Result<Option<Cut>, Error> {
        let (mended, kept) = (self.changes.reverted(&union(root, auxiliary)), self.changes.reverted(auxiliary));
        let between = Changes::between(mended, kept, &|_| false);
        let screened = Screened::of(&between, &TestFiles::default());
        let lines = LineChanges::of(&between, &screened);
        let all: Set = (0..lines.len()).collect();
        if all.len() < 2 || !self.passes(&lines.with(&[]))? {
            return Ok(None);
        }
        let most = self.counts().builds + BUILDS;
        let mut complete = true;
        let needed = sweep(&all, &mut |reverted: &[usize]| -> Result<Outcome, Error> {
            if self.counts().builds >= self.most.unwrap_or(u64::MAX).min(most) {
                complete = false;
                return Ok(Outcome::Unresolved);
            }
            let passes = self.passes(&lines.with(&without(&all, reverted)))?;
            Ok(if passes { Outcome::Fail } else { Outcome::Pass })
        })?;
        let least = lines.with(&without(&all, &needed));
        let minimal = Changes::between(least, self.changes.new.clone(), &|_| false);
        Ok(Some(Cut { minimal, lines: (lines.count(&needed).1, lines.count(&all).1), complete }))
    }

    fn passes(&mut self, tree: &Tree) -> Result<bool, Error> {
        Ok(self.try_tree(tree)?.verdict == Verdict::Pass)
    }
}

impl Cut {
    /// What `git apply -R` reverts so that the test passes.
    pub fn patch(&self) -> String {
        let all: Set = (0..self.minimal.list.len()).collect();
        String::from_utf8_lossy(&self.minimal.patch(&all)).into_owned()
    }

    /// A change as it is told, with those of its lines only that matter.
    pub fn told(&self, changes: &Changes, number: usize) -> findings::Change {
        let whole = told(changes, number);
        let ChangeKind::Lines { new: range, .. } = &changes.list[number].kind else { return whole };
        let is_part = |other: &usize| {
            let change = &self.minimal.list[*other];
            let inside = match &change.kind {
                ChangeKind::Lines { new, .. } => range.start <= new.start && new.end <= range.end,
                _ => false,
            };
            inside && change.file == changes.list[number].file
        };
        let parts: Vec<findings::Change> =
            (0..self.minimal.list.len()).filter(is_part).map(|part| told(&self.minimal, part)).collect();
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return whole };
        let location = Location { end_line: last.location.end_line, ..first.location.clone() };
        let diff = parts.iter().map(|part| &part.diff[..]).collect();
        findings::Change { id: whole.id, location, diff }
    }
}
