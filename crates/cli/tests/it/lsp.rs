//! `whydunit lsp`: editors are shown what the commands tell, in the same words.

mod actions;
mod bad_input;
mod checking;
mod sessions;

use crate::support::editor::{Editor, uri};
use crate::support::project::Project;
use serde_json::{Value, json};
use whydunit_language::{COMMANDS, METHODS};

/// The manual's table is that of the program.
#[test]
fn the_manual_has_every_method_and_command() {
    let page = include_str!("../../../../docs/book/src/lsp.md");
    let (_, table) = page.split_once("| method | what it does |").expect("a table");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|row| row.starts_with('|')).collect();
    let all: Vec<String> = METHODS.iter().map(|method| format!("| `{}` | {} |", method.name, method.what)).collect();
    assert_eq!(rows, all);
    let (_, table) = page.split_once("| command | what it does |").expect("a table");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|row| row.starts_with('|')).collect();
    let all: Vec<String> = COMMANDS.iter().map(|command| format!("| `{}` | {} |", command.0, command.2)).collect();
    assert_eq!(rows, all);
}

const FAILING: &str = "five-for-three-high-rest";

/// The bundled program, built.
fn till() -> Project {
    built("demo")
}

fn built(subject: &str) -> Project {
    let project = Project::of(subject);
    let (status, _, errors) = project.json(&["build"]);
    assert_eq!(status, 0, "{errors}");
    project
}

/// The first line of a finding's range, from 1.
fn line(diagnostic: &Value) -> u64 {
    diagnostic["range"]["start"]["line"].as_u64().expect("a line") + 1
}

fn of_command<'a>(diagnostics: &'a [Value], command: &str) -> Vec<&'a Value> {
    diagnostics.iter().filter(|diagnostic| diagnostic["data"]["command"] == command).collect()
}

#[test]
fn misuse_is_shown_on_save_as_check_tells_it() {
    let project = built("misuse");
    let (status, answer, errors) = project.json(&["check"]);
    assert_eq!(status, 1, "{errors}");
    let mut editor = Editor::new(&project);
    editor.open(&project, "streams.c");
    editor.save(&project, "streams.c");
    let shown = editor.diagnostics(&project, "streams.c", |all| !of_command(all, "check").is_empty());
    let told = answer["findings"].as_array().expect("findings");
    let told: Vec<&Value> = told.iter().filter(|finding| finding["location"]["file"] == "streams.c").collect();
    assert!(told.len() > 3 && told.len() == shown.len(), "{} and {}", told.len(), shown.len());
    for (finding, diagnostic) in told.iter().zip(&shown) {
        assert_eq!(diagnostic["message"], finding["message"]);
        assert_eq!(diagnostic["code"], finding["grade"]);
        assert_eq!(diagnostic["data"]["certainty"], finding["certainty"]);
        assert_eq!(diagnostic["severity"], if finding["certainty"] == "must" { 1 } else { 2 });
        assert_eq!(line(diagnostic), finding["location"]["line"]);
        let steps = finding["steps"].as_array().expect("steps");
        let related = diagnostic["relatedInformation"].as_array().cloned().unwrap_or_default();
        let words = |all: &[Value], key: &str| all.iter().map(|one| one[key].clone()).collect::<Vec<_>>();
        assert_eq!(words(&related, "message"), words(steps, "what"));
    }
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}

