//! Running the suite with spectra: which statements and branch outcomes each test executes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whydunit_capture::{Cold, Flavour, Product, Store, Wanted, flavour_path, run_environment, run_path};
use whydunit_model::{ModelError, SpectrumStatement, SpectrumTable};
use whydunit_spectra::{Entity, Hits, Numbers, Position, TestHits};
use whydunit_suite::{Progress, RunOptions, Suite, Test, TestResult};

use crate::Error;
use crate::load::remove_damaged;
use crate::project::Project;
use crate::record::RawFolder;

/// The table of a module; `None` where there is none that can be used.
pub(crate) fn table(store: &Store, id: &str) -> Option<SpectrumTable> {
    fs::read(store.spectrum_table(id)).ok().and_then(|bytes| SpectrumTable::from_bytes(&bytes).ok())
}

/// The number of a function in its module's table.
pub type FunctionNumber = u32;

/// A function that is in no table.
const UNKNOWN: FunctionNumber = FunctionNumber::MAX;

/// A test with what it executed.
#[derive(Clone, PartialEq, Debug)]
pub struct Executed {
    /// How it went.
    pub result: TestResult,
    /// Statements and branch outcomes that it executed.
    pub hits: Hits,
    /// False where it is known that some are missing: their flags could not be kept.
    pub whole: bool,
    /// The modules of its processes, by id, and which of their functions ran once `main` was entered.
    pub modules: BTreeMap<Arc<str>, BTreeSet<FunctionNumber>>,
}

/// The tables of a store, each read once.
struct Tables<'s> {
    store: &'s Store,
    read: HashMap<String, Option<Arc<Entities>>>,
    /// Ids of modules, each kept once.
    names: HashSet<Arc<str>>,
    /// All entities, each once, by their numbers.
    entities: HashMap<Entity, usize>,
    /// Why there are none, in sentences.
    problems: Vec<String>,
}

/// What the processes of a test executed.
#[derive(Default)]
struct Seen {
    hits: Numbers,
    whole: bool,
    modules: BTreeMap<Arc<str>, BTreeSet<FunctionNumber>>,
}

/// A module's entities by their numbers, each with the flags that tell of it.
struct Entities {
    entities: Vec<(usize, Vec<u32>)>,
    has_flags: bool,
    /// The function of each flag.
    owners: Vec<FunctionNumber>,
    /// Name and file of each function that has a statement.
    functions: HashMap<FunctionNumber, (String, String)>,
}

impl Entities {
    /// Of a module's table, where `number` gives each entity its number.
    fn of(table: &SpectrumTable, mut number: impl FnMut(Entity) -> usize) -> Self {
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
        let entries = (0u32..).zip(&table.entries);
        let of_lines = table.statements.iter().map(|statement| (statement.function, &statement.flags));
        let of_outcomes = table.outcomes.iter().map(|outcome| (outcome.function, &outcome.flags));
        let mut owners = vec![UNKNOWN; table.flags as usize];
        for (function, flags) in entries.chain(of_lines).chain(of_outcomes) {
            for flag in flags {
                owners.get_mut(*flag as usize).into_iter().for_each(|owner| *owner = function);
            }
        }
        let named =
            |s: &SpectrumStatement| (s.function, (text(&table.functions, s.function), text(&table.files, s.file)));
        // What was inlined may be of other files: the first statement counts.
        let functions = table.statements.iter().rev().map(named).collect();
        let entities = statements.chain(outcomes).map(|(entity, flags)| (number(entity), flags)).collect();
        Self { entities, has_flags: table.flags > 0, owners, functions }
    }

    /// The functions that ran once `main` was entered.
    fn ran(&self, flags: &[u8]) -> BTreeSet<FunctionNumber> {
        let flags = self.owners.iter().zip(flags);
        flags.filter(|(_, flag)| whydunit_runtime::spectrum::is_of_main(**flag)).map(|(owner, _)| *owner).collect()
    }

