//! Signals cancel what runs. They are the process's own, so that each test runs in a process that it starts.

mod support;

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use support::{limits, living, shell};
use whydunit_process::{Stdin, Stop, Watch, interrupts, run};

/// How long a test waits for what has to come at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// The status by which the process below says that the run was cancelled.
const CANCELLED: i32 = 42;

/// Not a test of its own: the ones below run it in a process that they send signals to.
#[test]
#[ignore = "runs as the target of other tests"]
#[expect(clippy::exit, reason = "it is the whole of the process that the tests start")]
fn target() {
    let Some(folder) = std::env::var_os("TARGET_FOLDER").map(PathBuf::from) else { return };
    let cancel = interrupts();
    if folder.join("busy").exists() {
        std::fs::write(folder.join("ready"), "").unwrap();
        while !cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::fs::write(folder.join("cancelled"), "").unwrap();
        std::thread::sleep(PATIENCE);
        return;
    }
    let watch = Watch { cancel: Some(cancel), ..Watch::default() };
    let ended = run(&shell(&folder, "touch ready; sleep 1000"), Stdin::Null, &limits(), watch).unwrap();
    whydunit_process::end();
    std::process::exit(if ended.stop == Some(Stop::Cancelled) { CANCELLED } else { 1 });
}

fn start(folder: &Path) -> Child {
    // Who started the tests may have them ignored, as a shell does for what runs in its background.
    Command::new("env")
        .arg("--default-signal=INT,TERM,HUP")
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "target", "--ignored", "--nocapture"])
        .env("TARGET_FOLDER", folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn send(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
}

fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed() < PATIENCE, "{} does not come", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn end(child: &mut Child) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn each_signal_ends_what_runs_and_not_the_process() {
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let dir = tempfile::tempdir().unwrap();
        let mut child = start(dir.path());
        wait_for(&dir.path().join("ready"));
        send(&child, signal);
        assert_eq!(end(&mut child).code(), Some(CANCELLED), "{signal}");
        assert!(living(dir.path()).is_empty());
    }
}

#[test]
fn one_a_second_later_ends_the_process_and_one_sent_twice_does_not() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("busy"), "").unwrap();
    let mut child = start(dir.path());
    wait_for(&dir.path().join("ready"));
    send(&child, Signal::SIGINT);
    // As `timeout` does it.
    send(&child, Signal::SIGINT);
    wait_for(&dir.path().join("cancelled"));
    std::thread::sleep(Duration::from_millis(1200));
    assert!(child.try_wait().unwrap().is_none(), "it is busy still");
    send(&child, Signal::SIGINT);
    assert_eq!(end(&mut child).signal(), Some(2));
}
