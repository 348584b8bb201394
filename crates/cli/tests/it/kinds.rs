//! Faults of kinds that are no wrong expression: entries of tables, labels, sums that are not added up, and several faults at once.

use crate::support::one_page::{first, first_of, located, located_checked};
use crate::support::project::Project;
use serde_json::json;

/// Cases with one argument, or several with blanks between them, and what is printed.
fn cases(of: &[(&str, &str)]) -> String {
    let case = |(number, (args, stdout)): (usize, &(&str, &str))| {
        let args: Vec<&str> = args.split_whitespace().collect();
        json!({ "name": format!("t{number}"), "args": args, "stdout": format!("{stdout}\n") }).to_string() + "\n"
    };
    of.iter().enumerate().map(case).collect()
}

#[test]
fn an_entry_of_a_table_has_its_own_line() {
    let source = r#"#include <stdio.h>
#include <stdlib.h>
static const int weights[] = {
    4, 8, 15,
    16, 24, 42,
};
int main(int argc, char **argv) {
    int sum = 0, most = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < most && i < 6; i++)
        sum += weights[i];
    printf("%d\n", sum);
    return 0;
}
"#;
    let suite = cases(&[("0", "0"), ("1", "4"), ("2", "12"), ("3", "27"), ("4", "43"), ("5", "66"), ("6", "108")]);
    let said = first(source, &suite, "16, 24");
    assert!(said.contains("had 23 in the place of 24 (value 5 of `weights`)"), "{said}");
}

#[test]
fn so_has_one_of_a_local_variable_and_a_text_in_a_structure() {
    let source = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int limits[3] = {
        10,
        60,
        90,
    };
    int n = argc > 1 ? atoi(argv[1]) : 0, level = 0;
    while (level < 3 && n >= limits[level])
        level++;
    printf("%d\n", level);
    return 0;
}
"#;
    let level = |n: i32| [10, 50, 90].iter().filter(|limit| n >= **limit).count().to_string();
    let numbers = [0, 9, 10, 11, 30, 49, 50, 51, 59, 60, 89, 90, 91];
    let told: Vec<(String, String)> = numbers.iter().map(|&n| (n.to_string(), level(n))).collect();
    let suite = cases(&told.iter().map(|(n, level)| (&**n, &**level)).collect::<Vec<_>>());
    let said = first(source, &suite, "        60,");
    assert!(said.contains("had 50 in the place of 60"), "{said}");

    let source = r#"#include <stdio.h>
#include <stdlib.h>
struct day {
    int number;
    const char *name;
};
static const struct day days[] = {
    {1, "Monday"},
    {2, "Teusday"},
    {3, "Wednesday"},
};
int main(int argc, char **argv) {
    for (unsigned i = 0; argc > 1 && i < 3; i++)
        if (days[i].number == atoi(argv[1]))
            puts(days[i].name);
    return 0;
}
"#;
    let said = first(source, &cases(&[("1", "Monday"), ("2", "Tuesday"), ("3", "Wednesday")]), "Teusday");
    assert!(said.contains(r#"had "Tuesday" in the place of "Teusday""#), "{said}");
}

#[test]
fn a_label_is_where_a_value_should_come_to() {
    let source = r#"#include <stdio.h>
static int worth(char c) {
    switch (c) {
    case 'k':
        return 9;
    case 'D':
        return 8;
    case 'j':
        return 7;
    default:
        return 0;
    }
}
int main(int argc, char **argv) {
    printf("%d\n", argc > 1 ? worth(argv[1][0]) : -1);
    return 0;
}
"#;
    let said = first(source, &cases(&[("k", "9"), ("d", "8"), ("j", "7"), ("x", "0"), ("", "-1")]), "case 'D'");
    assert!(said.contains("100 (`d`) came to line 6"), "{said}");
}

#[test]
fn a_sum_is_added_up() {
    let source = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    long total = 0;
    for (int i = 1; i < argc; i++) {
        int price = atoi(argv[i]);
        if (price > 0)
            total = price * 2;
    }
    printf("%ld\n", total);
    return 0;
}
"#;
    let said = first(source, &cases(&[("", "0"), ("3", "6"), ("3 4", "14"), ("-3 5", "10")]), "price * 2");
    assert!(said.contains("added to what is there"), "{said}");
}

