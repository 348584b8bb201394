//! Sets of changes, tested: versions built in a folder of ours, with progress.

use std::collections::HashMap;

use whydunit_changes::Changes;
use whydunit_delta::{Outcome, Set, Test, culprits, shrink_grouped, union, without};
use whydunit_explain::{Dynamic, Error};
use whydunit_findings::Exit;
use whydunit_replay::Position;
use whydunit_suite::process::interrupts;
use whydunit_variants::{Counts, Subject, Tried, Verdict, Workshop};

use super::subject::Bad;
use super::touching::Touching;
use super::{Versions, auxiliary};
use crate::failure::Failure;
use crate::progress::Task;
use crate::session::Session;

/// So often messages lead to more changes that are reverted.
const ROUNDS: usize = 4;

/// Tests sets of reverted changes.
pub struct Working<'a> {
    changes: &'a Changes,
    shop: Workshop<'static>,
    /// What had to be reverted with a set.
    added: HashMap<Set, Set>,
    /// A set that cannot be built is not helped.
    pub alone: bool,
    /// So many versions are built at most.
    pub most: Option<u64>,
    /// Where changes are.
    pub touching: Option<Touching>,
    task: Task,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::new(Exit::Internal, error)
    }
}

impl<'a> Working<'a> {
    pub fn new(session: &Session, bad: &Bad, changes: &'a Changes, most: Option<u64>) -> Result<Self, Failure> {
        let subject = Subject { test: bad.test.clone(), executable: bad.executable() };
        let verdicts = bad.folder.join("verdicts");
        let mut shop = Workshop::new(&bad.folder.join("work"), &verdicts, subject, interrupts()).map_err(failed)?;
        shop.expect(&bad.failed);
        Ok(Self {
            changes,
            shop,
            added: HashMap::new(),
            alone: false,
            most,
            touching: None,
            task: session.progress.task("building versions", None),
        })
    }

    /// How many changes there are.
    pub fn number(&self) -> usize {
        self.changes.list.len()
    }

    /// What was built and run.
    pub fn counts(&self) -> Counts {
        self.shop.counts
    }

    /// The test must pass in the good version, and fail in the bad one as it is built here.
    pub fn good_passes(&mut self, versions: &Versions) -> Result<(), Failure> {
        let all: Set = (0..self.number()).collect();
        let good = self.version(&all)?;
        let name = &versions.good;
        match good.verdict {
            Verdict::Pass => {}
            Verdict::NotBuilt => {
                let last =
                    good.says.lines().rev().find(|line| line.contains("error")).unwrap_or("see the build's output");
                return Err(Failure::new(Exit::Build, format!("the good version {name} does not build here"))
                    .at(last)
                    .advice("name a good version that does, or mend its build command in [build] of whydunit.toml"));
            }
            Verdict::Fail | Verdict::Other => {
                return Err(Failure::usage(format!("the test does not pass in {name} either: {}", good.says))
                    .advice("name a version in which it passes with --good"));
            }
        }
        let bad = self.version(&[])?;
        if bad.verdict != Verdict::Fail {
            return Err(Failure::new(
                Exit::Baseline,
                "the test does not fail in the bad version when it is built by itself",
            )
            .advice("what the test needs may lie outside the project's versioned files"));
        }
        Ok(())
    }

    fn version(&mut self, reverted: &[usize]) -> Result<Tried, Failure> {
        if let Some(most) = self.most.filter(|&most| self.shop.counts.builds >= most) {
            return Err(Failure::new(Exit::TimeLimit, format!("there is no answer after {most} builds")));
        }
        let tried = self.shop.try_version(&self.changes.reverted(reverted)).map_err(failed)?;
        let Counts { builds, saved, .. } = self.shop.counts;
        self.task.detail(&format!("{builds} done, {saved} spared"));
        Ok(tried)
    }

    /// What the version without these changes comes to, with what must be reverted besides so that it can be built.
    fn helped(&mut self, set: &[usize]) -> Result<(Tried, Set), Failure> {
        let mut tried = self.version(set)?;
        let mut added = Set::new();
        for _ in 0..ROUNDS {
            if tried.verdict != Verdict::NotBuilt || self.alone {
                return Ok((tried, added));
            }
            let more = auxiliary::named(self.changes, &union(set, &added), &tried.says);
            if more.is_empty() {
                break;
            }
            added = union(&added, &more);
            tried = self.version(&union(set, &added))?;
        }
        if tried.verdict != Verdict::NotBuilt {
            return Ok((tried, added));
        }
        // All others do: what is needed of them?
        let all: Set = (0..self.number()).collect();
        let others = without(&all, set);
        let levels = [self.changes.by_file()];
        let mut builds = |part: &[usize]| -> Result<Outcome, Failure> {
            let tried = self.version(&union(set, part))?;
            Ok(if tried.verdict == Verdict::NotBuilt { Outcome::Pass } else { Outcome::Fail })
        };
        let added = shrink_grouped(&others, &levels, &mut builds)?;
        Ok((self.version(&union(set, &added))?, added))
    }

    /// What must be reverted with the changes at fault, none of it in vain.
    pub fn auxiliary_of(&mut self, root: &[usize]) -> Result<Set, Failure> {
        let Some(added) = self.added.get(root).filter(|added| !added.is_empty()).cloned() else {
            return Ok(Set::new());
        };
        let levels = [self.changes.by_file()];
        let mut passes = |part: &[usize]| -> Result<Outcome, Failure> {
            let tried = self.version(&union(root, part))?;
            Ok(if tried.verdict == Verdict::Pass { Outcome::Fail } else { Outcome::Pass })
        };
        shrink_grouped(&added, &levels, &mut passes)
    }
}

/// Why versions cannot be tried.
pub fn failed(error: whydunit_variants::Error) -> Failure {
    let exit = match error {
        whydunit_variants::Error::Interrupted => Exit::TimeLimit,
        whydunit_variants::Error::NoBuild { .. } => Exit::Build,
        _ => Exit::Usage,
    };
    let interrupted = exit == Exit::TimeLimit;
    let failure = Failure::new(exit, error);
    if interrupted { failure.advice("run the command again: it goes on with what is known by now") } else { failure }
}

impl Test<Failure> for Working<'_> {
    fn test(&mut self, set: &[usize]) -> Result<Outcome, Failure> {
        let (tried, added) = self.helped(set)?;
        let outcome = match tried.verdict {
            Verdict::Pass => Outcome::Pass,
            Verdict::Fail => Outcome::Fail,
            Verdict::Other | Verdict::NotBuilt => Outcome::Unresolved,
        };
        if !self.alone {
            self.added.insert(set.to_vec(), added);
        }
        Ok(outcome)
    }
}

impl Dynamic<Failure> for Working<'_> {
    fn changes_at(&mut self, position: &Position) -> Vec<usize> {
        self.touching.as_ref().map_or(Vec::new(), |touching| touching.at(position))
    }

    fn root(&mut self, changes: &[usize]) -> Result<Option<Vec<usize>>, Failure> {
        culprits(changes, self)
    }

    fn progress(&mut self, causes: usize, changes: usize) {
        let Counts { builds, saved, .. } = self.shop.counts;
        self.task.detail(&format!("{causes} causes, {changes} changes among them; {builds} done, {saved} spared"));
    }
}
