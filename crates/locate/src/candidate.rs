//! Whether a set of statements, were their values others, would have made the run pass: its formula grows by the ways that
//! its own answers go, until an answer rests on ways that were gone, or there is none.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Instant;

use whydunit_replay::{FuncId, Machine};
use whydunit_symbolic::{Arms, Bounds, Failing, Instance, Knowledge, Known, Listing, Relaxation, StatementId, encode};

use crate::Error;
use crate::formula::{Formula, Solution};
use crate::operations::Operation;
use crate::prints::Prints;
use crate::question::{Change, Located, Method, Settings, Support, Witness};
use crate::trial::{self, Judge, Runner, Sound, Texts, Visits};
use crate::unasked::Unasked;

/// What was found out about a candidate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// It would, with these values.
    Holds {
        /// For each statement something that changes.
        witness: Vec<Witness>,
        /// What that rests on.
        support: Support,
    },
    /// Whatever its values, the run fails.
    Fails,
    /// Not found out.
    Unknown,
}

/// What formulas have cost.
#[derive(Default)]
pub(crate) struct Spent {
    /// Their terms.
    pub terms: u64,
    /// Values of terms that were worked out while looking near the run.
    pub work: u64,
    /// Terms that the solver was given.
    pub solved: u64,
}

/// A run that fails, and what was found out about it.
pub(crate) struct Search<'a, 'b> {
    pub machine: &'a mut Machine,
    pub knowledge: &'a mut Knowledge,
    pub failing: &'a Failing,
    pub judge: Judge,
    /// What runs that pass may not do to memory, where that is looked at.
    pub sound: Option<Sound>,
    pub listing: Listing,
    /// What the run executes, by statement.
    pub operations: HashMap<StatementId, Vec<Operation>>,
    /// Instructions of the run that formulas were made of.
    pub followed: u64,
    /// What formulas have cost so far.
    pub spent: Spent,
    /// Instructions that trial runs may still execute.
    pub trials_left: u64,
    /// Statements that were given guards.
    pub guarded: usize,
    /// When operations are executed, once that is asked for.
    pub visits: Option<Visits>,
    /// What trial runs know of functions.
    pub known: HashMap<FuncId, trial::Known>,
    pub settings: &'a Settings<'b>,
    /// Ways that are gone besides the run.
    pub listed: HashSet<(Instance, u32)>,
    /// Statements met, on the run and beside it.
    pub executed: BTreeSet<StatementId>,
    /// What candidates were iteration by iteration: whether their formulas could hold.
    pub rounds: BTreeMap<BTreeSet<StatementId>, Vec<bool>>,
    /// More ways only make formulas harder, and what holds on explored ways goes on holding: decisions are final.
    pub decided: HashMap<BTreeSet<StatementId>, Decision>,
    /// What the run prints; none inside where that says nothing, none at all before it was looked at.
    pub prints: Option<Option<Prints>>,
    /// Texts that would make its output right.
    pub texts: Option<Texts>,
    /// Why statements that fail alone as far as formulas speak of them may do it all the same.
    pub unasked: HashMap<StatementId, Unasked>,
    pub located: Located,
}

impl Search<'_, '_> {
    /// The cost of changing a statement.
    pub fn cost(&self, statement: StatementId) -> u64 {
        self.knowledge.statements.get(statement).map_or(1, self.settings.cost).max(1)
    }

    /// Which of two statements is looked at first: the smaller one.
    pub fn order(&self, statement: StatementId) -> u64 {
        self.knowledge.statements.get(statement).map_or(u64::MAX, self.settings.order)
    }

    /// Statements, those that come first in order.
    pub fn in_order(&self, statements: impl IntoIterator<Item = StatementId>) -> Vec<StatementId> {
        let mut ordered: Vec<StatementId> = statements.into_iter().collect();
        ordered.sort_by_cached_key(|&statement| (self.order(statement), statement));
        ordered
    }

