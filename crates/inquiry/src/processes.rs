//! Which process of a run failed: a test's program may run its tests in processes of their own, and pass on that one failed.

use whydunit_causes::failure::{Failure, FailurePoint};
use whydunit_desk::Desk;
use whydunit_desk::recordings::Opened;
use whydunit_replay::ReplayError;
use whydunit_workbench::Recordings;

use crate::Error;

/// So many processes of a run are looked at.
pub const LOOKED_AT: usize = 64;

/// So many recordings are looked through for one of a run that failed.
const RUNS: usize = 16;

/// The recording that `asked` names, the latest where nothing is asked for. Of a run of several processes it is that of the first one that
/// failed by what it did itself, unless the process that was started did not fail; else that of this process.
pub fn failed(desk: &Desk, asked: Option<&str>) -> Result<Opened, Error> {
    let (store, paths) = (desk.store()?, desk.processes(asked)?);
    let mut first = None;
    for path in paths.iter().take(LOOKED_AT) {
        let opened = desk.open_recording(&store, path)?;
        if paths.len() == 1 {
            return Ok(opened);
        }
        match failure(desk, &opened)? {
            Some(failure) if !failure.kind.may_be_passed_on() => return Ok(opened),
            None if was_started(&opened) => return Ok(opened),
            _ => first = first.or(Some(opened)),
        }
    }
    first.map_or_else(|| Ok(desk.recording(asked)?), Ok)
}

/// Whether a recording is of the process that was started for its run, and not of another one of that.
fn was_started(opened: &Opened) -> bool {
    opened.recording.info().run.exit.is_some()
}

/// The latest recorded run that failed, and where; `None` where none of the latest did. Recordings that cannot be opened are passed over.
pub fn latest_failing(desk: &Desk) -> Result<Option<(Opened, Failure)>, Error> {
    let store = desk.store()?;
    let kept = Recordings::of(&store).all().map_err(whydunit_desk::Error::from)?;
    for kept in kept.into_iter().take(RUNS) {
        let Ok(opened) = desk.open_recording(&store, &kept.path) else { continue };
        let failure = failure(desk, &opened)?;
        if let Some(failure) = failure.filter(|failure| was_started(&opened) || !failure.kind.may_be_passed_on()) {
            return Ok(Some((opened, failure)));
        }
    }
    Ok(None)
}

/// Where the recorded run failed; `None` where it did not, or that is not known.
pub fn failure(desk: &Desk, opened: &Opened) -> Result<Option<Failure>, Error> {
    let mut point = FailurePoint::new(desk.expected(&opened.recording));
    let mut machine = opened.machine().map_err(|error| Error::Show(error.into()))?;
    match machine.run(&mut point) {
        Ok(end) => Ok(point.finish(&machine.at(), &end)),
        Err(ReplayError::Divergence(_)) => Ok(None),
        Err(error) => Err(Error::Show(error.into())),
    }
}
