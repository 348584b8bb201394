//! After a save the editor has what `check` finds, whatever of the project has changed.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{built, line, of_command};
use crate::support::editor::Editor;
use crate::support::project::Project;

const LATE: &str = "#include <stdlib.h>\nvoid late(void) {\n    void *p = malloc(7);\n    free(p);\n    free(p);\n}\n";

/// What `check` tells of each file, by its lines.
fn told(project: &Project) -> BTreeMap<String, Vec<(u64, String)>> {
    let (_, answer, errors) = project.json(&["check"]);
    let mut told: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
    for finding in answer["findings"].as_array().unwrap_or_else(|| panic!("{errors}")) {
        let (file, line) = (&finding["location"]["file"], &finding["location"]["line"]);
        let words = finding["message"].as_str().expect("words").to_owned();
        let found = (line.as_u64().expect("a line"), words);
        told.entry(file.as_str().expect("a file").to_owned()).or_default().push(found);
    }
    told
}

fn shown(diagnostics: &[Value]) -> Vec<(u64, String)> {
    let words = |it: &Value| it["message"].as_str().expect("words").to_owned();
    of_command(diagnostics, "check").into_iter().map(|it| (line(it), words(it))).collect()
}

#[test]
fn a_unit_that_the_build_has_by_now_is_checked_after_the_next_save() {
    let project = built("misuse");
    let mut editor = Editor::new(&project);
    editor.save(&project, "streams.c");
    editor.diagnostics(&project, "streams.c", |all| !of_command(all, "check").is_empty());
    // Nobody tells the server of these.
    project.write("late.c", LATE);
    project.edit("Makefile", "lists.o", "lists.o late.o");
    project.write("streams.c", &format!("{}\n{}", project.read("streams.c"), LATE.replace("late", "later")));
    editor.save(&project, "streams.c");
    let of_late = shown(&editor.diagnostics(&project, "late.c", |all| !all.is_empty()));
    let last = project.read("streams.c").lines().count() as u64 - 1;
    let has_last = |all: &[Value]| all.iter().any(|it| line(it) == last);
    let of_streams = shown(&editor.diagnostics(&project, "streams.c", has_last));
    let told = told(&project);
    assert_eq!((of_late.len(), &of_late), (1, &told["late.c"]));
    assert_eq!(of_streams, told["streams.c"]);
}
