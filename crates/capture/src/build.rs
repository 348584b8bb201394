//! Running the project's own build with faces in the place of its tools.

use std::{
    collections::VecDeque,
    env,
    ffi::OsString,
    fs::{self, File},
    io::{PipeReader, Read, Write},
    os::{
        fd::AsFd,
        unix::process::{CommandExt, ExitStatusExt},
    },
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant, UNIX_EPOCH},
};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use whydunit_face::{context, store::Store};
use whydunit_process::{Cancel, signal_name};

use crate::{Error, Watch, clang, faces, program, report::BuildReport, templates};

/// How many lines of a failed build's output go into the message.
const LAST_LINES: usize = 25;

/// When what is to be linked anew was changed last, behind the beginning of time: 0 means nothing to some.
const LONG_AGO: Duration = Duration::from_secs(86_400);

/// How many of them are told of a build that ended with an error and is taken as built all the same.
const SAID: usize = 6;

/// How often a build is looked at, and how long one that is ended may take to leave things tidy.
const TICK: Duration = Duration::from_millis(5);
const GRACE: Duration = Duration::from_millis(300);

/// What to build and how.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// Where the command runs.
    pub project_dir: PathBuf,
    /// The store, usually `.whydunit` in the project.
    pub store: PathBuf,
    /// The build command.
    pub command: Vec<OsString>,
    /// How messages name it, where that is not how it is written.
    pub shown: Option<String>,
    /// Added to its environment.
    pub env: Vec<(OsString, OsString)>,
    /// Capture code as optimised as the build asks for it.
    pub optimised: bool,
    /// The command may run tests, and end with an error because of them.
    pub may_test: bool,
    /// The face program, where it does not stand beside the running one.
    pub face: Option<PathBuf>,
}

/// Runs a build command and captures what it compiles and links. It is an error when nothing can be captured, unless the
/// command only configured: then the report counts probes and nothing else.
pub fn build(options: &BuildOptions, watch: Watch<'_>) -> Result<BuildReport, Error> {
    let Some((program, arguments)) = options.command.split_first() else { return Err(Error::NoCommand) };
    let clang = clang::clang()?;
    let store = Store::create(&options.store)?;
    let lock = store.lock(watch.waiting)?;
    store.sweep(&lock);
    let environment = faces::install(&store, &faces::face_program(options.face.as_deref())?)?;
    templates::install(&store, &clang)?;
    let changed = optimisation_note(&store).exists() != options.optimised;
    if changed {
        forget_own_builds(&store)?;
    }
    let number = next_number(&store)?;
    let log = store.build_log(&number);
    let started = Instant::now();

    let written = || options.command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let shown = options.shown.clone().unwrap_or_else(written);
    let mut command = Command::new(resolve(program, &environment, &options.project_dir));
    command
        .args(arguments)
        .current_dir(&options.project_dir)
        .envs(options.env.iter().cloned())
        .envs(environment)
        .env(context::STORE, store.root())
        .env(context::BUILD, &number)
        .env(context::CLANG, &clang)
        .env_remove(context::INSIDE)
        .env_remove(context::OPTIMISED)
        .envs(options.optimised.then_some((context::OPTIMISED, "1")))
        // Objects out of a cache have no bitcode here.
        .env("CCACHE_DISABLE", "1")
        .stdin(Stdio::null())
        // To be ended as a whole.
        .process_group(0);
    age_products(&store)?;
    let (status, lines) = run(command, &shown, &log, watch.cancel)?;
    let mut report = BuildReport::read(&store, &number, started.elapsed())?;
    let tested = !status.success() && options.may_test && all_is_made(&store, &report)?;
    if !(status.success() || tested) {
        return Err(Error::BuildFailed { command: shown, status: describe(status), lines });
    }
    set_note(&store, error_note(&store), tested)?;
    if tested {
        let said = lines[lines.len().saturating_sub(SAID)..].join("\n");
        report.unsuccessful = Some(format!(
            "`{shown}` ended with {}, but nothing that it compiled or linked failed (builds that run their tests end so): what it \
             made is taken as built; it said last:\n{said}",
            describe(status)
        ));
    }
    if changed && report.captured == 0 && !program::products(&store)?.is_empty() {
        report.problems.push(
            "`optimised` was changed, and the build found everything up to date: run its `clean`, then `whydunit build`"
                .into(),
        );
    } else if changed {
        set_note(&store, optimisation_note(&store), options.optimised)?;
    }
    if is_full(&store, &report) {
        return Err(Error::Full(store.root().to_owned()));
    }
    // A configure script alone: the build proper is still to come.
    let only_probes = report.probes > 0 && report.external.is_empty() && report.uncaptured_products.is_empty();
    // Sources without a program, such as a library alone, may be up to date as well.
    let only_current = report.external.is_empty() && store.has_units();
    if report.captured == 0 && !only_probes && !only_current && program::products(&store)?.is_empty() {
        let nothing = || Error::NothingCaptured { command: shown, hint: hint(&report) };
        return Err(program::undescribed(&store).unwrap_or_else(nothing));
    }
    Ok(report)
}

