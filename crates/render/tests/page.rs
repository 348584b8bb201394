//! The page, in a real browser: nothing is loaded, nothing hostile runs, everything can be read and reached.

#[path = "support/browser.rs"]
mod browser;
#[path = "support/fixtures.rs"]
mod fixtures;
#[path = "support/on_disk.rs"]
mod on_disk;

use browser::Browser;
use fixtures::{Triangle, report};
use on_disk::{Page, complaints};
use serde_json::Value;
use whydunit_findings::{Body, CorrectionSet, Finding, LineScore, Located, Location, Problem, Report, TestFailure};
use whydunit_render::Sources;

const TAB: u32 = 9;

#[test]
fn a_page_is_shown_without_a_network_and_without_a_complaint() {
    let page = Page::of(&report("locate"), &Triangle);
    let mut browser = Browser::start();
    let events = browser.open(&page.path());
    let requests = events.iter().filter(|event| event["method"] == "Network.requestWillBeSent").count();
    assert_eq!((requests, complaints(&events)), (1, vec![]));
    assert_eq!(browser.evaluate("document.querySelectorAll('a.finding').length"), 4);
    let text = browser.evaluate("document.body.innerText");
    let text = text.as_str().expect("a text");
    for part in [
        "3 of 6 tests fail",
        "triangle.c:3",
        "twice = base + height",
        "if twice were 12",
        "rests on ways that were not gone",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    // The script ran: its hash is the one that the page allows.
    assert_eq!(browser.evaluate("document.querySelector('.keys').hidden"), false);
    let dangling = "[...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href'))
        .concat([...document.querySelectorAll('[aria-labelledby]')].map((e) => '#' + e.getAttribute('aria-labelledby')))
        .filter((to) => !document.getElementById(to.slice(1)))";
    assert_eq!(browser.evaluate(dangling), Value::Array(vec![]));
    let twice = "(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
        return ids.filter((id, at) => ids.indexOf(id) !== at); })()";
    assert_eq!(browser.evaluate(twice), Value::Array(vec![]));
}

#[test]
fn every_text_can_be_read_in_light_and_in_dark() {
    let all = [
        (report("locate"), &Triangle as &dyn Sources),
        (report("explain"), &Triangle),
        (report("repair"), &Triangle),
        (report("review"), &Triangle),
        (report("mine"), &Triangle),
        (all_levels(), &Levels),
    ];
    let pages = all.map(|(report, sources)| Page::of(&report, sources));
    let mut browser = Browser::start();
    for page in &pages {
        let mut pictures = Vec::new();
        for scheme in ["light", "dark"] {
            browser.scheme(scheme);
            browser.open(&page.path());
            browser.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true }); 0");
            pictures.push(browser.picture());
            let found = browser.evaluate(include_str!("support/contrast.js"));
            assert_eq!(found["bad"], Value::Array(vec![]), "{scheme}");
            assert!(found["pairs"].as_u64() >= Some(8), "{found}");
        }
        assert_ne!(pictures[0], pictures[1]);
    }
    // The check sees what is hard to read.
    let spoilt = "document.querySelector('h2').style.color = document.body.style.backgroundColor = '#888'; 0";
    browser.evaluate(spoilt);
    let found = browser.evaluate(include_str!("support/contrast.js"));
    assert!(found["bad"].as_array().is_some_and(|bad| !bad.is_empty()), "{found}");
}

