//! What is held against fixes, smaller inputs, and calls that are missing: shown where people work.

use super::{actions, built, execute, line};
use crate::support::editor::{Editor, uri};
use crate::support::project::Project;
use serde_json::{Value, json};

#[test]
fn a_bad_fix_is_shown_where_it_stands_as_review_tells_it() {
    let project = built("review/no-such-method");
    let mut editor = Editor::new(&project);
    let (status, answer, errors) = project.json(&["review", "first.diff", "--domain", "domain.txt"]);
    assert_eq!((status, &answer["verdict"]), (1, &json!("bad-coverage")), "{errors}");
    // It is not there yet, and nothing of the source is taken away: there is no line to tell it at.
    assert_eq!(answer["changes"][0]["before"], Value::Null);
    project.git_apply("first.diff");
    editor.open(&project, "no_such_method.c");
    let shown = editor.diagnostics(&project, "no_such_method.c", |all| !all.is_empty());
    let bad = shown.iter().find(|one| one["data"]["command"] == "review").expect("the fix");
    let changed = &answer["changes"][0]["after"];
    assert_eq!((line(bad), &bad["code"]), (changed["location"]["line"].as_u64().expect("a line"), &answer["verdict"]));
    let message = bad["message"].as_str().expect("words");
    assert!(message.contains(answer["counterexample"]["fails"].as_str().expect("words")), "{message}");
    assert!(message.contains("first.diff") && message.contains("\"args\":[\"3\",\"1\"]"), "{message}");
    // Once it is mended, nothing is said.
    project.edit("no_such_method.c", "op != TAIL_CALL", "op == TAIL_CALL");
    let document = json!({ "uri": uri(&project.path("no_such_method.c")), "version": 2 });
    let all = json!([{ "text": project.read("no_such_method.c") }]);
    editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": all }));
    editor.diagnostics(&project, "no_such_method.c", <[Value]>::is_empty);
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}

#[test]
fn a_good_fix_is_not_shown() {
    let project = built("review/no-such-method");
    assert_eq!(project.json(&["review", "third.diff", "--domain", "domain.txt"]).0, 0);
    project.git_apply("third.diff");
    let mut editor = Editor::new(&project);
    editor.open(&project, "no_such_method.c");
    editor.save(&project, "no_such_method.c");
    // A response after it: what there was to be shown was shown.
    let document = json!({ "uri": uri(&project.path("no_such_method.c")) });
    editor.ask("textDocument/codeLens", json!({ "textDocument": document }));
    let kept: Value = serde_json::from_str(&project.read(".whydunit/reports/review.json")).expect("JSON");
    assert_eq!(kept["verdict"], "no-counterexample");
    assert_eq!(editor.end(), 0);
}

/// The command of an action, by the end of its title.
fn command<'a>(all: &'a [Value], end: &str) -> &'a Value {
    let found = all.iter().find(|action| action["title"].as_str().is_some_and(|title| title.ends_with(end)));
    &found.unwrap_or_else(|| panic!("{all:?}"))["command"]
}

#[test]
fn the_input_of_a_failing_test_is_made_smaller_as_shrink_does_it() {
    let project = Project::new();
    project.copy("shrink/records.c");
    let stdin = "name = 1\nlimit = 5117 # too many\nname = 2\n";
    project.write("cases.jsonl", &json!({ "name": "crash", "stdin": stdin, "stdout": "" }).to_string());
    let config = "[build]\nsources = [\"records.c\"]\n[tests]\ncases = \"cases.jsonl\"\n";
    project.write("whydunit.toml", config);
    project.json(&["build"]);
    let mut editor = Editor::new(&project);
    editor.open(&project, "cases.jsonl");
    let document = json!({ "uri": uri(&project.path("cases.jsonl")) });
    editor.ask("textDocument/codeLens", json!({ "textDocument": document }));
    let all = actions(&mut editor, &project, "cases.jsonl", "{\"name\"", &json!([]));
    let done = execute(&mut editor, command(&all, "crash: make its input smaller"));
    let case: Value = serde_json::from_str(done["case"].as_str().expect("a case")).expect("JSON");
    let (_, answer, _) = project.json(&["shrink", "crash"]);
    assert_eq!(case, answer["shrunk"]["case"]);
    assert!(done["message"].as_str().expect("words").contains("SIGSEGV"), "{done}");
    assert!(project.path(done["path"].as_str().expect("a path")).exists(), "{done}");
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}

