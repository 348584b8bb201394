//! The page of a recording, in a real browser: one goes through its moments by links, by keys and by the slider.

#[path = "support/browser.rs"]
mod browser;
#[path = "support/fixtures.rs"]
mod fixtures;
#[path = "support/on_disk.rs"]
mod on_disk;

use browser::Browser;
use fixtures::{Triangle, report};
use on_disk::{Page, complaints};
use serde_json::{Value, json};
use whydunit_findings::{Body, Location, Problem, Report};
use whydunit_render::Sources;

/// The moment that is seen, the line that is marked, what stands below it, and what the slider says.
const SEEN: &str = "(() => {
    const seen = [...document.querySelectorAll('.moment')].filter((one) => getComputedStyle(one).display !== 'none');
    const row = document.querySelector('tr.here');
    return [seen.map((one) => one.id).join(), row?.id ?? '', document.querySelector('.inline')?.textContent ?? '',
        document.getElementById('slider').value]; })()";

fn opened() -> (Page, Browser) {
    let page = Page::of(&report("show-page"), &Triangle);
    let mut browser = Browser::start();
    let events = browser.open(&page.path());
    let requests = events.iter().filter(|event| event["method"] == "Network.requestWillBeSent").count();
    assert_eq!((requests, complaints(&events)), (1, vec![]));
    (page, browser)
}

#[test]
fn the_page_of_a_run_tells_all_of_it_and_its_links_lead_somewhere() {
    let (_page, mut browser) = opened();
    browser.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; }); 0");
    let text = browser.evaluate("document.body.innerText");
    let text = text.as_str().expect("a text");
    for part in [
        "src/triangle.c:4",
        "assertion `twice >= 0' failed",
        "Should have held: twice >= 0",
        "1234 times",
        "4 moments are in this page",
        "area(base = 3, height = 4) = 3",
        "writes 4 bytes 4 bytes past the end",
        "allocated in main at src/main.c:9 by need",
        "grow at src/triangle.c:5:9, 2 times",
        "3 times in all",
        "the command line",
        "argv[2] = \"4\"",
        "was killed by SIGABRT",
        "Not shown, because the source is not at hand",
        "src/main.c",
        "build again",
        "and 2 more variables",
        "and 5 more calls",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let dangling = "[...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href'))
        .concat([...document.querySelectorAll('[aria-labelledby]')].map((e) => '#' + e.getAttribute('aria-labelledby')))
        .filter((to) => !document.getElementById(to.slice(1)))";
    assert_eq!(browser.evaluate(dangling), json!([]));
    let twice = "(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
        return ids.filter((id, at) => ids.indexOf(id) !== at); })()";
    assert_eq!(browser.evaluate(twice), json!([]));
}

#[test]
fn it_begins_at_the_failure_and_keys_go_through_its_moments() {
    let (_page, mut browser) = opened();
    let mut at = |key: &str, code: u32| {
        if !key.is_empty() {
            browser.press(key, code);
        }
        browser.evaluate(SEEN)
    };
    assert_eq!(at("", 0), json!(["m3", "L0-6", "twice = 7", "3"]));
    assert_eq!(at("j", 74), json!(["m3", "L0-6", "twice = 7", "3"]));
    assert_eq!(at("k", 75), json!(["m2", "L0-4", "twice = 7", "2"]));
    assert_eq!(at("k", 75), json!(["m1", "L0-3", "twice = 0   base = 3   height = 4", "1"]));
    // Its source is not at hand: the values are seen all the same.
    assert_eq!(at("k", 75), json!(["m0", "", "", "0"]));
    assert_eq!(at("k", 75), json!(["m0", "", "", "0"]));
    // Along the way back; steps without a moment are passed over.
    assert_eq!(at("n", 78), json!(["m1", "L0-3", "twice = 0   base = 3   height = 4", "1"]));
    assert_eq!(at("n", 78), json!(["m2", "L0-4", "twice = 7", "2"]));
    assert_eq!(at("n", 78), json!(["m0", "", "", "0"]));
    assert_eq!(at("n", 78), json!(["m0", "", "", "0"]));
    assert_eq!(at("p", 80), json!(["m2", "L0-4", "twice = 7", "2"]));
    assert_eq!(browser.evaluate("document.activeElement.querySelector('.number').textContent"), "2");
    assert_eq!(browser.evaluate("document.getElementById('at').textContent"), "moment 3 of 4");
    assert_eq!(browser.evaluate("location.hash"), "#m2");
    assert_eq!(complaints(&browser.events()), [""; 0]);
}

