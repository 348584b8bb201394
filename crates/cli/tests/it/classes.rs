//! The classes of the programs in `subjects/classes`, as `show --classes` lists them: each folder has its listing beside it,
//! `expect.txt`.

use std::fs;

use crate::support::project::{Project, subjects};

/// The listing of a project's classes.
fn listing(project: &Project, more: &[&str]) -> String {
    let output = project.run(&[&["show", "--classes"], more].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{more:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Holds the listing of a subject against the one beside it.
fn check(subject: &str) -> Project {
    let project = Project::of(&format!("classes/{subject}"));
    let listed = listing(&project, &[]);
    let expected = fs::read_to_string(subjects().join("classes").join(subject).join("expect.txt")).unwrap_or_default();
    assert!(listed == expected, "{subject}: the classes are\n{listed}\nand should be\n{expected}");
    project
}

#[test]
fn bases_virtual_methods_and_methods_of_another_unit() {
    check("inheritance");
}

#[test]
fn templates_are_one_class_or_one_for_each_instance() {
    let project = check("templates");
    let instances = listing(&project, &["Ring<int", "--instances"]);
    assert!(instances.starts_with("class Ring<int, 4>"), "{instances}");
    assert!(instances.contains("public method push(const int &)"), "{instances}");
    assert!(!instances.contains("Ring<std"), "{instances}");
}

#[test]
fn nested_anonymous_local_and_static_members() {
    check("members");
}

#[test]
fn structures_of_c_with_the_functions_that_are_called_with_them() {
    let project = check("opaque");
    assert!(!listing(&project, &[]).contains("FILE"));
    let all = listing(&project, &["_IO_FILE", "--all"]);
    assert!(all.contains("stack_print("), "{all}");
}

#[test]
fn impls_traits_and_receivers_of_rust() {
    let project = check("rust");
    let (status, answer, _) = project.json(&["show", "--classes", "Circle"]);
    assert_eq!(status, 0);
    let classes = answer["classes"].as_array().expect("classes");
    assert_eq!(classes.len(), 1);
    let methods = classes[0]["methods"].as_array().expect("methods");
    let grow = methods.iter().find(|method| method["name"] == "grow").expect("a method");
    assert_eq!(grow["receiver"], serde_json::json!({ "parameter": 1, "passing": "mutable-reference", "const": false }));
    assert_eq!((&grow["visibility"], &grow["code"]), (&"public".into(), &"compiled".into()));

    let library = listing(&project, &["alloc::string::String", "--all"]);
    assert!(library.contains("struct alloc::string::String"), "{library}");
}

#[test]
fn a_class_that_is_not_there_is_told() {
    let project = Project::of("classes/templates");
    let output = project.run(&["show", "--classes", "Bing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no class has `Bing` in its name"));
}
