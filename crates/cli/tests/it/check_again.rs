//! `check` once more, soon after a source was changed: the answer is that of a whole check, and little is done for it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::support::numbers::Numbers;
use crate::support::project::Project;
use serde_json::Value;
use whydunit_desk::{Cancel, Desk, Silent};
use whydunit_findings::{Checked, Misuse};
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

/// A call that is wrong, of names that a source may not declare.
const WRONG: &str = "    { char *p = __builtin_malloc(9); if (p) { __builtin_free(p); *p = 1; } }";

/// One change of a source: a statement is left out, doubled, or changes its place with another one; something is freed, used or done in a
/// loop once more; lines move; a function is added, or one that was added goes.
fn edited(text: &str, numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let statement = |line: &String| line.starts_with("    ") && line.trim_end().ends_with(';');
    let places: Vec<usize> = (0..lines.len()).filter(|&at| statement(&lines[at])).collect();
    let (at, other) = (places[numbers.below(places.len())], places[numbers.below(places.len())]);
    let (kind, number) = (numbers.below(9), numbers.below(1000));
    match kind {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines.insert(at, format!("    __builtin_free(__builtin_malloc({number}));")),
        4 => lines.insert(numbers.below(at), format!("/* {number} */")),
        5 => lines.insert(at, WRONG.to_owned()),
        6 => lines.insert(
            at,
            format!("    for (int i = 0; i < {number}; i++) if (i == 7) __builtin_free(__builtin_malloc(9));"),
        ),
        7 => lines.push(format!(
            "static void added_{number}(void *p, int q) {{ __builtin_free(p); if (q) __builtin_free(p); }}"
        )),
        _ => match lines.iter().rposition(|line| line.starts_with("static void added_")) {
            Some(added) => drop(lines.remove(added)),
            None => lines.push(
                "static void added_user(void) { void *p = __builtin_malloc(3); __builtin_free(p); __builtin_free(p); }"
                    .into(),
            ),
        },
    }
    lines.join("\n") + "\n"
}

/// One change of a header: lines move, or all that include it have a function more, or another one.
fn edited_header(text: &str, numbers: &mut Numbers) -> String {
    let own = text.lines().filter(|line| !line.contains("in_header")).collect::<Vec<_>>().join("\n");
    let twice = ["", "__builtin_free(p); "][numbers.below(2)];
    match numbers.below(3) {
        0 => format!("/* {} */\n{text}", numbers.below(99)),
        1 => own + "\n",
        _ => {
            let size = numbers.below(9);
            let user = format!("static inline void in_header_user(void) {{ in_header(__builtin_malloc({size})); }}");
            format!("static inline void in_header(void *p) {{ {twice}__builtin_free(p); }}\n{user}\n{own}\n")
        }
    }
}

fn same(again: &Answer, whole: &Answer, round: usize) {
    let parts = |it: &Checked| (it.misuses.clone(), it.classes.clone(), it.functions, it.allowed);
    assert_eq!(parts(&again.checked), parts(&whole.checked), "round {round}");
    let words = |it: &Answer| it.problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>();
    assert_eq!(words(again), words(whole), "round {round}");
}

/// What the command line finds, once it has built the project: all findings in their order, with their places, words and paths.
fn same_as_told(again: Answer, project: &Project) {
    let (_, told, errors) = project.json(&["check"]);
    let found: Value = serde_json::from_str(&whydunit_render::json(&again.report())).expect("an answer");
    assert!(told["findings"].is_array(), "{errors}");
    assert_eq!(found["findings"], told["findings"]);
}

/// A project, and what is edited of it.
struct Edited<'a> {
    project: &'a Project,
    sources: &'a [&'a str],
    headers: &'a [&'a str],
    /// Makes all of it anew: not every build knows which headers its sources have.
    rebuild: &'a [&'a str],
    /// How much work is done for a check.
    work: Option<u64>,
}

