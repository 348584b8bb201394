//! One call of the program: the request, and where and how its answer is written.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whydunit_desk::{Cancel, Desk, Output, ProjectSources};
use whydunit_findings::Report;
use whydunit_render::{Options, dot, github, graphml, html, json, jsonl, junit, markdown, mermaid, sarif, svg, text};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::global::{Also, Color, Format, Global};
use crate::progress::Terminal;

/// Findings shown as text unless a command says otherwise.
const SHOWN_FINDINGS: usize = 10;

/// One call of the program.
pub struct Session {
    /// What the request is worked on with.
    pub desk: Desk,
    format: Format,
    colour: bool,
    shown_findings: Cell<Option<usize>>,
    output: RefCell<Option<Output>>,
    also: RefCell<Vec<(Format, Output)>>,
    changed_sources: RefCell<BTreeSet<PathBuf>>,
    failure: RefCell<Option<Failure>>,
}

impl Session {
    /// Finds the project; `cancel` ends the call.
    pub fn open(global: &Global, cancel: Cancel) -> Result<Self, Failure> {
        let here = std::env::current_dir().map_err(whydunit_desk::Error::from)?;
        let start = match &global.project {
            Some(folder) => folder.clone(),
            None => Desk::set_up_above(&here).unwrap_or(&here).to_path_buf(),
        };
        let mut desk = Desk::new(&start, cancel, Arc::new(Terminal::new()))?;
        desk.elsewhere = global.project.is_none() && start != here;
        let colour = match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|no| no.is_empty())
            }
        };
        let session = Self::at(desk, global.format, colour);
        for Also { format, file } in &global.also {
            session.write_also(*format, file)?;
        }
        Ok(session)
    }

    /// A session on another project as a part of this call, its text without what was decided.
    pub fn in_project(&self, folder: &Path) -> Result<Self, Failure> {
        let progress = Arc::new(Terminal::new().without_decisions());
        let desk = Desk::new(folder, self.desk.cancel.clone(), progress)?;
        Ok(Self::at(desk, Format::Text, self.colour && self.format == Format::Text))
    }

    fn at(desk: Desk, format: Format, colour: bool) -> Self {
        Self {
            desk,
            format,
            colour,
            shown_findings: Some(SHOWN_FINDINGS).into(),
            output: RefCell::default(),
            also: RefCell::default(),
            changed_sources: RefCell::default(),
            failure: RefCell::default(),
        }
    }

    /// A report as text.
    pub fn text(&self, report: &Report) -> String {
        self.take_notes();
        self.render(Format::Text, report, self.colour)
    }

    /// A report in some format.
    fn render(&self, format: Format, report: &Report, colour: bool) -> String {
        let sources = ProjectSources::new(&self.desk.project).without(self.changed_sources.borrow().clone());
        let prefix = self.prefix();
        let options = Options {
            colour,
            sources: &sources,
            limit: self.shown_findings.get(),
            exit_code: Exit::of(report).code(),
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
            Format::Dot => dot(report),
            Format::Mermaid => mermaid(report),
            Format::Graphml => graphml(report),
            Format::Svg => svg(report),
        }
    }

    /// The project's folder seen from the root of its repository, where it is below that.
    fn prefix(&self) -> String {
        let project = &self.desk.project;
        let root = project.ancestors().find(|folder| folder.join(".git").exists());
        let below = root.and_then(|root| project.strip_prefix(root).ok()).filter(|path| *path != Path::new(""));
        below.map(|path| format!("{}/", path.display())).unwrap_or_default()
    }

    /// How many findings formats for people show; none: all.
    pub fn show_findings(&self, number: Option<usize>) {
        self.shown_findings.set(number);
    }

    /// Whether the answer is written in a format, to a file beside it or as it is asked for.
    pub fn writes(&self, format: Format) -> bool {
        self.format == format || self.also.borrow().iter().any(|(also, _)| *also == format)
    }

    /// The answer goes to this file.
    pub fn write_to(&self, path: &Path) -> Result<(), Failure> {
        self.output.replace(Some(Output::open(path)?));
        Ok(())
    }

    /// The answer goes to this file as well, in a format of its own.
    pub fn write_also(&self, format: Format, path: &Path) -> Result<(), Failure> {
        let output = Output::open(path)?;
        self.also.borrow_mut().push((format, output));
        Ok(())
    }

    /// A failure that leaves an answer: it is told after the answer and decides the exit status.
    pub fn fail_after_answer(&self, failure: Failure) {
        self.failure.replace(Some(failure));
    }

    /// Takes over what was noted while the request was worked on.
    fn take_notes(&self) {
        let notes = self.desk.take_notes();
        self.changed_sources.borrow_mut().extend(notes.changed_sources);
        if let Some(shortfall) = notes.shortfall {
            self.fail_after_answer(shortfall.into());
        }
    }

    /// Keeps a report for editors, where it is of a command whose answers are kept. They are shown it the next time otherwise.
    pub fn keep(&self, report: &Report) {
        whydunit_reports::keep(&self.desk, report).ok();
    }

    /// Writes a report to where it goes; its exit status, or the failure that goes with it.
    pub fn print(&self, report: &Report) -> Result<Exit, Failure> {
        self.take_notes();
        // A file keeps no colours.
        let colour = self.colour && self.output.borrow().is_none();
        let mut rendered = self.render(self.format, report, colour);
        // Paths in an answer are relative to the project: people must see to which.
        if self.format == Format::Text && self.desk.elsewhere {
            rendered.insert_str(0, &format!("in the project {}\n", self.desk.project.display()));
        }
        for (format, output) in self.also.take() {
            output.write(self.render(format, report, false).as_bytes())?;
        }
        match self.output.take() {
            Some(output) => output.write(rendered.as_bytes())?,
            None => match std::io::stdout().write_all(rendered.as_bytes()) {
                // The reader has seen enough: `whydunit show … | head`.
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
                written => written.map_err(|error| Failure::new(Exit::Internal, error))?,
            },
        }
        let exit = Exit::of(report);
        match self.failure.take() {
            Some(failure) if exit != Exit::Internal => Err(failure),
            _ => Ok(exit),
        }
    }
}