/// What is there where the last build's command ended with an error and was taken as built.
fn error_note(store: &Store) -> PathBuf {
    store.root().join("ended-with-an-error")
}

/// Makes an empty file of the store be there, or not.
fn set_note(store: &Store, note: PathBuf, is_there: bool) -> Result<(), Error> {
    if is_there {
        return Ok(store.write(&note, b"")?);
    }
    match fs::remove_file(&note) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(note)(error)),
        _ => Ok(()),
    }
}

/// The programs and libraries of a build whose command ended with an error and that was taken as built, since it runs its tests. That
/// they are there is what says that another version is built. None where the command ended well.
pub fn made_beside_tests(store: &Store) -> Result<Vec<PathBuf>, Error> {
    if !error_note(store).exists() {
        return Ok(Vec::new());
    }
    Ok(program::products(store)?.into_iter().map(|product| product.path).collect())
}

/// Makes what a build linked that runs its tests look old, so that the next one links it anew: that tells tests that fail from a build
/// that fails before it makes anything.
fn age_products(store: &Store) -> Result<(), Error> {
    for path in made_beside_tests(store)? {
        // Opened to be read: it may be running.
        let file = File::open(&path).map_err(Error::io(&path))?;
        file.set_modified(UNIX_EPOCH + LONG_AGO).map_err(Error::io(&path))?;
    }
    Ok(())
}

/// Whether a build whose command ended with an error linked something and no compile or link of it failed, and all products that are
/// there are of the sources as they are now.
fn all_is_made(store: &Store, report: &BuildReport) -> Result<bool, Error> {
    if report.products.is_empty() || !report.failed.is_empty() {
        return Ok(false);
    }
    for product in program::products(store)? {
        if !program::stale_sources(store, &product.link_id)?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What is there where code was captured optimised.
fn optimisation_note(store: &Store) -> PathBuf {
    store.root().join("optimised")
}

/// What was built in a folder of our own is built anew: nobody else would know that it has to be.
fn forget_own_builds(store: &Store) -> Result<(), Error> {
    let folder = store.root().join("build");
    if folder.exists() { fs::remove_dir_all(&folder).map_err(Error::io(&folder)) } else { Ok(()) }
}

/// `execvp` would look along our own PATH, not the one that the command gets.
fn resolve(program: &OsString, environment: &[(OsString, OsString)], folder: &Path) -> OsString {
    if Path::new(program).components().count() > 1 {
        return folder.join(program).into_os_string();
    }
    let path = environment.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone()).unwrap_or_default();
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
        .map_or_else(|| program.clone(), PathBuf::into_os_string)
}

fn next_number(store: &Store) -> Result<String, Error> {
    let folder = store.root().join("builds");
    let entries = fs::read_dir(&folder).map_err(Error::io(&folder))?;
    let highest = entries
        .flatten()
        .filter_map(|entry| Path::new(&entry.file_name()).file_stem()?.to_str()?.parse::<u32>().ok())
        .max();
    Ok(format!("{:04}", highest.unwrap_or(0) + 1))
}

fn run(mut command: Command, shown: &str, log: &Path, cancel: &Cancel) -> Result<(ExitStatus, Vec<String>), Error> {
    let (reader, writer) = std::io::pipe().map_err(Error::io("a pipe"))?;
    let second = writer.try_clone().map_err(Error::io("a pipe"))?;
    let file = File::create(log).map_err(Error::io(log))?;
    let spawned = command.stdout(writer).stderr(second).spawn();
    // The command holds the writing ends.
    drop(command);
    let mut child = spawned.map_err(|source| Error::Start { command: shown.to_owned(), source })?;
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let lines = scope.spawn(|| forward(reader, file, &ended));
        let status = wait(&mut child, cancel);
        ended.store(true, Ordering::Release);
        let lines = lines.join().unwrap_or_default();
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Ok((status.map_err(|source| Error::Start { command: shown.to_owned(), source })?, lines))
    })
}

