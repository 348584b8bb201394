//! Patches out of anomalies (Dallmeier, "Mining and Checking Object Behavior", chapter 8: PACHIKA): a call that finds its object
//! otherwise than those of passing tests gets what it needs by another call or an assignment before it, or is not made there, or its
//! method is left at once.

mod edits;
mod sources;
mod style;

use whydunit_changes::Tree;
use whydunit_desk::Desk;
use whydunit_findings::{Patch, Problem};
use whydunit_variants::complaint;

pub(super) use self::edits::Edit;
use self::edits::Suspect;
use self::sources::Sources;
use super::places::Places;
use super::search::Searching;
use super::{Answer, Method};
use crate::Error;
use crate::anomalies::{self, Recorded};
use crate::locate::Baseline;
use crate::mine::Ready;

/// Anomalies that are mended.
const ANOMALIES: usize = 6;
/// What of each is otherwise that is mended.
const FACTS: usize = 2;
/// Changes that are built.
const MOST: usize = 60;

/// What anomalies suggest.
#[derive(Default)]
pub(super) struct Suggested {
    /// Changes, those of the most telling anomaly first.
    pub edits: Vec<Edit>,
    /// The sources that were read.
    pub places: Places,
}

/// What the anomalies of a failing test suggest; what should be known goes to the answer.
pub(super) fn suggested(
    desk: &Desk,
    tree: &Tree,
    baseline: &Baseline,
    test: &str,
    answer: &mut Answer,
) -> Result<Suggested, Error> {
    let ready = Ready::of(desk)?;
    let Recorded { found, models, runs } = anomalies::recorded(desk, &ready, baseline, test)?;
    answer.runs += runs;
    answer.problems.extend(found.problems);
    answer.repaired.anomalies = anomalies::told(&desk.project, test, &found.anomalies);
    let mut sources = Sources::new(desk, tree, &models)?;
    let mut places = Places::default();
    let mut all: Vec<Edit> = Vec::new();
    for anomaly in found.anomalies.iter().take(ANOMALIES) {
        for fact in anomaly.facts.iter().take(FACTS) {
            let suspect = Suspect::of(&mut sources, &mut places, (anomaly, fact), &ready.catalogue, &found.calls);
            for edit in suspect.edits() {
                if !all.contains(&edit) {
                    all.push(edit);
                }
            }
        }
    }
    all.truncate(MOST);
    answer.repaired.sites = found.anomalies.len() as u64;
    answer.repaired.candidates = all.len() as u64;
    Ok(Suggested { edits: all, places })
}

impl Searching<'_, '_> {
    /// Builds each change that anomalies, or locating, suggest; one with which the failing tests pass is confirmed like all other patches.
    pub fn mend(&mut self) -> Result<(), Error> {
        let edits = self.edits;
        let mut refused = None;
        let origin = match self.question.method {
            Method::Pachika => Method::Pachika,
            _ => Method::Enumeration,
        };
        for (number, Edit { replaced, rivals }) in edits.iter().enumerate() {
            if self.is_over() {
                return Ok(());
            }
            self.task.detail(&format!("{number} of {} changes built", edits.len()));
            let tree = self.patched(&[(&replaced.location.file, replaced.bytes.clone(), &replaced.after)]);
            let suite = match self.shop.make(&tree)? {
                Ok(suite) => suite,
                Err(said) => {
                    refused.get_or_insert(said);
                    continue;
                }
            };
            self.answer.repaired.tried += 1;
            let mended = |name: &String| self.trial.passes(&suite, name, &mut self.answer.runs);
            if !self.trial.failing.iter().all(mended) {
                continue;
            }
            let (origin, replaced) = (origin.name().into(), replaced.clone());
            self.confirmed(Patch { origin, replaced, rivals: *rivals, ..Patch::default() })?;
        }
        if let (0, Some(said)) = (self.answer.repaired.tried, refused) {
            let line = complaint(&said).unwrap_or(&said);
            self.add_problem(Problem::new(format!("none of {} changes could be built: {line}", edits.len())));
        }
        Ok(())
    }
}
