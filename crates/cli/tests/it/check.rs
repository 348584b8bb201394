//! `check`: every kind of misuse in programs of a page, each beside one that does right, and everything that can be wrong about
//! models.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::project::{Project, subjects};

/// What is marked in the sources of a subject: file, line, and certainty, class and state.
fn marked(subject: &str) -> BTreeSet<(String, u64, String)> {
    let mut out = BTreeSet::new();
    for entry in fs::read_dir(subjects().join(subject)).expect("a subject") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.ends_with(".c") {
            continue;
        }
        for (number, line) in (1..).zip(fs::read_to_string(&path).expect("a source").lines()) {
            if let Some((_, mark)) = line.split_once("/* wrong: ") {
                out.insert((name.clone(), number, mark.trim_end_matches("*/").trim().to_owned()));
            }
        }
    }
    out
}

fn found(answer: &Value) -> BTreeSet<(String, u64, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = answer["findings"].as_array().expect("findings");
    let one = |it: &Value| {
        let mark = format!("{} {} {}", text(&it["certainty"]), text(&it["class"]), text(&it["state"]));
        (text(&it["location"]["file"]), it["location"]["line"].as_u64().unwrap_or_default(), mark)
    };
    findings.iter().map(one).collect()
}

#[test]
fn every_misuse_is_found_and_no_right_use_is_reported() {
    let project = Project::of("misuse");
    let (status, answer, errors) = project.json(&["check"]);
    assert_eq!(status, 1, "{errors}");
    let (marked, found) = (marked("misuse"), found(&answer));
    let missed: Vec<_> = marked.difference(&found).collect();
    let false_ones: Vec<_> = found.difference(&marked).collect();
    assert!(missed.is_empty() && false_ones.is_empty(), "missed {missed:#?}, not marked {false_ones:#?}");
}

/// The halves of the pages: by the first one the check was made better; the other one was not looked at before that.
#[test]
fn pages_of_every_interface_are_judged_right() {
    let project = Project::of("misuse-pages");
    let (status, answer, errors) = project.json(&["check"]);
    assert_eq!(status, 1, "{errors}");
    let (marked, found) = (marked("misuse-pages"), found(&answer));
    let missed: Vec<_> = marked.difference(&found).collect();
    let false_ones: Vec<_> = found.difference(&marked).collect();
    assert!(missed.is_empty() && false_ones.is_empty(), "missed {missed:#?}, not marked {false_ones:#?}");
}

const PORT: &str = "#include <stdlib.h>\n\
    struct port { int open; };\n\
    struct port *port_new(void) { return calloc(1, sizeof(struct port)); }\n\
    void port_open(struct port *p) { p->open = 1; }\n\
    void port_tune(struct port *p) { p->open += 2; }\n\
    void port_close(struct port *p) { p->open = 0; }\n\
    int main(void) {\n\
    struct port *p = port_new();\n\
    if (!p) return 1;\n\
    port_open(p);\n\
    port_tune(p);\n\
    port_close(p);\n\
    port_close(p);\n\
    return 0;\n\
    }\n";

#[test]
fn what_a_model_says_nothing_of_is_told_when_asked_for() {
    let project = Project::new();
    project.write("a.c", PORT);
    project.write("whydunit.toml", "[build]\nsources = [\"a.c\"]\n");
    let model = "class port\nstate closed\nstate open\nmake port_new result: -> closed if result != 0\n\
                 call port_open on 0: closed -> open, open -> never\n\
                 call port_tune on 0: closed -> never\n\
                 call port_close on 0: open -> closed, closed -> never\n";
    project.write("port.model", model);
    let (status, plain, errors) = project.json(&["check", "port.model"]);
    assert_eq!((status, found(&plain).len()), (0, 0), "{errors} {plain}");
    let (status, strict, errors) = project.json(&["check", "port.model", "--strict"]);
    assert_eq!(status, 1, "{errors}");
    let expected = ("a.c".to_owned(), 11, "may port open".to_owned());
    assert_eq!(found(&strict), BTreeSet::from([expected]), "the state is not known behind it: {strict}");
    assert_eq!(strict["findings"][0]["grade"], "unseen");
    let message = strict["findings"][0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("port_tune of port that is open: the model says nothing of it"), "{message}");
}

