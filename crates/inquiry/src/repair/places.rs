//! The expressions of suspicious statements.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use whydunit_capture::face::recipe::Unit;
use whydunit_changes::Tree;
use whydunit_findings::{Finding, Location, Replacement};
use whydunit_repair::{Compile, Encoding, Expression, Role, Site, Surroundings, functions, sites, statements};
use whydunit_variants::Workshop;

use super::crates::Crates;
use super::surroundings::{parts, surroundings, texts, units};
use crate::Error;
use whydunit_desk::Desk;
use whydunit_desk::prepare;

/// Expressions that are looked at.
const MOST_SITES: usize = 100;

/// Statements before which something may be left early.
const MOST_LEFT: usize = 40;

/// Places where a statement may be missing.
const MOST_ADDED: usize = 40;

/// Places that come behind all others.
#[derive(Default)]
struct Last {
    /// Where a statement may be missing.
    added: Vec<Place>,
    /// Where something may have to be left early.
    left: Vec<Place>,
}

/// An expression, and where it stands.
pub struct Place {
    /// Relative to the project.
    pub file: String,
    pub function: String,
    /// The file's text.
    pub source: Rc<str>,
    pub site: Site,
    /// How its file is compiled; none of Rust, whose files are compiled together.
    pub compile: Option<Rc<Compile>>,
}

impl Place {
    /// Its file and line.
    pub fn name(&self) -> String {
        format!("{}:{}", self.file, self.site.line)
    }

    /// An expression in the place of what stands there.
    pub fn replaced(&self, expression: &Expression) -> Replacement {
        let (bytes, after) = self.site.edit(&self.source, expression);
        Replacement {
            location: Location {
                file: self.file.clone(),
                line: self.site.line,
                column: column(&self.source, self.site.range.start),
                ..Location::default()
            },
            function: self.function.clone(),
            before: self.source[bytes.clone()].into(),
            after,
            bytes,
        }
    }

    /// Whether it is in another one, or has one in it.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (own, others) = (&self.site.range, &other.site.range);
        self.file == other.file && own.start < others.end && others.start < own.end
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
    /// Findings that were read.
    pub read: usize,
    /// How files are written that are no UTF-8.
    encodings: HashMap<String, Encoding>,
}

impl Places {
    pub fn of(
        desk: &Desk,
        tree: &Tree,
        findings: &[Finding],
        lines: usize,
        shop: &mut Workshop<'_>,
    ) -> Result<Self, Error> {
        let compiles = compiles(desk)?;
        let (mut around, headers) = surroundings(&desk.store()?)?;
        around.texts = texts(tree);
        let crates = Crates::read(&desk.store()?, tree, findings, lines, shop)?;
        let mut places = Self { problems: crates.problems.clone(), ..Self::default() };
        let mut last = Last::default();
        let mut unread: Vec<String> = Vec::new();
        let mut known: HashMap<(String, String), Vec<Site>> = HashMap::new();
        let mut texts: HashMap<String, Option<Rc<str>>> = HashMap::new();
        for finding in findings {
            let file = &finding.location.file;
            if places.lines.len() >= lines || places.list.len() >= MOST_SITES {
                break;
            }
            places.read += 1;
            if places.lines.iter().any(|line| line.file == *file && line.line == finding.location.line) {
                continue;
            }
            if let Some(read) = crates.files.get(file) {
                places.lines.push(finding.location.clone());
                if places.bodies.iter().all(|body| body.file != *file) {
                    let statements = read.statements.clone();
                    places.bodies.push(Body { file: file.clone(), source: read.text.clone(), statements });
                }
                places.add(&mut last, finding, &read.text, &read.sites, None);
                continue;
            }
            let path = desk.project.join(file);
            let (name, class) = parts(&finding.function);
            let compile = compiles.get(&path).cloned().or_else(|| {
                let source = headers.get(&(path.clone(), name.to_string()))?;
                Some(Rc::new(Compile { header: Some(path), ..(**compiles.get(source)?).clone() }))
            });
            let Some(compile) = compile else {
                if !unread.contains(file) {
                    unread.push(file.clone());
                }
                continue;
            };
            let text = texts.entry(file.clone()).or_insert_with(|| places.text(tree, file));
            let Some(source) = text.clone() else { continue };
            places.lines.push(finding.location.clone());
            let key = (file.clone(), finding.function.clone());
            if !known.contains_key(&key) {
                let found = places.sites(&compile, file, &source, (name, class), &around);
                known.insert(key.clone(), found);
            }
            if let Some(sites) = known.get(&key) {
                places.add(&mut last, finding, &source, sites, Some(&compile));
            }
        }
        let Last { mut added, mut left } = last;
        added.truncate(MOST_ADDED);
        left.truncate(MOST_LEFT);
        places.list.extend(added.into_iter().chain(left));
        if let Some(files) = prepare::some_of(&unread).filter(|_| places.list.is_empty()) {
            let text = "only sources of C, C++ and Rust that are compiled are repaired, and no tests";
            places.problems.push(format!("{text}: {files} is none"));
        }
        Ok(places)
    }

