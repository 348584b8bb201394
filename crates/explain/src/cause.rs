//! The cause of a predicate: the executions that made its negation impossible (AFTER, section II-A).

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::time::Duration;

use whydunit_causes::nodes::{INITIAL, NodeId, NodeKind};
use whydunit_causes::trace::Trace;
use whydunit_model::Op;
use whydunit_replay::{Code, Position};
use whydunit_solve::{Answer, Cadical, Limits, Solver, minimise_core};
use whydunit_terms::Term;

use crate::Error;
use crate::deciding::is_branch;
use crate::equations::Equations;
use crate::point::Goal;

/// So many executions are followed back from a predicate.
const MOST: usize = 3000;
/// So many branches that speak of the same values are taken along.
const BRANCHES: usize = 64;
/// So many executions before the predicate are looked at for them.
const NEAR: NodeId = 100_000;
/// From a branch so many executions back are looked at for values in common.
const BACK: usize = 16;
/// For one question to the solver.
const PATIENCE: Duration = Duration::from_millis(500);
/// Cores of more executions are not made smaller.
const SMALL: usize = 400;

/// An execution that took part.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Where it stands in the trace.
    pub node: NodeId,
    /// The statement.
    pub position: Position,
    /// The value that it gave, or the branch's condition.
    pub value: u64,
    /// A branch.
    pub branch: bool,
}

/// Why a predicate came out as it did.
#[derive(Clone, PartialEq, Debug)]
pub struct Cause {
    /// What is explained.
    pub goal: Goal,
    /// The executions that a minimal core rests on, in the order of the run.
    pub steps: Vec<Step>,
    /// The cause that this one leads to, by number; none for the failure itself.
    pub leads_to: Option<usize>,
    /// The core may not be minimal: the solver had not enough time, or operations are not followed.
    pub rough: bool,
}

/// What an execution demands.
struct Demand {
    node: NodeId,
    term: Term,
}

/// Finds the cause of a goal.
pub(crate) fn cause_of(trace: &Trace, code: &Code, goal: &Goal, leads_to: Option<usize>) -> Result<Cause, Error> {
    let mut equations = Equations::new(trace, code);
    let negation = negation(&mut equations, goal);
    let mut demands: BTreeMap<NodeId, Term> = BTreeMap::new();
    let mut open: BinaryHeap<NodeId> = starts(trace, goal).into_iter().collect();
    let mut rough = false;
    let mut reached: BTreeSet<NodeId> = BTreeSet::new();
    while let Some(node) = open.pop() {
        if !reached.insert(node) {
            continue;
        }
        if reached.len() > MOST {
            // From here on values are what they were.
            demands.insert(node, equations.as_run(node));
            rough = true;
            continue;
        }
        let equation = equations.equation(node);
        demands.insert(node, equation.term);
        open.extend(equation.about.iter().filter(|about| !reached.contains(about)));
    }
    branches(&mut equations, goal, &reached, &mut demands);
    // Back from the predicate, the latest first.
    let demands: Vec<Demand> = demands.into_iter().rev().map(|(node, term)| Demand { node, term }).collect();
    let mut solver = Cadical::new();
    solver.assert(&mut equations.pool, negation)?;
    let limits = Limits::of_time(PATIENCE);
    let terms: Vec<Term> = demands.iter().map(|demand| demand.term).collect();
    // The first step at which it cannot hold any more: what contradicts goes on contradicting.
    let (mut low, mut high) = (0, terms.len());
    let mut impossible = matches!(solver.check(&mut equations.pool, &terms, &limits)?, Answer::Unsat { .. });
    if impossible {
        while low < high {
            let middle = low.midpoint(high);
            match solver.check(&mut equations.pool, &terms[..middle], &limits)? {
                Answer::Unsat { core } => high = core.last().map_or(0, |last| last + 1).min(middle),
                _ => low = middle + 1,
            }
        }
    }
    let mut core: Vec<usize> = (0..high).collect();
    if impossible && high <= SMALL {
        match minimise_core(&mut solver, &mut equations.pool, &terms[..high], &limits)? {
            Some(minimal) => core = minimal,
            None => impossible = false,
        }
    }
    let step = |demand: &Demand| {
        let node = trace.node(demand.node);
        let branch = is_branch(trace, code, demand.node);
        Step { node: demand.node, position: code.position(node.function, node.pc), value: node.value, branch }
    };
    let mut steps: Vec<Step> = core.into_iter().map(|index| step(&demands[index])).collect();
    // Calls pass constants: they say nothing as formulas, and are where these stand.
    let calls = demands.iter().filter(|demand| trace.node(demand.node).kind == NodeKind::Call);
    steps.extend(calls.map(step));
    steps.sort_by_key(|step| step.node);
    steps.dedup_by_key(|step| step.node);
    Ok(Cause { goal: goal.clone(), steps, leads_to, rough: rough || !impossible })
}

