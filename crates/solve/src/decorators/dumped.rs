//! Queries as files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use whydunit_terms::{Pool, Term, smtlib};

use crate::solver::require_truth;
use crate::{Answer, Capabilities, Limits, SolveError, Solver};

/// Writes each check as an SMT-LIB script into a folder, numbered, its answer as a comment at the end.
pub struct Dumped {
    inner: Box<dyn Solver>,
    folder: PathBuf,
    written: Arc<AtomicU64>,
    assertions: Vec<Term>,
}

impl Dumped {
    /// Around a solver, into a folder, which is made when it is not there.
    pub fn new(inner: Box<dyn Solver>, folder: impl Into<PathBuf>) -> Self {
        Self { inner, folder: folder.into(), written: Arc::default(), assertions: Vec::new() }
    }

    /// Counts on from what others have written there.
    pub fn numbered(mut self, written: Arc<AtomicU64>) -> Self {
        self.written = written;
        self
    }

    fn dump(&self, pool: &mut Pool, assumptions: &[Term], path: &Path) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let mut out = BufWriter::new(File::create(path)?);
        smtlib::write(pool, &self.assertions, assumptions, &mut out)?;
        out.flush()
    }
}

/// A file that cannot be written.
fn failed(path: &Path, error: &io::Error) -> SolveError {
    SolveError::Failed { solver: "dump".into(), message: format!("cannot write {}: {error}", path.display()) }
}

impl Solver for Dumped {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError> {
        self.inner.assert(pool, term)?;
        self.assertions.push(term);
        Ok(())
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError> {
        for assumption in assumptions {
            require_truth(pool, *assumption)?;
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed) + 1;
        let path = self.folder.join(format!("{number:06}.smt2"));
        self.dump(pool, assumptions, &path).map_err(|error| failed(&path, &error))?;
        let answer = self.inner.check(pool, assumptions, limits);
        let comment = match &answer {
            Ok(Answer::Sat(_)) => "; sat".to_owned(),
            Ok(Answer::Unsat { core }) => format!("; unsat, core {core:?}"),
            Ok(Answer::Unknown(reason)) => format!("; unknown: {reason}"),
            Err(error) => format!("; {error}").replace('\n', " "),
        };
        let file = File::options().append(true).open(&path);
        file.and_then(|mut file| writeln!(file, "{comment}")).map_err(|error| failed(&path, &error))?;
        answer
    }

    fn reset(&mut self) {
        self.inner.reset();
        self.assertions.clear();
    }
}
