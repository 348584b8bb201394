//! The functions around calls, as their sources have them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use whydunit_changes::Tree;
use whydunit_desk::{Desk, convert};
use whydunit_model::Module;
use whydunit_repair::calls::FunctionCalls;
use whydunit_repair::{Compile, calls_of, functions, rust};

use super::super::places::{Places, compiles};
use super::super::surroundings::{Headers, parts, surroundings};
use super::style::Style;
use crate::Error;

/// A function's body begins at most so many lines behind its name.
const NAME: u32 = 8;

/// A function, and the source that it stands in.
#[derive(Clone)]
pub(super) struct Around {
    /// Relative to the project.
    pub file: String,
    /// The file's text.
    pub text: Rc<str>,
    pub style: Style,
    pub function: FunctionCalls,
}

/// Reads functions of the project's sources.
pub(super) struct Sources<'a> {
    desk: &'a Desk,
    tree: &'a Tree,
    models: &'a [Arc<Module>],
    compiles: HashMap<PathBuf, Rc<Compile>>,
    headers: Headers,
    known: HashMap<(String, u32), Option<Around>>,
}

impl<'a> Sources<'a> {
    pub fn new(desk: &'a Desk, tree: &'a Tree, models: &'a [Arc<Module>]) -> Result<Self, Error> {
        let (_, headers) = surroundings(&desk.store()?)?;
        Ok(Self { desk, tree, models, compiles: compiles(desk)?, headers, known: HashMap::new() })
    }

    /// The function that a line is of; `None` where its file is none of the project's, or is not read.
    pub fn function(&mut self, places: &mut Places, file: &str, line: u32) -> Option<Around> {
        let key = (convert::relative(&self.desk.project, file), line);
        if !self.known.contains_key(&key) {
            let found = self.read(places, file, &key.0, line);
            self.known.insert(key.clone(), found);
        }
        self.known[&key].clone()
    }

    fn read(&self, places: &mut Places, file: &str, relative: &str, line: u32) -> Option<Around> {
        let text = places.text(self.tree, relative)?;
        let around = |style, function| Around { file: relative.to_owned(), text: text.clone(), style, function };
        if relative.ends_with(".rs") {
            let source = rust::Source::parse(text.clone()).ok()?;
            let all = rust::calls(&source);
            // The innermost.
            let own = all.into_iter().filter(|function| function.lines.contains(&line));
            return own.min_by_key(|function| function.lines.len()).map(|function| around(Style::Rust, function));
        }
        let path = self.desk.project.join(relative);
        let names = self.names(file, line);
        let mut found = None;
        for name in &names {
            let (name, class) = parts(name);
            let compile = self.compiles.get(&path).cloned().or_else(|| {
                let source = self.headers.get(&(path.clone(), name.to_owned()))?;
                Some(Rc::new(Compile { header: Some(path.clone()), ..(**self.compiles.get(source)?).clone() }))
            })?;
            let style = if compile.compiler.to_string_lossy().contains("++") { Style::Cxx } else { Style::C };
            let trees = functions(&compile, &text, name, class).ok()?;
            let all = trees.iter().filter_map(|tree| calls_of(&text, tree));
            // The name may stand some lines before the body.
            let holds = |function: &FunctionCalls| {
                function.lines.contains(&line) || (line..line + NAME).contains(&function.lines.start)
            };
            let own = all.filter(holds);
            found = own.min_by_key(|function| function.lines.len()).map(|function| around(style, function));
            if found.is_some() {
                break;
            }
        }
        found
    }

    /// The names of the functions that have code of a line, as the debug information has them.
    fn names(&self, file: &str, line: u32) -> Vec<String> {
        let mut names = Vec::new();
        for module in self.models {
            let Some(number) = module.files.iter().position(|known| known == file) else { continue };
            for function in module.functions.iter().filter(|function| function.is_defined()) {
                let own = function.loc.is_some_and(|loc| loc.file as usize == number && loc.line == line);
                let has = || function.locs.iter().any(|loc| loc.file as usize == number && loc.line == line);
                if let Some(name) = function.source_name.as_ref().filter(|_| own || has())
                    && !names.contains(name)
                {
                    names.push(name.clone());
                }
            }
        }
        names
    }
}
