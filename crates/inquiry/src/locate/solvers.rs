//! Which solver answers, and whether its questions are kept.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use whydunit_solve::{Cadical, Dumped, Process, Solver, Z3};

use super::error::LocateError;
use crate::Error;

/// A solver by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

impl SolverName {
    /// All of them, the default first.
    pub const ALL: [SolverName; 4] = [SolverName::Cadical, SolverName::Z3, SolverName::Cvc5, SolverName::Bitwuzla];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            SolverName::Cadical => "cadical",
            SolverName::Z3 => "z3",
            SolverName::Cvc5 => "cvc5",
            SolverName::Bitwuzla => "bitwuzla",
        }
    }

    /// The program, where it is one.
    fn process(self) -> Option<Process> {
        match self {
            SolverName::Cadical | SolverName::Z3 => None,
            SolverName::Cvc5 => Some(Process::cvc5()),
            SolverName::Bitwuzla => Some(Process::bitwuzla()),
        }
    }
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
    /// Of a name, with a folder for questions. The program must be there.
    pub fn new(name: SolverName, dump: Option<PathBuf>) -> Result<Self, Error> {
        if let Some(process) = name.process()
            && !process.is_there()
        {
            return Err(LocateError::NoSolver { solver: name.name() }.into());
        }
        Ok(Self { name, dump, written: Arc::default() })
    }

    /// A new one.
    pub fn make(&self) -> Box<dyn Solver> {
        let solver: Box<dyn Solver> = match self.name {
            SolverName::Z3 => Box::new(Z3::new()),
            name => name.process().map_or_else(|| Box::new(Cadical::new()) as _, |process| Box::new(process) as _),
        };
        match &self.dump {
            Some(folder) => Box::new(Dumped::new(solver, folder).numbered(self.written.clone())),
            None => solver,
        }
    }
}
