//! A small set of changes whose reverting makes the test pass, the likelier ones first: definitions at first, then the changes in them.

use whydunit_delta::{Outcome, Set, Test as _, progression, union};

use super::work::{Working, chosen, sorted};
use crate::Error;

impl Working<'_> {
    /// A small set of these changes, the likelier ones first, whose reverting makes the test pass, with what has to be reverted with
    /// them; none where all of them do not.
    pub fn culprits(&mut self, changes: &[usize]) -> Result<Option<Set>, Error> {
        let changes = self.needs.gathered(changes);
        if changes.is_empty() || self.test(&sorted(&changes))? != Outcome::Pass {
            return Ok(None);
        }
        let units = self.needs.units(&changes);
        let Some(found) = self.shortest(&units, &[])? else { return Ok(None) };
        // Of each definition the changes that are needed, one definition after the other.
        let mut rest: Vec<Vec<usize>> = found.iter().map(|&unit| units[unit].clone()).collect();
        let mut root = Set::new();
        while let Some(unit) = rest.pop() {
            if unit.len() == 1 {
                root = union(&root, &unit);
                continue;
            }
            let fixed = union(&root, &sorted(&rest.concat()));
            let single: Vec<Vec<usize>> = unit.iter().map(|&change| vec![change]).collect();
            let needed = self.shortest(&single, &fixed)?;
            root = union(&root, &needed.map_or_else(|| sorted(&unit), |needed| chosen(&unit, &needed)));
        }
        Ok(Some(root))
    }

    /// Which of these parts have to be reverted, the likeliest first, when some changes are in any case.
    fn shortest(&mut self, parts: &[Vec<usize>], fixed: &[usize]) -> Result<Option<Set>, Error> {
        let set = |numbers: &[usize]| union(fixed, &sorted(&numbers.iter().flat_map(|&part| parts[part].clone()).collect::<Vec<_>>()));
        progression(parts.len(), &mut |numbers: &[usize]| self.test(&set(numbers)))
    }
}