#[test]
fn links_and_the_slider_go_to_moments_and_the_way_back_undoes_it() {
    let (_page, mut browser) = opened();
    let marked = "[...document.querySelectorAll('[aria-current]')].map((one) => one.textContent.trim().slice(0, 4))";
    browser.evaluate(
        "[...document.querySelectorAll('.calls a')].find((a) => a.textContent.startsWith('area')).click(); 0",
    );
    assert_eq!(browser.evaluate(SEEN)[0], "m1");
    let current = browser.evaluate(marked);
    assert!(current.as_array().is_some_and(|all| all.iter().any(|text| text == "area")), "{current}");
    browser.evaluate("document.querySelector('a.to[href=\"#m2\"]').click(); 0");
    assert_eq!(browser.evaluate(SEEN)[0], "m2");
    browser.evaluate("history.back(); 0");
    browser.events();
    assert_eq!(browser.evaluate(SEEN)[0], "m1");
    // By keys as a slider goes.
    browser.evaluate("document.getElementById('slider').focus(); 0");
    browser.press("ArrowRight", 39);
    assert_eq!(browser.evaluate(SEEN), json!(["m2", "L0-4", "twice = 7", "2"]));
    let named = browser.evaluate("document.getElementById('slider').getAttribute('aria-valuetext')");
    assert_eq!(named, "moment 3 of 4, src/triangle.c:4");
    assert_eq!(complaints(&browser.events()), [""; 0]);
}

#[test]
fn calls_unfold_by_keys() {
    let (_page, mut browser) = opened();
    browser.evaluate("document.querySelector('.calls summary').focus(); 0");
    assert_eq!(browser.evaluate("document.querySelector('.calls details').open"), true);
    browser.press("Enter", 13);
    assert_eq!(browser.evaluate("document.querySelector('.calls details').open"), false);
    browser.press("Enter", 13);
    let below =
        "[...document.querySelectorAll('.calls details > ul > li')].map((one) => one.textContent.trim().slice(0, 6))";
    assert_eq!(browser.evaluate(below), json!(["area(b", "output"]));
}

#[test]
fn without_scripts_one_moment_is_seen_at_a_time() {
    let page = Page::of(&report("show-page"), &Triangle);
    let mut browser = Browser::start();
    browser.call("Emulation.setScriptExecutionDisabled", json!({ "value": true }));
    browser.open(&page.path());
    let seen = "[...document.querySelectorAll('.moment')].filter((one) => getComputedStyle(one).display !== 'none')
        .map((one) => one.id)";
    assert_eq!(browser.evaluate(seen), json!(["m3"]));
    let live = "[...document.querySelectorAll('.live')].every((one) => getComputedStyle(one).display === 'none')";
    assert_eq!(browser.evaluate(live), true);
    // The first step of the way back.
    for _ in 0..12 {
        browser.press("Tab", 9);
        if browser.evaluate("document.activeElement.matches('a.step')") == true {
            break;
        }
    }
    browser.press("Enter", 13);
    browser.events();
    assert_eq!(browser.evaluate(seen), json!(["m1"]));
    assert_eq!(browser.evaluate("document.querySelectorAll('#m1 .values tbody tr').length"), 3);
}

#[test]
fn every_moment_can_be_read_in_light_and_in_dark() {
    let (page, mut browser) = opened();
    let mut pictures = Vec::new();
    for scheme in ["light", "dark"] {
        browser.scheme(scheme);
        browser.open(&page.path());
        for _ in 0..4 {
            let found = browser.evaluate(include_str!("support/contrast.js"));
            assert_eq!(found["bad"], json!([]), "{scheme}");
            assert!(found["pairs"].as_u64() >= Some(8), "{found}");
            browser.press("k", 75);
        }
        pictures.push(browser.picture());
    }
    assert_ne!(pictures[0], pictures[1]);
}

