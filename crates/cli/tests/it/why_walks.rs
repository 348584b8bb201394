//! Where `why` goes from a failure: to the line that is at fault, by steps that are true and say something.

use crate::support::project::Project;
use serde_json::Value;

/// Builds a program of one file, records it, and asks why it failed; the steps.
fn steps_of(project: &Project, build: &[&str], run: &[&str]) -> Vec<Value> {
    let (status, _, errors) = project.json(&[&["build", "--"], build].concat());
    assert_eq!(status, 0, "{errors}");
    let (status, _, errors) = project.json(&[&["record"], run].concat());
    assert_eq!(status, 0, "{errors}");
    let (status, answer, errors) = project.json(&["why"]);
    assert_eq!(status, 0, "{errors}");
    answer["steps"].as_array().expect("steps").clone()
}

fn at(step: &Value) -> (&str, u64) {
    (step["location"]["file"].as_str().unwrap_or_default(), step["location"]["line"].as_u64().unwrap_or_default())
}

/// The position of the first step at a line.
fn reached(steps: &[Value], place: (&str, u64)) -> usize {
    let found = steps.iter().position(|step| at(step) == place);
    found.unwrap_or_else(|| panic!("no step at {place:?} in {steps:#?}"))
}

/// Functions called as those of Unity: comparisons that do not hold begin their words by a call.
const UNITY: &str = "#include <setjmp.h>\n#include <stdio.h>\njmp_buf leave;\nint failures;\n\
    static void UnityTestResultsFailBegin(unsigned line) {\n    printf(\"%u:FAIL\", line);\n    failures++;\n}\n\
    void UnityAssertEqualNumber(long expected, long actual, unsigned line) {\n    if (expected != actual) {\n        \
    UnityTestResultsFailBegin(line);\n        longjmp(leave, 1);\n    }\n}\n";

#[test]
fn a_comparison_of_unity_that_does_not_hold_leads_to_what_was_computed() {
    let project = Project::new();
    project.write("unity.c", UNITY);
    let test = "#include <setjmp.h>\nextern jmp_buf leave;\nextern int failures;\n\
        void UnityAssertEqualNumber(long, long, unsigned);\nint twice(int n) {\n    return n * 3;\n}\n\
        static void test_twice(void) {\n    UnityAssertEqualNumber(8, twice(4), __LINE__);\n}\n\
        int main(void) {\n    if (!setjmp(leave))\n        test_twice();\n    return failures;\n}\n";
    project.write("test_twice.c", test);
    let steps = steps_of(&project, &["cc", "-g", "-o", "t", "test_twice.c", "unity.c"], &["--", "./t"]);
    assert_eq!(at(&steps[0]), ("test_twice.c", 9), "{steps:#?}");
    let returned = &steps[reached(&steps, ("test_twice.c", 6))];
    assert_eq!((&returned["value"], &returned["note"]), (&"12".into(), &"returned by twice".into()), "{steps:#?}");
}

/// A test program with checks of its own: it returns how many of them failed.
#[test]
fn a_status_that_main_returns_leads_to_the_check_that_failed() {
    let project = Project::new();
    let source = "#include <stdio.h>\nstatic int failed;\n#define CHECK(x) do { if (!(x)) { failed++; } } while (0)\n\
        static int largest(const int *v, int n) {\n    int best = v[0];\n    for (int i = 1; i < n - 1; i++)\n        \
        if (v[i] > best)\n            best = v[i];\n    return best;\n}\nint main(void) {\n    int v[] = { 3, 5, 9 };\n    \
        CHECK(largest(v, 2) == 3);\n    CHECK(largest(v, 3) == 9);\n    return failed;\n}\n";
    project.write("a.c", source);
    project.write(
        "whydunit.toml",
        "[build]\ncommand = \"cc -g -o a a.c\"\nexecutable = \"./a\"\n[tests]\ncases = \"c.jsonl\"\n",
    );
    project.write("c.jsonl", "{\"name\": \"all\", \"args\": [], \"status\": 0}\n");
    let steps = steps_of(&project, &["sh", "-c", "cc -g -o a a.c"], &["all"]);
    assert_eq!(at(&steps[0]), ("a.c", 15), "{steps:#?}");
    assert!(steps[reached(&steps, ("a.c", 14))]["variable"] != "", "{steps:#?}");
    let best = &steps[reached(&steps, ("a.c", 8))];
    assert_eq!((&best["variable"], &best["value"]), (&"best".into(), &"5".into()), "{steps:#?}");
}

