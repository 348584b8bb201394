//! Cases out of the runs of a program that a command drives.

mod error;
mod table;
mod verify;

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use whydunit_desk::{Desk, convert, prepare};
use whydunit_findings::{CaseBasis, Cases, LeftOutRuns, MadeCase, Problem};
use whydunit_observe::{Basis, Draft, Expectation, Observation, ObservedRun};
use whydunit_process::Exit;
use whydunit_suite::{Case, Content, TestResult, TestsKind};
use whydunit_workbench::{Observed, Project};

pub use error::CasesError;
use verify::Verified;

use crate::Error;

/// What cases are made of.
pub struct Question<'a> {
    /// The command that drives the program.
    pub command: &'a [OsString],
    /// The table that is written; files beside it hold what is long.
    pub table: &'a Path,
    /// A table that is there may be replaced.
    pub replace: bool,
    /// The program whose runs become cases; `None`: the project's executable, or the one that most runs are of.
    pub program: Option<&'a Path>,
}

/// An answer, and what goes with it.
pub struct Answer {
    /// It.
    pub cases: Cases,
    /// The cases, run as a suite would run them.
    pub tests: Vec<TestResult>,
    /// Runs of the program, those of the command not counted.
    pub runs: u64,
    /// What should be known.
    pub problems: Vec<Problem>,
}

/// Why runs are no cases, each with how many and the name that the first would have had.
#[derive(Default)]
struct LeftOut(BTreeMap<String, (u64, String)>);

impl LeftOut {
    fn add(&mut self, reason: impl ToString, name: &str) {
        self.0.entry(reason.to_string()).or_insert_with(|| (0, name.to_owned())).0 += 1;
    }

    fn told(self) -> Vec<LeftOutRuns> {
        self.0.into_iter().map(|(reason, (count, example))| LeftOutRuns { reason, count, example }).collect()
    }
}

/// A run that may become a case.
struct Candidate<'a> {
    run: &'a ObservedRun,
    expectation: &'a Expectation,
    draft: Draft,
}

/// Runs the command, and writes the runs of the program that it drives as cases.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    table::may_write(question.table, question.replace)?;
    let project = desk.open_project()?;
    // Of what cargo makes, the command starts what it or somebody else has built, and not what the project's own tests are made of.
    if !(is_of_cargo(&project) && has_products(&project)) {
        prepare::built(desk, &project)?;
    }
    let command = question.command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let task = desk.task(&format!("running {command}"), None);
    let observed = project.observe(question.command, &desk.cancel).map_err(whydunit_desk::Error::from)?;
    drop(task);
    if desk.is_cancelled() {
        return Err(whydunit_desk::Error::Interrupted.into());
    }
    let program = program(&project, &observed.observation, question.program, &command)?;
    let mut left_out = LeftOut::default();
    let (said, well) =
        ([&observed.ended.stdout[..], &observed.ended.stderr].concat(), observed.ended.exit == Exit::Status(0));
    let expectations = observed.observation.expectations(&said, well);
    let candidates = candidates(&project, &observed.observation, &program, &expectations, &mut left_out);
    let of_program = observed.observation.runs.iter().filter(|run| run.program == program).count() as u64;
    let verified = verify::verified(desk, &project, &program, candidates, &mut left_out)?;
    let (cases, bases) = finished(verified, &mut left_out);
    let (cases, bases, tests) = verify::steady(desk, &project, &program, cases, bases, &mut left_out)?;
    if cases.is_empty() {
        let reasons = left_out.told().into_iter().map(|it| format!("{}: {} (as {})", it.count, it.reason, it.example));
        return Err(CasesError::NoCase { command, reasons: reasons.collect() }.into());
    }
    table::write(question.table, &cases)?;
    let made = cases.iter().zip(bases).zip(&tests).map(|((case, basis), result)| MadeCase {
        name: case.name.clone(),
        basis: basis_of(&project, basis),
        outcome: convert::test(result).outcome,
    });
    let told = Cases {
        command,
        ended: ended(&observed),
        program: project.relative(&program),
        path: project.relative(&std::path::absolute(question.table).unwrap_or_else(|_| question.table.to_owned())),
        runs: of_program,
        cases: made.collect(),
        left_out: left_out.told(),
    };
    let problems = problems(&project, &observed.observation, &program);
    let runs = 2 * tests.len() as u64;
    Ok(Answer { cases: told, runs, problems, tests })
}

fn is_of_cargo(project: &Project) -> bool {
    matches!(project.config.tests.kind, Some(TestsKind::Cargo(_)))
}

/// Whether a build under capture has made something.
fn has_products(project: &Project) -> bool {
    let products = project.store().ok().and_then(|store| whydunit_capture::products(&store).ok());
    products.is_some_and(|products| !products.is_empty())
}

/// How the command ended, in words.
fn ended(observed: &Observed) -> String {
    match observed.ended.exit {
        Exit::Status(status) => format!("exited with {status}"),
        Exit::Signal(signal) => format!("was killed by {}", whydunit_process::signal_name(signal)),
    }
}

