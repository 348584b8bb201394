//! What several commands do with a project: build it, make flavours, run its tests.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use whydunit_capture::{BuildReport, Flavour, stale_sources};
use whydunit_findings::{self as findings, Exit};
use whydunit_process::interrupts;
use whydunit_suite::{Progress, RunOptions, Suite, Test, TestResult, TestsKind};
use whydunit_workbench::{Error, Project};

use crate::failure::{Failure, OrFail};
use crate::session::Session;

/// How many sources or tests a message names.
const NAMED: usize = 5;

impl Session {
    /// The project.
    pub fn project(&self) -> Result<Project, Failure> {
        Project::open(&self.project).or_fail(Exit::Usage)
    }
}

fn exit_of(error: &Error) -> Exit {
    match error {
        Error::Capture(_) => Exit::Build,
        _ => Exit::Usage,
    }
}

/// Builds under capture, by `command` or as the project says.
pub fn build(session: &Session, project: &Project, command: &[OsString]) -> Result<BuildReport, Failure> {
    let task = session.progress.task("building", None);
    let built = project.build(command, false);
    drop(task);
    if built.is_ok() && command.is_empty() {
        session.decided(&project.decisions);
    }
    built.map_err(|error| {
        let failure = Failure::new(exit_of(&error), &error);
        let failure = session.elsewhere().into_iter().fold(failure, Failure::at);
        match error {
            Error::Capture(whydunit_capture::Error::BuildFailed { .. }) => {
                failure.advice("mend that and try again; all that builds printed is in .whydunit/builds")
            }
            _ => failure,
        }
    })
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
    notes.extend(build.problems.iter().cloned());
    findings::Build { units: build.captured as u64, executables: executables.collect(), notes }
}

/// Makes sure that the project was built: builds where that was never done, and says where sources changed since.
pub fn built(session: &Session, project: &Project) -> Result<(), Failure> {
    let Ok(store) = project.store() else {
        return build(session, project, &[]).map(drop);
    };
    let products = whydunit_capture::products(&store).or_fail(Exit::Build)?;
    // cargo knows best what has to be built again, and listing its tests would build that without us.
    if products.is_empty() || matches!(project.config.tests.kind, Some(TestsKind::Cargo(_))) {
        return build(session, project, &[]).map(drop);
    }
    let mut stale = Vec::new();
    for product in &products {
        stale.extend(stale_sources(&store, &product.link_id).or_fail(Exit::Build)?);
    }
    stale.sort();
    stale.dedup();
    if stale.is_empty() {
        return Ok(());
    }
    // A project that says how it is built is brought up to date; a build by hand cannot be guessed.
    if project.config.build.how.is_some() {
        return build(session, project, &[]).map(drop);
    }
    let names: Vec<String> = stale.iter().map(|path| project.relative(path)).collect();
    Err(Failure::usage("sources have changed since the build")
        .at(some_of(&names).unwrap_or_default())
        .advice("build again: `whydunit build -- COMMAND`"))
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
pub fn flavours(session: &Session, project: &Project, flavour: Flavour) -> Result<Vec<String>, Failure> {
    let store = session.store()?;
    let needed = project.executable(&store).ok().map(|product| product.link_id);
    let task = session.progress.task("instrumenting", None);
    let told = |done: usize, all: usize| task.detail(&format!("{done} of {all} modules"));
    let made = project.flavours(&store, flavour, needed.as_deref(), &told);
    drop(task);
    made.map(|made| made.problems).map_err(|error| Failure::new(exit_of(&error), &error))
}

/// The project's suite.
pub fn suite(project: &Project) -> Result<Suite, Failure> {
    project.suite(interrupts()).or_fail(Exit::Usage).map_err(|failure| {
        let open = project.open.join("; ");
        if open.is_empty() { failure } else { failure.advice(open) }
    })
}

/// The project's suite, with its tests as they can be run for themselves: an automake suite is run for that, where it never
/// was.
pub fn one_by_one(session: &Session, project: &Project) -> Result<Suite, Failure> {
    let whole = suite(project)?;
    if !whole.single.is_empty() || !whole.tests.iter().any(|test| matches!(test, Test::Automake { .. })) {
        return Ok(whole);
    }
    let tests: Vec<&Test> = whole.tests.iter().collect();
    run(session, &whole, &tests, &RunOptions { cancel: Some(interrupts()), ..RunOptions::default() });
    suite(project)
}

/// No test has the text in its name.
pub fn no_test(suite: &Suite, text: &str) -> Failure {
    let names: Vec<&str> = suite.tests.iter().take(NAMED).map(Test::name).collect();
    Failure::usage(format!("no test has `{text}` in its name")).advice(format!("tests are {}, …", names.join(", ")))
}

/// Why a run of tests is not whole, where the user ended it.
pub fn interrupted(ended: usize, all: usize) -> Option<Failure> {
    interrupts().is_cancelled().then(|| {
        Failure::new(Exit::TimeLimit, format!("interrupted: {ended} of {all} tests had ended or were under way"))
            .advice("run the command again for the whole answer")
    })
}

/// Runs tests as built, with progress.
pub fn run(session: &Session, suite: &Suite, tests: &[&Test], options: &RunOptions<'_>) -> Vec<TestResult> {
    let task = session.progress.task("running tests", Some(tests.len() as u64));
    suite.run_selected(tests, options, &|progress| {
        if let Progress::Finished { result, .. } = progress {
            task.step(&result.name);
        }
    })
}

/// The executable of a suite, relative to the project; none where it is not in it.
pub fn executable(session: &Session, suite: &Suite) -> Option<PathBuf> {
    suite.executable.as_ref()?.strip_prefix(&session.project).ok().map(Into::into)
}

/// Removes a folder of ours, where it is there.
pub fn removed(folder: &Path) -> Result<(), Failure> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::new(Exit::Usage, error).at(folder.display()))
        }
        _ => Ok(()),
    }
}