#[test]
fn the_newest_failing_run_and_what_is_suspected_are_shown_as_show_and_locate_tell_them() {
    let project = till();
    let mut editor = Editor::new(&project);
    editor.open(&project, "invoice.c");
    editor.open(&project, "offer.c");
    // It comes while the editor is open.
    let (_, shown, errors) = project.json(&["record", FAILING]);
    assert!(shown["recordings"].is_array(), "{errors}");
    let (_, told, _) = project.json(&["show", FAILING]);
    let failure = &editor.diagnostics(&project, "invoice.c", |all| !all.is_empty())[0];
    assert_eq!(line(failure), told["failure"]["location"]["line"]);
    assert_eq!((&failure["code"], &failure["severity"]), (&told["failure"]["kind"], &json!(1)));
    let message = failure["message"].as_str().expect("words");
    assert!(message.starts_with(&format!("{FAILING} fails here: ")), "{message}");
    assert!(message.contains(told["failure"]["predicate"].as_str().expect("a predicate")), "{message}");
    let (_, answer, _) = project.json(&["locate"]);
    let hints = editor.diagnostics(&project, "offer.c", |all| !of_command(all, "locate").is_empty());
    let first = &answer["findings"][0];
    let hint = hints.iter().find(|hint| line(hint) == first["location"]["line"]).expect("the first finding");
    assert_eq!(hint["severity"], 4);
    let message = hint["message"].as_str().expect("words");
    assert!(message.starts_with("suspicious: rank 1, "), "{message}");
    assert!(message.ends_with(first["witness"][0].as_str().expect("a reason")), "{message}");
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}

#[test]
fn memory_errors_are_shown_with_where_their_object_is_from() {
    let project = Project::new();
    project.write("m.c", "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  free(p);\n  return *p;\n}\n");
    project.write("whydunit.toml", "[build]\nsources = [\"m.c\"]\nexecutable = \"./m\"\n");
    project.json(&["build"]);
    project.json(&["record", "--", "./m"]);
    let (_, told, _) = project.json(&["show"]);
    let mut editor = Editor::new(&project);
    let shown = editor.diagnostics(&project, "m.c", |all| all.iter().any(|one| one["code"] == "use-after-free"));
    let error = shown.iter().find(|one| one["code"] == "use-after-free").expect("it");
    assert_eq!((line(error), &error["message"]), (5, &told["memory_errors"][0]["message"]));
    let related: Vec<u64> = error["relatedInformation"]
        .as_array()
        .expect("places")
        .iter()
        .map(|place| place["location"]["range"]["start"]["line"].as_u64().expect("a line") + 1)
        .collect();
    assert!(related.contains(&3) && related.contains(&4), "{error}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn findings_move_with_their_lines_while_a_text_is_unsaved() {
    let project = built("misuse");
    let mut editor = Editor::new(&project);
    editor.open(&project, "streams.c");
    editor.save(&project, "streams.c");
    let before = editor.diagnostics(&project, "streams.c", |all| !all.is_empty());
    let document = json!({ "uri": uri(&project.path("streams.c")), "version": 2 });
    let zero = json!({ "line": 0, "character": 0 });
    let change = json!({ "range": { "start": zero, "end": zero }, "text": "/* ä */\r\n\n" });
    editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    let after = editor.diagnostics(&project, "streams.c", |all| !all.is_empty());
    let lines = |all: &[Value]| all.iter().map(line).collect::<Vec<_>>();
    assert_eq!(lines(&after), lines(&before).iter().map(|line| line + 2).collect::<Vec<_>>());
    // The line of one is changed: it is gone, and the others stay.
    let first = line(&after[0]) - 1;
    let (start, end) = (json!({ "line": first, "character": 0 }), json!({ "line": first, "character": 2 }));
    let change = json!({ "range": { "start": start, "end": end }, "text": "x" });
    let document = json!({ "uri": uri(&project.path("streams.c")), "version": 3 });
    editor.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    let gone = editor.diagnostics(&project, "streams.c", |_| true);
    assert!(gone.iter().all(|one| line(one) != first + 1) && gone.len() < after.len(), "{gone:?}");
    // It is closed without being saved: what is on the disk counts again.
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&project.path("streams.c")) } }));
    assert_eq!(lines(&editor.diagnostics(&project, "streams.c", |_| true)), lines(&before));
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_project_that_does_not_build_keeps_its_findings_and_says_so_once() {
    let project = built("misuse");
    let mut editor = Editor::new(&project);
    editor.open(&project, "streams.c");
    editor.save(&project, "streams.c");
    editor.diagnostics(&project, "streams.c", |all| !all.is_empty());
    let whole = project.read("main.c");
    project.write("main.c", "int main(void) { return }\n");
    editor.save(&project, "main.c");
    let shown = editor.told("window/showMessage");
    assert!(shown["message"].as_str().expect("words").starts_with("whydunit: not checked: "), "{shown}");
    editor.save(&project, "main.c");
    project.write("main.c", &whole);
    editor.save(&project, "streams.c");
    // Nothing is said again on the way to the last check's end, and no finding was taken away.
    let mut ended = 0;
    while ended < 2 {
        let message = editor.wire.receive().expect("it goes on");
        assert_ne!(message["method"], "window/showMessage", "{message}");
        assert_ne!(message["params"]["diagnostics"], json!([]), "{message}");
        ended += u32::from(message["params"]["value"]["kind"] == "end");
    }
    assert_eq!(editor.end(), 0);
}

