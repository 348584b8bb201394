//! Programs of Java: the same models as of other languages, what stands in the way of a tracer, and what is learned by trying.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::support::models::{self, set};
use crate::support::project::{Project, assert_one_message};

const JUNIT: &str = "classes:/usr/share/java/junit4.jar:/usr/share/java/hamcrest.jar";
const RUNNER: &str = "org.junit.runner.JUnitCore";

/// A project with a subject's sources, compiled into `classes`.
fn compiled(sources: &[&str]) -> Project {
    let project = Project::new();
    let mut names = Vec::new();
    for source in sources {
        project.copy(&format!("java/{source}"));
        names.push(source.rsplit('/').next().expect("a name"));
    }
    let mut javac = project.command("javac");
    javac.args(["-g", "-nowarn", "-cp", JUNIT, "-d", "classes"]).args(names);
    let output = javac.output().expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    project
}

/// The answer of a command on a program of Java.
fn answer(project: &Project, args: &[&str], program: &[&str]) -> Value {
    let (status, answer, errors) = project.json(&[args, &["--java", "--", "java", "-cp", JUNIT], program].concat());
    assert_eq!(status, 0, "{errors}");
    answer
}

/// The only model of an answer.
fn model(project: &Project, args: &[&str], program: &[&str]) -> Value {
    let answer = answer(project, &[&["mine"], args].concat(), program);
    assert_eq!(answer["models"].as_array().map(Vec::len), Some(1), "{answer}");
    answer["models"][0].clone()
}

/// Transitions as `from -[label]> to`, states by the values of some paths; what makes objects is called `new`.
fn transitions(model: &Value, paths: &[&str]) -> BTreeSet<String> {
    models::transitions(model, paths, Some("new"))
}

/// A command that was used wrongly says so, once.
fn refused(output: &std::process::Output, words: &[&str]) {
    assert_eq!(output.status.code(), Some(2));
    assert_one_message(&String::from_utf8_lossy(&output.stderr), words);
}

#[test]
fn one_protocol_has_one_model_in_three_languages() {
    let expected = set(&[
        "start -new> CLOSED",
        "CLOSED -!send> CLOSED",
        "CLOSED -open> OPEN",
        "OPEN -!open> OPEN",
        "OPEN -send> KNOWN",
        "KNOWN -quit> CLOSED",
        "OPEN -quit> CLOSED",
    ]);
    let java = compiled(&["same/Port.java"]);
    let words = ["send", "open", "open", "send", "quit", "open", "quit"];
    let of_java = model(&java, &["Port"], &[&["Port"][..], &words].concat());
    assert_eq!(transitions(&of_java, &["state"]), expected);
    for other in ["java/same/cpp", "java/same/rust"] {
        let (status, answer, errors) = Project::of(other).json(&["mine", "Port"]);
        assert_eq!(status, 0, "{errors}");
        assert_eq!(transitions(&answer["models"][0], &["state"]), expected, "{other}");
        assert_eq!(answer["models"][0]["states"].as_array().map(Vec::len), of_java["states"].as_array().map(Vec::len));
    }
}

#[test]
fn a_growable_vector_is_empty_or_not_by_its_inspector() {
    let project = compiled(&["examples/IntVector.java"]);
    project.write("whydunit.toml", "[mine.IntVector]\nstate = [\"isEmpty\"]\n");
    let model = model(&project, &["IntVector"], &["IntVector"]);
    assert_eq!(
        transitions(&model, &["isEmpty()"]),
        set(&[
            "start -new> true",
            "true -add> false",
            "true -!remove> true",
            "false -add> false",
            "false -remove> false",
            "false -remove> true",
            "false -clear> true",
        ])
    );
    let transitions = model["transitions"].as_array().expect("transitions");
    let failing = transitions.iter().find(|it| it["exceptional"] == true).expect("one that ends exceptionally");
    assert_eq!(failing["reason"], "java.util.NoSuchElementException");
    assert_eq!(failing["examples"][0]["location"]["file"], "IntVector.java");
    assert_eq!(failing["examples"][0]["location"]["line"], 44);
}

