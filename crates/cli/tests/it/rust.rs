//! Rust through cargo, without any configuration: where tests fail and why, and where the fault is.

use crate::suites::made_units;
use crate::support::project::Project;
use serde_json::Value;

/// Tests, and of their failure points: kind, line, and what should have held.
const FAILURES: &[(&str, &str, u64, &str)] = &[
    ("middle_comes_first", "assertion", 75, "left == right (left: 1, right: 2)"),
    ("overflow", "panic", 21, "the difference does not overflow"),
    ("bounds", "panic", 25, "the index is inside of the length"),
    ("nothing_there", "panic", 29, "the option has a value"),
    ("no_number", "panic", 33, "the result is Ok"),
    ("by_zero", "panic", 37, "the divisor is not 0"),
    ("said_by_the_program", "panic", 44, ""),
    ("condition", "assertion", 117, "word.len() > 2"),
];

#[test]
fn panics_are_failure_points_at_the_line_of_the_project() {
    let project = Project::of("crate");
    for (test, kind, line, predicate) in FAILURES {
        let (status, recorded, errors) = project.json(&["record", &format!("tests::{test}")]);
        assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &"fail".into()), "{test}: {errors}");
        let (status, replayed, errors) = project.json(&["replay"]);
        assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{test}: {errors}");
        let (_, shown, errors) = project.json(&["show"]);
        let failure = &shown["failure"];
        assert_eq!(failure["kind"], *kind, "{test}: {failure:#} {errors}");
        assert_eq!(failure["location"]["line"], *line, "{test}: {failure:#}");
        assert_eq!(failure["location"]["file"], "src/lib.rs", "{test}: {failure:#}");
        assert_eq!(failure["predicate"].as_str().unwrap_or(""), *predicate, "{test}: {failure:#}");
        let message = failure["message"].as_str().unwrap_or("");
        assert!(message.starts_with("panic: "), "{test}: {message}");
        // Slices, strings and numbers as one writes them.
        let variable = |name: &str| failure["variables"][name].as_str().unwrap_or("").to_owned();
        match *test {
            "bounds" => assert_eq!(variable("list"), "[1, 2]", "{failure:#}"),
            "nothing_there" => assert_eq!(variable("text"), "\"  \"", "{failure:#}"),
            "overflow" => assert_eq!((variable("a"), variable("b")), ("3".into(), "5".into()), "{failure:#}"),
            _ => {}
        }
    }
    for (test, outcome) in [("panics_as_it_should", "pass"), ("does_not_panic", "fail"), ("gives_an_error", "fail")] {
        let (status, recorded, errors) = project.json(&["record", &format!("tests::{test}")]);
        assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &outcome.into()), "{test}: {errors}");
        let (status, replayed, errors) = project.json(&["replay"]);
        assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{test}: {errors}");
        let (status, shown, errors) = project.json(&["show"]);
        assert!(status <= 1 && shown["failure"]["kind"] != "panic", "{test}: {shown:#} {errors}");
    }
    assert!(!project.path("target").exists(), "cargo's own folder was touched");
}

#[test]
fn the_fault_of_a_crate_is_located() {
    let project = Project::of("crate");
    let (status, located, errors) = project.json(&["locate", "tests::middle_comes_first"]);
    assert_eq!(status, 1, "{errors}");
    let first = &located["findings"][0];
    assert_eq!(
        (&first["location"]["file"], &first["location"]["line"]),
        (&"src/lib.rs".into(), &10.into()),
        "{first:#}"
    );
    assert_eq!(first["function"], "small::middle");
    // The test itself is not suspected, unless that is asked for.
    let of_tests = |answer: &Value| {
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        findings.iter().any(|finding| finding["function"].as_str().is_some_and(|name| name.contains("tests::")))
    };
    assert!(!of_tests(&located), "{located:#}");
    let (_, with_tests, _) =
        project.json(&["locate", "tests::middle_comes_first", "--method", "ochiai", "--test-code"]);
    assert!(of_tests(&with_tests), "{with_tests:#}");
}