#[test]
fn projects_of_several_folders_are_told_apart_and_none_that_was_not_built_is_checked() {
    let (one, other, bare) = (built("misuse"), till(), Project::of("misuse"));
    let mut editor = Editor::new(&one);
    let folder = json!({ "uri": uri(other.folder()), "name": "other" });
    editor.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [folder], "removed": [] } }));
    other.json(&["record", FAILING]);
    editor.diagnostics(&other, "invoice.c", |all| all.len() == 1);
    editor.open(&bare, "streams.c");
    editor.save(&bare, "streams.c");
    editor.open(&one, "streams.c");
    editor.save(&one, "streams.c");
    editor.diagnostics(&one, "streams.c", |all| !all.is_empty());
    // It was not built for being looked at.
    assert!(!bare.path(".whydunit").exists());
    editor.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [], "removed": [folder] } }));
    editor.diagnostics(&other, "invoice.c", <[Value]>::is_empty);
    assert_eq!(editor.end(), 0);
}

/// The place of a text in a file, as the protocol has it.
fn place(project: &Project, file: &str, text: &str) -> Value {
    let source = project.read(file);
    let (line, found) = source.lines().enumerate().find(|(_, line)| line.contains(text)).expect("a line");
    json!({ "line": line, "character": found.find(text).expect("it") })
}

fn at(project: &Project, file: &str, text: &str) -> Value {
    json!({ "textDocument": { "uri": uri(&project.path(file)) }, "position": place(project, file, text) })
}

#[test]
fn values_of_the_failing_run_are_told_where_variables_stand() {
    let project = till();
    project.json(&["record", FAILING]);
    let mut editor = Editor::new(&project);
    editor.open(&project, "offer.c");
    // Asked before anything is known: it waits for the replay.
    let hover = editor.ask("textDocument/hover", at(&project, "offer.c", "pieces += started"));
    let told = hover["contents"]["value"].as_str().expect("words").to_owned();
    assert!(told.contains(&format!("`pieces` in the failing run of `{FAILING}`")), "{told}");
    // As the recording has it where it is shown.
    let (_, why, _) = project.json(&["why", "pieces", "at", "offer.c:33"]);
    let value = why["steps"][0]["value"].as_str().expect("a value");
    assert!(told.contains(&format!("last `{value}`")) && told.contains("line 32: "), "{told} and {value}");
    let cause = editor.ask("textDocument/definition", at(&project, "offer.c", "pieces;"));
    assert_eq!(cause[0]["range"]["start"]["line"], 31);
    assert_eq!(cause[0]["uri"], uri(&project.path("offer.c")));
    let range = json!({ "start": { "line": 28, "character": 0 }, "end": { "line": 33, "character": 0 } });
    let hints = json!({ "textDocument": { "uri": uri(&project.path("offer.c")) }, "range": range });
    let hints = editor.ask("textDocument/inlayHint", hints);
    let labels: Vec<&str> = hints.as_array().expect("hints").iter().filter_map(|hint| hint["label"].as_str()).collect();
    assert!(labels.contains(&format!("pieces = {value}").as_str()), "{labels:?}");
    // Nothing is known of a word that is no variable, of one that did not run, and of what is no word.
    for text in ["return pieces", "static", "/ o->group"] {
        assert_eq!(editor.ask("textDocument/hover", at(&project, "offer.c", text)), Value::Null, "{text}");
    }
    // It is quick from then on.
    let started = std::time::Instant::now();
    for _ in 0..20 {
        editor.ask("textDocument/hover", at(&project, "offer.c", "pieces += started"));
    }
    assert!(started.elapsed().as_secs_f64() / 20.0 < 0.05, "{:?}", started.elapsed() / 20);
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}

