//! What is known of a program without a run.

use std::rc::Rc;

use whydunit_replay::{At, FuncId};

use crate::effects::Analysis;
use crate::facts::Facts;
use crate::statement::Statements;

/// Static knowledge about the program, shared by all encodings of it.
#[derive(Default)]
pub struct Knowledge {
    /// Statements.
    pub statements: Statements,
    /// By function.
    pub facts: Vec<Option<Rc<Facts>>>,
    /// What code may write.
    pub analysis: Analysis,
}

impl Knowledge {
    /// Facts of a function.
    pub fn facts(&mut self, at: &At<'_>, function: FuncId) -> Rc<Facts> {
        let index = function.0 as usize;
        if index >= self.facts.len() {
            self.facts.resize(index + 1, None);
        }
        let statements = &mut self.statements;
        self.facts[index]
            .get_or_insert_with(|| Rc::new(Facts::of(at.code.module_of(function), at.code.model(function), statements)))
            .clone()
    }
}
