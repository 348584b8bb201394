//! The folders of real faults are whole: whether the programs fail and pass as they say, `scripts/real.sh --check` finds out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use whydunit_suite::{Case, Config, FILE_NAME, Truth};

/// The keys of a `fault.toml`, by section.
type Keys = BTreeMap<String, toml::Value>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/real")
}

/// The faults: folder and `fault.toml`.
fn faults() -> Vec<(PathBuf, Keys)> {
    let entries = fs::read_dir(folder()).expect("the folder of real faults");
    let folders = entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.join("fault.toml").is_file());
    let read = |path: PathBuf| {
        let text = fs::read_to_string(path.join("fault.toml")).expect("a fault");
        let keys = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, keys)
    };
    folders.map(read).collect()
}

fn text<'a>(keys: &'a Keys, key: &str) -> &'a str {
    keys.get(key).and_then(toml::Value::as_str).unwrap_or_default()
}

/// The names of what fails.
fn failing(keys: &Keys) -> Vec<&str> {
    text(keys, "failing").split(' ').filter(|name| !name.is_empty()).collect()
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Language {
    C,
    Cpp,
    Rust,
}

/// Whether our tests are Rust's.
fn is_rust(folder: &Path) -> bool {
    folder.join("ours.rs").is_file()
}

/// The language of the program that a fault is in.
fn language(folder: &Path, keys: &Keys) -> Language {
    if is_rust(folder) {
        return Language::Rust;
    }
    let makefile = self::folder().join("programs").join(text(keys, "program")).join("Makefile");
    let recipe = fs::read_to_string(&makefile).unwrap_or_else(|error| panic!("{}: {error}", makefile.display()));
    if recipe.contains(".cpp") { Language::Cpp } else { Language::C }
}

#[test]
fn each_crate_has_a_test_that_fails_and_five_that_pass() {
    for (folder, keys) in faults().into_iter().filter(|(folder, _)| is_rust(folder)) {
        let at = folder.display();
        assert!(!folder.join("cases.jsonl").exists(), "{at}");
        let source = fs::read_to_string(folder.join("ours.rs")).expect("tests");
        let names = failing(&keys);
        for name in &names {
            assert!(source.contains(&format!("#[test]\nfn {name}()")), "{at}: there is no test {name}");
        }
        let tests = source.matches("#[test]\n").count();
        assert!(!names.is_empty() && tests >= names.len() + 5, "{at}: {} of {tests}", names.len());
    }
}

#[test]
fn each_program_has_cases_that_fail_and_ten_that_pass() {
    for (folder, keys) in faults().into_iter().filter(|(folder, _)| !is_rust(folder)) {
        let cases = Case::read_all(&folder.join("cases.jsonl")).expect("cases");
        let failing = failing(&keys);
        let at = folder.display();
        for name in &failing {
            assert!(cases.iter().any(|case| case.name == *name), "{at}: there is no case {name}");
        }
        assert!(!failing.is_empty() && cases.len() >= failing.len() + 10, "{at}: {} of {}", failing.len(), cases.len());
        for case in &cases {
            assert!(case.stdout.is_some() && case.status.is_some(), "{at}: {} expects nothing", case.name);
        }
    }
}

#[test]
fn each_fault_says_what_it_is_and_where() {
    for (folder, keys) in faults() {
        let at = folder.display();
        for key in ["about", "source"] {
            assert!(!text(&keys, key).is_empty(), "{at}: `{key}` is missing");
        }
        let program = text(&keys, "program");
        let config = Config::read(&self::folder().join("programs").join(program).join(FILE_NAME)).expect("a program");
        assert!(config.executable().is_some() != is_rust(&folder), "{at}: {program} names no executable");
        for section in ["faulty", "mended"] {
            let table =
                keys.get(section).and_then(toml::Value::as_table).unwrap_or_else(|| panic!("{at}: no [{section}]"));
            let has =
                |key: &str| table.get(key).is_some_and(|value| value.as_str().is_some_and(|text| !text.is_empty()));
            assert!(has("version") && has("sha256") && (has("crate") != has("debian")), "{at}: [{section}]");
        }
        let truth = Truth::of(&folder).expect("a truth");
        assert!(truth.kind.is_some(), "{at}: no kind");
        for line in &truth.fault {
            assert!(line.file.starts_with(&format!("{program}/")) && line.line > 0, "{at}: {}", line.file);
        }
    }
}

#[test]
fn half_of_each_language_are_for_the_final_measurement() {
    let mut counts: BTreeMap<Language, [i32; 2]> = BTreeMap::new();
    for (folder, keys) in faults() {
        let use_of = text(&keys, "use");
        if use_of == "repair" {
            continue;
        }
        let at = ["development", "final"].iter().position(|one| *one == use_of);
        let at = at.unwrap_or_else(|| panic!("{}: use = {use_of:?}", folder.display()));
        counts.entry(language(&folder, &keys)).or_default()[at] += 1;
    }
    assert_eq!(counts.len(), 3);
    for (language, [development, last]) in counts {
        assert!(last >= 3 && (development - last).abs() <= 1, "{language:?}: {development}, {last}");
    }
}