#[test]
fn of_a_source_that_has_changed_since_no_value_is_told() {
    let project = till();
    project.json(&["record", FAILING]);
    project.edit("offer.c", "long started", "long  started");
    let mut editor = Editor::new(&project);
    editor.open(&project, "offer.c");
    assert_eq!(editor.ask("textDocument/hover", at(&project, "offer.c", "pieces += started")), Value::Null);
    assert_eq!(editor.ask("textDocument/definition", at(&project, "offer.c", "pieces += started")), Value::Null);
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_request_that_waits_for_the_replay_can_be_cancelled() {
    let project = till();
    project.json(&["record", FAILING]);
    let mut editor = Editor::new(&project);
    editor.open(&project, "offer.c");
    let number = editor.send("textDocument/hover", at(&project, "offer.c", "pieces += started"));
    editor.notify("$/cancelRequest", json!({ "id": number }));
    let response = editor.response(number);
    assert_eq!(response["error"]["code"], -32800, "{response}");
    assert_eq!(editor.end(), 0);
}

/// Asks for a command as an editor does that was given it by a lens or an action; what it comes to.
fn execute(editor: &mut Editor, command: &Value) -> Value {
    editor.ask("workspace/executeCommand", json!({ "command": command["command"], "arguments": command["arguments"] }))
}

/// The commands of the lenses above a line that has this text, by their titles.
fn lenses(editor: &mut Editor, project: &Project, file: &str, text: &str) -> Vec<(String, Value)> {
    editor.open(project, file);
    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&project.path(file)) } }));
    let line = &place(project, file, text)["line"];
    let here = lenses.as_array().expect("lenses").iter().filter(|lens| lens["range"]["start"]["line"] == *line);
    here.map(|lens| (lens["command"]["title"].as_str().expect("a title").into(), lens["command"].clone())).collect()
}

#[test]
fn lenses_above_cases_run_and_record_them_and_say_why_they_fail() {
    let project = till();
    let mut editor = Editor::new(&project);
    let lenses = lenses(&mut editor, &project, "cases.jsonl", &format!("\"{FAILING}\""));
    let titles: Vec<&str> = lenses.iter().map(|lens| lens.0.as_str()).collect();
    assert_eq!(titles, ["run", "record", "why does it fail?"]);
    let run = execute(&mut editor, &lenses[0].1);
    let (_, told, _) = project.json(&["test", FAILING]);
    assert_eq!((&run["outcome"], &run["reason"]), (&told["tests"][0]["outcome"], &told["tests"][0]["reason"]));
    assert_eq!(run["test"], FAILING);
    editor.open(&project, "invoice.c");
    let recorded = execute(&mut editor, &lenses[1].1);
    assert_eq!(recorded["recordings"], json!([format!(".whydunit/recordings/{FAILING}.rec")]));
    assert_eq!(project.recordings(), [format!("{FAILING}.rec")]);
    editor.diagnostics(&project, "invoice.c", |all| !all.is_empty());
    editor.open(&project, "offer.c");
    let located = execute(&mut editor, &lenses[2].1);
    let hints = editor.diagnostics(&project, "offer.c", |all| !of_command(all, "locate").is_empty());
    let (_, answer, _) = project.json(&["locate", FAILING]);
    let first = &answer["findings"][0];
    let message = located["message"].as_str().expect("words");
    let place = format!("{}:{}", first["location"]["file"].as_str().expect("a file"), first["location"]["line"]);
    assert!(message.starts_with(&format!("most suspicious is {place}:")), "{message}");
    assert!(hints.iter().any(|hint| line(hint) == first["location"]["line"]), "{hints:?}");
    // Its page can be opened then.
    let opened = execute(&mut editor, &json!({ "command": "whydunit.report", "arguments": [] }));
    let page = std::fs::read_to_string(opened["page"].as_str().expect("a path")).expect("a page");
    assert!(page.contains("offer.c") && page.starts_with("<!doctype html>"), "{}", &page[..60]);
    let shown = editor.told("window/showDocument");
    assert!(shown["uri"].as_str().expect("a name").ends_with("/.whydunit/reports/locate.html"), "{shown}");
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}