impl Edited<'_> {
    fn kept(&self) -> Kept {
        let mut kept = Kept::default();
        kept.work = self.work.unwrap_or(kept.work);
        kept
    }

    /// After each of so many random edits the answer is that of a check that has nothing of one before: what it finds, in which order, and
    /// what it looks at for that. How many analyses were done, and how many there are.
    fn is_checked_as_a_whole(&self, rounds: usize, numbers: &mut Numbers) -> (usize, usize) {
        let (project, mut kept) = (self.project, self.kept());
        answer_again(&desk(project), &[], &mut kept).expect("an answer");
        let (mut compiled, mut done) = (0, (0, 0));
        for round in 0..rounds {
            let of_header = !self.headers.is_empty() && numbers.below(6) == 0;
            let files = if of_header { self.headers } else { self.sources };
            let file = files[numbers.below(files.len())];
            let before = project.read(file);
            let edit = if of_header { edited_header } else { edited };
            let after = edit(&before, numbers);
            if after == before {
                continue;
            }
            project.write(file, &after);
            let again = match answer_again(&desk(project), &real(project, file), &mut kept) {
                Ok(again) => again,
                Err(error) => {
                    assert!(error.line().contains("does not compile: "), "{}", error.line());
                    project.write(file, &before);
                    continue;
                }
            };
            assert!(kept.how.compiled.is_some_and(|units| units > 0 && (units == 1 || of_header)), "round {round}");
            compiled += 1;
            let mut nothing = self.kept();
            let whole = answer_again(&desk(project), &[], &mut nothing).expect("an answer");
            same(&again, &whole, round);
            assert_eq!(kept.how.work, nothing.how.work, "round {round}");
            done = (done.0 + kept.how.analysed, done.1 + nothing.how.analysed);
            if round % 16 == 15 && self.work.is_none() {
                project.json(self.rebuild);
                same_as_told(again, project);
            }
        }
        assert!(compiled * 2 > rounds, "only {compiled} edits could be compiled");
        done
    }
}

const SOURCES: [&str; 7] = ["more.c", "across.c", "streams.c", "memory.c", "descriptors.c", "lists.c", "threads.c"];

/// The project, with a header that two of its sources have.
fn project_with_header() -> Project {
    let project = project();
    project.write("more.h", "#define MORE 0\n");
    for file in ["more.c", "across.c"] {
        project.write(file, &format!("#include \"more.h\"\n{}", project.read(file)));
    }
    project.json(&["build"]);
    project
}

#[test]
fn whatever_is_edited_it_finds_what_a_whole_check_finds() {
    let project = project_with_header();
    let rebuild = ["build", "--", "make", "-B"];
    let edited = Edited { project: &project, sources: &SOURCES, headers: &["more.h"], rebuild: &rebuild, work: None };
    let done = edited.is_checked_as_a_whole(64, &mut Numbers(20_261_128));
    assert!(done.0 * 4 < done.1, "{} analyses where all are {}", done.0, done.1);
}

#[test]
fn so_it_does_where_there_is_more_to_do_than_is_done() {
    let project = project_with_header();
    let mut numbers = Numbers(20_261_129);
    for work in [500, 3000, 5000] {
        let edited =
            Edited { project: &project, sources: &SOURCES, headers: &["more.h"], rebuild: &[], work: Some(work) };
        edited.is_checked_as_a_whole(16, &mut numbers);
    }
}

/// zlib with a program that uses it: what of it is edited.
fn library(project: &Project, work: Option<u64>) -> Edited<'_> {
    Edited {
        project,
        sources: &["zlib/deflate.c", "zlib/inflate.c", "zlib/trees.c", "zlib/zutil.c", "zlib/inftrees.c", "driver.c"],
        headers: &["zlib/zutil.h", "zlib/deflate.h", "zlib/inftrees.h"],
        rebuild: &["build", "--", "make", "-B"],
        work,
    }
}

#[test]
fn so_it_does_in_a_library_of_others() {
    let project = crate::real::driver(&[]);
    let done = library(&project, None).is_checked_as_a_whole(32, &mut Numbers(20_261_130));
    assert!(done.0 < done.1, "{} analyses where all are {}", done.0, done.1);
}

