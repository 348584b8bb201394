//! Instrumented copies of products.

mod subject;

use std::{fs, path::Path, process::Command};

use subject::{Subject, parts, text};
use whydunit_capture::{Error, Flavour, FlavourReport, flavour, flavour_all, run_environment};

fn make(subject: &Subject, name: &str, kind: Flavour) -> FlavourReport {
    let id = subject.product(name).link_id;
    flavour(&subject.store(), &id, kind).unwrap_or_else(|error| panic!("{error}"))
}

fn run(subject: &Subject, path: &Path) -> String {
    text(&Command::new(path).current_dir(subject.root()).output().unwrap())
}

/// Libraries that a program really loads.
fn loaded(path: &Path) -> String {
    text(&Command::new("ldd").arg(path).output().unwrap())
}

#[test]
fn a_copy_of_every_product_is_linked_from_bitcode_after_the_build_is_gone() {
    let subject = parts();
    subject.build(&["make", "-j2"]);
    let id = subject.product("prog").link_id;
    for gone in ["main.o", "libparts.a", "joined.o", "entry.o", "libshared.so.1"] {
        fs::remove_file(subject.path(gone)).unwrap();
    }
    let report = make(&subject, "prog", Flavour::Plain);
    assert_eq!((report.modules, report.built), (6, 6));
    assert_eq!(report.external, vec![subject.path("entry.o").display().to_string()]);
    assert_eq!(report.path, subject.store_path().join("flavours/plain").join(&id));
    assert_eq!(run(&subject, &report.path), "1 2 3 4 5 6 7\n");
    let libraries = loaded(&report.path);
    let line = libraries.lines().find(|line| line.contains("libshared.so.1")).unwrap();
    assert!(line.contains(".whydunit/flavours/plain/lib/"), "{line}");

    let again = make(&subject, "prog", Flavour::Plain);
    assert_eq!(again.built, 0);
    assert_eq!(again.path, report.path);
}

#[test]
fn plugins_are_made_with_the_others_and_stay_where_their_link_id_says() {
    let subject = parts();
    subject.build(&["make"]);
    let reports = flavour_all(&subject.store(), Flavour::Plain).unwrap();
    assert_eq!(reports.len(), 3);
    for report in &reports {
        let report = report.as_ref().unwrap_or_else(|error| panic!("{error}"));
        assert!(subject.store_path().join("flavours/plain").join(&report.link_id).exists());
    }
}

#[test]
fn libraries_that_are_needed_by_libraries_are_copies_too() {
    let subject = Subject::new(&[
        ("deep.c", "int deep(void) { return 5; }\n"),
        ("mid.c", "int deep(void); int mid(void) { return deep() + 1; }\n"),
        ("main.c", "#include <stdio.h>\nint mid(void); int main(void) { printf(\"%d\\n\", mid()); return 0; }\n"),
        (
            "build.sh",
            "#!/bin/sh -e\nmkdir -p lib\ngcc -fPIC -shared deep.c -o lib/libdeep.so -Wl,-soname,libdeep.so.0\nln -sf libdeep.so lib/libdeep.so.0\n\
             gcc -fPIC -shared mid.c -o lib/libmid.so -Llib -ldeep\ngcc main.c -o main -Llib -lmid -Wl,-rpath-link,lib -Wl,-rpath,'$ORIGIN/lib'\n",
        ),
    ]);
    subject.build(&["./build.sh"]);
    let report = make(&subject, "main", Flavour::Plain);
    assert_eq!(run(&subject, &report.path), "6\n");
    // Even when the environment points to the plain ones, as libtool's wrappers do.
    let output = Command::new("ldd").arg(&report.path).env("LD_LIBRARY_PATH", subject.path("lib")).output().unwrap();
    let listing = text(&output);
    for name in ["libmid.so", "libdeep.so.0"] {
        let line = listing.lines().find(|line| line.contains(name)).unwrap();
        assert!(line.contains(".whydunit/flavours/plain/lib/"), "{listing}");
    }
}

#[test]
fn programs_at_fixed_addresses_and_static_ones_become_position_independent() {
    let subject = Subject::new(&[
        (
            "main.c",
            "#include <stdio.h>\nint data[3] = {1, 2, 3}; int *p = data + 1;\nint main(void) { printf(\"%d\\n\", *p); return 0; }\n",
        ),
        (
            "build.sh",
            "#!/bin/sh -e\ngcc -O2 -fno-pie -no-pie -s main.c -o fixed\ngcc -c main.c\ngcc -static -Wl,-Map,out.map main.o -o static\n",
        ),
    ]);
    subject.build(&["./build.sh"]);
    fs::remove_file(subject.path("out.map")).unwrap();
    for name in ["fixed", "static"] {
        let report = make(&subject, name, Flavour::Plain);
        assert_eq!(run(&subject, &report.path), "2\n");
        let kind = text(&Command::new("readelf").arg("-h").arg(&report.path).output().unwrap());
        assert!(kind.contains("Position-Independent") || kind.contains("DYN"), "{kind}");
        assert_eq!(report.notes.is_empty(), name == "fixed", "{:?}", report.notes);
    }
    assert!(!subject.path("out.map").exists(), "a copy's link writes nothing into the project");
}