#[test]
fn calls_on_what_an_object_refers_to_are_transitions_with_the_path() {
    let project = compiled(&["examples/Manager.java"]);
    let model = model(&project, &["Manager", "--depth", "2"], &["Manager"]);
    assert_eq!(
        transitions(&model, &["transaction.active", "closed"]),
        set(&[
            "start -new> false false",
            "false false -!get> false false",
            "false false -transaction> false false",
            "false false -transaction.begin> true false",
            "true false -get> true false",
            "true false -transaction.commit> false false",
            "false false -close> false true",
        ])
    );
}

#[test]
fn tests_of_junit_are_runs_and_a_failing_one_is_compared_with_the_others() {
    let project = compiled(&["examples/Acceptor.java", "examples/AcceptorTest.java"]);
    let program = [RUNNER, "AcceptorTest"];
    let answer = answer(&project, &["mine", "Acceptor", "--failing", "unbindsTwice"], &program);
    let texts: Vec<&str> =
        answer["differences"].as_array().expect("differences").iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(texts.len(), 1, "{answer}");
    assert!(
        texts[0].starts_with(
            "Acceptor: where address not empty, bound false, `unbind` is left by java.lang.IllegalStateException"
        ),
        "{texts:?}"
    );
    let output = project.run(&[
        "mine",
        "Acceptor",
        "--failing",
        "binds",
        "--java",
        "--",
        "java",
        "-cp",
        JUNIT,
        RUNNER,
        "AcceptorTest",
    ]);
    refused(&output, &["the test binds does not fail"]);
}

#[test]
fn classes_with_objects_are_listed() {
    let project = compiled(&["corners/Corners.java"]);
    let answer = answer(&project, &["mine"], &["Corners", "guests", "reflection"]);
    let classes: Vec<&str> =
        answer["classes"].as_array().expect("classes").iter().filter_map(|it| it["class"].as_str()).collect();
    assert_eq!(classes, ["Corners$Door", "Corners$Mood"]);
}

#[test]
fn a_class_of_the_java_library_is_traced_on_request() {
    let project = compiled(&["corners/Point.java"]);
    project.write("Zip.java", ZIP);
    let javac = project.command("javac").args(["-g", "-d", "classes", "Zip.java"]).status().expect("javac starts");
    assert!(javac.success());
    project.write("whydunit.toml", "[mine.ZipOutputStream]\nstate = [\"current\", \"finished\", \"closed\"]\n");
    let model = model(&project, &["java.util.zip.ZipOutputStream"], &["Zip"]);
    assert_eq!(model["class"], "java.util.zip.ZipOutputStream");
    assert_eq!(
        transitions(&model, &["current", "finished", "closed"]),
        set(&[
            "start -new> null false false",
            "null false false -!write(byte[], int, int)> null false false",
            "null false false -putNextEntry> not null false false",
            "not null false false -write(byte[], int, int)> not null false false",
            "not null false false -close> null true true",
        ])
    );
}

const ZIP: &str = r#"
import java.util.zip.*;

public class Zip {
    public static void main(String[] words) throws Exception {
        ZipOutputStream zip = new ZipOutputStream(new java.io.ByteArrayOutputStream());
        try {
            zip.write(new byte[3], 0, 3);
        } catch (ZipException error) {
            System.out.println(error.getMessage());
        }
        zip.putNextEntry(new ZipEntry("a"));
        zip.write(new byte[3], 0, 3);
        zip.close();
    }
}
"#;

