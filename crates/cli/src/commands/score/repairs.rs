//! What methods of `repair` make of a fault that is known, and whether their patches are right.

use std::path::Path;
use std::time::{Duration, Instant};

use whydunit_capture::Flavour;
use whydunit_findings::{Exit, Grade, Patch, ScoredPatch, ScoredRepair};
use whydunit_suite::Truth;

use super::ScoreArgs;
use super::judge::Judge;
use crate::failure::{Failure, OrFail};
use crate::locating::{Baseline, Scope};
use crate::repairing::{self, LINES, Method, Question, WINDOWS};
use crate::session::Session;
use crate::working;

/// Repairs a project by each method, each from nothing, and judges the patches where cases are held out.
pub fn measure(
    session: &Session,
    folder: &Path,
    methods: &[Method],
    args: &ScoreArgs,
    repair: &mut ScoredRepair,
) -> Result<(), Failure> {
    repair.kind = Truth::of(folder).or_fail(Exit::Usage)?.kind;
    let session = session.quietly_in(folder)?;
    let baseline = Baseline::of(&session, &[], None, Scope::default())?;
    repair.tests = baseline.executed.len() as u64;
    repair.failing = baseline.failing().count() as u64;
    if repair.failing == 0 {
        return Err(Failure::usage("no test fails"));
    }
    // What all methods share is there before the first begins.
    working::flavours(&session, &baseline.project, Flavour::Record)?;
    let mut judge = Judge::of(&session, &baseline)?;
    for &method in methods {
        forget(&session)?;
        let mut scored = ScoredPatch { method: method.name().into(), ..ScoredPatch::default() };
        let limit = Duration::from_secs(args.time_limit);
        let question = Question {
            method,
            tests: &[],
            patches: args.patches.get(),
            lines: LINES,
            windows: WINDOWS,
            limit,
            jobs: None,
        };
        let started = Instant::now();
        let answer = repairing::answer(&session, &question);
        scored.seconds = started.elapsed().as_secs_f64();
        let patches = match answer {
            Ok(answer) => {
                let repaired = answer.repaired;
                (scored.candidates, scored.tried) = (repaired.candidates, repaired.tried);
                (scored.builds, scored.runs) = (answer.builds, answer.runs);
                scored.phases = repaired.phases;
                scored.cut = answer.late;
                repaired.patches.into_iter().filter(|patch| patch.grade == Grade::Verified).collect()
            }
            Err(failure) => {
                scored.problem = Some(failure.line());
                Vec::new()
            }
        };
        if let Some(judge) = &mut judge {
            scored.held_out = judge.cases;
            if let Err(failure) = judged(judge, &patches, &mut scored) {
                scored.problem = Some(failure.line());
            }
        }
        scored.patched = patches.len() as u64;
        scored.first = patches.into_iter().next();
        repair.answers.push(scored);
    }
    Ok(())
}

/// Which patches are correct, as far as the cases tell that were held out.
fn judged(judge: &mut Judge<'_>, patches: &[Patch], scored: &mut ScoredPatch) -> Result<(), Failure> {
    let failing = patches.iter().map(|patch| judge.failing(patch)).collect::<Result<Vec<_>, _>>()?;
    if let Some(&first) = failing.first() {
        scored.held_out_failing = first;
        scored.correct = Some(first == 0);
        scored.any_correct = Some(failing.contains(&0));
    }
    Ok(())
}

/// Removes what repairing left behind: no method is to find what another one has made.
fn forget(session: &Session) -> Result<(), Failure> {
    working::removed(&repairing::folder(&session.project))
}
