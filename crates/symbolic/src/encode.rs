//! Encoding a failing run: the run is replayed with symbolic values beside the concrete ones; at branches whose outcome is
//! open, other ways are gone by what-if runs and put together with the run where they join it.

use std::collections::{BTreeSet, HashMap, HashSet};

use rustc_hash::FxHashMap;
use whydunit_dataflow::flow::NO_BLOCK;
use whydunit_replay::{Change, Limits, Machine, ReplayError, Snapshot, Stop, WhatIfStop};
use whydunit_terms::{Pool, Term};

use crate::fork::{Branch, Fork, Joined, Known, Outcome, Way};
use crate::frame::FrameState;
use crate::free::{Free, Returning};
use crate::knowledge::Knowledge;
use crate::listing::{Checkpoint, Listing};
use crate::predicate::predicate;
use crate::question::{Arms, Bounds, Failing, Relaxation};
use crate::region::{Instance, Regions};
use crate::state::{Request, State};
use crate::statement::StatementId;
use crate::unsaid::Unsaid;

/// A trace formula.
pub struct Encoding {
    /// Its terms.
    pub pool: Pool,
    /// What must hold: the failed predicate, that nothing undefined happens, that what was right stays right.
    pub hard: Vec<Term>,
    /// That only ways are gone that were explored.
    pub gone: Term,
    /// The same, and that it showed there that they pass.
    pub explored: Term,
    /// The values that may change.
    pub free: Vec<Free>,
    /// Those of them that functions return of which nothing is kept.
    pub returns: Vec<Returning>,
    /// Values in the run of other variables: of text that was made from symbolic values.
    pub run: Vec<(Term, u128)>,
    /// Selectors of statements, where asked for.
    pub selectors: HashMap<StatementId, Term>,
    /// Branches whose outcome is open.
    pub branches: Vec<Branch>,
    /// Statements that the run, and the ways beside it that were gone, execute.
    pub executed: Vec<StatementId>,
    /// What was left out, in words.
    pub notes: Vec<String>,
    /// Something was held as in the run, because nothing better can be said: that the formula cannot hold means little.
    pub pinned: bool,
    /// What is printed before the failure depends on what may change, and stays: that it could be more, and right, is not said.
    pub kept: bool,
    /// What the formula does not speak of.
    pub unsaid: BTreeSet<Unsaid>,
    /// The failure point was reached.
    pub reached: bool,
    /// There were too many terms: the formula is not whole.
    pub full: bool,
}

/// Encodes the run from a checkpoint to its failure point.
pub fn encode(
    machine: &mut Machine,
    from: &Checkpoint,
    knowledge: &mut Knowledge,
    relaxation: &Relaxation,
    arms: &Arms,
    failing: &Failing,
    bounds: Bounds,
) -> Result<Encoding, ReplayError> {
    machine.restore(&from.snapshot)?;
    let mut state = State::new(knowledge, relaxation, arms, failing, bounds);
    state.begin(from);
    state.grow(&machine.at());
    let end = drive(machine, &mut state)?;
    let reached = matches!(end, End::Failure);
    if reached {
        #[cfg(debug_assertions)]
        assert_eq!(crate::law::breach(machine, &mut state), None, "a term does not say what the run does");
        predicate(machine, &mut state);
    }
    let mut gone = state.pool.bool(true);
    for branch in &state.branches {
        for way in branch.others.iter().filter(|way| matches!(way.known, Known::Unexplored | Known::Blocked)) {
            let goes = state.pool.and(branch.reach, way.guard);
            let stays = state.pool.not(goes);
            gone = state.pool.and(gone, stays);
        }
    }
    let mut explored = gone;
    if let Some(unproved) = state.unproved {
        let proved = state.pool.not(unproved);
        explored = state.pool.and(explored, proved);
    }
    Ok(Encoding {
        executed: executed(&state),
        hard: state.hard,
        gone,
        explored,
        free: state.free,
        returns: state.returns,
        run: state.run,
        selectors: state.selectors,
        branches: state.branches,
        pinned: state.pinned,
        kept: state.kept,
        unsaid: state.unsaid,
        notes: state.notes.into_iter().collect(),
        reached,
        full: matches!(end, End::Full),
        pool: state.pool,
    })
}