#[test]
fn a_small_screen_is_not_left_sideways() {
    let page = Page::of(&report("show-page"), &Triangle);
    let mut browser = Browser::start();
    for width in [360, 900, 1200] {
        browser.resize(width, 700);
        browser.open(&page.path());
        let found = browser.evaluate("document.documentElement.scrollWidth");
        assert!(found.as_u64() <= Some(width.into()), "{found} of {width}");
    }
}

#[test]
fn a_run_without_moments_is_told_as_far_as_it_is_known() {
    for (name, parts) in [
        ("show", ["Where the run failed", "twice", "-7"]),
        ("show-well", ["A recorded run", "tall", "area: 3"]),
        ("show-diverged", ["parts from the recording", "a return of read", "a load at safepoint 12"]),
    ] {
        let page = Page::of(&report(name), &Triangle);
        let mut browser = Browser::start();
        assert_eq!(complaints(&browser.open(&page.path())), [""; 0], "{name}");
        let text = browser.evaluate("document.body.innerText");
        let text = text.as_str().expect("a text").to_string();
        for part in parts {
            assert!(text.contains(part), "{name}: {part} is not in {text}");
        }
        assert_eq!(browser.evaluate("document.getElementById('slider')"), Value::Null);
    }
}

const MARKUP: &str = "\"><img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>'{{x}}&lt;";

struct Hostile;

impl Sources for Hostile {
    fn text(&self, _file: &str) -> Option<String> {
        Some(format!("{MARKUP} \u{202e} \x1b[0m\n"))
    }
}

/// A report with markup wherever a text can stand.
fn hostile() -> Report {
    let mut report = report("show-page");
    let Body::Show(show) = &mut report.body else { panic!("a run") };
    let text = || MARKUP.to_string();
    let place = || Some(Location::point(MARKUP, 1, 1));
    show.recording.test = Some(text());
    show.recording.arguments = vec![text()];
    show.end = text();
    for entry in &mut show.outline {
        (entry.text, entry.kind, entry.location) = (text(), text(), place());
    }
    let failure = show.failure.as_mut().expect("a failure");
    (failure.message, failure.predicate, failure.location) = (text(), Some(text()), place());
    for error in &mut show.errors.memory {
        (error.kind, error.message, error.function, error.location) = (text(), text(), text(), place());
        error.stack = vec![(text(), place())];
        let object = error.object.as_mut().expect("an object");
        (object.name, object.wrappers, object.freed) = (text(), vec![text()], place());
        (object.allocation, object.freeing) = (vec![(text(), place()); 2], vec![(text(), place()); 2]);
    }
    let moments = show.moments.as_mut().expect("moments");
    for moment in &mut moments.moments {
        moment.events = vec![text()];
        for call in &mut moment.stack {
            (call.function, call.location) = (text(), place());
        }
        for variable in &mut moment.variables {
            (variable.name, variable.value) = (text(), text());
        }
    }
    moments.no_walk = Some(text());
    for step in &mut moments.walk.as_mut().expect("a way back").steps {
        (step.variable, step.value, step.note, step.condition) = (text(), text(), Some(text()), Some(text()));
        step.location = place();
    }
    report.problems = vec![Problem::new(text()).help(text())];
    report
}

#[test]
fn hostile_names_values_and_sources_are_text() {
    let page = Page::of(&hostile(), &Hostile);
    let mut browser = Browser::start();
    assert_eq!(complaints(&browser.open(&page.path())), [""; 0]);
    for key in ["k", "k", "n", "j"] {
        browser.press(key, key.to_uppercase().as_bytes()[0].into());
    }
    assert_eq!(complaints(&browser.events()), [""; 0]);
    assert_eq!(browser.evaluate("typeof window.hacked"), "undefined");
    assert_eq!(browser.evaluate("document.querySelectorAll('script').length"), 1);
    assert_eq!(browser.evaluate("document.querySelectorAll('img, iframe').length"), 0);
    assert_eq!(browser.evaluate("document.querySelector('.values th[scope=row]').textContent"), MARKUP);
    assert_eq!(browser.evaluate("document.querySelector('.values td code').textContent"), MARKUP);
    assert_eq!(browser.evaluate("document.querySelector('.file h3').textContent"), MARKUP);
    let line = browser.evaluate("document.querySelector('.file code').textContent");
    assert_eq!(line, format!("{MARKUP} \\u202e \\x1b[0m"));
}