#[test]
fn calls_that_objects_lack_are_offered_to_be_inserted() {
    for (subject, file, call) in [
        ("anomalies/acceptor-c", "main.c", "insert `acceptor_bind(acceptor);`"),
        ("anomalies/visitor", "", "insert `if (declaration.has_errors())"),
    ] {
        let project = built(subject);
        let mut editor = Editor::new(&project);
        let asked = json!({ "command": "whydunit.anomalies", "arguments": [] });
        let done = execute(&mut editor, &asked);
        assert!(done["message"].as_str().expect("words").contains("patch"), "{done}");
        let kept: Value = serde_json::from_str(&project.read(".whydunit/reports/repair.json")).expect("JSON");
        let patch = &kept["patches"][0];
        let of_patch = patch["location"]["file"].as_str().expect("a file");
        assert!(file.is_empty() || of_patch == file, "{of_patch}");
        editor.open(&project, of_patch);
        let number = patch["location"]["line"].as_u64().expect("a line") - 1;
        let at = json!({ "line": number, "character": 0 });
        let document = json!({ "uri": uri(&project.path(of_patch)) });
        let asked =
            json!({ "textDocument": document, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } });
        let all = editor.ask("textDocument/codeAction", asked);
        let inserts =
            all.as_array().expect("actions").iter().find(|action| action["kind"] == "quickfix").expect("a patch");
        assert!(inserts["title"].as_str().expect("words").contains(call), "{inserts}");
        let edit = &inserts["edit"]["changes"][uri(&project.path(of_patch))][0];
        assert_eq!(edit["newText"], patch["after"], "{subject}");
        assert_eq!(editor.end(), 0);
    }
}

#[test]
fn a_source_is_compiled_alone_and_what_is_found_is_what_check_finds_then() {
    let project = built("misuse");
    let program = std::fs::read(project.path("misuse")).expect("a program");
    let mut editor = Editor::new(&project);
    editor.open(&project, "across.c");
    editor.save(&project, "across.c");
    editor.diagnostics(&project, "across.c", |all| !all.is_empty());
    project.edit("across.c", "    int c = fgetc(f);\n    finish(f);", "    finish(f);\n    int c = fgetc(f);");
    let text = project.read("across.c");
    let all = json!([{ "text": text }]);
    let document = json!({ "uri": uri(&project.path("across.c")), "version": 2 });
    editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": all }));
    editor.save(&project, "across.c");
    // What it took is told before what was found.
    loop {
        let logged = editor.told("window/logMessage");
        if logged["message"].as_str().is_some_and(|text| text.starts_with("checked: 1 unit compiled")) {
            break;
        }
    }
    let wanted = text.lines().position(|line| line == "    int c = fgetc(f);").expect("a line") as u64 + 1;
    let shown = editor.diagnostics(&project, "across.c", |all| all.iter().any(|one| line(one) == wanted));
    assert_eq!(std::fs::read(project.path("misuse")).expect("a program"), program, "nothing was built");
    let (_, answer, _) = project.json(&["check"]);
    let told = answer["findings"].as_array().expect("findings").iter();
    let told: Vec<&Value> = told.filter(|it| it["location"]["file"] == "across.c").map(|it| &it["message"]).collect();
    assert_eq!(shown.iter().map(|one| &one["message"]).collect::<Vec<_>>(), told);
    // It does not compile: that is said, and what was found stays.
    project.edit("across.c", "    int c = fgetc(f);", "    int c = fgetc(f) +;");
    editor.save(&project, "across.c");
    let said = editor.told("window/showMessage");
    assert!(said["message"].as_str().expect("words").contains("across.c does not compile: "), "{said}");
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}
