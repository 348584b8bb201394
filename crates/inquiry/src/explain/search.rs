//! How the changes at fault are found: by causes (AFTER), or by delta debugging.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use whydunit_changes::Changes;
use whydunit_delta::{Outcome, Set, Test as _, difference, minimise, without};
use whydunit_explain::{Explanation, Settings, Stopped, explain};
use whydunit_findings::Problem;

use super::subject::Bad;
use super::touching::Touching;
use super::work::{Help, Working, chosen};
use super::{Answer, Method, Question, causes, so_far, spared_lines, told};
use crate::Error;
use whydunit_desk::{Desk, ProjectSources};

/// Predicates that are explained at most.
const CAUSES: usize = 200;

/// The changes at fault, those that go with them, and how they lead to the failure, where causes do.
type Found = (Set, Set, Option<(Stopped, Explanation)>);

/// A failing run at its failure point, and which changes touch which statement.
type Failing = (Stopped, Touching);

/// A search for the changes at fault.
pub struct Search<'a> {
    desk: &'a Desk,
    question: &'a Question<'a>,
    bad: &'a Bad,
    started: Instant,
    problems: Vec<Problem>,
}

impl<'a> Search<'a> {
    pub fn new(desk: &'a Desk, question: &'a Question<'a>, bad: &'a Bad) -> Self {
        Self { desk, question, bad, started: Instant::now(), problems: Vec::new() }
    }

    /// The answer of a search that goes to its end.
    pub fn answer(mut self, changes: &Changes, working: &mut Working<'_>) -> Result<Answer, Error> {
        working.good_passes(self.question.versions)?;
        working.go_on()?;
        let method = self.question.method;
        let Some(stopped) = (if method == Method::Dd { None } else { self.stopped()? }) else {
            return self.among(changes, working, None);
        };
        let touching = Touching::new(self.bad, changes, &stopped);
        if method == Method::After {
            working.narrow(&touching.belonging)?;
        }
        self.among(changes, working, Some((stopped, touching)))
    }

    /// The bad version's failing run at its failure point; none where it cannot be gone to, which is told.
    fn stopped(&mut self) -> Result<Option<Stopped>, Error> {
        let failed = match self.bad.record()? {
            Ok(failed) => failed,
            Err(not_looked) => {
                self.problems.extend(not_looked.problems);
                return Ok(None);
            }
        };
        self.question.so_far.change(|answer| answer.explained.failure = Some(failed.failure));
        let _task = self.desk.task(&format!("replaying {}", self.bad.test), None);
        let machine = failed.opened.machine()?;
        match Stopped::at(machine, &failed.found.failing.point) {
            Ok(stopped) => Ok(Some(stopped)),
            Err(error) => {
                self.problems.push(Problem::new(error.to_string()));
                Ok(None)
            }
        }
    }

    /// The answer over some changes.
    fn among(
        mut self,
        changes: &Changes,
        working: &mut Working<'_>,
        failing: Option<Failing>,
    ) -> Result<Answer, Error> {
        let (question, bad) = (self.question, self.bad);
        let (root, mut auxiliary, explanation) = self.by_method(working, failing)?;
        let mut problems = self.problems;
        // AFTER has tested what it reports; the others' answer is there before it is.
        let (mut counts, seconds) = (working.counts(), self.started.elapsed().as_secs_f64());
        let most = working.most.take();
        let passes = if question.method == Method::After {
            !root.is_empty() && working.mends(&whydunit_delta::union(&root, &auxiliary))?
        } else {
            let passes = working.test(&root)? == Outcome::Pass;
            auxiliary = working.auxiliary_of(&root)?;
            passes
        };
        if !root.is_empty() && !passes {
            let text = "the test still fails with the reported changes reverted: delta debugging looks for what breaks the good version, not for what mends the bad one";
            problems.push(Problem::new(text));
        }
        let mut answer = question.so_far.taken();
        let explained = &mut answer.explained;
        let sources = ProjectSources::new(&bad.desk.project);
        let mut cut = None;
        if passes && question.method == Method::After {
            working.most = most;
            cut = working.cut(&root, &auxiliary)?;
            counts = working.counts();
        }
        let change =
            |&number: &usize| cut.as_ref().map_or_else(|| told(changes, number), |cut| cut.told(changes, number));
        explained.root = root.iter().map(change).collect();
        explained.reduced = true;
        explained.auxiliary = auxiliary.iter().map(|&number| told(changes, number)).collect();
        if let Some((stopped, explanation)) = &explanation {
            explained.causes = causes(bad, stopped, explanation, changes, &sources);
        }
        let both = whydunit_delta::union(&root, &auxiliary);
        explained.patch = String::from_utf8_lossy(&changes.patch(&both)).into_owned();
        if let Some(cut) = &cut {
            explained.patch = cut.patch();
            problems.extend(spared_lines(cut));
        }
        explained.saved = counts.saved;
        explained.variants = so_far::variants(&counts);
        answer.problems.extend(problems);
        Ok(Answer { passes, builds: counts.builds, runs: counts.runs, seconds, ..answer })
    }

