//! Running the suite with spectra: which statements and branch outcomes each test executes.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whydunit_capture::{Flavour, Store, flavour_path, run_environment, run_path};
use whydunit_model::{ModelError, SpectrumTable};
use whydunit_spectra::{Entity, Position, TestHits};
use whydunit_suite::{Progress, RunOptions, Suite, Test, TestResult};

use crate::Error;
use crate::load::remove_damaged;
use crate::project::Project;
use crate::record::RawFolder;

/// A test with what it executed.
#[derive(Clone, PartialEq, Debug)]
pub struct Executed {
    /// How it went.
    pub result: TestResult,
    /// Statements and branch outcomes that it executed.
    pub hits: BTreeSet<Entity>,
    /// False where it is known that some are missing: their flags could not be kept.
    pub whole: bool,
}

/// The tables of a store, each read once.
struct Tables<'s> {
    store: &'s Store,
    read: HashMap<String, Option<Arc<Entities>>>,
    /// Why there are none, in sentences.
    problems: Vec<String>,
}

/// A module's entities, each with the flags that tell of it.
struct Entities {
    entities: Vec<(Entity, Vec<u32>)>,
    has_flags: bool,
}

impl Entities {
    fn of(table: &SpectrumTable) -> Self {
        // A line has one column, whichever instantiation of a template it belongs to.
        let mut columns: HashMap<(u32, u32, &str), u32> = HashMap::new();
        let name = |function: u32| table.functions.get(function as usize).map_or("", String::as_str);
        for statement in &table.statements {
            let least = columns.entry((statement.file, statement.line, name(statement.function)));
            let least = least.or_insert(statement.column);
            *least = statement.column.min(*least);
        }
        let text = |list: &[String], index: u32| list.get(index as usize).cloned().unwrap_or_default();
        let entity = |file: u32, line: u32, column: u32, function: u32, outcome: Option<String>| Entity {
            position: Position { file: text(&table.files, file), line, column, end_line: line },
            function: text(&table.functions, function),
            outcome,
        };
        let statements = table.statements.iter().filter(|statement| statement.line > 0).map(|s| {
            let column = columns.get(&(s.file, s.line, name(s.function))).copied().unwrap_or(s.column);
            (entity(s.file, s.line, column, s.function, None), s.flags.clone())
        });
        let outcomes = table
            .outcomes
            .iter()
            .filter(|outcome| outcome.line > 0)
            .map(|o| (entity(o.file, o.line, o.column, o.function, Some(o.outcome.clone())), o.flags.clone()));
        Self { entities: statements.chain(outcomes).collect(), has_flags: table.flags > 0 }
    }

    fn executed<'a>(&'a self, flags: &'a [u8]) -> impl Iterator<Item = &'a Entity> + 'a {
        let hit = |flag: &u32| flags.get(*flag as usize).is_some_and(|&byte| byte != 0);
        self.entities.iter().filter(move |(_, own)| own.iter().any(hit)).map(|(entity, _)| entity)
    }
}

