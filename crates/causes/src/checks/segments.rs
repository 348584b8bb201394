//! A run cut into its checks: which calls they are, and which of them fail.

use std::collections::{HashMap, HashSet};

use whydunit_replay::FuncId;

use super::calls::Call;

/// So many checks that pass are as good as passing tests.
const FEWEST: usize = 8;
/// Of so many checks one fails at most: where more do, it is not the checks that tell.
const EACH: usize = 4;

/// Checks that fail do so many times as much as those that pass, at most.
const PART: u64 = 50;

/// Something that tells of a failing check.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notice {
    /// Instructions executed when it had not happened yet, and no call began or ended since.
    pub time: u64,
    /// The innermost call under way then that is kept.
    pub within: Option<u32>,
}

/// Which calls of tests are checks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    /// Those of this function.
    Function(FuncId),
    /// Those from this place.
    Site(FuncId, u32),
    /// All that this function makes.
    By(FuncId),
}

impl Key {
    fn of(call: &Call) -> [Option<Key>; 2] {
        [Some(Key::Function(call.callee)), call.site.map(|(function, pc)| Key::Site(function, pc))]
    }

    /// Whether a call of `callee` from `site` is one of them.
    fn holds(self, callee: FuncId, site: Option<(FuncId, u32)>) -> bool {
        match self {
            Key::Function(function) => callee == function,
            Key::Site(function, pc) => site == Some((function, pc)),
            Key::By(function) => site.is_some_and(|(caller, _)| caller == function),
        }
    }
}

/// The checks of a run, in its order.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    pub key: Key,
    /// The functions that they call.
    callees: HashSet<FuncId>,
    /// The functions that make them.
    callers: HashSet<FuncId>,
    /// The call from which each is made, by number.
    pub parents: Vec<Option<u32>>,
    /// Those that fail, by number, in order.
    pub failing: Vec<usize>,
}

impl Segments {
    /// Whether a call of a function is a check, but for those within others.
    pub fn is_check(&self, callee: FuncId, site: Option<(FuncId, u32)>) -> bool {
        self.callees.contains(&callee)
            && site.is_some_and(|(caller, _)| self.callers.contains(&caller))
            && self.key.holds(callee, site)
    }

    /// How many pass.
    pub fn passing(&self) -> usize {
        self.parents.len() - self.failing.len()
    }

    /// The calls that are checks by `key`, those within others left out, where what was noticed tells them apart: in some of them, or behind
    /// them in what calls them, and mostly once for each. `None` where too few pass beside those.
    pub fn by(key: Key, calls: &[Call], noticed: &[Notice]) -> Option<Self> {
        let (mut own, mut callers, mut callees): (Vec<&Call>, _, _) = (Vec::new(), HashSet::new(), HashSet::new());
        for call in calls.iter().filter(|call| call.by_test && key.holds(call.callee, call.site)) {
            callers.extend(call.site.map(|(caller, _)| caller));
            callees.insert(call.callee);
            if own.last().is_none_or(|last| last.end <= call.start) {
                own.push(call);
            }
        }
        // What is noticed behind the last one may be noticed of any.
        let is_told = |notice: &Notice, number: usize| {
            let call = own[number];
            notice.time <= call.end || number + 1 < own.len() && notice.within == call.parent
        };
        let before = |notice: &Notice| {
            let number = own.partition_point(|call| call.start <= notice.time).checked_sub(1)?;
            is_told(notice, number).then_some(number)
        };
        let mut failing: Vec<usize> = noticed.iter().filter_map(before).collect();
        failing.sort_unstable();
        failing.dedup();
        let parents: Vec<Option<u32>> = own.iter().map(|call| call.parent).collect();
        let tells = !failing.is_empty()
            && parents.len() >= FEWEST + failing.len()
            && failing.len() * EACH <= own.len()
            && failing.len() * 2 > noticed.len()
            && are_alike(&own, &failing);
        tells.then(|| Self { key, callees, callers, parents, failing })
    }

    /// The checks by what was noticed: the calls of a function, or those from one place, that tells apart the innermost call in which
    /// something was noticed last, when `stack` was under way; with `beside`, else the call just before it, or the calls that do most of
    /// the work of what was under way; else all calls of what was under way.
    pub fn of(calls: &[Call], stack: &[u32], noticed: &[Notice], beside: bool) -> Option<Self> {
        let last = noticed.last()?.time;
        let around = stack.iter().rev().flat_map(|&call| Key::of(&calls[call as usize]));
        let just_before = || {
            let own = stack.last().copied()?;
            let of_own = |call: &&Call| call.parent == Some(own) && call.end <= last;
            calls.iter().filter(of_own).max_by_key(|call| call.end)
        };
        let before = just_before().filter(|_| beside).into_iter().flat_map(Key::of);
        let heavy = stack.iter().rev().filter(|_| beside).flat_map(|&call| heaviest(calls, call, last)).map(Some);
        let all = stack.iter().rev().skip(usize::from(!beside)).map(|&call| Some(Key::By(calls[call as usize].callee)));
        let mut tried: Vec<Key> = Vec::new();
        for key in around.chain(before).chain(heavy).chain(all).flatten() {
            if tried.contains(&key) {
                continue;
            }
            tried.push(key);
            if let Some(segments) = Self::by(key, calls, noticed) {
                return Some(segments);
            }
        }
        None
    }
}

