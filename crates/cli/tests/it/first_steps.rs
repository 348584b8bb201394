//! What somebody does who has never used the program.

use crate::support::project::{self, Project, assert_one_message};

#[test]
fn cases_that_come_after_the_configuration_are_found() {
    for configuration in [None, Some("[build]\nsources = [\"twice.c\"]\n"), Some("[tests]\ntimeout = \"9s\"\n")] {
        let project = Project::of("single");
        let cases = project.read("cases.jsonl");
        std::fs::remove_file(project.path("cases.jsonl")).expect("the cases go");
        match configuration {
            Some(text) => project.write("whydunit.toml", text),
            None => {
                let (status, _, errors) = project.json(&["init"]);
                assert_eq!(status, 0, "{errors}");
                assert!(project.read("whydunit.toml").contains("\n# [tests]\n"));
            }
        }
        if configuration.is_some_and(|text| text.starts_with("[tests]")) {
            let (status, _, errors) = project.json(&["build", "--", "cc", "-o", "twice", "twice.c"]);
            assert_eq!(status, 0, "{errors}");
        }
        let (status, _, errors) = project.json(&["test"]);
        assert_eq!(status, 2);
        assert!(errors.contains("cases.jsonl"), "{errors}");
        project.write("cases.jsonl", &cases);
        let (status, tested, errors) = project.json(&["test"]);
        assert_eq!((status, tested["tests"].as_array().map(Vec::len)), (0, Some(2)), "{configuration:?}: {errors}");
    }
}

#[test]
fn the_folder_of_an_executable_is_made() {
    let project = Project::of("single");
    project.write("whydunit.toml", "[build]\nsources = [\"twice.c\"]\nexecutable = \"out/bin/twice\"\n");
    let (status, tested, errors) = project.json(&["test"]);
    assert_eq!((status, tested["tests"].as_array().map(Vec::len)), (0, Some(2)), "{errors}");
    assert!(project.path("out/bin/twice").exists());
}

#[test]
fn that_nothing_was_recorded_yet_is_said_with_what_to_do() {
    let project = Project::of("single");
    let (status, _, errors) = project.json(&["build"]);
    assert_eq!(status, 0, "{errors}");
    for command in [&["replay"][..], &["show"], &["show", "four"], &["why", "n", "at", "twice.c:5"]] {
        let (status, _, errors) = project.json(command);
        assert_eq!(status, 2);
        assert_one_message(&errors, &["nothing has been recorded yet", "whydunit record TEST"]);
    }
}

#[test]
fn an_answer_about_another_folder_names_it() {
    let project = Project::of("single");
    let (status, _, errors) = project.json(&["build"]);
    assert_eq!(status, 0, "{errors}");
    std::fs::create_dir(project.path("sub")).expect("a folder");
    std::fs::copy(project.path("twice.c"), project.path("sub/thrice.c")).expect("a file");
    let first = |args: &[&str], folder: &str| {
        let mut command = project.command(project::WHYDUNIT);
        let output = command.args(args).current_dir(project.path(folder)).output().expect("whydunit starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
    };
    let named = format!("in the project {}", project.folder().canonicalize().expect("a path").display());
    assert_eq!(first(&["build", "--", "cc", "-o", "thrice", "sub/thrice.c"], "sub"), named);
    let mut command = project.command(project::WHYDUNIT);
    command.args(["build", "--", "cc", "-o", "thrice", "thrice.c"]).current_dir(project.path("sub"));
    let (status, _, errors) = project::answer(&command.output().expect("whydunit starts"));
    assert_eq!(status, 3);
    assert_one_message(&errors, &["thrice.c", &named]);
    assert_ne!(first(&["test"], "."), named);
    assert_ne!(first(&["--project", "..", "test"], "sub"), named);
}

#[test]
fn an_answer_about_a_recording_begins_with_the_run_that_it_is_of() {
    let project = Project::of("single");
    let (status, _, errors) = project.json(&["record", "four"]);
    assert_eq!(status, 0, "{errors}");
    for command in ["show", "replay"] {
        let (_, answer, errors) = project.json(&[command]);
        let ran = &answer["recording"];
        assert_eq!((&ran["test"], &ran["path"]), (&"four".into(), &".whydunit/recordings/four.rec".into()), "{errors}");
        let arguments = ran["arguments"].as_array().expect("a command line");
        assert!(arguments[0].as_str().is_some_and(|program| program.ends_with("twice")), "{ran}");
        let date = ran["recorded"].as_str().expect("a date");
        assert!(date.len() == 20 && date.starts_with("20") && date.ends_with('Z'), "{date}");
        let text = String::from_utf8_lossy(&project.run(&[command]).stdout).into_owned();
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("test four: ") && first.contains("twice") && first.contains(&date[..10]), "{text}");
    }
}
