//! Projects that are built by make and by the compiler alone.

mod subject;

use std::fs;

use subject::{Subject, parts, text};
use whydunit_capture::{Error, Kind, product_of, stale_sources};
use whydunit_process::Cancel;

#[test]
fn everything_that_make_builds_is_captured() {
    let subject = parts();
    let report = subject.build(&["make", "-j4"]);
    assert_eq!(report.captured, 8);
    assert_eq!(report.problems, Vec::<String>::new());
    assert_eq!(report.external.len(), 1, "{:?}", report.external);
    assert_eq!(report.external[0].reason, "assembly");
    assert_eq!(text(&subject.plain(&["./prog"])), "1 2 3 4 5 6 7\n");

    let products = subject.products();
    let names: Vec<_> = products.iter().map(|product| product.path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["libshared.so.1", "plugin.so", "prog"]);
    assert_eq!(products[0].kind, Kind::SharedLibrary);
    let prog = subject.product("prog");
    assert_eq!(prog.kind, Kind::Executable);
    // The member that nothing needs is not in the program.
    assert_eq!(subject.sources(&prog), ["left.c", "main.c", "one/part.c", "right.c", "two/part.c"]);
    assert_eq!(prog.libraries, vec![products[0].link_id.clone()]);
    assert_eq!(prog.external_objects, vec![subject.path("entry.o").display().to_string()]);
    assert_eq!(subject.sources(&subject.product("plugin.so")), ["plugin.c"]);

    // A copy is known by its note; other files are not.
    fs::copy(subject.path("prog"), subject.path("elsewhere")).unwrap();
    assert_eq!(subject.product("elsewhere").link_id, prog.link_id);
    let error = product_of(&subject.store(), &subject.path("Makefile")).unwrap_err();
    assert!(matches!(error, Error::NotCaptured(_)), "{error}");
}

