//! On-demand formulas: the formula grows by the ways that its own answers go, until all answers rest on ways that were
//! gone. BugAssist is the same with all ways at once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use whydunit_replay::{Machine, Snapshot};
use whydunit_solve::Solver;
use whydunit_solve::correction::{self, Oracle, Verdict, enumerate};
use whydunit_symbolic::{
    Arms, Bounds, Failing, Free, Instance, Knowledge, Known, Relaxation, Statement, StatementId, encode, look,
};

use crate::Error;
use crate::formula::{Formula, Solution};

/// Which formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All ways at once, loops unrolled so often.
    BugAssist {
        /// How often a branch may stand inside itself.
        bound: usize,
    },
    /// Ways as answers need them.
    OnDemand,
}

/// How to locate.
pub struct Settings<'a> {
    /// Which formulas.
    pub method: Method,
    /// The cost of changing a statement, at least 1.
    pub cost: &'a dyn Fn(&Statement) -> u64,
    /// Which statements are relaxed first: the smallest.
    pub order: &'a dyn Fn(&Statement) -> u64,
    /// Statements in a set at most.
    pub most_statements: usize,
    /// Sets at most.
    pub most_sets: usize,
    /// Iterations at most.
    pub most_iterations: usize,
    /// When to stop.
    pub deadline: Instant,
    /// Time for one question to the solver.
    pub question: Duration,
    /// Bounds of one encoding.
    pub bounds: Bounds,
    /// Makes a solver.
    pub solver: &'a dyn Fn() -> Box<dyn Solver>,
    /// Told after each iteration: its number and the sets so far.
    pub progress: &'a dyn Fn(u64, usize),
}

/// A value that would have made the run pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The value.
    pub free: Free,
    /// What it would have to be.
    pub now: u64,
    /// How many values of the statement change.
    pub times: usize,
}

/// A correction set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorrectionSet {
    /// Its statements.
    pub statements: Vec<StatementId>,
    /// Its cost.
    pub cost: u64,
    /// It rests on explored ways only.
    pub confirmed: bool,
    /// For each statement a value that changes.
    pub witness: Vec<Change>,
}

/// Why the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// There is nothing more to find.
    Complete,
    /// There may be sets of more statements.
    Size,
    /// There are more sets.
    Sets,
    /// There are unexplored ways.
    Iterations,
    /// Time is up.
    Time,
    /// The formula became too large.
    Terms,
}

/// Time by what it was spent on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Phases {
    /// Replaying and encoding.
    pub encode: Duration,
    /// Solving.
    pub solve: Duration,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    /// Sets of the last iteration, cheapest first.
    pub sets: Vec<CorrectionSet>,
    /// Iterations.
    pub iterations: u64,
    /// Ways explored, the run among them.
    pub paths: u64,
    /// Outcomes of open branches that were explored.
    pub branches_explored: u64,
    /// All outcomes of open branches.
    pub branches_total: u64,
    /// Questions to the solver.
    pub solver_calls: u64,
    /// Terms of the last formula.
    pub terms: usize,
    /// Why it ended.
    pub stopped: Stopped,
    /// Candidates that were not decided in time.
    pub unanswered: u64,
    /// What was left out.
    pub notes: BTreeSet<String>,
    /// Time.
    pub phases: Phases,
}

/// A formula of more terms than this, with all statements relaxed, is not asked for cores: that would take longer than
/// looking at the candidates one by one.
const LARGE: usize = 20_000;

/// The statements that a first formula relaxes; each further one twice as many.
const FIRST: usize = 12;

/// Locates the fault of one failing run.
///
/// The formula relaxes the cheapest statements first: all others are what they are, so that only what depends on the relaxed
/// ones is symbolic. Sets that cost no more than the cheapest statement left out are final; then more are relaxed.
pub fn locate(
    machine: &mut Machine,
    start: &Snapshot,
    knowledge: &mut Knowledge,
    failing: &Failing,
    settings: &Settings<'_>,
) -> Result<Located, Error> {
    let mut failing = failing.clone();
    let look = look(machine, start, knowledge, &failing)?;
    failing.open = look.open;
    let mut search = Search {
        machine,
        start,
        knowledge,
        failing: &failing,
        settings,
        listed: HashSet::new(),
        cores: Cores::default(),
        executed: look.executed.into_iter().collect(),
        confirmed: HashMap::new(),
        located: Located {
            sets: Vec::new(),
            iterations: 0,
            paths: 1,
            branches_explored: 0,
            branches_total: 0,
            solver_calls: 0,
            terms: 0,
            stopped: Stopped::Complete,
            unanswered: 0,
            notes: BTreeSet::new(),
            phases: Phases::default(),
        },
    };
    let mut most = FIRST;
    loop {
        search.level(most)?;
        let all = search.executed.len() <= most;
        let over = !matches!(search.located.stopped, Stopped::Complete | Stopped::Size);
        if all || over || Instant::now() >= settings.deadline {
            if !all && !over {
                search.located.stopped = Stopped::Time;
            }
            return Ok(search.located);
        }
        most *= 2;
    }
}