/// What tests have of Catch2.
const CATCH: &str = "#pragma once\n#include <stdexcept>\nnamespace Catch {\nstruct AssertionInfo {\n    const char *texts[4];\n    \
        const char *expression;\n    unsigned long length;\n};\nstruct RunContext {\n    int failed = 0;\n    \
        void handleUnexpectedInflightException(AssertionInfo const &) { failed++; }\n};\n}\n#define REQUIRE(x) do { \
        Catch::AssertionInfo info = { { 0, 0, 0, 0 }, #x, sizeof #x - 1 }; try { if (!(x)) context.failed++; } catch (...) { \
        context.handleUnexpectedInflightException(info); } } while (0)\n";

#[test]
fn an_exception_that_makes_a_check_fail_leads_to_who_threw_it_and_why() {
    let project = Project::new();
    project.write("catch.hpp", CATCH);
    let test = "#include \"catch.hpp\"\nCatch::RunContext context;\nint area(int width, int height) {\n    \
        if (width < 1 || height <= 1)\n        throw std::domain_error(\"no area\");\n    return width * height;\n}\n\
        int main() {\n    REQUIRE(area(2, 3) == 6);\n    REQUIRE(area(2, 1) == 2);\n    return context.failed;\n}\n";
    project.write("a.cpp", test);
    let steps = steps_of(&project, &["c++", "-g", "-o", "a", "a.cpp"], &["--", "./a"]);
    assert_eq!(at(&steps[0]), ("a.cpp", 5), "{steps:#?}");
    let condition = &steps[reached(&steps, ("a.cpp", 4))];
    assert_eq!((&condition["condition"], &condition["value"]), (&"height <= 1".into(), &"true".into()), "{steps:#?}");
}

/// In Rust nearly every call may leave by a panic, and what comes behind it in a block still runs because of the condition before it. Both
/// words of a value that is returned in two registers come from where they were computed.
#[test]
fn conditions_hold_behind_calls_and_both_words_of_a_result_are_followed() {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\nname = \"p\"\nversion = \"1.0.0\"\nedition = \"2021\"\n");
    let library = "pub fn count(text: &str, wanted: usize) -> Option<usize> {\n    if text.len() != wanted {\n        \
        return None;\n    }\n    let mut count = 1;\n    for c in text.chars() {\n        if c.is_ascii_digit() {\n            \
        count += 2;\n        }\n    }\n    Some(count)\n}\n\n#[test]\nfn digits() {\n    \
        assert_eq!(count(\"a1b2\", 4), Some(3));\n}\n";
    project.write("src/lib.rs", library);
    let (status, _, errors) = project.json(&["record", "digits"]);
    assert_eq!(status, 0, "{errors}");
    let (status, answer, errors) = project.json(&["why"]);
    assert_eq!(status, 0, "{errors}");
    let steps = answer["steps"].as_array().expect("steps").clone();
    let added = &steps[reached(&steps, ("src/lib.rs", 8))];
    assert_eq!((&added["variable"], &added["value"]), (&"count".into(), &"5".into()), "{steps:#?}");
    reached(&steps, ("src/lib.rs", 5));
    reached(&steps, ("src/lib.rs", 7));
    for step in &steps {
        let text = |key: &str| step[key].as_str().unwrap_or_default();
        assert!(text("variable").parse::<i64>().is_err(), "a number is no name: {step:#}");
        assert!(!(text("kind") == "input" && text("value") == "0"), "the program's start is no value: {step:#}");
    }
}

/// A constant is the value of the parameter of the function that it was passed to, not of the one that got it from there.
#[test]
fn a_constant_that_is_passed_on_is_not_told_as_another_argument() {
    let project = Project::new();
    let source = "#include <stdlib.h>\nstatic int turned(int first, int by) {\n    return first + by;\n}\n\
        static void check(int by, int expected, int first) {\n    if (turned(first, by) != expected)\n        abort();\n}\n\
        int main(void) {\n    check(3, 9, 5);\n    return 0;\n}\n";
    project.write("a.c", source);
    let steps = steps_of(&project, &["cc", "-g", "-o", "a", "a.c"], &["--", "./a"]);
    reached(&steps, ("a.c", 3));
    for step in &steps {
        let told = (step["variable"].as_str().unwrap_or_default(), step["value"].as_str().unwrap_or_default());
        assert!(!matches!(told, ("by", value) if !["", "3"].contains(&value)), "{step:#}");
        assert!(!matches!(told, ("first", value) if !["", "5"].contains(&value)), "{step:#}");
    }
}

