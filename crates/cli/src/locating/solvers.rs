//! Which solver answers, and whether its questions are kept.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use clap::ValueEnum;
use whydunit_solve::{Cadical, Dumped, Process, Solver, Z3};

/// A solver by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum SolverName {
    /// Bits, given to a SAT solver; part of this program
    #[default]
    Cadical,
    /// Z3's library, which knows floats
    Z3,
    /// The program `cvc5`
    Cvc5,
    /// The program `bitwuzla`
    Bitwuzla,
}

/// Makes solvers.
#[derive(Clone, Default, Debug)]
pub struct Solvers {
    /// Which.
    pub name: SolverName,
    /// Where each question is written to, as SMT-LIB.
    pub dump: Option<PathBuf>,
    /// Questions written so far.
    written: Arc<AtomicU64>,
}

impl Solvers {
    /// Of a name, with a folder for questions.
    pub fn new(name: SolverName, dump: Option<PathBuf>) -> Self {
        Self { name, dump, written: Arc::default() }
    }

    /// A new one.
    pub fn make(&self) -> Box<dyn Solver> {
        let solver: Box<dyn Solver> = match self.name {
            SolverName::Cadical => Box::new(Cadical::new()),
            SolverName::Z3 => Box::new(Z3::new()),
            SolverName::Cvc5 => Box::new(Process::cvc5()),
            SolverName::Bitwuzla => Box::new(Process::bitwuzla()),
        };
        match &self.dump {
            Some(folder) => Box::new(Dumped::new(solver, folder).numbered(self.written.clone())),
            None => solver,
        }
    }
}
