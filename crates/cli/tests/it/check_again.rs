//! `check` once more, soon after a source was changed: the answer is that of a whole check, and little is done for it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::support::numbers::Numbers;
use crate::support::project::Project;
use whydunit_desk::{Cancel, Desk, Silent};
use whydunit_findings::Checked;
use whydunit_inquiry::check::{Answer, Kept, answer_again};

/// A source that passes objects on through functions of others, some of them in a circle.
const MORE: &str = r#"#include <stdio.h>
#include <stdlib.h>
FILE *more_open(const char *name, int mode) { return fopen(name, mode ? "w" : "r"); }
void more_close(FILE *f, int twice) { fclose(f); if (twice) fclose(f); }
void more_down(FILE *f, int n);
void more_up(FILE *f, int n) { if (n > 3) more_down(f, n - 1); else fputs("up", f); }
void more_down(FILE *f, int n) { if (n > 1) more_up(f, n - 1); else fputs("down", f); }
int more_user(const char *name) {
    FILE *f = more_open(name, 1);
    if (!f) return 1;
    more_up(f, 7);
    more_close(f, 0);
    return 0;
}
int more_other(const char *name) {
    FILE *f = more_open(name, 0);
    char *text = malloc(7);
    if (!f) return 1;
    more_close(f, 0);
    free(text);
    return fgetc(f);
}
"#;

fn project() -> Project {
    let project = Project::of("misuse");
    project.write("more.c", MORE);
    project.edit("Makefile", "across.o", "across.o more.o");
    let (status, _, errors) = project.json(&["build"]);
    assert_eq!(status, 0, "{errors}");
    project
}

fn desk(project: &Project) -> Desk {
    Desk::new(project.folder(), Cancel::new(), Arc::new(Silent)).expect("a project")
}

fn real(project: &Project, file: &str) -> Vec<PathBuf> {
    vec![project.path(file).canonicalize().expect("a file")]
}

/// One change of a line: it is left out, doubled, changes its place with another one, or frees or closes something once more.
fn edited(text: &str, numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let statement = |line: &String| line.starts_with("    ") && line.trim_end().ends_with(';');
    let places: Vec<usize> = (0..lines.len()).filter(|&at| statement(&lines[at])).collect();
    let (at, other) = (places[numbers.below(places.len())], places[numbers.below(places.len())]);
    match numbers.below(6) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines.insert(at, "    free(calloc(1, 9));".into()),
        4 => lines.insert(0, format!("/* {} */", numbers.below(99))),
        _ => lines.insert(
            at,
            "    { FILE *g = fopen(\"g\", \"r\"); if (g) { fclose(g); fgetc(g); } puts(\"more\"); }".into(),
        ),
    }
    lines.join("\n") + "\n"
}

fn same(again: &Answer, whole: &Answer, round: usize) {
    let parts = |it: &Checked| (it.misuses.clone(), it.classes.clone(), it.functions, it.allowed);
    assert_eq!(parts(&again.checked), parts(&whole.checked), "round {round}");
    let words = |it: &Answer| it.problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>();
    assert_eq!(words(again), words(whole), "round {round}");
}

#[test]
fn whatever_is_edited_it_finds_what_a_whole_check_finds() {
    let project = project();
    let files = ["more.c", "across.c", "streams.c", "memory.c", "descriptors.c", "lists.c", "threads.c"];
    let mut numbers = Numbers(20_261_128);
    let (mut kept, mut done) = (Kept::default(), (0, 0));
    answer_again(&desk(&project), &[], &mut kept).expect("an answer");
    let mut compiled = 0;
    for round in 0..60 {
        let file = files[numbers.below(files.len())];
        let before = project.read(file);
        project.write(file, &edited(&before, &mut numbers));
        let again = match answer_again(&desk(&project), &real(&project, file), &mut kept) {
            Ok(again) => again,
            Err(error) => {
                assert!(error.line().contains("does not compile: "), "{}", error.line());
                project.write(file, &before);
                continue;
            }
        };
        assert_eq!(kept.how.compiled, Some(1), "round {round}");
        compiled += 1;
        let mut nothing = Kept::default();
        let whole = answer_again(&desk(&project), &[], &mut nothing).expect("an answer");
        same(&again, &whole, round);
        done = (done.0 + kept.how.analysed, done.1 + nothing.how.analysed);
    }
    assert!(compiled > 30, "only {compiled} edits could be compiled");
    assert!(done.0 * 4 < done.1, "{} analyses where all are {}", done.0, done.1);
    // And what the command line finds, once it has built all that.
    let again = answer_again(&desk(&project), &[], &mut kept).expect("an answer");
    let (_, answer, errors) = project.json(&["check"]);
    let told = answer["findings"].as_array().unwrap_or_else(|| panic!("{errors}"));
    let told: Vec<(&str, u64)> = told
        .iter()
        .map(|it| (it["message"].as_str().expect("words"), it["location"]["line"].as_u64().expect("a line")))
        .collect();
    let found = again.checked.misuses.iter().map(|it| (it.message.as_str(), u64::from(it.location.line)));
    assert_eq!(found.collect::<Vec<_>>(), told);
}

#[test]
fn only_changed_functions_and_those_that_call_them_are_looked_at() {
    let project = project();
    let mut kept = Kept::default();
    answer_again(&desk(&project), &[], &mut kept).expect("an answer");
    let all = kept.how.analysed;
    let again = |kept: &mut Kept| {
        answer_again(&desk(&project), &real(&project, "more.c"), kept).expect("an answer");
        kept.how.analysed
    };
    // Lines that move change no function.
    project.edit("more.c", "#include <stdio.h>", "\n\n#include <stdio.h>");
    assert_eq!(again(&mut kept), 0);
    project.edit("more.c", "return fgetc(f);", "return 1 + fgetc(f);");
    let one = again(&mut kept);
    assert!(one > 0 && one < 6 && all > 50, "{one} of {all}");
    // Nothing was changed.
    assert_eq!(again(&mut kept), 0);
    // A function that two others call.
    project.edit("more.c", "fclose(f); if (twice)", "if (twice) puts(\"twice\"); fclose(f); if (twice)");
    let callers = again(&mut kept);
    assert!(callers > one && callers < all / 2, "{callers} of {all}");
}

#[test]
fn a_header_and_what_is_no_unit_are_noticed() {
    let project = project();
    project.write("more.h", "#define MORE 0\n");
    project.edit("more.c", "#include <stdio.h>", "#include <stdio.h>\n#include \"more.h\"");
    project.edit("more.c", "more_close(f, 0);\n    free", "more_close(f, MORE);\n    free");
    project.json(&["build"]);
    let mut kept = Kept::default();
    let first = answer_again(&desk(&project), &[], &mut kept).expect("an answer");
    project.write("more.h", "#define MORE 1\n");
    let again = answer_again(&desk(&project), &real(&project, "more.h"), &mut kept).expect("an answer");
    assert_eq!(kept.how.compiled, Some(1));
    assert_ne!(again.checked.misuses, first.checked.misuses);
    // What tells what is to be compiled is the build's own.
    let makefile = project.read("Makefile");
    project.write("Makefile", &format!("{makefile}\n# more\n"));
    answer_again(&desk(&project), &real(&project, "Makefile"), &mut kept).expect("an answer");
    assert_eq!(kept.how.compiled, None);
}
