//! `whydunit repair` on a crate with faults in one expression, or without a guard, end to end.

use crate::support::project::Project;
use serde_json::Value;

/// The first patch for a failing test: what stood there, what is written, and what the diff adds.
fn first(project: &Project, tests: &[&str]) -> (String, String) {
    let arguments = [&["repair", "--patches", "1"], tests].concat();
    let (status, answer, errors) = project.json(&arguments);
    assert_eq!(status, 1, "{answer:#}\n{errors}");
    let patch = &answer["patches"][0];
    // Too few tests pass that depend on the place.
    assert_ne!(patch["grade"], "verified", "{answer:#}\n{errors}");
    let text = |key: &str| patch[key].as_str().expect("a text").to_string();
    (text("before"), text("after"))
}

fn mended(tests: &[&str]) -> (String, String) {
    first(&Project::of("repair/stock"), tests)
}

fn is(found: &(String, String), before: &str, afters: &[&str]) {
    assert!(found.0 == before && afters.contains(&&*found.1), "{found:?}");
}

#[test]
fn another_field_in_a_method() {
    let found = mended(&["tests::a_shelf_weighs_what_lies_there"]);
    is(&found, "item.price * item.count", &["item.weight * item.count"]);
}

#[test]
fn another_comparison_in_a_function() {
    // The condition alone, or the whole `if` with nothing else changed in it.
    let (before, after) = mended(&["orders::tests::the_bound_is_a_large_order"]);
    assert!(before.contains("price > FREE_FROM"), "{before}");
    assert_eq!(after, before.replace("price > FREE_FROM", "price >= FREE_FROM"));
}

#[test]
fn a_quotient_that_is_rounded_up() {
    let tests = ["orders::tests::packets_are_full_where_they_can_be", "orders::tests::the_rest_needs_one_more"];
    let found = mended(&tests);
    is(&found, "(pieces + size) / size", &["(pieces + size - 1) / size", "(pieces + (size - 1)) / size"]);
}

#[test]
fn another_comparison_in_a_generic_function() {
    let found = mended(&["window::tests::the_largest_is_found"]);
    is(&found, "value < largest", &["value > largest", "value >= largest"]);
}

#[test]
fn the_last_of_a_range() {
    let found = mended(&["window::tests::windows_end_with_the_last_value"]);
    let right = ["0..=values.len() - width", "0..values.len() + 1 - width", "0..values.len() - width + 1"];
    is(&found, "0..values.len() - width", &right);
}

/// Examples of the documentation stand on other lines in each version: they are known by what they belong to.
#[test]
fn examples_behind_the_fault_are_the_same_in_each_version() {
    let project = Project::of("repair/stock");
    let example = "/// Packets of so many pieces that an order needs.\n///\n/// ```\n/// assert_eq!(stock::orders::packets(10, 5), 2);\n/// ```\n\
                   ///\n/// ```\n/// assert_eq!(stock::orders::packets(6, 5), 2);\n/// ```\n";
    project.edit("src/orders.rs", "/// Packets of so many pieces that an order needs.\n", example);
    let found = first(&project, &["orders::tests::the_bound_is_a_large_order"]);
    assert_eq!(found.1, found.0.replace("price > FREE_FROM", "price >= FREE_FROM"), "{found:?}");
    // As `cargo test` calls it. What it runs is not recorded, and so nothing is known of where its fault is.
    let line = 3 + project.read("src/orders.rs").lines().take_while(|line| !line.contains("Packets")).count();
    let test = format!("src/orders.rs - orders::packets (line {line})");
    let (status, answer, errors) = project.json(&["repair", &test]);
    assert_eq!(answer["failing"][0], "stock::doc src/orders.rs - orders::packets #1", "{status} {answer:#}\n{errors}");
    let problems = answer["problems"].to_string();
    assert!(problems.contains("examples of a documentation are compiled when they are run"), "{answer:#}\n{errors}");
}

/// A guard is written as rustfmt has it.
#[test]
fn what_is_behind_the_end_is_looked_at_first() {
    let project = Project::of("repair/stock");
    let arguments = ["repair", "--patches", "1", "--patch", "fix.diff", "nothing_lies_behind_the_last_place"];
    let (status, answer, errors) = project.json(&arguments);
    assert_eq!(status, 1, "{answer:#}\n{errors}");
    project.git_apply("fix.diff");
    let source = project.read("src/lib.rs");
    assert!(source.contains(" {\n            return None;\n        }\n        Some(&self.items[place])\n"), "{source}");
}

/// What no expression mends: it takes time, and says so.
#[test]
fn what_no_expression_mends_has_no_patch() {
    let project = Project::of("repair/stock");
    let window = project.read("src/window.rs");
    let test = "    #[test]\n    fn never() {\n        assert_eq!(super::sums(&[], 1), [8191, -77, 5]);\n    }\n}\n";
    let rest = window.trim_end().strip_suffix('}').expect("a module");
    project.write("src/window.rs", &format!("{rest}\n{test}"));
    let (status, answer, errors) = project.json(&["repair", "--time-limit", "60", "window::tests::never"]);
    assert_eq!((status, &answer["patches"]), (0, &Value::Array(Vec::new())), "{answer:#}\n{errors}");
}

#[test]
fn a_crate_that_does_not_build_is_said_to_be_one() {
    let project = Project::of("repair/stock");
    project.edit("src/orders.rs", "price + POSTAGE", "price + postage");
    let (status, _, errors) = project.json(&["repair"]);
    assert!(status > 2 && errors.contains("error"), "{status}: {errors}");
}
