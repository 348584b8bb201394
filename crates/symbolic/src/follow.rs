//! A run followed alone, with what it was given as variables: its path condition, turn by turn (concolic execution; Godefroid,
//! Klarlund, Sen, "DART", 2005).

use whydunit_model::{BlockId, Op};
use whydunit_replay::{At, FuncId, Machine, ReplayError, Snapshot, Stop};
use whydunit_terms::{Pool, Term};

use crate::outside::{InputVariable, Inputs, Outside};
use crate::question::{Arms, Bounds, Failing, FailurePoint, Relaxation};
use crate::region::mix;
use crate::state::{Knowledge, State, fit};

/// A run's path.
#[derive(Debug)]
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
}

/// What was followed so far.
#[derive(Default)]
pub(crate) struct Followed {
    turns: Vec<Turn>,
    edges: Vec<u64>,
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
    state.outside = Some(Box::new(Outside::new(inputs)));
    state.followed = Some(Followed::default());
    state.grow(&machine.at());
    // It is asked to stop where there are too many terms.
    let full = matches!(machine.go_on(&mut state)?, Stop::Asked);
    let Followed { turns, edges } = state.followed.take().unwrap_or_default();
    #[cfg(debug_assertions)]
    assert_eq!(crate::law::left(&state.pool, &state.run, &turns), None, "a turn does not say what the run does");
    let inputs = state.outside.take().map(|outside| outside.variables).unwrap_or_default();
    Ok(Path { pool: state.pool, inputs, turns, edges, notes: state.notes.into_iter().collect(), full })
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
            let others = others.map(|&(to, when)| Other { when, edge: Some(edge(to)) }).collect();
            self.add_turn(at, holds, others);
        }
        if let Some(followed) = &mut self.followed {
            followed.edges.push(taken);
        }
    }

    fn add_turn(&mut self, at: &At<'_>, holds: Term, others: Vec<Other>) {
        self.at_turn = (at.function, at.pc);
        self.push_turn(holds, others);
    }

    fn push_turn(&mut self, holds: Term, others: Vec<Other>) {
        let Some(followed) = &mut self.followed else { return };
        if self.pool.as_bool(holds) == Some(true) {
            return;
        }
        let ((function, pc), edges) = (self.at_turn, followed.edges.len());
        followed.turns.push(Turn { holds, others, edges, function, pc });
    }

    /// Something must hold that could be otherwise: an access that lies inside, a divisor that is not zero.
    pub(crate) fn check(&mut self, holds: Term) {
        let when = self.pool.not(holds);
        self.push_turn(holds, vec![Other { when, edge: None }]);
    }

    /// Something is held as in the run.
    pub(crate) fn hold(&mut self, holds: Term) {
        self.push_turn(holds, Vec::new());
    }
}