#[test]
fn assembly_for_a_fixed_place_is_named() {
    let subject = Subject::new(&[
        ("main.c", "int entry(void); int main(void) { return entry(); }\n"),
        (
            "entry.S",
            ".data\nx: .long 7\n.text\n.globl entry\nentry: mov $x, %eax\nmov (%rax), %eax\nret\n.section .note.GNU-stack,\"\",@progbits\n",
        ),
        ("build.sh", "#!/bin/sh -e\ngcc -c entry.S\ngcc -no-pie -fno-pie main.c entry.o -o main\n"),
    ]);
    subject.build(&["./build.sh"]);
    let id = subject.product("main").link_id;
    let error = flavour(&subject.store(), &id, Flavour::Plain).unwrap_err();
    let Error::FixedPlace(names) = &error else { panic!("{error}") };
    assert_eq!(names, &[subject.path("entry.o").display().to_string()]);
}

#[test]
fn uses_that_optimisation_removed_are_found_in_archives_or_trap() {
    let subject = Subject::new(&[
        (
            "main.c",
            "int spare(void); int nowhere(void);\nint main(void) { if (0 && spare()) return nowhere(); return 3; }\n",
        ),
        (
            "use.c",
            "int spare(void), nowhere(void);\nstatic const int off = 0;\nint use(void) { int x = 0; if (x) return nowhere(); if (off) return spare(); return 4; }\n",
        ),
        ("two.c", "int use(void); int main(void) { return use(); }\n"),
        ("spare.c", "int spare(void) { return 9; }\n"),
        (
            "build.sh",
            "#!/bin/sh -e\ngcc -O2 -c use.c two.c spare.c\nar rcs lib.a use.o spare.o\ngcc -o two two.o lib.a\n",
        ),
    ]);
    subject.build(&["./build.sh"]);
    let report = make(&subject, "two", Flavour::Plain);
    assert_eq!(Command::new(&report.path).status().unwrap().code(), Some(4));
    assert!(report.notes.iter().any(|note| note.contains("nowhere")) || report.notes.is_empty());
}

#[test]
fn scripts_that_run_products_record_them_with_their_plugins() {
    let subject = parts();
    subject.write("test.sh", "#!/bin/sh\ncd \"$(dirname \"$0\")\" && ./prog | cat\n");
    subject.build(&["make"]);
    let reports = flavour_all(&subject.store(), Flavour::Record).unwrap();
    for report in &reports {
        let report = report.as_ref().unwrap_or_else(|error| panic!("{error}"));
        assert!(report.external.iter().all(|external| external.ends_with("entry.o")), "{:?}", report.external);
    }
    let prog = subject.product("prog");
    for module in &prog.modules {
        let model = fs::read(subject.store().model(module)).unwrap();
        assert_eq!(whydunit_model::Module::from_bytes(&model).unwrap().id, *module);
    }
    let folder = subject.path("recordings");
    fs::create_dir(&folder).unwrap();
    let environment = run_environment(&subject.store(), Flavour::Record, &folder).unwrap();
    let output = Command::new(subject.path("test.sh")).envs(environment).output().unwrap();
    assert_eq!(text(&output), "1 2 3 4 5 6 7\n", "{}", String::from_utf8_lossy(&output.stderr));
    let heads: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| String::from_utf8_lossy(&fs::read(entry.unwrap().path().join("head")).unwrap()).into_owned())
        .collect();
    assert_eq!(heads.len(), 1);
    assert!(heads[0].contains(&prog.link_id), "{}", heads[0]);
}

#[test]
fn spectra_of_products_come_with_their_tables() {
    let subject = parts();
    subject.build(&["make"]);
    for report in flavour_all(&subject.store(), Flavour::Spectrum).unwrap() {
        report.unwrap_or_else(|error| panic!("{error}"));
    }
    let folder = subject.path("flags");
    fs::create_dir(&folder).unwrap();
    let environment = run_environment(&subject.store(), Flavour::Spectrum, &folder).unwrap();
    let output = Command::new("sh").arg("-c").arg("exec ./prog").current_dir(subject.root()).envs(environment).output();
    assert_eq!(text(&output.unwrap()), "1 2 3 4 5 6 7\n");
    let processes = whydunit_runtime::spectrum::read(&folder).unwrap();
    assert_eq!(processes.len(), 1);
    // Five units of the program, its library, the plugin.
    assert_eq!(processes[0].modules.len(), 7);
    for (id, _) in &processes[0].modules {
        let table = fs::read(subject.store().spectrum_table(id)).unwrap();
        assert!(!whydunit_model::SpectrumTable::from_bytes(&table).unwrap().statements.is_empty());
    }
}

