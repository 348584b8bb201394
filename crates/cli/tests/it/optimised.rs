//! `build.optimised`: code is captured as optimised as the build asks for it.

use crate::support::project::Project;
use serde_json::Value;

fn outcome(answer: &Value) -> &str {
    answer["tests"][0]["outcome"].as_str().unwrap_or("none")
}

/// Records a test, and gives its outcome and its instructions once the replay has agreed.
fn recorded(project: &Project, test: &str) -> (String, u64) {
    let (_, recorded, errors) = project.json(&["record", test]);
    let path = recorded["recordings"][0]["path"].as_str().unwrap_or_default();
    let (_, replayed, replaying) = project.json(&["replay", path]);
    assert!(replayed["divergence"].is_null() && !replayed.is_null(), "{errors} {replaying}");
    (outcome(&recorded).to_owned(), replayed["stats"]["instructions"].as_u64().expect("instructions"))
}

#[test]
fn a_failure_of_optimised_code_is_recorded_where_it_is_asked_for() {
    let project = Project::of("optimised");
    let configuration = |optimised: bool| {
        let build = format!("[build]\ncommand = \"make\"\nexecutable = \"./wraps\"\noptimised = {optimised}\n");
        project.write("whydunit.toml", &format!("{build}[tests]\ncases = \"cases.jsonl\"\n"));
    };
    configuration(false);
    assert_eq!(project.json(&["build"]).0, 0);
    assert_eq!(outcome(&project.json(&["test", "largest"]).1), "fail");
    assert_eq!(recorded(&project, "largest").0, "pass");
    // What is up to date would go on being what it was.
    configuration(true);
    let (_, built, _) = project.json(&["build"]);
    assert!(built["notes"].to_string().contains("`optimised` was changed"), "{built}");
    assert!(std::process::Command::new("make").arg("clean").current_dir(project.folder()).status().unwrap().success());
    let (_, built, _) = project.json(&["build"]);
    assert!(!built["notes"].to_string().contains("`optimised`"), "{built}");
    assert_eq!(recorded(&project, "largest").0, "fail");
    assert_eq!(recorded(&project, "small").0, "pass");
}

#[test]
fn crates_are_captured_at_the_level_of_their_profile() {
    let project = Project::of("optimised/crate");
    let instructions = |optimised: &str| {
        let build = format!("[build]\ncommand = \"cargo test --offline --no-run --release\"\n{optimised}");
        let tests = "[tests]\nkind = \"cargo\"\ncommand = \"cargo test --offline --release\"\n";
        project.write("whydunit.toml", &format!("{build}{tests}"));
        assert_eq!(project.json(&["build"]).0, 0);
        let (_, listed, errors) = project.json(&["test"]);
        let name = listed["tests"][0]["name"].as_str().unwrap_or_else(|| panic!("no test: {errors}")).to_owned();
        let (recorded, instructions) = recorded(&project, &name);
        assert_eq!(recorded, outcome(&listed));
        instructions
    };
    let plain = instructions("");
    // The folder that cargo builds in is our own: it is built anew without being asked to.
    let optimised = instructions("optimised = true\n");
    assert!(2 * optimised < plain, "{optimised} of {plain} instructions");
}

#[test]
fn the_build_is_found_out_where_only_its_optimisation_is_said() {
    let project = Project::of("optimised");
    for optimised in [false, true] {
        project.write("whydunit.toml", &format!("[build]\noptimised = {optimised}\n"));
        let (status, tested, errors) = project.json(&["test", "largest"]);
        assert_eq!((status, outcome(&tested)), (1, "fail"), "{errors}");
        assert!(errors.contains("build: `make`, because there is Makefile"), "{errors}");
        std::fs::remove_dir_all(project.path(".whydunit")).expect("a store");
        assert!(
            std::process::Command::new("make").arg("clean").current_dir(project.folder()).status().unwrap().success()
        );
    }
}