    /// The text of a file; `None`, which is told, where it has no encoding that is known.
    pub fn text(&mut self, tree: &Tree, file: &str) -> Option<Rc<str>> {
        let read = tree.files.get(file).and_then(|file| Encoding::read(&file.bytes));
        let Some((text, encoding)) = read else {
            self.problems.push(format!(
                "{file} has too many characters that are no UTF-8, or is no file of the project: it is left out"
            ));
            return None;
        };
        self.encodings.insert(file.to_owned(), encoding);
        Some(text.into())
    }

    /// The expressions of a function, which becomes one of the bodies; none, which is told, where the compiler does not read it.
    fn sites(
        &mut self,
        compile: &Compile,
        file: &str,
        source: &Rc<str>,
        (name, class): (&str, Option<&str>),
        around: &Surroundings,
    ) -> Vec<Site> {
        match functions(compile, source, name, class) {
            Ok(trees) => {
                let statements = trees.iter().flat_map(|tree| statements(source, tree)).collect();
                self.bodies.push(Body { file: file.to_owned(), source: source.clone(), statements });
                trees.iter().flat_map(|tree| sites(source, tree, around)).collect()
            }
            Err(error) => {
                self.problems.push(error.to_string());
                Vec::new()
            }
        }
    }

    /// Files that others have read are written as these have found them.
    pub fn encoded_as(&mut self, others: &Self) {
        self.encodings.extend(others.encodings.iter().map(|(file, encoding)| (file.clone(), encoding.clone())));
        self.problems.extend(others.problems.iter().cloned());
    }

    /// A text as the bytes of a file, in the file's encoding.
    pub fn written(&self, file: &str, text: &str) -> Vec<u8> {
        self.encodings.get(file).map_or_else(|| text.as_bytes().to_vec(), |encoding| encoding.write(text))
    }

    /// Adds the sites of a suspicious line; those that come last to lists of their own.
    fn add(
        &mut self,
        last: &mut Last,
        finding: &Finding,
        source: &Rc<str>,
        sites: &[Site],
        compile: Option<&Rc<Compile>>,
    ) {
        let file = &finding.location.file;
        for site in sites.iter().filter(|site| site.lines.contains(&finding.location.line)) {
            let list = match site.role {
                Role::Left => &mut last.left,
                Role::Added if !site.fills_a_block(source) => &mut last.added,
                _ => &mut self.list,
            };
            let is_new = |place: &Place| {
                let known = &place.site;
                let is_same = (&place.file, &known.range, &known.leave) == (file, &site.range, &site.leave);
                !is_same || known.role.is_done() != site.role.is_done()
            };
            if list.iter().all(is_new) {
                list.push(Place {
                    file: file.clone(),
                    function: finding.function.clone(),
                    source: source.clone(),
                    site: site.clone(),
                    compile: compile.cloned(),
                });
            }
        }
    }
}

/// How sources are compiled, by their paths.
pub fn compiles(desk: &Desk) -> Result<HashMap<PathBuf, Rc<Compile>>, Error> {
    let mut out = HashMap::new();
    for (_, unit) in units(&desk.store()?)? {
        let Unit { source, folder, arguments, cxx, rust: false, preprocessed: false, .. } = unit else { continue };
        let compiler = Path::new(if cxx { "clang++-22" } else { "clang-22" }).to_path_buf();
        out.insert(source.clone(), Compile { compiler, source, folder, arguments, header: None }.into());
    }
    Ok(out)
}
