//! What has to be there before a question can be asked: a build, flavours of what it made, a suite that was run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use whydunit_capture::{BuildReport, Flavour, Wanted, Watch, stale_sources};
use whydunit_findings as findings;
use whydunit_suite::{Progress as Ran, RunOptions, Suite, Test, TestResult, TestsKind};
use whydunit_workbench::{Executed, Project, Recordings, Run};

use crate::{Desk, Error};

/// How many sources or tests a message names.
const NAMED: usize = 5;

/// Builds under capture, by `command` or as the project says.
pub fn build(desk: &Desk, project: &Project, command: &[OsString]) -> Result<BuildReport, Error> {
    let task = desk.task("building", None);
    let waiting = || desk.waits(&format!("another build in {}", project.store_folder().display()));
    let watch = Watch { waiting: &waiting, ..Watch::quietly(&desk.cancel) };
    let built = project.build(command, watch);
    drop(task);
    if let Ok(report) = &built {
        let decided = if command.is_empty() { &project.decisions[..] } else { &[] };
        desk.decided(&decided.iter().chain(&report.unsuccessful).cloned().collect::<Vec<_>>());
    }
    built.map_err(|source| Error::Build { project: desk.elsewhere.then(|| desk.project.clone()), source })
}

/// What a build captured.
pub fn told(project: &Project, build: &BuildReport) -> findings::Build {
    let executables = build.products.iter().map(|linked| findings::Executable {
        path: project.relative(&linked.path),
        units: linked.units as u64,
        external: linked.external.clone(),
    });
    let mut notes: Vec<String> = Vec::new();
    for external in &build.external {
        notes.push(format!("{} is not captured: {}", external.source, external.reason));
    }
    for (flag, times) in &build.dropped_flags {
        notes.push(format!("{flag} means nothing to clang and was left out for the captured copy ({times} times)"));
    }
    for sanitizer in &build.sanitizers {
        notes.push(format!("the sanitizer `{sanitizer}` is part of the build, not of the captured copy"));
    }
    notes.extend(build.unsuccessful.iter().chain(&build.problems).cloned());
    findings::Build { units: build.captured as u64, executables: executables.collect(), notes }
}

/// Makes sure that the project was built: builds where that was never done, and says where sources changed since.
pub fn built(desk: &Desk, project: &Project) -> Result<(), Error> {
    let Ok(store) = project.store() else {
        return build(desk, project, &[]).map(drop);
    };
    let products = whydunit_capture::products(&store)?;
    // cargo knows best what has to be built again, and listing its tests would build that without us.
    if products.is_empty() || matches!(project.config.tests.kind, Some(TestsKind::Cargo(_))) {
        return build(desk, project, &[]).map(drop);
    }
    let mut stale = Vec::new();
    for product in &products {
        stale.extend(stale_sources(&store, &product.link_id)?);
    }
    stale.sort();
    stale.dedup();
    if stale.is_empty() {
        return Ok(());
    }
    // A project that says how it is built is brought up to date; a build by hand cannot be guessed.
    if project.config.build.how.is_some() {
        return build(desk, project, &[]).map(drop);
    }
    let names: Vec<String> = stale.iter().map(|path| project.relative(path)).collect();
    Err(Error::Stale { sources: some_of(&names).unwrap_or_default() })
}

/// The first names of a list, and how many more there are; none of an empty list.
pub fn some_of(names: &[String]) -> Option<String> {
    let first = &names[..names.len().min(NAMED)];
    match names.len() - first.len() {
        0 => (!first.is_empty()).then(|| first.join(", ")),
        more => Some(format!("{} and {more} more", first.join(", "))),
    }
}

/// Makes a flavour of what was built; what should be known about it.
pub fn flavours(desk: &Desk, project: &Project, flavour: Flavour) -> Result<Vec<String>, Error> {
    make(desk, project, flavour, None)
}

/// Makes copies that count what they execute, with code of libraries where `library`; what should be known about it.
pub fn counting(desk: &Desk, project: &Project, library: bool) -> Result<Vec<String>, Error> {
    let counted = || project.counted().map_err(|source| Error::Build { project: None, source });
    let wanted = if library { None } else { Some(counted()?) };
    make(desk, project, Flavour::Spectrum, wanted)
}

/// Makes what it takes to record these tests, by what they executed; what should be known about it.
pub fn recorders(desk: &Desk, project: &Project, tests: &[&Executed]) -> Result<Vec<String>, Error> {
    let wanted = project.needed(tests).map_err(|source| Error::Build { project: None, source })?;
    make(desk, project, Flavour::Record, Some(wanted))
}

