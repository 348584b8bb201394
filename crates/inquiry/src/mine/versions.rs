//! What objects do differently from those of another version.

use std::path::PathBuf;

use whydunit_behavior::{Mined as Behavior, Miner};
use whydunit_changes::Repository;
use whydunit_desk::Recorder;
use whydunit_findings::{Mined, Problem};

use super::runs::{Ran, Reading};
use super::{MineError, Question, Ready, check, differences, options, told};
use crate::Error;

/// The models of the present version, and how they differ from those of a git revision.
pub(super) fn answer(
    reading: &mut Reading<'_>,
    question: &Question<'_>,
    class: Option<usize>,
    revision: &str,
) -> Result<Mined, Error> {
    let options = options::of(reading, question, class);
    let mut newer = Miner::new(options.clone());
    reading.whole(question.runs(), &mut |_: &Ran<'_>, event| newer.event(event))?;
    let older = older(reading, question, revision)?;
    let older = older.map_or_else(Behavior::default, |mut older| {
        newer.agree_with(&mut older);
        older.finish()
    });
    let newer = newer.finish();
    class.map_or(Ok(()), |class| check(reading.catalogue, class, &newer, reading.runs))?;
    options::check_paths(&options, &newer)?;
    let mut mined = told(reading, class, &newer, reading.runs);
    mined.differences = Some(differences::between(&reading.desk.project, &older, &newer, revision));
    Ok(mined)
}

/// What the tests of a revision's version do, built in a folder of ours; `None` where it has no such class.
fn older(reading: &mut Reading<'_>, question: &Question<'_>, revision: &str) -> Result<Option<Miner>, Error> {
    let desk = reading.desk;
    let repository = Repository::of(&desk.project)?;
    let tree = repository.tree(&repository.revision(revision)?)?;
    let task = desk.task(&format!("building {revision}"), None);
    let folder: PathBuf = whydunit_suite::store_of(&desk.project).join("mine").join("against");
    let laid = Recorder::lay_once(desk, folder, &tree).map_err(|error| error.of(revision))?;
    drop(task);
    let of_revision = |error: Error| match error {
        Error::Mine(reason) => MineError::Older { revision: revision.to_owned(), reason: Box::new(reason) }.into(),
        error => error,
    };
    let ready = Ready::of(&laid.desk).map_err(of_revision)?;
    let class = match question.class.map(|name| options::class(&ready.catalogue, name)).transpose() {
        Err(MineError::NoClass { .. }) => return Ok(None),
        class => class.map_err(|error| of_revision(error.into()))?,
    };
    let wanted = options::wanted(&ready.project, &ready.catalogue, question, class);
    let wanted = wanted.map_err(|error| of_revision(error.into()))?;
    let mut of_older = Reading::new(&laid.desk, &ready.project, &ready.catalogue, &wanted);
    let mut miner = Miner::new(options::of(&of_older, question, class));
    of_older.whole(question.runs(), &mut |_: &Ran<'_>, event| miner.event(event)).map_err(of_revision)?;
    let notes =
        ready.problems.iter().chain(of_older.problems.iter().map(|problem| &problem.message)).chain(&of_older.dropped);
    let notes: std::collections::BTreeSet<String> = notes.map(|note| format!("{revision}: {note}")).collect();
    reading.problems.extend(notes.into_iter().map(Problem::new));
    Ok(Some(miner))
}