#[test]
fn lenses_stand_above_tests_of_rust_and_of_frameworks() {
    let rust = built("suites/cargo");
    let mut editor = Editor::new(&rust);
    let found = lenses(&mut editor, &rust, "tests/whole.rs", "fn even");
    assert_eq!(found[0].1["arguments"][0]["test"], "halves::whole even");
    assert!(lenses(&mut editor, &rust, "src/lib.rs", "fn half").is_empty());
    assert_eq!(execute(&mut editor, &found[0].1)["outcome"], "pass");
    assert_eq!(editor.end(), 0);
    let cmake = built("suites/cmake");
    let mut editor = Editor::new(&cmake);
    let found = lenses(&mut editor, &cmake, "unit.cc", "TEST(Sum, Wrong)");
    assert_eq!(found[0].1["arguments"][0]["test"], "unit/Sum.Wrong");
    assert_eq!(execute(&mut editor, &found[0].1)["outcome"], "fail");
    assert_eq!(lenses(&mut editor, &cmake, "cases.cc", "\"fine\"")[0].1["arguments"][0]["test"], "cases/fine");
    assert_eq!(lenses(&mut editor, &cmake, "CMakeLists.txt", "NAME plain")[0].1["arguments"][0]["test"], "plain");
    assert_eq!(editor.end(), 0);
}

/// The actions at a text of a file.
fn actions(editor: &mut Editor, project: &Project, file: &str, text: &str, diagnostics: &Value) -> Vec<Value> {
    let at = place(project, file, text);
    let range = json!({ "start": at, "end": at });
    let document = json!({ "uri": uri(&project.path(file)) });
    let asked = json!({ "textDocument": document, "range": range, "context": { "diagnostics": diagnostics } });
    editor.ask("textDocument/codeAction", asked).as_array().expect("actions").clone()
}

#[test]
fn a_patch_of_repair_is_an_edit_as_long_as_what_it_replaces_stands() {
    let project = till();
    let mut editor = Editor::new(&project);
    let repaired = execute(&mut editor, &json!({ "command": "whydunit.repair" }));
    let patches: Value = serde_json::from_str(&project.read(".whydunit/reports/repair.json")).expect("JSON");
    let patch = &patches["patches"][0];
    assert!(repaired["message"].as_str().expect("words").contains("patch"), "{repaired}");
    editor.open(&project, "offer.c");
    let all = actions(&mut editor, &project, "offer.c", "pieces += started", &json!([]));
    let apply: Vec<&Value> = all.iter().filter(|action| action["kind"] == "quickfix").collect();
    let edit = &apply[0]["edit"]["changes"][uri(&project.path("offer.c"))][0];
    // What the editor would have is what `git apply` makes of the same patch.
    let source = project.read("offer.c");
    let lines: Vec<&str> = source.split('\n').collect();
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
    assert_eq!(start["line"], end["line"]);
    let line = lines[number(&start["line"])];
    let (from, to) = (number(&start["character"]), number(&end["character"]));
    assert_eq!(&line[from..to], patch["before"].as_str().expect("a text"));
    let new = format!("{}{}{}", &line[..from], edit["newText"].as_str().expect("a text"), &line[to..]);
    project.write("fix.diff", patch["diff"].as_str().expect("a patch"));
    project.git_apply("fix.diff");
    assert!(project.read("offer.c").lines().any(|line| line == new), "{new}");
    // It stands no more.
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&project.path("offer.c")) } }));
    let all = actions(&mut editor, &project, "offer.c", "pieces += started", &json!([]));
    assert!(all.iter().all(|action| action["edit"] != apply[0]["edit"]), "{all:?}");
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}

