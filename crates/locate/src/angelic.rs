//! Angelic values: whether any values of a statement, or of several, would have made a failing run pass, and the formula that says which.

use std::collections::HashSet;
use std::time::Instant;

use whydunit_replay::{Machine, Snapshot};
use whydunit_solve::Solver;
use whydunit_symbolic::{
    Arms, Bounds, Checkpoint, Encoding, Failing, Knowledge, Known, Relaxation, StatementId, encode, list,
};

use crate::Error;
use crate::formula::{Formula, NewWay, Solution};
use crate::question::Question;

/// So often a formula grows by ways that its answers go.
const ROUNDS: usize = 12;
/// So many ways more are gone, once there is an answer.
const MORE_WAYS: usize = 24;
/// So many moves a model is looked for near the run, before the solver is asked.
const MOVES: u64 = 300;
/// So many values of terms are worked out for that.
const WORK: u64 = 200_000;

/// What is asked.
pub struct Asked<'a> {
    /// The statements, which the run executes.
    pub statements: &'a [StatementId],
    /// When to stop.
    pub deadline: Instant,
    /// Of the formula.
    pub bounds: Bounds,
    /// What one question to the solver may cost.
    pub question: Question,
    /// Makes a solver.
    pub solver: &'a dyn Fn() -> Box<dyn Solver>,
}

/// What is known of statements' values.
pub struct Angelic {
    /// That the run passes, by the statements' values.
    pub encoding: Encoding,
    /// Whether there are such values.
    pub exists: Exists,
}

/// Whether values of statements make a run pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exists {
    /// Some do.
    Yes,
    /// Whatever they are, the run fails.
    No,
    /// Not found out.
    Unknown,
}

/// What a failing run executes from `start` to its failure point; `failing` is told which branches are under way there.
pub fn executed(
    machine: &mut Machine,
    start: &Snapshot,
    knowledge: &mut Knowledge,
    failing: &mut Failing,
) -> Result<Vec<StatementId>, Error> {
    let mut listing = list(machine, start.clone(), knowledge, failing)?;
    failing.open = std::mem::take(&mut listing.open);
    Ok(listing.executed)
}

/// Asks for the values of statements with which a failing run passes, from `start` on, once [`executed`] has looked at the
/// run. None where its formula is too large.
pub fn angelic(
    machine: &mut Machine,
    start: &Snapshot,
    knowledge: &mut Knowledge,
    failing: &Failing,
    asked: &Asked<'_>,
) -> Result<Option<Angelic>, Error> {
    let relaxation = Relaxation::free(asked.statements.iter().copied());
    let from = Checkpoint::start(start.clone());
    let mut listed: HashSet<NewWay> = HashSet::new();
    let bounds = Bounds { deadline: Some(asked.deadline), ..asked.bounds.clone() };
    let mut formula = |ways: &HashSet<NewWay>| -> Result<Option<Formula>, Error> {
        let arms = Arms::Listed(ways.clone());
        let mut encoding = encode(machine, &from, knowledge, &relaxation, &arms, failing, bounds.clone())?;
        // What comes behind the failure is for runs to say.
        encoding.explored = encoding.gone;
        if encoding.full || !encoding.reached {
            return Ok(None);
        }
        Formula::new(encoding, (asked.solver)(), asked.deadline, asked.question).map(Some)
    };
    let mut last = None;
    for _ in 0..ROUNDS {
        let Some(mut now) = formula(&listed)? else { break };
        let (exists, ways) = decide(&mut now)?;
        let before = listed.len();
        listed.extend(ways);
        let done = listed.len() == before || Instant::now() >= asked.deadline;
        last = Some((now, exists));
        if done {
            break;
        }
    }
    let Some((mut now, exists)) = last else { return Ok(None) };
    if exists == Exists::Yes {
        // What is made of variables may go other ways than the values that were found.
        let encoding = now.into_encoding();
        let ways: HashSet<NewWay> = unexplored(&encoding).take(MORE_WAYS).chain(listed).collect();
        match formula(&ways)? {
            Some(wider) => now = wider,
            None => return Ok(Some(Angelic { encoding, exists })),
        }
    }
    Ok(Some(Angelic { encoding: now.into_encoding(), exists }))
}

fn unexplored(encoding: &Encoding) -> impl Iterator<Item = NewWay> + '_ {
    encoding.branches.iter().flat_map(|branch| {
        let open = branch.others.iter().filter(|way| way.known == Known::Unexplored);
        open.map(|way| (branch.instance, way.target))
    })
}

/// Whether a formula can hold, and the ways that are to be gone before that is sure.
fn decide(formula: &mut Formula) -> Result<(Exists, Vec<NewWay>), Error> {
    if formula.holds_for_the_run() {
        return Ok((Exists::Unknown, Vec::new()));
    }
    let never = if formula.is_pinned() || formula.is_partial() { Exists::Unknown } else { Exists::No };
    if formula.is_plainly_false() {
        return Ok((never, Vec::new()));
    }
    if formula.nearby(true, MOVES, WORK).is_some() {
        return Ok((Exists::Yes, Vec::new()));
    }
    if let Some(model) = formula.nearby(false, MOVES, WORK) {
        let ways = formula.new_ways(&model);
        if !ways.is_empty() {
            return Ok((Exists::Unknown, ways));
        }
    }
    if formula.is_hopeless() {
        return Ok((Exists::Unknown, Vec::new()));
    }
    Ok(match formula.decide(false)? {
        Solution::Fails(_) => (never, Vec::new()),
        Solution::Unknown => (Exists::Unknown, Vec::new()),
        Solution::Holds(model) if formula.is_explored(&model) => (Exists::Yes, Vec::new()),
        Solution::Holds(model) => {
            let ways = formula.new_ways(&model);
            match formula.decide(true)? {
                Solution::Holds(_) => (Exists::Yes, Vec::new()),
                _ => (Exists::Unknown, ways),
            }
        }
    })
}
