//! The tracer's own tests, and that the streams that it writes are whole.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use whydunit_events::{Event, check};
use whydunit_java::{Request, Traced, trace};
use whydunit_process::{Cancel, Limits};

const JUNIT: &str = "/usr/share/java/junit4.jar";
const HAMCREST: &str = "/usr/share/java/hamcrest.jar";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All sources of Java below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let nested = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    nested.filter(|path| path.extension().is_some_and(|extension| extension == "java")).collect()
}

fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn compile(sources: &[PathBuf], path: &[&Path], out: &Path) {
    let path = std::env::join_paths(path).expect("a path");
    let mut javac = Command::new("javac");
    javac.args(["-g", "-nowarn", "-cp"]).arg(path).arg("-d").arg(out).args(sources);
    let output = javac.output().expect("javac starts");
    assert!(output.status.success(), "{}", told(&output));
}

#[test]
fn the_tracers_own_tests_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = Path::new(env!("OUT_DIR"));
    let (recorder, tracer) = (built.join("recorder"), built.join("tracer"));
    let path = [Path::new(JUNIT), Path::new(HAMCREST), &recorder, &tracer, folder.path()];
    compile(&sources(&root().join("java/tests")), &path, folder.path());
    let mut java = Command::new("java");
    java.args(["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-cp"]);
    java.arg(std::env::join_paths(path).expect("a path"));
    java.args(["org.junit.runner.JUnitCore", "whydunit.recorder.RecorderTest", "whydunit.tracer.TracerTest"]);
    let output = java.output().expect("java starts");
    assert!(output.status.success(), "{}", told(&output));
}

fn traced(folder: &Path, class: Option<&str>, depth: usize, words: &[&str]) -> Traced {
    let command: Vec<OsString> = ["java", "-cp", "."].iter().chain(words).map(OsString::from).collect();
    let limits = Limits { memory: None, file_size: None, processes: None, ..Limits::default() };
    let request = Request {
        command: &command,
        folder,
        class,
        depth,
        inspectors: true,
        limit: u64::MAX >> 1,
        mutation: None,
        limits,
    };
    trace(&request, &Cancel::new(), &mut |_, _| ()).expect("it is traced")
}

#[test]
fn streams_tell_of_all_that_they_refer_to_and_methods_end_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let subjects = root().join("subjects/java");
    let all: Vec<PathBuf> = ["corners", "same"].iter().flat_map(|name| sources(&subjects.join(name))).collect();
    compile(&all, &[], folder.path());
    let cases: [(Option<&str>, usize, &[&str]); 4] = [
        (Some("Door"), 1, &["Corners", "fails", "guests", "lambda", "reflection", "threads", "exit"]),
        (None, 2, &["Corners", "fails", "guests", "threads", "daemon"]),
        (Some("Port"), 1, &["Port", "send", "open", "quit"]),
        (Some("java.util.ArrayList"), 2, &["Corners", "guests"]),
    ];
    for (class, depth, words) in cases {
        let traced = traced(folder.path(), class, depth, words);
        let mut live = traced.events().expect("a stream");
        let events: Vec<Event> = live.by_ref().map(|event| event.expect("an event")).collect();
        assert!(live.is_whole(), "{class:?}");
        check(&events).unwrap_or_else(|broken| panic!("{class:?}: {broken}"));
        let calls = events.iter().filter(|event| matches!(event, Event::Entered { .. })).count();
        assert!(calls >= 3, "{class:?}: {calls} calls");
        assert_eq!(traced.notes.left, [], "{class:?}");
    }
}
