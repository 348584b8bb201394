//! A case whose input is made smaller.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use whydunit_desk::{Desk, Output, prepare};
use whydunit_findings::{Problem, Shrunk};
use whydunit_process::Limits;
use whydunit_shrink::{Input, Keep};
use whydunit_suite::{Case, Content, Suite, Test};

use super::error::ShrinkError;
use super::kept::{keep, parts, place};
use crate::Error;

/// A case whose input is made smaller.
pub struct Subject {
    /// Runs it.
    pub suite: Suite,
    /// It; a file on its own is the only argument of a script.
    pub case: Case,
    /// It is a file on its own.
    file: bool,
}

impl Subject {
    /// The case of this name, or with a script the file.
    pub fn of(desk: &Desk, what: &str, script: bool) -> Result<Self, Error> {
        let path = Path::new(what);
        if script && path.is_file() {
            return Self::file(desk, path);
        }
        let project = desk.open_project()?;
        prepare::built(desk, &project)?;
        let suite = prepare::suite(desk, &project)?;
        let test = suite.test(what).map_err(|message| match path.is_file() {
            true => Error::from(ShrinkError::FileWithoutScript { message }),
            false => whydunit_desk::Error::NoTest(message).into(),
        })?;
        let Test::Case(case) = test else {
            return Err(ShrinkError::NoCase { test: what.to_owned() }.into());
        };
        Ok(Self { case: case.clone(), suite, file: false })
    }

    fn file(desk: &Desk, path: &Path) -> Result<Self, Error> {
        let bytes = fs::read(path).map_err(whydunit_desk::Error::io(path))?;
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| ShrinkError::NotUtf8(path.to_path_buf()))?.to_string();
        let files = [(name.clone(), Content::Inline(bytes))].into();
        let case = Case { name: name.clone(), args: vec![name], files, ..Case::default() };
        let suite = Suite {
            folder: desk.project.clone(),
            executable: None,
            tests: Vec::new(),
            single: Vec::new(),
            own: Vec::new(),
            env: Vec::new(),
            limits: Limits::default(),
            states_time: false,
            jobs: std::thread::available_parallelism().unwrap_or(std::num::NonZeroUsize::MIN),
            reruns: 0,
        };
        Ok(Self { suite, case, file: true })
    }

    /// What stays as it is.
    pub fn keep(&self, asked: &[String]) -> Result<Keep, Error> {
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
                    let (part, test) = (name.to_owned(), self.case.name.clone());
                    return Err(ShrinkError::NoPart { part, test, known: known.join(", ") }.into());
                }
            }
        }
        Ok(keep)
    }

    /// That the case does not always fail.
    pub fn flaky(&self, same: usize, runs: usize) -> Error {
        ShrinkError::Flaky { test: self.case.name.clone(), same, runs }.into()
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
        desk: &Desk,
        before: &Input,
        after: &Input,
        output: Option<(Output, PathBuf)>,
    ) -> Result<Shrunk, Error> {
        let mut answer = Shrunk { name: self.case.name.clone(), parts: parts(before, after), ..Shrunk::default() };
        let shown = |path: &Path| path.strip_prefix(&desk.project).unwrap_or(path).display().to_string();
        if self.file {
            let text = after.files.values().next().map_or(&[][..], Vec::as_slice);
            answer.text = std::str::from_utf8(text).ok().map(String::from);
            answer.path = match output {
                Some((output, path)) => output.write(text).map(|()| path.display().to_string())?,
                None => shown(&keep(desk, &self.case.name, &[(self.case.name.clone(), text.to_vec())])?),
            };
            return Ok(answer);
        }
        let folder = place(desk, &self.case.name);
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
        answer.path = shown(&keep(desk, &self.case.name, &kept)?);
        if let Some((output, path)) = output {
            output.write(format!("{line}\n").as_bytes())?;
            answer.path = path.display().to_string();
        }
        answer.case = Some(line);
        Ok(answer)
    }
}
