//! A run followed alone: its turns, and what it was given.

mod outside;

use rustc_hash::FxHashMap;
use whydunit_dataflow::may_die;
use whydunit_model::{BlockId, Op};
use whydunit_replay::{At, FuncId};
use whydunit_terms::Term;

use self::outside::Outside;
use super::{Request, State, fit};
use crate::inputs::Inputs;
use crate::path::{Other, Turn};
use crate::region::mix;

pub(super) use outside::reads_input;

/// The clock is looked at once in so many operations.
const LOOK: u64 = 1 << 14;

/// What was followed so far.
pub(crate) struct Followed {
    /// What the run was given.
    pub(crate) outside: Outside,
    /// Where it is.
    pub(crate) at: (FuncId, u32),
    /// Operations.
    steps: u64,
    pub(crate) turns: Vec<Turn>,
    pub(crate) edges: Vec<u64>,
    /// Ways of branches, as far as they were looked at: whether the program may die there.
    risky: FxHashMap<(FuncId, u32, BlockId), bool>,
}

impl Followed {
    pub(crate) fn new(inputs: Inputs) -> Self {
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
