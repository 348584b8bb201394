//! What methods of `repair` make of a fault that is known, and whether their patches are right.

use std::path::Path;
use std::time::Instant;

use whydunit_findings::{Patch, ScoredPatch, ScoredRepair};
use whydunit_suite::Truth;

use super::judge::Judge;
use super::{Question, ScoreError};
use crate::Error;
use crate::locate::{Baseline, Reach, Scope};
use crate::repair::{self, LINES, Method, WINDOWS};
use whydunit_desk::Desk;
use whydunit_desk::prepare;

/// Repairs a project by each method, each from nothing, and judges the patches where cases are held out.
pub fn measure(
    desk: &Desk,
    folder: &Path,
    methods: &[Method],
    asked: &Question<'_>,
    repair: &mut ScoredRepair,
) -> Result<(), Error> {
    repair.kind = Truth::of(folder).map_err(ScoreError::Truth)?.kind;
    let desk = desk.quietly_in(folder)?;
    let baseline = Baseline::of(&desk, &[], None, Scope::default(), Reach::default())?;
    repair.tests = baseline.executed.len() as u64;
    repair.failing = baseline.failing().count() as u64;
    if repair.failing == 0 {
        return Err(ScoreError::NothingFails.into());
    }
    // What all methods share is there before the first begins; programs that no failing test runs are not part of it.
    let failing: Vec<&str> = baseline.failing().collect();
    prepare::recorders(&desk, &baseline.project, &baseline.recorded(&failing))?;
    let mut judge = Judge::of(&desk, &baseline)?;
    for &method in methods {
        forget(&desk)?;
        let mut scored = ScoredPatch { method: method.name().into(), ..ScoredPatch::default() };
        let limit = asked.limit;
        let question = repair::Question {
            method,
            tests: &[],
            patches: asked.patches,
            lines: LINES,
            windows: WINDOWS,
            limit,
            jobs: None,
            explain: false,
        };
        let started = Instant::now();
        let answer = repair::answer(&desk, &question);
        scored.seconds = started.elapsed().as_secs_f64();
        let patches = match answer {
            Ok(answer) => {
                let repaired = answer.repaired;
                (scored.candidates, scored.tried) = (repaired.candidates, repaired.tried);
                (scored.builds, scored.runs) = (answer.builds, answer.runs);
                scored.phases = repaired.phases;
                scored.cut = answer.late;
                repaired.patches.into_iter().filter(Patch::stands).collect()
            }
            Err(error) => {
                scored.problem = Some(error.line());
                Vec::new()
            }
        };
        if let Some(judge) = &mut judge {
            scored.held_out = judge.cases;
            if let Err(error) = judged(judge, &patches, &mut scored) {
                scored.problem = Some(error.line());
            }
        }
        scored.patched = patches.len() as u64;
        scored.first = patches.into_iter().next();
        repair.answers.push(scored);
    }
    Ok(())
}

/// Which patches are correct, as far as the cases tell that were held out.
fn judged(judge: &mut Judge<'_>, patches: &[Patch], scored: &mut ScoredPatch) -> Result<(), Error> {
    let failing = patches.iter().map(|patch| judge.failing(patch)).collect::<Result<Vec<_>, _>>()?;
    if let Some(&first) = failing.first() {
        scored.held_out_failing = first;
        scored.correct = Some(first == 0);
        scored.any_correct = Some(failing.contains(&0));
    }
    Ok(())
}

/// Removes what repairing left behind: no method is to find what another one has made.
fn forget(desk: &Desk) -> Result<(), Error> {
    Ok(prepare::removed(&repair::folder(&desk.project))?)
}
