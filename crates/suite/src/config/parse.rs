//! The text of a `whydunit.toml` into a [`Config`].

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::paths::STORE;

use super::{BuildConfig, BuildHow, Config, HistoryConfig, MineConfig, TestsConfig, TestsKind, units};
use crate::error::Error;
use crate::framework::Framework;
use crate::nearest::unknown;

const SECTIONS: &[&str] = &["build", "tests", "mine", "history"];
const HISTORY: &[&str] = &["patterns", "least", "tests"];
const MINE: &[&str] = &["state", "leave_out", "abstraction", "constructor", "destructor", "methods", "error"];
const ABSTRACTIONS: &[&str] = &["sign", "value", "emptiness", "null"];
const BUILD: &[&str] = &["command", "sources", "flags", "executable", "optimised"];
const TESTS: &[&str] = &[
    "cases",
    "kind",
    "command",
    "folder",
    "programs",
    "timeout",
    "jobs",
    "memory",
    "output",
    "processes",
    "file_size",
    "reruns",
];
const KINDS: &[&str] = &[
    "cases", "script", "automake", "cargo", "nextest", "ctest", "meson", "gtest", "catch2", "doctest", "boost",
    "cpputest", "tap",
];

/// The test framework that a kind of tests names.
fn framework(kind: &str) -> Option<Framework> {
    Framework::ALL.into_iter().find(|framework| framework.kind() == kind)
}

struct Parser<'a> {
    file: &'a Path,
    text: &'a str,
}

type Value<'a> = Spanned<DeValue<'a>>;

pub(super) fn parse(file: &Path, text: &str) -> Result<Config, Error> {
    let parser = Parser { file, text };
    let root = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        parser.error(at, error.message().trim())
    })?;
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let mut config = Config { folder, file: Some(file.to_path_buf()), ..Config::default() };
    for (key, value) in root.get_ref() {
        let name = key.get_ref().as_ref();
        if !SECTIONS.contains(&name) {
            let mut message = unknown("section", name, SECTIONS);
            for (section, keys) in [("build", BUILD), ("tests", TESTS)] {
                if keys.contains(&name) {
                    message = format!("`{name}` belongs in the section [{section}]");
                }
            }
            return Err(parser.error(key.span().start, &message));
        }
        let DeValue::Table(table) = value.get_ref() else {
            return Err(parser.error(key.span().start, &format!("`{name}` must be a section: write [{name}]")));
        };
        match name {
            "build" => config.build = parser.build(table)?,
            "mine" => config.mine = parser.mine(table)?,
            "history" => config.history = parser.history(table)?,
            _ => config.tests = parser.tests(table)?,
        }
    }
    Ok(config)
}

