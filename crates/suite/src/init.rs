//! The text of a first `whydunit.toml`.

use std::path::Path;

use crate::config::{BuildHow, Config, TestsKind, show_duration, show_size};
use crate::discover::{Discovered, discover};
use crate::error::Error;

/// A first configuration.
#[derive(Clone, PartialEq, Debug)]
pub struct Init {
    /// The text of the file.
    pub text: String,
    /// What was decided and from what, a line each.
    pub decisions: Vec<String>,
    /// What is left to the user, a line each.
    pub open: Vec<String>,
}

/// Finds out what it can about the project in `folder`, and writes it as the text of a `whydunit.toml`.
pub fn init(folder: &Path) -> Result<Init, Error> {
    let Discovered { config, decisions, open } = discover(folder)?;
    Ok(Init { text: text(&config), decisions, open })
}

/// Collects lines: settings that hold, and suggestions behind a `#`.
struct Lines(String);

impl Lines {
    fn head(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    fn set(&mut self, key: &str, value: &str, comment: &str) {
        self.line(format!("{key} = {value}"), comment);
    }

    fn suggest(&mut self, key: &str, value: &str, comment: &str) {
        self.line(format!("# {key} = {value}"), comment);
    }

    fn line(&mut self, setting: String, comment: &str) {
        self.0.push_str(&format!("{setting:<40} # {comment}\n"));
    }
}

fn text(config: &Config) -> String {
    let mut lines = Lines(String::new());
    lines.head("# How whydunit builds and tests this project. Paths are relative to this file.\n");
    lines.head("[build]");
    build(config, &mut lines);
    if config.tests.kind.is_some() {
        lines.head("\n[tests]");
    } else {
        lines.head("\n# Found out each time, as long as this file says nothing of them.");
        lines.head("# [tests]");
    }
    tests(config, &mut lines);
    lines.0
}

fn build(config: &Config, lines: &mut Lines) {
    match &config.build.how {
        Some(BuildHow::Command(command)) => lines.set("command", &quoted(command), "run in this folder"),
        Some(BuildHow::Sources { sources, flags }) => {
            let sources: Vec<String> = sources.iter().map(|path| path.display().to_string()).collect();
            lines.set("sources", &list(&sources), "compiled together; or: command = \"make\"");
            if !flags.is_empty() {
                lines.set("flags", &list(flags), "for compiler and linker");
            }
        }
        None => lines.suggest("command", "\"make\"", "or: sources = [\"main.c\"], flags = [\"-lm\"]"),
    }
    match (&config.build.executable, &config.build.how) {
        (Some(path), _) => lines.set("executable", &quoted(&path.display().to_string()), "what the tests run"),
        (None, Some(BuildHow::Sources { .. })) => {}
        (None, _) => lines.suggest("executable", "\"./program\"", "what the tests run"),
    }
}

fn tests(config: &Config, lines: &mut Lines) {
    match &config.tests.kind {
        Some(TestsKind::Cases(path)) => {
            lines.set("cases", &quoted(&path.display().to_string()), "a table of cases, or a folder of them");
        }
        Some(TestsKind::Script(commands)) => {
            lines.set("kind", "\"script\"", "a command that exits 0 or not");
            match &commands[..] {
                [command] => lines.set("command", &quoted(command), "run in this folder"),
                several => lines.set("command", &list(several), "run in this folder, one test each"),
            }
        }
        Some(TestsKind::Automake(command)) => {
            lines.set("kind", "\"automake\"", "results are read from the .trs files it leaves");
            lines.set("command", &quoted(command), "run in this folder");
            if let Some(folder) = &config.tests.folder {
                lines.set("folder", &quoted(&folder.display().to_string()), "or in this one");
            }
        }
        Some(TestsKind::Cargo(command)) => {
            lines.set("kind", "\"cargo\"", "each test of each program and of the documentation");
            lines.set("command", &quoted(command), "or \"cargo nextest run\"; options choose packages and features");
        }
        Some(kind @ (TestsKind::Ctest(folder) | TestsKind::Meson(folder))) => {
            let name = if matches!(kind, TestsKind::Ctest(_)) { "\"ctest\"" } else { "\"meson\"" };
            lines.set("kind", name, "the tests of the build folder");
            lines.set("folder", &quoted(&folder.display().to_string()), "the build folder");
        }
        Some(TestsKind::Programs(framework, programs)) => {
            lines.set("kind", &quoted(framework.kind()), "each test of the programs");
            let programs: Vec<String> = programs.iter().map(|path| path.display().to_string()).collect();
            if !programs.is_empty() {
                lines.set("programs", &list(&programs), "what has the tests");
            }
        }
        Some(TestsKind::Tap(commands)) => {
            lines.set("kind", "\"tap\"", "commands that print TAP");
            lines.set("command", &list(commands), "run in this folder");
        }
        None => lines.suggest("cases", "\"cases.jsonl\"", "or: kind = \"script\", command = \"./test.sh\""),
    }
    let limits = config.limits();
    if let Some(time) = limits.time {
        let automake = matches!(config.tests.kind, Some(TestsKind::Automake(_)));
        let what = if automake { "for the whole command" } else { "for one test" };
        lines.suggest("timeout", &quoted(&show_duration(time)), what);
    }
    lines.suggest("memory", &quoted(&show_size(limits.memory.unwrap_or(4 << 30))), "for all processes of a test");
    lines.suggest("output", &quoted(&show_size(limits.output)), "of a test");
    if let Some(processes) = limits.processes {
        lines.suggest("processes", &processes.to_string(), "of a test at a time");
    }
    lines.suggest("jobs", "1", "tests side by side; all cores for cases");
    lines.suggest("reruns", "2", "failing tests are run again to see whether they are flaky");
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_string()).to_string()
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}