#[test]
fn a_failure_offers_to_say_why_and_work_in_the_background_can_be_cancelled() {
    let project = till();
    project.json(&["record", FAILING]);
    let mut editor = Editor::new(&project);
    editor.open(&project, "invoice.c");
    let shown = json!(editor.diagnostics(&project, "invoice.c", |all| !all.is_empty()));
    let all = actions(&mut editor, &project, "invoice.c", "#include", &shown);
    let why = all.iter().find(|action| action["command"]["command"] == "whydunit.locate").expect("the action");
    assert_eq!(why["title"], format!("whydunit: {FAILING}: why does it fail?"));
    // By its progress, which the client has named.
    let mut asked = json!({ "command": "whydunit.locate", "workDoneToken": "mine" });
    asked["arguments"] = why["command"]["arguments"].clone();
    let number = editor.send("workspace/executeCommand", asked);
    loop {
        let progress = editor.told("$/progress");
        if progress["token"] == "mine" {
            assert_eq!(
                (&progress["value"]["kind"], &progress["value"]["cancellable"]),
                (&json!("begin"), &json!(true))
            );
            break;
        }
    }
    editor.notify("window/workDoneProgress/cancel", json!({ "token": "mine" }));
    assert_eq!(editor.response(number)["error"]["code"], -32800);
    // By its number.
    let number = editor.send("workspace/executeCommand", json!({ "command": "whydunit.repair", "arguments": [] }));
    editor.notify("$/cancelRequest", json!({ "id": number }));
    assert_eq!(editor.response(number)["error"]["code"], -32800);
    assert!(!project.path(".whydunit/reports/locate.json").exists());
    for (command, arguments, words) in [
        ("whydunit.nothing", json!([]), "there is no command `whydunit.nothing`"),
        ("whydunit.record", json!([]), "`test` is missing"),
        ("whydunit.record", json!([{ "test": "never" }]), "never"),
        ("whydunit.locate", json!([7]), "cannot be understood"),
        ("whydunit.locate", json!([{ "project": "/nowhere/at/all" }]), "/nowhere/at/all"),
        ("whydunit.report", json!([]), "nothing is kept yet"),
    ] {
        let (_, why) =
            editor.refused("workspace/executeCommand", json!({ "command": command, "arguments": arguments }));
        assert!(why.contains(words), "{why}");
    }
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}

#[test]
fn what_was_suspected_stays_with_its_line_and_goes_with_it() {
    let project = till();
    let (_, answer, _) = project.json(&["locate", FAILING]);
    let faulty = answer["findings"][0]["location"]["line"].clone();
    // Written again as it was, and changed elsewhere.
    project.edit("offer.c", "pieces;\n", "pieces ;\n");
    let mut editor = Editor::new(&project);
    let hints = editor.diagnostics(&project, "offer.c", |all| !all.is_empty());
    assert!(hints.iter().any(|hint| line(hint) == faulty), "{hints:?}");
    assert_eq!(editor.end(), 0);
    project.edit("offer.c", "pieces += started", "pieces += 1 + started");
    let mut editor = Editor::new(&project);
    let hints = editor.diagnostics(&project, "offer.c", |_| true);
    assert!(hints.iter().all(|hint| line(hint) != faulty), "{hints:?}");
    assert_eq!(editor.end(), 0);
}
