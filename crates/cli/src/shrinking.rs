//! What is made smaller, who judges it, and where the answer is kept.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_findings::{Exit, PartKind, Problem, Shrunk, ShrunkPart, Size};
use whydunit_process::{Cancel, Limits, interrupts};
use whydunit_shrink::{Input, Keep, NoFailure, Part, Script};
use whydunit_suite::{Case, Content, Outcome, RunOptions, Suite, Test, TestResult};

use crate::failure::{Failure, OrFail};
use crate::output::Output;
use crate::session::Session;
use crate::working;

/// A candidate may take so many times as long as the case did, and at least this: one that hangs is not waited for.
const SLOWER: u32 = 10;
const SHORTEST: Duration = Duration::from_secs(1);

/// What is done where the program itself cannot judge.
const GIVE_SCRIPT: &str = "give --script SCRIPT: it is run with each smaller input ($WHYDUNIT_PROGRAM is the program) and exits with 0 \
                           where the failure is still there, with 1 where it is not, with 125 where that cannot be told";

/// A case whose input is made smaller.
pub struct Subject {
    /// Runs it.
    pub suite: Suite,
    /// It; a file on its own is the only argument of a script.
    pub case: Case,
    /// It is a file on its own.
    file: bool,
}

/// How a failing case is judged.
pub struct Judge {
    /// By this script; none: by the program itself.
    pub script: Option<PathBuf>,
    /// How it fails, in words.
    pub reason: String,
    /// For each run.
    pub limits: Limits,
    /// The first run, where the program judges.
    pub result: Option<TestResult>,
    failure: Option<whydunit_shrink::Failure>,
}

/// A script, absolute, that can be run.
pub fn script(path: &Path) -> Result<PathBuf, Failure> {
    let advice = "name a program by its path, as in --script ./still.sh";
    let fail = |failure: Failure| failure.at(path.display()).advice(advice);
    let whole = path.canonicalize().or_fail(Exit::Usage).map_err(fail)?;
    let meta = whole.metadata().or_fail(Exit::Usage).map_err(fail)?;
    if !meta.is_file() {
        return Err(fail(Failure::usage("the script is no file")));
    }
    if meta.permissions().mode() & 0o111 == 0 {
        return Err(Failure::usage("the script is not executable")
            .at(path.display())
            .advice(format!("`chmod +x {}`, and let it begin with a line as #!/bin/sh", path.display())));
    }
    Ok(whole)
}

/// The bytes of an input.
pub fn bytes(input: &Input) -> usize {
    input.parts(&Keep::default()).iter().map(|part| input.text(part).len()).sum()
}

impl Subject {
    /// The case of this name, or with a script the file.
    pub fn of(session: &Session, what: &str, script: bool) -> Result<Self, Failure> {
        let path = Path::new(what);
        if script && path.is_file() {
            return Self::file(session, path);
        }
        let project = session.project()?;
        working::built(session, &project)?;
        let suite = working::suite(&project)?;
        let test = suite.test(what).map_err(|message| match path.is_file() {
            true => {
                Failure::usage(message).advice("to make a file on its own smaller, say by --script what the failure is")
            }
            false => Failure::usage(message),
        })?;
        let Test::Case(case) = test else {
            return Err(Failure::usage(format!("{what} is no case with an input of its own"))
                .advice("`shrink` is for cases.jsonl and folders of cases; `whydunit shrink --script SCRIPT FILE` is for any file"));
        };
        Ok(Self { case: case.clone(), suite, file: false })
    }

