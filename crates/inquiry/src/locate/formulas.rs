//! The recording of a failing test is asked which statements, were their values others, would make it pass.

use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use whydunit_findings::Finding;
use whydunit_locate::{Located, Method, Settings, Trials, locate};
use whydunit_symbolic::{Bounds, Knowledge, Predicate, Statement};

use super::effort::Effort;
use super::naming::Told;
use super::nearness::{CHECKED, cost, later};
use super::overrun::Overrun;
use super::solvers::Solvers;
use super::subject::Subject;
use super::walk::Walk;
use super::{Place, Scope, Suspicion, place_of};
use crate::Error;
use whydunit_desk::Desk;
use whydunit_desk::convert;

/// Statements in a correction set at most.
pub(super) const MOST_STATEMENTS: usize = 3;

/// How formulas are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formulas {
    /// All ways at once instead of on demand.
    pub bug_assist: bool,
    /// Statements cost by their suspiciousness.
    pub weighted: bool,
}

/// What formulas found for one failing test.
pub struct Answer {
    /// The test.
    pub(super) test: String,
    /// The run's beginning was not looked at.
    pub(super) begins_later: bool,
    pub(super) located: Located,
    pub(super) knowledge: Knowledge,
    /// What the sets' changes are in the source, in the order of the sets and their witnesses.
    pub(super) told: Vec<Vec<Told>>,
    /// Time from the recording to the point from which formulas start.
    pub(super) replay: Duration,
    /// What it accesses behind its end, where that is how the run fails.
    pub(super) overrun: Option<Overrun>,
    /// What the way to the failure says.
    pub(super) walk: Walk,
}

impl Answer {
    /// Statements that can be at fault: those in a correction set, and those that were not decided, or not asked about as a whole.
    fn possible(&self) -> HashSet<(&str, u32)> {
        let sets = self.located.sets.iter().flat_map(|set| &set.statements);
        let unasked = self.located.unasked.iter().map(|(statement, _)| statement);
        let statements = sets.chain(&self.located.undecided).chain(unasked);
        let known = statements.filter_map(|&statement| self.knowledge.statements.get(statement));
        known.map(|statement| (statement.file.as_str(), statement.line)).collect()
    }
}

/// Statements that the failing run executed and formulas have not seen.
pub(super) struct Unseen<'a> {
    begins_later: bool,
    functions: HashSet<&'a str>,
    places: HashSet<Place>,
}

impl Answer {
    /// What this answer leaves unseen.
    pub(super) fn unseen(&self, project: &Path) -> Unseen<'_> {
        let statements = || self.knowledge.statements.iter().map(|(_, statement)| statement);
        Unseen {
            begins_later: self.begins_later,
            functions: statements().map(|statement| statement.function.as_str()).collect(),
            places: statements()
                .map(|statement| (convert::relative(project, &statement.file), statement.line))
                .collect(),
        }
    }
}

impl Unseen<'_> {
    /// Whether an executed statement may be at fault all the same: the run's beginning was not looked at, or the statement
    /// does nothing, so that the compiler has left no operation of it. What a whole run executes only after it has
    /// failed cannot be.
    pub fn may_be(&self, finding: &Finding) -> bool {
        let without_effect =
            || self.functions.contains(finding.function.as_str()) && !self.places.contains(&place_of(finding));
        self.begins_later || without_effect()
    }
}

/// What is asked of every failing test.
pub struct Asking<'a> {
    /// How formulas are used.
    pub formulas: Formulas,
    /// What is ranked.
    pub scope: &'a Scope,
    /// What counts say.
    pub suspicion: &'a Suspicion,
    /// How much is asked.
    pub effort: Effort,
    /// Numbers that failing tests state.
    pub numbers: Rc<[i64]>,
    /// What answers.
    pub solvers: &'a Solvers,
    /// When to stop.
    pub deadline: Instant,
    /// So many tests pass.
    pub passing: usize,
}

/// What other failing tests have said before.
pub struct Before<'a> {
    /// Their answers.
    pub answers: &'a [Answer],
    /// Statements whose mutants make the test pass that is asked now.
    pub mends: &'a HashSet<Place>,
    /// All fail by one fault: what cannot mend one of them need not be asked of another.
    pub one_fault: bool,
}

