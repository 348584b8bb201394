//! `whydunit score` with a method of repair, end to end: patches are judged by cases that the suite does not have.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::project::{Project, WHYDUNIT, answer as json_answer, notes};
use serde_json::{Value, json};

/// A fault of the catalogue, with the cases that are held out for it.
fn lay_out(catalogue: &Project, name: &str, held_out: Option<&str>) {
    catalogue.copy("repair/upward");
    std::fs::rename(catalogue.path("upward"), catalogue.path(name)).expect("a folder");
    catalogue
        .write(&format!("{name}/truth.json"), r#"{"fault": [{"file": "upward.c", "line": 8}], "kind": "constant"}"#);
    if let Some(held_out) = held_out {
        catalogue.write(&format!("{name}/held-out.jsonl"), held_out);
    }
}

fn answer<'a>(scored: &'a Value, name: &str) -> &'a Value {
    let all = scored["repairs"].as_array().expect("repairs");
    let repair = all.iter().find(|repair| repair["name"] == name).expect("it is measured");
    assert_eq!(repair["answers"].as_array().map(Vec::len), Some(1), "{repair:#}");
    &repair["answers"][0]
}

/// What the program does with these inputs when its fault is mended by `up_sep + 100`.
const RIGHT: &str = r#"{"name": "v1", "args": ["1", "-50", "60"], "stdout": "0\n", "status": 0}
{"name": "v2", "args": ["1", "200", "250"], "stdout": "1\n", "status": 0}
{"name": "v3", "args": ["0", "5", "3"], "stdout": "1\n", "status": 0}
{"name": "v4", "args": ["0"], "stdout": "", "status": 2}
"#;
/// The same, if it were mended otherwise.
const OTHER: &str = r#"{"name": "v1", "args": ["1", "-50", "60"], "stdout": "0\n", "status": 0}
{"name": "v2", "args": ["1", "200", "250"], "stdout": "0\n", "status": 0}
"#;
/// A case with which the suite leaves less open.
const MORE: &str = r#"{"name": "t6", "args": ["1", "-90", "20"], "stdout": "0\n", "status": 0}
"#;

/// A patch that passes the suite is right or wrong by cases that the suite does not have.
#[test]
fn patches_are_judged_by_what_is_held_out() {
    let catalogue = Project::new();
    for (name, held_out) in [("few", Some(OTHER)), ("more", Some(RIGHT)), ("alone", None), ("broken", Some("{}"))] {
        lay_out(&catalogue, name, held_out);
    }
    for name in ["more", "alone"] {
        let cases = catalogue.read(&format!("{name}/cases.jsonl"));
        catalogue.write(&format!("{name}/cases.jsonl"), &(cases + MORE));
    }
    let cases = catalogue.read("few/cases.jsonl");
    let (status, scored, told) =
        catalogue.json(&["score", ".", "--method", "enumeration", "--patches", "3", "--time-limit", "120"]);
    assert_eq!(status, 0, "{told}");
    assert_eq!((&scored["bugs"], &scored["methods"]), (&json!([]), &json!([])));

    let more = answer(&scored, "more");
    assert_eq!(more["first"]["location"]["line"], 8, "{more:#}");
    assert_eq!((&more["first"]["before"], &more["first"]["after"]), (&json!("down_sep"), &json!("up_sep + 100")));
    assert_eq!((&more["correct"], &more["any_correct"]), (&json!(true), &json!(true)));
    assert_eq!((&more["held_out"], &more["held_out_failing"]), (&json!(4), &json!(0)));
    assert!(more["patched"].as_u64() >= Some(1) && more["builds"].as_u64() > Some(1), "{more:#}");
    assert!(more["candidates"].as_u64() >= more["tried"].as_u64(), "{more:#}");

    // What passes the suite need not be right.
    let few = answer(&scored, "few");
    assert_eq!(few["correct"], json!(false), "{few:#}");
    assert_eq!((&few["held_out"], &few["held_out_failing"]), (&json!(2), &json!(1)), "{few:#}");
    // What is only shown is no patch, and nothing is verified where so few tests pass.
    assert!(few["patched"].as_u64() >= Some(1), "{few:#}");
    assert_eq!(few["first"]["grade"], "plausible", "{few:#}");

    let alone = answer(&scored, "alone");
    assert_eq!((&alone["correct"], &alone["held_out"]), (&Value::Null, &json!(0)), "{alone:#}");
    assert_eq!(alone["first"]["diff"], more["first"]["diff"]);

    let broken = scored["repairs"].as_array().expect("repairs").iter().find(|repair| repair["name"] == "broken");
    let problem = broken.and_then(|repair| repair["problem"].as_str()).expect("a problem");
    assert!(problem.contains("held-out.jsonl"), "{problem}");

    let sums = &scored["repairers"][0];
    assert_eq!((&sums["method"], &sums["faults"], &sums["patched"]), (&json!("enumeration"), &json!(3), &json!(3)));
    assert_eq!(
        (&sums["judged"], &sums["correct"], &sums["any_correct"]),
        (&json!(2), &json!(1), &json!(1)),
        "{sums:#}"
    );
    // Nothing of a project is changed but what its build writes.
    assert_eq!(catalogue.read("few/cases.jsonl"), cases);
    assert!(catalogue.read("more/upward.c").contains("bias = down_sep;"));
}

