//! A copy of a subject as a project of its own, and our program run on it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// No command of a test takes so many seconds.
const PATIENCE: &str = "300";
/// Stands in the environment of all that a project's commands start, with the project's folder.
const MARK: &str = "WHYDUNIT_TEST_PROJECT";

/// A project in a folder that goes with the value.
pub struct Project {
    folder: tempfile::TempDir,
    /// What its commands take for the place of temporary files.
    temporary: tempfile::TempDir,
}

impl Project {
    pub fn new() -> Self {
        let folder = || tempfile::tempdir().expect("a folder");
        Self { folder: folder(), temporary: folder() }
    }

    /// With the files of a subject.
    pub fn of(subject: &str) -> Self {
        let project = Self::new();
        project.copy_inside(subject);
        project
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8_lossy(&std::fs::read(self.path(name)).expect("a file")).into_owned()
    }

    /// Writes a file, whose folders are made where they are not there.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Applies a patch of the folder to it.
    pub fn git_apply(&self, patch: &str) {
        let applied = Command::new("git").args(["apply", patch]).current_dir(self.folder()).status();
        assert!(applied.expect("git starts").success(), "{}", self.read(patch));
    }

    /// Replaces a text that a file has.
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} has no `{from}`");
        self.write(name, &text.replace(from, to));
    }

    /// Copies a subject's folder or file into the project.
    pub fn copy(&self, subject: &str) {
        self.copy_from(&subjects().join(subject));
    }

    /// Copies what is in a subject's folder.
    pub fn copy_inside(&self, subject: &str) {
        self.copy_from(&subjects().join(subject).join("."));
    }

    fn copy_from(&self, source: &Path) {
        let status = Command::new("cp").arg("-r").arg(source).arg(self.folder()).status().expect("cp starts");
        assert!(status.success(), "{} is copied", source.display());
    }

    /// A command in the project's folder; it does not outlive all patience.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = self.bare_command("timeout");
        command.args(["--kill-after=10", PATIENCE]).arg(program);
        command
    }

    /// The same for a caller with patience of its own.
    pub fn bare_command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder()).env("TMPDIR", self.temporary.path()).env(MARK, self.folder());
        // What a project builds lies in it.
        command.env_remove("CARGO_TARGET_DIR");
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        let mut command = self.command(WHYDUNIT);
        command.args(args).output().expect("whydunit starts")
    }

    /// Runs with `--format json`; the status, and the answer where there is one.
    #[expect(clippy::print_stderr, reason = "for a test that fails")]
    pub fn json(&self, args: &[&str]) -> (i32, Value, String) {
        let mut all = vec!["--format", "json"];
        all.extend(args);
        let (status, value, errors) = answer(&self.run(&all));
        if value.is_null() {
            // Shown where the test fails.
            eprintln!("whydunit {args:?} ended with {status}: {errors}");
        }
        (status, value, errors)
    }

    /// The files in the folder of recordings.
    pub fn recordings(&self) -> Vec<String> {
        names(&self.path(".whydunit/recordings"))
    }

    /// Processes that a command of this project started and that still live.
    pub fn living(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.folder().display()).into_bytes();
        let processes = std::fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.path());
        let of_ours = processes.filter(|path| {
            let environment = std::fs::read(path.join("environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == mark)
        });
        let name = |path: PathBuf| std::fs::read_to_string(path.join("comm")).unwrap_or_default();
        of_ours.map(name).collect()
    }

    /// No process, no temporary file or folder, and no half recording is left.
    pub fn assert_clean(&self) {
        assert_eq!(self.living(), [""; 0]);
        assert_eq!(names(self.temporary.path()), [""; 0]);
        assert_eq!(names(&self.path(".whydunit/tmp")), [""; 0]);
        let half: Vec<String> = self.recordings().into_iter().filter(|name| !name.ends_with(".rec")).collect();
        assert_eq!(half, [""; 0]);
    }
}

pub const WHYDUNIT: &str = env!("CARGO_BIN_EXE_whydunit");

/// Status, answer as JSON where there is one, and what stands on standard error.
pub fn answer(output: &Output) -> (i32, Value, String) {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null), errors)
}

/// The names in a folder, in order; none where it is not there.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// One message of ours, with all of these words, and nothing else.
pub fn assert_one_message(errors: &str, words: &[&str]) {
    let heads = errors.lines().filter(|line| line.starts_with("error: ")).count();
    assert!(errors.starts_with("error: ") && heads == 1, "not one message: {errors}");
    assert!(!errors.contains("internal error") && !errors.contains("panicked"), "{errors}");
    for word in words {
        assert!(errors.contains(word), "no `{word}` in: {errors}");
    }
}

/// The texts of the answer's notes, one a line.
pub fn notes(answer: &Value) -> String {
    let problems = answer["problems"].as_array().cloned().unwrap_or_default();
    problems.iter().map(|problem| format!("{} {}\n", problem["message"], problem["help"])).collect()
}

pub fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").canonicalize().expect("the subjects")
}
