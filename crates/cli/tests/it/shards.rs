//! A suite that several machines run, and their answers put together.

use serde_json::Value;

use crate::support::project::{Project, assert_one_message};

/// An answer without what differs from run to run.
fn timeless(mut answer: Value) -> Value {
    for test in answer["tests"].as_array_mut().expect("tests") {
        test["seconds"] = 0.into();
    }
    answer["stats"]["seconds"] = 0.into();
    answer
}

#[test]
fn the_report_of_all_shards_is_that_of_the_suite() {
    let project = Project::of("demo");
    let (status, whole, errors) = project.json(&["test"]);
    assert_eq!(status, 1, "{errors}");
    for of in [1, 3] {
        let folder = format!("shards-{of}");
        std::fs::create_dir(project.path(&folder)).expect("a folder");
        for number in 1..=of {
            let (_, answer, errors) = project.json(&["test", "--shard", &format!("{number}/{of}")]);
            assert_eq!(answer["shard"]["number"], number, "{errors}");
            project.write(&format!("{folder}/{number}.json"), &answer.to_string());
        }
        let (status, merged, errors) = project.json(&["merge", &folder, "--junit", "all.xml"]);
        assert_eq!(status, 1, "{errors}");
        assert_eq!(timeless(merged), timeless(whole.clone()));
        assert_eq!(project.read("all.xml").matches("<testcase ").count(), 40);
    }
    std::fs::remove_file(project.path("shards-3/2.json")).expect("removed");
    let (status, merged, errors) = project.json(&["merge", "shards-3"]);
    assert_eq!((status, merged["tests"].as_array().map(Vec::len)), (5, Some(27)));
    assert_one_message(&errors, &["these shards are missing: 2 of 3", "whydunit test --shard"]);
}

#[test]
fn mistakes_with_shards_are_told_in_one_message() {
    let project = Project::of("single");
    let (status, _, errors) = project.json(&["test", "--shard", "3/2"]);
    assert_eq!(status, 2);
    assert!(errors.contains("a shard is NUMBER/OF"), "{errors}");
    let (status, _, errors) = project.json(&["merge", "gone"]);
    assert_eq!(status, 2);
    assert_one_message(&errors, &["gone", "cannot be read", "write them first"]);
    let (status, listed, errors) = project.json(&["test", "--shard", "2/2", "--list"]);
    assert_eq!((status, listed["names"].as_array().map(Vec::len)), (0, Some(1)), "{errors}");
}
