//! A run of a Java program under the tracer, and its events.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use whydunit_desk::Desk;
use whydunit_events::Event;
use whydunit_findings::Problem;
use whydunit_java::{Mutation, Request, Traced, trace};
use whydunit_process::{Cancel, Exit, Limits, Stop};
use whydunit_suite::nearest;

use super::Question;
use crate::Error;
use crate::mine::MineError;

/// Classes without hooks that are named; of more it is said how many there are.
const NAMED: usize = 5;
/// So many names that are near are told.
const NEAR: usize = 3;
/// Where sources of Java lie in a project, below which they lie by their packages.
const SOURCES: [&str; 6] = ["", "src", "src/main/java", "src/test/java", "test", "java"];
/// What a program may print, in bytes: it is kept while it runs.
const OUTPUT: u64 = 256 << 20;

/// A run that was traced, or a whole suite in one virtual machine.
pub(super) struct Reading {
    pub traced: Traced,
    project: PathBuf,
    /// What the run is called that is no test's.
    name: String,
    /// Runs in which something was traced.
    pub runs: u64,
    /// The classes that had objects.
    classes: BTreeSet<String>,
    failed: BTreeSet<String>,
    /// The stream has its end.
    whole: bool,
}

/// Runs the command under the tracer, mutated where that is asked for.
pub(super) fn read(desk: &Desk, question: &Question<'_>, mutation: Option<&Mutation>) -> Result<Reading, Error> {
    let task = mutation.is_none().then(|| desk.task("tracing", None));
    let reading = read_until(desk.project.clone(), question, mutation, &desk.cancel);
    drop(task);
    match reading {
        Err(_) if desk.is_cancelled() => Err(whydunit_desk::Error::Interrupted.into()),
        reading => reading,
    }
}

/// The same, for threads that have no desk.
pub(super) fn read_until(
    project: PathBuf,
    question: &Question<'_>,
    mutation: Option<&Mutation>,
    cancel: &Cancel,
) -> Result<Reading, Error> {
    let folder = std::env::current_dir().unwrap_or_else(|_| project.clone());
    let limits = Limits {
        time: question.time,
        memory: None,
        output: OUTPUT,
        processes: None,
        file_size: None,
        ..Limits::default()
    };
    let request = Request {
        command: question.command,
        folder: &folder,
        class: question.class,
        depth: question.depth,
        inspectors: question.inspectors,
        limit: question.limit,
        mutation,
        limits,
    };
    let traced = trace(&request, cancel, &mut |_, _| ())?;
    let failed = traced.notes.failed.iter().cloned().collect();
    let name = program(question.command);
    let mut reading = Reading { traced, project, name, runs: 0, classes: BTreeSet::new(), failed, whole: false };
    reading.survey()?;
    Ok(reading)
}

/// What a command runs: its main class or archive, without folders.
fn program(command: &[OsString]) -> String {
    let mut words = command.iter().skip(1).map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        match &*word {
            "-cp" | "-classpath" | "--class-path" | "-p" | "--module-path" => _ = words.next(),
            "-jar" | "-m" | "--module" => continue,
            word if word.starts_with('-') => {}
            word => return word.rsplit('/').next().unwrap_or(word).to_owned(),
        }
    }
    "java".into()
}

impl Reading {
    /// What there is, before it is mined.
    fn survey(&mut self) -> Result<(), Error> {
        let (mut names, mut runs, mut classes) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let whole = self.events(&mut |run, event| match event {
            Event::Class(class) => _ = names.insert(class.id, class.name.clone()),
            Event::Created { class, .. } => classes.extend(names.get(class).cloned()),
            Event::Entered { .. } => _ = runs.insert(run.to_owned()),
            _ => {}
        })?;
        (self.classes, self.runs, self.whole) = (classes, runs.len() as u64, whole);
        Ok(())
    }

