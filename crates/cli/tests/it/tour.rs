//! The main job on the bundled program: from failing tests to the faulty line and the causes of the wrong value.

use crate::support::project::{Project, subjects};

#[test]
fn the_tour_works_from_build_to_why() {
    let project = Project::new();
    let (status, answer, errors) = project.json(&["demo", "--keep", "tour"]);
    assert_eq!(status, 0, "{errors}");
    let steps = answer["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 7, "{answer}");
    let results: Vec<&str> = steps.iter().filter_map(|step| step["result"].as_str()).collect();
    assert!(results[1].contains("40 tests: 37 pass, 3 fail"), "{}", results[1]);
    assert!(results[3].contains("the replay agrees with the recording"), "{}", results[3]);
    assert!(results[5].contains("offer.c:32"), "{}", results[5]);
    assert!(results[6].contains("pieces = 13") && results[6].contains("offer.c:32"), "{}", results[6]);
}

#[test]
fn the_faulty_line_is_among_the_first_for_every_formula() {
    let project = Project::new();
    project.copy_inside("demo");
    let truth: serde_json::Value =
        serde_json::from_slice(&std::fs::read(subjects().join("demo/truth.json")).expect("truth.json")).expect("JSON");
    let (file, line) = (&truth["fault"][0]["file"], &truth["fault"][0]["line"]);
    for method in ["tarantula", "ochiai", "dstar", "jaccard", "op2", "barinel"] {
        let (status, answer, errors) = project.json(&["locate", "--method", method]);
        assert_eq!(status, 1, "{errors}");
        let findings = answer["findings"].as_array().expect("findings");
        let best = findings
            .iter()
            .filter(|finding| finding["location"]["file"] == *file && finding["location"]["line"] == *line)
            .filter_map(|finding| finding["rank_best"].as_u64())
            .min();
        assert!(best.is_some_and(|rank| rank <= 3), "{method} ranks the fault at {best:?}");
    }
}

#[test]
fn a_failing_case_is_shown_with_the_output_that_is_wrong() {
    let project = Project::new();
    project.copy_inside("demo");
    let (status, recorded, errors) = project.json(&["record", "--check", "stamps-trade"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(recorded["tests"][0]["outcome"], "fail");
    let (status, shown, errors) = project.json(&["show", "stamps-trade"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(shown["failure"]["kind"], "output", "{shown}");
    assert!(shown["failure"]["location"]["file"] == "invoice.c");
    assert!(shown["failure"]["variables"]["amount"].as_str().is_some_and(|text| text.contains("14.84")));
}

#[test]
fn mistakes_around_recordings_are_said_in_one_message() {
    let project = Project::new();
    let (status, _, errors) = project.json(&["replay"]);
    assert_eq!(status, 2);
    assert!(errors.contains("build the project first"), "{errors}");
    project.copy_inside("demo");
    let (status, _, errors) = project.json(&["build", "--", "false"]);
    assert_eq!(status, 3);
    assert!(errors.contains("the build failed"), "{errors}");
    project.json(&["record", "stamps-trade"]);
    let (status, _, errors) = project.json(&["replay", "no-such-recording"]);
    assert_eq!(status, 2);
    assert!(errors.contains("stamps-trade"), "names those that exist: {errors}");
    let (status, _, errors) = project.json(&["why", "nothing", "at", "offer.c:33"]);
    assert_eq!(status, 2);
    assert!(errors.contains("in scope are") && errors.contains("pieces"), "{errors}");
    let (status, _, errors) = project.json(&["why", "pieces", "at", "offer.c:28"]);
    assert_eq!(status, 2);
    assert!(errors.contains("no statement stands at"), "{errors}");
    let recording = project.folder().join(".whydunit/recordings/stamps-trade.rec");
    let bytes = std::fs::read(&recording).expect("the recording");
    std::fs::write(&recording, &bytes[..bytes.len() / 2]).expect("cut");
    let (status, _, errors) = project.json(&["replay", "stamps-trade"]);
    assert_eq!(status, 2);
    assert!(errors.contains("cut off") || errors.contains("damaged"), "{errors}");
}

#[test]
fn a_source_without_a_build_is_built_tested_and_recorded() {
    let project = Project::new();
    project.copy_inside("single");
    for configuration in [None, Some("[build]\nsources = [\"twice.c\"]\n[tests]\ncases = \"cases.jsonl\"\n")] {
        if let Some(text) = configuration {
            project.write("whydunit.toml", text);
        }
        let (status, _, errors) = project.json(&["build"]);
        assert_eq!(status, 0, "{errors}");
        let (status, tested, errors) = project.json(&["test"]);
        assert_eq!((status, tested["tests"].as_array().map(Vec::len)), (0, Some(2)), "{errors}");
        let (status, recorded, errors) = project.json(&["record", "--check", "four"]);
        assert_eq!((status, &recorded["tests"][0]["outcome"]), (0, &"pass".into()), "{errors}");
    }
}