/// A fault that no patch of one expression mends is a row, and methods of `locate` are asked beside those of `repair`.
#[test]
fn a_fault_without_a_patch_is_a_row() {
    let catalogue = Project::new();
    lay_out(&catalogue, "far", Some(RIGHT));
    let cases = catalogue.read("far/cases.jsonl").replace("\"1\\n\"", "\"one\\n\"");
    catalogue.write("far/cases.jsonl", &cases);
    let asked = ["score", ".", "--method", "enumeration", "--method", "ochiai", "--time-limit", "60"];
    let (status, scored, told) = catalogue.json(&asked);
    assert_eq!(status, 0, "{told}");
    let far = answer(&scored, "far");
    assert_eq!((&far["patched"], &far["first"], &far["correct"]), (&json!(0), &Value::Null, &Value::Null), "{far:#}");
    assert_eq!((&far["held_out"], far.get("problem")), (&json!(4), None));
    assert_eq!(scored["repairers"][0]["patched"], 0);
    assert_eq!(scored["methods"][0]["method"], "ochiai");
    let (_, scored, _) = catalogue.json(&["score", ".", "--method", "ochiai"]);
    assert_eq!((&scored["repairs"], &scored["repairers"]), (&json!([]), &json!([])));
}

/// Interrupted in the middle of a project, what was measured of those before it is told, and nothing of that one.
#[test]
fn interrupted_it_tells_what_was_measured() {
    let catalogue = Project::new();
    lay_out(&catalogue, "a", None);
    lay_out(&catalogue, "b", None);
    let begun = catalogue.path("begun");
    let command = format!("touch '{}'; sleep 600", begun.display());
    let settings = catalogue.read("b/whydunit.toml").replace("\"make\"", &format!("\"{command}\""));
    catalogue.write("b/whydunit.toml", &settings);
    let mut command = Command::new(WHYDUNIT);
    command.args(["score", ".", "--method", "ochiai", "--format", "json"]).current_dir(catalogue.folder());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let started = Instant::now();
    while !begun.exists() {
        assert!(started.elapsed() < Duration::from_secs(300), "the second project is never built");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    let output = child.wait_with_output().expect("it ends");
    let (status, scored, told) = json_answer(&output);
    let names: Vec<&Value> = scored["bugs"].as_array().expect("bugs").iter().map(|bug| &bug["name"]).collect();
    assert_eq!((status, names, &scored["partial"]), (5, vec![&json!("a")], &json!(true)), "{told}");
    assert_eq!(scored["methods"][0]["top5"], 1, "{scored:#}");
    assert!(notes(&scored).contains("1 of 2 projects were measured"), "{scored:#}");
}

/// What `locate` excludes is not at fault: over faults of two programs, most of which something is missing in.
#[test]
fn no_line_of_a_fault_is_excluded_and_many_others_are() {
    let catalogue = Project::new();
    for (program, faults) in [
        (
            "rounds",
            &["born-at-wake", "last-kept-on-removal", "nap-keeps-turn", "unlinked-locally", "used-from-one"][..],
        ),
        ("levels", &["first-waiting-unseen", "owner-of-owner-not-raised", "still-wanted"][..]),
    ] {
        for fault in faults {
            catalogue.copy(&format!("faults/{program}"));
            let patch = catalogue.path(&format!("{program}/faults/{fault}.patch"));
            let text = std::fs::read_to_string(&patch).expect("the fault");
            let places = text.lines().find_map(|line| line.strip_prefix("fault: ")).expect("its places");
            let place = |place: &str| {
                let (file, line) = place.split_once(':').expect("a place");
                json!({ "file": file, "line": line.parse::<u32>().expect("a line") })
            };
            let truth = json!({ "fault": places.split_whitespace().map(place).collect::<Vec<_>>() });
            catalogue.write(&format!("{program}/truth.json"), &truth.to_string());
            let mut command = catalogue.command("patch");
            command.args(["-s", "-p1", "-d", program, "-i"]).arg(&patch);
            assert!(command.status().expect("patch runs").success());
            std::fs::rename(catalogue.path(program), catalogue.path(fault)).expect("a folder");
        }
    }
    let (status, scored, told) = catalogue.json(&["score", ".", "--method", "ofc+cw", "--failing", "3"]);
    assert_eq!(status, 0, "{told}");
    let sums = &scored["methods"][0];
    assert_eq!((&sums["bugs"], &sums["false_exonerations"]), (&json!(8), &json!(0)), "{scored:#}");
    assert!(sums["true_exclusions"].as_u64() >= Some(60), "{sums:#}");
}
