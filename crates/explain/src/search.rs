//! The search (AFTER, algorithm 1): semantic analysis, dynamic analysis, critical predicates, until reverting some changes makes
//! the test pass.

use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

use whydunit_causes::nodes::NodeId;
use whydunit_replay::Position;

use crate::Error;
use crate::cause::{Cause, cause_of};
use crate::critical::Critical;
use crate::deciding::calls_to;
use crate::point::{Goal, Stopped};

/// Bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Predicates that are explained at most.
    pub causes: usize,
    /// When to stop looking for more causes.
    pub deadline: Instant,
}

/// The other half: changes, and what reverting them does.
pub trait Dynamic<E> {
    /// The changes that a statement was touched by, ascending.
    fn changes_at(&mut self, position: &Position) -> Vec<usize>;

    /// A set of these changes (ascending) whose reverting makes the test pass, none smaller; none where there is none. Those are
    /// first that are likelier at fault.
    fn root(&mut self, changes: &[usize]) -> Result<Option<Vec<usize>>, E>;

    /// So many causes are known.
    fn progress(&mut self, causes: usize, changes: usize);
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The changes at fault, ascending; empty where nothing was found.
    pub root: Vec<usize>,
    /// All causes, the failure's first.
    pub causes: Vec<Cause>,
    /// Changes by cause.
    pub changes: Vec<Vec<usize>>,
    /// Bounds ended the search.
    pub cut: bool,
}

impl Explanation {
    /// The causes on the ways from the changes at fault to the failure, ascending.
    pub fn relevant(&self) -> Vec<usize> {
        let mut out = BTreeSet::new();
        for number in 0..self.causes.len() {
            if self.changes[number].iter().any(|change| self.root.contains(change)) {
                let mut now = Some(number);
                while let Some(number) = now.filter(|number| out.insert(*number)) {
                    now = self.causes[number].leads_to;
                }
            }
        }
        out.into_iter().collect()
    }
}

/// Explains a failure.
pub fn explain<E: From<Error>>(
    stopped: &Stopped,
    settings: Settings,
    dynamic: &mut impl Dynamic<E>,
) -> Result<Explanation, E> {
    let (trace, code) = (&stopped.trace, stopped.machine.code());
    let mut out = Explanation { root: Vec::new(), causes: Vec::new(), changes: Vec::new(), cut: false };
    let mut critical = Critical::default();
    let mut known: Vec<usize> = Vec::new();
    // So many of them were known when they were asked about.
    let mut asked = 0usize;
    let mut seen: BTreeSet<(u32, u32, u64)> = BTreeSet::new();
    let mut pending: VecDeque<(Goal, Option<usize>)> = stopped.goals.iter().map(|goal| (goal.clone(), None)).collect();
    while let Some((goal, leads_to)) = pending.pop_front() {
        if out.causes.len() >= settings.causes || Instant::now() >= settings.deadline {
            out.cut = true;
            break;
        }
        let cause = cause_of(trace, code, &goal, leads_to)?;
        let mut changes: Vec<usize> = Vec::new();
        // The predicate itself may have been changed.
        for &node in goal.nodes() {
            let node = trace.node(node);
            changes.extend(dynamic.changes_at(&code.position(node.function, node.pc)));
        }
        // The nearest first.
        let mut called: BTreeSet<NodeId> = BTreeSet::new();
        for step in cause.steps.iter().rev() {
            changes.extend(dynamic.changes_at(&step.position));
            // So may have been the calls through which it ran.
            for call in calls_to(trace, code, step.node).take_while(|call| called.insert(*call)) {
                let node = trace.node(call);
                changes.extend(dynamic.changes_at(&code.position(node.function, node.pc)));
            }
        }
        let mut had: BTreeSet<usize> = BTreeSet::new();
        changes.retain(|change| had.insert(*change));
        let number = out.causes.len();
        let branches = critical.of(trace, code, &cause);
        out.causes.push(cause);
        let news: Vec<usize> = changes.iter().copied().filter(|change| !known.contains(change)).collect();
        out.changes.push(had.into_iter().collect());
        dynamic.progress(out.causes.len(), known.len() + news.len());
        if !news.is_empty() {
            // Without the new ones it was not enough: these are first.
            known.splice(0..0, news);
            // To ask takes builds: each time twice as many, so that it is seldom where there are many.
            if known.len() >= (2 * asked).max(1) {
                asked = known.len();
                if let Some(root) = dynamic.root(&known)? {
                    out.root = root;
                    return Ok(out);
                }
            }
        }
        for branch in branches {
            // Of a branch in a loop each way is explained once.
            let node = trace.node(branch);
            let new: bool = seen.insert((node.function.0, node.pc, node.value));
            if new {
                pending.push_back((Goal::Branch(branch), Some(number)));
            }
        }
    }
    if known.len() > asked
        && let Some(root) = dynamic.root(&known)?
    {
        out.root = root;
    }
    Ok(out)
}
