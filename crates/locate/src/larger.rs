//! Sets of several statements, in the order of their cost, by implicit hitting sets.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use whydunit_solve::correction::{self, Oracle, Verdict, enumerate};
use whydunit_symbolic::{Relaxation, StatementId};

use crate::Error;
use crate::candidate::{Decision, Search};
use crate::formula::{Formula, Solution};
use crate::question::Stopped;

/// A formula of more terms than this, with all statements relaxed, is not asked for cores: that would take longer than
/// looking at the candidates one by one.
const LARGE: usize = 20_000;

/// A candidate whose formulas follow the run for so many instructions counts as one more.
const FOLLOWED: u64 = 100_000;

/// Statements of which one must change: exploring more ways only makes formulas harder, so cores stay cores. When more
/// statements are relaxed, one of the new ones will do as well.
#[derive(Default)]
struct Cores {
    cores: Vec<BTreeSet<StatementId>>,
    universe: BTreeSet<StatementId>,
}

impl Cores {
    /// These statements are relaxed now.
    fn universe(&mut self, statements: &[StatementId]) {
        let new: Vec<StatementId> =
            statements.iter().copied().filter(|statement| !self.universe.contains(statement)).collect();
        for core in &mut self.cores {
            core.extend(&new);
        }
        self.universe.extend(new);
    }
}

/// Decides sets of all sizes, until there are no more within the bounds. Statements that only ways beside the run execute
/// are among them, as soon as these ways are gone.
pub(crate) fn enumerate_sets(search: &mut Search<'_, '_>) -> Result<(), Error> {
    let mut cores = Cores::default();
    let mut left = search.settings.most_candidates;
    loop {
        let universe = search.candidates();
        cores.universe(&universe);
        let costs: Vec<u64> = universe.iter().map(|&statement| search.cost(statement)).collect();
        let bounds = correction::Bounds {
            max_size: Some(search.settings.most_statements),
            max_sets: Some(search.settings.most_sets),
            deadline: Some(search.settings.deadline),
        };
        let mut asked = Asked {
            search,
            universe: &universe,
            cores: &mut cores,
            whole: None,
            left: &mut left,
            stop: false,
            error: None,
        };
        let enumeration = enumerate(&costs, &mut asked, &bounds, |_| ControlFlow::Continue(()));
        let Asked { stop, error, .. } = asked;
        if let Some(error) = error {
            return Err(error);
        }
        search.located.stopped = match enumeration.stopped_by {
            _ if stop => Stopped::Candidates,
            correction::StoppedBy::Complete => Stopped::Complete,
            correction::StoppedBy::Size => Stopped::Size,
            correction::StoppedBy::Sets => Stopped::Sets,
            _ => Stopped::Time,
        };
        if stop || search.candidates().len() == universe.len() || search.located.stopped == Stopped::Time {
            return Ok(());
        }
    }
}

/// Trace formulas as an oracle for the enumeration of correction sets. A core comes from one formula in which all statements
/// can be relaxed.
struct Asked<'s, 'a, 'b> {
    search: &'s mut Search<'a, 'b>,
    universe: &'s [StatementId],
    cores: &'s mut Cores,
    whole: Option<Option<Formula>>,
    /// So many candidates more are decided.
    left: &'s mut usize,
    stop: bool,
    error: Option<Error>,
}

impl Oracle for Asked<'_, '_, '_> {
    fn check(&mut self, relaxed: &BTreeSet<usize>) -> Verdict {
        if self.stop || self.error.is_some() {
            // Nothing more can come of this: a core of nothing ends the enumeration.
            return Verdict::Fails { core: BTreeSet::new() };
        }
        let statements: BTreeSet<StatementId> = relaxed.iter().map(|&place| self.universe[place]).collect();
        for core in &self.cores.cores {
            if core.is_disjoint(&statements) {
                let core = core.iter().filter_map(|statement| self.universe.binary_search(statement).ok()).collect();
                return Verdict::Fails { core };
            }
        }
        if !self.search.decided.contains_key(&statements) && statements.len() > 1 {
            if *self.left == 0 {
                self.stop = true;
                return Verdict::Fails { core: BTreeSet::new() };
            }
            *self.left -= 1;
        }
        let followed = self.search.followed;
        let decided = self.decide(relaxed, &statements);
        let more = (self.search.followed - followed) / FOLLOWED;
        *self.left = self.left.saturating_sub(more.try_into().unwrap_or(usize::MAX));
        match decided {
            Ok(verdict) => verdict,
            Err(error) => {
                self.error = Some(error);
                Verdict::Fails { core: BTreeSet::new() }
            }
        }
    }
}

impl Asked<'_, '_, '_> {
    fn decide(&mut self, relaxed: &BTreeSet<usize>, statements: &BTreeSet<StatementId>) -> Result<Verdict, Error> {
        Ok(match self.search.decide(statements)? {
            Decision::Holds { .. } => Verdict::Holds,
            Decision::Fails => Verdict::Fails { core: self.core(relaxed)? },
            Decision::Unknown => Verdict::Unknown,
        })
    }

    /// Statements besides the candidate's of which one must change.
    fn core(&mut self, relaxed: &BTreeSet<usize>) -> Result<BTreeSet<usize>, Error> {
        if self.whole.is_none() {
            let relaxation = Relaxation::selectable(self.universe.iter().copied());
            self.whole = Some({
                let listed = self.search.listed.clone();
                self.search.formula(0, &relaxation, &listed, self.search.settings.deadline)?
            });
        }
        let all = (0..self.universe.len()).filter(|place| !relaxed.contains(place)).collect();
        let Some(Some(formula)) = &mut self.whole else { return Ok(all) };
        if formula.size() > LARGE {
            return Ok(all);
        }
        // Its statements are those of the universe that the formula speaks of.
        let inside: BTreeSet<usize> =
            relaxed.iter().filter_map(|&place| formula.statements.binary_search(&self.universe[place]).ok()).collect();
        let (checks, solving) = (formula.checks, formula.solving);
        let core = match formula.solve(&inside)? {
            Solution::Fails(core) => {
                let core = formula.smaller(core);
                let statements: BTreeSet<StatementId> = core.iter().map(|&place| formula.statements[place]).collect();
                let places =
                    statements.iter().filter_map(|statement| self.universe.binary_search(statement).ok()).collect();
                self.cores.cores.push(statements);
                places
            }
            _ => all,
        };
        self.search.located.solver_calls += formula.checks - checks;
        self.search.located.phases.solve += formula.solving - solving;
        Ok(core)
    }
}
