//! Runs that go wrong long before they fail: what the failure reads was written then.

use crate::support::project::Project;
use serde_json::{Value, json};

/// A program whose checks are counted, with much work between the check that fails and the end.
const PROGRAM: &str = r#"#include <stdio.h>

static int failures;

static void check(const char *what, int holds) {
    if (!holds) {
        printf("failed: %s\n", what);
        failures++;
    }
}

static int perimeter(int width, int height) {
    return 2 * width + height;
}

static int is_even(int number) {
    return number % 2 == 0;
}

static unsigned mixed(unsigned from) {
    unsigned sum = from;
    for (unsigned turn = 0; turn < 300000; turn++) {
        sum = sum * 31 + turn;
    }
    return sum;
}

int main(void) {
    check("even", is_even(4) && !is_even(5));
    check("perimeter", perimeter(3, 4) == 14);
    check("mixed", mixed(1) == mixed(1));
    return failures;
}
"#;

/// The faulty line is as near to the failure as the steps that lead there, and what failed nothing stands behind.
#[test]
fn a_counter_of_failed_checks_leads_to_the_check_that_failed_first() {
    let project = Project::new();
    project.write("counted.c", PROGRAM);
    project.write("cases.jsonl", &(json!({ "name": "all", "args": [], "status": 0 }).to_string() + "\n"));
    let (status, answer, errors) = project.json(&["locate"]);
    assert_eq!(status, 1, "{errors}");
    let rank = |text: &str| {
        let line = PROGRAM.lines().position(|line| line.contains(text)).expect("the line") as u64 + 1;
        let findings = answer["findings"].as_array().into_iter().flatten();
        let ranked =
            findings.filter(|finding| finding["location"]["line"] == line).map(|finding: &Value| &finding["rank_best"]);
        ranked.filter_map(Value::as_u64).min().unwrap_or_else(|| panic!("{text} has no rank: {answer:#}"))
    };
    let faulty = rank("return 2 * width");
    assert!(faulty < rank("number % 2") && faulty < rank("check(\"even\""), "{answer:#}");
    assert!(faulty <= 8, "{answer:#}");
}