    /// The changes that the method finds.
    fn by_method(&mut self, working: &mut Working<'_>, failing: Option<Failing>) -> Result<Found, Error> {
        let all: Set = (0..working.number()).collect();
        match (self.question.method, failing) {
            (Method::Dd, _) => Ok((delta(working, &all)?, Set::new(), None)),
            (Method::Add, failing) => {
                let order = failing.map_or(all, |(stopped, touching)| touching.nearest_first(&stopped));
                Ok((augmented(working, &order)?, Set::new(), None))
            }
            (Method::After, Some(failing)) => after(working, failing, self.question.limit, &mut self.problems),
            (Method::After, None) => {
                let text = "there are no causes to go by: the changes were found by trying alone";
                self.problems.push(Problem::new(text));
                let root = working.culprits(&all)?.unwrap_or_default();
                let (root, auxiliary) = working.settled(&root, &all)?;
                Ok((root, auxiliary, None))
            }
        }
    }
}

/// AFTER; where no cause leads to the changes they are found by trying.
fn after(
    working: &mut Working<'_>,
    (stopped, touching): Failing,
    limit: Duration,
    problems: &mut Vec<Problem>,
) -> Result<Found, Error> {
    // What the failing run executes is likelier at fault, the nearer to the failure the more.
    let mut likely = touching.nearest_first(&stopped);
    let executed: BTreeSet<usize> = likely.iter().copied().collect();
    likely.extend((0..working.number()).filter(|change| !executed.contains(change)));
    let belonging = touching.belonging.clone();
    likely.sort_by_key(|&change| belonging[change]);
    working.touch(touching);
    likely.retain(|change| working.matters(*change));
    let settings = Settings { causes: CAUSES, deadline: Instant::now() + limit };
    // While there are more causes to come no great effort is made to build a version.
    working.help = Help::Messages;
    let mut explanation = explain::<Error>(&stopped, settings, working)?;
    working.help = Help::Trials;
    // What is among the causes is likelier still.
    let causes: BTreeSet<usize> = explanation.changes.iter().flatten().copied().collect();
    likely.sort_by_key(|change| !causes.contains(change));
    if !explanation.root.is_empty() {
        let (root, auxiliary) = working.settled(&explanation.root, &likely)?;
        explanation.root = root.clone();
        return Ok((root, auxiliary, Some((stopped, explanation))));
    }
    let root = working.culprits(&likely)?.unwrap_or_default();
    let (root, auxiliary) = working.settled(&root, &likely)?;
    if root.iter().any(|change| causes.contains(change)) {
        explanation.root = root.clone();
        return Ok((root, auxiliary, Some((stopped, explanation))));
    }
    let text = "no cause of the failure leads to changes whose reverting helps: they were found by trying alone";
    problems.push(Problem::new(text));
    Ok((root, auxiliary, None))
}

/// Delta debugging: a least set of changes that breaks the good version (ddmin).
fn delta(working: &mut Working<'_>, all: &Set) -> Result<Set, Error> {
    working.help = Help::None;
    let found = minimise(all, &mut |applied: &[usize]| working.test(&without(all, applied)))?;
    working.help = Help::Trials;
    Ok(found)
}

/// Delta debugging over some changes in an order, the others left out; where these alone do not break the good version, over all:
/// the minimal difference between a version that passes and one that fails.
fn augmented(working: &mut Working<'_>, order: &[usize]) -> Result<Set, Error> {
    let all: Set = (0..working.number()).collect();
    let places: Set = (0..order.len()).collect();
    working.help = Help::None;
    let mut test = |applied: &[usize]| working.test(&without(&all, &chosen(order, applied)));
    let found = match test(&places)? {
        Outcome::Fail => chosen(order, &difference(&[], &places, &mut test)?.set()),
        _ => difference(&[], &all, &mut |applied: &[usize]| working.test(&without(&all, applied)))?.set(),
    };
    working.help = Help::Trials;
    Ok(found)
}