/// To list its tests cargo builds what has changed: that must not happen beside the capture.
#[test]
fn showing_a_run_of_a_project_that_has_changed_leaves_the_build_to_who_captures_it() {
    let project = Project::of("crate");
    let test = "tests::middle_comes_first";
    let (_, recorded, errors) = project.json(&["record", test]);
    assert!(recorded["recordings"].is_array(), "{errors}");
    project.edit("src/lib.rs", "\n", "\n ");
    let (status, _, errors) = project.json(&["show"]);
    assert_eq!(status, 0, "{errors}");
    let (status, located, errors) = project.json(&["locate", test]);
    assert_eq!(status, 1, "{errors}");
    assert_eq!(located["findings"][0]["function"], "small::middle");
}

/// What the library has compiled already (its allocator, a vector of bytes that grows, copies of texts) is computed in trial
/// runs, which could not go on past it otherwise.
#[test]
fn a_fault_before_vectors_and_texts_is_located() {
    let project = Project::of("initials");
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let first = &located["findings"][0];
    assert_eq!(
        (&first["location"]["file"], &first["location"]["line"]),
        (&"src/lib.rs".into(), &7.into()),
        "{first:#}"
    );
    let changes = first["changes"].as_array().expect("changes");
    let mends = |change: &Value| change["failing_passed"] == 1 && change["passing"] == change["passing_kept"];
    assert!(changes.iter().any(mends), "{first:#}");
}