impl Parser<'_> {
    fn error(&self, at: usize, message: &str) -> Error {
        let line = 1 + self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|byte| **byte == b'\n').count();
        Error::line(self.file, line, message)
    }

    fn check_keys(&self, section: &str, table: &DeTable<'_>, known: &[&str]) -> Result<(), Error> {
        for key in table.keys() {
            if !known.contains(&key.get_ref().as_ref()) {
                let what = format!("key in [{section}]");
                return Err(self.error(key.span().start, &unknown(&what, key.get_ref(), known)));
            }
        }
        Ok(())
    }

    /// `[history]`.
    fn history(&self, table: &DeTable<'_>) -> Result<HistoryConfig, Error> {
        self.check_keys("history", table, HISTORY)?;
        let list = |key: &str| get(table, key).map_or(Ok(Vec::new()), |value| self.texts(key, value));
        let least = match get(table, "least").map(|value| (value, value.get_ref())) {
            None => None,
            Some((_, DeValue::Integer(number))) => number.as_str().parse().ok(),
            Some((_, DeValue::Float(number))) => number.as_str().parse().ok(),
            Some((value, _)) => return Err(self.error(value.span().start, "`least` must be a number")),
        };
        Ok(HistoryConfig { patterns: list("patterns")?, least, tests: list("tests")? })
    }

    /// `[mine.X]`, a section for each class.
    fn mine(&self, table: &DeTable<'_>) -> Result<BTreeMap<String, MineConfig>, Error> {
        let mut classes = BTreeMap::new();
        for (key, value) in table {
            let name = key.get_ref().to_string();
            let DeValue::Table(class) = value.get_ref() else {
                return Err(self.error(key.span().start, &format!("`{name}` must be a section: write [mine.{name}]")));
            };
            let section = format!("mine.{name}");
            self.check_keys(&section, class, MINE)?;
            let list = |key: &str| match get(class, key) {
                None => Ok(None),
                Some(value) if matches!(value.get_ref(), DeValue::String(_)) => {
                    self.text(key, value).map(|text| Some(vec![text]))
                }
                Some(value) => self.texts(key, value).map(Some),
            };
            classes.insert(
                name,
                MineConfig {
                    state: list("state")?,
                    leave_out: list("leave_out")?.unwrap_or_default(),
                    abstraction: self.abstraction(class)?,
                    constructors: list("constructor")?.unwrap_or_default(),
                    destructors: list("destructor")?.unwrap_or_default(),
                    methods: list("methods")?.unwrap_or_default(),
                    error: get(class, "error").map(|value| self.text("error", value)).transpose()?,
                },
            );
        }
        Ok(classes)
    }

    fn abstraction(&self, class: &DeTable<'_>) -> Result<BTreeMap<String, String>, Error> {
        let Some(value) = get(class, "abstraction") else { return Ok(BTreeMap::new()) };
        let DeValue::Table(table) = value.get_ref() else {
            return Err(self.error(value.span().start, "`abstraction` must be a table: { size = \"value\" }"));
        };
        let mut found = BTreeMap::new();
        for (path, value) in table {
            let how = self.text(path.get_ref(), value)?;
            if !ABSTRACTIONS.contains(&how.as_str()) {
                return Err(self.error(value.span().start, &unknown("abstraction", &how, ABSTRACTIONS)));
            }
            found.insert(path.get_ref().to_string(), how);
        }
        Ok(found)
    }

    fn build(&self, table: &DeTable<'_>) -> Result<BuildConfig, Error> {
        self.check_keys("build", table, BUILD)?;
        let command = get(table, "command").map(|value| self.text("command", value)).transpose()?;
        let sources = get(table, "sources").map(|value| self.texts("sources", value)).transpose()?;
        let flags = get(table, "flags").map(|value| self.texts("flags", value)).transpose()?;
        let how = match (command, sources) {
            (Some(_), Some(_)) => {
                let at = get(table, "sources").map_or(0, |value| value.span().start);
                return Err(self.error(at, "`command` and `sources` are both given: keep one of them"));
            }
            (Some(command), None) => Some(BuildHow::Command(command)),
            (None, Some(sources)) => Some(BuildHow::Sources {
                sources: sources.into_iter().map(PathBuf::from).collect(),
                flags: flags.clone().unwrap_or_default(),
            }),
            (None, None) => None,
        };
        if let (Some(value), false) = (get(table, "flags"), matches!(how, Some(BuildHow::Sources { .. }))) {
            return Err(self.error(value.span().start, "`flags` go with `sources`; put them into `command` instead"));
        }
        let executable = get(table, "executable").map(|value| self.text("executable", value)).transpose()?;
        let optimised = get(table, "optimised").map(|value| self.flag("optimised", value)).transpose()?;
        Ok(BuildConfig { how, executable: executable.map(PathBuf::from), optimised, env: Vec::new() })
    }

    fn tests(&self, table: &DeTable<'_>) -> Result<TestsConfig, Error> {
        self.check_keys("tests", table, TESTS)?;
        Ok(TestsConfig {
            folder: match self.kind(table)? {
                Some(TestsKind::Automake(_)) => {
                    get(table, "folder").map(|value| self.text("folder", value)).transpose()?.map(PathBuf::from)
                }
                _ => None,
            },
            kind: self.kind(table)?,
            timeout: get(table, "timeout").map(|value| self.duration("timeout", value)).transpose()?,
            jobs: get(table, "jobs")
                .map(|value| {
                    let bad = || self.error(value.span().start, "`jobs` must be a number from 1");
                    NonZeroUsize::new(usize::try_from(self.integer("jobs", value)?).map_err(|_| bad())?).ok_or_else(bad)
                })
                .transpose()?,
            memory: get(table, "memory").map(|value| self.size("memory", value)).transpose()?,
            output: get(table, "output").map(|value| self.size("output", value)).transpose()?,
            processes: get(table, "processes")
                .map(|value| match usize::try_from(self.integer("processes", value)?) {
                    Ok(count) if count > 0 => Ok(count),
                    _ => Err(self.error(value.span().start, "`processes` must be a number from 1")),
                })
                .transpose()?,
            file_size: get(table, "file_size").map(|value| self.size("file_size", value)).transpose()?,
            reruns: get(table, "reruns")
                .map(|value| {
                    u32::try_from(self.integer("reruns", value)?)
                        .map_err(|_| self.error(value.span().start, "`reruns` must be a number from 0"))
                })
                .transpose()?,
        })
    }

    fn kind(&self, table: &DeTable<'_>) -> Result<Option<TestsKind>, Error> {
        let cases = get(table, "cases").map(|value| self.text("cases", value)).transpose()?;
        let kind = get(table, "kind").map(|value| self.text("kind", value)).transpose()?;
        let at = |key| get(table, key).map_or(0, |value| value.span().start);
        if let Some(kind) = kind.as_deref()
            && !KINDS.contains(&kind)
        {
            return Err(self.error(at("kind"), &unknown("kind", kind, KINDS)));
        }
        let commands = get(table, "command")
            .map(|value| match value.get_ref() {
                DeValue::Array(_) if matches!(kind.as_deref(), Some("script" | "tap")) => self.texts("command", value),
                _ => self.text("command", value).map(|command| vec![command]),
            })
            .transpose()?;
        self.check_goes_with(kind.as_deref(), table)?;
        let folder = get(table, "folder").map(|value| self.text("folder", value)).transpose()?;
        let folder = || folder.clone().map_or_else(|| Path::new(STORE).join("build"), PathBuf::from);
        let programs = get(table, "programs").map(|value| self.texts("programs", value)).transpose()?;
        let programs = || programs.iter().flatten().map(PathBuf::from).collect();
        match (kind.as_deref(), cases, commands) {
            (None | Some("cases"), Some(cases), None) => Ok(Some(TestsKind::Cases(cases.into()))),
            (None | Some("cases"), _, Some(_)) => Err(self.error(
                at("command"),
                "`command` needs kind = \"script\" (it exits 0 or not) or kind = \"automake\" (it runs `make check`)",
            )),
            (Some("cases"), None, None) => {
                Err(self.error(at("kind"), "kind = \"cases\" needs `cases`, the file or folder of cases"))
            }
            (None, None, None) => Ok(None),
            (Some(kind), Some(_), _) => {
                Err(self.error(at("cases"), &format!("`cases` does not go with kind = \"{kind}\": remove one of them")))
            }
            (Some("script"), None, Some(commands)) if !commands.is_empty() => Ok(Some(TestsKind::Script(commands))),
            (Some("tap"), None, Some(commands)) if !commands.is_empty() => Ok(Some(TestsKind::Tap(commands))),
            (Some(kind @ ("script" | "tap")), None, _) => {
                let message = format!("kind = \"{kind}\" needs `command`, a shell command or a list of them");
                Err(self.error(at("kind"), &message))
            }
            (Some("ctest"), None, _) => Ok(Some(TestsKind::Ctest(folder()))),
            (Some("meson"), None, _) => Ok(Some(TestsKind::Meson(folder()))),
            (Some(kind), None, _) if framework(kind).is_some() => {
                Ok(framework(kind).map(|framework| TestsKind::Programs(framework, programs())))
            }
            (Some(kind @ ("cargo" | "nextest")), None, commands) => {
                let usual = if kind == "cargo" { "cargo test" } else { "cargo nextest run" };
                let command = commands.and_then(|list| list.into_iter().next());
                Ok(Some(TestsKind::Cargo(command.unwrap_or_else(|| usual.into()))))
            }
            (Some(_), None, commands) => {
                let command = commands.and_then(|list| list.into_iter().next());
                Ok(Some(TestsKind::Automake(command.unwrap_or_else(|| "make check".into()))))
            }
        }
    }

    /// Keys that mean something to some kinds only.
    fn check_goes_with(&self, kind: Option<&str>, table: &DeTable<'_>) -> Result<(), Error> {
        const OWN: &[(&str, &[&str])] = &[
            ("folder", &["ctest", "meson", "automake"]),
            ("programs", &["gtest", "catch2", "doctest", "boost", "cpputest"]),
            ("command", &["script", "automake", "cargo", "nextest", "tap"]),
        ];
        for (key, kinds) in OWN {
            let fits = kind.is_some_and(|kind| kinds.contains(&kind));
            // What is said of `command` without a kind says more.
            if let Some(value) =
                get(table, key).filter(|_| !fits && (*key != "command" || kind.is_some_and(|k| k != "cases")))
            {
                let message =
                    format!("`{key}` goes with kind = \"{}\": remove it, or set that kind", kinds.join("\" or \""));
                return Err(self.error(value.span().start, &message));
            }
        }
        Ok(())
    }

    fn wrong(&self, key: &str, value: &Value<'_>, wanted: &str) -> Error {
        let got = match value.get_ref() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(value.span().start, &format!("`{key}` must be {wanted}, not {got}"))
    }

    fn text(&self, key: &str, value: &Value<'_>) -> Result<String, Error> {
        match value.get_ref() {
            DeValue::String(text) if text.trim().is_empty() => {
                Err(self.error(value.span().start, &format!("`{key}` is empty: give it a value or remove it")))
            }
            DeValue::String(text) => Ok(text.to_string()),
            _ => Err(self.wrong(key, value, "a text in quotes")),
        }
    }

    fn flag(&self, key: &str, value: &Value<'_>) -> Result<bool, Error> {
        match value.get_ref() {
            DeValue::Boolean(flag) => Ok(*flag),
            _ => Err(self.wrong(key, value, "true or false")),
        }
    }

    fn texts(&self, key: &str, value: &Value<'_>) -> Result<Vec<String>, Error> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| self.text(key, item)).collect(),
            _ => Err(self.wrong(key, value, "a list of texts: [\"…\", \"…\"]")),
        }
    }

    fn integer(&self, key: &str, value: &Value<'_>) -> Result<i64, Error> {
        match value.get_ref() {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map_err(|_| self.error(value.span().start, &format!("`{key}` is too large"))),
            _ => Err(self.wrong(key, value, "a whole number")),
        }
    }

    fn duration(&self, key: &str, value: &Value<'_>) -> Result<Duration, Error> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.as_str().to_string(),
            _ => return Err(self.wrong(key, value, "a time such as \"10s\"")),
        };
        units::duration(&text).ok_or_else(|| {
            let message = format!("`{key}` = \"{text}\" is no time: write \"10s\", \"500ms\", \"2m\" or \"1h\"");
            self.error(value.span().start, &message)
        })
    }

    fn size(&self, key: &str, value: &Value<'_>) -> Result<u64, Error> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.as_str().to_string(),
            _ => return Err(self.wrong(key, value, "a size such as \"512MiB\"")),
        };
        units::size(&text).ok_or_else(|| {
            let message = format!("`{key}` = \"{text}\" is no size: write \"512MiB\", \"4GiB\" or a number of bytes");
            self.error(value.span().start, &message)
        })
    }
}

fn get<'a, 't>(table: &'a DeTable<'t>, key: &str) -> Option<&'a Value<'t>> {
    table.iter().find(|(name, _)| name.get_ref().as_ref() == key).map(|(_, value)| value)
}