#[test]
fn what_ends_a_program_or_hides_a_call_leaves_the_model_true() {
    let project = compiled(&["corners/Corners.java", "corners/Point.java"]);
    let opened = set(&["start -new> false", "false -open> true"]);
    for word in ["exit", "halt", "reflection"] {
        let answer = answer(&project, &["mine", "Door"], &["Corners", word]);
        assert_eq!(transitions(&answer["models"][0], &["open"]), opened, "{word}");
        let said = answer["problems"].to_string();
        assert_eq!(said.contains("exit status"), ["exit", "halt"].contains(&word), "{said}");
    }
    let loader = model(&project, &["Door"], &["Corners", "loader"]);
    assert_eq!((transitions(&loader, &["open"]), &loader["objects"]), (opened, &Value::from(2)));
    // What a lambda reads is no call of a method.
    let lambda = model(&project, &["Door"], &["Corners", "lambda"]);
    let expected = set(&["start -new> false", "false -open> true", "true -asked> true"]);
    assert_eq!(transitions(&lambda, &["open"]), expected);
    let fails = model(&project, &["Door"], &["Corners", "fails"]);
    let expected = set(&["start -!Door> start", "start -new> false", "false -close> false"]);
    assert_eq!(transitions(&fails, &["open"]), expected);
    let daemon = model(&project, &["Door"], &["Corners", "daemon"]);
    assert_eq!(transitions(&daemon, &["open"]), set(&["start -new> false", "false -close> false"]));
    let guests = model(&project, &["Door"], &["Corners", "guests"]);
    let expected =
        set(&["start -new> null empty", "null empty -admit> CALM not empty", "CALM not empty -admit> ANGRY not empty"]);
    assert_eq!(transitions(&guests, &["mood", "guests"]), expected);
    let threads = model(&project, &["Door"], &["Corners", "threads"]);
    assert_eq!(threads["objects"], 4);
    let calls = threads["transitions"].as_array().expect("transitions").iter().filter_map(|it| it["count"].as_u64());
    assert_eq!(calls.sum::<u64>(), 4 + 4 * 2000);
    let point = model(&project, &["Point"], &["Point"]);
    assert!(transitions(&point, &["x"]).contains("= 0 -moved> = 0"), "{point}");
}

#[test]
fn a_trace_that_is_too_large_is_cut_and_said_to_be() {
    let project = compiled(&["corners/Corners.java"]);
    let answer = answer(&project, &["mine", "Door", "--trace-limit", "1"], &["Corners", "many"]);
    assert!(answer["problems"].to_string().contains("limit of the trace's size"), "{answer}");
    let objects = answer["models"][0]["objects"].as_u64().expect("a number");
    assert!(objects > 1000 && objects < 300_000, "{objects}");
}

#[test]
fn what_cannot_be_traced_has_one_clear_message() {
    let project = compiled(&["corners/Corners.java"]);
    let run = |args: &[&str], command: &[&str]| project.run(&[&["mine"], args, &["--java", "--"], command].concat());
    refused(&run(&[], &["mvn", "test"]), &["the command starts with `mvn`, which is no java"]);
    refused(&run(&[], &["/nowhere/java", "Main"]), &["there is no `/nowhere/java` to be run"]);
    let java = ["java", "-cp", "classes", "Corners", "guests"];
    refused(&run(&["Window"], &java), &["no object of a class `Window` was seen"]);
    refused(&run(&[], &["java", "--no-such-option", "Corners"]), &["did not run the program", "no-such-option"]);
    std::fs::create_dir(project.path("old")).expect("a folder");
    project.write("old/java", "#!/bin/sh\necho 'java version \"1.8.0_292\"' >&2\n");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(project.path("old/java"), executable).expect("permissions");
    refused(&run(&[], &["old/java", "Corners"]), &["`old/java` is Java 8", "Java 11 to 20"]);
    refused(&project.run(&["mine", "--java"]), &["required"]);
    project.assert_clean();
}

#[test]
fn calls_that_no_test_makes_are_tried_in_fresh_virtual_machines() {
    let project = compiled(&["same/Port.java"]);
    let model = project.path("port.model");
    let path = model.to_str().expect("a text");
    let answer = answer(&project, &["enrich", "Port", "-o", path], &["Port", "open", "send", "quit"]);
    let learned: BTreeSet<String> = answer["transitions"]
        .as_array()
        .expect("transitions")
        .iter()
        .filter(|it| it["seen"] == 0)
        .map(|it| ["from", "method", "to"].map(|key| it[key].as_str().expect("a name")))
        .map(|[from, method, to]| format!("{from} -{method}> {to}"))
        .collect();
    // 1: closed, 2: open, 3: known.
    assert_eq!(learned, set(&["1 -quit> 1", "2 -open> ex", "2 -quit> 1", "3 -open> ex", "1 -send> ex"]), "{answer}");
    let text = std::fs::read_to_string(&model).expect("a model");
    assert!(text.contains("2 -> ex  open [exception java.lang.IllegalStateException; left in 2"), "{text}");
    project.assert_clean();
}
