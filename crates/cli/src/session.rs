//! What all commands share: the project, how answers are written, progress.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use whydunit_findings::{Exit, Report};
use whydunit_render::{Options, github, html, json, jsonl, junit, markdown, sarif, text};

use crate::arguments::{Color, Format, Global};
use crate::failure::{Failure, OrFail};
use crate::output::Output;
use crate::progress::Progress;
use crate::sources::ProjectSources;

/// Findings shown as text unless a command says otherwise.
const SHOWN_FINDINGS: usize = 10;

/// One call of the program.
#[derive(Debug)]
pub struct Session {
    /// The project's folder, absolute.
    pub project: PathBuf,
    /// The project is not the folder that it was asked for in.
    elsewhere: bool,
    /// One of several projects: what was decided for it is not told.
    quiet: bool,
    /// Shows what takes long.
    pub progress: Progress,
    format: Format,
    colour: bool,
    shown_findings: Cell<Option<usize>>,
    output: RefCell<Option<Output>>,
    junit: RefCell<Option<Output>>,
    changed_sources: RefCell<BTreeSet<PathBuf>>,
    failure: RefCell<Option<Failure>>,
}

impl Session {
    /// Finds the project.
    pub fn open(global: &Global) -> Result<Self, Failure> {
        let here = std::env::current_dir().or_fail(Exit::Usage)?;
        let start = match &global.project {
            Some(folder) => folder.clone(),
            None => nearest_project(&here),
        };
        let elsewhere = global.project.is_none() && start != here;
        let project = start
            .canonicalize()
            .or_fail(Exit::Usage)
            .map_err(|failure| failure.at(start.display()).advice("name an existing folder with --project"))?;
        if !project.is_dir() {
            return Err(Failure::usage("the project is no folder").at(project.display()));
        }
        let colour = match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty())
            }
        };
        Ok(Self {
            project,
            elsewhere,
            quiet: false,
            progress: Progress::new(),
            format: global.format,
            colour,
            shown_findings: Some(SHOWN_FINDINGS).into(),
            output: RefCell::default(),
            junit: RefCell::default(),
            changed_sources: RefCell::default(),
            failure: RefCell::default(),
        })
    }

    /// A session on another project, its text without colour.
    pub fn in_project(&self, folder: &Path) -> Result<Self, Failure> {
        let project = folder.canonicalize().or_fail(Exit::Usage)?;
        Ok(Self {
            project,
            elsewhere: false,
            quiet: true,
            progress: Progress::new(),
            format: Format::Text,
            colour: self.colour && self.format == Format::Text,
            shown_findings: Some(SHOWN_FINDINGS).into(),
            output: RefCell::default(),
            junit: RefCell::default(),
            changed_sources: RefCell::default(),
            failure: RefCell::default(),
        })
    }

    /// A session on another project that shows no progress.
    pub fn quietly_in(&self, folder: &Path) -> Result<Self, Failure> {
        Ok(Self { progress: Progress::none(), ..self.in_project(folder)? })
    }

    /// A report as text.
    pub fn text(&self, report: &Report) -> String {
        self.render(Format::Text, report)
    }

    /// A report in some format.
    fn render(&self, format: Format, report: &Report) -> String {
        let sources = ProjectSources::new(&self.project).without(self.changed_sources.borrow().clone());
        let prefix = self.prefix();
        let options = Options {
            // A file keeps no colours.
            colour: self.colour && self.output.borrow().is_none(),
            sources: &sources,
            limit: self.shown_findings.get(),
            prefix: &prefix,
        };
        match format {
            Format::Text => text(report, &options),
            Format::Json => json(report),
            Format::Jsonl => jsonl(report),
            Format::Markdown => markdown(report, &options),
            Format::Sarif => sarif(report, &options),
            Format::Github => github(report, &options),
            Format::Html => html(report, &options),
            Format::Junit => junit(report),
        }
    }

    /// The project's folder seen from the root of its repository, where it is below that.
    fn prefix(&self) -> String {
        let root = self.project.ancestors().find(|folder| folder.join(".git").exists());
        let below = root.and_then(|root| self.project.strip_prefix(root).ok()).filter(|path| *path != Path::new(""));
        below.map(|path| format!("{}/", path.display())).unwrap_or_default()
    }

    /// Where the project is, when that is not the folder that the command was given in.
    pub fn elsewhere(&self) -> Option<String> {
        self.elsewhere.then(|| format!("in the project {}", self.project.display()))
    }

    /// Tells, beside the answer, what was decided of a project that does not say it.
    pub fn decided(&self, decisions: &[String]) {
        if self.quiet || decisions.is_empty() {
            return;
        }
        let lines: String = decisions.iter().map(|decision| format!("  {decision}\n")).collect();
        let told = match self.project.join(whydunit_suite::FILE_NAME).is_file() {
            true => format!("whydunit.toml leaves open, and so is decided:\n{lines}"),
            false => {
                format!("no whydunit.toml here, decided:\n{lines}  to change that: `whydunit init` writes it down\n")
            }
        };
        // Nobody is left to tell when standard error is closed.
        std::io::stderr().write_all(told.as_bytes()).ok();
    }

    /// How many findings formats for people show; none: all.
    pub fn show_findings(&self, number: Option<usize>) {
        self.shown_findings.set(number);
    }

    /// The answer goes to this file.
    pub fn write_to(&self, path: &Path) -> Result<(), Failure> {
        self.output.replace(Some(Output::open(path)?));
        Ok(())
    }

    /// The tests of the answer go to this file as well, as JUnit's XML.
    pub fn write_junit_to(&self, path: &Path) -> Result<(), Failure> {
        self.junit.replace(Some(Output::open(path)?));
        Ok(())
    }

    /// Lines of these files are not what the answer is about, and not shown with it.
    pub fn hide_sources(&self, changed: BTreeSet<PathBuf>) {
        self.changed_sources.borrow_mut().extend(changed);
    }

    /// A failure that leaves an answer: it is told after the answer and decides the exit status.
    pub fn fail_after_answer(&self, failure: Failure) {
        self.failure.replace(Some(failure));
    }

    /// Writes a report to where it goes; its exit status, or the failure that goes with it.
    pub fn print(&self, report: &Report) -> Result<Exit, Failure> {
        let mut rendered = self.render(self.format, report);
        // Paths in an answer are relative to the project: people must see to which.
        if let (Format::Text, Some(place)) = (self.format, self.elsewhere()) {
            rendered.insert_str(0, &format!("{place}\n"));
        }
        if let Some(output) = self.junit.take() {
            output.write(junit(report).as_bytes())?;
        }
        match self.output.take() {
            Some(output) => output.write(rendered.as_bytes())?,
            None => match std::io::stdout().write_all(rendered.as_bytes()) {
                // The reader has seen enough: `whydunit show … | head`.
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
                written => written.or_fail(Exit::Internal)?,
            },
        }
        let exit = report.exit();
        match self.failure.take() {
            Some(failure) if exit != Exit::Internal => Err(failure),
            _ => Ok(exit),
        }
    }
}

/// The nearest folder from `start` upward that was set up for this program, else `start`.
fn nearest_project(start: &Path) -> PathBuf {
    let marked = |folder: &&Path| folder.join("whydunit.toml").is_file() || whydunit_suite::store_of(folder).is_dir();
    start.ancestors().find(marked).unwrap_or(start).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_the_nearest_folder_that_was_set_up() {
        let root = tempfile::tempdir().expect("a folder");
        let deep = root.path().join("a/b/c");
        std::fs::create_dir_all(&deep).expect("folders");
        std::fs::write(root.path().join("a/whydunit.toml"), "").expect("a file");
        assert_eq!(nearest_project(&deep), root.path().join("a"));
        std::fs::create_dir(root.path().join("a/b/.whydunit")).expect("a folder");
        assert_eq!(nearest_project(&deep), root.path().join("a/b"));
    }
}