    /// Statements met so far that are to be looked at.
    pub fn candidates(&self) -> Vec<StatementId> {
        let wanted =
            |statement: &StatementId| self.knowledge.statements.get(*statement).is_some_and(self.settings.candidate);
        self.executed.iter().copied().filter(wanted).collect()
    }

    /// Time is up.
    pub fn late(&self) -> bool {
        self.settings.late()
    }

    /// There are few candidates.
    pub fn is_small(&self) -> bool {
        self.executed.len() <= self.settings.few
    }

    /// Where there are few candidates each may cost more, so many times.
    fn share(&self) -> u64 {
        if self.is_small() { FEW } else { 1 }
    }

    /// What of a budget is left.
    fn left(&self, budget: u64, spent: u64) -> u64 {
        budget.saturating_mul(self.share()).saturating_sub(spent)
    }

    /// Until when one candidate may be looked at.
    pub fn patience(&self) -> Instant {
        let patience = Instant::now().checked_add(self.settings.patience * if self.is_small() { 10 } else { 1 });
        patience.map_or(self.settings.deadline, |patience| patience.min(self.settings.deadline))
    }

    /// A bound that was reached.
    pub(super) fn note(&mut self, text: &str) {
        if !self.located.notes.contains(text) {
            self.located.notes.insert(text.into());
        }
    }

    /// The last checkpoint before any of these statements is executed.
    pub(super) fn before(&self, statements: &BTreeSet<StatementId>) -> usize {
        let operations = statements.iter().filter_map(|statement| self.operations.get(statement));
        operations.flatten().map(|operation| operation.first.checkpoint).min().unwrap_or(0)
    }

    /// The formula of a relaxation, from a checkpoint on; none where it is too large.
    pub fn formula(
        &mut self,
        checkpoint: usize,
        relaxation: &Relaxation,
        listed: &HashSet<(Instance, u32)>,
        deadline: Instant,
    ) -> Result<Option<Formula>, Error> {
        let arms = match self.settings.method {
            Method::BugAssist => Arms::All,
            Method::OnDemand => Arms::Listed(listed.clone()),
        };
        let started = Instant::now();
        let bounds = Bounds { deadline: Some(deadline), ..self.settings.bounds.clone() };
        let Some(from) = self.listing.checkpoints.get(checkpoint) else { return Ok(None) };
        let encoding = encode(self.machine, from, self.knowledge, relaxation, &arms, self.failing, bounds)?;
        self.located.phases.encode += started.elapsed();
        self.followed += self.machine.core.instructions.saturating_sub(from.snapshot.instructions());
        self.located.terms = self.located.terms.max(encoding.pool.len());
        self.located.notes.extend(encoding.notes.iter().cloned());
        self.executed.extend(&encoding.executed);
        let ways = encoding.branches.iter().flat_map(|branch| &branch.others);
        let explored = ways.clone().filter(|way| way.known == Known::Explored).count() as u64;
        let open = encoding.branches.len() as u64;
        self.located.branches_total = self.located.branches_total.max(open + ways.count() as u64);
        self.located.branches_explored = self.located.branches_explored.max(open + explored);
        self.spent.terms += encoding.pool.len() as u64;
        if encoding.full {
            return Ok(None);
        }
        Formula::new(encoding, (self.settings.solver)(), deadline, self.settings.question).map(Some)
    }

    /// Decides a candidate.
    pub fn decide(&mut self, statements: &BTreeSet<StatementId>) -> Result<Decision, Error> {
        if let Some(known) = self.decided.get(statements) {
            return Ok(known.clone());
        }
        let tried = self.tried(statements)?;
        let decision = match tried.value {
            Some(found) => Decision::Holds { witness: vec![Witness::Value(found)], support: Support::Ran },
            None => match self.by_text(statements)? {
                Some(printed) => printed,
                None => match self.by_formulas(statements)? {
                    // More than its values is changed.
                    Decision::Fails if tried.mends => Decision::Unknown,
                    decision => decision,
                },
            },
        };
        self.decided.insert(statements.clone(), decision.clone());
        Ok(decision)
    }

