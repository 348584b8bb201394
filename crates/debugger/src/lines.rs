//! Which line of the source an operation belongs to, as someone who steps sees it.

use std::collections::HashMap;
use std::rc::Rc;

use whydunit_model::paths;
use whydunit_replay::{Code, FuncId};

/// The line of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Index in the files of the function's module.
    pub file: u32,
    /// From 1; 0: no line of a source.
    pub line: u32,
    /// It is of a library.
    pub library: bool,
}

impl Line {
    /// Whether someone who steps through the program stops there.
    pub fn is_own(self) -> bool {
        self.line != 0 && !self.library
    }
}

/// The lines of functions, made when they are asked for.
#[derive(Clone, Default)]
pub struct Lines {
    functions: HashMap<FuncId, Rc<[Line]>>,
}

impl Lines {
    /// The lines of a function's operations.
    ///
    /// Of what stands in the place of calls it is the innermost line that is in no library: code of a library's headers belongs
    /// to the line that uses it.
    pub fn of(&mut self, code: &Code, function: FuncId) -> Rc<[Line]> {
        self.functions.entry(function).or_insert_with(|| lines(code, function)).clone()
    }
}

fn lines(code: &Code, function: FuncId) -> Rc<[Line]> {
    let (model, module) = (code.model(function), code.module_of(function));
    let libraries: Vec<bool> = module.files.iter().map(|file| paths::is_library(file)).collect();
    let line = |pc: usize| {
        let mut places = model.places(pc).map(|(loc, _)| Line {
            file: loc.file,
            line: loc.line,
            library: libraries.get(loc.file as usize).copied().unwrap_or(true),
        });
        let innermost = places.next().unwrap_or_default();
        if innermost.is_own() { innermost } else { places.find(|line| line.is_own()).unwrap_or(innermost) }
    };
    (0..model.code.len()).map(line).collect()
}
