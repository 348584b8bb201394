//! Suites that tools list: found without a configuration, run, recorded, ranked by.

use std::os::unix::fs::PermissionsExt;

use crate::support::project::{self, Project, assert_one_message, names};

#[test]
fn a_meson_project_is_built_apart_and_its_tests_are_found() {
    let project = Project::of("suites/meson");
    let (status, tested, errors) = project.json(&["test", "--junit", "results.xml"]);
    assert_eq!((status, tested["tests"].as_array().map(Vec::len)), (1, Some(8)), "{errors}");
    for word in ["decided:", "because there is meson.build", "tests: those that meson lists", "`whydunit init`"] {
        assert!(errors.contains(word), "no `{word}` in: {errors}");
    }
    let results = project.read("results.xml");
    assert!(results.contains("<testcase name=\"negative\"") && results.contains("failures=\"2\""), "{results}");
    // Nothing of the build lies among the sources.
    std::fs::remove_file(project.path("results.xml")).expect("it is there");
    assert_eq!(names(project.folder()), [".whydunit", "meson.build", "tool.c"]);
    let (status, recorded, errors) = project.json(&["record", "--check", "negative"]);
    assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &"fail".into()), "{errors}");
    assert!(recorded["recordings"][0]["program"].to_string().contains("tool"), "{recorded:#}");
    let (status, located, errors) = project.json(&["locate", "negative", "--method", "ochiai"]);
    assert_eq!((status, located["tests"].as_array().map(Vec::len)), (1, Some(8)), "{errors}");
    assert_eq!(located["findings"][0]["location"]["file"], "tool.c", "{located:#}");
    let (status, listed, errors) = project.json(&["test", "--list", "twice"]);
    assert_eq!((status, listed["names"].as_array().map(Vec::len)), (0, Some(2)), "{errors}");
    // What was decided, written down, gives the same.
    assert_eq!(project.run(&["init"]).status.code(), Some(0));
    assert!(project.read("whydunit.toml").contains("kind = \"meson\""));
    let (status, again, errors) = project.json(&["test"]);
    assert_eq!((status, again["tests"].as_array().map(Vec::len)), (1, Some(8)), "{errors}");
    project.assert_clean();
}

#[test]
fn tests_of_cargo_run_and_are_recorded() {
    let project = Project::of("suites/cargo");
    let (status, tested, errors) = project.json(&["test"]);
    assert_eq!((status, tested["tests"].as_array().map(Vec::len)), (1, Some(9)), "{errors}");
    assert!(!project.path("target").exists());
    let (status, listed, errors) = project.json(&["test", "--list", "whole"]);
    assert_eq!((status, listed["names"].as_array().map(Vec::len)), (0, Some(2)), "{errors}");
    for (test, outcome) in [("tests::odd", "fail"), ("tests::panics", "pass"), ("halves::whole even", "pass")] {
        let (status, recorded, errors) = project.json(&["record", "--check", test]);
        assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &outcome.into()), "{test}: {errors}");
        let (status, replayed, errors) = project.json(&["replay"]);
        assert_eq!((status, &replayed["divergence"]), (0, &serde_json::Value::Null), "{test}: {errors}");
        assert!(replayed["stats"]["instructions"].as_u64() > Some(50), "{test}: {replayed:#}");
    }
    let (status, located, errors) = project.json(&["locate", "--method", "ochiai", "tests::odd"]);
    let functions: Vec<_> = located["findings"].as_array().into_iter().flatten().map(|one| &one["function"]).collect();
    assert!(status == 1 && functions.iter().any(|name| **name == "halves::half"), "{functions:?} {errors}");
    assert!(!project.path("target").exists());
}

#[test]
fn tests_that_fail_at_times_are_kept_apart() {
    let project = Project::of("single");
    project.write("loose.sh", "n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n; exit $((n % 2))\n");
    let tests = "[tests]\nkind = \"script\"\ncommand = [\"true\", \"sh loose.sh\"]\n";
    project.write("whydunit.toml", &format!("[build]\nsources = [\"{}\"]\n{tests}", source(&project)));
    let (status, tested, errors) = project.json(&["test", "--repeat", "4"]);
    assert_eq!(status, 0, "{errors}");
    let told = |n: usize| {
        let test = &tested["tests"][n];
        (test["outcome"].to_string(), test["runs"].as_u64(), test["failures"].as_u64())
    };
    assert_eq!(told(0), ("\"pass\"".into(), Some(4), Some(0)), "{tested:#}");
    assert_eq!(told(1), ("\"flaky\"".into(), Some(4), Some(2)), "{tested:#}");
    let text = String::from_utf8(project.run(&["test", "--repeat", "2"]).stdout).expect("text");
    assert!(text.contains("flaky   sh loose.sh") && text.contains("failed 1 of 2 times"), "{text}");
}

