//! Mutants: an operation does something else at each of its executions. One that makes the failing tests pass and lets the
//! others pass is where a person would mend the program (Papadakis and Le Traon, "Metallaxis-FL", 2015; Moon et al., "Ask
//! the Mutants", 2014), here without building any of them.

use std::collections::HashSet;

use whydunit_model::Function;
use whydunit_replay::{Code, FuncId, Machine, Snapshot, Stop};
use whydunit_symbolic::{Failing, StatementId};

use super::arrive::{Before, First};
use super::judge::{Judge, Outcome};
use super::known::Known;
use super::mutant::Mutant;
use super::operators::alternatives;
use super::runner::Runner;
use super::stand::Stand;
use super::texts::Texts;
use crate::Error;

/// The mutants of an operation; `compared`: what it compares with a constant, `texts`: those that the expected output dictates
/// among them.
pub(crate) fn of_operation(
    code: &Code,
    known: &Known,
    (function, pc): (FuncId, u32),
    statement: StatementId,
    compared: &[u64],
    texts: Option<&mut Texts>,
) -> Vec<Mutant> {
    let model: &Function = code.model(function);
    let mut others = texts.map_or_else(Vec::new, |texts| texts.alternatives(code, function, pc));
    let room = (code.spare(function, 0), [0, 1].map(|number| code.scratch(function, number)));
    others.extend(alternatives(model, known, (code.consts(function), compared), room, pc));
    others.into_iter().map(|other| Mutant::at(code, function, pc, statement, other)).collect()
}

/// What a run says of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Judgement {
    /// It does not execute it, or there was not time for it.
    #[default]
    NotAsked,
    /// What the run comes to with it is not known; or it means nothing, since free of the recording the run passes without it and failed, or does
    /// not pass without it and passed.
    Unknown,
    /// It passes with it.
    Passes,
    /// It fails with it.
    Fails,
}

/// What a run says of each mutant; `passes`: the recorded run passes.
///
/// The run is gone from `start` on; `failing` says what is expected of it, and until where operations are looked for. What is
/// executed is taken from `instructions`; `late` says when to stop.
pub fn check(
    machine: &mut Machine,
    start: &Snapshot,
    (failing, passes): (&Failing, bool),
    mutants: &[Mutant],
    instructions: &mut u64,
    late: &dyn Fn() -> bool,
) -> Result<Vec<Judgement>, Error> {
    let mut verdicts = vec![Judgement::NotAsked; mutants.len()];
    let judge = Judge::new(failing);
    let mut sites: Vec<(FuncId, u32)> = Vec::new();
    let mut known = HashSet::new();
    for mutant in mutants {
        let site = mutant.function(machine.code()).map(|function| (function, mutant.pc));
        sites.extend(site.filter(|site| known.insert(*site)));
    }
    machine.restore(start)?;
    let most = *instructions;
    let mut runner = Runner::new(machine, &judge, instructions, most);
    let (mut printed, until) = (0, failing.point.instruction);
    while !sites.is_empty() && !late() {
        let mut first = First { sites: &sites, before: Before::new(&judge, until, printed) };
        if runner.machine.go_on(&mut first)? != Stop::Asked || first.before.late {
            break;
        }
        printed = first.before.printed;
        let stand = Stand::here(runner.machine, printed);
        let site = stand.site;
        let is_known = runner.unchanged(&stand)?.passes == passes;
        for (verdict, mutant) in verdicts.iter_mut().zip(mutants) {
            if !runner.is_done()
                && !late()
                && mutant.pc == site.1
                && mutant.function(runner.machine.code()) == Some(site.0)
            {
                let outcome = if is_known { runner.run(&stand, mutant)? } else { Outcome::default() };
                *verdict = match outcome {
                    Outcome { passes: true, .. } => Judgement::Passes,
                    Outcome { fails: true, .. } => Judgement::Fails,
                    _ => Judgement::Unknown,
                };
            }
        }
        sites.retain(|other| *other != site);
    }
    Ok(verdicts)
}