    /// The functions that did not run, by name. One that shares its name with one that ran, as another instantiation of a template, is
    /// taken for it.
    fn cold(&self, ran: &BTreeSet<FunctionNumber>) -> HashSet<String> {
        let name = |(_, (name, _)): (_, &(String, String))| name.clone();
        let hot: HashSet<String> = self.functions.iter().filter(|(number, _)| ran.contains(number)).map(name).collect();
        let all = self.functions.iter().map(name);
        all.filter(|name| !hot.contains(name)).collect()
    }

    fn executed<'a>(&'a self, flags: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        let hit = |flag: &u32| flags.get(*flag as usize).is_some_and(|&byte| byte != 0);
        self.entities.iter().filter(move |(_, own)| own.iter().any(hit)).map(|(number, _)| *number)
    }
}

impl<'s> Tables<'s> {
    /// Those of a store; none is read yet.
    fn of(store: &'s Store) -> Self {
        Self { store, read: HashMap::new(), names: HashSet::new(), entities: HashMap::new(), problems: Vec::new() }
    }

    fn get(&mut self, id: &str) -> Option<Arc<Entities>> {
        if let Some(known) = self.read.get(id) {
            return known.clone();
        }
        let path = self.store.spectrum_table(id);
        let table = match fs::read(&path).map(|bytes| SpectrumTable::from_bytes(&bytes)) {
            Ok(Ok(table)) => {
                let known = &mut self.entities;
                let number = |entity| {
                    let next = known.len();
                    *known.entry(entity).or_insert(next)
                };
                Some(Arc::new(Entities::of(&table, number)))
            }
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

    /// The modules that did nothing, or ran only functions that another module has, too: those of a header, of which the linker
    /// takes the first.
    fn dispensable<'m>(&mut self, loaded: &BTreeMap<&'m str, BTreeSet<FunctionNumber>>) -> HashSet<&'m str> {
        let known: Vec<_> = loaded.iter().filter_map(|(id, ran)| Some((*id, ran, self.get(id)?))).collect();
        let mut number: HashMap<&(String, String), usize> = HashMap::new();
        for (_, _, table) in &known {
            table
                .functions
                .values()
                .collect::<HashSet<_>>()
                .into_iter()
                .for_each(|one| *number.entry(one).or_default() += 1);
        }
        let (mut kept, mut left_out) = (HashSet::new(), HashSet::new());
        let mut undecided = Vec::new();
        for (id, ran, table) in &known {
            // What has no statement is made by the compiler: nothing of it can be at fault.
            let told = ran.iter().filter(|function| **function == UNKNOWN || table.functions.contains_key(function));
            let names: Option<Vec<_>> = told.map(|function| table.functions.get(function)).collect();
            match names.filter(|names| names.iter().all(|name| number[name] > 1)) {
                Some(names) => undecided.push((*id, names, table)),
                None => kept.extend(table.functions.values()),
            }
        }
        for (id, names, table) in undecided {
            if names.iter().all(|name| kept.contains(name)) {
                left_out.insert(id);
            } else {
                kept.extend(table.functions.values());
            }
        }
        left_out
    }

    /// An id, kept once.
    fn name(&mut self, id: &str) -> Arc<str> {
        if let Some(known) = self.names.get(id) {
            return Arc::clone(known);
        }
        let name: Arc<str> = id.into();
        self.names.insert(Arc::clone(&name));
        name
    }

