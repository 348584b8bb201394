//! `whydunit show --format html`: what the page of a recording says is what the recording has.

use crate::support::adapter::Client;
use crate::support::project::Project;
use serde_json::json;

const FAILING: &str = "five-for-three-high-rest";

/// The text between two marks, and what comes behind it.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(from)?.1.split_once(to)
}

/// A piece of a page as it is read.
fn words(piece: &str) -> String {
    let mut text = String::new();
    let mut rest = piece;
    while let Some((before, tag)) = rest.split_once('<') {
        text += before;
        // Cells stand apart.
        text += if tag.starts_with("/t") { " " } else { "" };
        rest = tag.split_once('>').expect("a whole tag").1;
    }
    text += rest;
    let text = text.replace("&#60;", "<").replace("&#62;", ">").replace("&#34;", "\"").replace("&#39;", "'");
    text.replace("&#38;", "&").trim().to_string()
}

/// A moment of a page.
#[derive(Debug)]
struct Moment {
    place: String,
    function: String,
    number: u64,
    /// All that is seen.
    text: String,
}

struct Page {
    html: String,
    moments: Vec<Moment>,
}

impl Page {
    /// Of what `show` is asked for.
    fn of(project: &Project, args: &[&str]) -> Self {
        let output = project.run(&[&["show", "--format", "html"], args].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let html = String::from_utf8(output.stdout).expect("text");
        let mut moments = Vec::new();
        let mut rest = html.as_str();
        while let Some((article, after)) = between(rest, "<article class=\"moment", "</article>") {
            assert!(article.contains(&format!("id=\"m{}\"", moments.len())), "{article}");
            let number = between(article, "before operation ", "<").expect("a number").0;
            moments.push(Moment {
                place: words(between(article, "<h3>", "</h3>").expect("a place").0),
                function: words(between(article, "in <code>", "</code>").expect("a function").0),
                number: number.parse().expect("a number"),
                text: words(article),
            });
            rest = after;
        }
        Self { html, moments }
    }

    /// Each step of the way back: where it leads, and its place.
    fn steps(&self) -> Vec<(String, String)> {
        let mut steps = Vec::new();
        let mut rest = self.html.as_str();
        while let Some((step, after)) = between(rest, "<a class=\"finding step\" href=\"#", "</a>") {
            let to = step.split_once('"').expect("a link").0.to_string();
            let place = between(step, "<span class=\"measure\">", "</span>").expect("a place").0;
            steps.push((to, words(place)));
            rest = after;
        }
        steps
    }

    /// Each call that leads to a moment: that, and its text.
    fn calls(&self) -> Vec<(usize, String)> {
        let (tree, _) = between(&self.html, "<ul class=\"calls\">", "</nav>").expect("calls");
        let links = tree.split("<a class=\"to\" href=\"#m").skip(1);
        let call = |link: &str| {
            let (number, rest) = link.split_once("\">").expect("a link");
            (number.parse().expect("a moment"), words(rest.split_once("</a>").expect("a text").0))
        };
        links.map(call).collect()
    }

    fn moment(&self, to: &str) -> Option<&Moment> {
        to.strip_prefix('m').map(|number| &self.moments[number.parse::<usize>().expect("a number")])
    }
}

/// The bundled program, with its failing test recorded.
fn till() -> Project {
    let project = Project::of("demo");
    let (status, _, errors) = project.json(&["record", FAILING]);
    assert_eq!(status, 0, "{errors}");
    project
}

/// What must hold of the page of any run.
fn holds(page: &Page) {
    assert!(page.moments.is_sorted_by(|a, b| a.number < b.number), "{:?}", page.moments);
    for (to, place) in page.steps() {
        if let Some(moment) = page.moment(&to) {
            assert_eq!(moment.place, place.split(" in another").next().unwrap_or_default(), "{to}");
        }
    }
    for (index, text) in page.calls() {
        // An output leads to the line that printed.
        let (name, _) = text.split_once(['(', ':']).expect("a name");
        let is_call = !text.contains(": \"");
        let moment = &page.moments[index];
        assert!(!is_call || moment.function.contains(name), "{text} leads to {moment:?}");
    }
}

#[test]
fn the_page_of_a_failing_test_leads_from_its_failure_to_the_fault() {
    let project = till();
    let page = Page::of(&project, &[FAILING]);
    holds(&page);
    let steps = page.steps();
    assert!(steps.len() > 5 && page.calls().len() > 10, "{steps:?}");
    let led: Vec<_> = steps.iter().filter(|(to, _)| to.starts_with('m')).collect();
    assert!(led.len() * 2 > steps.len(), "{steps:?}");
    let failing: Vec<&Moment> = page.moments.iter().filter(|moment| moment.text.contains("fails here")).collect();
    assert_eq!(failing.len(), 1);
    assert_eq!((failing[0].place.as_str(), failing[0].function.as_str()), ("invoice.c:54", "print_line"));
    // Before the faulty line and behind it: the values that a debugger shows there.
    let faulty = page.moments.iter().position(|moment| moment.place == "offer.c:32").expect("the faulty line");
    let words = |index: usize| page.moments[index].text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(faulty).contains("pieces 4") && words(faulty).contains("started 4"), "{}", words(faulty));
    assert!(words(faulty + 1).contains("pieces 6 changed"), "{}", words(faulty + 1));
    assert!(page.html.contains("standard output differs at line 2"));
    project.assert_clean();
}