/// What a failing run accesses behind its end, and what the way to its failure says.
fn walked(desk: &Desk, subject: &mut Subject, asking: &Asking<'_>) -> Result<(Option<Overrun>, Walk), Error> {
    let Subject { machine, snapshots, failing, errors, .. } = subject;
    let point = (failing.point.instruction, failing.point.pc);
    machine.set_patience(Some(desk.cancel.by(asking.deadline)));
    let by_status = matches!(failing.point.predicate, Predicate::Status(_));
    let walked = Walk::of(desk, asking.scope, (machine, snapshots), (point, by_status), asking.passing);
    machine.set_patience(None);
    let mut walk = walked?;
    let overrun = Overrun::of(desk, failing, errors);
    if let Some(overrun) = &overrun {
        walk.distances.entry(overrun.place.clone()).or_insert(1);
    }
    Ok((overrun, walk))
}

/// Asks a failing test.
pub fn ask(
    desk: &Desk,
    name: &str,
    subject: &mut Subject,
    asking: &Asking<'_>,
    before: &Before<'_>,
) -> Result<Answer, Error> {
    let &Asking { formulas, scope, suspicion, effort, solvers, deadline, ref numbers, .. } = asking;
    let task = desk.task(&format!("locating {name}"), None);
    let (overrun, walk) = if formulas.weighted { walked(desk, subject, asking)? } else { Default::default() };
    let Subject { machine, start, failing, errors, begins_later, replay, .. } = subject;
    let mut knowledge = Knowledge::default();
    let place = |statement: &Statement| (convert::relative(&desk.project, &statement.file), statement.line);
    // What is near the failure is looked at first.
    let order = |statement: &Statement| {
        let place = place(statement);
        let later = if walk.distances.is_empty() { 1.0 } else { later(walk.distances.get(&place).copied()) };
        (cost(suspicion, &place) as f64 * later * (1.0 + CHECKED * walk.spoken_for(&place))) as u64
    };
    let costs = |statement: &Statement| match formulas.weighted {
        true => cost(suspicion, &place(statement)),
        false => 1,
    };
    let progress = |looked: usize, found: usize, best: Option<&Statement>| {
        let best = best.map(place).map_or(String::new(), |(file, line)| format!(", best so far {file}:{line}"));
        task.detail(&format!("{looked} statements looked at, {found} could make it pass{best}"));
    };
    let &Before { answers, mends, one_fault } = before;
    let possible: Vec<HashSet<(&str, u32)>> = answers.iter().filter(|_| one_fault).map(Answer::possible).collect();
    let candidate = |statement: &Statement| {
        scope.covers(&desk.project, &statement.file, statement.line, &statement.function)
            && (scope.tests || !walk.is_of_checks(&place(statement).0))
            && possible.iter().all(|possible| possible.contains(&(statement.file.as_str(), statement.line)))
    };
    let mends = |statement: &Statement| mends.contains(&place(statement));
    // Those of the first test are asked of all others.
    let mutants = if answers.is_empty() { effort.trials.mutants } else { 0 };
    let settings = Settings {
        mends: &mends,
        candidate: &candidate,
        method: if formulas.bug_assist { Method::BugAssist } else { Method::OnDemand },
        cost: &costs,
        order: &order,
        most_statements: MOST_STATEMENTS,
        few: effort.few,
        most_sets: effort.sets,
        most_iterations: 40,
        most_candidates: effort.candidates,
        rounds: effort.rounds,
        deadline,
        cancel: &desk.cancel,
        // The others are as they were published.
        texts: formulas.weighted,
        numbers: Rc::clone(numbers),
        errors,
        trials: (!formulas.bug_assist).then_some(Trials { mutants, ..effort.trials }),
        patience: effort.patience,
        terms: if formulas.bug_assist { u64::MAX } else { effort.terms },
        work: effort.work,
        solved: effort.solved,
        large: effort.large,
        question: effort.question,
        bounds: Bounds {
            terms: if formulas.bug_assist { 4_000_000 } else { effort.formula },
            cancel: Some(desk.cancel.clone()),
            ..Bounds::default()
        },
        solver: &|| solvers.make(),
        progress: &progress,
    };
    let located = locate(machine, start, &mut knowledge, failing, &settings)?;
    let code = machine.code();
    let told = located
        .sets
        .iter()
        .map(|set| set.witness.iter().map(|witness| Told::of_witness(code, witness)).collect())
        .collect();
    let (test, begins_later, replay) = (name.to_string(), *begins_later, *replay);
    Ok(Answer { told, test, begins_later, located, knowledge, replay, overrun, walk })
}
