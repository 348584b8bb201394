//! Statements of the source, numbered: what is relaxed as a whole.

use std::collections::{HashMap, HashSet};

use whydunit_model::{Function, Module};

/// Number of a statement.
pub type StatementId = u32;
/// Belongs to no statement of the source (made by the compiler).
pub const NO_STATEMENT: StatementId = StatementId::MAX;

/// A statement: a line of a file, in a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Statement {
    /// Source file as the debug information names it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// The function's name in the source.
    pub function: String,
}

/// All statements met so far.
#[derive(Clone, Debug, Default)]
pub struct Statements {
    list: Vec<Statement>,
    numbers: HashMap<(String, u32), StatementId>,
    assertions: HashSet<StatementId>,
}

impl Statements {
    /// The statement of operation `pc`; [`NO_STATEMENT`] where debug information has none.
    pub fn of(&mut self, module: &Module, function: &Function, pc: usize) -> StatementId {
        let loc = function.loc(pc);
        let Some(file) = module.files.get(loc.file as usize).filter(|_| loc.line > 0) else { return NO_STATEMENT };
        if let Some(&known) = self.numbers.get(&(file.clone(), loc.line)) {
            return known;
        }
        let number = self.list.len() as StatementId;
        let name = function.places(pc).next().map_or_else(String::new, |(_, name)| name.to_owned());
        self.list.push(Statement { file: file.clone(), line: loc.line, function: name });
        self.numbers.insert((file.clone(), loc.line), number);
        number
    }

    /// A statement is an assertion: it says what should be, and is not what may be wrong.
    pub(crate) fn assertion(&mut self, statement: StatementId) {
        self.assertions.insert(statement);
    }

    /// Whether a statement is an assertion.
    pub fn is_assertion(&self, statement: StatementId) -> bool {
        self.assertions.contains(&statement)
    }

    /// A statement by its number.
    pub fn get(&self, id: StatementId) -> Option<&Statement> {
        self.list.get(id as usize)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (StatementId, &Statement)> {
        self.list.iter().enumerate().map(|(number, statement)| (number as StatementId, statement))
    }
}