#[test]
fn inline_functions_without_a_definition_behave_as_in_the_product() {
    let subject = Subject::new(&[
        ("add.h", "inline int add(int a, int b) { return a + b; }\n"),
        ("main.c", "#include \"add.h\"\nint more(int); int main(void) { return more(add(1, 2)); }\n"),
        ("more.c", "#include \"add.h\"\nint more(int x) { return add(x, 4); }\n"),
        ("build.sh", "#!/bin/sh -e\necho '-O2 main.c \"more.c\"' > line.rsp\ngcc @line.rsp -o main\n"),
    ]);
    subject.build(&["./build.sh"]);
    assert_eq!(subject.plain(&["./main"]).status.code(), Some(7));
    for kind in [Flavour::Plain, Flavour::Record] {
        let report = make(&subject, "main", kind);
        assert_eq!(Command::new(&report.path).status().unwrap().code(), Some(7), "{kind:?}");
        assert_eq!(report.notes, Vec::<String>::new());
    }
}

#[test]
fn damaged_objects_are_made_again() {
    let subject = Subject::new(&[
        ("main.c", "int main(void) { return 5; }\n"),
        ("other.c", "int other(void) { return 6; }\n"),
        ("build.sh", "#!/bin/sh -e\ngcc main.c other.c -o main\n"),
    ]);
    subject.build(&["./build.sh"]);
    let first = make(&subject, "main", Flavour::Record);
    let flavours = subject.root().join(".whydunit/flavours");
    let mut cut = 0;
    let mut folders = vec![flavours];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "o") {
                let content = fs::read(&path).unwrap();
                fs::write(&path, &content[..content.len() / 2]).unwrap();
                cut += 1;
            }
        }
    }
    assert!(cut >= 2);
    fs::remove_file(&first.path).unwrap();
    let second = make(&subject, "main", Flavour::Record);
    assert_eq!(second.notes, first.notes);
    assert!(second.path.exists());
}

#[test]
fn thin_archives_and_whole_archives_are_linked_as_they_were() {
    let subject = Subject::new(&[
        ("main.c", "int f(void); int count; int main(void) { return f() + count; }\n"),
        ("f.c", "int f(void) { return 4; }\n"),
        ("start.c", "extern int count; __attribute__((constructor)) static void start(void) { count = 3; }\n"),
        (
            "build.sh",
            "#!/bin/sh -e\ngcc -c main.c f.c start.c\nar rcsT thin.a f.o\nar rcs whole.a start.o\n\
             gcc main.o thin.a -Wl,--whole-archive whole.a -Wl,--no-whole-archive -o main\nrm *.o *.a\n",
        ),
    ]);
    subject.build(&["./build.sh"]);
    let report = make(&subject, "main", Flavour::Plain);
    assert_eq!((report.modules, report.external.len()), (3, 0));
    assert_eq!(Command::new(&report.path).status().unwrap().code(), Some(7));
}

#[test]
fn wrapped_functions_are_called_by_captured_code() {
    let subject = Subject::new(&[
        ("main.c", "#include <stdlib.h>\nint calls; int main(void) { free(malloc(8)); return calls; }\n"),
        (
            "wrap.c",
            "#include <stddef.h>\nextern int calls; void *__real_malloc(size_t); void __real_free(void *);\n\
             void *__wrap_malloc(size_t n) { calls += 3; return __real_malloc(n); }\nvoid __wrap_free(void *p) { calls += 4; __real_free(p); }\n",
        ),
        (
            "real.c",
            "#include <stdlib.h>\nvoid *__real_malloc(size_t n) { return malloc(n); } void __real_free(void *p) { free(p); }\n",
        ),
        (
            "build.sh",
            "#!/bin/sh -e\ngcc -c main.c wrap.c real.c\ngcc main.o wrap.o -Wl,--wrap=malloc -Wl,--wrap,free -o wrapped\n\
             gcc main.o wrap.o real.o -o plain\n",
        ),
    ]);
    subject.build(&["./build.sh"]);
    for kind in [Flavour::Plain, Flavour::Record] {
        for (name, status) in [("wrapped", 7), ("plain", 0)] {
            assert_eq!(subject.plain(&[&format!("./{name}")]).status.code(), Some(status));
            let report = make(&subject, name, kind);
            assert_eq!(Command::new(&report.path).status().unwrap().code(), Some(status), "{name} {kind:?}");
        }
    }
}
