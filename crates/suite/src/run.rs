//! Runs one test of a suite.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::cases::Case;
use crate::compare::first_difference;
use crate::options::RunOptions;
use crate::outcome::{Difference, Outcome, TestResult};
use crate::workspace::Workspace;
use whydunit_process::{Ended, Exit, Limits, Program, RunError, Stdin, Watch, run};

/// Variables of an outer `make`, whose job server is not passed on.
const NOT_INHERITED: &[&str] = &["MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "OLDPWD"];

/// A variable that tells scripts which executable is under test.
pub const EXECUTABLE_VARIABLE: &str = "WHYDUNIT_EXECUTABLE";

/// The caller's environment, for a program in `folder`.
pub(crate) fn inherited(folder: &Path) -> Vec<(OsString, OsString)> {
    let own = std::env::vars_os().filter(|(name, _)| name != "PWD" && !NOT_INHERITED.iter().any(|not| name == not));
    own.chain([("PWD".into(), folder.into())]).collect()
}

/// What is the same for all tests of a run.
pub(crate) struct Context<'a> {
    pub limits: &'a Limits,
    pub options: &'a RunOptions<'a>,
    /// The project's.
    pub folder: &'a Path,
    /// Of every test.
    pub env: &'a [(OsString, OsString)],
    /// As configured, absolute.
    pub executable: Option<&'a Path>,
}

impl Context<'_> {
    /// The caller's environment with the working folder's name, then `own`, then what the options add.
    pub(crate) fn environment(
        &self,
        name: &str,
        folder: &Path,
        own: Vec<(OsString, OsString)>,
    ) -> Vec<(OsString, OsString)> {
        let mut env = inherited(folder);
        env.retain(|(name, _)| !self.options.env_remove.contains(name));
        let mut set = |name: OsString, value: OsString| match env.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => env.push((name, value)),
        };
        set("PWD".into(), folder.into());
        for (name, value) in self.env {
            set(name.clone(), value.clone());
        }
        let test = self.options.test_env.map(|of| of(name)).unwrap_or_default();
        for (name, value) in own.into_iter().chain(self.options.env.iter().cloned()).chain(test) {
            set(name, value);
        }
        env
    }

    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch { cancel: self.options.cancel, on_output: None }
    }

    /// The executable that runs: the caller's or the configured one.
    fn running(&self) -> Option<&Path> {
        self.options.executable.as_deref().or(self.executable)
    }

    /// Runs a case in a fresh folder.
    pub(crate) fn case(&self, case: &Case) -> TestResult {
        let error = |message: String| TestResult::new(&case.name, Outcome::Error(message));
        let (Some(executable), Some(own_name)) = (self.running(), self.executable.or(self.running())) else {
            return error("no executable is known: set `executable` in [build]".into());
        };
        let workspace = match Workspace::new(case) {
            Ok(workspace) => workspace,
            Err(reason) => return error(reason.to_string()),
        };
        let stdin = case.stdin.as_ref().map(|content| content.read()).transpose();
        let expected = case.stdout.as_ref().map(|content| content.read()).transpose();
        let mut result = match (stdin, expected) {
            (Ok(stdin), Ok(expected)) => {
                let mut own = vec![("TMPDIR".into(), workspace.tmp.clone().into())];
                own.extend(case.env.iter().map(|(name, value)| (name.into(), value.into())));
                let program = Program {
                    executable: executable.to_path_buf(),
                    // Another flavour of the executable sees the name that it always had.
                    arg0: own_name.into(),
                    args: case.args.iter().map(OsString::from).collect(),
                    env: self.environment(&case.name, &workspace.work, own),
                    folder: workspace.work.clone(),
                    randomise_addresses: self.options.randomise_addresses,
                };
                let stdin = stdin.as_deref().map_or(Stdin::Null, Stdin::Bytes);
                let ended = run(&program, stdin, self.limits, self.watch());
                finish(&case.name, ended, |ended| judge(case, expected.as_deref(), ended))
            }
            (Err(reason), _) | (_, Err(reason)) => error(reason.to_string()),
        };
        if let Err(reason) = workspace.remove() {
            result.problems.push(reason.to_string());
        }
        result
    }

    /// Runs a shell command in the project's folder.
    pub(crate) fn shell(&self, name: &str, command: &str) -> Result<Ended, RunError> {
        let own = self.running().map(|path| (EXECUTABLE_VARIABLE.into(), path.into()));
        let program = Program {
            executable: PathBuf::from("/bin/sh"),
            arg0: "sh".into(),
            args: vec!["-c".into(), command.into()],
            env: self.environment(name, self.folder, own.into_iter().collect()),
            folder: self.folder.to_path_buf(),
            randomise_addresses: self.options.randomise_addresses,
        };
        run(&program, Stdin::Null, self.limits, self.watch())
    }

    /// Runs a script that exits 0 or not.
    pub(crate) fn script(&self, name: &str, command: &str) -> TestResult {
        finish(name, self.shell(name, command), |ended| by_exit(ended.exit))
    }
}

/// A result from a run; `judge` decides where it ended by itself.
pub(crate) fn finish(name: &str, ended: Result<Ended, RunError>, judge: impl FnOnce(&Ended) -> Outcome) -> TestResult {
    match ended {
        Err(error) => TestResult::new(name, Outcome::Error(error.to_string())),
        Ok(ended) => {
            let outcome = ended.stop.map_or_else(|| judge(&ended), Outcome::from);
            let problems = ended.outlived(name).into_iter().collect();
            TestResult {
                time: ended.time,
                exit: Some(ended.exit),
                pid: Some(ended.pid),
                stdout: ended.stdout,
                stderr: ended.stderr,
                left_behind: ended.left_behind,
                peak_memory: ended.peak_memory,
                work: ended.work,
                problems,
                ..TestResult::new(name, outcome)
            }
        }
    }
}

/// Zero or not.
pub(crate) fn by_exit(exit: Exit) -> Outcome {
    match exit {
        Exit::Status(0) => Outcome::Pass,
        Exit::Status(got) => Outcome::Fail { why: vec![Difference::Status { expected: 0, got }] },
        Exit::Signal(signal) => Outcome::Crash(signal),
    }
}

/// A case's outcome from how it ended. A death that is not expected is a crash, whatever it printed before.
fn judge(case: &Case, expected: Option<&[u8]>, ended: &Ended) -> Outcome {
    let mut why = Vec::new();
    match (ended.exit, case.signal, case.status) {
        (Exit::Signal(signal), None, _) => return Outcome::Crash(signal),
        (got, Some(expected), _) if got != Exit::Signal(expected) => why.push(Difference::Signal { expected, got }),
        (Exit::Status(got), None, Some(expected)) if got != expected => why.push(Difference::Status { expected, got }),
        _ => {}
    }
    if let Some(difference) = expected.and_then(|expected| first_difference(expected, &ended.stdout)) {
        why.push(Difference::Stdout(difference));
    }
    if why.is_empty() { Outcome::Pass } else { Outcome::Fail { why } }
}
