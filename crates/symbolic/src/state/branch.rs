//! Branches of the run: whether their outcome is open, and which ways there are besides the run's.

use whydunit_library::{Ending, lookup};
use whydunit_model::{BlockId, Op};
use whydunit_replay::At;
use whydunit_terms::Term;

use super::{Request, State, fit};
use crate::facts::Facts;
use crate::fork::{Branch, Fork, Known, Other, Outcome, Pending, Unexplored, Way};
use crate::free::FreeKind;
use crate::question::{Arms, Mode};
use crate::region::{Instance, mix};
use crate::unsaid::Unsaid;

impl State<'_> {
    /// Looks at the branch at which the machine stands. True where there are ways to be gone besides the run's.
    pub(crate) fn prepare(&mut self, at: &At<'_>, op: &Op) -> bool {
        self.pending = None;
        let (condition, width) = match *op {
            Op::Branch { cond, .. } => (cond, 1),
            Op::Switch { value, w, .. } => (value, u32::from(w).min(64)),
            _ => return false,
        };
        let term = self.slot(at, condition);
        let statement = self.statement(at.pc);
        let hard = self.mode(statement) == Mode::Hard;
        if term.is_none() && hard && self.listing.is_none() {
            return false;
        }
        let Some((went, all)) = Self::targets(at, op) else { return false };
        let Some(facts) = self.facts().cloned() else { return false };
        let block = facts.shape.blocks[at.pc as usize];
        let fails = facts.shape.returns[block as usize] && !facts.shape.returns[went as usize];
        // The branch that leads to the failure is the predicate that failed: it stays what it is.
        let term = match fails && self.level == 0 && self.failing.open.contains(&self.instance(at)) {
            true => term,
            false => self.relaxed(at, FreeKind::Condition, width, at.value(condition), term, None),
        };
        let Some(term) = term else { return false };
        let term = fit(&mut self.pool, Some(term), 0, width);
        let guards: Vec<(BlockId, Term)> = all.iter().map(|&to| (to, self.guard(at, op, term, to))).collect();
        // Beside the run a way that never comes back is not gone where another one is open.
        let alive = |&&(to, _): &&(BlockId, Term)| facts.shape.returns[to as usize];
        let taken = match guards.iter().find(alive) {
            Some(&(other, guard)) if fails && self.level > 0 && self.pool.as_bool(guard).is_none() => other,
            _ => went,
        };
        let of = |target| guards.iter().find(|guard| guard.0 == target).map(|guard| guard.1);
        let Some(guard) = of(taken).filter(|&guard| self.pool.as_bool(guard).is_none()) else { return false };
        let join = facts.shape.join_of(block);
        let instance = self.instance(at);
        let others = guards
            .iter()
            .filter(|other| other.0 != taken && self.pool.as_bool(other.1) != Some(false))
            .map(|&(target, guard)| Other { target, guard, outcome: Outcome::Ended })
            .collect::<Vec<_>>();
        let mut record = Branch { instance, function: at.function, pc: at.pc, reach: self.reach(), others: Vec::new() };
        let mut asked = false;
        let mut kept = Vec::new();
        for mut other in others {
            let known = self.known(at, &facts, instance, block, taken, other.target);
            asked |= known == Known::Explored;
            if known != Known::Explored {
                let blocks = facts.shape.region(other.target, join);
                let joins = facts.shape.returns[other.target as usize] || !facts.shape.returns[block as usize];
                if known == Known::Unexplored && (!joins || self.may_end_or_print(at, &blocks)) {
                    self.unsaid.insert(Unsaid::Ways);
                }
                if joins {
                    let effects = self.knowledge.analysis.of_blocks(at.code, at.function, &blocks);
                    other.outcome = Outcome::Unexplored(Unexplored { blocks, effects });
                }
            }
            if known == Known::Forbidden {
                let reach = self.reach();
                let goes = self.pool.and(reach, other.guard);
                self.forbid(goes);
            }
            record.others.push(Way { target: other.target, guard: other.guard, known });
            kept.push(other);
        }
        self.branches.push(record);
        self.pending = Some(Pending { instance, pc: at.pc, join, taken, guard, others: kept });
        if asked {
            self.request = Some(Request::Fork);
        } else if taken != went {
            self.request = Some(Request::Redirect);
        }
        self.request.is_some()
    }

    /// Whether blocks of the present function call what may end the run or print.
    fn may_end_or_print(&self, at: &At<'_>, blocks: &[BlockId]) -> bool {
        let ops = blocks.iter().filter_map(|&block| at.model.blocks.get(block as usize));
        let mut ops = ops.flat_map(|block| &at.model.code[block.start as usize..block.end as usize]);
        ops.any(|op| match op {
            Op::Call { .. } => !Self::callee(at, op).and_then(lookup).is_some_and(|known| known.function.is_pure()),
            Op::Trap { .. } | Op::Resume { .. } => true,
            _ => false,
        })
    }

    /// This must not happen.
    pub(crate) fn forbid(&mut self, condition: Term) {
        let never = self.pool.not(condition);
        if self.pool.as_bool(never) != Some(true) {
            self.hard.push(never);
        }
    }

    /// The name of the execution of the branch at which the machine stands.
    pub(crate) fn instance(&self, at: &At<'_>) -> Instance {
        mix(mix(self.place(at.depth), at.function.0.into()), at.pc.into())
    }

    /// The condition under which a branch goes to a block.
    pub(crate) fn guard(&mut self, at: &At<'_>, op: &Op, term: Term, to: BlockId) -> Term {
        match *op {
            Op::Branch { then, .. } => {
                let holds = self.pool.to_bool(term);
                if to == then { holds } else { self.pool.not(holds) }
            }
            Op::Switch { table, .. } => {
                let switch = &at.model.switches[table as usize];
                let width = self.pool.width(term);
                let mut any = self.pool.bool(false);
                for &(value, target) in &switch.cases {
                    // To the default go all values that no case names; a case that goes there too is among them.
                    if (to == switch.default) != (target == to) {
                        let value = self.pool.constant(width, value.into());
                        let same = self.pool.eq(term, value);
                        any = self.pool.or(any, same);
                    }
                }
                if to == switch.default { self.pool.not(any) } else { any }
            }
            _ => self.pool.bool(true),
        }
    }

    /// What is known of a way besides the run's.
    fn known(
        &mut self,
        at: &At<'_>,
        facts: &Facts,
        instance: Instance,
        block: BlockId,
        taken: BlockId,
        target: BlockId,
    ) -> Known {
        let dead = |block: BlockId| !facts.shape.returns[block as usize];
        // The other way is the one that it should have gone: it is always looked at.
        if self.leads_to_failure(facts, taken, block) && !dead(target) {
            return Known::Explored;
        }
        if dead(target) && !dead(block) && dies(at, target) {
            // It fails, unless that is how the program should end.
            return if self.failing.signal == Some(SIGABRT) { Known::Explored } else { Known::Forbidden };
        }
        if self.is_beyond(at) {
            self.notes.insert(format!(
                "ways on which a loop has more than {} turns, or the run's and two",
                self.bounds.turns
            ));
            self.unsaid.insert(Unsaid::Turns);
            return Known::Forbidden;
        }
        match self.arms {
            Arms::Listed(listed) if !listed.contains(&(instance, target)) => Known::Unexplored,
            Arms::Listed(_) | Arms::All => Known::Explored,
        }
    }

    /// The run itself goes to where the function never comes back from.
    fn leads_to_failure(&self, facts: &Facts, taken: BlockId, block: BlockId) -> bool {
        self.level == 0 && !facts.shape.returns[taken as usize] && facts.shape.returns[block as usize]
    }

    /// A way is beyond the bound of the unrolling: this branch stands in too many executions of itself. Ways that are gone on
    /// demand may always have two more than the run.
    fn is_beyond(&self, at: &At<'_>) -> bool {
        let (bound, all) = (self.bounds.turns, matches!(self.arms, Arms::All));
        if self.level as usize > bound {
            return true;
        }
        let (mut turns, mut beside, mut next) = (0, 0, &self.regions);
        while let Some(region) = next.as_ref().filter(|region| region.depth == at.depth) {
            if !all && region.level == 0 && beside <= 2 {
                return false;
            }
            if region.fork.borrow().as_ref().is_some_and(|fork| fork.pc == at.pc) {
                turns += 1;
                beside += usize::from(region.level > 0);
            }
            if turns > bound {
                return all || beside > 2;
            }
            next = &region.outer;
        }
        false
    }

    /// The machine goes on over a branch.
    pub(crate) fn branch(&mut self, at: &At<'_>, op: &Op) {
        self.note(self.statement(at.pc));
        let Some((went, _)) = Self::targets(at, op) else { return };
        let pending = self.pending.take().filter(|pending| pending.pc == at.pc);
        let taken = pending.as_ref().map_or(went, |pending| pending.taken);
        let (join, instance) = match &pending {
            Some(pending) => (pending.join, pending.instance),
            None => {
                let Some(facts) = self.facts() else { return };
                (facts.shape.join_of(facts.shape.blocks[at.pc as usize]), self.instance(at))
            }
        };
        let fork = pending.map(|pending| {
            let reach = self.reach();
            let fork = Fork {
                reach,
                path: self.path.len(),
                since: self.marks.now(),
                printed: self.printed.len(),
                pc: at.pc,
                frame: at.frame().stack_base,
                before: self.live_slots(at, pending.join),
                others: pending.others,
                function: at.function,
            };
            let reach = self.pool.and(reach, pending.guard);
            self.path.push(reach);
            self.open += 1;
            fork
        });
        self.enter_region(at.depth, join, instance, taken, fork);
    }
}

const SIGABRT: i32 = 6;

/// Whether a block that never comes back says so itself: it calls `abort` or its like.
fn dies(at: &At<'_>, block: BlockId) -> bool {
    let bounds = &at.model.blocks[block as usize];
    at.model.code[bounds.start as usize..bounds.end as usize].iter().any(|op| {
        let Op::Call { call } = op else { return false };
        let whydunit_model::Callee::Direct(callee) = at.model.calls[*call as usize].callee else { return false };
        let name = at.module().functions.get(callee as usize).map(|function| function.name.as_str());
        let ending = name.and_then(lookup).and_then(|known| known.function.ending);
        matches!(ending, Some(Ending::Abort | Ending::Assertion { .. }))
    })
}
