//! A small set of changes whose reverting makes the test pass, the likelier ones first: definitions at first, then the changes in them.

use whydunit_changes::Tree;
use whydunit_delta::{Outcome, Set, Test as _, progression, union};

use super::work::{Help, Working, chosen, sorted};
use crate::Error;

/// So many builds are spent on parts of definitions that cannot be built together, twice as many where there are no more causes to come.
const PARTS: u64 = 10;
/// Of more changes than this the files that matter are told first.
const MANY: usize = 64;
/// Changes of a definition take hardly any others along when these are so many at most.
const LITTLE: usize = 8;
/// Of so many definitions syntax trees tell what goes with them.
const WEIGHED: usize = 64;

impl Working<'_> {
    /// A small set of these changes, the likelier ones first, whose reverting makes the test pass, with what has to be reverted with
    /// them; none where none is found.
    pub fn culprits(&mut self, changes: &[usize]) -> Result<Option<Set>, Error> {
        let mut gathered = self.needs.gathered(changes);
        if gathered.is_empty() {
            return Ok(None);
        }
        if self.help == Help::Trials && gathered.len() > MANY {
            gathered = self.by_files(gathered)?;
        }
        let rank = |change: &usize| changes.iter().position(|other| other == change);
        let mut units = self.needs.units(&gathered);
        units.iter_mut().for_each(|unit| unit.sort_by_key(rank));
        let (light, heavy) = self.by_weight(units);
        if let Some(part) = self.passing(&light)? {
            let found = self.shortest(&part, &[])?.unwrap_or_else(|| (0..part.len()).collect());
            return self.of_units(found.into_iter().map(|unit| part[unit].clone()).collect()).map(Some);
        }
        // While there are more causes to come what takes many others along is not tried: nearly everything mends with enough of them.
        if self.help < Help::Trials {
            return Ok(None);
        }
        // Where all of them fail as before no part of them helps. Where they cannot be built parts may.
        if self.test(&sorted(&gathered))? == Outcome::Fail {
            return Ok(None);
        }
        let units = [light, heavy].concat();
        let Some(found) = self.shortest(&units, &[])? else { return Ok(None) };
        self.of_units(found.iter().map(|&unit| units[unit].clone()).collect()).map(Some)
    }

    /// Those of these changes, in their order, that are in files whose changes have to be reverted as a whole: whole files can be built where
    /// parts of them cannot. All where no files are told.
    fn by_files(&mut self, changes: Vec<usize>) -> Result<Vec<usize>, Error> {
        let mut files: Vec<(&str, Vec<usize>)> = Vec::new();
        let all = self.changes;
        for &change in &changes {
            let file = &all.list[change].file[..];
            match files.iter_mut().find(|(known, _)| *known == file) {
                Some((_, own)) => own.push(change),
                None => files.push((file, vec![change])),
            }
        }
        if files.len() < 2 {
            return Ok(changes);
        }
        let parts: Vec<Vec<usize>> = files.into_iter().map(|(_, own)| own).collect();
        Ok(self.shortest(&parts, &[])?.map_or(changes, |found| {
            // They are in order of the likeliest file, and in their own order in each.
            found.iter().flat_map(|&file| parts[file].clone()).collect()
        }))
    }

    /// Definitions whose changes take hardly any others along, and the rest, both in their order. Of the likeliest that is told by syntax
    /// trees, of the others by what is known of names.
    fn by_weight(&mut self, units: Vec<Vec<usize>>) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let (mut light, mut heavy) = (Vec::new(), Vec::new());
        for (number, unit) in units.into_iter().enumerate() {
            let set = sorted(&unit);
            let whole = if number < WEIGHED { self.completed(&set) } else { self.closed(&set) };
            let is_light = whole.len() <= set.len() + LITTLE && !self.unbuilt.contains(&set);
            if is_light { &mut light } else { &mut heavy }.push(unit);
        }
        (light, heavy)
    }

    /// Definitions with whose changes reverted the test passes: all of these, or where that cannot be built the first part that can, halves of
    /// halves. What can be built and fails as before is done with.
    fn passing(&mut self, units: &[Vec<usize>]) -> Result<Option<Vec<Vec<usize>>>, Error> {
        let builds = if self.help < Help::Trials { PARTS } else { 2 * PARTS };
        let most = self.counts().builds + builds;
        let mut open: Vec<&[Vec<usize>]> = vec![units];
        while let Some(part) = open.pop().filter(|part| !part.is_empty()) {
            let set = sorted(&part.concat());
            // What cannot be reverted with these may be with others.
            let stuck = self.stuck.clone();
            // Of several that cannot be built together parts say more than what else would have to be reverted with them.
            match if part.len() > 1 { self.once(&set)? } else { self.test(&set)? } {
                Outcome::Pass => return Ok(Some(part.to_vec())),
                Outcome::Unresolved if part.len() > 1 && self.counts().builds < most => {
                    let (first, second) = part.split_at(part.len() / 2);
                    open.extend([second, first]);
                }
                Outcome::Unresolved => {
                    self.stuck = stuck;
                    self.unbuilt.insert(set);
                }
                Outcome::Fail => {}
            }
        }
        Ok(None)
    }

    /// Of definitions whose changes together make the test pass the changes that are needed, one definition after the other.
    fn of_units(&mut self, mut rest: Vec<Vec<usize>>) -> Result<Set, Error> {
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
        Ok(root)
    }

    /// Which of these parts have to be reverted, the likeliest first, when some changes are in any case.
    fn shortest(&mut self, parts: &[Vec<usize>], fixed: &[usize]) -> Result<Option<Set>, Error> {
        let set = |numbers: &[usize]| {
            union(fixed, &sorted(&numbers.iter().flat_map(|&part| parts[part].clone()).collect::<Vec<_>>()))
        };
        let first: Vec<Set> = [1, 3, 7]
            .into_iter()
            .filter(|&size| size <= parts.len())
            .map(|size| set(&(0..size).collect::<Set>()))
            .collect();
        self.ahead(&first)?;
        progression(parts.len(), &mut |numbers: &[usize]| self.test(&set(numbers)))
    }

    /// Has the versions built side by side that are tried next, one for each of these sets.
    fn ahead(&mut self, sets: &[Set]) -> Result<(), Error> {
        let many = self.shop.side_by_side(sets.len());
        if many < 2 || self.help == Help::None || self.most.is_some() {
            return Ok(());
        }
        let mut trees: Vec<Tree> = Vec::new();
        for set in sets.iter().take(many) {
            let tree = self.changes.reverted(&self.completed(set));
            trees.extend(Some(tree).filter(|tree| self.syntax.error(tree).is_none()));
        }
        Ok(self.shop.try_ahead(&trees)?)
    }
}