    /// The modules with flags that are there from the start of a test's process on, test by test: those of the suite's program, or of
    /// the test's own. A program that was not captured, such as a shell, tells nothing.
    fn started<'t>(&mut self, tests: &[&'t Test], of_cases: Vec<String>) -> HashMap<&'t str, Vec<String>> {
        let store = self.store;
        // Libraries' units may be uncounted.
        let library = whydunit_capture::library_units(store, &whydunit_capture::products(store).unwrap_or_default());
        let mut flagged = |mut modules: Vec<String>| {
            modules.retain(|id| !library.contains_key(id) && self.get(id).is_some_and(|table| table.has_flags));
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
    fn executed(&mut self, folder: &Path, pid: Option<i32>, started: Option<&[String]>) -> Result<Seen, String> {
        let processes = whydunit_runtime::spectrum::read(folder).map_err(|error| error.to_string())?;
        let mut hits = Numbers::default();
        let mut whole = started.zip(pid).is_none_or(|(modules, pid)| {
            let own = processes.iter().find(|process| process.pid as i32 == pid);
            let known = own.map_or(&[][..], |process| &process.modules);
            modules.iter().all(|id| known.iter().any(|(known, _)| known == id))
        });
        let mut modules: BTreeMap<Arc<str>, BTreeSet<FunctionNumber>> = BTreeMap::new();
        for (id, flags) in processes.iter().flat_map(|process| &process.modules) {
            let table = self.get(id);
            let ran = table.as_ref().map_or_else(|| BTreeSet::from([UNKNOWN]), |table| table.ran(flags));
            modules.entry(self.name(id)).or_default().extend(ran);
            match table {
                Some(entities) => entities.executed(flags).for_each(|number| hits.insert(number)),
                None => whole = false,
            }
        }
        Ok(Seen { hits, whole, modules })
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
        let mut tables = Tables::of(&store);
        let started = tables.started(tests, modules);
        let mut problems = BTreeSet::new();
        let mut seen = Vec::new();
        for result in results {
            let modules = started.get(result.name.as_str());
            let executed = match folders.get(&result.name) {
                Some(folder) => {
                    tables.executed(folder, result.pid, modules.map(Vec::as_slice)).unwrap_or_else(|error| {
                        problems.insert(error);
                        Default::default()
                    })
                }
                // An automake suite's results have names of their own: their spectra cannot be told apart.
                None => {
                    problems.insert(TOGETHER.to_string());
                    Seen { whole: true, ..Seen::default() }
                }
            };
            seen.push((result, executed));
        }
        problems.extend(tables.problems);
        let mut numbered: Vec<(Entity, usize)> = tables.entities.into_iter().collect();
        numbered.sort_unstable_by_key(|(_, number)| *number);
        let table: Arc<[Entity]> = numbered.into_iter().map(|(entity, _)| entity).collect();
        let executed: Vec<Executed> = seen
            .into_iter()
            .map(|(result, Seen { hits, whole, modules })| Executed {
                result,
                hits: Hits::of(&table, &hits),
                whole,
                modules,
            })
            .collect();
        Ok((executed, problems.into_iter().collect()))
    }
}

impl Project {
    /// What copies that count are made of where libraries' code is not ranked: it stays as it was built.
    pub fn counted(&self) -> Result<Wanted, Error> {
        let products = whydunit_capture::products(&self.store()?)?;
        let left_out = whydunit_capture::library_units(&self.store()?, &products).into_keys().collect();
        let links = products.into_iter().map(|product| product.link_id).collect();
        Ok(Wanted { links, left_out, ..Wanted::default() })
    }

    /// What has to be made so that these tests of a suite can be recorded: all but the programs of which only other tests are runs.
    pub fn without_others(&self, suite: &Suite, tests: &[&str]) -> Result<Wanted, Error> {
        let programs = |wanted: bool| -> HashSet<&Path> {
            let programs = suite.tests.iter().filter_map(|test| match test {
                Test::Program(test) if tests.contains(&&*test.name) == wanted => Some(&*test.program),
                _ => None,
            });
            programs.collect()
        };
        let (own, others) = (programs(true), programs(false));
        let is_needed = |product: &Product| own.contains(&*product.path) || !others.contains(&*product.path);
        let products = whydunit_capture::products(&self.store()?)?.into_iter().filter(is_needed);
        Ok(Wanted::all(products.map(|product| product.link_id).collect()))
    }

