//! A run followed alone, with what it was given as variables: its path condition, turn by turn (concolic execution; Godefroid,
//! Klarlund, Sen, "DART", 2005).

use rustc_hash::FxHashMap;
use whydunit_dataflow::may_die;
use whydunit_model::{BlockId, Op};
use whydunit_replay::{At, FuncId, Machine, ReplayError, Snapshot, Stop};
use whydunit_terms::{Assignment, Evaluator, Pool, Term};

use crate::outside::{InputVariable, Inputs, Outside};
use crate::question::{Arms, Bounds, Failing, FailurePoint, Relaxation};
use crate::region::mix;
use crate::state::{Knowledge, Request, State, fit};

/// The clock is looked at once in so many operations.
const LOOK: u64 = 1 << 14;

/// A run's path.
#[derive(Debug, Default)]
pub struct Path {
    /// The terms.
    pub pool: Pool,
    /// What it was given.
    pub inputs: Vec<InputVariable>,
    /// Its turns, in order.
    pub turns: Vec<Turn>,
    /// The edges of the interprocedural control-flow graph that it takes at branches, calls told apart by where they stand.
    pub edges: Vec<u64>,
    /// What was left out, in words.
    pub notes: Vec<String>,
    /// There were too many terms, or time was up: what comes behind is not followed.
    pub full: bool,
}

/// Where the path depends on what the run was given.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What holds there.
    pub holds: Term,
    /// What could hold instead, with the edge that is taken then; none of what is held as in the run.
    pub others: Vec<Other>,
    /// So many edges were taken before.
    pub edges: usize,
    /// The function.
    pub function: FuncId,
    /// The operation.
    pub pc: u32,
}

/// Another way.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    /// When it is gone.
    pub when: Term,
    /// Its edge; none where something undefined happens.
    pub edge: Option<u64>,
    /// The program may die there, by what the code says up to where the ways join.
    pub risky: bool,
}

/// What was followed so far.
pub(crate) struct Followed {
    /// What the run was given.
    pub(crate) outside: Outside,
    /// Where it is.
    pub(crate) at: (FuncId, u32),
    /// Operations.
    steps: u64,
    turns: Vec<Turn>,
    edges: Vec<u64>,
    /// Ways of branches, as far as they were looked at: whether the program may die there.
    risky: FxHashMap<(FuncId, u32, BlockId), bool>,
}

impl Followed {
    fn new(inputs: Inputs) -> Self {
        Self {
            outside: Outside::new(inputs),
            at: (FuncId::NONE, 0),
            steps: 0,
            turns: Vec::new(),
            edges: Vec::new(),
            risky: FxHashMap::default(),
        }
    }
}

/// Follows a run from its start.
pub fn follow(
    machine: &mut Machine,
    start: &Snapshot,
    knowledge: &mut Knowledge,
    inputs: Inputs,
    bounds: Bounds,
) -> Result<Path, ReplayError> {
    machine.restore(start)?;
    let (relaxation, arms) = (Relaxation::default(), Arms::default());
    let point = FailurePoint { instruction: u64::MAX, ..FailurePoint::default() };
    let failing = Failing { point, ..Failing::default() };
    let mut state = State::new(knowledge, &relaxation, &arms, &failing, bounds);
    state.followed = Some(Box::new(Followed::new(inputs)));
    state.grow(&machine.at());
    // It is asked to stop where there are too many terms.
    let full = matches!(machine.go_on(&mut state)?, Stop::Asked);
    let Some(followed) = state.followed.take() else { return Ok(Path::default()) };
    let Followed { outside, mut turns, edges, .. } = *followed;
    died(&state.pool, &state.run, &mut turns);
    #[cfg(debug_assertions)]
    assert_eq!(crate::law::left(&state.pool, &state.run, &turns), None, "a turn does not say what the run does");
    Ok(Path {
        pool: state.pool,
        inputs: outside.variables,
        turns,
        edges,
        notes: state.notes.into_iter().collect(),
        full,
    })
}