    fn file(session: &Session, path: &Path) -> Result<Self, Failure> {
        let bytes = fs::read(path).or_fail(Exit::Usage).map_err(|failure| failure.at(path.display()))?;
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Failure::usage("the file's name is not UTF-8").at(path.display()))?.to_string();
        let files = [(name.clone(), Content::Inline(bytes))].into();
        let case = Case { name: name.clone(), args: vec![name], files, ..Case::default() };
        let suite = Suite {
            folder: session.project.clone(),
            executable: None,
            tests: Vec::new(),
            single: Vec::new(),
            env: Vec::new(),
            limits: Limits::default(),
            jobs: std::thread::available_parallelism().unwrap_or(std::num::NonZeroUsize::MIN),
            reruns: 0,
        };
        Ok(Self { suite, case, file: true })
    }

    /// What stays as it is.
    pub fn keep(&self, asked: &[String]) -> Result<Keep, Failure> {
        let mut keep = Keep { args: self.file, names: self.file, ..Keep::default() };
        for part in asked {
            match part.as_str() {
                "args" => keep.args = true,
                "stdin" => keep.stdin = true,
                "files" => keep.files = true,
                name if self.case.files.contains_key(name) => _ = keep.named.insert(name.into()),
                name => {
                    let known: BTreeSet<&str> = self.case.files.keys().map(String::as_str).collect();
                    let known = ["args", "stdin", "files"].into_iter().chain(known).collect::<Vec<_>>();
                    return Err(Failure::usage(format!("`{name}` is no part of {}", self.case.name))
                        .at("--keep")
                        .advice(format!("parts are {}", known.join(", "))));
                }
            }
        }
        Ok(keep)
    }

    /// That the case does not always fail.
    pub fn flaky(&self, same: usize, made: usize) -> Failure {
        Failure::new(Exit::Baseline, format!("{} is flaky: it failed the same way in {same} of {made} runs", self.case.name))
            .advice("make it fail each time first (a fixed seed, a fixed time), or give --script with a script that tries several times")
    }

    /// What should be known of the answer.
    pub fn notes(&self, before: &Input, after: &Input, cut: bool) -> Vec<Problem> {
        let mut notes = Vec::new();
        if before == after && !cut {
            notes.push(Problem::new("nothing can be left out: it is as small as it can be already"));
        }
        if self.case.stdout.is_some() {
            let text = "what the smaller case should print is not known: its `stdout` is left out";
            notes.push(Problem::new(text).help("add what is right before it becomes one of the suite"));
        }
        notes
    }

    /// Writes the answer to where it goes.
    pub fn answer(
        &self,
        session: &Session,
        before: &Input,
        after: &Input,
        output: Option<(Output, &Path)>,
    ) -> Result<Shrunk, Failure> {
        let mut answer = Shrunk { name: self.case.name.clone(), parts: parts(before, after), ..Shrunk::default() };
        let shown = |path: &Path| path.strip_prefix(&session.project).unwrap_or(path).display().to_string();
        if self.file {
            let text = after.files.values().next().map_or(&[][..], Vec::as_slice);
            answer.text = std::str::from_utf8(text).ok().map(String::from);
            answer.path = match output {
                Some((output, path)) => output.write(text).map(|()| path.display().to_string())?,
                None => shown(&keep(session, &self.case.name, &[(self.case.name.clone(), text.to_vec())])?),
            };
            return Ok(answer);
        }
        let folder = place(session, &self.case.name);
        let mut case = after.case(&self.case);
        case.name = format!("{}-small", self.case.name);
        let mut kept = Vec::new();
        // A line of JSON cannot hold bytes that are not UTF-8: they lie in files.
        let mut put = |name: String, content: &mut Content| {
            let Content::Inline(bytes) = content else { return };
            kept.push((name.clone(), bytes.clone()));
            if std::str::from_utf8(bytes).is_err() {
                let path = folder.join(name);
                *content = Content::File { written: path.to_string_lossy().into_owned(), path };
            }
        };
        if let Some(stdin) = &mut case.stdin {
            put("stdin".into(), stdin);
        }
        for (name, content) in &mut case.files {
            put(format!("files/{name}"), content);
        }
        let line = case.to_json().to_string();
        kept.push(("case.jsonl".into(), format!("{line}\n").into_bytes()));
        answer.path = shown(&keep(session, &self.case.name, &kept)?);
        if let Some((output, path)) = output {
            output.write(format!("{line}\n").as_bytes())?;
            answer.path = path.display().to_string();
        }
        answer.case = Some(line);
        Ok(answer)
    }
}

impl Judge {
    /// Runs the case, or the script on it, for the first time.
    pub fn of(subject: &Subject, input: &Input, script: Option<PathBuf>) -> Result<Self, Failure> {
        let (suite, limits) = (&subject.suite, subject.suite.limits.clone());
        if let Some(script) = script {
            sees(subject, input, &script, interrupts())?;
            let name = script.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let reason = format!("{name} says that it fails");
            return Ok(Self { script: Some(script), reason, limits, result: None, failure: None });
        }
        let (name, options) = (&subject.case.name, RunOptions { cancel: Some(interrupts()), ..RunOptions::default() });
        let mut results = suite.run_test(&Test::Case(subject.case.clone()), &options);
        let result = results.swap_remove(0);
        let failure = whydunit_shrink::Failure::of(&result).map_err(|why| match why {
            NoFailure::Passes => Failure::new(Exit::Baseline, format!("{name} passes: there is no failure to keep"))
                .advice("`whydunit test` says which tests fail; of a case only what it expects is compared"),
            NoFailure::Output(how) => Failure::usage(format!(
                "{name} fails only by what it prints, and nobody knows what it should print for a smaller input: {how}"
            ))
            .advice(GIVE_SCRIPT),
            NoFailure::NotRun(why) => Failure::usage(format!("{name} could not be run: {why}")),
            NoFailure::Cancelled => interrupted(),
        })?;
        let time = match result.outcome {
            Outcome::Timeout => limits.time,
            _ => Some((result.time * SLOWER).max(SHORTEST)).map(|own| limits.time.map_or(own, |limit| own.min(limit))),
        };
        let limits = Limits { time, ..limits };
        Ok(Self { script: None, reason: failure.to_string(), limits, result: Some(result), failure: Some(failure) })
    }

