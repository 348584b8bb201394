//! Judges patches by cases that were held out: what the right program does with inputs that the suite does not have.

use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_changes::{File, Mode, Tree};
use whydunit_findings::{Exit, Patch};
use whydunit_process::interrupts;
use whydunit_suite::{Case, Config, HELD_OUT, RunOptions, TestsKind};
use whydunit_variants::{Subject, Workshop};

use crate::explaining::as_it_is;
use crate::failure::{Failure, OrFail};
use crate::locating::Baseline;
use crate::repairing::{applied, limits};
use crate::session::Session;
use crate::working;

/// A case may take so much time at least.
const LEAST: Duration = Duration::from_secs(2);

/// Builds versions of a project whose suite is what was held out.
pub struct Judge<'a> {
    /// The project as it is, with these cases.
    tree: Tree,
    shop: Workshop<'a>,
    longest: Duration,
    /// How many cases there are.
    pub cases: u64,
}

impl Judge<'_> {
    /// The judge of a project; none where nothing is held out for it.
    pub fn of(session: &Session, baseline: &Baseline) -> Result<Option<Self>, Failure> {
        let (project, table) = (&session.project, session.project.join(HELD_OUT));
        if !table.is_file() {
            return Ok(None);
        }
        let cases = Case::read_all(&table).or_fail(Exit::Usage)?.len() as u64;
        let Some(own) = cases_of(project, &baseline.project.config) else {
            let failure =
                Failure::usage("the project's tests are no cases of its own: others cannot stand in their place");
            return Err(failure.at(table.display()).advice("set `cases` in [tests], or remove the file"));
        };
        let mut tree = as_it_is(project)?;
        let below = format!("{own}/");
        tree.files.retain(|path, _| *path != own && !path.starts_with(&below));
        let bytes = std::fs::read(&table).or_fail(Exit::Usage)?.into();
        tree.files.insert(own, File { bytes, mode: Mode::Plain });
        let subject = Subject { test: String::new(), executable: working::executable(session, &baseline.suite) };
        let folder = whydunit_suite::store_of(project).join("score");
        let shop = Workshop::new(&folder.join("work"), &folder.join("verdicts"), subject, 1, interrupts())?;
        Ok(Some(Self { tree, shop, longest: baseline.longest(), cases }))
    }

    /// How many of the cases fail with a patch.
    pub fn failing(&mut self, patch: &Patch) -> Result<u64, Failure> {
        let mut tree = self.tree.clone();
        let at = &patch.replaced.location;
        for name in patch.files() {
            if let Some(file) = tree.files.get_mut(name) {
                let after = applied(&file.bytes, name, patch);
                file.bytes = after.ok_or_else(|| Failure::usage("the patch does not apply").at(at))?.into();
            }
        }
        let suite = self.shop.make(&tree)?.map_err(|said| {
            let line = said.lines().find(|line| line.contains("error")).unwrap_or("see its output");
            Failure::new(Exit::Build, format!("it does not build with the patch: {line}")).at(at)
        })?;
        let limits = limits(&suite, self.longest, LEAST);
        let options =
            RunOptions { limits: Some(limits), reruns: Some(0), cancel: Some(interrupts()), ..RunOptions::default() };
        let results = suite.run(&options, &|_| {});
        match working::interrupted(results.len(), suite.tests.len()) {
            Some(failure) => Err(failure),
            None => Ok(results.iter().filter(|result| result.outcome.is_failure()).count() as u64),
        }
    }
}

/// The file or folder with a project's cases, relative to it.
fn cases_of(project: &Path, config: &Config) -> Option<String> {
    let Some(TestsKind::Cases(path)) = &config.tests.kind else { return None };
    let folder = config.tests.folder.as_ref().map_or_else(|| config.folder.clone(), |own| config.path(own));
    let whole: PathBuf = folder.join(path).components().collect();
    let whole = std::path::absolute(whole).ok()?;
    Some(whole.strip_prefix(project).ok()?.to_str()?.to_string())
}
