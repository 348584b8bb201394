//! Tools that are missing or of another version, projects that do not build, suites that cannot be listed, programs of
//! several languages, and programs that change what they stand on: one clear message, or it simply works.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::support::project::{Project, WHYDUNIT, answer, assert_one_message, names, notes};
use serde_json::Value;

/// Runs a command of ours with variables of the environment.
fn run_with(project: &Project, env: &[(&str, &str)], args: &[&str]) -> Output {
    project.command(WHYDUNIT).args(args).envs(env.iter().copied()).output().expect("whydunit starts")
}

/// It ends with this status and one message with these words; nothing half written is left.
fn assert_refused(project: &Project, output: &Output, status: i32, words: &[&str]) {
    let (got, _, errors) = answer(output);
    let errors: String = errors.split_inclusive('\n').skip_while(|line| !line.starts_with("error: ")).collect();
    assert_eq!(got, status, "{errors}");
    assert_one_message(&errors, words);
    project.assert_clean();
}

/// A program of shell, in a folder `tools` of the project.
fn tool(project: &Project, name: &str, script: &str) -> String {
    let path = project.path("tools").join(name);
    std::fs::create_dir_all(project.path("tools")).expect("a folder");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("it is ours");
    path.display().to_string()
}

/// The search path with the project's `tools` in front.
fn search(project: &Project) -> String {
    format!("{}:{}", project.path("tools").display(), std::env::var("PATH").expect("a search path"))
}

#[test]
fn a_clang_of_another_version_is_refused_before_anything_is_built() {
    let project = Project::of("single");
    let other = "echo 'Debian clang version 19.1.7 (3)'; exit 0";
    for (clang, words) in [
        (tool(&project, "other", other), &["tools/other is not clang 22: Debian clang version 19.1.7"][..]),
        (tool(&project, "silent", "exit 0"), &["silent is not clang 22: it says nothing"]),
        ("/nowhere/clang".into(), &["/nowhere/clang is not clang 22: it does not start", "No such file"]),
    ] {
        for command in [&["build"][..], &["test"], &["locate"], &["record", "four"]] {
            let refused = run_with(&project, &[("WHYDUNIT_CLANG", &clang)], command);
            assert_refused(&project, &refused, 3, words);
            assert_refused(&project, &refused, 3, &["apt-get install clang-22", "WHYDUNIT_CLANG"]);
        }
    }
    assert_eq!(names(&project.path(".whydunit/builds")), [""; 0], "a build began");
    assert_eq!(run_with(&project, &[], &["test"]).status.code(), Some(0));
}

#[test]
fn a_clang_of_another_version_in_the_search_path_is_named() {
    let project = Project::of("single");
    tool(&project, "clang-22", "echo 'Ubuntu clang version 23.0.0'");
    let mut command = project.command(WHYDUNIT);
    let refused = command.arg("build").env("PATH", search(&project)).env_remove("WHYDUNIT_CLANG").output();
    let words = &["tools/clang-22 is not clang 22: Ubuntu clang version 23.0.0", "install"];
    assert_refused(&project, &refused.expect("whydunit starts"), 3, words);
}

/// A search path with all programs of the usual folders but those that are called so.
fn search_without(project: &Project, missing: &[&str]) -> String {
    let tools = project.path("tools");
    std::fs::create_dir_all(&tools).expect("a folder");
    for folder in ["/usr/local/bin", "/usr/bin", "/bin"] {
        for name in names(Path::new(folder)).iter().filter(|name| !missing.iter().any(|bad| name.contains(bad))) {
            // The first of a name counts.
            let _ = symlink(Path::new(folder).join(name), tools.join(name));
        }
    }
    tools.display().to_string()
}

#[test]
fn without_a_compiler_of_its_own_a_project_is_told_so() {
    let project = Project::of("demo");
    let search = search_without(&project, &["cc", "gcc", "c99", "c89", "clang"]);
    let mut command = project.command(WHYDUNIT);
    let refused = command.arg("build").env("PATH", &search).env_remove("WHYDUNIT_CLANG").output();
    // Either there is no clang for us, or none for the project.
    let refused = refused.expect("whydunit starts");
    let (_, _, errors) = answer(&refused);
    let words = if errors.contains("clang 22") { ["clang-22", "install"] } else { ["make", "cc"] };
    assert_refused(&project, &refused, 3, &words);
}