    /// The failure, where the program itself judges.
    pub fn failure(&self) -> Result<whydunit_shrink::Failure, Failure> {
        self.failure.clone().ok_or_else(|| Failure::new(Exit::Internal, "no failure is known"))
    }
}

/// Sees that a script takes the case as it is for a failing one.
fn sees(subject: &Subject, input: &Input, script: &Path, cancel: &Cancel) -> Result<(), Failure> {
    let result = Script { suite: &subject.suite, case: &subject.case, script }.run(input, cancel);
    let why = match &result.outcome {
        Outcome::Pass => return Ok(()),
        Outcome::Cancelled => return Err(interrupted()),
        Outcome::Fail { .. } => {
            format!("it ended with {}", result.exit.map(|exit| exit.to_string()).unwrap_or_default())
        }
        outcome => outcome.reason().unwrap_or_default(),
    };
    let said = String::from_utf8_lossy(&result.stderr);
    let said = said.lines().rfind(|line| !line.trim().is_empty()).map(|line| format!(" ({line})")).unwrap_or_default();
    Err(Failure::usage(format!("the script does not see the failure in {} as it is: {why}{said}", subject.case.name))
        .at(script.display())
        .advice("let it exit with 0 for this input; it runs in a folder with the files, with the arguments and standard input of the case"))
}

fn interrupted() -> Failure {
    Failure::new(Exit::TimeLimit, "interrupted before there was an answer").advice("run the command again")
}

/// The parts that there were, and what became of them.
fn parts(before: &Input, after: &Input) -> Vec<ShrunkPart> {
    let size = |text: &[u8]| Size {
        bytes: text.len() as u64,
        lines: text.split_inclusive(|&byte| byte == b'\n').count() as u64,
    };
    let mut parts = Vec::new();
    for (name, text) in &before.files {
        let after = after.files.get(name).map(|text| size(text));
        parts.push(ShrunkPart { kind: PartKind::File, name: name.clone(), before: size(text), after });
    }
    if before.stdin.is_some() {
        let after = after.stdin.as_deref().map(size);
        let before = size(before.text(&Part::Stdin));
        parts.push(ShrunkPart { kind: PartKind::Stdin, name: String::new(), before, after });
    }
    let all = |args: &[String]| {
        let bytes = args.iter().map(|arg| arg.len() as u64).sum();
        (!args.is_empty()).then_some(Size { bytes, lines: args.len() as u64 })
    };
    if let Some(size) = all(&before.args) {
        parts.push(ShrunkPart { kind: PartKind::Args, name: String::new(), before: size, after: all(&after.args) });
    }
    parts
}

/// Where what was made smaller is kept.
fn place(session: &Session, name: &str) -> PathBuf {
    let plain: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_.+=@".contains(c) { c } else { '_' }).collect();
    let plain: String = plain.trim_start_matches('.').chars().take(120).collect();
    let store = whydunit_suite::store_of(&session.project);
    store.join("shrunk").join(if plain.is_empty() { "input".into() } else { plain })
}

/// Writes files to a folder of the store, in the place of what an earlier run left there; where the only one or all lie.
fn keep(session: &Session, name: &str, files: &[(String, Vec<u8>)]) -> Result<PathBuf, Failure> {
    let folder = place(session, name);
    let written = || -> std::io::Result<()> {
        let shrunk = folder.parent().unwrap_or(&folder);
        fs::create_dir_all(shrunk)?;
        let ignore = shrunk.with_file_name(".gitignore");
        if !ignore.exists() {
            fs::write(ignore, "*\n")?;
        }
        let new = tempfile::Builder::new().prefix(".new-").tempdir_in(shrunk)?;
        for (name, bytes) in files {
            let path = new.path().join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, bytes)?;
        }
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::rename(new.keep(), &folder)
    };
    written().or_fail(Exit::Usage).map_err(|failure| {
        failure.at(folder.display()).advice("see that the folder can be written and the disk is not full")
    })?;
    match files {
        [(name, _)] => Ok(folder.join(name)),
        _ => Ok(folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_that_there_were() {
        let mut before =
            Input { args: vec!["-v".into(), "x".into()], stdin: Some(b"a\nb".to_vec()), ..Input::default() };
        before.files.insert("f".into(), b"1\n".to_vec());
        let after = Input { args: vec!["x".into()], ..Input::default() };
        let found = parts(&before, &after);
        let sizes: Vec<_> = found
            .iter()
            .map(|part| (part.kind.name(), part.before.bytes, part.before.lines, part.after.map(|size| size.bytes)))
            .collect();
        assert_eq!(sizes, [("file", 2, 1, None), ("stdin", 3, 2, None), ("args", 3, 2, Some(1))]);
        assert_eq!(bytes(&before), 8);
    }
}