#[test]
fn keys_reach_every_finding_and_the_focus_is_seen() {
    let page = Page::of(&report("locate"), &Triangle);
    let mut browser = Browser::start();
    browser.open(&page.path());
    let tabs = tab_to_finding(&mut browser);
    assert!(tabs <= 4, "the first finding is {tabs} steps away");
    let focus = "(() => { const style = getComputedStyle(document.activeElement);
        return document.activeElement.matches(':focus-visible') && style.outlineStyle !== 'none'
            && parseFloat(style.outlineWidth) >= 2; })()";
    assert_eq!(browser.evaluate(focus), true);
    let here = "[document.activeElement.querySelector('b').textContent, document.querySelector('tr.here')?.id ?? '']";
    let mut at = |key: &str, code: u32| {
        browser.press(key, code);
        browser.evaluate(here)
    };
    assert_eq!(at("j", 74), serde_json::json!(["src/triangle.c:4", "L0-4"]));
    assert_eq!(at("ArrowDown", 40), serde_json::json!(["src/triangle.c:6", "L0-6"]));
    assert_eq!(at("j", 74), serde_json::json!(["src/generated.c:40", ""]));
    assert_eq!(at("j", 74), serde_json::json!(["src/generated.c:40", ""]));
    assert_eq!(at("k", 75), serde_json::json!(["src/triangle.c:6", "L0-6"]));
    assert_eq!(at("ArrowUp", 38), serde_json::json!(["src/triangle.c:4", "L0-4"]));
    assert_eq!(complaints(&browser.events()), [""; 0]);
}

/// Presses Tab until a finding has the focus; how often.
fn tab_to_finding(browser: &mut Browser) -> usize {
    for tabs in 1..=20 {
        browser.press("Tab", TAB);
        if browser.evaluate("document.activeElement.matches('a.finding')") == true {
            return tabs;
        }
    }
    panic!("Tab does not reach a finding");
}

#[test]
fn the_states_of_an_automaton_stand_apart_and_keys_unfold_its_tables() {
    let page = Page::of(&report("mine"), &Triangle);
    let mut browser = Browser::start();
    assert_eq!(complaints(&browser.open(&page.path())), [""; 0]);
    let overlapping = "(() => { const boxes = [...document.querySelectorAll('svg.automaton')].flatMap(drawing => {
            const of = [...drawing.querySelectorAll('rect, ellipse')].map(node => node.getBoundingClientRect());
            return of.flatMap((a, i) => of.slice(i + 1).map(b => [a, b]));
        });
        const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        return [boxes.length, boxes.filter(([a, b]) => !apart(a, b)).length]; })()";
    let found = browser.evaluate(overlapping);
    assert!(found[0].as_u64() > Some(0), "{found}");
    assert_eq!(found[1], 0, "{found}");
    // A text is as wide as its box lets it be.
    let wider = "[...document.querySelectorAll('svg.automaton rect')].filter(box => {
            const of = box.getBoundingClientRect();
            const texts = [...box.ownerSVGElement.querySelectorAll('text')].map(text => text.getBoundingClientRect());
            return texts.some(text => text.top >= of.top - 9 && text.bottom <= of.bottom + 9
                && text.left < of.right && text.right > of.left && (text.left < of.left || text.right > of.right));
        }).length";
    assert_eq!(browser.evaluate(wider), 0);
    for _ in 0..12 {
        browser.press("Tab", TAB);
        if browser.evaluate("document.activeElement.matches('details:not([open]) > summary')") == true {
            browser.press("Enter", 13);
        }
    }
    assert_eq!(browser.evaluate("document.querySelectorAll('details:not([open])').length"), 0);
}

#[test]
fn without_scripts_the_links_do_the_work() {
    let page = Page::of(&report("locate"), &Triangle);
    let mut browser = Browser::start();
    browser.call("Emulation.setScriptExecutionDisabled", serde_json::json!({ "value": true }));
    browser.open(&page.path());
    assert_eq!(browser.evaluate("document.querySelector('.keys').hidden"), true);
    tab_to_finding(&mut browser);
    browser.press("Enter", 13);
    browser.events();
    assert_eq!(browser.evaluate("location.hash"), "#L0-3");
    assert_eq!(
        browser.evaluate("document.querySelector('tr:target code').textContent.trim().slice(0, 9)"),
        "int twice"
    );
}