#[test]
fn the_users_objects_are_those_of_the_users_compiler() {
    let (captured, plain) = (parts(), parts());
    captured.build(&["make"]);
    text(&plain.plain(&["make"]));
    for object in ["main.o", "two/part.o", "shared.o"] {
        let code = |subject: &Subject| {
            let listing =
                text(&subject.plain(&["objdump", "-d", "-s", "-j", ".text", "-j", ".data", "-j", ".rodata", object]));
            listing.lines().skip(3).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(code(&captured), code(&plain), "{object}");
    }
}

#[test]
fn rebuilds_take_what_is_there_and_what_changed_is_told() {
    let subject = parts();
    subject.build(&["make"]);
    let before = subject.product("prog");
    assert_eq!(stale_sources(&subject.store(), &before.link_id).unwrap(), Vec::<std::path::PathBuf>::new());

    let nothing = subject.build(&["make"]);
    assert_eq!((nothing.captured, nothing.products.len()), (0, 0));

    subject.plain(&["make", "clean"]);
    let again = subject.build(&["make", "-j2"]);
    assert_eq!((again.captured, again.reused), (8, 8));
    assert_eq!(subject.product("prog").link_id, before.link_id);

    subject.write("two/part.c", "int two(void) { return 22; }\n");
    assert_eq!(stale_sources(&subject.store(), &before.link_id).unwrap(), vec![subject.path("two/part.c")]);
    let changed = subject.build(&["make"]);
    assert_eq!((changed.captured, changed.reused), (1, 0));
    let after = subject.product("prog");
    assert_ne!(after.link_id, before.link_id);
    assert_eq!(subject.products().len(), 3);
    assert_eq!(stale_sources(&subject.store(), &after.link_id).unwrap(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn sources_are_compiled_and_linked_at_once() {
    let subject = Subject::new(&[
        (
            "a.c",
            "#include <math.h>\nint b(void);\nint main(int n, char **v) { (void) v; return b() + (int) sqrt(n * 16); }\n",
        ),
        ("b.c", "int b(void) { return NUMBER; }\n"),
    ]);
    let report = subject.build(&["cc", "-g", "a.c", "b.c", "-o", "prog", "-DNUMBER=3", "-lm"]);
    let program = subject.root().join("prog");
    assert_eq!(report.captured, 2);
    assert_eq!(std::process::Command::new(&program).status().unwrap().code(), Some(7));
    let product = product_of(&subject.store(), &program).unwrap();
    assert_eq!(subject.sources(&product), ["a.c", "b.c"]);
}

#[test]
fn what_only_gcc_can_compile_is_external_and_named() {
    let subject = Subject::new(&[
        ("main.c", "int odd(int); int main(void) { return odd(4); }\n"),
        ("odd.c", "int odd(int x) { int inner(int y) { return x + y; } return inner(1); }\n"),
        (
            "build.sh",
            "#!/bin/sh -e\ngcc -O2 -fplan9-extensions -fsanitize=undefined -c main.c odd.c\ngcc -fsanitize=undefined -o prog main.o odd.o\n",
        ),
    ]);
    let report = subject.build(&["./build.sh"]);
    assert_eq!(report.captured, 1);
    assert_eq!(report.external.len(), 1);
    assert!(report.external[0].source.ends_with("odd.c"));
    assert!(report.external[0].reason.contains("odd.c:1"), "{}", report.external[0].reason);
    assert_eq!(report.dropped_flags.get("-fplan9-extensions"), Some(&1));
    assert!(report.sanitizers.contains("undefined"));
    assert_eq!(report.products[0].external, vec![subject.path("odd.o").display().to_string()]);
}

#[test]
fn failures_say_what_to_do() {
    let subject = Subject::new(&[("bad.c", "int main(void) { return nothing; }\n"), ("ok.sh", "#!/bin/sh\ntrue\n")]);
    let error = subject.try_build(&["gcc", "bad.c", "-o", "bad"]).unwrap_err();
    let Error::BuildFailed { lines, status, .. } = &error else { panic!("{error}") };
    assert_eq!(status, "status 1");
    assert!(lines.iter().any(|line| line.contains("nothing")), "{lines:?}");
    assert!(matches!(subject.try_build(&["./ok.sh"]).unwrap_err(), Error::NothingCaptured { .. }));
    assert!(matches!(subject.try_build(&["./no-such-file"]).unwrap_err(), Error::Start { .. }));
    assert!(matches!(subject.try_build(&[]).unwrap_err(), Error::NoCommand));
}

#[test]
fn products_that_are_renamed_stripped_and_optimised_at_link_time_are_known() {
    let subject = Subject::new(&[
        ("main.c", "int other(void); int main(void) { return other(); }\n"),
        ("other.c", "int other(void) { return 5; }\n"),
        (
            "build.sh",
            "#!/bin/sh -e\ngcc -O2 -flto -c main.c other.c\ngcc -O2 -flto main.o other.o -o main.tmp\nstrip main.tmp\nmkdir -p bin\nmv main.tmp bin/main\n",
        ),
    ]);
    let report = subject.build(&["./build.sh"]);
    assert_eq!((report.captured, report.problems), (2, Vec::new()));
    let products = subject.products();
    assert_eq!(products.len(), 1);
    assert_eq!(products[0].path, subject.path("bin/main"));
    assert_eq!(subject.sources(&products[0]), ["main.c", "other.c"]);
}

#[test]
fn an_object_whose_names_were_changed_is_external() {
    let subject = Subject::new(&[
        ("main.c", "int renamed(void); int main(void) { return renamed(); }\n"),
        ("other.c", "int other(void) { return 5; }\n"),
        (
            "build.sh",
            "#!/bin/sh -e\ngcc -c main.c other.c\nobjcopy --redefine-sym other=renamed other.o\nstrip -g main.o\ngcc main.o other.o -o main\n",
        ),
    ]);
    let report = subject.build(&["./build.sh"]);
    assert!(report.problems.iter().any(|problem| problem.contains("other.o")), "{:?}", report.problems);
    let product = subject.product("main");
    assert_eq!(product.external_objects, vec![subject.path("other.o").display().to_string()]);
    assert_eq!(product.modules.len(), 2 - 1);
}

#[test]
fn configuring_alone_is_no_failure_and_probes_are_not_captured() {
    let subject = Subject::new(&[
        (
            "configure",
            "#!/bin/sh -e\necho 'int main(void) { return 0; }' > conftest.c\ncc conftest.c -o conftest\nrm conftest*\n",
        ),
        ("a.c", "int main(void) { return 0; }\n"),
    ]);
    let report = subject.build(&["./configure"]);
    assert_eq!((report.captured, report.probes), (0, 1));
    assert_eq!(subject.build(&["cc", "a.c", "-o", "a"]).captured, 1);
}

#[test]
fn the_bitcode_of_a_whole_program_is_one_module() {
    let subject = Subject::new(&[
        (
            "main.c",
            "int f(void), g(void); int both(void) { return 1; } int main(void) { return f() + g() + both(); }\n",
        ),
        ("f.c", "int both(void) { return 2; } int f(void) { return both(); }\n"),
        ("g.c", "int g(void) { return 3; }\n"),
        ("build.sh", "#!/bin/sh -e\ngcc -fPIC -shared f.c -o libf.so -Wl,-Bsymbolic\ngcc main.c g.c -o main -L. -lf\n"),
    ]);
    subject.build(&["./build.sh"]);
    let whole = whydunit_capture::whole_program_bitcode(&subject.store(), &subject.product("main").link_id).unwrap();
    let whole = whole.display().to_string();
    text(&subject.plain(&["clang-22", &whole, "-o", "whole"]));
    // The first definition counts for others; the library's own use keeps its own.
    assert_eq!(subject.plain(&["./whole"]).status.code(), Some(6));
}

#[test]
fn a_build_that_is_cancelled_ends_with_all_that_it_started() {
    let subject = Subject::new(&[("build.sh", "#!/bin/sh\n(sleep 600; touch late) & echo $! >child; wait\n")]);
    let cancel = Cancel::new();
    let built = std::thread::scope(|scope| {
        let built = scope.spawn(|| subject.build_until(&["./build.sh"], &cancel));
        while !fs::read_to_string(subject.path("child")).is_ok_and(|child| child.ends_with('\n')) {
            std::thread::yield_now();
        }
        cancel.cancel();
        built.join().unwrap()
    });
    assert!(matches!(built, Err(Error::Cancelled)), "{built:?}");
    let child = fs::read_to_string(subject.path("child")).unwrap();
    let state = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    // Gone, or dead and not yet waited for by whom it was left to.
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}
