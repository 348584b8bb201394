//! A small set of changes whose reverting makes the test pass, the likelier ones first: definitions at first, then the changes in them.

use whydunit_changes::Tree;
use whydunit_delta::{Outcome, Set, Test as _, progression, union};

use super::work::{Help, Working, chosen, sorted};
use crate::Error;

/// So many definitions are tried one by one where together they cannot be built.
const ALONE: usize = 6;
/// Changes of a definition take hardly any others along when these are so many at most.
const LITTLE: usize = 8;
/// Of so many definitions syntax trees tell what goes with them.
const WEIGHED: usize = 64;

impl Working<'_> {
    /// A small set of these changes, the likelier ones first, whose reverting makes the test pass, with what has to be reverted with
    /// them; none where none is found.
    pub fn culprits(&mut self, changes: &[usize]) -> Result<Option<Set>, Error> {
        let gathered = self.needs.gathered(changes);
        if gathered.is_empty() {
            return Ok(None);
        }
        let rank = |change: &usize| changes.iter().position(|other| other == change);
        let mut units = self.needs.units(&gathered);
        units.iter_mut().for_each(|unit| unit.sort_by_key(rank));
        let (light, heavy) = self.by_weight(units);
        let together = self.test(&sorted(&light.concat()))?;
        let chosen = match together {
            _ if light.is_empty() => None,
            Outcome::Pass => self.shortest(&light, &[])?,
            Outcome::Fail => None,
            Outcome::Unresolved => self.alone(&light)?.map(|unit| vec![unit]),
        };
        if let Some(chosen) = chosen {
            return self.of_units(chosen.iter().map(|&unit| light[unit].clone()).collect()).map(Some);
        }
        if heavy.is_empty() && (together == Outcome::Fail || self.help < Help::Trials) {
            return Ok(None);
        }
        // Where all of them fail as before no part of them helps. Where they cannot be built parts may, but while there are more causes to
        // come no great effort is made.
        let whole = self.test(&sorted(&gathered))?;
        if whole == Outcome::Fail || whole != Outcome::Pass && self.help < Help::Trials {
            return Ok(None);
        }
        let units = [light, heavy].concat();
        let Some(found) = self.shortest(&units, &[])? else { return Ok(None) };
        self.of_units(found.iter().map(|&unit| units[unit].clone()).collect()).map(Some)
    }

    /// Definitions whose changes take hardly any others along, and the rest, both in their order. Of the likeliest that is told by syntax
    /// trees, of the others by what is known of names.
    fn by_weight(&mut self, units: Vec<Vec<usize>>) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let (mut light, mut heavy) = (Vec::new(), Vec::new());
        for (number, unit) in units.into_iter().enumerate() {
            let set = sorted(&unit);
            let whole = if number < WEIGHED { self.completed(&set) } else { self.closed(&set) };
            if whole.len() <= set.len() + LITTLE { light.push(unit) } else { heavy.push(unit) }
        }
        (light, heavy)
    }

    /// The first of the likeliest definitions whose changes make the test pass.
    fn alone(&mut self, units: &[Vec<usize>]) -> Result<Option<usize>, Error> {
        for (number, unit) in units.iter().enumerate().take(ALONE) {
            if self.test(&sorted(unit))? == Outcome::Pass {
                return Ok(Some(number));
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
