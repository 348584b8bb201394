//! A project's tests, and running them side by side.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::automake;
use crate::cases::Case;
use crate::config::{Config, TestsKind};
use crate::error::Error;
use crate::framework::Framework;
use crate::nearest::unknown;
use crate::options::RunOptions;
use crate::outcome::{Outcome, Reruns, TestResult};
use crate::paths::absolute;
use crate::program::{ProgramTest, Reading};
use crate::run::Context;
use crate::test::Test;
use crate::tools::{Lister, cargo, ctest, make_unique, meson, tap};
use whydunit_process::{Cancel, Limits, Pool};

/// A project's tests.
#[derive(Clone, PartialEq, Debug)]
pub struct Suite {
    /// Where scripts run, absolute: the project's folder, or that of an automake suite.
    pub folder: PathBuf,
    /// What cases run, absolute.
    pub executable: Option<PathBuf>,
    /// In order.
    pub tests: Vec<Test>,
    /// What stands for all of them one by one, where that is another list: the tests of an automake suite, once it has been
    /// run, and programs that speak TAP as one test each.
    pub single: Vec<Test>,
    /// Functions that are tests by themselves, in programs that are one test each, as far as they are known.
    pub own: Vec<Test>,
    /// Added to the environment of each test.
    pub env: Vec<(OsString, OsString)>,
    /// For each test.
    pub limits: Limits,
    /// Whether the configuration says how long a test may take.
    pub states_time: bool,
    /// Tests side by side.
    pub jobs: NonZeroUsize,
    /// How often failing tests are run again.
    pub reruns: u32,
}

/// What happens during a run. Reported from several threads, one at a time.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A test starts.
    Started {
        /// Its name.
        name: &'a str,
    },
    /// A test has ended.
    Finished {
        /// How; an automake suite's results come one by one.
        result: &'a TestResult,
        /// So many tests are done.
        done: usize,
        /// Of so many.
        total: usize,
    },
    /// Tests are run again.
    Rerunning {
        /// So many.
        tests: usize,
        /// So often.
        times: u32,
    },
}

impl Suite {
    /// The suite that a configuration names. Tools that list tests are run, until `cancel` is cancelled.
    pub fn load(config: &Config, cancel: &Cancel) -> Result<Suite, Error> {
        let folder = absolute(&config.folder, Path::new(""));
        let at = config.file.clone().unwrap_or_else(|| folder.clone());
        let folder = config.tests.folder.as_ref().map_or(folder, |own| config.path(own));
        let tests = match &config.tests.kind {
            None => {
                let message = "no tests are known: put cases into cases.jsonl, or set `cases` or `kind` in [tests]";
                return Err(Error::at(&at, message));
            }
            Some(TestsKind::Cases(path)) => {
                Case::read_all(&folder.join(path))?.into_iter().map(Test::Case).collect::<Vec<_>>()
            }
            Some(TestsKind::Script(commands)) => scripts(commands),
            Some(TestsKind::Automake(command)) => vec![Test::Automake { command: command.clone() }],
            Some(TestsKind::Tap(commands)) => taps(commands),
            Some(kind) => listed(config, kind, &folder, cancel)?.into_iter().map(Test::Program).collect(),
        };
        if tests.is_empty() {
            return Err(Error::at(&at, "the suite has no tests"));
        }
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        // Scripts share the project's folder: side by side only where somebody says that they may.
        let jobs = match &config.tests.kind {
            // So do those that cargo and Meson list, which they run side by side themselves.
            Some(TestsKind::Cases(_) | TestsKind::Cargo(_) | TestsKind::Meson(_)) => config.tests.jobs.unwrap_or(cores),
            _ => config.tests.jobs.unwrap_or(NonZeroUsize::MIN),
        };
        let executable = config.executable();
        if executable.is_none() && tests.iter().any(|test| matches!(test, Test::Case(_))) {
            return Err(Error::at(&at, "the cases need a program: set `executable` in [build]"));
        }
        let single = match &config.tests.kind {
            Some(TestsKind::Automake(command)) => automake::single_tests(&folder, command),
            Some(TestsKind::Tap(_)) => tests.iter().filter_map(|test| as_program(test, &folder)).collect(),
            _ => Vec::new(),
        };
        let reruns = config.tests.reruns.unwrap_or(0);
        let env = config.test_environment();
        let (limits, states_time) = (config.limits(), config.tests.timeout.is_some());
        Ok(Suite { executable, tests, single, own: Vec::new(), env, limits, states_time, jobs, reruns, folder })
    }

