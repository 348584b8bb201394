//! A project: its folder, its configuration, its store, and what its build made.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use whydunit_capture::{BuildOptions, BuildReport, Flavour, Kind, Product, Store, Wanted, Watch};
use whydunit_process::Cancel;
use whydunit_suite::{BuildHow, Compile, Config, Discovered, Suite, TestsKind};

use crate::Error;

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its folder, absolute.
    pub folder: PathBuf,
    /// Its configuration, read or found out.
    pub config: Config,
    /// What was found out, in sentences; empty where a file says it.
    pub decisions: Vec<String>,
    /// What could not be found out, and what to write where.
    pub open: Vec<String>,
    store: PathBuf,
    /// Tests that took tools or programs to list; a build may change them.
    listed: Arc<Mutex<Option<Suite>>>,
}

/// A flavour of a project's products.
#[derive(Clone, Debug, Default)]
pub struct Flavoured {
    /// How many modules had to be made.
    pub built: usize,
    /// What should be known: products that could not be made, parts that stay external.
    pub problems: Vec<String>,
}

impl Project {
    /// Opens the project in `folder`: what `whydunit.toml` says, else what is found out. Tests that the file says nothing of
    /// are found out as well.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let folder = folder.canonicalize().map_err(Error::io(folder))?;
        let Discovered { mut config, mut decisions, open } = whydunit_suite::configuration(&folder)?;
        let store = whydunit_suite::store_of(&folder);
        if !store.starts_with(&folder) {
            decisions.push(format!("kept in {}, because {} cannot be written", store.display(), folder.display()));
            config.store = Some(store.clone());
        }
        Ok(Self { config, folder, decisions, open, store, listed: Arc::default() })
    }

    /// Where the store lies, whether it exists or not.
    pub fn store_folder(&self) -> PathBuf {
        self.store.clone()
    }

    /// The store, which a build made.
    pub fn store(&self) -> Result<Store, Error> {
        Ok(Store::open(&self.store_folder()).map_err(whydunit_capture::Error::from)?)
    }

    /// Builds under capture: by `command`, or as the configuration says.
    pub fn build(&self, command: &[OsString], watch: Watch<'_>) -> Result<BuildReport, Error> {
        *lock(&self.listed) = None;
        let options = |command: Vec<OsString>| BuildOptions {
            env: self.config.build_environment(),
            project_dir: self.folder.clone(),
            store: self.store_folder(),
            command,
            shown: None,
            optimised: self.config.build.is_optimised(),
            // Its builds run no tests, and what else fails in them is a failure.
            may_test: !matches!(self.config.tests.kind, Some(TestsKind::Cargo(_))),
            face: None,
        };
        if !command.is_empty() {
            return Ok(whydunit_capture::build(&options(command.to_vec()), watch)?);
        }
        match &self.config.build.how {
            Some(BuildHow::Command(shell)) => {
                let command = ["sh", "-c", shell].map(OsString::from).to_vec();
                match whydunit_capture::build(&options(command), watch) {
                    // Tests that can be listed run all the same.
                    Err(whydunit_capture::Error::NothingCaptured { hint, .. })
                        if matches!(self.config.tests.kind, Some(TestsKind::Cargo(_))) =>
                    {
                        let problem =
                            format!("nothing of it was captured: its tests can be run, and not recorded; {hint}");
                        Ok(BuildReport { problems: vec![problem], ..BuildReport::default() })
                    }
                    built => Ok(built?),
                }
            }
            Some(BuildHow::Sources { .. }) => {
                let compile = whydunit_suite::compile(&self.config).map_err(Error::io(&self.folder))?;
                let Compile { command, shown } = compile.ok_or_else(|| self.no_build())?;
                Ok(whydunit_capture::build(&BuildOptions { shown: Some(shown), ..options(command) }, watch)?)
            }
            None => Err(self.no_build()),
        }
    }

    fn no_build(&self) -> Error {
        Error::NoBuild { folder: self.folder.clone(), below: whydunit_suite::builds_below(&self.folder) }
    }

    /// The product that the tests run: the configured executable, or the only one there is.
    pub fn executable(&self, store: &Store) -> Result<Product, Error> {
        if let Some(path) = self.config.executable() {
            return Ok(whydunit_capture::product_of(store, &path)?);
        }
        let mut programs: Vec<Product> =
            whydunit_capture::products(store)?.into_iter().filter(|p| p.kind == Kind::Executable).collect();
        match programs.len() {
            1 => Ok(programs.remove(0)),
            _ => {
                let names: Vec<String> = programs.iter().map(|product| self.relative(&product.path)).collect();
                Err(Error::WhichExecutable { programs: names.join(", ") })
            }
        }
    }

    /// `path` relative to the project where it lies inside.
    pub fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.folder).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// The same project with other tests: cases of a program of it, in a table.
    #[must_use]
    pub fn with_cases(mut self, program: PathBuf, table: PathBuf) -> Self {
        self.config.build.executable = Some(program);
        self.config.tests.kind = Some(TestsKind::Cases(table));
        self.config.tests.folder = None;
        self.listed = Arc::default();
        self
    }

    /// The suite. Tools that list tests are run, until `cancel` is cancelled.
    pub fn suite(&self, cancel: &Cancel) -> Result<Suite, Error> {
        let keeps = self.config.tests.kind.as_ref().is_some_and(TestsKind::is_listed);
        if let Some(suite) = &*lock(&self.listed) {
            return Ok(self.with_own_tests(suite.clone()));
        }
        let mut config = self.config.clone();
        // Cases need a program: the only one that was built will do.
        if config.executable().is_none()
            && let Ok(store) = self.store()
            && let Ok(product) = self.executable(&store)
        {
            config.build.executable = Some(product.path);
        }
        let suite = Suite::load(&config, cancel)?;
        if keeps {
            *lock(&self.listed) = Some(suite.clone());
        }
        Ok(self.with_own_tests(suite))
    }

    /// Makes a flavour of what is wanted, or of everything that was built; fails where the product `needed` could not be made.
    pub fn flavours(
        &self,
        store: &Store,
        flavour: Flavour,
        wanted: Option<Wanted>,
        needed: Option<&str>,
        watch: Watch<'_>,
    ) -> Result<Flavoured, Error> {
        let mut products = whydunit_capture::products(store)?;
        if let Some(Wanted { links, .. }) = &wanted {
            products.retain(|product| links.contains(&product.link_id) || needed == Some(&product.link_id));
        }
        let links = products.iter().map(|product| product.link_id.clone()).collect();
        let wanted = Wanted { links, ..wanted.unwrap_or_default() };
        let mut out = Flavoured::default();
        for (product, made) in products.iter().zip(whydunit_capture::flavours(store, &wanted, flavour, watch)?) {
            match made {
                Ok(report) => {
                    out.built += report.built;
                    for external in report.external {
                        out.problems.push(format!("{}: {external} stays external", self.relative(&product.path)));
                    }
                    out.problems.extend(report.notes);
                }
                Err(error @ whydunit_capture::Error::Cancelled) => return Err(error.into()),
                Err(error) if needed == Some(&product.link_id) => return Err(error.into()),
                Err(error) => out.problems.push(error.to_string()),
            }
        }
        out.problems.sort();
        out.problems.dedup();
        Ok(out)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