    /// Whether the run would pass were the text that a statement prints another one.
    fn by_text(&mut self, statements: &BTreeSet<StatementId>) -> Result<Option<Decision>, Error> {
        let (1, Some(&statement)) = (statements.len(), statements.first()) else { return Ok(None) };
        if !self.settings.texts {
            return Ok(None);
        }
        self.look_at_prints()?;
        let printed = self.prints.as_ref().and_then(|prints| prints.as_ref()?.dictated(statement));
        let holds = |printed| Decision::Holds { witness: vec![Witness::Printed(printed)], support: Support::Explored };
        Ok(printed.map(holds))
    }

    /// Looks at what the run prints, where that was not done.
    pub(super) fn look_at_prints(&mut self) -> Result<(), Error> {
        if self.prints.is_none() {
            let started = Instant::now();
            let start = &self.listing.checkpoints[0].snapshot;
            let prints = Prints::of(self.machine, start, self.knowledge, self.failing)?;
            self.texts = prints.as_ref().map(Prints::texts);
            self.prints = Some(prints);
            self.located.phases.trials += started.elapsed();
        }
        Ok(())
    }

    /// Whether it is known that no text that a statement prints would do.
    fn knows_text(&self, statement: StatementId) -> bool {
        matches!(&self.prints, Some(Some(prints)) if prints.by(statement))
    }

    /// Decides a candidate by formulas.
    fn by_formulas(&mut self, statements: &BTreeSet<StatementId>) -> Result<Decision, Error> {
        if self.late() {
            return Ok(Decision::Unknown);
        }
        let (terms, work) =
            (self.left(self.settings.terms, self.spent.terms), self.left(self.settings.work, self.spent.work));
        if terms == 0 || self.settings.trials.is_some() && work == 0 {
            self.note("not all statements were asked about by formulas: these had as many terms as they may have");
            return Ok(Decision::Unknown);
        }
        let relaxation = Relaxation::free(statements.iter().copied());
        let mut decision = Decision::Unknown;
        let deadline = self.patience();
        let from = self.before(statements);
        // Ways that other candidates' answers went would only make its formula larger.
        let mut listed = HashSet::new();
        for round in 1..=self.settings.most_iterations.max(1) {
            self.located.iterations = self.located.iterations.max(round as u64);
            let Some(mut formula) = self.formula(from, &relaxation, &listed, deadline)? else {
                self.note("formulas that are too large, or take too long to make: their statements are left undecided");
                decision = Decision::Unknown;
                break;
            };
            let ways = self.ask(&mut formula, statements, &mut decision);
            let holds = matches!(decision, Decision::Holds { .. });
            self.rounds.entry(statements.clone()).or_default().push(holds);
            self.located.solver_calls += formula.checks;
            self.located.phases.solve += formula.solving;
            self.spent.work += formula.worked;
            if decision == Decision::Fails && formula.is_pinned() {
                decision = Decision::Unknown;
            }
            if let (Decision::Fails, 1, Some(&statement)) = (&decision, statements.len(), statements.first()) {
                let own = || self.operations.get(&statement).into_iter().flatten().map(|operation| operation.function);
                let prints = self.knows_text(statement);
                let of_statement = || Unasked::of(self.machine.code(), self.knowledge, own(), statement, prints);
                self.unasked.extend(of_statement().or_else(|| formula.unasked(prints)).map(|why| (statement, why)));
            }
            let before = listed.len();
            listed.extend(ways?);
            if listed.len() == before || Instant::now() >= deadline || self.late() || formula.unanswered > 0 {
                break;
            }
            if round == self.settings.most_iterations {
                self.note("a formula that grew as often as it may by ways that its answers went");
            }
        }
        self.listed.extend(listed);
        self.located.paths = 1 + self.listed.len() as u64;
        if let Decision::Holds { witness, support } = &mut decision
            && let [Witness::Value(change)] = witness[..]
            && change.times == 1
            && let Some(from) = self.listing.checkpoints.get(from)
        {
            let until = self.failing.point.instruction;
            let most = self.settings.trials.map_or(CONFIRMING, |trials| trials.values);
            let mut total = most;
            let mut runner = Runner::new(self.machine, &self.judge, &mut total, most).of_failing(&mut self.sound);
            let outcome = trial::with_value(&mut runner, from, &change, until)?;
            if outcome.passes {
                *support = Support::Ran;
            }
            if outcome.fails {
                decision = Decision::Unknown;
            }
        }
        Ok(decision)
    }