impl Tables<'_> {
    fn get(&mut self, id: &str) -> Option<Arc<Entities>> {
        if let Some(known) = self.read.get(id) {
            return known.clone();
        }
        let path = self.store.spectrum_table(id);
        let table = match fs::read(&path).map(|bytes| SpectrumTable::from_bytes(&bytes)) {
            Ok(Ok(table)) => Some(Arc::new(Entities::of(&table))),
            Ok(Err(ModelError::Version(_))) | Err(_) => {
                self.problems.push(format!("the store has no table of module {id} that can be used: build again"));
                None
            }
            Ok(Err(_)) => {
                self.problems
                    .push(format!("the table of module {id} {}: run the command again", remove_damaged(&path)));
                None
            }
        };
        self.read.insert(id.to_owned(), table.clone());
        table
    }

    /// The modules with flags that are there from the start of a test's process on, test by test: those of the suite's program, or of
    /// the test's own. A program that was not captured, such as a shell, tells nothing.
    fn started<'t>(&mut self, tests: &[&'t Test], of_cases: Vec<String>) -> HashMap<&'t str, Vec<String>> {
        let store = self.store;
        let mut flagged = |mut modules: Vec<String>| {
            modules.retain(|id| self.get(id).is_some_and(|table| table.has_flags));
            modules
        };
        let of_cases = flagged(of_cases);
        let mut programs: HashMap<&Path, Vec<String>> = HashMap::new();
        let mut started: HashMap<&str, Vec<String>> = HashMap::new();
        for test in tests {
            match test {
                Test::Case(case) => _ = started.insert(&case.name, of_cases.clone()),
                Test::Program(test) => {
                    let of = |path: &Path| whydunit_capture::product_of(store, path).map(|product| product.modules);
                    let known =
                        programs.entry(&test.program).or_insert_with_key(|path| flagged(of(path).unwrap_or_default()));
                    started.insert(&test.name, known.clone());
                }
                _ => {}
            }
        }
        started
    }

    /// What the processes of a test executed by the flags in its folder, and whether that is all: the flags of the process `pid`
    /// are there for all modules that it started with. Or why they cannot be read.
    fn executed(
        &mut self,
        folder: &Path,
        pid: Option<i32>,
        started: Option<&[String]>,
    ) -> Result<(BTreeSet<Entity>, bool), String> {
        let processes = whydunit_runtime::spectrum::read(folder).map_err(|error| error.to_string())?;
        let mut hits = BTreeSet::new();
        let mut whole = started.zip(pid).is_none_or(|(modules, pid)| {
            let own = processes.iter().find(|process| process.pid as i32 == pid);
            let known = own.map_or(&[][..], |process| &process.modules);
            modules.iter().all(|id| known.iter().any(|(known, _)| known == id))
        });
        for (id, flags) in processes.iter().flat_map(|process| &process.modules) {
            match self.get(id) {
                Some(entities) => hits.extend(entities.executed(flags).cloned()),
                None => whole = false,
            }
        }
        Ok((hits, whole))
    }
}

/// Said of suites that give results of tests that cannot be run one by one.
const TOGETHER: &str = "the suite runs its tests together: which statements each of them executes is not known, and nothing can be \
                        ranked; describe failing tests as cases (cases.jsonl) to rank by them";

impl Project {
    /// Runs tests of the suite with the spectrum flavour, which must be there. Also says what is missing in the answer.
    pub fn run_spectrum(
        &self,
        suite: &Suite,
        tests: &[&Test],
        options: &RunOptions<'_>,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<(Vec<Executed>, Vec<String>), Error> {
        let store = self.store()?;
        let raw = RawFolder::new(&store, "spectra")?;
        let mut folders: HashMap<String, PathBuf> = HashMap::new();
        for (index, test) in tests.iter().enumerate() {
            let folder = raw.path().join(index.to_string());
            fs::create_dir(&folder).map_err(Error::io(&folder))?;
            folders.insert(test.name().to_owned(), folder);
        }
        let mut options = options.clone();
        let in_its_place = |program: &Path| run_path(&store, Flavour::Spectrum, program);
        options.programs = Some(&in_its_place);
        let mut modules = Vec::new();
        if tests.iter().any(|test| matches!(test, Test::Case(_))) {
            let product = self.executable(&store)?;
            options.executable = Some(flavour_path(&store, &product.link_id, Flavour::Spectrum));
            modules = product.modules;
        }
        options.env.extend(run_environment(&store, Flavour::Spectrum, raw.path())?);
        options.reruns = Some(0);
        let own_folder = |name: &str| {
            folders.get(name).map(|folder| ("WHYDUNIT_SPECTRUM_DIR".into(), folder.into())).into_iter().collect()
        };
        options.test_env = Some(&own_folder);
        let results = suite.run_selected(tests, &options, progress);
        let mut tables = Tables { store: &store, read: HashMap::new(), problems: Vec::new() };
        let started = tables.started(tests, modules);
        let mut problems = BTreeSet::new();
        let mut executed = Vec::new();
        for result in results {
            let modules = started.get(result.name.as_str());
            let (hits, whole) = match folders.get(&result.name) {
                Some(folder) => {
                    tables.executed(folder, result.pid, modules.map(Vec::as_slice)).unwrap_or_else(|error| {
                        problems.insert(error);
                        Default::default()
                    })
                }
                // An automake suite's results have names of their own: their spectra cannot be told apart.
                None => {
                    problems.insert(TOGETHER.to_string());
                    (BTreeSet::new(), true)
                }
            };
            executed.push(Executed { result, hits, whole });
        }
        problems.extend(tables.problems);
        Ok((executed, problems.into_iter().collect()))
    }
}

impl Executed {
    /// As input of the formulas.
    pub fn test_hits(&self) -> TestHits {
        TestHits { failed: self.result.outcome.is_failure(), hits: self.hits.clone() }
    }
}
