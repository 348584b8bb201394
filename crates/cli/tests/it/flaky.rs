//! `record --until-fails`: a test that fails now and then is recorded until it does, and the failing run is told beside one that
//! passes.

use crate::support::project::Project;
use serde_json::Value;

fn project(source: &str) -> Project {
    let project = Project::new();
    project.write("program.c", source);
    project.write("cases.jsonl", "{\"name\":\"one\",\"args\":[],\"status\":0}\n");
    let build = "[build]\nsources = [\"program.c\"]\nflags = [\"-pthread\"]\n";
    project.write("whydunit.toml", &format!("{build}[tests]\ncases = \"cases.jsonl\"\n"));
    project
}

/// What was told of the runs.
fn until_fails(project: &Project) -> Value {
    let (status, answer, errors) = project.json(&["record", "--until-fails", "one"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(answer["tests"][0]["outcome"], "fail", "{answer:#}\n{errors}");
    answer["until_fails"].clone()
}

fn of_kind<'a>(told: &'a Value, kind: &str) -> &'a Value {
    let all = told["differences"].as_array().expect("differences");
    all.iter().find(|it| it["kind"] == kind).unwrap_or_else(|| panic!("no {kind} in {told:#}"))
}

#[test]
fn a_race_is_found_by_another_order_of_the_threads() {
    let source = r#"#include <pthread.h>
static volatile long ready, data, seen;
static void *give(void *unused) {
    ready = 1;
    for (volatile int i = 0; i < 2000; i++) { }
    data = 42;
    return unused;
}
static void *take(void *unused) {
    if (ready)
        seen = data;
    else
        seen = 42;
    return unused;
}
int main(void) {
    pthread_t giver, taker;
    pthread_create(&giver, 0, give, 0);
    pthread_create(&taker, 0, take, 0);
    pthread_join(giver, 0);
    pthread_join(taker, 0);
    if (seen != 42)
        return 1;
    return 0;
}
"#;
    let project = project(source);
    let told = until_fails(&project);
    assert!(told["runs"].as_u64() > Some(1) && told["failures"] == 1, "{told:#}");
    let order = of_kind(&told, "thread-order");
    assert!(order["message"].as_str().is_some_and(|text| text.contains("goes on")), "{told:#}");
    let path = of_kind(&told, "path");
    let message = path["message"].as_str().unwrap_or_default();
    assert!(message.contains("the runs part here"), "{told:#}");
    // Both recordings are there, and the failing one is what the next command tells of.
    let passing = told["passing"].as_str().expect("a recording");
    assert_eq!(project.json(&["replay", passing]).0, 0);
    let (_, shown, _) = project.json(&["show"]);
    assert_eq!(shown["end"], "exited with 1", "{shown:#}");
}

#[test]
fn a_test_that_depends_on_the_clock_is_told_as_that() {
    let source = r#"#include <time.h>
int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_nsec / 1000 % 4 == 3)
        return 1;
    return 0;
}
"#;
    let project = project(source);
    let told = until_fails(&project);
    let path = of_kind(&told, "path");
    assert_eq!(path["location"]["line"], 5, "{told:#}");
    let message = path["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("`now.tv_nsec / 1000 % 4 == 3` is true in the failing run, and false in the passing one"),
        "{told:#}"
    );
    let clock = of_kind(&told, "clock");
    assert_eq!(clock["location"]["line"], 4, "{told:#}");
}

#[test]
fn a_test_that_does_not_fail_is_told_as_that() {
    let project = project("int main(void) { return 0; }\n");
    let (status, answer, errors) = project.json(&["record", "--until-fails", "one", "--runs", "3"]);
    assert_eq!(status, 0, "{errors}");
    let told = &answer["until_fails"];
    assert_eq!(
        (&told["runs"], &told["failures"], &told["passing"]),
        (&3.into(), &0.into(), &Value::Null),
        "{answer:#}"
    );
}