/// A program with cases, built by cargo without naming a machine.
#[test]
fn a_program_that_cargo_builds_where_it_likes_is_captured() {
    let project = Project::new();
    std::fs::create_dir(project.path("src")).expect("a folder");
    project.write("Cargo.toml", "[package]\nname = \"twice\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n");
    project.write("build.rs", "fn main() { println!(\"cargo:rerun-if-changed=build.rs\"); }\n");
    project.write(
        "src/main.rs",
        "fn main() {\n    let n: u8 = std::env::args().nth(1).unwrap().parse().unwrap();\n    std::process::exit(i32::from(n + n));\n}\n",
    );
    let cases =
        [(3, 6), (200, 0)].map(|(n, status)| format!("{{\"name\":\"{n}\",\"args\":[\"{n}\"],\"status\":{status}}}"));
    project.write("cases.jsonl", &cases.join("\n"));
    let build = "[build]\ncommand = \"cargo build --target-dir built\"\nexecutable = \"built/debug/twice\"\n";
    project.write("whydunit.toml", &format!("{build}[tests]\ncases = \"cases.jsonl\"\n"));
    let output = project.run(&["build"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("captured 1 translation unit"), "{said}");
    for case in ["3", "200"] {
        let (status, _, errors) = project.json(&["record", case]);
        assert_eq!(status, 0, "{case}: {errors}");
        let (status, replayed, errors) = project.json(&["replay"]);
        assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{case}: {errors}");
        assert_ne!(replayed["stats"]["instructions"], 0, "{case}: {replayed:#}");
    }
}

/// A crate of others lies in the folder of a registry: nothing of it is counted, and its code is there in trial runs.
#[test]
fn crates_that_cargo_has_got_are_recorded_and_not_counted() {
    let project = Project::new();
    let other = ".cargo/registry/src/index/scale-1.0.0";
    project.write("Cargo.toml", &format!("[package]\nname = \"area\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nscale = {{ path = \"{other}\" }}\n\n[workspace]\n"));
    project.write(
        &format!("{other}/Cargo.toml"),
        "[package]\nname = \"scale\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
    );
    project.write(
        &format!("{other}/src/lib.rs"),
        "#[inline(never)]\npub fn twice(x: u64) -> u64 {\n    let mut sum = 0;\n    for _ in 0..2 {\n        sum += x;\n    }\n    sum\n}\n",
    );
    project.write(
        "src/lib.rs",
        "pub mod sides {\n    pub fn around(a: u64, b: u64) -> u64 {\n        let half = a - b;\n        scale::twice(half)\n    }\n\n    \
         #[test]\n    fn of_a_line() {\n        assert_eq!(around(4, 0), 8);\n    }\n\n    #[test]\n    fn of_a_square() {\n        \
         let all = around(3, 3);\n        println!(\"around a square: {all}\");\n        assert_eq!(all, 12);\n    }\n}\n\n\
         /// ```\n/// assert_eq!(area::sides::around(1, 1), 4);\n/// ```\npub fn documented() {}\n",
    );
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    // Beside its tests in one module stands what they test; the test of the documentation runs nothing that was captured. What mends goes
    // through the other crate.
    let first = &located["findings"][0];
    assert_eq!((&first["location"]["line"], &first["verdict"]), (&3.into(), &"alone".into()), "{located:#}");
    assert_eq!((&first["counts"]["failed"], &first["counts"]["failed_total"]), (&1.into(), &1.into()), "{first:#}");
    let findings = located["findings"].as_array().into_iter().flatten();
    assert!(findings.map(|finding| &finding["function"]).all(|name| name != "scale::twice"), "{located:#}");
    let problems = located["problems"].to_string();
    assert!(problems.contains("not looked at, because they run no captured program: area::doc"), "{problems}");
    assert_eq!(made_units(&project, "spectrum"), 1);
}

/// A trial run that begins where the program has not read yet what the library has put in its text finds nothing there, and prints what
/// is expected whatever is changed: that tells nothing.
#[test]
fn a_run_that_passes_without_a_change_says_nothing_of_one() {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\nname = \"sum\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n");
    project.write(
        "src/main.rs",
        "use std::io::{self, BufRead, Read};\n\nfn scaled(line: &str, by: i64) -> Option<i64> {\n    \
         line.trim().parse::<i64>().ok().map(|n| n * by)\n}\n\nfn main() {\n    let mut first = String::new();\n    \
         io::stdin().lock().read_line(&mut first).unwrap();\n    let by = first.trim().len() as i64;\n    \
         let mut rest = String::new();\n    io::stdin().read_to_string(&mut rest).unwrap();\n    let mut sum = 0;\n    \
         for line in rest.lines() {\n        if let Some(n) = scaled(line, by) {\n            sum += n;\n        }\n    }\n    \
         println!(\"{sum}\");\n}\n",
    );
    project.write(
        "whydunit.toml",
        "[build]\ncommand = \"cargo build\"\nexecutable = \"target/debug/sum\"\n[tests]\ncases = \"cases.jsonl\"\n",
    );
    project.write(
        "cases.jsonl",
        "{\"name\":\"a\",\"stdin\":\"ab\\n1\\n2\\n3\\n\",\"stdout\":\"0\\n\",\"status\":0}\n\
         {\"name\":\"b\",\"stdin\":\"a\\n1\\n\",\"stdout\":\"1\\n\",\"status\":0}\n",
    );
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let findings = located["findings"].as_array().expect("findings");
    let of_line =
        |line: u64| findings.iter().find(move |finding| finding["location"]["line"] == line).expect("a finding");
    // Where the lines of the rest end only the library has looked.
    assert!(of_line(16)["verdict"] != "excluded" && of_line(19)["sets"][0].is_u64(), "{located:#}");
    // That the text is read is right, and what the sum begins with would have to be what takes the rest away.
    let read = of_line(12);
    assert!(read["sets"].as_array().is_some_and(Vec::is_empty) && read["verdict"] != "alone", "{read:#}");
    let begun = of_line(13)["witness"][0].as_str().expect("a witness");
    assert!(begun.starts_with("if `sum` were -12 instead of 0"), "{begun}");
    assert!(!located.to_string().contains("GLOBAL_PANIC_COUNT"), "{located:#}");
}

#[test]
fn trial_runs_go_through_searches_of_texts() {
    let project = Project::new();
    project
        .write("Cargo.toml", "[package]\nname = \"places\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n");
    project.write(
        "src/lib.rs",
        "pub fn places(text: &str, word: &str) -> usize {\n    let mut found = 0;\n    let mut rest = text;\n    \
         while let Some(at) = rest.find(word) {\n        found += 2;\n        rest = &rest[at + word.len()..];\n    }\n    \
         found\n}\n",
    );
    project.write(
        "tests/places.rs",
        "use places::places;\n\n#[test]\nfn none() {\n    assert_eq!(places(\"abc\", \"xy\"), 0);\n}\n\n#[test]\n\
         fn three() {\n    assert_eq!(places(\"xyaxybxy\", \"xy\"), 3);\n}\n",
    );
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let first = &located["findings"][0];
    assert!(first["location"]["line"] == 5 && first["verdict"] == "alone", "{located:#}");
}
