//! The code of tests, which is no candidate for the fault.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_findings::Sources;
use whydunit_model::checks;
use whydunit_suite::{Reading, Suite, Test};

use super::test_macros::Used;

/// The code of a suite's tests. Where they are Rust it is known by their paths in their crates (`tests::parses`), where they are
/// programs of C and C++, or commands that run them (`make check`), by the names of their files and folders, and by those that frameworks give to bodies of tests.
#[derive(Clone, Default, Debug)]
pub struct TestCode {
    rust: BTreeSet<String>,
    /// Modules of Rust that are only there for tests, by what sources that were executed say of them; their names alone.
    for_tests: BTreeSet<String>,
    /// Sources of Rust that were read for that.
    read: BTreeSet<String>,
    /// Tests are programs of their own, or commands that run such.
    programs: bool,
    /// Files in which bodies of a framework's tests stand: what is initialised there before `main` lists them.
    bodies: BTreeSet<String>,
    /// File and name of functions that are tests by themselves: where there are such, `main` runs them.
    own: BTreeSet<(String, String)>,
    /// The files in which they stand, where they test what stands in others.
    files: BTreeSet<String>,
    /// File and name of functions that use a test framework.
    using: BTreeSet<(String, String)>,
    /// The frameworks that sources use, by file.
    frameworks: BTreeMap<String, Used>,
}

/// Folders of tests.
const FOLDERS: [&str; 8] = ["test", "tests", "Test", "Tests", "testing", "unittest", "unittests", "unit_tests"];

impl TestCode {
    /// Of a suite.
    pub fn of(suite: &Suite) -> Self {
        let name = |test: &Test| match test {
            Test::Program(test) if test.reading == Reading::Libtest => test.short.clone(),
            _ => None,
        };
        let rust: BTreeSet<String> = suite.tests.iter().filter_map(name).collect();
        // What a case runs is the program itself, whatever its sources are called.
        let programs = rust.is_empty() && suite.tests.iter().any(|test| !matches!(test, Test::Case(_)));
        Self { rust, programs, ..Self::default() }
    }

    /// Whether tests are programs of their own, or commands that run such, of C and C++.
    pub fn is_of_programs(&self) -> bool {
        self.programs
    }

    /// Takes note of functions that are tests by themselves, by their files and names, and of the files that failing tests execute.
    pub fn own_tests(&mut self, own: BTreeSet<(String, String)>, executed: &BTreeSet<String>) {
        let files: BTreeSet<String> = own.iter().map(|(file, _)| file.clone()).collect();
        if executed.iter().any(|file| !files.contains(file) && !is_of_tests(file)) {
            self.files = files;
        }
        self.own = own;
    }

    /// Takes note of what was executed: file, relative to the project, and function.
    pub fn executed(&mut self, file: String, function: &str) {
        if self.programs && checks::is_readable_body(function) {
            self.bodies.insert(file);
        }
    }

    /// Takes note of a line that was executed: file, relative to the project, line and function. A function of C or C++ that writes what
    /// only tests do is one of tests; a file of Rust says which of its modules are only there for them.
    pub fn executed_line(&mut self, sources: &dyn Sources, file: &str, line: u32, function: &str) {
        if file.ends_with(".rs") {
            if self.read.insert(file.to_owned()) {
                let text = sources.text(file).unwrap_or_default();
                self.for_tests.extend(modules_for_tests(&text).map(String::from));
            }
            return;
        }
        if !self.frameworks.contains_key(file) {
            let text = sources.text(file).unwrap_or_default();
            self.frameworks.insert(file.to_owned(), Used::by(&text));
        }
        let used = self.frameworks.get(file).filter(|used| !used.is_none());
        if used.is_some_and(|used| sources.line(file, line).is_some_and(|text| used.is_of_test(&text))) {
            self.using.insert((file.to_owned(), function.to_owned()));
        }
    }

    /// Whether code is a function that is a test by itself, or runs such, or stands with them.
    fn is_of_own_tests(&self, file: &str, function: &str) -> bool {
        let own = || self.own.contains(&(file.to_owned(), function.to_owned()));
        self.files.contains(file) || !self.own.is_empty() && (function == "main" || own())
    }

    /// Whether a module of Rust, by its last name, is there for tests alone: many stand right in the module that they test.
    fn is_for_tests(&self, module: &str) -> bool {
        let named = |word: &str| matches!(word, "test" | "tests" | "unittest" | "unittests");
        self.for_tests.contains(module) || module.split('_').any(named)
    }