    /// The test of this name; of an automake suite's tests the name without its folder will do, of a program's test what the
    /// program calls it, or the name without that of the program; of an example of a documentation its name with its line.
    pub fn test(&self, name: &str) -> Result<&Test, String> {
        // Where a program is both, a name means what can be run for itself.
        let all = || self.single.iter().chain(&self.tests).chain(&self.own);
        if let Some(test) = all().find(|test| test.name() == name) {
            return Ok(test);
        }
        // `suite/test` for `program/suite/test`.
        let is_end_of = |whole: &str| whole.strip_suffix(name).is_some_and(|before| before.ends_with('/'));
        let mut short = all().filter(|test| match test {
            Test::Program(test) => test.is_called(name) || is_end_of(&test.name),
            Test::AutomakeSingle { name: whole, .. } => whole.rsplit('/').next() == Some(name),
            _ => false,
        });
        if let (Some(test), None) = (short.next(), short.next()) {
            return Ok(test);
        }
        let names: Vec<&str> = all().map(Test::name).collect();
        let shown = unknown("test", name, &names);
        Err(if let ([Test::Automake { command }], []) = (&self.tests[..], &self.single[..]) {
            format!(
                "unknown test `{name}`: the tests of `{command}` are known by name once `whydunit test` has run them"
            )
        } else if names.len() <= 20 || shown.contains("did you mean") {
            shown
        } else {
            format!("unknown test `{name}`")
        })
    }

    /// Runs one test.
    pub fn run_test(&self, test: &Test, options: &RunOptions<'_>) -> Vec<TestResult> {
        let limits = options.limits.as_ref().unwrap_or(&self.limits);
        let executable = self.executable.as_deref();
        let context = Context { limits, options, folder: &self.folder, env: &self.env, executable };
        match test {
            Test::Case(case) => vec![context.case(case)],
            Test::Script { name, command } => vec![context.script(name, command)],
            Test::Automake { command } => automake::run(&context, command),
            Test::AutomakeSingle { name, command, trs } => vec![automake::run_single(&context, name, command, trs)],
            Test::Tap { name, prefix, command } => tap::run(&context, name, prefix.as_deref(), command),
            Test::Program(test) => vec![context.program(test)],
        }
    }

