//! Programs that test many things in one run, with checks of their own, and end with what failed.

use crate::support::project::Project;
use serde_json::Value;

const MAKEFILE: &str = "all: test_shapes\ntest_shapes: test_shapes.c shapes.c\n\tcc -g -o $@ test_shapes.c shapes.c\ntest: all\n\t./test_shapes\n";

const SHAPES: &str = r#"int area(int width, int height) {
    int factor = 1;
    return factor * width * height;
}

int perimeter(int width, int height) {
    int sum = width + height;
    return 2 * sum - (width > 9);
}

int is_square(int width, int height) {
    return width == height;
}
"#;

const DECLARED: &str =
    "#include <stdio.h>\nint area(int, int);\nint perimeter(int, int);\nint is_square(int, int);\nstatic int failed;\n";

/// One check after the other, which are counted.
const COUNTED: &str = r#"static void check(const char *what, int got, int wanted) {
    if (got != wanted) {
        printf("FAIL %s\n", what);
        failed++;
    }
}
int main(void) {
    for (int size = 1; size < 7; size++) {
        check("area", area(size, 2), 2 * size);
        check("perimeter", perimeter(size, 2), 2 * size + 4);
        check("square", is_square(size, 2), size == 2);
    }
    check("wide", perimeter(10, 1), 22);
    for (int size = 1; size < 7; size++)
        check("area", area(2, size), 2 * size);
    return failed > 0;
}
"#;

/// A list of tests, of which those that fail are counted where they are run.
const LISTED: &str = r#"static int area_one(void) { return area(1, 1) == 1; }
static int area_two(void) { return area(2, 1) == 2; }
static int area_big(void) { return area(20, 10) == 200; }
static int area_none(void) { return area(0, 4) == 0; }
static int around_one(void) { return perimeter(1, 1) == 4; }
static int around_two(void) { return perimeter(2, 1) == 6; }
static int around_wide(void) { return perimeter(10, 1) == 22; }
static int square(void) { return is_square(2, 2); }
static int flat(void) { return !is_square(2, 1); }
static int big(void) { return is_square(20, 20); }
static int (*const tests[])(void) = {
    area_one, area_two, area_big, area_none, around_one, around_two, around_wide, square, flat, big,
};
static int run(int number) {
    return tests[number]();
}
int main(void) {
    for (int number = 0; number < 10; number++)
        if (!run(number)) {
            printf("test %d failed\n", number);
            failed += 1;
        }
    return failed;
}
"#;

fn located(tests: &str) -> (Value, String) {
    let project = Project::new();
    project.write("Makefile", MAKEFILE);
    project.write("shapes.c", SHAPES);
    project.write("test_shapes.c", &(DECLARED.to_owned() + tests));
    let (status, answer, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{answer:#}\n{errors}");
    let notes = answer["problems"].to_string();
    (answer, notes)
}

/// The file and line of each finding, in order.
fn lines(answer: &Value) -> Vec<(&str, u64)> {
    let findings = answer["findings"].as_array().into_iter().flatten().map(|finding| &finding["location"]);
    findings.filter_map(|location| Some((location["file"].as_str()?, location["line"].as_u64()?))).collect()
}

#[test]
fn checks_that_pass_in_the_same_run_speak_for_what_they_execute() {
    let (answer, notes) = located(COUNTED);
    assert!(notes.contains("of 25 calls of check in its run 1 leads to its failure"), "{notes}");
    let lines = lines(&answer);
    assert!(lines.iter().take(2).any(|&place| place == ("shapes.c", 8)), "{answer:#}");
    // What makes the checks is no suspect.
    assert!(lines.iter().all(|(file, _)| *file == "shapes.c"), "{answer:#}");
}

#[test]
fn tests_of_a_list_that_pass_speak_for_what_they_execute() {
    let (answer, notes) = located(LISTED);
    assert!(notes.contains("of 10 calls of run in its run 1 leads to its failure, and the others, but for a few just before, are taken for checks that pass"), "{notes}");
    assert!(lines(&answer).iter().take(2).any(|&place| place == ("shapes.c", 8)), "{answer:#}");
}

/// Where as many checks fail as pass it is not known what they say.
#[test]
fn checks_of_which_many_fail_say_nothing() {
    let (_, notes) = located(&COUNTED.replace("got != wanted", "got == wanted"));
    assert!(!notes.contains("leads to its failure") && !notes.contains("lead to its failure"), "{notes}");
}