const TWO: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int twice(int n) { return n + 2; }
static int half(int n) { return n - 2; }
int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[2]);
    printf("%d\n", strcmp(argv[1], "twice") == 0 ? twice(n) : half(n));
    return 0;
}
"#;

/// Two faults, each with failing tests: the larger group is ranked by itself, the other one comes with it.
#[test]
fn failing_tests_of_two_faults_are_ranked_apart() {
    let project = Project::new();
    project.write("p.c", TWO);
    let suite = [("twice 5", "10"), ("half 8", "4"), ("twice 2", "4"), ("half 4", "2"), ("half 6", "3")];
    project.write("cases.jsonl", &cases(&suite));
    project.write("whydunit.toml", "[build]\nsources = [\"p.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let (status, answer, told) = project.json(&["locate"]);
    let groups = &answer["groups"];
    assert_eq!((status, groups.as_array().map(Vec::len)), (1, Some(2)), "{answer:#}\n{told}");
    assert_eq!((&groups[0]["tests"], &groups[1]["tests"]), (&json!(["t1", "t4"]), &json!(["t0"])), "{groups:#}");
    assert_eq!(groups[0]["apart"], "mended");
    let line = |finding: &serde_json::Value| finding["location"]["line"].clone();
    assert_eq!((line(&answer["findings"][0]), line(&groups[1]["findings"][0])), (5.into(), 4.into()), "{answer:#}");
    // The counts are those of the group's tests.
    assert_eq!(answer["findings"][0]["counts"]["failed_total"], 2);
    let text = String::from_utf8_lossy(&project.run(&["locate"]).stdout).into_owned();
    assert!(text.contains("3 of 5 tests fail; the ranking is of t1, t4"), "{text}");
    assert!(
        text.contains("t0 seems to have another fault") && text.contains("most likely at p.c:4 in twice"),
        "{text}"
    );
}

/// What only one of them executes is excluded for neither.
#[test]
fn what_another_failing_test_executes_is_not_excluded() {
    let suite = cases(&[("twice 5", "10"), ("half 8", "4"), ("twice 2", "4"), ("half 4", "2")]);
    let (findings, _) = located(TWO, &suite);
    let excluded = findings.iter().filter(|finding| finding["verdict"] == "excluded");
    assert!(excluded.clone().all(|finding| finding["location"]["line"].as_u64() > Some(5)), "{findings:#?}");
}

#[test]
fn an_object_that_is_too_small_is_told_where_it_is_made() {
    let of = |body: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n{body}\nint main(int argc, char **argv) {{\n    \
             for (int i = 1; i < argc; i++)\n        turned(argv[i]);\n    return 0;\n}}\n"
        )
    };
    let local = of("static void turned(const char *s) {
    char out[8];
    int n = (int)strlen(s);
    for (int i = 0; i < n; i++)
        out[i] = s[n - 1 - i];
    out[n] = 0;
    puts(out);
}");
    let suite = cases(&[("abc", "cba"), ("abcdefgh", "hgfedcba"), ("a b", "a\nb")]);
    let said = first_of(&located_checked(&local, &suite), &local, "char out[8]");
    assert!(said.contains("line 9 needs 1 byte more than the 8 bytes that `out` is declared with"), "{said}");
    let block = of("static void turned(const char *s) {
    size_t n = strlen(s);
    char *out = malloc(n);
    for (size_t i = 0; i < n; i++)
        out[i] = s[n - 1 - i];
    out[n] = 0;
    puts(out);
    free(out);
}");
    let suite = cases(&[("abc", "cba")]);
    let said = first_of(&located_checked(&block, &suite), &block, "malloc(n)");
    assert!(said.contains("line 9 needs 1 byte more than the 3 bytes that the block is allocated with"), "{said}");
}