struct Search<'a, 'b> {
    machine: &'a mut Machine,
    start: &'a Snapshot,
    knowledge: &'a mut Knowledge,
    failing: &'a Failing,
    settings: &'a Settings<'b>,
    listed: HashSet<(Instance, u32)>,
    cores: Cores,
    /// Statements met, on the run and beside it.
    executed: BTreeSet<StatementId>,
    /// Sets that rest on explored ways: they stay what they are.
    confirmed: HashMap<BTreeSet<StatementId>, CorrectionSet>,
    located: Located,
}

impl Search<'_, '_> {
    fn cost(&self, statement: StatementId) -> u64 {
        self.knowledge.statements.get(statement).map_or(1, self.settings.cost).max(1)
    }

    /// The statements that come first.
    fn relaxed(&self, most: usize) -> Vec<StatementId> {
        let order =
            |statement: StatementId| self.knowledge.statements.get(statement).map_or(u64::MAX, self.settings.order);
        let mut relaxed: Vec<StatementId> = self.executed.iter().copied().collect();
        relaxed.sort_by_key(|&statement| (order(statement), statement));
        relaxed.truncate(most);
        relaxed.sort_unstable();
        relaxed
    }

    fn formula(&mut self, relaxation: &Relaxation) -> Result<Option<Formula>, Error> {
        let arms = match self.settings.method {
            Method::BugAssist { bound } => Arms::All { bound },
            Method::OnDemand => Arms::Listed(self.listed.clone()),
        };
        let started = Instant::now();
        let encoding =
            encode(self.machine, self.start, self.knowledge, relaxation, &arms, self.failing, self.settings.bounds)?;
        self.located.phases.encode += started.elapsed();
        self.located.terms = self.located.terms.max(encoding.pool.len());
        self.located.notes.extend(encoding.notes.iter().cloned());
        self.executed.extend(&encoding.executed);
        let ways = encoding.branches.iter().flat_map(|branch| &branch.others);
        let explored = ways.clone().filter(|way| way.known == Known::Explored).count() as u64;
        let open = encoding.branches.len() as u64;
        self.located.branches_total = self.located.branches_total.max(open + ways.count() as u64);
        self.located.branches_explored = self.located.branches_explored.max(open + explored);
        if encoding.full {
            return Ok(None);
        }
        Formula::new(encoding, (self.settings.solver)(), self.settings.deadline, self.settings.question).map(Some)
    }

    /// Takes the sets of an iteration; where it was cut short those of the one before that it did not come to as well.
    fn keep(&mut self, sets: Vec<CorrectionSet>, cut: bool) {
        let before = std::mem::replace(&mut self.located.sets, sets);
        if cut {
            let now: HashSet<Vec<StatementId>> = self.located.sets.iter().map(|set| set.statements.clone()).collect();
            self.located.sets.extend(before.into_iter().filter(|set| !now.contains(&set.statements)));
            self.located.sets.sort_by_key(|set| set.cost);
        }
    }

    /// Searches among the `most` statements that come first, until all answers rest on explored ways.
    fn level(&mut self, most: usize) -> Result<(), Error> {
        loop {
            self.located.iterations += 1;
            let relaxed = self.relaxed(most);
            self.cores.universe(&relaxed);
            let costs: Vec<u64> = relaxed.iter().map(|&statement| self.cost(statement)).collect();
            let settings = self.settings;
            let bounds = correction::Bounds {
                max_size: Some(settings.most_statements),
                max_sets: Some(settings.most_sets),
                deadline: Some(settings.deadline),
            };
            let mut asked = Asked {
                search: self,
                universe: relaxed.clone(),
                costs: costs.clone(),
                whole: None,
                sets: Vec::new(),
                ways: Vec::new(),
                error: None,
            };
            let enumeration = enumerate(&costs, &mut asked, &bounds, |_| ControlFlow::Continue(()));
            let Asked { sets, ways, error, .. } = asked;
            if let Some(error) = error {
                return Err(error);
            }
            self.keep(sets, enumeration.stopped_by == correction::StoppedBy::Time);
            self.located.stopped = match enumeration.stopped_by {
                correction::StoppedBy::Complete => Stopped::Complete,
                correction::StoppedBy::Size => Stopped::Size,
                correction::StoppedBy::Sets => Stopped::Sets,
                _ => Stopped::Time,
            };
            (settings.progress)(self.located.iterations, self.located.sets.len());
            let before = self.listed.len();
            self.listed.extend(ways);
            self.located.paths = 1 + self.listed.len() as u64;
            let same = self.listed.len() == before && self.relaxed(most) == relaxed;
            if same || self.located.stopped == Stopped::Time {
                return Ok(());
            }
            if self.located.iterations as usize >= settings.most_iterations {
                self.located.stopped = Stopped::Iterations;
                return Ok(());
            }
            if Instant::now() >= settings.deadline {
                self.located.stopped = Stopped::Time;
                return Ok(());
            }
        }
    }
}

