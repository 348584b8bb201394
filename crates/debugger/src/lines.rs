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

impl Line {
    /// A number that no other line of the same module has; 0 for no line. The lowest bit says whether it is the program's own.
    pub fn code(self) -> u64 {
        if self.line == 0 {
            return 0;
        }
        u64::from(self.file) << 33 | u64::from(self.line) << 1 | u64::from(!self.library)
    }

    /// The line of a number.
    pub fn of_code(code: u64) -> Self {
        if code == 0 {
            return Self::default();
        }
        Self { file: (code >> 33) as u32, line: (code >> 1) as u32, library: code & 1 == 0 }
    }
}

/// The numbers of the lines of a function's operations.
pub fn codes(code: &Code, function: FuncId) -> Vec<u64> {
    lines(code, function).iter().map(|line| line.code()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_by_their_numbers() {
        for line in [
            Line { file: 7, line: 3, library: false },
            Line { file: 0, line: u32::MAX, library: true },
            Line { file: u32::MAX >> 1, line: 1, library: false },
            Line::default(),
        ] {
            assert_eq!(Line::of_code(line.code()), line);
            assert_eq!(line.code() & 1 == 1, line.is_own());
        }
    }
}
