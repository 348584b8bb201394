//! A run that parts from its recording: `show` and `why` answer for the part before.

use crate::support::project::Project;

#[test]
fn what_was_before_a_divergence_is_shown_and_asked_about() {
    let project = Project::of("diverged");
    let (status, _, errors) = project.json(&["build", "--", "clang-22", "-g", "-o", "diverged", "diverged.c"]);
    assert_eq!(status, 0, "{errors}");
    let (status, _, errors) = project.json(&["record", "--", "./diverged", "word"]);
    assert_eq!(status, 0, "{errors}");

    let (status, shown, errors) = project.json(&["show"]);
    assert_eq!(status, 70, "{errors}");
    let outline = shown["outline"].as_array().expect("an outline");
    let texts: Vec<&str> = outline.iter().filter_map(|entry| entry["text"].as_str()).collect();
    assert!(texts.iter().any(|text| text.starts_with("twice(number = 6)")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("word: 12")), "{texts:?}");
    assert_eq!(outline.last().expect("an end")["kind"], "divergence", "{shown:#}");
    assert!(shown["end"].as_str().is_some_and(|end| end.starts_with("parts from its recording")), "{shown:#}");
    assert_eq!(shown["divergence"]["location"]["line"], 13, "{shown:#}");
    assert!(shown["failure"].is_null(), "{shown:#}");

    let (status, why, errors) = project.json(&["why", "result", "at", "diverged.c:11"]);
    assert_eq!(status, 70, "{errors}");
    assert_eq!(why["steps"][0]["value"], "12", "{why:#}");
    let lines: Vec<u64> =
        why["steps"].as_array().expect("steps").iter().filter_map(|step| step["location"]["line"].as_u64()).collect();
    assert!(lines.contains(&10) && lines.contains(&9), "{why:#}");
    assert_eq!(why["divergence"], shown["divergence"]);

    // What comes after nobody knows.
    let (status, _, errors) = project.json(&["why", "result", "at", "diverged.c:16"]);
    assert_eq!(status, 70, "{errors}");
    assert!(errors.contains("the replay parts from the recording"), "{errors}");

    let text = String::from_utf8_lossy(&project.run(&["show"]).stdout).into_owned();
    assert!(text.contains("twice(number = 6)") && text.contains("this is a fault of whydunit"), "{text}");
}