/// Replays a failing run to its failure point and lists what it executes.
pub fn list(
    machine: &mut Machine,
    start: Snapshot,
    knowledge: &mut Knowledge,
    failing: &Failing,
) -> Result<Listing, ReplayError> {
    machine.restore(&start)?;
    let start = Checkpoint::start(start);
    let (relaxation, arms) = (Relaxation::default(), Arms::default());
    let mut state = State::new(knowledge, &relaxation, &arms, failing, Bounds::default());
    state.listing = Some(Box::new(Listing::of(start)));
    let reached = matches!(drive(machine, &mut state)?, End::Failure);
    let mut open = HashSet::new();
    let mut next = state.regions.clone();
    while let Some(region) = next {
        open.insert(region.instance);
        next = region.outer.clone();
    }
    let executed = executed(&state);
    let mut listing = state.listing.take().map(|listing| *listing).unwrap_or_default();
    (listing.open, listing.executed, listing.reached) = (open, executed, reached);
    Ok(listing)
}

fn executed(state: &State<'_>) -> Vec<StatementId> {
    let executed = state.executed.iter().enumerate().filter(|executed| *executed.1);
    executed
        .map(|(statement, _)| statement as StatementId)
        .filter(|&statement| !state.knowledge.statements.is_assertion(statement))
        .collect()
}

/// How a stretch ended.
enum End {
    Joined,
    Failure,
    Printed,
    Full,
    /// The machine does not go on.
    Stopped(Option<WhatIfStop>),
}

fn drive(machine: &mut Machine, state: &mut State<'_>) -> Result<End, ReplayError> {
    loop {
        let stop = machine.go_on(state)?;
        match stop {
            Stop::Asked => match state.request.take() {
                Some(Request::Fork) => {
                    if let Some(end) = fork(machine, state)? {
                        return Ok(end);
                    }
                    // The run itself goes on as it went; another way perhaps not.
                    let at = machine.at();
                    let went = State::targets(&at, at.op()).map(|targets| targets.0);
                    match state.pending.as_ref().map(|pending| pending.taken) {
                        Some(taken) if Some(taken) != went => state.request = Some(Request::Redirect),
                        _ => state.passed = true,
                    }
                }
                Some(Request::Redirect) => {
                    let at = machine.at();
                    let Some(target) = state.pending.as_ref().map(|pending| pending.taken) else { continue };
                    let op = at.op();
                    state.branch(&at, op);
                    state.leave_regions(&at, target);
                    if let Some(stop) = machine.change(&Change::Branch { to: target }, state)? {
                        return Ok(End::Stopped(Some(stop)));
                    }
                }
                Some(Request::Joined) => return Ok(End::Joined),
                Some(Request::Failure) => return Ok(End::Failure),
                Some(Request::Printed) => return Ok(End::Printed),
                Some(Request::Full) => return Ok(End::Full),
                Some(Request::Checkpoint) => {
                    let checkpoint = state.checkpoint(machine.snapshot());
                    if let Some(listing) = &mut state.listing {
                        listing.checkpoints.push(checkpoint);
                    }
                }
                None => return Ok(End::Stopped(None)),
            },
            Stop::WhatIf(reason) => return Ok(End::Stopped(Some(reason))),
            Stop::End(_) | Stop::Reached => return Ok(End::Stopped(None)),
        }
    }
}

/// Goes the ways of the branch at which the machine stands that were asked for. Something only where nothing can go on.
fn fork(machine: &mut Machine, state: &mut State<'_>) -> Result<Option<End>, ReplayError> {
    let Some(mut pending) = state.pending.take() else { return Ok(None) };
    let record = state.branches.len() - 1;
    for index in 0..pending.others.len() {
        let Some(way) = state.branches[record].others.get(index) else { continue };
        if way.known != Known::Explored {
            continue;
        }
        let Way { target, guard, .. } = *way;
        let reach = state.reach();
        let goes = state.pool.and(reach, guard);
        let terminal = state.terminal || state.failing.open.contains(&pending.instance);

        let snapshot = machine.snapshot();
        let saved = Saved::of(state);
        if state.level == 0 {
            let limits = Limits { instructions: state.bounds.instructions, ..Limits::default() };
            machine.leave_recording(limits);
        }
        state.level += 1;
        state.open += 1;
        state.path.push(goes);
        state.terminal = terminal;
        state.flipped = (!terminal).then_some(pending.instance);
        let depth = machine.at().depth;
        state.enter_region(depth, pending.join, pending.instance, target, None);
        let end = match machine.change(&Change::Branch { to: target }, state)? {
            Some(stop) => End::Stopped(Some(stop)),
            None => {
                if target == pending.join && pending.join != NO_BLOCK {
                    let at = machine.at();
                    state.leave_regions(&at, target);
                }
                drive(machine, state)?
            }
        };
        let here = state.reach();
        let mut known = Known::Explored;
        let (mut passes, mut outcome) = (false, Outcome::Ended);
        match end {
            End::Full => {
                machine.restore(&snapshot)?;
                return Ok(Some(End::Full));
            }
            End::Joined => outcome = Outcome::Joined(joined(machine, state, &saved, pending.join)),
            End::Failure => {}
            End::Printed => match state.judged.take() {
                Some(right) => {
                    state.require(right);
                    passes = true;
                    // What comes behind it may be wrong.
                    state.doubt(here);
                }
                None => state.forbid(here),
            },
            End::Stopped(reason) => match verdict(state, reason.as_ref()) {
                Verdict::Passes => passes = true,
                Verdict::Fails => state.forbid(here),
                Verdict::Unknown => {
                    known = Known::Blocked;
                    state.unsaid.insert(Unsaid::Ways);
                }
            },
        }
        machine.restore(&snapshot)?;
        saved.put_back(state);
        state.branches[record].others[index].known = known;
        if passes {
            state.leaves(here);
        }
        pending.others[index].outcome = outcome;
    }
    state.pending = Some(pending);
    Ok(None)
}