/// A crate with a test that passes and one that fails.
fn small_crate() -> Project {
    let project = Project::new();
    std::fs::create_dir(project.path("src")).expect("a folder");
    project.write("Cargo.toml", "[package]\nname = \"twice\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n");
    let tests = "    #[test]\n    fn one() { assert_eq!(super::twice(1), 2); }\n    #[test]\n    fn two() { assert_eq!(super::twice(2), 5); }\n";
    let library = format!("pub fn twice(n: u8) -> u8 {{ n * 2 }}\n#[cfg(test)]\nmod tests {{\n{tests}}}\n");
    project.write("src/lib.rs", &library);
    project
}

/// A rustc of the past, which knows no unstable options.
fn old_rustc(project: &Project) -> String {
    let real = Command::new("rustup").args(["which", "rustc"]).output().ok().filter(|output| output.status.success());
    let real = real.map_or("rustc".into(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let refuses = r#"for word in "$@"; do case "$word" in -Z*) echo "error: unknown unstable option: \`$word\`" >&2; exit 1;; esac; done"#;
    let version =
        format!(r#"case "$*" in *-vV*) {real} "$@" | sed 's/^LLVM version: .*/LLVM version: 14.0.0/'; exit;; esac"#);
    tool(project, "rustc-of-old", &format!("{refuses}\n{version}\nexec {real} \"$@\""))
}

#[test]
fn an_unknown_rustc_leaves_a_suite_that_runs_and_says_why_nothing_is_captured() {
    let project = small_crate();
    let rustc = old_rustc(&project);
    let env = [("RUSTC", &*rustc)];
    let built = run_with(&project, &env, &["build"]);
    let said = String::from_utf8_lossy(&built.stdout).into_owned();
    assert_eq!(built.status.code(), Some(0), "{said}");
    for word in [
        "its tests can be run, and not recorded",
        "src/lib.rs",
        "but not with bitcode beside: error: unknown unstable option",
    ] {
        assert!(said.contains(word), "no `{word}` in: {said}");
    }
    let (status, tested, errors) = answer(&run_with(&project, &env, &["--format", "json", "test"]));
    assert_eq!((status, tested["tests"].as_array().map(Vec::len)), (1, Some(2)), "{errors}");
    let refused = run_with(&project, &env, &["record", "tests::two"]);
    assert_refused(&project, &refused, 2, &["nothing was recorded", "captured are none", "`whydunit build` says why"]);
    let located = run_with(&project, &env, &["locate"]);
    let said = String::from_utf8_lossy(&located.stdout).into_owned();
    assert!(said.contains("execute nothing that was captured") && said.contains("`whydunit build` says"), "{said}");
    // With one that is known it is recorded at once.
    let (status, recorded, errors) = project.json(&["record", "tests::two"]);
    assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &"fail".into()), "{errors}");
}

#[test]
fn a_linker_that_is_named_by_its_path_is_seen() {
    let project = small_crate();
    std::fs::create_dir(project.path(".cargo")).expect("a folder");
    let found = Command::new("sh").args(["-c", "command -v cc"]).output().expect("a compiler");
    let linker = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    project.write(".cargo/config.toml", &format!("[target.x86_64-unknown-linux-gnu]\nlinker = {linker:?}\n"));
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    assert_eq!(located["findings"][0]["location"]["line"], 1, "{located:#} {errors}");
}

#[test]
fn projects_that_do_not_build_say_what_the_compiler_said() {
    let broken = [
        (Project::of("mixed"), "twice.c", "n * 2 - 1", "twice.c:3", "make"),
        (Project::of("mixed"), "main.cpp", "n + 1", "main.cpp:12", "make"),
        (small_crate(), "src/lib.rs", "n * 2", "src/lib.rs:1", "cargo test --no-run"),
    ];
    for (project, file, expression, place, command) in broken {
        project.edit(file, expression, "nothing");
        for args in [&["build"][..], &["test"], &["record", "one"], &["locate"]] {
            let refused = run_with(&project, &[], args);
            let (status, _, errors) = answer(&refused);
            assert_eq!(status, 3, "{errors}");
            for word in ["error: the build failed", command, place, "nothing", "what to do: ", ".whydunit/builds"] {
                assert!(errors.contains(word), "no `{word}` in: {errors}");
            }
            // cargo counts what rustc says: once, although it is compiled twice then.
            assert!(!errors.contains("2 previous errors"), "{errors}");
            project.assert_clean();
        }
        assert_eq!(names(&project.path(".whydunit/links")), [""; 0], "{file}");
        project.edit(file, "nothing", expression);
        let (status, _, errors) = project.json(&["build"]);
        assert_eq!(status, 0, "{errors}");
    }
}

#[test]
fn a_suite_that_cannot_be_listed_is_one_message_with_the_tools_words() {
    let project = Project::of("single");
    project.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(twice C)\nenable_testing()\nadd_executable(twice twice.c)\nadd_test(NAME four COMMAND twice 4)\n",
    );
    std::fs::remove_file(project.path("cases.jsonl")).expect("it is there");
    let (status, _, errors) = project.json(&["build"]);
    assert_eq!(status, 0, "{errors}");
    tool(&project, "ctest", "echo 'CMake Error: no tests today' >&2; exit 1");
    let path = search(&project);
    for args in [&["test"][..], &["test", "--list"], &["record", "four"], &["locate"]] {
        let words =
            [".whydunit/build: the tests cannot be listed", "ctest", "exit status 1", "CMake Error: no tests today"];
        assert_refused(&project, &run_with(&project, &[("PATH", &path)], args), 2, &words);
    }
    tool(&project, "ctest", "echo 'no JSON'");
    assert_refused(&project, &run_with(&project, &[("PATH", &path)], &["test"]), 2, &["cannot be listed"]);
    assert_eq!(project.json(&["test"]).0, 0);
}