/// Waits for a build's end; once it is cancelled all of its process group is ended.
fn wait(child: &mut Child, cancel: &Cancel) -> std::io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if cancel.is_cancelled() {
            let group = Pid::from_raw(child.id() as i32);
            // One that is gone already needs no signal.
            killpg(group, Signal::SIGTERM).ok();
            std::thread::sleep(GRACE);
            killpg(group, Signal::SIGKILL).ok();
            return child.wait();
        }
        std::thread::sleep(TICK);
    }
}

/// Keeps output; gives the last lines. A daemon that the build leaves behind may keep the pipe open: after the
/// build's end only what is there already is read.
fn forward(mut reader: PipeReader, mut file: File, ended: &AtomicBool) -> Vec<String> {
    let mut buffer = [0; 16384];
    let mut lines: VecDeque<String> = VecDeque::new();
    let mut rest: Vec<u8> = Vec::new();
    loop {
        let last = ended.load(Ordering::Acquire);
        let mut wait = [PollFd::new(reader.as_fd(), PollFlags::POLLIN)];
        let ready = poll(&mut wait, if last { PollTimeout::ZERO } else { PollTimeout::from(50u8) });
        match ready {
            Ok(0) if last => break,
            Ok(0) | Err(nix::errno::Errno::EINTR) => continue,
            Ok(_) => {}
            Err(_) => break,
        }
        let Ok(count @ 1..) = reader.read(&mut buffer) else { break };
        let piece = &buffer[..count];
        let _ = file.write_all(piece);
        rest.extend_from_slice(piece);
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            lines.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
            if lines.len() > LAST_LINES {
                lines.pop_front();
            }
        }
    }
    if !rest.is_empty() {
        lines.push_back(String::from_utf8_lossy(&rest).into_owned());
    }
    lines.into()
}

/// Whether faces could not write what they had to; their events may be missing just as well.
fn is_full(store: &Store, report: &BuildReport) -> bool {
    let says = |text: &str| text.contains("No space left on device") || text.contains("quota exceeded");
    report.external.iter().any(|external| says(&external.reason))
        || report.problems.iter().any(|problem| says(problem))
        || nix::sys::statvfs::statvfs(store.root()).is_ok_and(|disk| disk.blocks() > 0 && disk.blocks_available() == 0)
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("status {code}"),
        (None, Some(signal)) => signal_name(signal),
        _ => status.to_string(),
    }
}

fn hint(report: &BuildReport) -> String {
    if let Some(external) = report.external.first() {
        return format!(
            "{} of its compiles were seen, but no bitcode could be made; the first: {}: {}",
            report.external.len(),
            external.source,
            external.reason
        );
    }
    "it ran no compiler that was found by its name. If everything was up to date, clean first (make clean); if a Makefile names \
     its compiler by a path, name it otherwise (make CC=gcc CXX=g++); if the build folder was configured before, configure it \
     again under `whydunit build`"
        .to_owned()
}
