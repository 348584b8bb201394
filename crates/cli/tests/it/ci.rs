//! The scripts that jobs of CI run, in a project as such a job has it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::git::{commit_all, git};
use crate::support::project::Project;

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci").join(name)
}

/// Runs a script in the project as a job of the hosting service does; its status and standard output.
fn run(project: &Project, name: &str, settings: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command: Command = project.bare_command("bash");
    command.arg(script(name)).env("WHYDUNIT", env!("CARGO_BIN_EXE_whydunit"));
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", project.path("step.md"));
    command.envs(settings.iter().copied());
    let Output { status, stdout, .. } = command.output().expect("bash starts");
    (status.code(), String::from_utf8_lossy(&stdout).into_owned())
}

#[test]
fn a_job_tests_locates_and_annotates() {
    let project = Project::of("demo");
    let (status, said) = run(&project, "test.sh", &[("WHYDUNIT_BUILD", "make"), ("WHYDUNIT_LOCATE", "--top 1")]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("::warning file=offer.c,line=32"), "{said}");
    let report = |name: &str| project.read(&format!("whydunit-report/{name}"));
    assert_eq!(report("tests.xml").matches("<testcase ").count(), 40);
    assert!(report("locate.sarif").contains("\"offer.c\"") && report("locate.html").contains("offer.c"));
    let summary = report("summary.md");
    assert!(summary.contains("## whydunit test") && summary.contains("## whydunit locate"), "{summary}");
    assert_eq!(project.read("step.md"), summary);
}

#[test]
fn a_job_of_several_runs_its_part_and_a_last_one_merges() {
    let project = Project::of("single");
    for shard in ["1/2", "2/2"] {
        let (status, said) = run(&project, "test.sh", &[("WHYDUNIT_SHARD", shard)]);
        assert_eq!(status, Some(0), "{said}");
    }
    let (status, merged, errors) = project.json(&["merge", "whydunit-report/shards"]);
    assert_eq!((status, merged["tests"].as_array().map(Vec::len)), (0, Some(2)), "{errors}");
}

#[test]
fn a_change_is_judged_as_a_fix_where_a_test_shows_the_bug() {
    let project = Project::of("review/no-such-method");
    git(project.folder(), &["init", "-q"]);
    commit_all(project.folder(), "the bug");
    for (fix, expected, told) in
        [("first.diff", 1, "bad: the bug is not covered"), ("third.diff", 0, "no counterexample")]
    {
        git(project.folder(), &["checkout", "-q", "-b", fix, "main"]);
        project.git_apply(fix);
        commit_all(project.folder(), "the fix");
        let settings = [("WHYDUNIT_BASE", "main"), ("WHYDUNIT_REVIEW", "--domain domain.txt --time-limit 20")];
        let (status, said) = run(&project, "review.sh", &settings);
        assert_eq!(status, Some(expected), "{said}");
        assert!(said.contains(told) && project.read("whydunit-report/summary.md").contains(told), "{said}");
        assert!(project.read("whydunit-report/review.sarif").contains("\"runs\""));
        std::fs::remove_dir_all(project.path("whydunit-report")).expect("removed");
    }
    // What no test shows is no fix of a bug.
    git(project.folder(), &["checkout", "-q", "-b", "other", "third.diff"]);
    project.write("notes.txt", "nothing\n");
    commit_all(project.folder(), "notes");
    let (status, said) = run(&project, "review.sh", &[("WHYDUNIT_BASE", "third.diff")]);
    assert_eq!(status, Some(0), "{said}");
    assert!(project.read("whydunit-report/summary.md").contains("Not judged"), "{said}");
}

/// The variables of ours that a text names.
fn variables(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_ascii_uppercase() || c == '_'));
    words.filter(|word| word.starts_with("WHYDUNIT_") && !word.ends_with('_')).collect()
}

#[test]
fn what_the_files_of_services_set_is_what_the_scripts_read() {
    let read = |name: &str| std::fs::read_to_string(script(name)).expect(name);
    let scripts = read("test.sh") + &read("review.sh");
    let action = read("action.yml");
    assert!(variables(&action).is_subset(&variables(&scripts)), "{:?}", variables(&action));
    assert!(action.contains("\"$GITHUB_ACTION_PATH/$MODE.sh\"") && action.contains("test | review)"), "{action}");
    let template = read("gitlab.yml");
    let mut of_template = variables(&template);
    assert!(of_template.remove("WHYDUNIT_CI"), "{template}");
    assert!(of_template.is_subset(&variables(&scripts)), "{of_template:?}");
    assert!(template.contains("$WHYDUNIT_CI/test.sh") && template.contains("$WHYDUNIT_CI/review.sh"), "{template}");
    assert!(read("../.github/workflows/ci.yml").contains("- run: .ci/run\n"));
}
