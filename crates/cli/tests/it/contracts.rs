//! The files that users write, held to their schemas on the subjects of this repository.

use std::path::{Path, PathBuf};

use crate::support::schema::Schemas;
use serde_json::{Value, json};

/// Files of this name below the subjects.
fn subjects(name: &str) -> Vec<PathBuf> {
    fn collect(folder: &Path, name: &str, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, name, found);
            } else if path.file_name().is_some_and(|own| own == name) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects"), name, &mut found);
    assert!(!found.is_empty(), "there is no {name}");
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn cases_fit_their_schema() {
    let schemas = Schemas::of_repository();
    for path in subjects("cases.jsonl") {
        for (index, line) in read(&path).lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let case: Value = serde_json::from_str(line).expect("a line is JSON");
            let broken = schemas.violations("case.json", &case);
            assert!(broken.is_empty(), "{}:{}: {broken:?}", path.display(), index + 1);
        }
    }
}

#[test]
fn configurations_fit_their_schema() {
    let schemas = Schemas::of_repository();
    for path in subjects("whydunit.toml") {
        let config: Value = toml::from_str(&read(&path)).expect("it is TOML");
        assert_eq!(schemas.violations("config.json", &config), Vec::<String>::new(), "{}", path.display());
    }
}

#[test]
fn the_contracts_own_examples_fit() {
    let schemas = Schemas::of_repository();
    let case = json!({
        "name": "t17", "args": ["601", "1"], "stdin": "text", "files": { "in.txt": { "file": "in" } },
        "env": {}, "stdout": "1\n", "status": 0
    });
    assert_eq!(schemas.violations("case.json", &case), Vec::<String>::new());
    let config: Value = toml::from_str(
        "[build]\nsources = [\"tcas.c\"]\nflags = [\"-lm\"]\nexecutable = \"./tcas\"\n[tests]\nkind = \"script\"\ntimeout = \"10s\"\n",
    )
    .expect("it is TOML");
    assert_eq!(schemas.violations("config.json", &config), Vec::<String>::new());
    assert!(!schemas.violations("case.json", &json!({ "args": [] })).is_empty());
    assert!(!schemas.violations("config.json", &json!({ "tests": { "kind": "guess" } })).is_empty());
}