    /// Reads the events, each with the run that it is of; whether the stream has its end.
    pub fn events(&self, each: &mut dyn FnMut(&str, &Event)) -> Result<bool, Error> {
        let mut live = self.traced.events()?;
        let mut run = String::new();
        for event in live.by_ref() {
            let mut event = event.map_err(whydunit_java::JavaError::from)?;
            match &mut event {
                Event::Run(own) => {
                    if own.name == "java" {
                        own.name.clone_from(&self.name);
                    }
                    run.clone_from(&own.name);
                }
                Event::Source(source) => source.path = self.source(&source.path),
                _ => {}
            }
            each(&run, &event);
        }
        Ok(live.is_whole())
    }

    /// Where a source lies that is known by package and name: in the project, where there is one file at most.
    fn source(&self, path: &str) -> String {
        let places = SOURCES.iter().map(|folder| self.project.join(folder).join(path));
        let found = places.filter(|_| !path.is_empty()).find(|file| file.is_file());
        found.map_or_else(|| path.to_owned(), |file| file.display().to_string())
    }

    /// Whether a run is one of a test that fails.
    pub fn has_failed(&self, run: &str) -> bool {
        self.failed.contains(run)
    }

    /// What a run is called by the tracer.
    pub fn traced_name(&self, run: &str) -> String {
        if run == self.name { "java".into() } else { run.to_owned() }
    }

    /// The full name of a class that is asked for; it had objects.
    pub fn class(&self, asked: Option<&str>) -> Result<Option<String>, MineError> {
        let Some(asked) = asked else { return Ok(None) };
        let dotted = |name: &str| name.replace('$', ".");
        let fits = |name: &&String| {
            let (name, asked) = (dotted(name), dotted(asked));
            name == asked || name.strip_suffix(&asked).is_some_and(|scopes| scopes.ends_with('.'))
        };
        let found: Vec<&String> = self.classes.iter().filter(fits).collect();
        match found[..] {
            [name] => Ok(Some(name.clone())),
            [] => {
                let names: Vec<&str> = self.classes.iter().map(String::as_str).collect();
                let mut near: Vec<String> = nearest(asked, &names).into_iter().map(str::to_owned).collect();
                near.truncate(NEAR);
                Err(MineError::NoJavaClass { name: asked.to_owned(), near })
            }
            _ => Err(MineError::Several { name: asked.to_owned(), names: found.into_iter().cloned().collect() }),
        }
    }

    /// What should be known of the run.
    pub fn problems(&self) -> Vec<Problem> {
        let notes = &self.traced.notes;
        let mut told: Vec<String> = Vec::new();
        told.extend(notes.left.iter().take(NAMED).map(|(class, why)| format!("{class} is not traced: {why}")));
        let more = notes.left.len().saturating_sub(NAMED);
        told.extend((more > 0).then(|| format!("{more} more classes are not traced")));
        if notes.full {
            told.push(
                "the limit of the trace's size was reached: this is of the run until then (--trace-limit)".into(),
            );
        } else if !self.whole {
            told.push("the program was ended before it could tell all: this is of the run until then".into());
        }
        told.extend(match (&self.traced.ended.stop, self.traced.ended.exit) {
            (Some(Stop::Time), _) => Some("the program was ended as its time was up".into()),
            (Some(Stop::Output), _) => Some("the program was ended as it printed too much".into()),
            (None, Exit::Status(status)) if status != 0 && self.failed.is_empty() => {
                let said = String::from_utf8_lossy(&self.traced.ended.stderr);
                let said = said.lines().find(|line| !line.trim().is_empty()).map(|line| format!(": {line}"));
                Some(format!("the program ended with exit status {status}{}", said.unwrap_or_default()))
            }
            (None, Exit::Signal(_)) => Some(format!("the program ended with {}", self.traced.ended.exit)),
            _ => None,
        });
        told.extend(notes.others.iter().cloned());
        told.into_iter().map(Problem::new).collect()
    }

    /// The folder of the project.
    pub fn project(&self) -> &Path {
        &self.project
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_called_by_what_the_command_runs() {
        let of = |words: &str| program(&words.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of("java -cp a:b Main x"), "Main");
        assert_eq!(of("java -Xmx1g -jar lib/tool.jar -cp"), "tool.jar");
        assert_eq!(of("java -m app/app.Main"), "app.Main");
        assert_eq!(of("java -version"), "java");
    }
}