    /// Runs all tests, side by side; results in the suite's order.
    pub fn run(&self, options: &RunOptions<'_>, progress: &(dyn Fn(Progress<'_>) + Sync)) -> Vec<TestResult> {
        self.run_selected(&self.tests.iter().collect::<Vec<_>>(), options, progress)
    }

    /// Runs these tests, side by side; results in their order. Failing ones are run again as often as asked for.
    pub fn run_selected(
        &self,
        tests: &[&Test],
        options: &RunOptions<'_>,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Vec<TestResult> {
        let jobs = options.jobs.unwrap_or(self.jobs);
        let done = Mutex::new(0);
        let pool = Pool::new(jobs).cancelled_by(options.cancel);
        let mut results = pool.run(tests, |test| {
            {
                let _one_at_a_time = lock(&done);
                progress(Progress::Started { name: test.name() });
            }
            let results = self.run_test(test, options);
            let mut done = lock(&done);
            *done += 1;
            for result in &results {
                progress(Progress::Finished { result, done: *done, total: tests.len() });
            }
            results
        });
        self.rerun(tests, &mut results, options, progress);
        results.into_iter().flatten().collect()
    }

    fn rerun(
        &self,
        tests: &[&Test],
        results: &mut [Vec<TestResult>],
        options: &RunOptions<'_>,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) {
        let times = options.reruns.unwrap_or(self.reruns);
        let wanted = |result: &TestResult| match result.outcome {
            Outcome::Error(_) | Outcome::Skipped | Outcome::Cancelled => false,
            _ => options.rerun_all || result.outcome.is_failure(),
        };
        // An automake suite runs as a whole: its tests cannot be run again one by one.
        let chosen: Vec<usize> = (0..tests.len().min(results.len()))
            .filter(|n| !matches!(tests[*n], Test::Automake { .. }) && results[*n].iter().any(wanted))
            .collect();
        if times == 0 || chosen.is_empty() {
            return;
        }
        progress(Progress::Rerunning { tests: chosen.len(), times });
        let again: Vec<usize> = chosen.iter().flat_map(|n| std::iter::repeat_n(*n, times as usize)).collect();
        let jobs = options.jobs.unwrap_or(self.jobs);
        let pool = Pool::new(jobs).cancelled_by(options.cancel);
        let outcomes = pool.run(again, |n| (n, self.run_test(tests[n], options)));
        for (n, rerun) in outcomes {
            for result in &mut results[n] {
                // A point of a stream may be missing in another run of the program.
                let Some(same) = rerun.iter().find(|other| other.name == result.name) else { continue };
                if same.outcome == Outcome::Cancelled {
                    continue;
                }
                let reruns = result.reruns.get_or_insert(Reruns { runs: 0, failures: 0 });
                reruns.runs += 1;
                reruns.failures += u32::from(same.outcome.is_failure());
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// What the tools and programs of a project list.
fn listed(config: &Config, kind: &TestsKind, folder: &Path, cancel: &Cancel) -> Result<Vec<ProgramTest>, Error> {
    let lister = Lister::new(config, cancel);
    let of_programs = |programs: &[PathBuf], framework: Framework| -> Result<Vec<ProgramTest>, Error> {
        let own: Vec<PathBuf> = match programs {
            [] => config.executable().into_iter().collect(),
            programs => programs.iter().map(|program| config.path(program)).collect(),
        };
        if own.is_empty() {
            let at = config.file.as_deref().unwrap_or(folder);
            return Err(Error::at(at, "which programs have the tests? set `programs` in [tests]"));
        }
        let mut tests = Vec::new();
        for program in &own {
            let found = framework.tests(&lister, program, folder)?;
            if found.is_empty() {
                return Err(Error::at(
                    program,
                    "this program lists no tests: see that it is of the kind that [tests] says",
                ));
            }
            let stem = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let name = |name: String| if own.len() > 1 { format!("{stem}/{name}") } else { name };
            tests.extend(found.into_iter().map(|test| ProgramTest { name: name(test.name), ..test }));
        }
        make_unique(&mut tests);
        Ok(tests)
    };
    let mut tests = match kind {
        TestsKind::Cargo(command) => cargo::tests(&lister, command, folder)?,
        TestsKind::Ctest(build) => ctest::tests(&lister, &config.path(build))?,
        TestsKind::Meson(build) => meson::tests(&lister, &config.path(build))?,
        TestsKind::Programs(framework, programs) => of_programs(programs, *framework)?,
        TestsKind::Cases(_) | TestsKind::Script(_) | TestsKind::Automake(_) | TestsKind::Tap(_) => Vec::new(),
    };
    if config.tests.timeout.is_some() {
        // What the user says goes before what the build says.
        tests.iter_mut().for_each(|test| test.timeout = None);
    }
    Ok(tests)
}

/// Programs that print TAP. What one of several is called stands before its points.
fn taps(commands: &[String]) -> Vec<Test> {
    let tests = scripts(commands).into_iter();
    let tap = |test: Test| match test {
        Test::Script { name, command } => {
            let prefix = (commands.len() > 1).then(|| name.clone());
            Test::Tap { name, prefix, command }
        }
        other => other,
    };
    tests.map(tap).collect()
}

/// A program that prints TAP as one test.
fn as_program(test: &Test, folder: &Path) -> Option<Test> {
    let Test::Tap { name, command, .. } = test else { return None };
    Some(Test::Program(ProgramTest {
        args: vec!["-c".into(), command.clone()],
        reading: Reading::Tap,
        ..ProgramTest::new(name, PathBuf::from("/bin/sh"), folder.to_path_buf())
    }))
}

/// Scripts named by their commands' first words, with numbers where these are equal.
fn scripts(commands: &[String]) -> Vec<Test> {
    let mut tests: Vec<Test> = Vec::new();
    for command in commands {
        let name = match commands.len() {
            1 => command.clone(),
            _ if command.len() <= 60 => command.clone(),
            _ => command.split_whitespace().next().unwrap_or("script").to_string(),
        };
        let same = |candidate: &str| tests.iter().any(|test| test.name() == candidate);
        let mut unique = name.clone();
        let mut number = 2;
        while same(&unique) {
            unique = format!("{name} ({number})");
            number += 1;
        }
        tests.push(Test::Script { name: unique, command: command.clone() });
    }
    tests
}