#[test]
fn a_small_screen_is_not_left_sideways() {
    let page = Page::of(&report("locate"), &Triangle);
    let mut browser = Browser::start();
    browser.resize(360, 700);
    browser.open(&page.path());
    let width = browser.evaluate("document.documentElement.scrollWidth");
    assert!(width.as_u64() <= Some(360), "{width}");
}

#[test]
fn hostile_names_and_sources_are_text() {
    let page = Page::of(&hostile(), &Hostile);
    let mut browser = Browser::start();
    let events = browser.open(&page.path());
    assert_eq!(complaints(&events), [""; 0]);
    assert_eq!(browser.evaluate("typeof window.hacked"), "undefined");
    assert_eq!(browser.evaluate("document.querySelectorAll('script').length"), 1);
    assert_eq!(browser.evaluate("document.querySelectorAll('img, iframe, b b').length"), 0);
    let name = browser.evaluate("document.querySelector('.file h3').textContent");
    assert_eq!(name, HOSTILE_FILE);
    let line = browser.evaluate("document.querySelector('.file code').textContent");
    assert_eq!(line, "/*</script></style>--><script>window.hacked=1</script>\\u202e*/ \\x1b[0m");
}

const HOSTILE_FILE: &str = "\"><img src=x onerror=window.hacked=1>'{{x}}.c";

struct Hostile;

impl Sources for Hostile {
    fn text(&self, _file: &str) -> Option<String> {
        Some("/*</script></style>--><script>window.hacked=1</script>\u{202e}*/ \x1b[0m\n".into())
    }
}

/// A report with markup wherever a text can stand.
fn hostile() -> Report {
    let markup = || "<script>window.hacked=1</script><b onmouseover='window.hacked=1'>\"&lt;".to_string();
    let place = Location::point(HOSTILE_FILE, 1, 3);
    let located = Located {
        anomalies: None,
        method: markup(),
        findings: vec![Finding {
            rank_best: 1,
            rank_worst: 1,
            score: 1.0,
            location: place.clone(),
            function: markup(),
            code: markup(),
            branch: Some(markup()),
            sets: vec![0],
            witness: vec![markup()],
            ..Finding::default()
        }],
        correction_sets: vec![CorrectionSet {
            statements: vec![place.clone()],
            witness: vec![markup()],
            ..CorrectionSet::default()
        }],
        lines: vec![],
        rounds: Vec::new(),
        groups: Vec::new(),
        failures: vec![TestFailure {
            test: markup(),
            location: Some(place.clone()),
            message: markup(),
            predicate: Some(markup()),
            ..TestFailure::default()
        }],
    };
    let mut report = Report::new(Body::Locate(located));
    report.problems.push(Problem::new(markup()).at(place).help(markup()));
    report.tests = report_tests(markup());
    report
}

fn report_tests(text: String) -> Vec<whydunit_findings::TestResult> {
    let outcome = whydunit_findings::Outcome::Fail;
    vec![whydunit_findings::TestResult {
        name: text.clone(),
        outcome,
        seconds: 0.5,
        reason: Some(text),
        ..Default::default()
    }]
}

struct Levels;

impl Sources for Levels {
    fn text(&self, _file: &str) -> Option<String> {
        Some("#define X 1 /* comment */\n".to_string() + &"if (a) b = \"text\" + 12; // comment\n".repeat(6))
    }
}

/// Lines of every heat, with every kind of token on them.
fn all_levels() -> Report {
    let line = |line: u32| LineScore { file: "a.c".into(), line, score: f64::from(line) / 7.0 };
    let location = Location { file: "a.c".into(), line: 7, column: 5, end_line: 7, end_column: 9 };
    let finding = Finding { rank_best: 1, rank_worst: 1, score: 1.0, location, ..Finding::default() };
    let located = Located { findings: vec![finding], lines: (1..=7).map(line).collect(), ..Located::default() };
    Report::new(Body::Locate(located))
}