/// Statements of which one must change, from all iterations: exploring more ways only makes formulas harder, so cores stay
/// cores. When more statements are relaxed, one of the new ones will do as well.
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

/// Trace formulas as an oracle for the enumeration of correction sets. Each candidate has a formula of its own, in which
/// only what depends on its statements is symbolic; a core comes from one in which all statements can be relaxed.
struct Asked<'s, 'a, 'b> {
    search: &'s mut Search<'a, 'b>,
    universe: Vec<StatementId>,
    costs: Vec<u64>,
    whole: Option<Option<Formula>>,
    sets: Vec<CorrectionSet>,
    ways: Vec<(Instance, u32)>,
    error: Option<Error>,
}

impl Oracle for Asked<'_, '_, '_> {
    fn check(&mut self, relaxed: &BTreeSet<usize>) -> Verdict {
        let statements: BTreeSet<StatementId> = relaxed.iter().map(|&place| self.universe[place]).collect();
        if let Some(set) = self.search.confirmed.get(&statements) {
            self.sets.push(set.clone());
            return Verdict::Holds;
        }
        for core in &self.search.cores.cores {
            if core.is_disjoint(&statements) {
                let core = core.iter().filter_map(|statement| self.universe.binary_search(statement).ok()).collect();
                return Verdict::Fails { core };
            }
        }
        match self.candidate(relaxed, &statements) {
            Ok(verdict) => verdict,
            Err(error) => {
                self.error = Some(error);
                Verdict::Unknown
            }
        }
    }
}

impl Asked<'_, '_, '_> {
    fn candidate(&mut self, relaxed: &BTreeSet<usize>, statements: &BTreeSet<StatementId>) -> Result<Verdict, Error> {
        let relaxation = Relaxation::free(statements.iter().copied());
        let Some(mut formula) = self.search.formula(&relaxation)? else {
            self.search.located.unanswered += 1;
            return Ok(Verdict::Unknown);
        };
        let none = BTreeSet::new();
        let (confirmed, solution) = match formula.solve(&none, true)? {
            Solution::Holds(model) => (true, Solution::Holds(model)),
            _ => (false, formula.solve(&none, false)?),
        };
        let verdict = match solution {
            Solution::Holds(model) => {
                if !confirmed {
                    self.ways.extend(formula.new_ways(&model));
                }
                let model = formula.plain_model(confirmed, model)?;
                let cost = relaxed.iter().map(|&place| self.costs[place]).sum();
                let witness = witness(&formula, &model, statements);
                let set = CorrectionSet { statements: statements.iter().copied().collect(), cost, confirmed, witness };
                if confirmed {
                    self.search.confirmed.insert(statements.clone(), set.clone());
                }
                self.sets.push(set);
                Verdict::Holds
            }
            Solution::Fails(_) => Verdict::Fails { core: self.core(relaxed)? },
            Solution::Unknown => {
                self.search.located.unanswered += 1;
                Verdict::Unknown
            }
        };
        self.search.located.solver_calls += formula.checks;
        self.search.located.phases.solve += formula.solving;
        Ok(verdict)
    }

    /// Statements besides the candidate's of which one must change.
    fn core(&mut self, relaxed: &BTreeSet<usize>) -> Result<BTreeSet<usize>, Error> {
        if self.whole.is_none() {
            let relaxation = Relaxation::selectable(self.universe.iter().copied());
            self.whole = Some(self.search.formula(&relaxation)?);
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
        let core = match formula.solve(&inside, false)? {
            Solution::Fails(core) => {
                let core = formula.smaller(core);
                let statements: BTreeSet<StatementId> = core.iter().map(|&place| formula.statements[place]).collect();
                let places =
                    statements.iter().filter_map(|statement| self.universe.binary_search(statement).ok()).collect();
                self.search.cores.cores.push(statements);
                places
            }
            _ => all,
        };
        self.search.located.solver_calls += formula.checks - checks;
        self.search.located.phases.solve += formula.solving - solving;
        Ok(core)
    }
}

/// For each statement the first value that changes.
fn witness(formula: &Formula, model: &whydunit_terms::Assignment, statements: &BTreeSet<StatementId>) -> Vec<Change> {
    let changes = formula.changes(model);
    let mut out = Vec::new();
    for statement in statements {
        let mut of = changes.iter().filter(|(free, _)| free.statement == *statement);
        let times = of.clone().count();
        if let Some(&(free, now)) = of.next() {
            out.push(Change { free, now, times });
        }
    }
    out
}
