//! Other changes that would do: what was found by trying alone, without a cause that leads there, may be only what is easiest reverted.

use whydunit_delta::{Set, union};
use whydunit_findings::Exit;
use whydunit_variants::Verdict;

use super::work::{Help, Working};
use crate::failure::Failure;

/// So many are looked for.
const MOST: usize = 2;
/// As many builds are spent on them as on the first answer, and at least so many.
const LEAST_BUILDS: u64 = 20;

impl Working<'_> {
    /// Sets of changes, the likelier first, with which reverted the test passes as well, nothing of the answer or of another among them.
    pub fn alternatives(&mut self, answer: &[usize], likely: &[usize]) -> Result<Vec<Set>, Failure> {
        let bound = self.counts().builds + self.counts().builds.max(LEAST_BUILDS);
        let most = self.most;
        self.most = Some(most.map_or(bound, |most| most.min(bound)));
        let mut found = Vec::new();
        let searched = self.search(answer, likely, &mut found);
        self.most = most;
        match searched {
            Err(failure) if failure.exit == Exit::TimeLimit => Ok(found),
            searched => searched.map(|()| found),
        }
    }

    fn search(&mut self, answer: &[usize], likely: &[usize], found: &mut Vec<Set>) -> Result<(), Failure> {
        self.help = Help::Messages;
        let others: Vec<usize> = likely.iter().copied().filter(|change| !answer.contains(change)).collect();
        for unit in self.needs.units(&self.needs.gathered(&others)) {
            if found.len() == MOST {
                break;
            }
            let is_known = unit.iter().any(|change| found.iter().any(|set| set.contains(change)));
            if is_known || self.closed(&unit)? != Verdict::Pass {
                continue;
            }
            let root = self.narrowed(&unit)?;
            let whole = union(&root, &self.auxiliary_of(&root)?);
            let apart = |set: &[usize]| whole.iter().all(|change| !set.contains(change));
            if apart(answer) && found.iter().all(|set| apart(set)) {
                found.push(whole);
            }
        }
        Ok(())
    }
}