/// Wherever the work ends, with all that was found out by a check that had enough of it.
fn ends_as_a_whole_check(project: &Project, parts: u64) {
    let (mut kept, enough) = (Kept::default(), Kept::default().work);
    answer_again(&desk(project), &[], &mut kept).expect("an answer");
    let all = kept.how.work;
    for part in 1..parts {
        let mut nothing = Kept::default();
        (kept.work, nothing.work) = (all * part / parts, all * part / parts);
        let again = answer_again(&desk(project), &[], &mut kept).expect("an answer");
        let whole = answer_again(&desk(project), &[], &mut nothing).expect("an answer");
        same(&again, &whole, part as usize);
        assert_eq!(kept.how.work, nothing.how.work, "{part} of {parts}");
        kept.work = enough;
        answer_again(&desk(project), &[], &mut kept).expect("an answer");
    }
}

#[test]
fn wherever_the_work_ends_it_is_the_whole_check() {
    ends_as_a_whole_check(&project(), 100);
    ends_as_a_whole_check(&crate::real::driver(&[]), 12);
}

#[test]
fn units_come_and_go() {
    let project = project();
    let mut kept = Kept::default();
    let all = |project: &Project, kept: &mut Kept| {
        let again = answer_again(&desk(project), &[], kept).expect("an answer");
        let whole = answer_again(&desk(project), &[], &mut Kept::default()).expect("an answer");
        same(&again, &whole, 0);
        let found = again.checked.misuses.len();
        same_as_told(again, project);
        (found, kept.how.analysed)
    };
    let (first, everything) = all(&project, &mut kept);
    let without = project.read("Makefile");
    // Its functions call those of others, and others those that it has alone.
    project.write(
        "late.c",
        "#include <stdio.h>\nvoid more_close(FILE *f, int twice);\nvoid late_close(FILE *f) { more_close(f, 0); fputc('x', f); }\n",
    );
    project.edit("Makefile", "more.o", "more.o late.o");
    project.edit(
        "more.c",
        "more_close(f, 0);\n    return 0;",
        "extern void late_close(FILE *);\n    late_close(f);\n    return 0;",
    );
    project.json(&["build"]);
    let (more, analysed) = all(&project, &mut kept);
    assert!(more > first && analysed < everything / 2, "{more} after {first}, {analysed} of {everything}");
    project.write("Makefile", &without);
    project.edit("more.c", "late_close(f)", "more_close(f, 0)");
    project.json(&["build"]);
    let (fewer, analysed) = all(&project, &mut kept);
    assert!(fewer == first && analysed < everything / 2, "{fewer} after {first}, {analysed} of {everything}");
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
    project.write("more.h", "#define MORE(f)\n");
    project.edit("more.c", "#include <stdio.h>", "#include <stdio.h>\n#include \"more.h\"");
    project.edit("more.c", "return fgetc(f);", "MORE(f);\n    return 0;");
    project.json(&["build"]);
    let mut kept = Kept::default();
    let first = answer_again(&desk(&project), &[], &mut kept).expect("an answer");
    project.write("more.h", "#define MORE(f) fgetc(f)\n");
    let again = answer_again(&desk(&project), &real(&project, "more.h"), &mut kept).expect("an answer");
    assert_eq!(kept.how.compiled, Some(1));
    let new: Vec<&Misuse> = again.checked.misuses.iter().filter(|it| !first.checked.misuses.contains(it)).collect();
    assert_eq!(again.checked.misuses.len(), first.checked.misuses.len() + 1);
    assert!(matches!(new[..], [it] if it.message == "fgetc of FILE that is closed" && it.must), "{new:?}");
    project.json(&["build", "--", "make", "-B"]);
    same_as_told(again, &project);
    // What tells what is to be compiled is the build's own.
    let makefile = project.read("Makefile");
    project.write("Makefile", &format!("{makefile}\n# more\n"));
    answer_again(&desk(&project), &real(&project, "Makefile"), &mut kept).expect("an answer");
    assert_eq!(kept.how.compiled, None);
}