/// A moment has the number by which a debugger goes to it, and is what that sees.
#[test]
fn moments_are_those_of_the_debugger() {
    let project = till();
    let page = Page::of(&project, &[FAILING, "--moments", "60"]);
    let mut client = Client::new(&project);
    client.launch(json!({ "test": FAILING, "stopOnEntry": true }), &[]);
    for moment in page.moments.iter().step_by(5) {
        client.ask("evaluate", json!({ "expression": format!(":goto {}", moment.number), "context": "repl" }));
        client.event("stopped");
        let frame = client.frames(1).remove(0);
        let place = format!("{}:{}", frame["source"]["name"].as_str().unwrap_or_default(), frame["line"]);
        assert_eq!((&place, frame["name"].as_str()), (&moment.place, Some(moment.function.as_str())));
        for (name, value) in client.locals() {
            let text = moment.text.split_whitespace().collect::<Vec<_>>().join(" ");
            // A longer value is cut off in a page.
            let value: String = value.chars().take(200).collect();
            let shown = value.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&format!("{name} {shown}")), "{name} = {shown} is not in {text}");
        }
    }
}

#[test]
fn a_page_has_no_more_moments_than_it_is_given_and_says_so() {
    let project = till();
    let page = Page::of(&project, &[FAILING, "--moments", "7"]);
    assert_eq!(page.moments.len(), 7);
    assert!(page.html.contains("7 moments are in this page") && page.html.contains("The rest is left out."));
    holds(&page);
    // What the failure comes from is kept first.
    assert!(page.moments.iter().any(|moment| moment.text.contains("fails here")));
    // One answer in several formats: JSON has what it always had.
    let output = project.run(&["show", FAILING, "--format", "json", "--also", "html=run.html", "-o", "run.json"]);
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(project.read("run.html").contains("400 moments are in this page"));
    let (_, plain, _) = project.json(&["show", FAILING]);
    assert_eq!(project.read("run.json").trim(), serde_json::to_string_pretty(&plain).expect("JSON"));
}

/// A construct, recorded.
fn recorded(file: &str, build: &[&str]) -> Project {
    let project = Project::new();
    project.copy(&format!("constructs/{file}"));
    let (status, _, errors) = project.json(&[&["build", "--"], build].concat());
    assert_eq!(status, 0, "{errors}");
    project.json(&["record", "--", "./program"]);
    project
}

#[test]
fn pages_of_runs_with_errors_exceptions_and_threads_lead_to_their_lines() {
    for (file, compiler, sign) in [
        ("use_after_free.c", "clang-22", "memory error"),
        ("undefined_kept.c", "clang-22", "undefined behaviour"),
        ("cpp_exceptions.cpp", "clang++-22", "an exception is thrown"),
        ("assert_fails.c", "clang-22", "fails here"),
        ("segv_null_write.c", "clang-22", "fails here"),
        ("longjmp_qsort.c", "clang-22", "moment"),
        ("alarm_siglongjmp.c", "clang-22", "moment"),
        ("threads_cpp.cpp", "clang++-22", "thread 1"),
        ("threads_queue.c", "clang-22", "thread 1"),
    ] {
        let project = recorded(file, &[compiler, "-g", "-pthread", "-o", "program", file, "-lm"]);
        let page = Page::of(&project, &[]);
        assert!(page.moments.len() > 1, "{file}");
        holds(&page);
        assert!(page.moments.iter().any(|moment| moment.text.contains(sign)), "{file}: no moment has `{sign}`");
        assert!(page.moments.iter().all(|moment| moment.place.starts_with(file)), "{file}: {:?}", page.moments);
    }
}

#[test]
fn the_page_of_a_panic_of_rust_leads_to_its_line() {
    let project = Project::of("crate");
    let (status, _, errors) = project.json(&["record", "tests::middle_comes_first"]);
    assert_eq!(status, 0, "{errors}");
    let page = Page::of(&project, &[]);
    holds(&page);
    let failing = page.moments.iter().find(|moment| moment.text.contains("fails here")).expect("the failure");
    assert!(failing.place.starts_with("src/lib.rs:"), "{failing:?}");
    assert!(page.moments.iter().any(|moment| moment.function.ends_with("middle")), "{:?}", page.moments);
}