/// From where a goal is followed back.
fn starts(trace: &Trace, goal: &Goal) -> Vec<NodeId> {
    let known = |id: &NodeId| *id > INITIAL;
    match goal {
        Goal::Values(nodes) => nodes.clone(),
        Goal::Wanted(node, ..) => vec![*node],
        Goal::Branch(node) => [trace.node(*node).data[0]].into_iter().filter(known).collect(),
    }
}

/// What should have been.
fn negation(equations: &mut Equations<'_>, goal: &Goal) -> Term {
    match goal {
        Goal::Values(nodes) => {
            let other: Vec<Term> = nodes
                .iter()
                .map(|&node| {
                    let same = equations.as_run(node);
                    equations.pool.not(same)
                })
                .collect();
            equations.pool.any(&other)
        }
        Goal::Wanted(node, bits, value) => {
            let term = equations.variable(*node);
            let term = equations.pool.extract(term, 0, *bits);
            let value = equations.pool.constant(*bits, u128::from(*value));
            equations.pool.eq(term, value)
        }
        Goal::Branch(branch) => {
            let taken = taken(equations, *branch);
            equations.pool.not(taken)
        }
    }
}

/// That a branch goes where it went.
fn taken(equations: &mut Equations<'_>, branch: NodeId) -> Term {
    let node = equations.trace.node(branch);
    let condition = node.data[0];
    if condition <= INITIAL || equations.trace.node(condition).kind == NodeKind::Call {
        return equations.pool.truth();
    }
    let bits = match equations.code.model(node.function).code[node.pc as usize] {
        Op::Switch { w, .. } => u32::from(w).min(64),
        _ => 1,
    };
    let term = equations.variable(condition);
    let term = equations.pool.extract(term, 0, bits);
    let value = equations.pool.constant(bits, u128::from(node.value) & ((1u128 << bits) - 1));
    equations.pool.eq(term, value)
}

/// Adds what branches of the path demand that look at the same values.
fn branches(
    equations: &mut Equations<'_>,
    goal: &Goal,
    reached: &BTreeSet<NodeId>,
    demands: &mut BTreeMap<NodeId, Term>,
) {
    let (Some(&first), Some(&last)) = (reached.first(), goal.nodes().iter().max()) else { return };
    let mut found = 0;
    for id in (first.max(last.saturating_sub(NEAR))..last).rev() {
        if found == BRANCHES {
            break;
        }
        if !is_branch(equations.trace, equations.code, id) || goal.nodes().contains(&id) {
            continue;
        }
        let mut behind: BTreeSet<NodeId> = BTreeSet::new();
        let mut open = vec![equations.trace.node(id).data[0]];
        let mut common = false;
        while let Some(node) = open.pop().filter(|_| behind.len() < BACK) {
            if node <= INITIAL || reached.contains(&node) {
                common |= node > INITIAL;
                continue;
            }
            if behind.insert(node) {
                open.extend(equations.trace.node(node).data);
            }
        }
        if common {
            found += 1;
            let term = taken(equations, id);
            demands.insert(id, term);
            for node in behind {
                let equation = equations.equation(node);
                demands.entry(node).or_insert(equation.term);
            }
        }
    }
}
