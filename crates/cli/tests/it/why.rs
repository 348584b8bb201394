//! `why` on programs of ours that say themselves what leads to what: `/* ask: VARIABLE */` stands on the line asked about,
//! `/* cause */` on every line that the answer must name.

use std::collections::BTreeSet;

use crate::support::project::{Project, subjects};
use serde_json::Value;

fn marked(source: &str, mark: &str) -> BTreeSet<u64> {
    let lines = source.lines().enumerate().filter(|(_, line)| line.contains(mark));
    lines.map(|(number, _)| number as u64 + 1).collect()
}

/// The causes, which must name the lines marked as such and no others; the steps for what else they should say.
fn check(name: &str) -> Vec<Value> {
    let project = Project::new();
    let file = format!("{name}.c");
    project.copy(&format!("causes/{file}"));
    let source = std::fs::read_to_string(subjects().join("causes").join(&file)).expect("the subject");
    let asked = marked(&source, "/* ask: ").into_iter().next().expect("a line asked about");
    let variable = source.split("/* ask: ").nth(1).and_then(|rest| rest.split(" */").next()).expect("a variable");
    let (status, _, errors) = project.json(&["build", "--", "clang-22", "-g", "-o", name, &file, "-lm"]);
    assert_eq!(status, 0, "{errors}");
    let (status, _, errors) = project.json(&["record", "--", &format!("./{name}")]);
    assert_eq!(status, 0, "{errors}");
    let place = format!("{file}:{asked}");
    let (status, answer, errors) = project.json(&["why", variable, "at", &place, "--steps", "40"]);
    assert_eq!(status, 0, "{errors}");
    let steps = answer["steps"].as_array().expect("steps");
    let named: BTreeSet<u64> = steps.iter().filter_map(|step| step["location"]["line"].as_u64()).collect();
    let expected = marked(&source, "/* cause */");
    let missing: Vec<_> = expected.difference(&named).collect();
    assert!(missing.is_empty(), "{file}: lines {missing:?} are missing in {answer:#}");
    let wrong: Vec<_> = named.difference(&expected).filter(|line| **line != asked).collect();
    assert!(wrong.is_empty(), "{file}: lines {wrong:?} have nothing to do with it: {answer:#}");
    steps.clone()
}

/// There is a step with these texts as variable, value and part of the note.
fn assert_step(steps: &[Value], [variable, value, note]: [&str; 3]) {
    let says = |step: &&Value| {
        let said = step["note"].as_str().unwrap_or_default();
        step["variable"] == variable && step["value"] == value && said.contains(note)
    };
    assert!(steps.iter().any(|step| says(&step)), "no `{variable} = {value}` with `{note}` in {steps:#?}");
}

#[test]
fn a_value_is_followed_through_memory_copies_and_calls() {
    check("memory");
}

#[test]
fn causes_and_conditions_are_found_many_million_instructions_back() {
    check("far");
}

#[test]
fn values_from_outside_end_the_walk() {
    check("input");
}

#[test]
fn copies_by_functions_of_the_library_are_steps() {
    let steps = check("copies");
    assert_step(&steps, ["name", "\"1.250 apart\"", ""]);
    assert_step(&steps, ["text", "\"1.250 apart\"", "computed by snprintf"]);
}

#[test]
fn of_an_array_the_element_asked_for_is_followed() {
    let steps = check("elements");
    assert_step(&steps, ["(*p).left", "6", ""]);
    assert_step(&steps, ["from", "2", "passed as argument"]);
}

#[test]
fn functions_of_the_library_that_compute_are_walked_through() {
    let steps = check("numbers");
    assert_step(&steps, ["value", "12.5", "strtod read \"12.5\""]);
    assert_step(&steps, ["text", "\"12.5\"", "computed by snprintf"]);
    assert_step(&steps, ["line", "\"12 34\\n\"", "from fgets"]);
    assert_step(&steps, ["condition", "true", "strcmp read \" mm\""]);
}

#[test]
fn what_another_thread_wrote_is_marked() {
    let steps = check("threads");
    let thread = |variable: &str| {
        let step = steps.iter().find(|step| step["variable"] == variable && step["location"]["line"] != 25);
        step.map(|step| step["thread"].clone())
    };
    assert_eq!(thread("answer"), Some(0.into()));
    assert_eq!(thread("shared"), Some(1.into()));
    assert_eq!(thread("*argument"), Some(0.into()));
}

/// Each round of the loop asks for the value that all of them hand on: were it followed back from each, no one would wait for the answer.
/// Of each statement the two latest rounds are told.
#[test]
fn a_value_that_a_long_loop_hands_on_is_followed_once() {
    let project = Project::new();
    let source = "#include <stdlib.h>\nstatic unsigned next(unsigned *s) {\n    *s ^= *s << 13;\n    *s ^= *s >> 17;\n    \
                  *s ^= *s << 5;\n    return *s;\n}\nint main(void) {\n    unsigned s = 1, best = 0;\n    \
                  for (int i = 0; i < 500000; i++) {\n        unsigned v = next(&s);\n        if (v > best)\n            \
                  best = v;\n    }\n    if (best != 42)\n        abort();\n    return 0;\n}\n";
    project.write("a.c", source);
    assert_eq!(project.json(&["build", "--", "cc", "-g", "-o", "a", "a.c"]).0, 0);
    assert_eq!(project.json(&["record", "--", "./a"]).0, 0);
    let (status, why, errors) = project.json(&["why", "best", "at", "a.c:15"]);
    assert_eq!(status, 0, "{errors}");
    let steps: Vec<&Value> = why["steps"].as_array().into_iter().flatten().collect();
    for line in 1..=15 {
        let told = |name: &str| {
            let is_told = |step: &&&Value| step["location"]["line"] == line && step["variable"] == name;
            steps.iter().filter(is_told).count()
        };
        assert!(told("*s") <= 2 && told("condition") <= 2 && told("best") <= 2, "line {line}: {why:#}");
    }
    // That it stayed as it was in the last rounds is told before, as they are nearer.
    let set = steps[1..].iter().find(|step| step["kind"] == "data").expect("it was set");
    assert_eq!((&steps[0]["variable"], &steps[0]["value"]), (&"best".into(), &set["value"]), "{why:#}");
    // Each state is what the line makes of the one before it, which is told next.
    let state = |step: &&Value| {
        let value: u32 = step["value"].as_str()?.parse().ok()?;
        (step["variable"] == "*s").then_some((step["location"]["line"].as_u64()?, value))
    };
    let states: Vec<(u64, u32)> = steps.iter().filter_map(state).collect();
    assert!(states.len() >= 6, "{why:#}");
    for pair in states.windows(2) {
        let ((line, made), (_, of)) = (pair[0], pair[1]);
        let makes = match line {
            3 => of ^ of << 13,
            4 => of ^ of >> 17,
            6 => of,
            _ => of ^ of << 5,
        };
        assert_eq!((line, made), (line, makes), "{why:#}");
    }
}
