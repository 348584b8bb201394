//! Judges patches by cases that were held out: what the right program does with inputs that the suite does not have.

use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_changes::{File, Mode, Tree};
use whydunit_findings::Patch;
use whydunit_suite::{Case, Config, HELD_OUT, RunOptions, TestsKind};
use whydunit_variants::{Subject, Workshop, complaint};

use super::ScoreError;
use crate::Error;
use crate::explain::as_it_is;
use crate::locate::Baseline;
use crate::repair::{applied, limits};
use whydunit_desk::Desk;
use whydunit_desk::prepare;

/// A case may take so much time at least.
const LEAST: Duration = Duration::from_secs(2);

/// Builds versions of a project whose suite is what was held out.
pub struct Judge<'a> {
    desk: &'a Desk,
    /// The project as it is, with these cases.
    tree: Tree,
    shop: Workshop<'a>,
    longest: Duration,
    /// How many cases there are.
    pub cases: u64,
}

impl<'a> Judge<'a> {
    /// The judge of a project; none where nothing is held out for it.
    pub fn of(desk: &'a Desk, baseline: &Baseline) -> Result<Option<Self>, Error> {
        let (project, table) = (&desk.project, desk.project.join(HELD_OUT));
        if !table.is_file() {
            return Ok(None);
        }
        let cases = Case::read_all(&table)?.len() as u64;
        let Some(own) = cases_of(project, &baseline.project.config) else {
            return Err(ScoreError::NoCases { table }.into());
        };
        let mut tree = as_it_is(project)?;
        let below = format!("{own}/");
        tree.files.retain(|path, _| *path != own && !path.starts_with(&below));
        let bytes = std::fs::read(&table)?.into();
        tree.files.insert(own, File { bytes, mode: Mode::Plain });
        let executable = prepare::executable(desk, &baseline.suite);
        let subject = Subject { test: String::new(), executable, made: prepare::made_beside_tests(desk)? };
        let folder = whydunit_suite::store_of(project).join("score");
        let shop = Workshop::new(&folder.join("work"), &folder.join("verdicts"), subject, 1, &desk.cancel)?;
        Ok(Some(Self { desk, tree, shop, longest: baseline.longest(), cases }))
    }

    /// How many of the cases fail with a patch.
    pub fn failing(&mut self, patch: &Patch) -> Result<u64, Error> {
        let mut tree = self.tree.clone();
        let at = &patch.replaced.location;
        for name in patch.files() {
            if let Some(file) = tree.files.get_mut(name) {
                let after = applied(&file.bytes, name, patch);
                file.bytes = after.ok_or_else(|| ScoreError::DoesNotApply { at: at.clone() })?.into();
            }
        }
        let suite = self.shop.make(&tree)?.map_err(|said| {
            let line = complaint(&said).unwrap_or("see its output");
            ScoreError::NotBuilt { at: at.clone(), says: line.to_owned() }
        })?;
        let limits = limits(&suite, self.longest, LEAST);
        let options = RunOptions {
            limits: Some(limits),
            reruns: Some(0),
            cancel: Some(&self.desk.cancel),
            ..RunOptions::default()
        };
        let results = suite.run(&options, &|_| {});
        match prepare::interrupted(self.desk, results.len(), suite.tests.len()) {
            Some(interrupted) => Err(interrupted.into()),
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