/// The program whose runs become cases.
fn program(
    project: &Project,
    observation: &Observation,
    asked: Option<&Path>,
    command: &str,
) -> Result<PathBuf, Error> {
    let mut counts: HashMap<&Path, usize> = HashMap::new();
    for run in &observation.runs {
        *counts.entry(&run.program).or_default() += 1;
    }
    if counts.is_empty() {
        return Err(CasesError::NoRun { command: command.to_owned() }.into());
    }
    if let Some(asked) = asked {
        let whole = project.folder.join(asked);
        let whole = whole.canonicalize().unwrap_or(whole);
        if counts.contains_key(whole.as_path()) {
            return Ok(whole);
        }
        // By its name alone, where only one is called so.
        let mut called_so = counts.keys().filter(|path| path.file_name() == Some(asked.as_os_str()));
        let (one, more) = (called_so.next(), called_so.next());
        return one.filter(|_| more.is_none()).map(|path| path.to_path_buf()).ok_or_else(|| {
            let mut known: Vec<String> = counts.keys().map(|path| project.relative(path)).collect();
            known.sort();
            CasesError::NotRun { program: asked.to_owned(), known }.into()
        });
    }
    let configured = project.config.executable().filter(|path| counts.contains_key(path.as_path()));
    let most = || {
        counts
            .iter()
            .max_by_key(|(path, count)| (**count, std::cmp::Reverse(**path)))
            .map(|(path, _)| path.to_path_buf())
    };
    configured.or_else(most).ok_or_else(|| Error::Internal("no program was run".into()))
}

/// The runs of a program of which something is expected, with their names.
fn candidates<'a>(
    project: &Project,
    observation: &'a Observation,
    program: &Path,
    expectations: &'a [Option<Expectation>],
    left_out: &mut LeftOut,
) -> Vec<Candidate<'a>> {
    let mut taken: HashMap<String, usize> = HashMap::new();
    let mut out = Vec::new();
    for (run, expectation) in observation.runs.iter().zip(expectations).filter(|(run, _)| run.program == program) {
        let base = name(project, observation, run);
        let count = taken.entry(base.clone()).or_default();
        *count += 1;
        let name = if *count == 1 { base } else { format!("{base} #{count}") };
        match (Draft::of(run, name.clone()), expectation) {
            (Err(reason), _) => left_out.add(reason, &name),
            (Ok(draft), Some(expectation)) => out.push(Candidate { run, expectation, draft }),
            // A death by a signal fails without anybody saying so.
            (Ok(draft), None) if run.signal.is_some() => out.push(Candidate { run, expectation: &DIED, draft }),
            (Ok(_), None) => left_out.add("nothing shows what they must print", &name),
        }
    }
    out
}

/// What is expected of a run that was killed by a signal of its own: another end.
static DIED: Expectation = Expectation { stdout: None, status: None, signal: None, basis: Basis::Checked };

/// What drove the run, with the only file that it was given.
fn name(project: &Project, observation: &Observation, run: &ObservedRun) -> String {
    let driver = observation.driver(run, &project.folder);
    let given: Vec<PathBuf> = run.inputs().into_iter().filter(|path| *path != run.program).collect();
    match &given[..] {
        [file] => format!("{driver} {}", file.file_name().unwrap_or_default().to_string_lossy()),
        _ => driver,
    }
}

/// The cases with what is expected of them; the same case is there once.
fn finished<'a>(verified: Vec<Verified<'a>>, left_out: &mut LeftOut) -> (Vec<Case>, Vec<&'a Basis>) {
    let (mut cases, mut bases): (Vec<Case>, Vec<&Basis>) = (Vec::new(), Vec::new());
    for Verified { candidate, mut case, renamed } in verified {
        let Expectation { stdout, status, signal, basis } = candidate.expectation;
        let text = |text: &Vec<u8>| if renamed { candidate.draft.renamed(text) } else { text.clone() };
        case.stdout = stdout.as_ref().map(|it| Content::Inline(text(it)));
        (case.status, case.signal) = (*status, *signal);
        let same = |other: &Case| Case { name: case.name.clone(), ..other.clone() } == case;
        if cases.iter().any(same) {
            left_out.add("the same as another one", &case.name);
            continue;
        }
        cases.push(case);
        bases.push(basis);
    }
    (cases, bases)
}

fn basis_of(project: &Project, basis: &Basis) -> CaseBasis {
    match basis {
        Basis::Accepted => CaseBasis::Accepted,
        Basis::Compared(path) => CaseBasis::Compared(project.relative(path)),
        Basis::Checked => CaseBasis::Checked,
    }
}

/// That other programs were run, too.
fn problems(project: &Project, observation: &Observation, program: &Path) -> Vec<Problem> {
    let mut others: BTreeMap<&Path, u64> = BTreeMap::new();
    for run in observation.runs.iter().filter(|run| run.program != program) {
        *others.entry(&run.program).or_default() += 1;
    }
    let told = |(path, count): (&Path, u64)| {
        Problem::new(format!("{} was run {count} times, too: a table has cases of one program", project.relative(path)))
            .help("name it with --program, and another table with --table")
    };
    others.into_iter().map(told).collect()
}
