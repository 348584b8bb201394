//! What the program says of itself and of what it needs.

use std::process::Output;

use serde_json::Value;

use crate::support::project::Project;
use crate::support::schema::Schemas;

/// The check of a name.
fn check<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let checks = answer["checks"].as_array().expect("checks");
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name}: {answer}"))
}

#[test]
fn a_project_is_looked_at_without_building_it() {
    let project = Project::of("demo");
    let (status, answer, errors) = project.json(&["doctor"]);
    assert_eq!(Schemas::of_repository().violations("doctor.json", &answer), Vec::<String>::new());
    assert_eq!((status, &answer["missing"]), (0, &0.into()), "{answer} {errors}");
    for name in ["clang 22", "cc", "make", "kernel", "fsgsbase"] {
        assert_eq!(check(&answer, name)["state"], "good", "{answer}");
    }
    assert!(check(&answer, "tests")["found"].as_str().is_some_and(|found| found.contains("cases.jsonl")), "{answer}");
    assert!(!project.path(".whydunit").exists(), "nothing was built");
    project.json(&["build"]);
    let (_, answer, _) = project.json(&["doctor"]);
    assert!(check(&answer, "captured")["found"].as_str().is_some_and(|found| found.ends_with(": 1")), "{answer}");
}

#[test]
fn what_is_missing_is_told_with_what_to_type() {
    let project = Project::of("demo");
    project.write(
        "whydunit.toml",
        "[build]\ncommand = \"meson setup b && meson compile -C b\"\n[tests]\nkind = \"meson\"\n",
    );
    let empty = tempfile::tempdir().expect("a folder");
    let Output { status, stdout, .. } = project
        .bare_command(env!("CARGO_BIN_EXE_whydunit"))
        .arg("doctor")
        .env("PATH", empty.path())
        .output()
        .expect("whydunit starts");
    let text = String::from_utf8_lossy(&stdout);
    assert_eq!(status.code(), Some(1), "{text}");
    for line in ["missing   meson", "missing   cc", "absent    cmake", "absent    cargo"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(text.contains("-> apt-get install meson") || text.contains("Debian's package is meson"), "{text}");
}

#[test]
fn a_mistake_in_the_configuration_is_a_finding_and_no_failure() {
    let project = Project::of("demo");
    project.write("whydunit.toml", "[build]\ncommnd = \"make\"\n");
    let (status, answer, _) = project.json(&["doctor"]);
    assert_eq!(status, 1, "{answer}");
    let check = check(&answer, "configuration");
    assert_eq!(check["state"], "missing");
    assert!(check["found"].as_str().is_some_and(|found| found.contains("commnd")), "{answer}");
}

#[test]
fn completions_and_pages_are_printed() {
    let project = Project::new();
    let run = |arguments: &[&str]| {
        let Output { status, stdout, stderr } =
            project.bare_command(env!("CARGO_BIN_EXE_whydunit")).args(arguments).output().expect("whydunit starts");
        (status.code(), String::from_utf8_lossy(&stdout).into_owned(), String::from_utf8_lossy(&stderr).into_owned())
    };
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (status, script, errors) = run(&["completions", shell]);
        assert_eq!(status, Some(0), "{errors}");
        assert!(script.contains("locate") && script.contains("until-fails"), "{shell}");
    }
    let (status, pages, _) = run(&["manual"]);
    assert!(status == Some(0) && pages.lines().any(|line| line.starts_with("locate ")), "{pages}");
    assert!(run(&["manual", "locate"]).1.starts_with("# Locate"));
    let (status, _, errors) = run(&["manual", "locat"]);
    assert!(status == Some(2) && errors.contains("did you mean `locate`?"), "{errors}");
    let (status, _, errors) = run(&["manual", "--man-pages", "pages"]);
    assert_eq!(status, Some(0), "{errors}");
    let page = project.read("pages/whydunit-locate.1");
    assert!(page.contains(".TH whydunit-locate 1") && page.contains("whydunit locate"), "{page}");
}
