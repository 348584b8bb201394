//! Catalogues of tiny programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use whydunit_catalogue::{Made, Mutant, Operator, Options, Selection, Subject, Use, examine, make, mutants};
use whydunit_suite::{Case, Config, Outcome, RunOptions, Suite, Test};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn tiny() -> PathBuf {
    folder("tiny")
}

/// A catalogue: the text of each file by its path.
type Catalogue = BTreeMap<String, String>;

fn catalogue(options: &Options) -> (Catalogue, Vec<Selection>) {
    let (files, made) = catalogue_of(&tiny(), options);
    (files, made.into_iter().map(|made| made.selection).collect())
}

fn catalogue_of(subjects: &Path, options: &Options) -> (Catalogue, Vec<Made>) {
    let out = tempfile::tempdir().expect("a folder");
    let subjects = Subject::all(subjects).expect("subjects");
    let made = make(&subjects, out.path(), options).expect("a catalogue");
    let mut files = Catalogue::new();
    for folder in fs::read_dir(out.path()).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        for path in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let name = path.strip_prefix(out.path()).expect("it is inside").display().to_string();
            files.insert(name, fs::read_to_string(&path).expect("text"));
        }
    }
    (files, made)
}

fn truth(files: &Catalogue, name: &str) -> Value {
    serde_json::from_str(&files[&format!("{name}/truth.json")]).expect("JSON")
}

#[test]
fn faults_are_applied_and_their_truth_is_told() {
    let (files, _) = catalogue(&Options { faults: true, ..Options::default() });
    let expected =
        serde_json::json!({ "fault": [{ "file": "sum.c", "line": 27 }], "kind": "constant", "use": "final" });
    assert_eq!(truth(&files, "sum-limit"), expected);
    assert!(files["sum-limit/sum.c"].lines().nth(26).expect("the line").contains("11"));
    assert!(!files["sum-not-negated/sum.c"].contains("-sum"));
    for name in ["cases.jsonl", "whydunit.toml"] {
        assert_eq!(
            files[&format!("sum-limit/{name}")],
            fs::read_to_string(tiny().join("sum").join(name)).expect("text")
        );
    }
    let (files, _) = catalogue(&Options { faults: true, purpose: Some(Use::Development), ..Options::default() });
    let truths: Vec<_> = files.keys().filter(|name| name.ends_with("truth.json")).collect();
    assert_eq!(truths, ["sum-not-negated/truth.json"]);
}

#[test]
fn the_same_seed_gives_the_same_mutants() {
    let options = Options { mutants: 4, seed: 7, ..Options::default() };
    let (files, selections) = catalogue(&options);
    assert_eq!((files.clone(), selections.clone()), catalogue(&options));
    assert_ne!(files, catalogue(&Options { seed: 8, ..options }).0);
    for selection in &selections {
        assert_eq!(selection.taken, 4);
        assert_eq!(selection.tried, selection.broken + selection.survived + selection.taken);
        assert!(selection.tried <= selection.all);
    }
    // Those of each use are the ones of a catalogue with both.
    let (development, _) = catalogue(&Options { purpose: Some(Use::Development), ..options });
    let (last, _) = catalogue(&Options { purpose: Some(Use::Final), ..options });
    assert_eq!(development.len(), last.len());
    let both: Catalogue = development.into_iter().chain(last).collect();
    assert_eq!(files, both);
}

#[test]
fn a_mutant_differs_at_its_place() {
    let (files, _) = catalogue(&Options { mutants: 8, seed: 3, ..Options::default() });
    let mut seen = 0;
    for name in files.keys().filter_map(|name| name.strip_suffix("/truth.json")) {
        let place = &truth(&files, name)["fault"][0];
        let (file, line) = (place["file"].as_str().expect("a file"), place["line"].as_u64().expect("a line"));
        let program = name.split('-').next().expect("a name");
        let right = fs::read_to_string(tiny().join(program).join(file)).expect("text");
        let wrong = &files[&format!("{name}/{file}")];
        assert_eq!(right.lines().count(), wrong.lines().count(), "{name}");
        let changed = (1..).zip(right.lines().zip(wrong.lines())).find(|(_, (a, b))| a != b).expect("a change").0;
        let deletion = truth(&files, name)["kind"] == "deletion";
        assert!(if deletion { changed != line } else { changed == line }, "{name}: {changed} {line}");
        seen += 1;
    }
    assert_eq!(seen, 16);
}

/// The changes of one kind, as `line: before -> after`.
fn changes(found: &[Mutant], source: &str, operator: Operator) -> Vec<String> {
    let shown = |mutant: &Mutant| {
        let line = source[..mutant.start].lines().count().max(1);
        format!("{line}: {} -> {}", &source[mutant.range()], mutant.text)
    };
    found.iter().filter(|mutant| mutant.operator == operator).map(shown).collect()
}

