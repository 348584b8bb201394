//! The expressions of suspicious statements.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use whydunit_capture::Store;
use whydunit_capture::face::recipe::Unit;
use whydunit_changes::Tree;
use whydunit_findings::{Exit, Finding, Location};
use whydunit_repair::{Compile, Role, Site, functions, sites, statements};

use super::surroundings::surroundings;
use crate::failure::{Failure, OrFail};
use crate::session::Session;
use crate::working;

/// Expressions that are looked at.
const MOST_SITES: usize = 100;

/// Statements before which something may be left early.
const MOST_LEFT: usize = 40;

/// An expression, and where it stands.
pub struct Place {
    /// Relative to the project.
    pub file: String,
    pub function: String,
    /// The file's text.
    pub source: Rc<str>,
    pub site: Site,
    /// How its file is compiled.
    pub compile: Rc<Compile>,
}

impl Place {
    /// Its file and line.
    pub fn name(&self) -> String {
        format!("{}:{}", self.file, self.site.line)
    }

    /// The column of its first character, from 1.
    pub fn column(&self) -> u32 {
        column(&self.source, self.site.range.start)
    }
}

/// The column of a byte, from 1.
pub fn column(source: &str, at: usize) -> u32 {
    let before = &source[..at];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    before[line..].chars().count() as u32 + 1
}

/// A function with suspicious statements.
pub struct Body {
    /// Relative to the project.
    pub file: String,
    /// The file's text.
    pub source: Rc<str>,
    /// The bytes of its statements.
    pub statements: Vec<Range<usize>>,
}

/// The expressions of suspicious statements, the most suspicious first.
#[derive(Default)]
pub struct Places {
    pub list: Vec<Place>,
    /// The functions that they are in.
    pub bodies: Vec<Body>,
    /// The lines that were looked at.
    pub lines: Vec<Location>,
    pub problems: Vec<String>,
}

impl Places {
    pub fn of(session: &Session, tree: &Tree, findings: &[Finding], lines: usize) -> Result<Self, Failure> {
        let compiles = compiles(session)?;
        let around = surroundings(&session.store()?)?;
        let (mut places, mut left) = (Self::default(), Vec::new());
        let mut unread: Vec<String> = Vec::new();
        let mut known: HashMap<(String, String), Vec<Site>> = HashMap::new();
        let mut texts: HashMap<String, Option<Rc<str>>> = HashMap::new();
        for finding in findings {
            let file = &finding.location.file;
            if places.lines.len() >= lines || places.list.len() >= MOST_SITES {
                break;
            }
            if places.lines.iter().any(|line| line.file == *file && line.line == finding.location.line) {
                continue;
            }
            let Some(compile) = compiles.get(&session.project.join(file)) else {
                if !unread.contains(file) {
                    unread.push(file.clone());
                }
                continue;
            };
            let text = texts.entry(file.clone()).or_insert_with(|| {
                let bytes = &tree.files.get(file)?.bytes;
                std::str::from_utf8(bytes).ok().map(Into::into)
            });
            let Some(source) = text.clone() else {
                let text = format!("{file} is no UTF-8, or not a file of the project: it is left out");
                if !places.problems.contains(&text) {
                    places.problems.push(text);
                }
                continue;
            };
            places.lines.push(finding.location.clone());
            // `ns::S::f` is `f` in the tree.
            let name = finding.function.rsplit("::").next().unwrap_or_default().to_string();
            let key = (file.clone(), name.clone());
            if !known.contains_key(&key) {
                let found = match functions(compile, &name) {
                    Ok(trees) => {
                        let statements = trees.iter().flat_map(|tree| statements(&source, tree)).collect();
                        places.bodies.push(Body { file: file.clone(), source: source.clone(), statements });
                        trees.iter().flat_map(|tree| sites(&source, tree, &around)).collect()
                    }
                    Err(error) => {
                        places.problems.push(error.to_string());
                        Vec::new()
                    }
                };
                known.insert(key.clone(), found);
            }
            for site in known.get(&key).into_iter().flatten() {
                let list = if site.role == Role::Left { &mut left } else { &mut places.list };
                let is_new = |place: &Place| {
                    let known = &place.site;
                    (&place.file, &known.range, &known.leave) != (file, &site.range, &site.leave)
                };
                if site.lines.contains(&finding.location.line) && list.iter().all(is_new) {
                    list.push(Place {
                        file: file.clone(),
                        function: finding.function.clone(),
                        source: source.clone(),
                        site: site.clone(),
                        compile: compile.clone(),
                    });
                }
            }
        }
        // What is left early comes last.
        left.truncate(MOST_LEFT);
        places.list.extend(left);
        if let Some(files) = working::some_of(&unread).filter(|_| places.list.is_empty()) {
            places.problems.push(format!("only C and C++ sources are repaired, and no headers: {files} is none"));
        }
        Ok(places)
    }
}

/// How sources are compiled, by their paths.
fn compiles(session: &Session) -> Result<HashMap<PathBuf, Rc<Compile>>, Failure> {
    let mut out = HashMap::new();
    for (_, unit) in units(&session.store()?)? {
        let Unit { source, folder, arguments, cxx, rust: false, preprocessed: false, .. } = unit else { continue };
        let compiler = Path::new(if cxx { "clang++-22" } else { "clang-22" }).to_path_buf();
        out.insert(source.clone(), Compile { compiler, source, folder, arguments }.into());
    }
    Ok(out)
}

/// The units that a store has, with their ids.
pub fn units(store: &Store) -> Result<impl Iterator<Item = (String, Unit)>, Failure> {
    let entries = std::fs::read_dir(store.units()).or_fail(Exit::Build)?.flatten();
    Ok(entries.filter_map(|entry| {
        let id = entry.path().file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
        let unit = whydunit_capture::unit(store, &id).ok()?;
        Some((id, unit))
    }))
}