    /// Asks a formula; the ways to be gone before it is asked again.
    fn ask(
        &mut self,
        formula: &mut Formula,
        statements: &BTreeSet<StatementId>,
        decision: &mut Decision,
    ) -> Result<Vec<(Instance, u32)>, Error> {
        if formula.holds_for_the_run() {
            if !formula.is_pinned() {
                self.note("a formula that is less exact than the run: its statements are left undecided");
            }
            return Ok(Vec::new());
        }
        if formula.is_plainly_false() {
            *decision = Decision::Fails;
            return Ok(Vec::new());
        }
        let left = self.left(self.settings.work, self.spent.work);
        let work = if self.settings.trials.is_some() { WORK.min(left) } else { WORK };
        if let Some(model) = formula.nearby(true, MOVES, work) {
            *decision = Decision::Holds { witness: witness(formula, &model, statements), support: Support::Explored };
            return Ok(Vec::new());
        }
        if let Some(model) = formula.nearby(false, MOVES, work) {
            let ways = formula.new_ways(&model);
            let support = Support::of_formula(formula.is_explored(&model));
            *decision = Decision::Holds { witness: witness(formula, &model, statements), support };
            if !ways.is_empty() {
                return Ok(ways);
            }
        }
        let size = formula.size() as u64;
        let left = self.left(self.settings.solved, self.spent.solved);
        let large = self.settings.trials.is_some() && size > left.min(self.left(self.settings.large, 0));
        if formula.is_hopeless() || large {
            self.note("formulas that the solver was not given, because they are too large or have too many products of floats");
            *decision = Decision::Unknown;
            return Ok(Vec::new());
        }
        self.spent.solved += size;
        Ok(match formula.decide(false)? {
            Solution::Fails(_) => {
                *decision = Decision::Fails;
                Vec::new()
            }
            Solution::Unknown => {
                self.note("questions that the solver did not answer within its bounds");
                *decision = Decision::Unknown;
                Vec::new()
            }
            Solution::Holds(model) => {
                let ways = if formula.is_explored(&model) { Vec::new() } else { formula.new_ways(&model) };
                let (model, confirmed) = match formula.is_explored(&model) {
                    true => (model, true),
                    false => match formula.decide(true)? {
                        Solution::Holds(model) => (model, true),
                        _ => (model, false),
                    },
                };
                let support = Support::of_formula(confirmed);
                *decision = Decision::Holds { witness: witness(formula, &model, statements), support };
                if confirmed { Vec::new() } else { ways }
            }
        })
    }
}

/// So many times as much as otherwise a candidate may cost, where there are few.
const FEW: u64 = 20;

/// A trial run that confirms an answer may execute so many instructions, where no others are made.
const CONFIRMING: u64 = 500_000;

/// So many moves a model is looked for near the run, before the solver is asked.
const MOVES: u64 = 150;

/// So many values of terms are worked out for that.
const WORK: u64 = 30_000;

/// For each statement the first value that changes.
fn witness(formula: &Formula, model: &whydunit_terms::Assignment, statements: &BTreeSet<StatementId>) -> Vec<Witness> {
    let changes = formula.changes(model);
    let mut out = Vec::new();
    for statement in statements {
        let mut of = changes.iter().filter(|(free, _)| free.statement == *statement);
        let times = of.clone().count();
        if let Some(&(free, now)) = of.next() {
            out.push(Witness::Value(Change { free, now, times }));
        }
    }
    out
}