/// The C file of a subject that has one.
fn source(project: &Project) -> String {
    names(project.folder()).into_iter().find(|name| name.ends_with(".c")).expect("a C file")
}

#[test]
fn builds_and_suites_that_cannot_be_had_are_one_message() {
    let project = Project::of("suites/meson");
    let failed = |status: i32, words: &[&str]| {
        let output = project.run(&["test"]);
        assert_eq!(output.status.code(), Some(status));
        assert_one_message(&String::from_utf8_lossy(&output.stderr), words);
    };
    project.edit("tool.c", "int best = 0;", "int best = nothing;");
    failed(3, &["nothing", "tool.c:8", "what to do: "]);
    project.edit("tool.c", "int best = nothing;", "int best = 0;");
    project.write("whydunit.toml", "[build]\nsources = [\"tool.c\"]\n[tests]\nkind = \"ctest\"\n");
    failed(2, &["no CMake build with tests is here", "`folder` in [tests]"]);
    project.write("whydunit.toml", "[build]\nsources = [\"tool.c\"]\n[tests]\nkind = \"gtest\"\n");
    failed(2, &["programs/tool: this program lists no tests", "of the kind that [tests] says"]);
}

#[test]
fn sources_that_cannot_be_written_are_built_elsewhere() {
    if we_are_root() {
        // Nothing keeps root from writing.
        return;
    }
    let project = Project::of("suites/meson");
    let cache = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(project.folder(), PermissionsExt::from_mode(0o555)).expect("it is ours");
    let output = project.command(project::WHYDUNIT).arg("test").env("XDG_CACHE_HOME", cache.path()).output();
    let output = output.expect("whydunit starts");
    std::fs::set_permissions(project.folder(), PermissionsExt::from_mode(0o755)).expect("it is ours");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("8 tests: 5 pass"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(names(project.folder()), ["meson.build", "tool.c"]);
}

fn we_are_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

/// How many units have been made for recording.
fn recorded_units(project: &Project) -> usize {
    made_units(project, "record")
}

/// How many units there are of a flavour.
pub fn made_units(project: &Project, flavour: &str) -> usize {
    let objects = project.path(&format!(".whydunit/flavours/{flavour}/objects"));
    let version = names(&objects).pop().expect("a folder for this version");
    let is_unit = |name: &&String| name.len() == 64 + ".o".len() && name.ends_with(".o");
    names(&objects.join(version)).iter().filter(is_unit).count()
}

#[test]
fn units_that_failing_tests_only_initialise_are_not_made_for_recording() {
    let project = Project::new();
    project.write(
        "shape.h",
        "struct Shape {\n    virtual ~Shape() {}\n    virtual int area(int w, int h) const {\n        return w + h;\n    }\n};\n\
         int other(int w);\n",
    );
    // Linked first, with the virtual functions of the header, which it calls before main is entered.
    project.write(
        "other.cpp",
        "#include \"shape.h\"\nstatic Shape shape;\nint other(int w) { const Shape *p = &shape; return p->area(w, 1); }\n\
         int early = other(3);\n",
    );
    project.write(
        "main.cpp",
        "#include <cstdio>\n#include <cstdlib>\n#include \"shape.h\"\nint main(int argc, char **argv) {\n    Shape *shape = new Shape;\n    \
         int n = argc == 3 ? shape->area(atoi(argv[1]), atoi(argv[2])) : other(5);\n    delete shape;\n    printf(\"%d\\n\", n);\n}\n",
    );
    project.write("Makefile", "prog: other.o main.o\n\t$(CXX) -o prog other.o main.o\n");
    let case = |name: &str, args: &str, out: u32| {
        format!("{{\"name\":\"{name}\",\"args\":{args},\"stdout\":\"{out}\\n\",\"status\":0}}\n")
    };
    let mut cases = case("wide", "[\"3\",\"4\"]", 12) + &case("other", "[]", 6);
    // Nearer than the other one: what these run is made as well.
    (0..10).for_each(|n| cases += &case(&format!("wide-square-{n}"), "[\"2\",\"2\"]", 4));
    project.write("cases.jsonl", &cases);
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let fault = |finding: &&serde_json::Value| {
        finding["location"]["file"] == "shape.h" && finding["location"]["line"] == 4 && finding["sets"][0].is_u64()
    };
    let findings = located["findings"].as_array().into_iter().flatten();
    assert!(findings.take(2).any(|finding| fault(&finding)), "{located:#}");
    assert_eq!(recorded_units(&project), 1);
    // What is asked for by name is made as a whole.
    let (status, recorded, errors) = project.json(&["record", "other"]);
    assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &"pass".into()), "{errors}");
    assert_eq!(recorded_units(&project), 2);
    let (status, why, errors) = project.json(&["why", "n", "at", "main.cpp:8"]);
    let lines: Vec<_> = why["steps"].as_array().into_iter().flatten().map(|step| &step["location"]["file"]).collect();
    assert!(status == 0 && lines.iter().any(|file| **file == "other.cpp"), "{why:#} {errors}");
}