/// The library's headers that the capture changes are found, whatever stands in the folder where the build starts.
#[test]
fn files_named_as_headers_are_not_taken_for_them() {
    let overlay = |project: &Project| {
        let (status, _, errors) = project.json(&["build"]);
        assert_eq!(status, 0, "{errors}");
        project.read(".whydunit/faces/.headers.yaml").replace(&project.path("").display().to_string(), "")
    };
    let [plain, named] = [(); 2].map(|()| Project::of("single"));
    for name in ["list", "map", "sstream"] {
        named.write(name, "#error this is no header\n");
    }
    let wanted = overlay(&plain);
    assert!(wanted.contains("sstream"), "{wanted}");
    assert_eq!(overlay(&named), wanted);
}

/// Records a case and replays it without divergence or memory errors.
fn record(project: &Project, name: &str) {
    let (status, recorded, errors) = project.json(&["record", name]);
    assert_eq!(status, 0, "{name}: {errors}");
    let wanted = if matches!(name, "last" | "five") { "fail" } else { "pass" };
    assert_eq!(recorded["tests"][0]["outcome"], wanted, "{name}: {recorded:#}");
    let (status, replayed, errors) = project.json(&["replay", name]);
    assert_eq!((status, &replayed["divergence"]), (0, &Value::Null), "{name}: {errors}");
    assert!(replayed["stats"]["instructions"].as_u64() > Some(50), "{name}: {replayed:#}");
    assert!(!notes(&replayed).contains("stopped before"), "{name}: {replayed:#}");
    project.assert_clean();
}

#[test]
fn c_and_cpp_and_rust_in_one_link_are_recorded_and_the_fault_is_found_in_c() {
    let project = Project::of("mixed");
    let (status, built, errors) = project.json(&["build"]);
    assert_eq!((status, &built["units"]), (0, &3.into()), "{errors}");
    // What of Rust's library lies in the same archive is told in a word.
    let external = built["executables"][0]["external"].as_array().expect("a list");
    assert_eq!(external.len(), 1, "{external:?}");
    assert!(
        external[0].as_str().is_some_and(|text| text.contains("libadd.a(") && text.contains("members)")),
        "{external:?}"
    );
    for name in ["one", "five"] {
        record(&project, name);
    }
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let first = &located["findings"][0];
    assert!(first["code"].as_str().is_some_and(|code| code.contains("@fault")), "{first:#}");
    let files: Vec<&str> = located["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["location"]["file"].as_str())
        .collect();
    for file in ["twice.c", "main.cpp", "add.rs"] {
        assert!(files.contains(&file), "{files:?}");
    }
}

#[test]
fn programs_that_change_their_zone_folder_limits_and_code_are_recorded() {
    let project = Project::of("surroundings");
    let (status, tested, errors) = project.json(&["test"]);
    assert_eq!(status, 1, "{errors}");
    let failing = tested["tests"].as_array().into_iter().flatten().filter(|test| test["outcome"] != "pass");
    assert_eq!(failing.map(|test| test["name"].as_str()).collect::<Vec<_>>(), [Some("last")], "{tested:#}");
    for name in ["zone", "folder", "limits", "size", "outside", "first", "last"] {
        record(&project, name);
    }
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    assert!(located.to_string().contains("scale.cpp"), "what was loaded is looked into: {located:#}");
}