#[test]
fn every_operator_is_enumerated_and_macros_are_left_alone() {
    let folder = tiny().join("sum");
    let source = fs::read_to_string(folder.join("sum.c")).expect("text");
    let found = mutants(&folder, "sum.c").expect("mutants");
    let all = |operator| changes(&found, &source, operator);
    let at = |operator, line: u32| {
        let here = format!("{line}: ");
        all(operator).iter().filter_map(|change| change.strip_prefix(&here)).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(at(Operator::Relational, 28), ["< -> !=", "< -> <=", "< -> ==", "< -> >", "< -> >="]);
    assert_eq!(at(Operator::Arithmetic, 31), ["+ -> %", "+ -> *", "+ -> -", "+ -> /"]);
    assert_eq!(all(Operator::Connector), ["14: && -> ||", "24: && -> ||"]);
    assert_eq!(at(Operator::Negation, 28), ["sum < 0 -> !(sum < 0)"]);
    assert_eq!(at(Operator::Constant, 27), ["10 -> 0", "10 -> 1", "10 -> 11", "10 -> 9"]);
    assert_eq!(all(Operator::Deletion).len(), 5);
    assert_eq!(at(Operator::Deletion, 13), ["calls++; -> "]);
    assert_eq!(at(Operator::Deletion, 25), ["values[i] = atoi(argv[i]); -> ;"]);
    assert_eq!(at(Operator::Variable, 13), ["calls -> limit", "calls -> most", "calls -> value"]);
    assert_eq!(at(Operator::Minus, 29), ["- -> ", "sum -> (-sum)"]);
    assert_eq!(at(Operator::Index, 27), ["i -> (i) + 1", "i -> (i) - 1"]);
    assert_eq!(at(Operator::Assignment, 27), ["+= -> -=", "+= -> ="]);
    assert_eq!(at(Operator::Assignment, 13), ["++ -> --"]);
    // Neither the macros' texts nor their uses, nor the initial value of what is static.
    for mutant in &found {
        let text = &source[mutant.range()];
        assert!(!text.contains("FIRST") && !text.contains("NEXT") && text != "100", "{mutant:?}");
        let line = source[..mutant.start].lines().count();
        assert!(line > 10, "{mutant:?}");
    }
}

#[test]
fn a_deleted_statement_is_known_by_what_is_next_to_it() {
    let found = mutants(&tiny().join("sum"), "sum.c").expect("mutants");
    let deletions = found.iter().filter(|mutant| mutant.operator == Operator::Deletion);
    let lines: Vec<&[u32]> = deletions.map(|mutant| &mutant.lines[..]).collect();
    // After a declaration; the only one after a condition, without braces, twice, and with them; at the end.
    assert_eq!(lines, [&[11, 14][..], &[24], &[26], &[28], &[28, 32]]);
}

#[test]
fn mistakes_in_a_fault_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = |from: &str| fs::read_to_string(tiny().join("sum").join(from)).expect("text");
    for name in ["sum.c", "cases.jsonl", "whydunit.toml"] {
        fs::write(folder.path().join(name), copy(name)).expect("a file");
    }
    fs::create_dir(folder.path().join("faults")).expect("a folder");
    let patch = copy("faults/limit.patch");
    for (old, new, message) in [
        ("kind: constant\n", "", "`kind: …`"),
        ("use: final", "use: later", "`use: later` is unknown"),
        ("sum.c:27", "sum.c", "`sum.c` is no place"),
        ("sum.c:27", "sum.c:99", "there is nothing at sum.c:99"),
        ("/sum.c", "/other.c", "no file `other.c`"),
        ("i < argc", "i > argc", "it does not apply"),
    ] {
        fs::write(folder.path().join("faults/limit.patch"), patch.replace(old, new)).expect("a file");
        let result = Subject::load(folder.path()).and_then(|subject| subject.faults[0].apply(&subject.files));
        let error = result.expect_err(message).to_string();
        assert!(error.contains(message) && error.contains("limit.patch"), "{error}");
    }
}

/// The cases of a table.
fn cases(text: &str) -> Vec<Case> {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), text).expect("a file");
    Case::read_all(file.path()).expect("cases")
}