#[test]
fn functions_that_only_other_tests_run_are_recorded_as_any_other() {
    let project = Project::new();
    let source = "#include <stdio.h>\n#include <string.h>\nstatic int largest(const int *of, int n) {\n    int best = 0;\n    for (int i = 0; i < \
                  n - 1; i++)\n        if (of[i] > best)\n            best = of[i];\n    return best;\n}\nstatic double mean(const int *of, int n) {\n    \
                  double sum = 0;\n    for (int i = 0; i < n; i++)\n        sum += of[i];\n    return sum / n;\n}\nint main(int argc, char **argv) {\n    \
                  int of[] = {3, 1, 8};\n    if (argc > 1 && !strcmp(argv[1], \"mean\"))\n        printf(\"%g\\n\", mean(of, 3));\n    else\n        \
                  printf(\"%d\\n\", largest(of, argc > 1 ? 2 : 3));\n    return 0;\n}\n";
    project.write("a.c", source);
    let cases = r#"{"name":"all","stdout":"8\n"}
{"name":"mean","args":["mean"],"stdout":"4\n"}
"#;
    project.write("cases.jsonl", cases);
    project.write("whydunit.toml", "[build]\nsources = [\"a.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    assert_eq!(located["findings"][0]["location"]["line"], 5, "{located:#}");
    let (status, recorded, errors) = project.json(&["record", "mean"]);
    assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &"pass".into()), "{errors}");
    let (status, replayed, errors) = project.json(&["replay", "mean"]);
    assert_eq!((status, &replayed["divergence"]), (0, &serde_json::Value::Null), "{errors}");
}

/// What runs behind the check is in a unit of its own, which the failing run never comes to.
#[test]
fn what_would_run_behind_the_failure_is_there_for_trial_runs() {
    let project = Project::new();
    project.write("largest.c", "int largest(const int *of, int n) {\n    int best = of[0];\n    for (int i = 1; i < n - 1; i++)\n        if (of[i] > best)\n            best = of[i];\n    return best;\n}\n");
    project.write("told.c", "#include <stdio.h>\nint told(int value) {\n    for (int i = 0; i < value; i++)\n        putchar('*');\n    putchar('\\n');\n    return value;\n}\n");
    let main = "#include <stdlib.h>\nint largest(const int *of, int n);\nint told(int value);\nint main(int argc, char **argv) {\n    int of[8], n = 0;\n    for (int i = 2; i < argc && n < 8; i++)\n        of[n++] = atoi(argv[i]);\n    if (largest(of, n) != atoi(argv[1]))\n        return 3;\n    return told(largest(of, n)) > 0 ? 0 : 1;\n}\n";
    project.write("main.c", main);
    let case = |name: &str, args: &str| format!("{{\"name\":\"{name}\",\"args\":[{args}],\"status\":0}}\n");
    let cases = case("last", "\"8\",\"3\",\"1\",\"8\"")
        + &case("first", "\"9\",\"9\",\"2\",\"4\"")
        + &case("middle", "\"7\",\"1\",\"7\",\"2\"")
        + &case("one", "\"5\",\"5\"");
    project.write("cases.jsonl", &cases);
    let config = "[build]\nsources = [\"largest.c\", \"told.c\", \"main.c\"]\n[tests]\ncases = \"cases.jsonl\"\n";
    project.write("whydunit.toml", config);
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let findings = located["findings"].as_array().into_iter().flatten();
    let is_fault =
        |finding: &&serde_json::Value| finding["location"]["file"] == "largest.c" && finding["location"]["line"] == 3;
    let fault = findings.take(3).find(is_fault).unwrap_or_else(|| panic!("{located:#}"));
    let change = &fault["changes"][0];
    assert_eq!((&change["failing_passed"], &change["passing_kept"]), (&1.into(), &3.into()), "{fault:#}");
}
