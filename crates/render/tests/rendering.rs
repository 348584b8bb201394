//! Every renderer on the same reports, and the JSON held to its schemas.

mod support;

use serde_json::{Value, json as value};
use support::fixtures::{Triangle, report, reports};
use support::schema::Schemas;
use whydunit_render::{Options, dot, github, graphml, html, json, jsonl, junit, markdown, mermaid, sarif, svg, text};

#[test]
fn text_of_every_command() {
    for (name, report) in reports() {
        insta::assert_snapshot!(format!("{name}.text"), text(&report, &options()));
    }
}

/// What the snapshots are made with.
fn options() -> Options<'static> {
    Options { colour: false, sources: &Triangle, limit: Some(3), exit_code: 0, prefix: "sub/" }
}

fn ending_with(exit_code: u8) -> Options<'static> {
    Options { exit_code, ..options() }
}

#[test]
fn a_ranking_in_every_format() {
    let report = report("locate");
    insta::assert_snapshot!("locate.markdown", markdown(&report, &options()));
    insta::assert_snapshot!("locate.jsonl", jsonl(&report));
    insta::assert_snapshot!("locate.sarif", sarif(&report, &ending_with(5)));
    insta::assert_snapshot!("locate.github", github(&report, &options()));
    insta::assert_snapshot!("locate.html", markup(&html(&report, &options())));
}

#[test]
fn automata_as_drawings() {
    insta::assert_snapshot!("mine.dot", dot(&report("mine")));
    insta::assert_snapshot!("mine.graphml", graphml(&report("mine")));
    insta::assert_snapshot!("mine.mermaid", mermaid(&report("mine")));
    insta::assert_snapshot!("mine.svg", svg(&report("mine")));
    insta::assert_snapshot!("mine.html", styleless(&html(&report("mine"), &options())));
}

#[test]
fn a_history_as_a_page() {
    insta::assert_snapshot!("history.html", styleless(&html(&report("history"), &options())));
}

#[test]
fn a_reviewed_fix_for_editors() {
    insta::assert_snapshot!("review.sarif", sarif(&report("review"), &ending_with(1)));
    insta::assert_snapshot!("review.html", styleless(&html(&report("review"), &options())));
}

#[test]
fn misuse_for_editors() {
    insta::assert_snapshot!("check.sarif", sarif(&report("check"), &ending_with(1)));
}

#[test]
fn patches_for_editors() {
    insta::assert_snapshot!("repair.sarif", sarif(&report("repair"), &ending_with(1)));
    insta::assert_snapshot!("repair.html", styleless(&html(&report("repair"), &options())));
}

#[test]
fn an_explanation_in_every_format() {
    let report = report("explain");
    insta::assert_snapshot!("explain.markdown", markdown(&report, &options()));
    insta::assert_snapshot!("explain.sarif", sarif(&report, &ending_with(1)));
    insta::assert_snapshot!("explain.html", styleless(&html(&report, &options())));
}

/// A page without its style and its script, and their hashes.
fn markup(page: &str) -> String {
    without(&styleless(page), "<script>", "</script>")
}

/// A page without its style, and the hashes of what it allows.
fn styleless(page: &str) -> String {
    without(&without(page, "<style>", "</style>"), "style-src 'sha256-", "; base-uri")
}

/// A page without what stands between two marks.
fn without(page: &str, from: &str, to: &str) -> String {
    let (before, rest) = page.split_once(from).unwrap_or_else(|| panic!("no {from}"));
    let (_, after) = rest.split_once(to).unwrap_or_else(|| panic!("no {to}"));
    format!("{before}{from}{to}{after}")
}

/// Elements of JUnit's XML, and the elements that each may hold.
const JUNIT: &[(&str, &[&str])] = &[
    ("testsuites", &["testsuite"]),
    ("testsuite", &["testcase"]),
    ("testcase", &["failure", "error", "skipped", "flakyFailure", "rerunFailure"]),
    ("failure", &[]),
    ("error", &[]),
    ("skipped", &[]),
    ("flakyFailure", &[]),
    ("rerunFailure", &[]),
];