/// What is held out stands beside every fault of a program, the same for all; the right program passes it, no case of it is one of
/// the suite, and of a fault some of it fails.
#[test]
fn cases_that_the_suite_does_not_have_are_held_out() {
    let options = Options { faults: true, mutants: 2, held_out: 30, ..Options::default() };
    let (files, made) = catalogue_of(&tiny(), &options);
    let (again, _) = catalogue_of(&tiny(), &options);
    let held_out = |files: &Catalogue| -> Catalogue {
        files
            .iter()
            .filter(|(name, _)| name.ends_with("/held-out.jsonl"))
            .map(|(n, t)| (n.clone(), t.clone()))
            .collect()
    };
    assert_eq!(held_out(&files), held_out(&again));
    assert!(made.iter().all(|made| made.held_out == 30), "{made:?}");
    let folders = files.keys().filter(|name| name.ends_with("/truth.json")).count();
    assert_eq!((held_out(&files).len(), folders), (6, 6));
    assert_eq!(files["sum-limit/held-out.jsonl"], files["sum-not-negated/held-out.jsonl"]);
    let found = cases(&files["sum-limit/held-out.jsonl"]);
    let own = cases(&files["sum-limit/cases.jsonl"]);
    assert_eq!(found.len(), 30);
    assert!(found.iter().all(|case| case.stdout.is_some() && case.status.is_some()));
    assert!(found.iter().all(|case| own.iter().all(|own| own.args != case.args || own.stdin != case.stdin)));
    // The subject passes what is held out, its fault does not.
    let mut subject = Subject::load(&tiny().join("sum")).expect("a subject");
    subject.suite.tests = found.into_iter().map(Test::Case).collect();
    let fault = subject.faults.iter().find(|fault| fault.name == "limit").expect("a fault");
    let failing = examine(&subject, fault).expect("it compiles").failing.len();
    assert!((1..30).contains(&failing), "{failing}");
    let (without, _) = catalogue(&Options { faults: true, mutants: 2, ..Options::default() });
    assert_eq!(held_out(&without), Catalogue::new());
}

/// A program of Rust has its faults and cases that are held out, and no mutants.
#[test]
fn programs_of_rust_have_faults_only() {
    let options = Options { faults: true, mutants: 3, held_out: 20, ..Options::default() };
    let (files, made) = catalogue_of(&folder("rust"), &options);
    assert_eq!((made[0].faults, made[0].mutants, made[0].held_out), (1, 0, 20));
    assert_eq!(made[0].selection, Selection::default());
    assert_eq!(truth(&files, "evens-last")["fault"][0], serde_json::json!({ "file": "evens.rs", "line": 12 }));
    assert_eq!(cases(&files["evens-last/held-out.jsonl"]).len(), 20);
    let subject = Subject::load(&folder("rust").join("evens")).expect("a subject");
    assert_eq!(examine(&subject, &subject.faults[0]).expect("it compiles").failing, ["some"]);
}

/// A program of C++ with inputs with which it crashes, does not end, prints no text or too much, and prints what nobody knows.
#[test]
fn what_a_program_does_not_do_each_time_is_not_held_out() {
    let (files, made) = catalogue_of(&folder("cpp"), &Options { faults: true, held_out: 40, ..Options::default() });
    assert_eq!((made[0].held_out, made[0].faults), (40, 1));
    let found = cases(&files["moods-late/held-out.jsonl"]);
    let of = |mood: &str| found.iter().filter(|case| case.args.first().is_some_and(|arg| arg == mood)).count();
    for mood in ["crash", "hang", "bytes", "much", "pid", "uninitialised", "overflow"] {
        assert_eq!(of(mood), 0, "{mood}");
    }
    assert!(of("count") > 0 && of("exit") > 0);
    let project = tempfile::tempdir().expect("a folder");
    for (name, text) in &files {
        fs::write(project.path().join(name.rsplit('/').next().expect("a name")), text).expect("a file");
    }
    let right = fs::read_to_string(folder("cpp").join("moods/moods.cpp")).expect("text");
    fs::write(project.path().join("moods.cpp"), right).expect("a file");
    let config = fs::read_to_string(project.path().join("whydunit.toml")).expect("text");
    let config = config.replace("cases.jsonl", "held-out.jsonl");
    let compiled = std::process::Command::new("clang++-22")
        .args(["-std=c++17", "-w", "-o", "moods", "moods.cpp"])
        .current_dir(project.path())
        .status();
    assert!(compiled.expect("clang starts").success());
    let config = Config::parse(&project.path().join("whydunit.toml"), &config).expect("a configuration");
    let results =
        Suite::load(&config, &whydunit_process::Cancel::new()).expect("a suite").run(&RunOptions::default(), &|_| {});
    let wrong: Vec<_> = results.iter().filter(|result| result.outcome != Outcome::Pass).collect();
    assert_eq!((results.len(), wrong), (40, Vec::new()));
}
