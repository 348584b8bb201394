//! What `locate` says of statements: texts that the expected output dictates, what is missing, and that nothing is excluded that was
//! not asked about.

use crate::support::one_page::{first, located, located_checked};
use crate::support::project::{Project, notes};

const ANSWERS: &str = r#"#include <stdio.h>
int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    if (n % 3 == 0)
        printf("fizz\n");
    else
        printf("non\n");
    return 0;
}
"#;

#[test]
fn a_wrong_letter_in_a_text_is_dictated_by_the_expected_one() {
    let cases = "{\"name\":\"a\",\"stdin\":\"9\",\"stdout\":\"fizz\\n\"}\n{\"name\":\"b\",\"stdin\":\"7\",\"stdout\":\"none\\n\"}\n{\"name\":\"c\",\"stdin\":\"8\",\"stdout\":\"none\\n\"}\n";
    let said = first(ANSWERS, cases, "non\\n");
    assert!(said.contains(r#"had "none\n" in the place of "non\n""#), "{said}");
    assert!(said.contains(r#"printed "none\n" in the place of "non\n""#), "{said}");
}

#[test]
fn a_missing_newline_is_a_text() {
    let source = ANSWERS.replace("fizz\\n", "fizz");
    let cases = "{\"name\":\"a\",\"stdin\":\"9\",\"stdout\":\"fizz\\n\"}\n{\"name\":\"b\",\"stdin\":\"7\",\"stdout\":\"non\\n\"}\n";
    let said = first(&source, cases, "fizz");
    assert!(said.contains(r#"had "fizz\n" in the place of "fizz""#), "{said}");
}

#[test]
fn what_is_printed_too_much_need_not_be() {
    let source = ANSWERS.replace("    if (scanf", "    printf(\"n? \");\n    if (scanf");
    let cases = "{\"name\":\"a\",\"stdin\":\"9\",\"stdout\":\"fizz\\n\"}\n{\"name\":\"b\",\"stdin\":\"7\",\"stdout\":\"non\\n\"}\n";
    let said = first(&source, cases, "n? ");
    assert!(said.contains("were left out") && said.contains(r#"did not print "n? ""#), "{said}");
}

#[test]
fn text_that_a_library_call_copies_is_a_value_of_its_statement() {
    let source = r#"#include <stdio.h>
#include <string.h>
static void join(char *out, const char *a, const char *b) {
    strcpy(out, a);
    if (*b)
        strcat(out, "::");
    strcat(out, b);
}
int main(int argc, char **argv) {
    char whole[64];
    if (argc < 3) return 2;
    join(whole, argv[1], argv[2]);
    puts(whole);
    return 0;
}
"#;
    let cases = "{\"name\":\"two\",\"args\":[\"a\",\"b\"],\"stdout\":\"a:b\\n\"}\n{\"name\":\"more\",\"args\":[\"ab\",\"c\"],\"stdout\":\"ab:c\\n\"}\n{\"name\":\"one\",\"args\":[\"a\",\"\"],\"stdout\":\"a\\n\"}\n";
    let said = first(source, cases, "\"::\"");
    assert!(said.contains(r#"had ":" in the place of "::""#), "{said}");
}

#[test]
fn the_text_between_conversions_of_a_format_is_one_as_well() {
    let source = "#include <stdio.h>\nint main(int argc, char **argv) {\n    (void)argv;\n    printf(\"%d:%d\\n\", argc, argc + 1);\n    return 0;\n}\n";
    let cases = "{\"name\":\"a\",\"args\":[\"x\"],\"stdout\":\"2, 3\\n\"}\n{\"name\":\"b\",\"args\":[],\"stdout\":\"1, 2\\n\"}\n";
    let said = first(source, cases, "printf");
    assert!(said.contains(r#"had "%d, %d\n" in the place of "%d:%d\n""#), "{said}");
}

#[test]
fn a_status_that_no_case_states_is_not_compared() {
    let source = ANSWERS.replace("non\\n", "nun\\n").replace("return 0", "return n");
    let cases = "{\"name\":\"a\",\"stdin\":\"9\",\"stdout\":\"fizz\\n\"}\n{\"name\":\"b\",\"stdin\":\"7\",\"stdout\":\"non\\n\"}\n";
    let said = first(&source, cases, "nun");
    assert!(said.contains(r#"had "non\n" in the place of "nun\n""#), "{said}");
}

#[test]
fn a_constant_that_the_tests_state_is_found_and_so_is_one_far_from_the_failure() {
    let source = r#"#include <stdio.h>
#include <stdlib.h>
static int limits[2];
static void prepare(void) {
    limits[0] = 90;
    limits[1] = 270;
}
int main(int argc, char **argv) {
    if (argc < 3) return 2;
    prepare();
    int n = atoi(argv[2]), which = atoi(argv[1]) != 0;
    printf("%d\n", n >= limits[which]);
    return 0;
}
"#;
    let case = |which: u32, n: u32| {
        let right = u32::from(n >= [90, 240][which as usize]);
        format!("{{\"name\":\"t{which}-{n}\",\"args\":[\"{which}\",\"{n}\"],\"stdout\":\"{right}\\n\"}}\n")
    };
    let cases: String =
        [10, 89, 90, 100, 239, 240, 250, 269, 270, 300].iter().flat_map(|&n| [case(0, n), case(1, n)]).collect();
    let said = first(source, &cases, "270");
    assert!(said.contains("had 240 in the place of 270"), "{said}");
}

#[test]
fn a_missing_condition_relates_variables_and_globals_that_its_function_does_not_name() {
    let source = r#"#include <stdio.h>
int main(int argc, char **argv) {
    int before = 0, i;
    if (argc < 2) return 2;
    for (i = 0; argv[1][i]; i++) {
        int now = argv[1][i];
        if (now != '-') {
            putchar(now);
            before = now;
        }
    }
    putchar('\n');
    return before == 0;
}
"#;
    let cases = "{\"name\":\"a\",\"args\":[\"oof\"],\"stdout\":\"of\\n\"}\n{\"name\":\"b\",\"args\":[\"aa-bb\"],\"stdout\":\"ab\\n\"}\n{\"name\":\"c\",\"args\":[\"abc\"],\"stdout\":\"abc\\n\"}\n{\"name\":\"d\",\"args\":[\"x-y-x\"],\"stdout\":\"xyx\\n\"}\n";
    let (findings, told) = located(source, cases);
    let text = format!("{:?}", &findings[..2]);
    assert!(text.contains("where `before == now`") || text.contains("where `now == before`"), "{text}\n{told}");

    let source = r#"#include <stdio.h>
#include <stdlib.h>
static int speed;
static int allowed(int weight, int tax) { return weight < 40 && tax > 3; }
static void enter(int n) { speed = n > 120 ? 121 : n; }
int main(int argc, char **argv) {
    if (argc < 4) return 2;
    enter(atoi(argv[3]));
    printf("%d\n", allowed(atoi(argv[1]), atoi(argv[2])));
    return speed < 0;
}
"#;
    let case = |weight: i32, tax: i32, speed: i32| {
        let right = i32::from(weight < 40 && tax > 3 && speed <= 120);
        format!(
            "{{\"name\":\"t{weight}-{tax}-{speed}\",\"args\":[\"{weight}\",\"{tax}\",\"{speed}\"],\"stdout\":\"{right}\\n\"}}\n"
        )
    };
    let mut cases = String::new();
    for (weight, tax) in [(10, 5), (39, 4), (40, 5), (10, 3)] {
        for speed in [0, 60, 120, 121, 200] {
            cases += &case(weight, tax, speed);
        }
    }
    let said = first(source, &cases, "tax > 3");
    // What is tried goes one way where the relation holds, whichever way the condition went.
    assert!(said.contains("were false where `speed > 120`"), "{said}");
}

/// In a flavour that the compiler optimised the loop would have no end.
#[test]
fn a_value_that_nobody_gave_does_not_undo_the_counts() {
    let source = r#"#include <stdio.h>
int main(void) {
    int n = 0;
    char c;
    while (c != ';') {
        if (scanf("%c", &c) != 1) break;
        n += c == 'x';
    }
    if (n == 0)
        printf("no");
    printf("%d", n);
    return 0;
}
"#;
    let cases =
        "{\"name\":\"a\",\"stdin\":\"axx;\",\"stdout\":\"2\"}\n{\"name\":\"b\",\"stdin\":\"ab;\",\"stdout\":\"no\"}\n";
    let (findings, told) = located(source, cases);
    assert!(
        findings.len() > 3 && told.contains("an uninitialised value decides where this goes"),
        "{findings:#?}\n{told}"
    );
}

#[test]
fn threads_fail_somewhere_too() {
    let project = Project::new();
    project.write(
        "p.c",
        "#include <pthread.h>\n#include <stdio.h>\nstatic int sum;\nstatic void *work(void *n) { sum = *(int *)n; return 0; }\nint main(void) {\n    int n = 3;\n    pthread_t thread;\n    pthread_create(&thread, 0, work, &n);\n    pthread_join(thread, 0);\n    printf(\"%d\\n\", sum);\n    return 0;\n}\n",
    );
    project.write("cases.jsonl", "{\"name\":\"a\",\"stdout\":\"4\\n\"}\n");
    project.write("whydunit.toml", "[build]\nsources = [\"p.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let (_, answer, told) = project.json(&["locate"]);
    let failure = &answer["failures"][0];
    assert_eq!((&failure["location"]["line"], &failure["test"]), (&10.into(), &"a".into()), "{answer:#}\n{told}");
}

/// The first number that a run prints asks the library for the character that fills its field.
#[test]
fn what_a_program_of_cpp_prints_first_is_followed() {
    let project = Project::new();
    project.write(
        "p.cpp",
        "#include <iostream>\nstatic int add(int n)\n{\n    int more = 7;\n    return n + more;\n}\nint main(int argc, char **)\n{\n    std::cout << add(argc) << std::endl;\n}\n",
    );
    project.write(
        "cases.jsonl",
        "{\"name\":\"a\",\"args\":[],\"stdout\":\"7\\n\"}\n{\"name\":\"b\",\"args\":[\"x\"],\"stdout\":\"8\\n\"}\n",
    );
    project.write("whydunit.toml", "[build]\nsources = [\"p.cpp\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let (_, answer, told) = project.json(&["locate"]);
    let findings = answer["findings"].as_array().expect("findings");
    let fault = findings.iter().find(|finding| finding["location"]["line"] == 4).expect("the line");
    assert!(fault["rank"].as_f64() <= Some(3.0), "{answer:#}\n{told}");
    assert!(fault["changes"][0]["change"].to_string().contains("had 6 in the place of 7"), "{fault:#}");
}

#[test]
fn a_number_that_does_not_fit_in_its_integer_is_named() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n    if (argc < 2) return 2;\n    int n = atof(argv[1]) * 1000;\n    printf(\"%s\\n\", n % 2 ? \"odd\" : \"even\");\n    return 0;\n}\n";
    let cases = "{\"name\":\"a\",\"args\":[\"1\"],\"stdout\":\"even\\n\"}\n{\"name\":\"b\",\"args\":[\"3000000.001\"],\"stdout\":\"odd\\n\"}\n{\"name\":\"c\",\"args\":[\"0.001\"],\"stdout\":\"odd\\n\"}\n";
    let (_, told) = located(source, cases);
    assert!(told.contains("3000000001 does not fit in a signed integer of 32 bits"), "{told}");
}

#[test]
fn a_run_that_prints_nothing_passes_no_test_whose_memory_alone_is_wrong() {
    let source = r#"#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char out[8];
    for (int i = 1; i < argc; i++) {
        int n = (int)strlen(argv[i]);
        for (int k = 0; k < n; k++)
            out[k] = argv[i][n - 1 - k];
        out[n] = 0;
        puts(out);
    }
    return 0;
}
"#;
    let cases = [
        r#"{"name":"a","args":["abc"],"stdout":"cba\n","status":0}"#,
        r#"{"name":"b","args":["abcdefgh"],"stdout":"hgfedcba\n","status":0}"#,
    ];
    let (findings, told) = located_checked(source, &cases.join("\n"));
    let alone: Vec<_> = findings.iter().filter(|finding| finding["verdict"] == "alone").collect();
    assert!(!findings.is_empty() && alone.is_empty(), "{alone:#?}\n{told}");
}

#[test]
fn the_limit_of_time_ends_replays_too() {
    // One replay of the failing run takes much longer than the limit.
    let source = r#"#include <stdio.h>
#include <stdlib.h>
static unsigned table[1000];
int main(int argc, char **argv) {
    unsigned sum = 0, rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    for (unsigned r = 0; r < rounds; r++)
        for (unsigned i = 0; i < 1000; i++) {
            table[i] += r ^ i;
            sum += table[i];
        }
    printf("%u\n", sum + 1);
    return 0;
}
"#;
    let project = Project::new();
    project.write("p.c", source);
    let cases = "{\"name\":\"few\",\"args\":[\"0\"],\"stdout\":\"1\\n\"}\n{\"name\":\"many\",\"args\":[\"60000\"],\"stdout\":\"no\\n\"}\n";
    project.write("cases.jsonl", cases);
    project.write("whydunit.toml", "[build]\nsources = [\"p.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    let (status, answer, told) = project.json(&["locate", "--time-limit", "1"]);
    let said = notes(&answer) + &told;
    assert!(said.contains("time was up before its run was replayed to where it fails"), "{status}: {said}");
    assert!(said.contains("not asked in time: this is the ranking by counts"), "{said}");
    assert!(!answer["findings"].as_array().expect("findings").is_empty(), "{answer:#}");
}
