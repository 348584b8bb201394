//! What the tools of builds and test frameworks say: which tests there are, and how one went.
//!
//! Each has a file: how its tests are listed, and how the outcome of one is read where the exit status is not all.

mod boost;
pub(crate) mod cargo;
mod catch2;
mod cpputest;
pub(crate) mod ctest;
mod doctest;
mod documentation;
mod framework;
mod gtest;
pub(crate) mod libraries;
pub(crate) mod libtest;
pub(crate) mod meson;
pub(crate) mod nextest;
pub(crate) mod tap;

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::Config;
use crate::error::Error;
use crate::framework::Framework;
use crate::program::ProgramTest;
use crate::run::inherited;
use whydunit_process::{Cancel, Ended, Exit, Limits, Program, Stdin, Watch, run};

/// Asks tools and programs of a project for their tests.
pub(crate) struct Lister<'a> {
    /// Added to the environment.
    env: Vec<(OsString, OsString)>,
    cancel: &'a Cancel,
    /// How long a listing may take.
    time: Duration,
}

/// Listing may build first, as cargo does.
const WITH_A_BUILD: Duration = Duration::from_secs(3600);
/// A program that may have a test framework says soon which tests it has.
const OF_A_PROGRAM: Duration = Duration::from_secs(60);

impl<'a> Lister<'a> {
    pub(crate) fn new(config: &Config, cancel: &'a Cancel) -> Self {
        Self { env: config.build_environment(), cancel, time: WITH_A_BUILD }
    }

    /// The same, with more in the environment.
    pub(crate) fn with(&self, more: &[(String, String)]) -> Self {
        let more = more.iter().map(|(name, value)| (name.into(), value.into()));
        Self { env: self.env.iter().cloned().chain(more).collect(), ..*self }
    }

    /// What is added to the environment.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let text = |value: &OsString| value.to_string_lossy().into_owned();
        self.env.iter().map(|(name, value)| (text(name), text(value))).collect()
    }

    /// Whether the user has asked to stop: what was listed by then is not all.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Runs `program` (absolute, or looked for in the search path) in `folder`.
    pub(crate) fn ask(&self, program: &Path, args: &[&str], folder: &Path) -> Result<Ended, Error> {
        let shown = || shown(program, args);
        let not = |message: String| Error::at(folder, format!("the tests cannot be listed: {message}"));
        let Some(executable) = find_program(program) else {
            return Err(not(format!("there is no program `{}`: install it, or set another `kind`", program.display())));
        };
        let mut env = inherited(folder);
        for (name, value) in &self.env {
            env.retain(|(known, _)| known != name);
            env.push((name.clone(), value.clone()));
        }
        let program = Program {
            arg0: executable.clone().into(),
            executable,
            args: args.iter().map(OsString::from).collect(),
            env,
            folder: folder.to_path_buf(),
            randomise_addresses: true,
        };
        let limits = Limits {
            time: Some(self.time),
            memory: None,
            output: 256 << 20,
            processes: Some(4096),
            file_size: None,
            ..Limits::default()
        };
        let watch = Watch { cancel: Some(self.cancel), on_output: None };
        let ended = run(&program, Stdin::Null, &limits, watch).map_err(|error| not(error.to_string()))?;
        match ended.stop {
            Some(_) => Err(not(format!("`{}` was stopped", shown()))),
            None => Ok(ended),
        }
    }

    /// The same; what it wrote on standard output, where it ended well.
    pub(crate) fn answer(&self, program: &Path, args: &[&str], folder: &Path) -> Result<String, Error> {
        let ended = self.ask(program, args, folder)?;
        if ended.exit == Exit::Status(0) {
            return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
        }
        let message = format!("`{}` ended with {}: {}", shown(program, args), ended.exit, said(&ended));
        Err(Error::at(folder, format!("the tests cannot be listed: {message}")))
    }

    /// The tests of a program that may use a test framework, where it does; `name` stands before theirs.
    pub(crate) fn split(&self, test: &ProgramTest) -> Option<Vec<ProgramTest>> {
        let soon = Lister { env: self.env.clone(), time: OF_A_PROGRAM, ..*self };
        let parts = Framework::of(&test.program)?.tests(&soon, &test.program, &test.folder);
        let parts = parts.ok().filter(|parts| !parts.is_empty())?;
        let named = |part: ProgramTest| ProgramTest {
            name: format!("{}/{}", test.name, part.name),
            env: test.env.clone(),
            timeout: test.timeout,
            ..part
        };
        Some(parts.into_iter().map(named).collect())
    }
}

/// A program's file: as it is where it has a folder, else the first one of the search path; `None` where there is none.
pub fn find_program(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_path_buf());
    }
    let search = std::env::var_os("PATH")?;
    std::env::split_paths(&search).map(|entry| entry.join(program)).find(|candidate| candidate.is_file())
}

/// The last thing that a program said, for a message.
fn said(ended: &Ended) -> String {
    let (errors, output) = (String::from_utf8_lossy(&ended.stderr), String::from_utf8_lossy(&ended.stdout));
    let lines = || errors.lines().chain(output.lines()).map(str::trim).filter(|line| !line.is_empty());
    let error = lines().find(|line| line.to_lowercase().starts_with("error"));
    error.or_else(|| lines().next_back()).unwrap_or("it says nothing").to_owned()
}

fn shown(program: &Path, args: &[&str]) -> String {
    let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy();
    std::iter::once(&*name).chain(args.iter().copied()).collect::<Vec<_>>().join(" ")
}

/// A command in plain words, as they are given to a program without a shell.
pub(crate) fn words(command: &str) -> Result<Vec<String>, String> {
    if command.contains(['\'', '"', '$', '`', '\\', '|', '&', ';', '<', '>', '*']) {
        return Err(format!("`{command}` needs a shell; write it in plain words, or use kind = \"script\""));
    }
    Ok(command.split_whitespace().map(str::to_owned).collect())
}

/// Gives tests of one name numbers.
pub(crate) fn make_unique(tests: &mut [ProgramTest]) {
    let mut seen: HashSet<String> = HashSet::new();
    for test in tests {
        let mut number = 2;
        let mut name = test.name.clone();
        while !seen.insert(name.clone()) {
            name = format!("{} ({number})", test.name);
            number += 1;
        }
        test.name = name;
    }
}