    /// Whether code is a test, or stands with tests: in their file, their folder or their module.
    pub fn holds(&self, file: &str, function: &str) -> bool {
        if self.using.contains(&(file.to_owned(), function.to_owned())) {
            return true;
        }
        if self.programs {
            return is_of_tests(file)
                || self.is_of_own_tests(file, function)
                || checks::is_readable_body(function)
                || initialises(function) && self.bodies.contains(file);
        }
        if self.rust.is_empty() {
            return false;
        }
        if file.ends_with(".rs") && (file.starts_with("tests/") || file.contains("/tests/")) {
            return true;
        }
        // `<cr::tests::Thing as Drop>::drop` stands in `tests` as well.
        let Some((_, path)) = function.trim_start_matches(['<', '&']).split_once("::") else { return false };
        let path = path.split(" as ").next().unwrap_or(path);
        let module = |test: &str| {
            let (module, _) = test.rsplit_once("::")?;
            // The outermost that is there for tests holds the others.
            let ends = module.match_indices("::").map(|(at, _)| at).chain([module.len()]);
            let mut ends = ends.filter(|&end| self.is_for_tests(module[..end].rsplit("::").next().unwrap_or_default()));
            ends.next().map(|end| end + 2)
        };
        self.rust.iter().any(|test| {
            let own = path.strip_prefix(test.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
            own || module(test).is_some_and(|end| path.starts_with(&test[..end]))
        })
    }
}

/// Names of the modules that a source of Rust has only where it is built for tests (`#[cfg(test)] mod checks`).
fn modules_for_tests(text: &str) -> impl Iterator<Item = &str> {
    text.split("#[cfg(test)]").skip(1).filter_map(|behind| {
        let mut behind = behind.trim_start();
        // Other attributes may stand between.
        while behind.starts_with("#[") {
            behind = behind.split_once('\n')?.1.trim_start();
        }
        let words = behind.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let mut words = words.skip_while(|word| matches!(*word, "pub" | "crate" | "super"));
        (words.next()? == "mod").then(|| words.next())?
    })
}

/// Whether a function initialises variables of a file before `main`.
fn initialises(function: &str) -> bool {
    function.starts_with("__cxx_global_var_init") || function.starts_with("_GLOBAL__sub_I")
}

/// Whether a file of C or C++, relative to its project, is one of tests by its name or its folder's.
fn is_of_tests(file: &str) -> bool {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let words: Vec<&str> = stem.split(['_', '-']).collect();
    let named = |word: &&str| matches!(*word, "test" | "tests" | "unittest" | "unittests");
    folder.split('/').any(|part| FOLDERS.contains(&part))
        || words.first().is_some_and(named)
        || words.last().is_some_and(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_what_stands_with_them_are_told_from_what_they_test() {
        let rust = ["tests::parses", "deep::tests::fails", "alone"].map(String::from).into();
        let code = TestCode { rust, ..TestCode::default() };
        let holds = |function: &str| code.holds("src/lib.rs", function);
        for function in
            ["cr::tests::parses", "cr::tests::helper", "cr::alone::{closure#0}", "<cr::tests::A as Drop>::drop"]
        {
            assert!(holds(function), "{function}");
        }
        for function in ["cr::parse", "cr::alone_too", "cr::deep::parse", "main", "<cr::A as tests::B>::c"] {
            assert!(!holds(function), "{function}");
        }
        assert!(holds("cr::deep::tests::inner::helper"));
        assert!(code.holds("tests/whole.rs", "whole::helper"));
        assert!(!TestCode::default().holds("tests/whole.rs", "whole::helper"));
    }

    #[test]
    fn what_stands_beside_a_test_in_a_module_of_the_program_is_not_of_tests() {
        let rust = ["bytes::quotes", "checks::all::works"].map(String::from).into();
        let mut code = TestCode { rust, ..TestCode::default() };
        let text = "mod bytes;\n#[cfg(test)]\n#[path = \"c.rs\"]\nmod checks {\n  mod all {}\n}\n#[cfg(test)]\nuse a::mod_of;\n";
        assert_eq!(modules_for_tests(text).collect::<Vec<_>>(), ["checks"]);
        assert!(!code.holds("src/lib.rs", "cr::checks::helper"));
        code.for_tests.extend(modules_for_tests(text).map(String::from));
        let holds = |function: &str| code.holds("src/lib.rs", function);
        assert!(holds("cr::bytes::quotes") && holds("cr::bytes::quotes::{closure#0}") && holds("cr::checks::helper"));
        assert!(!holds("cr::bytes::quote") && !holds("cr::bytes::Quoter::quote") && !holds("cr::checksum"));
    }

    #[test]
    fn files_of_tests_are_told_by_their_names_and_folders() {
        let code = TestCode { programs: true, ..TestCode::default() };
        for file in ["test/t2.c", "lib/tests/util.h", "test_list.c", "list_test.cc", "src/unittest.cpp", "a-tests.c"] {
            assert!(code.holds(file, "main"), "{file}");
        }
        for file in ["lib.c", "src/testament.c", "latest.c", "contest/a.c"] {
            assert!(!code.holds(file, "main"), "{file}");
        }
        let mut code = code;
        assert!(
            code.holds("list.cpp", "Largest_Last_Test::TestBody") && !code.holds("list.cpp", "__cxx_global_var_init.3")
        );
        code.executed("list.cpp".into(), "Largest_Last_Test::TestBody");
        assert!(code.holds("list.cpp", "__cxx_global_var_init.3") && !code.holds("list.cpp", "List::push"));
        assert!(!code.holds("lib.cpp", "__cxx_global_var_init.3"));
    }
}