/// What must hold so that a run goes on does not where it dies.
fn died(pool: &Pool, run: &[(Term, u128)], turns: &mut [Turn]) {
    let Some(place) = turns.last().map(|turn| (turn.function, turn.pc)) else { return };
    let values: Assignment = run.iter().copied().collect();
    let mut evaluator = Evaluator::new(pool, &values);
    for turn in turns.iter_mut().rev().take_while(|turn| (turn.function, turn.pc) == place) {
        if let [Other { when, edge: None, .. }] = &mut turn.others[..]
            && !evaluator.holds(turn.holds)
        {
            std::mem::swap(&mut turn.holds, when);
        }
    }
}

impl State<'_> {
    /// The run goes over a branch.
    pub(crate) fn turn(&mut self, at: &At<'_>, op: &Op) {
        let Some((went, all)) = Self::targets(at, op) else { return };
        let (condition, width) = match *op {
            Op::Branch { cond, .. } => (cond, 1),
            Op::Switch { value, w, .. } => (value, u32::from(w).min(64)),
            _ => return,
        };
        let activation = self.frames.last().map_or(0, |frame| frame.activation);
        let edge = |to: BlockId| mix(mix(activation, at.pc.into()), to.into());
        let taken = edge(went);
        let term = self.slot(at, condition).map(|term| fit(&mut self.pool, Some(term), 0, width));
        if let Some(term) =
            term.filter(|&term| self.pool.as_constant(term).is_none() && self.pool.as_bool(term).is_none())
        {
            let guards: Vec<(BlockId, Term)> = all.iter().map(|&to| (to, self.guard(at, op, term, to))).collect();
            let holds = guards.iter().find(|guard| guard.0 == went).map_or(self.pool.truth(), |guard| guard.1);
            let others = guards.iter().filter(|guard| guard.0 != went && self.pool.as_bool(guard.1) != Some(false));
            let others: Vec<(BlockId, Term)> = others.copied().collect();
            let others = others
                .into_iter()
                .map(|(to, when)| Other { when, edge: Some(edge(to)), risky: self.is_risky(at, to) })
                .collect();
            self.push_turn(holds, others);
        }
        if let Some(followed) = &mut self.followed {
            followed.edges.push(taken);
        }
    }

    /// Whether the program may die on a way of a branch.
    fn is_risky(&mut self, at: &At<'_>, to: BlockId) -> bool {
        let key = (at.function, at.pc, to);
        if let Some(known) = self.followed.as_ref().and_then(|followed| followed.risky.get(&key)) {
            return *known;
        }
        let Some(facts) = self.facts() else { return false };
        let join = facts.shape.join_of(facts.shape.blocks[at.pc as usize]);
        let mut operations = facts.shape.region(to, join).into_iter().flat_map(|block| {
            let bounds = &at.model.blocks[block as usize];
            bounds.start..bounds.end
        });
        let risky = operations.any(|pc| may_die(at.module(), at.model, pc as usize));
        if let Some(followed) = &mut self.followed {
            followed.risky.insert(key, risky);
        }
        risky
    }

    fn push_turn(&mut self, holds: Term, others: Vec<Other>) {
        let Some(followed) = &mut self.followed else { return };
        if self.pool.as_bool(holds) == Some(true) {
            return;
        }
        let ((function, pc), edges) = (followed.at, followed.edges.len());
        followed.turns.push(Turn { holds, others, edges, function, pc });
    }

    /// Whether the run is longer than is followed, or time is up.
    pub(crate) fn is_long(&mut self, at: &At<'_>) -> bool {
        let Some(followed) = &mut self.followed else { return false };
        followed.steps = followed.steps.wrapping_add(1);
        let look = followed.steps.is_multiple_of(LOOK);
        if at.instruction() > self.bounds.instructions || look && self.is_late() {
            self.request = Some(Request::Full);
        }
        self.request.is_some()
    }

    /// Something must hold that could be otherwise: an access that lies inside, a divisor that is not zero.
    pub(crate) fn check(&mut self, holds: Term) {
        let when = self.pool.not(holds);
        self.push_turn(holds, vec![Other { when, edge: None, risky: true }]);
    }

    /// Something is held as in the run.
    pub(crate) fn hold(&mut self, holds: Term) {
        self.push_turn(holds, Vec::new());
    }
}