/// Makes what it takes to record these tests of a suite, without the programs of others; what should be known about it.
pub fn recorders_of(desk: &Desk, project: &Project, suite: &Suite, tests: &[&str]) -> Result<Vec<String>, Error> {
    let wanted = project.without_others(suite, tests).map_err(|source| Error::Build { project: None, source })?;
    make(desk, project, Flavour::Record, Some(wanted))
}

fn make(desk: &Desk, project: &Project, flavour: Flavour, wanted: Option<Wanted>) -> Result<Vec<String>, Error> {
    let store = desk.store()?;
    let needed = project.executable(&store).ok().map(|product| product.link_id);
    let task = desk.task("instrumenting", None);
    let told = |done: usize, all: usize| task.detail(&format!("{done} of {all} modules"));
    let waiting = || desk.waits(&format!("another build in {}", project.store_folder().display()));
    let watch = Watch { cancel: &desk.cancel, waiting: &waiting, progress: &told };
    let made = project.flavours(&store, flavour, wanted, needed.as_deref(), watch);
    drop(task);
    made.map(|made| made.problems).map_err(|source| Error::Build { project: None, source })
}

/// The project's suite.
pub fn suite(desk: &Desk, project: &Project) -> Result<Suite, Error> {
    project.suite(&desk.cancel).map_err(|source| Error::Suite { source, open: project.open.clone() })
}

/// The project's suite, with its tests as they can be run for themselves: an automake suite is run for that, where it never
/// was.
pub fn one_by_one(desk: &Desk, project: &Project) -> Result<Suite, Error> {
    let whole = suite(desk, project)?;
    if !whole.single.is_empty() || !whole.tests.iter().any(|test| matches!(test, Test::Automake { .. })) {
        return Ok(whole);
    }
    let tests: Vec<&Test> = whole.tests.iter().collect();
    run(desk, &whole, &tests, &RunOptions { cancel: Some(&desk.cancel), ..RunOptions::default() });
    suite(desk, project)
}

/// No test has the text in its name.
pub fn no_test(suite: &Suite, text: &str) -> Error {
    let known = suite.tests.iter().take(NAMED).map(|test| test.name().to_owned()).collect();
    Error::NoneNamed { text: text.to_owned(), known }
}

/// Why a run of tests is not whole, where the user ended it.
pub fn interrupted(desk: &Desk, ended: usize, all: usize) -> Option<Error> {
    desk.is_cancelled().then_some(Error::TestsInterrupted { ended, all })
}

/// Runs tests as built, with progress.
pub fn run(desk: &Desk, suite: &Suite, tests: &[&Test], options: &RunOptions<'_>) -> Vec<TestResult> {
    let task = desk.task("running tests", Some(tests.len() as u64));
    suite.run_selected(tests, options, &|progress| {
        if let Ran::Finished { result, .. } = progress {
            task.step(&result.name);
        }
    })
}

/// Builds the project where that has to be, and records a test of its suite among the project's recordings.
pub fn record(desk: &Desk, project: &Project, test: &str) -> Result<Run<Vec<TestResult>>, Error> {
    built(desk, project)?;
    flavours(desk, project, Flavour::Record)?;
    let folder = Recordings::of(&desk.store()?);
    folder.create()?;
    let suite = suite(desk, project)?;
    let test = suite.test(test).map_err(Error::NoTest)?;
    let task = desk.task("recording", None);
    let run = project.record_test(test, &folder, &desk.cancel);
    drop(task);
    Ok(run?)
}

/// The executable of a suite, relative to the project; none where it is not in it.
pub fn executable(desk: &Desk, suite: &Suite) -> Option<PathBuf> {
    suite.executable.as_ref()?.strip_prefix(&desk.project).ok().map(Into::into)
}

/// Where the project's build runs its tests and ended with an error because of them: what it makes, relative to the project. Empty
/// elsewhere.
pub fn made_beside_tests(desk: &Desk) -> Result<Vec<PathBuf>, Error> {
    let made = whydunit_capture::made_beside_tests(&desk.store()?);
    let made = made.map_err(|error| Error::Build { project: None, source: error.into() })?;
    Ok(made.iter().filter_map(|path| path.strip_prefix(&desk.project).ok().map(Into::into)).collect())
}

/// Lets git look over a folder of ours, whatever comes to lie in it.
pub fn unseen_by_git(folder: &Path) -> std::io::Result<()> {
    let ignore = folder.join(".gitignore");
    if ignore.exists() { Ok(()) } else { std::fs::write(ignore, "*\n") }
}

/// Removes a folder of ours, where it is there.
pub fn removed(folder: &Path) -> Result<(), Error> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(folder)(error)),
        _ => Ok(()),
    }
}
