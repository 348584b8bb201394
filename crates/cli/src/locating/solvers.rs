//! Which solver answers, and whether its questions are kept.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use clap::ValueEnum;
use whydunit_solve::{Cadical, Dumped, Process, Solver, Z3};

use crate::failure::Failure;

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

impl SolverName {
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
    pub fn new(name: SolverName, dump: Option<PathBuf>) -> Result<Self, Failure> {
        if let Some(process) = name.process()
            && !process.is_there()
        {
            let text = format!("the solver {name:?} is asked as a program, which cannot be run").to_lowercase();
            return Err(Failure::usage(text).advice("install it where PATH leads to, or leave --solver out"));
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