#[test]
fn tests_as_junit_are_whole_and_counted() {
    let mut report = report("test");
    report.tests[1].runs = Some(whydunit_findings::Runs { runs: 3, failures: 3 });
    report.tests[1].name = "a <b> & \"c\" ]]> \u{1b}[2J \u{0}".into();
    let text = junit(&report);
    let document = roxmltree::Document::parse(&text).expect("it is XML");
    for node in document.descendants().filter(|node| node.is_element()) {
        let (_, inside) = JUNIT.iter().find(|(name, _)| node.has_tag_name(*name)).expect("an element of JUnit");
        for child in node.children().filter(|child| child.is_element()) {
            assert!(
                inside.contains(&child.tag_name().name()),
                "{} in {}",
                child.tag_name().name(),
                node.tag_name().name()
            );
        }
    }
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count().to_string();
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).expect("a suite");
    for (attribute, element) in
        [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
    {
        assert_eq!(suite.attribute(attribute), Some(&*count(element)), "{attribute}");
    }
    assert_eq!([count("flakyFailure"), count("rerunFailure")], ["1", "2"]);
    let names: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.has_tag_name("testcase").then(|| node.attribute("name"))?)
        .collect();
    assert_eq!(names[1], "a <b> & \"c\" ]]> \\x1b[2J \\x00");
    insta::assert_snapshot!("test.junit", text);
}

#[test]
fn an_answer_that_is_no_ranking_is_a_block_in_markdown() {
    insta::assert_snapshot!("show.markdown", markdown(&report("show"), &options()));
}

#[test]
fn everything_is_text_when_it_is_asked_for() {
    let all = text(&report("locate"), &Options { limit: None, ..options() });
    assert!(all.contains("src/generated.c:40") && !all.contains("less suspicious"), "{all}");
}

#[test]
fn lines_of_json_are_the_whole_object() {
    let schemas = Schemas::of_repository();
    for (name, report) in reports() {
        let whole: Value = serde_json::from_str(&json(&report)).expect("it is JSON");
        let mut gathered = serde_json::Map::new();
        for line in jsonl(&report).lines() {
            let line: Value = serde_json::from_str(line).expect("a line is JSON");
            assert_eq!(schemas.violations("jsonl.json", &line), Vec::<String>::new(), "{name}");
            let (key, value) = line.as_object().and_then(|object| object.iter().next()).expect("one key");
            match (key.as_str(), value) {
                ("report", Value::Object(head)) => gathered.extend(head.clone()),
                ("stats", stats) => _ = gathered.insert(key.clone(), stats.clone()),
                (item, value) => {
                    let list = gathered.entry(format!("{item}s")).or_insert_with(|| value!([]));
                    list.as_array_mut().expect("a list").push(value.clone());
                }
            }
        }
        for (key, value) in whole.as_object().expect("an object") {
            let empty = value.as_array().is_some_and(Vec::is_empty);
            assert!(gathered.get(key) == Some(value) || empty && !gathered.contains_key(key), "{name}: {key}");
        }
    }
}

#[test]
fn json_of_every_command() {
    for (name, report) in reports() {
        insta::assert_snapshot!(format!("{name}.json"), json(&report));
    }
}

#[test]
fn json_fits_the_schema_of_its_command() {
    let schemas = Schemas::of_repository();
    for (name, report) in reports() {
        let value: Value = serde_json::from_str(&json(&report)).expect("it is JSON");
        let file = format!("{}.json", report.body.command());
        assert_eq!(schemas.violations(&file, &value), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn the_check_of_schemas_notices_what_does_not_fit() {
    let schemas = Schemas::of_repository();
    let good = |name: &str| -> Value { serde_json::from_str(&json(&report(name))).expect("it is JSON") };
    let spoil = |name: &str, pointer: &str, with: Value| {
        let mut value = good(name);
        *value.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = with;
        !schemas.violations(&format!("{name}.json"), &value).is_empty()
    };
    assert!(spoil("locate", "/schema", value!("whydunit/2")));
    assert!(spoil("locate", "/findings/0/rank", value!("1")));
    assert!(spoil("locate", "/findings/0/rank_best", value!(0)));
    assert!(spoil("locate", "/findings/0/location/line", value!(1.5)));
    assert!(spoil("locate", "/findings/0/sets/0", value!(-1)));
    assert!(spoil("test", "/tests/0/outcome", value!("fine")));
    assert!(spoil("show", "/failure/variables/base", value!(3)));
    assert!(spoil("show", "/failure", value!({})));
    assert!(spoil("replay", "/stats", value!({ "seconds": 1 })));
    let mut surplus = good("why");
    surplus["more"] = value!(1);
    assert_eq!(schemas.violations("why.json", &surplus), ["$: `more` is not in the schema"]);
}

#[test]
fn text_is_plain_unless_colour_is_asked_for() {
    for (name, report) in reports() {
        let render = |colour| text(&report, &Options { colour, ..Options::default() });
        assert!(!render(false).contains('\x1b'), "{name}");
        let coloured = render(true);
        assert_eq!(anstripped(&coloured), render(false), "{name}");
    }
}

/// Without the escape sequences that the renderer writes.
fn anstripped(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str(part.split_once('m').expect("a whole sequence").1);
    }
    out
}