/// A value that stayed as it was leads to the condition that left out what would have changed it: in memory, through calls, and in a register.
#[test]
fn a_value_that_was_not_changed_leads_to_the_condition_that_kept_it() {
    let project = Project::new();
    let source = "#include <stdlib.h>\nstruct box { int full; int level; };\nstatic void fill(struct box *box, int by) {\n    box->level += by;\n}\n\
        static void pour(struct box *box, int by, int most) {\n    if (by < most)\n        fill(box, by);\n}\n\
        static int largest(const int *v, int n, int first) {\n    int best = first;\n    for (int i = 0; i < n; i++)\n        if (v[i] < 0)\n            \
        best = v[i];\n    return best;\n}\nint main(void) {\n    struct box box = { 0, 1 };\n    struct box other = { 0, 1 };\n    pour(&other, 2, 9);\n    \
        pour(&box, 4, 3);\n    int v[] = { 3, 5 };\n    if (box.level + largest(v, 2, abs(-2)) != 10)\n        abort();\n    return 0;\n}\n";
    project.write("a.c", source);
    let steps = steps_of(&project, &["cc", "-g", "-o", "a", "a.c"], &["--", "./a"]);
    let kept: Vec<&Value> = steps.iter().filter(|step| step["kind"] == "kept").collect();
    let told: Vec<(u64, &str, &str, &str)> = kept
        .iter()
        .map(|step| {
            let text = |key: &str| step[key].as_str().unwrap_or_default();
            (at(step).1, text("condition"), text("value"), text("note"))
        })
        .collect();
    assert!(told.contains(&(7, "by < most", "false", "else box.level may be set by line 8")), "{steps:#?}");
    assert!(told.contains(&(13, "v[i] < 0", "false", "else best may have another value")), "{steps:#?}");
    // What was left out for it is nothing of the other box.
    assert_eq!(told.iter().filter(|(line, ..)| *line == 7).count(), 1, "{steps:#?}");
    // From the condition the way goes on to what it was about.
    assert!(steps.iter().any(|step| at(step) == ("a.c", 21)), "{steps:#?}");
}

/// An exception of the library that makes a check fail, and a panic of `unwrap`: the walk goes on from what they were about.
#[test]
fn a_panic_of_unwrap_leads_to_where_the_error_is_from() {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\nname = \"p\"\nversion = \"1.0.0\"\nedition = \"2021\"\n");
    let library = "#[derive(Debug)]\npub enum Wrong {\n    Empty,\n    Long(usize),\n}\n\npub fn checked(text: &str, most: usize) -> Result<u8, Wrong> {\n    \
        if text.is_empty() {\n        return Err(Wrong::Empty);\n    }\n    if text.len() >= most {\n        return Err(Wrong::Long(text.len()));\n    }\n    \
        Ok(text.as_bytes()[0])\n}\n\n#[test]\nfn three() {\n    assert_eq!(checked(\"abc\", 3).unwrap(), b'a');\n}\n";
    project.write("src/lib.rs", library);
    let (status, _, errors) = project.json(&["record", "three"]);
    assert_eq!(status, 0, "{errors}");
    let (status, answer, errors) = project.json(&["why"]);
    assert_eq!(status, 0, "{errors}");
    let steps = answer["steps"].as_array().expect("steps").clone();
    assert_eq!(at(&steps[0]), ("src/lib.rs", 19), "{steps:#?}");
    let condition = &steps[reached(&steps, ("src/lib.rs", 11))];
    assert_eq!(
        (&condition["condition"], &condition["value"]),
        (&"text.len() >= most".into(), &"true".into()),
        "{steps:#?}"
    );
}

#[test]
fn an_exception_that_the_library_throws_leads_to_what_it_was_asked_for() {
    let project = Project::new();
    project.write("catch.hpp", CATCH);
    let test = "#include \"catch.hpp\"\n#include <vector>\nCatch::RunContext context;\nint last(const std::vector<int> &all, unsigned behind) {\n    \
        unsigned place = all.size() - behind;\n    return all.at(place);\n}\nint main() {\n    std::vector<int> all{1, 2, 3};\n    \
        REQUIRE(last(all, 1) == 3);\n    REQUIRE(last(all, 0) == 3);\n    return context.failed;\n}\n";
    project.write("a.cpp", test);
    let steps = steps_of(&project, &["c++", "-g", "-o", "a", "a.cpp"], &["--", "./a"]);
    assert_eq!(at(&steps[0]), ("a.cpp", 6), "{steps:#?}");
    let place = &steps[reached(&steps, ("a.cpp", 5))];
    assert_eq!((&place["variable"], &place["value"]), (&"place".into(), &"3".into()), "{steps:#?}");
}

/// Which of several texts is printed depends on what chose it.
#[test]
fn a_text_that_was_chosen_leads_to_what_chose_it() {
    let project = Project::new();
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nstatic void greet(char *to, const char *name) {\n    \
        snprintf(to, 50, \"Hello, %s!\",\n             name != NULL ? \"you\" : name);\n}\nint main(void) {\n    char text[50];\n    \
        greet(text, \"Ada\");\n    if (strcmp(text, \"Hello, Ada!\") != 0)\n        abort();\n    return 0;\n}\n";
    project.write("a.c", source);
    let steps = steps_of(&project, &["cc", "-g", "-o", "a", "a.c"], &["--", "./a"]);
    reached(&steps, ("a.c", 6));
}
