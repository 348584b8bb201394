//! What a mixture of the two versions lacks, told by syntax trees, and what has to be reverted or kept besides so that it does not: most
//! builds that would fail are spared so.

use whydunit_coherence::Lack;
use whydunit_delta::{Set, union, without};

use super::blame;
use super::complaints::Complaint;
use super::work::Working;

/// So often what is lacking leads to more changes.
const ROUNDS: usize = 60;

impl Working<'_> {
    /// What the version without these changes lacks, in the form of what compilers complain of.
    pub(super) fn lacking(&mut self, reverted: &[usize]) -> Vec<Complaint> {
        let mut lacks = self.coherence.lacks(&self.changes.reverted(reverted));
        // What other programs' sources lack is of no account.
        lacks.retain(|lack| lack.places.first().is_none_or(|(file, _)| !self.aside.contains(file)));
        lacks.into_iter().map(complaint).collect()
    }

    /// A set with what has to be reverted with it, as far as that can be told without a build.
    pub(super) fn completed(&mut self, set: &[usize]) -> Set {
        let mut all = self.closed(set);
        for _ in 0..ROUNDS {
            let lacking = self.lacking(&all);
            if lacking.is_empty() {
                break;
            }
            let blamed = blame::blamed(self.changes, &self.needs, &all, &lacking);
            self.needs.learn(&blamed.rules);
            let next = self.closed(&union(&all, &Vec::from_iter(blamed.more)));
            if next.len() == all.len() {
                break;
            }
            all = next;
        }
        all
    }
}

impl Working<'_> {
    /// A set with what is known to go with it, without what was seen to keep others from being built however much goes with it. All that
    /// matter are a version that is built.
    pub(super) fn closed(&self, set: &[usize]) -> Set {
        let mut all = self.needs.closure(set);
        for _ in 0..ROUNDS {
            let holds = |part: &Set| without(part, &all).is_empty();
            let more = self.together.iter().filter(|(who, whom)| holds(who) && !holds(whom));
            let next = more.fold(all.clone(), |all, (_, whom)| union(&all, whom));
            if next.len() == all.len() {
                break;
            }
            all = self.needs.closure(&next);
        }
        // With all that matter reverted a version is built: no others are needed.
        all.retain(|&change| self.matters(change));
        if all.len() == self.matter.len() { all } else { without(&all, &self.stuck) }
    }

    /// More than a set that could not be built, by what was complained of it: for all later sets that hold the changes of it that this is about.
    pub(super) fn taught(&mut self, all: &[usize], said: &[Complaint]) -> Set {
        let blamed = blame::blamed(self.changes, &self.needs, all, said);
        self.needs.learn(&blamed.rules);
        let more = without(&Vec::from_iter(blamed.more), all);
        let about = blame::about(self.changes, &self.needs, all, said);
        if !more.is_empty() && !about.is_empty() {
            self.together.push((about, more.clone()));
        }
        self.completed(&union(all, &more))
    }

    /// Takes in that a version cannot be built, and no more changes help: what is complained of is better kept from now on.
    pub(super) fn give_up(&mut self, reverted: &[usize], said: &[Complaint]) {
        let spared = blame::spared(self.changes, &self.needs, reverted, said);
        self.stuck = union(&self.stuck, &Vec::from_iter(spared.more));
    }
}

/// What a version lacks, in the form of what compilers complain of.
fn complaint(lack: Lack) -> Complaint {
    let Lack { places, names, .. } = lack;
    Complaint { places, names, ..Complaint::default() }
}