#[test]
fn a_model_of_another_version_of_a_class_is_told() {
    let project = Project::new();
    project.write("a.c", PORT);
    project.write("whydunit.toml", "[build]\nsources = [\"a.c\"]\n");
    let automaton = "typestate port\nmethod port_new, port_open, port_flush, port_close\nstate closed\nstate open\n\
                     start -> closed port_new\nclosed -> open port_open\nopen -> closed port_close\n\
                     closed -> ex port_close\n";
    project.write("old.model", automaton);
    let (_, answer, errors) = project.json(&["check", "old.model"]);
    let problems = answer["problems"].to_string();
    let told = "port: the model may be of another version: the program has no code of these methods of it: port_flush; \
                it does not name these, which there are: port_tune";
    assert!(problems.contains(told), "{problems} {errors}");
}

#[test]
fn that_nothing_was_looked_at_is_said() {
    let project = Project::new();
    project.write("a.c", "int main(void) { return 0; }\n");
    project.write("whydunit.toml", "[build]\nsources = [\"a.c\"]\n");
    let (status, answer, errors) = project.json(&["check"]);
    assert_eq!((status, answer["findings"].as_array().map(Vec::len)), (0, Some(0)), "{errors}");
    assert!(answer["problems"].to_string().contains("nothing was looked at"), "{answer}");
}

#[test]
fn comments_and_a_baseline_leave_reports_out() {
    let project = Project::of("misuse");
    let baseline = project.path("baseline");
    let (_, all, _) = project.json(&["check", "--write-baseline", baseline.to_str().expect("a path")]);
    let (status, none, _) = project.json(&["check", "--baseline", baseline.to_str().expect("a path")]);
    assert_eq!(status, 0);
    let count = all["findings"].as_array().expect("findings").len();
    assert!(count > 20);
    assert_eq!((none["findings"].as_array().map(Vec::len), none["known"].as_u64()), (Some(0), Some(count as u64)));
    let source = project.path("streams.c");
    let text = fs::read_to_string(&source).expect("a source");
    let allowed = text.replacen("wrong: must", "whydunit: allow", 1);
    fs::write(&source, allowed).expect("a source");
    let (_, less, _) = project.json(&["check"]);
    assert_eq!(less["allowed"], 1);
    assert_eq!(less["findings"].as_array().map(Vec::len), Some(count - 1));
}

#[test]
fn a_model_with_a_mistake_is_told_with_its_line_and_column() {
    let project = Project::of("misuse");
    let model = project.path("own.model");
    let told = |text: &str| {
        fs::write(&model, text).expect("a model");
        let output = project.run(&["check", model.to_str().expect("a path")]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let unknown = told("class port\nstate open\ncall port_close on 0: open -> shut\n");
    assert!(unknown.contains("own.model:3:31: `shut` is no state of port: open"), "{unknown}");
    let early = told("state open\n");
    assert!(early.contains("own.model:1:1: a model starts with `class NAME`"), "{early}");
    let place = told("class port\nstate open\ncall port_close: open -> open\n");
    assert!(place.contains("own.model:3:16: before the colon it has to say where the object is: `on N`"), "{place}");
    let nothing = told("class port\nstate open\n");
    assert!(nothing.contains("the class port has no `make` or `call`"), "{nothing}");
    fs::write(&model, "class port\nstate open\ncall port_close on 0: open -> open\n").expect("a model");
    let (status, answer, _) = project.json(&["check", model.to_str().expect("a path")]);
    assert_eq!(status, 0);
    let problem = answer["problems"][0]["message"].as_str().unwrap_or_default();
    assert!(problem.contains("the program calls nothing of port: it was not checked"), "{answer}");
}