/// Whether checks that pass do as much as those that fail, or at least a part of it, on average: else they are something else.
fn are_alike(checks: &[&Call], failing: &[usize]) -> bool {
    let work = |call: &Call| call.end.saturating_sub(call.start);
    let ended = |number: &usize| checks[*number].end != u64::MAX;
    let fails: Vec<u64> = failing.iter().filter(|number| ended(number)).map(|&number| work(checks[number])).collect();
    let all = (0..checks.len()).filter(|number| ended(number) && failing.binary_search(number).is_err());
    let passes: Vec<u64> = all.map(|number| work(checks[number])).collect();
    let mean = |of: &[u64]| of.iter().sum::<u64>() / (of.len() as u64).max(1);
    mean(&fails) <= PART * mean(&passes).max(1)
}

/// What a call calls by then, that which takes most instructions first.
fn heaviest(calls: &[Call], parent: u32, until: u64) -> Vec<Key> {
    let mut work: HashMap<Key, u64> = HashMap::new();
    for call in calls.iter().filter(|call| call.parent == Some(parent) && call.start <= until) {
        for key in Key::of(call).into_iter().flatten() {
            *work.entry(key).or_default() += call.end.min(until).saturating_sub(call.start);
        }
    }
    let mut keys: Vec<(Key, u64)> = work.into_iter().collect();
    keys.sort_by_key(|&(key, work)| {
        let order = match key {
            Key::Function(function) => (0, function.0, 0),
            Key::Site(function, pc) => (1, function.0, pc),
            Key::By(function) => (2, function.0, 0),
        };
        (std::cmp::Reverse(work), order)
    });
    keys.truncate(2);
    keys.into_iter().map(|(key, _)| key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(callee: u32, site: (u32, u32), parent: Option<u32>, start: u64, end: u64) -> Call {
        Call { callee: FuncId(callee), site: Some((FuncId(site.0), site.1)), parent, by_test: true, start, end }
    }

    /// `main` (0) calls a check (1) twelve times, each time from another place, with some work (2) before each.
    fn run() -> Vec<Call> {
        let mut calls = vec![Call { site: None, by_test: false, ..call(0, (9, 9), None, 0, u64::MAX) }];
        for number in 0..12 {
            let start = 10 + 100 * u64::from(number);
            calls.push(call(2, (0, 2 * number), Some(0), start, start + 50));
            calls.push(call(1, (0, 2 * number + 1), Some(0), start + 60, start + 70));
        }
        calls
    }

    #[test]
    fn the_check_is_the_call_in_which_something_is_noticed() {
        let calls = run();
        let at = |time, within| [Notice { time, within: Some(within) }];
        // In the fifth check.
        let segments = Segments::of(&calls, &[0, 10], &at(475, 10), true).expect("checks");
        assert_eq!((segments.key, segments.passing(), segments.failing), (Key::Function(FuncId(1)), 11, vec![4]));
        // Behind it.
        let segments = Segments::of(&calls, &[0], &at(485, 0), true).expect("checks");
        assert_eq!((segments.key, segments.failing), (Key::Function(FuncId(1)), vec![4]));
        assert!(Segments::of(&calls, &[0], &at(485, 0), false).is_none());
        // In something else.
        assert!(Segments::by(Key::Function(FuncId(1)), &calls, &at(485, 3)).is_none());
    }

    #[test]
    fn calls_of_which_many_fail_or_few_pass_are_no_checks() {
        let calls = run();
        let notice = |time| Notice { time, within: Some(0) };
        let noticed: Vec<Notice> = (0..4).map(|number| notice(75 + 100 * number)).collect();
        assert!(Segments::by(Key::Function(FuncId(1)), &calls, &noticed).is_none());
        assert!(Segments::by(Key::Function(FuncId(1)), &calls[..15], &[notice(475)]).is_none());
        assert!(Segments::by(Key::Function(FuncId(1)), &calls, &[notice(5)]).is_none());
        let often = [notice(470), notice(472), notice(474)];
        assert!(Segments::by(Key::Function(FuncId(1)), &calls, &often).is_none());
        let within: Vec<Call> = (0..20).map(|number| call(1, (1, 0), None, number, 1000)).collect();
        assert!(Segments::by(Key::Function(FuncId(1)), &within, &[notice(15)]).is_none());
    }
}
