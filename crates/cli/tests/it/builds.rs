//! What builds ask for that a captured copy cannot be, and builds of other makes: found out, refused by name, or told.

use crate::support::project::{Project, notes};

/// A project of one source and one case, with this Makefile.
fn of_makefile(makefile: &str, source: &str, stdout: &str) -> Project {
    let project = Project::new();
    project.write("Makefile", makefile);
    project.write("p.c", source);
    project.write("cases.jsonl", &format!("{{\"name\": \"one\", \"stdout\": {stdout:?}}}\n"));
    project
}

#[test]
fn compilers_that_a_makefile_names_by_their_path_are_found_by_name() {
    let makefile = "CC := /usr/bin/cc -std=gnu11\np: p.c\n\t$(CC) -g -o p p.c\n";
    let project = of_makefile(makefile, "#include <stdio.h>\nint main(void) { puts(\"here\"); return 0; }\n", "here\n");
    let (status, built, errors) = project.json(&["build"]);
    assert_eq!((status, &built["units"]), (0, &1.into()), "{errors}");
    assert!(errors.contains("make CC=cc"), "{errors}");
    let (status, recorded, errors) = project.json(&["record", "one"]);
    assert_eq!((status, recorded["recordings"].as_array().map(Vec::len)), (0, Some(1)), "{errors}");
}

#[test]
fn threads_by_pragmas_are_refused_by_name_and_run_as_they_were_built_beside_what_is_captured() {
    let project = Project::new();
    let parallel = "#pragma omp parallel for num_threads(3)\n    for (int i = 0; i < n; i++)\n        add(i);\n";
    project.write("all.c", &format!("void add(int i);\nvoid all(int n) {{\n{parallel}}}\n"));
    let main = "#include <stdio.h>\nvoid all(int n);\nstatic int sum;\nvoid add(int i) { __atomic_fetch_add(&sum, i, __ATOMIC_SEQ_CST); }\n\
                int main(void) {\n    all(10);\n    printf(\"%d\\n\", sum);\n    return 0;\n}\n";
    project.write("main.c", main);
    project.write("Makefile", "CFLAGS = -g -fopenmp\np: main.o all.o\n\t$(CC) $(CFLAGS) -o p main.o all.o\n");
    project.write("cases.jsonl", "{\"name\": \"ten\", \"stdout\": \"45\\n\"}\n");
    let (status, built, errors) = project.json(&["build"]);
    assert_eq!((status, &built["units"]), (0, &1.into()), "{errors}");
    assert!(built["notes"].to_string().contains("all.c is not captured: its threads are made by OpenMP"), "{built}");
    let (status, recorded, errors) = project.json(&["record", "ten"]);
    assert_eq!((status, recorded["tests"][0]["outcome"].as_str()), (0, Some("pass")), "{errors}");
    let (status, replayed, errors) =
        project.json(&["replay", recorded["recordings"][0]["path"].as_str().expect("a recording")]);
    assert_eq!((status, replayed["divergence"].is_null()), (0, true), "{errors}");
}

#[test]
fn a_test_that_only_the_captured_copy_fails_is_told_as_that() {
    let source = "#include <stdio.h>\nint main(void) {\n#ifdef _OPENMP\n    puts(\"several\");\n#else\n    puts(\"one\");\n#endif\n    return 0;\n}\n";
    let project = of_makefile("p: p.c\n\tgcc -fopenmp -g -o p p.c\n", source, "several\n");
    let (status, located, errors) = project.json(&["locate"]);
    assert_eq!(status, 0, "{errors}");
    assert!(located["findings"].as_array().is_some_and(Vec::is_empty), "{located}");
    let notes = notes(&located);
    assert!(notes.contains("pass as they are built and fail only in the copy"), "{notes}");
    assert!(notes.contains("no test fails"), "{notes}");
}

