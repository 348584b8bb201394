//! A set of changes with which the test passes made less, as a whole. Most of its subsets cannot be built: what a failed build says tells
//! what has to be kept with what is kept.

use std::collections::BTreeSet;

use whydunit_delta::{Set, without};
use whydunit_variants::Verdict;

use super::blame;
use super::complaints::complaints;
use super::work::Working;
use crate::Error;

/// So many builds are tried to keep a part of a set.
const ROUNDS: usize = 2;

impl Working<'_> {
    /// What is left of a set with which the test passes, when nothing of it is reverted in vain: large parts are kept first, then
    /// small ones, the least likely first, each with what cannot be reverted without it. What is `fixed` is reverted in any case.
    pub fn shed(&mut self, mut whole: Set, fixed: &[usize], likely: &[usize]) -> Result<Set, Error> {
        // Others than those that are likely come before them.
        let rank = |change: &usize| likely.iter().position(|other| other == change).unwrap_or(usize::MAX);
        let mut order = without(&whole, fixed);
        if order.is_empty() {
            return Ok(whole);
        }
        order.sort_by_key(|change| std::cmp::Reverse(rank(change)));
        let mut fails: Vec<Set> = Vec::new();
        let mut size = order.len().div_ceil(2);
        loop {
            let before = whole.len();
            for part in order.chunks(size) {
                let part: BTreeSet<usize> = part.iter().copied().filter(|change| whole.contains(change)).collect();
                if let Some(rest) = self.keeping(&whole, fixed, part, &mut fails)? {
                    whole = rest;
                }
            }
            order.retain(|change| whole.contains(change));
            if size == 1 && whole.len() == before || order.len() <= usize::from(fixed.is_empty()) {
                break;
            }
            size = size.div_ceil(2).min(order.len());
        }
        if fixed.is_empty() {
            self.least.insert(whole.clone());
        }
        Ok(whole)
    }

    /// What is still to be reverted of a set when a part of it is kept, with what has to be kept then; none where the test does not pass
    /// so. `fails` are sets with which it does not.
    fn keeping(
        &mut self,
        whole: &[usize],
        fixed: &[usize],
        mut kept: BTreeSet<usize>,
        fails: &mut Vec<Set>,
    ) -> Result<Option<Set>, Error> {
        if kept.is_empty() {
            return Ok(None);
        }
        let mut builds = 0;
        while builds < ROUNDS {
            let needs_kept = |change: &usize| self.needs.closure(&[*change]).iter().any(|other| kept.contains(other));
            let rest: Set = whole.iter().copied().filter(|change| !needs_kept(change)).collect();
            let is_less = |set: &Set| rest.iter().all(|change| set.binary_search(change).is_ok());
            let lacks = fixed.iter().any(|change| rest.binary_search(change).is_err());
            if rest.is_empty() || lacks || fails.iter().any(is_less) {
                return Ok(None);
            }
            let lacking = self.lacking(&rest);
            if !lacking.is_empty() {
                let spared = blame::spared(self.changes, &self.needs, &rest, &lacking);
                let before = kept.len();
                kept.extend(spared.more);
                if self.needs.learn(&spared.rules) || kept.len() > before {
                    continue;
                }
            }
            builds += 1;
            let tried = self.version(&rest)?;
            match tried.verdict {
                Verdict::Pass => return Ok(Some(rest)),
                Verdict::Fail | Verdict::Other => {
                    fails.push(rest);
                    return Ok(None);
                }
                Verdict::NotBuilt => {
                    let spared = blame::spared(self.changes, &self.needs, &rest, &complaints(&tried.says));
                    let before = kept.len();
                    kept.extend(spared.more);
                    if !self.needs.learn(&spared.rules) && kept.len() == before {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(None)
    }
}
