//! The answer of `locate` in its formats, written to a file or printed.

use crate::support::project::Project;

/// Files of the project's folder, without the hidden ones of whydunit.
fn files(project: &Project) -> Vec<String> {
    let entries = std::fs::read_dir(project.folder()).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != ".whydunit");
    names.sort();
    names
}

#[test]
fn a_ranking_is_printed_or_written_in_every_format() {
    let project = Project::of("demo");
    assert_eq!(project.run(&["locate"]).status.code(), Some(1));
    let before = files(&project);
    for (format, sign) in FORMATS {
        let printed = project.run(&["locate", "--format", format]);
        assert_eq!(printed.status.code(), Some(1), "{format}");
        let text = String::from_utf8(printed.stdout).expect("text");
        assert!(text.contains(sign), "{format}: {text}");
        let written = project.run(&["locate", "--format", format, "--output", "answer"]);
        assert_eq!((written.status.code(), written.stdout), (Some(1), vec![]), "{format}");
        assert!(project.read("answer").contains(sign), "{format}");
        std::fs::remove_file(project.path("answer")).expect("it is there");
    }
    assert_eq!(files(&project), before);
}

/// Each with what the fault of the demo looks like in it.
const FORMATS: [(&str, &str); 7] = [
    ("text", "offer.c:32:9 in free_pieces  (3/3 failing, 1/37 passing)"),
    ("json", "\"function\": \"free_pieces\""),
    ("jsonl", "\"code\":\"pieces += started - o->free;\""),
    ("markdown", "| `pieces += started - o->free;` | 3/3 failing, 1/37 passing |"),
    ("sarif", "\"startLine\": 32"),
    ("github", "::warning file=offer.c,line=32,col=9,"),
    ("html", "<th scope=\"row\">32</th>"),
];

#[test]
fn all_shows_what_a_tie_sums_up() {
    let project = Project::of("demo");
    let text = |args: &[&str]| String::from_utf8(project.run(args).stdout).expect("text");
    let summed = text(&["locate", "--method", "ochiai"]);
    assert!(summed.contains("more of rank 3-18: offer.c ") && summed.contains("less suspicious"), "{summed}");
    let all = text(&["locate", "--method", "ochiai", "--all"]);
    assert!(!all.contains("more of rank") && !all.contains("less suspicious"), "{all}");
    assert!(all.lines().count() > 2 * summed.lines().count());
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_work() {
    let project = Project::of("demo");
    let output = project.run(&["locate", "--output", "gone/answer"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("where: gone/answer") && message.contains("--output"), "{message}");
    assert!(!project.path(".whydunit").exists(), "it was built first");
}

#[test]
fn formats_of_rankings_are_refused_elsewhere() {
    let project = Project::new();
    let output = project.run(&["test", "--format", "sarif"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("`--format sarif` is for `whydunit locate`, `explain`, `repair`, `review` and `check`"),
        "{message}"
    );
}