    /// What has to be made so that these tests can be recorded, with all that they execute: the programs and libraries that were
    /// loaded, without the units that did nothing but be initialised; functions that did not run need not be fast. Of libraries' units that
    /// were not counted nothing is known: small ones are made, the others stay external. All, where it is not known what a test executed.
    pub fn needed(&self, tests: &[&Executed]) -> Result<Wanted, Error> {
        let store = self.store()?;
        let products = whydunit_capture::products(&store)?;
        // Where others do, a test of which no process has captured code needs nothing.
        let some = tests.iter().any(|test| !test.modules.is_empty());
        let unknown = tests.iter().any(|test| !test.whole);
        if !some || unknown {
            return Ok(Wanted::all(products.into_iter().map(|product| product.link_id).collect()));
        }
        let mut loaded: BTreeMap<&str, BTreeSet<FunctionNumber>> = BTreeMap::new();
        for (id, ran) in tests.iter().flat_map(|test| &test.modules) {
            loaded.entry(id).or_default().extend(ran);
        }
        let library = whydunit_capture::library_units(&store, &products);
        let mut tables = Tables::of(&store);
        let mut wanted: Vec<Product> = Vec::new();
        for product in products {
            // Modules without code have no flags, and are never seen; nor are libraries' that are not counted.
            let counted = product.modules.iter().filter(|id| !library.contains_key(*id));
            let mut flagged = counted.filter(|id| tables.get(id).is_none_or(|table| table.has_flags));
            if flagged.all(|id| loaded.contains_key(id.as_str())) {
                wanted.push(product);
            }
        }
        let mut left_out: HashSet<String> = tables.dispensable(&loaded).into_iter().map(str::to_owned).collect();
        let names = |(id, ran): (&&str, _)| Some(((*id).to_owned(), Cold::Named(tables.get(id)?.cold(ran))));
        let mut cold: HashMap<String, Cold> = loaded.iter().filter_map(names).collect();
        let linked: HashSet<&String> = wanted.iter().flat_map(|product| &product.modules).collect();
        let unseen = library.into_iter().filter(|(id, _)| linked.contains(id) && !loaded.contains_key(id.as_str()));
        for (id, is_small) in small(unseen.collect()) {
            match is_small {
                true => _ = cold.insert(id, Cold::All),
                false => _ = left_out.insert(id),
            }
        }
        Ok(Wanted { links: wanted.into_iter().map(|product| product.link_id).collect(), left_out, cold })
    }
}

/// Bytes of bitcode of units that are made though it is not known whether they run: about half a minute of processor time.
const MOST_UNSEEN: u64 = 8 << 20;

/// Which of these units are made, by how large they are: the smallest first.
fn small(sizes: HashMap<String, u64>) -> Vec<(String, bool)> {
    let mut sizes: Vec<(String, u64)> = sizes.into_iter().collect();
    sizes.sort_unstable_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    let mut sum = 0;
    let made = sizes.into_iter().map(|(id, size)| {
        sum += size;
        (id, sum <= MOST_UNSEEN)
    });
    made.collect()
}

impl Executed {
    /// As input of the formulas.
    pub fn test_hits(&self) -> TestHits {
        TestHits { failed: self.result.outcome.is_failure(), hits: self.hits.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_which_nothing_is_known_are_made_while_they_are_small() {
        let sizes = [("a", 5 << 20), ("b", 2 << 20), ("c", 1 << 20), ("d", 9 << 20)];
        let made = small(sizes.map(|(name, size)| (name.to_string(), size)).into());
        let made: Vec<(&str, bool)> = made.iter().map(|(name, made)| (name.as_str(), *made)).collect();
        assert_eq!(made, [("c", true), ("b", true), ("a", true), ("d", false)]);
    }

    #[test]
    fn what_has_the_name_of_a_function_that_ran_is_not_cold() {
        let names = ["largest", "smallest", "Stack::push", "Stack::push"];
        let functions = (0u32..).zip(names).map(|(number, name)| (number, (name.to_string(), "a.cpp".to_string())));
        let entities =
            Entities { entities: Vec::new(), has_flags: true, owners: Vec::new(), functions: functions.collect() };
        let cold = |ran: &[FunctionNumber]| entities.cold(&ran.iter().copied().collect());
        assert_eq!(cold(&[0, 3]), HashSet::from(["smallest".to_string()]));
        assert_eq!(cold(&[]).len(), 3);
        assert_eq!(cold(&[0, 1, 2, UNKNOWN]), HashSet::new());
    }
}