#[test]
fn the_tests_of_a_crate_for_procedural_macros_run() {
    let project = Project::new();
    for folder in ["user/src", "macros/src"] {
        std::fs::create_dir_all(project.path(folder)).expect("a folder");
    }
    project.write("Cargo.toml", "[workspace]\nmembers = [\"macros\", \"user\"]\nresolver = \"2\"\n");
    let package = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{rest}")
    };
    project.write("macros/Cargo.toml", &package("macros", "[lib]\nproc-macro = true\ndoctest = false\n"));
    project.write(
        "user/Cargo.toml",
        &package("user", "[lib]\ndoctest = false\n[dependencies]\nmacros = { path = \"../macros\" }\n"),
    );
    let tests = |body: &str| {
        format!("#[cfg(test)]\nmod tests {{\n    #[test]\n    fn holds() {{\n        {body}\n    }}\n}}\n")
    };
    let seven = "use proc_macro::TokenStream;\n#[proc_macro]\npub fn seven(_: TokenStream) -> TokenStream { \"7\".parse().unwrap() }\n";
    project.write("macros/src/lib.rs", &format!("{seven}{}", tests("assert_eq!(3 + 4, 7);")));
    project.write("user/src/lib.rs", &tests("assert_eq!(macros::seven!(), 7);"));
    let (status, tested, errors) = project.json(&["test"]);
    let mut names: Vec<&str> =
        tested["tests"].as_array().into_iter().flatten().filter_map(|test| test["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!((status, names), (0, vec!["macros tests::holds", "user tests::holds"]), "{errors}");
}

/// A library whose test is built where this option is on, which is off.
fn that_has_a_test_by_option(option: &str) -> Project {
    let project = Project::new();
    let tests = format!("if({option})\n  add_executable(t t.c)\n  add_test(NAME t COMMAND t)\nendif()\n");
    project.write(
        "CMakeLists.txt",
        &format!(
            "cmake_minimum_required(VERSION 3.10)\nproject(small C)\nenable_testing()\noption({option} \"tests\" OFF)\n\
             add_library(small STATIC small.c)\n{tests}"
        ),
    );
    project.write("small.c", "int small(void) { return 1; }\n");
    project.write("t.c", "int main(void) { return 0; }\n");
    project
}

#[test]
fn an_option_that_tests_need_is_turned_on() {
    let project = that_has_a_test_by_option("SMALL_TESTS");
    let (status, answer, errors) = project.json(&["test"]);
    assert_eq!((status, &answer["tests"][0]["outcome"]), (0, &"pass".into()), "{errors}");
    let (status, recorded, errors) = project.json(&["record", "t"]);
    assert_eq!((status, recorded["recordings"].as_array().map(Vec::len)), (0, Some(1)), "{errors}");
}

#[test]
fn options_that_keep_special_tests_out_of_a_build_are_named() {
    let project = that_has_a_test_by_option("SMALL_SLOW_TESTS");
    // A library alone is built once; the second time there is nothing to do.
    for _ in 0..2 {
        let (status, _, errors) = project.json(&["test"]);
        assert_eq!(status, 2, "{errors}");
        assert!(errors.contains("the suite has no tests") && errors.contains("-DSMALL_SLOW_TESTS=ON"), "{errors}");
    }
    assert_eq!(project.json(&["build"]).0, 0);
    let (status, _, errors) = project.json(&["locate"]);
    assert!(status == 2 && errors.contains("-DSMALL_SLOW_TESTS=ON"), "{status} {errors}");
}

/// A project whose build runs its tests, as that of many a small project does: two tests in one program that ends a test
/// by a jump, and says how many failed.
fn that_runs_its_tests() -> Project {
    let project = Project::new();
    project.write("words.h", "int words(const char *text);\n");
    let words = "#include \"words.h\"\nint words(const char *text) {\n    int count = text[0] != 0;\n    for (; *text; text++)\n\
                 \x20       if (*text == 'q')\n            count++;\n    return count;\n}\n";
    project.write("words.c", words);
    let check = r#"#include <setjmp.h>
#include <stdio.h>
#include "words.h"
static jmp_buf out;
static int failures;
static void expect(int want, int got) {
    if (want != got) {
        printf("FAIL: expected %d, was %d\n", want, got);
        failures++;
        longjmp(out, 1);
    }
}
static void one(void) { expect(1, words("one")); }
static void three(void) { expect(3, words("here are three")); }
static void run(void (*test)(void)) {
    if (setjmp(out) == 0)
        test();
}
int main(void) {
    run(one);
    run(three);
    return failures;
}
"#;
    project.write("test_words.c", check);
    project.write(
        "Makefile",
        "all: test\ntest: words\n\t@./words\nwords: test_words.c words.c words.h\n\t$(CC) -g -o words test_words.c words.c\n",
    );
    project
}

#[test]
fn a_build_that_runs_failing_tests_is_taken_as_built() {
    let project = that_runs_its_tests();
    let (status, answer, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    assert!(
        errors.contains("nothing that it compiled or linked failed") && errors.contains("expected 3, was 1"),
        "{errors}"
    );
    // Trial runs go on behind the jumps that end failing tests, and try what the constant is compared with.
    let first = answer["findings"][0].to_string();
    assert!(first.contains("words.c") && first.contains("had 32 in the place of 113"), "{first}\n{errors}");
}

#[test]
fn a_build_of_which_something_does_not_compile_or_is_old_is_none() {
    let project = that_runs_its_tests();
    project.edit("words.c", "return count;", "return count");
    let failed = |project: &Project| {
        let (status, _, errors) = project.json(&["locate"]);
        assert_eq!(status, 3, "{errors}");
        assert!(errors.contains("the build failed"), "{errors}");
    };
    failed(&project);
    // The program is there now, and then it is that of other sources.
    project.edit("words.c", "return count", "return count;");
    assert_eq!(project.json(&["build"]).0, 0);
    // Nothing is made by one that fails before.
    project.edit("Makefile", "all: test", "all: absent test");
    let (status, _, errors) = project.json(&["build"]);
    assert_eq!((status, errors.contains("the build failed")), (3, true), "{errors}");
    project.edit("Makefile", "all: absent test", "all: test");
    assert_eq!(project.json(&["build"]).0, 0);
    project.edit("Makefile", "words: test_words.c", "words: absent test_words.c");
    project.edit("words.c", "'q'", "' '");
    failed(&project);
}