/// What is put back after a way beside the run.
struct Saved {
    slots: Vec<Option<Term>>,
    frames: Vec<FrameState>,
    regions: Regions<Fork>,
    path: Vec<Term>,
    open: usize,
    flipped: Option<Instance>,
    terminal: bool,
    printed: Vec<u8>,
    returning: Vec<Fork>,
    log: usize,
    havocs: usize,
    callbacks: u64,
    gone: Option<Term>,
}

impl Saved {
    fn of(state: &mut State<'_>) -> Self {
        Self {
            slots: state.slots.clone(),
            frames: state.frames.clone(),
            regions: state.regions.clone(),
            path: state.path.clone(),
            open: state.open,
            flipped: state.flipped,
            terminal: state.terminal,
            printed: state.printed.clone(),
            returning: std::mem::take(&mut state.returning),
            log: state.marks.now(),
            havocs: state.marks.havocs(),
            callbacks: state.callbacks,
            gone: state.gone,
        }
    }

    fn put_back(self, state: &mut State<'_>) {
        state.marks.take_havocs(self.havocs);
        state.marks.undo(self.log);
        state.slots = self.slots;
        state.frames = self.frames;
        state.regions = self.regions;
        state.path = self.path;
        state.open = self.open;
        state.flipped = self.flipped;
        state.terminal = self.terminal;
        state.printed = self.printed;
        state.returning = self.returning;
        state.callbacks = self.callbacks;
        state.gone = self.gone;
        state.level -= 1;
        state.request = None;
        state.passed = false;
        state.joined_at_return = false;
        state.returned.clear();
        state.computed = None;
    }
}

/// What a way has left behind that has joined.
fn joined(machine: &Machine, state: &mut State<'_>, saved: &Saved, join: u32) -> Joined {
    let at = machine.at();
    let mut pieces: Vec<(u64, u8)> =
        state.marks.written(saved.log).iter().map(|written| (written.address, written.size)).collect();
    pieces.sort_unstable();
    pieces.dedup();
    let mut bytes = FxHashMap::default();
    for &(address, size) in &pieces {
        let values = state.marks.bytes(at.memory(), address, size.into());
        for (i, byte) in values.into_iter().enumerate() {
            bytes.insert(address.wrapping_add(i as u64), byte);
        }
    }
    let slots = if join == NO_BLOCK { std::mem::take(&mut state.joined) } else { state.live_slots(&at, join) };
    let havocs = state.marks.take_havocs(saved.havocs);
    let printed = state.printed.get(saved.printed.len()..).unwrap_or_default().to_vec();
    Joined { bytes, pieces, slots, havocs, printed }
}

/// What a way comes to that ended before it joined.
enum Verdict {
    Passes,
    Fails,
    Unknown,
}

fn verdict(state: &State<'_>, reason: Option<&WhatIfStop>) -> Verdict {
    let text = state.failing.expected.as_ref().is_none_or(|expected| *expected == state.printed);
    match reason {
        Some(WhatIfStop::Exited { status }) => {
            if state.failing.accepts_status(*status) && text {
                Verdict::Passes
            } else {
                Verdict::Fails
            }
        }
        Some(WhatIfStop::Trap { signal, .. }) => {
            if state.failing.signal == Some(*signal) && text {
                Verdict::Passes
            } else {
                Verdict::Fails
            }
        }
        // Where it is only a matter of not failing, a way that does not fail as far as the replay can follow passes.
        Some(WhatIfStop::External { .. } | WhatIfStop::BackInExternal { .. } | WhatIfStop::Limit { .. })
            if state.terminal && state.failing.expected.is_none() && state.failing.signal.is_none() =>
        {
            Verdict::Passes
        }
        _ => Verdict::Unknown,
    }
}
