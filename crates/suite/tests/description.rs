//! Configurations, cases, and what is found out without them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_suite::*;

fn config(text: &str) -> Result<Config, String> {
    Config::parse(Path::new("/p/whydunit.toml"), text).map_err(|error| error.to_string())
}

#[test]
fn a_configuration_is_read() {
    let read = config(
        "[build]\ncommand = \"make\"\nexecutable = \"./tcas\"\n[tests]\ncases = \"cases.jsonl\"\ntimeout = \"10s\"\n\
         jobs = 3\nmemory = \"512MiB\"\noutput = 1000\nprocesses = 4\nfile_size = \"1M\"\nreruns = 2\n",
    )
    .unwrap();
    assert_eq!(read.folder, Path::new("/p"));
    assert_eq!(read.build.how, Some(BuildHow::Command("make".into())));
    assert_eq!(read.executable(), Some("/p/tcas".into()));
    assert_eq!(read.tests.kind, Some(TestsKind::Cases("cases.jsonl".into())));
    let limits = read.limits();
    assert_eq!(limits.time, Some(Duration::from_secs(10)));
    assert_eq!((limits.memory, limits.output, limits.processes), (Some(512 << 20), 1000, Some(4)));
    assert_eq!(limits.file_size, Some(1 << 20));

    let read = config("build.sources = [\"a.c\", \"b.c\"]\nbuild.flags = [\"-lm\"]").unwrap();
    let sources = vec!["a.c".into(), "b.c".into()];
    assert_eq!(read.build.how, Some(BuildHow::Sources { sources, flags: vec!["-lm".into()] }));
    assert_eq!(read.executable(), Some("/p/.whydunit/programs/a".into()));

    let kind = |text: &str| config(&format!("[tests]\n{text}")).unwrap().tests.kind;
    assert_eq!(kind("kind = \"automake\""), Some(TestsKind::Automake("make check".into())));
    assert_eq!(
        kind("kind = \"automake\"\ncommand = \"make -C t check\""),
        Some(TestsKind::Automake("make -C t check".into()))
    );
    assert_eq!(kind("kind = \"script\"\ncommand = \"./t.sh\""), Some(TestsKind::Script(vec!["./t.sh".into()])));
    assert_eq!(
        kind("kind = \"script\"\ncommand = [\"a\", \"b\"]"),
        Some(TestsKind::Script(vec!["a".into(), "b".into()]))
    );
    assert_eq!(kind("timeout = \"1m\""), None);
    assert_eq!(config("").unwrap().tests, TestsConfig::default());
}

#[test]
fn mistakes_in_a_configuration_name_line_and_key() {
    for (text, expected) in [
        ("[tests]\ntiemout = \"10s\"", "2: unknown key in [tests] `tiemout`: did you mean `timeout`?"),
        ("[build]\noptimized = true", "2: unknown key in [build] `optimized`: did you mean `optimised`?"),
        ("[build]\noptimised = \"yes\"", "2: `optimised` must be true or false, not a text"),
        ("[bulid]\n", "1: unknown section `bulid`: did you mean `build`?"),
        ("\ntimeout = \"10s\"", "2: `timeout` belongs in the section [tests]"),
        ("build = 3", "1: `build` must be a section: write [build]"),
        (
            "[tests]\n\ntimeout = \"soon\"",
            "3: `timeout` = \"soon\" is no time: write \"10s\", \"500ms\", \"2m\" or \"1h\"",
        ),
        ("[tests]\nmemory = true", "2: `memory` must be a size such as \"512MiB\", not true or false"),
        ("[tests]\njobs = 0", "2: `jobs` must be a number from 1"),
        ("[tests]\njobs = \"all\"", "2: `jobs` must be a whole number, not a text"),
        ("[build]\ncommand = [\"make\"]", "2: `command` must be a text in quotes, not a list"),
        ("[build]\ncommand = \"\"", "2: `command` is empty: give it a value or remove it"),
        ("[build]\ncommand = \"a\"\nsources = [\"b\"]", "3: `command` and `sources` are both given: keep one of them"),
        ("[build]\nsources = [1]", "2: `sources` must be a text in quotes, not a whole number"),
        ("[build]\ncommand = \"a\"\nflags = [\"b\"]", "3: `flags` go with `sources`; put them into `command` instead"),
        ("[tests]\nkind = \"catch\"", "2: unknown kind `catch`: did you mean `catch2`?"),
        (
            "[tests]\nkind = \"ctest\"\ncommand = \"ctest\"",
            "3: `command` goes with kind = \"script\" or \"automake\" or \"cargo\" or \"nextest\" or \"tap\": remove it, or set that kind",
        ),
        (
            "[tests]\nkind = \"cargo\"\nfolder = \"b\"",
            "3: `folder` goes with kind = \"ctest\" or \"meson\" or \"automake\": remove it, or set that kind",
        ),
        ("[tests]\nkind = \"tap\"", "2: kind = \"tap\" needs `command`, a shell command or a list of them"),
        ("[tests]\nkind = \"scripts\"", "2: unknown kind `scripts`: did you mean `script`?"),
        ("[tests]\nkind = \"script\"", "2: kind = \"script\" needs `command`, a shell command or a list of them"),
        ("[tests]\nkind = \"cases\"", "2: kind = \"cases\" needs `cases`, the file or folder of cases"),
        (
            "[tests]\nkind = \"script\"\ncases = \"c\"\ncommand = \"d\"",
            "3: `cases` does not go with kind = \"script\": remove one of them",
        ),
        (
            "[tests]\ncommand = \"./t.sh\"",
            "2: `command` needs kind = \"script\" (it exits 0 or not) or kind = \"automake\" (it runs `make check`)",
        ),
    ] {
        assert_eq!(config(text).unwrap_err(), format!("/p/whydunit.toml:{expected}"), "{text}");
    }
    let error = config("[tests]\ntimeout = \n").unwrap_err();
    assert!(error.starts_with("/p/whydunit.toml:2: "), "{error}");
    assert!(config("[tests]\njobs = 1\njobs = 2\n").unwrap_err().starts_with("/p/whydunit.toml:3: "));
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = folder.0.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

#[test]
fn a_table_of_cases_is_read_and_written() {
    let lines = [
        r#"{"name":"t17","args":["601","1"],"stdin":"text","files":{"in.txt":"text","d/e":{"file":"data/e"}},"env":{"A":"b"},"stdout":"1\n","status":0}"#,
        r#"{"name":"bare"}"#,
        r#"{"name":"dies","stdin":{"file":"data/e"},"stdout":{"file":"data/e"},"signal":"SIGABRT"}"#,
    ];
    let text = format!("{}\n\n{}\r\n{}", lines[0], lines[1], lines[2]);
    let folder = Folder::new(&[("cases.jsonl", &text), ("data/e", "eee")]);
    let cases = Case::read_all(&folder.path().join("cases.jsonl")).unwrap();
    assert_eq!(cases.len(), 3);
    assert_eq!(cases[0].args, ["601", "1"]);
    assert_eq!(cases[0].stdin, Some(Content::Inline(b"text".to_vec())));
    assert_eq!(&*cases[0].files["d/e"].read().unwrap(), b"eee");
    assert_eq!((cases[0].status, cases[0].signal), (Some(0), None));
    assert_eq!(cases[1], Case { name: "bare".into(), ..Case::default() });
    assert_eq!(cases[2].signal, Some(6));
    for (case, line) in cases.iter().zip(lines) {
        let expected: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(case.to_json(), expected);
    }
}

#[test]
fn mistakes_in_a_table_name_line_and_field() {
    for (line, expected) in [
        ("{\"name\":", "this is no JSON object: EOF while parsing a value at column 8"),
        ("[1]", "a line must hold a JSON object: {\"name\": …}"),
        (r#"{"args":[]}"#, "the field `name` is missing"),
        (r#"{"name":"x","arg":[]}"#, "unknown field `arg`: did you mean `args`?"),
        (r#"{"name":"x","args":"1"}"#, "`args` must be a list of texts, not \"1\""),
        (r#"{"name":"x","args":["1",2]}"#, "`args[1]` must be a text, not 2"),
        (r#"{"name":"x","args":["a\u0000"]}"#, "`args[0]` must not contain a zero byte"),
        (r#"{"name":"x","stdin":["a"]}"#, "`stdin` must be a text or {\"file\": \"path\"}, not [\"a\"]"),
        (r#"{"name":"x","stdin":{"path":"a"}}"#, "`stdin` must be a text or {\"file\": \"path\"}"),
        (r#"{"name":"x","status":256}"#, "`status` must be a number from 0 to 255, not 256"),
        (r#"{"name":"x","signal":"SIGFOO"}"#, "`signal`: `SIGFOO` is no signal; write SIGABRT, SIGSEGV, …"),
        (
            r#"{"name":"x","signal":"SIGINT","status":1}"#,
            "`status` and `signal` are both given: a process ends by one of them",
        ),
        (
            r#"{"name":"x","files":{"../y":""}}"#,
            "`files`: `../y` does not lie in the working folder; give a relative path without `..`",
        ),
        (
            r#"{"name":"x","files":{"/y":""}}"#,
            "`files`: `/y` does not lie in the working folder; give a relative path without `..`",
        ),
        (r#"{"name":"x","env":{"A=B":"c"}}"#, "`env`: `A=B` is no name of a variable"),
        (r#"{"name":"a"}"#, "the name `a` is already used in line 1"),
    ] {
        let folder = Folder::new(&[("c.jsonl", &format!("{{\"name\":\"a\"}}\n{line}\n"))]);
        let path = folder.path().join("c.jsonl");
        let error = Case::read_all(&path).unwrap_err();
        assert_eq!(error.to_string(), format!("{}:2: {expected}", path.display()), "{line}");
        assert_eq!(error.location(), (path.as_path(), Some(2)));
    }
    let folder = Folder::new(&[("c.jsonl", r#"{"name":"x","stdout":{"file":"none"}}"#)]);
    let error = Case::read_all(&folder.path().join("c.jsonl")).unwrap_err().to_string();
    assert!(error.contains("1: `stdout`: there is no file") && error.ends_with("none"), "{error}");
    assert!(Case::read_all(&folder.path().join("d.jsonl")).unwrap_err().to_string().contains("cannot read the cases"));
}

#[test]
fn a_folder_of_cases_is_read() {
    let folder = Folder::new(&[
        ("t10/args", "-x\ntwo words\n"),
        ("t10/stdin", "in"),
        ("t10/stdout", "out"),
        ("t10/status", "3\n"),
        ("t10/env", "A=b=c\n"),
        ("t10/files/a/.b", "content"),
        ("t2/status", "SIGSEGV"),
        ("README.md", "about"),
        (".hidden/x", ""),
    ]);
    let cases = Case::read_all(folder.path()).unwrap();
    assert_eq!(cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), ["t2", "t10"]);
    assert_eq!(cases[0].signal, Some(11));
    let case = &cases[1];
    assert_eq!(case.args, ["-x", "two words"]);
    assert_eq!(&*case.stdin.as_ref().unwrap().read().unwrap(), b"in");
    assert_eq!(&*case.stdout.as_ref().unwrap().read().unwrap(), b"out");
    assert_eq!(case.status, Some(3));
    assert_eq!(case.env["A"], "b=c");
    assert_eq!(&*case.files["a/.b"].read().unwrap(), b"content");

    for (file, text, expected) in [
        ("t/stdou", "", "unknown file `stdou`: did you mean `stdout`?"),
        ("t/file/x", "", "unknown folder `file`: did you mean `files`?"),
        ("t/status", "256", "`256` is no exit status (0 to 255) and no signal (SIGABRT, SIGSEGV, …)"),
        ("t/env", "A", "1: write NAME=value"),
        ("x.txt", "", "`x.txt` is no folder: each case is a folder with args, stdin, stdout, …"),
        (".hidden", "", "there is no case in it: each case is a folder with args, stdin, stdout, …"),
    ] {
        let folder = Folder::new(&[(file, text)]);
        let error = Case::read_all(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}

fn discovered(files: &[(&str, &str)]) -> (Config, String, String) {
    let folder = Folder::new(files);
    let found = discover(folder.path()).unwrap();
    // Whatever is found out, its text reads back as the same.
    let text = init(folder.path()).unwrap().text;
    let read = Config::parse(&folder.path().join(FILE_NAME), &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!((&read.build, &read.tests), (&found.config.build, &found.config.tests), "{text}");
    // Suggestions are good once their `#` is gone.
    let uncommented: String = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(setting) if setting.contains(" = ") || setting == "[tests]" => format!("{setting}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    Config::parse(&folder.path().join(FILE_NAME), &uncommented)
        .unwrap_or_else(|error| panic!("{error}\n{uncommented}"));
    (found.config, found.decisions.join("\n"), found.open.join("\n"))
}

#[test]
fn builds_are_found_out() {
    let command = |files: &[(&str, &str)]| match discovered(files).0.build.how {
        Some(BuildHow::Command(command)) => command,
        other => panic!("{other:?}"),
    };
    assert_eq!(command(&[("Makefile", ""), ("configure", ""), ("a.c", "int main(){}")]), "make");
    // What can be built apart from the sources is.
    assert!(command(&[("configure", ""), ("CMakeLists.txt", ""), ("Makefile", "")]).starts_with("cmake -S . -B "));
    assert!(command(&[("meson.build", "")]).contains("meson setup \"$WHYDUNIT_BUILD_DIR\""));
    assert_eq!(command(&[("Cargo.toml", ""), ("Makefile", "")]), "cargo test --no-run");
    assert_eq!(command(&[("configure", ""), ("Makefile.in", "")]), "./configure && make");
    let automake = [("configure", ""), ("Makefile.in", "VPATH = @srcdir@"), ("Makefile.am", "")];
    assert!(command(&automake).contains("cd \"$WHYDUNIT_BUILD_DIR\"") && command(&automake).ends_with("&& make"));
    assert_eq!(discovered(&automake).0.tests.folder, Some(".whydunit/build".into()));
    let configured = [&automake[..], &[("config.status", "")]].concat();
    assert_eq!(command(&configured), "./configure && make");
    assert!(command(&[("configure.ac", "")]).starts_with("autoreconf"));
    // Tests that are off are turned on, where that can be configured.
    let off = "option(BUILD_TESTING \"Build tests\" OFF)";
    let cmake = command(&[("CMakeLists.txt", off)]);
    let (with, without) = cmake.split_once(" || ").expect("two ways");
    assert!(with.ends_with("-DBUILD_TESTING=ON") && without.contains("-UBUILD_TESTING; } && cmake --build"), "{cmake}");
    let decisions = discovered(&[("CMakeLists.txt", off)]).1;
    assert!(decisions.contains("options: `-DBUILD_TESTING=ON`, so that there are tests, and the build"), "{decisions}");
    let meson = command(&[("meson.build", ""), ("meson_options.txt", "option('tests', value: false)")]);
    assert!(meson.contains("meson setup \"$WHYDUNIT_BUILD_DIR\" . -Dtests=true || meson setup"), "{meson}");
    let configured = command(&[("configure", ""), ("configure.ac", "AC_ARG_ENABLE([unit-tests])")]);
    assert_eq!(configured, "{ ./configure --enable-unit-tests || ./configure; } && make");
    // What `make` leaves to `make check` is built, too.
    let checked = [&automake[..], &[("src/tests/Makefile.am", "check_PROGRAMS = units\n")]].concat();
    assert!(command(&checked).ends_with("&& make && { make check TESTS= || :; }"), "{}", command(&checked));

    let (config, decisions, _) = discovered(&[
        ("util.c", "#include <math.h>\nint domain(void);"),
        ("tcas.c", "int main(int argc, char **argv) { return 0; }"),
    ]);
    let sources: Vec<PathBuf> = vec!["tcas.c".into(), "util.c".into()];
    assert_eq!(config.build.how, Some(BuildHow::Sources { sources, flags: vec!["-lm".into()] }));
    assert!(config.executable().unwrap().ends_with(".whydunit/programs/tcas"));
    assert_eq!(decisions, "build: tcas.c, util.c compiled together, as there is no other build");

    let (config, _, open) = discovered(&[("a.c", "int main(){}"), ("b.c", "int main(){}")]);
    assert_eq!(config.build, BuildConfig::default());
    assert!(open.contains("several files have a `main` (a.c, b.c)"), "{open}");
    let (_, _, open) = discovered(&[]);
    assert!(open.contains("set `command` in [build]") && open.contains("tests: none found"), "{open}");

    let makefile = "CC = cc\nall: prog\nprog: a.o b.o\n\t$(CC) -o $@ $^\n%.o: %.c\n.PHONY: all\n";
    assert_eq!(discovered(&[("Makefile", makefile)]).0.build.executable, Some("./prog".into()));
    let makefile = "all: one two\none: one.c\ntwo: two.c\n";
    assert_eq!(discovered(&[("Makefile", makefile)]).0.build.executable, None);
    assert!(discover(Path::new("/nonexistent-folder")).is_err());
}

#[test]
fn builds_in_folders_below_are_named() {
    let folder =
        Folder::new(&[("b/configure", ""), ("a/CMakeLists.txt", ""), ("doc/index.txt", ""), ("meson.build.in", "")]);
    assert_eq!(whydunit_suite::builds_below(folder.path()), ["a", "b"]);
}

#[test]
fn suites_are_found_out() {
    let kind = |files: &[(&str, &str)]| discovered(files).0.tests.kind;
    assert_eq!(kind(&[("cases.jsonl", ""), ("Makefile", "check:\n")]), Some(TestsKind::Cases("cases.jsonl".into())));
    assert_eq!(kind(&[("tests/cases/t1/args", "")]), Some(TestsKind::Cases("tests/cases".into())));
    assert_eq!(kind(&[("Makefile.am", "")]), Some(TestsKind::Automake("make check".into())));
    assert_eq!(kind(&[("Makefile", "all:\ncheck: all\n")]), Some(TestsKind::Automake("make check".into())));
    assert_eq!(kind(&[("Makefile", "check := 1\ntest: all\n")]), Some(TestsKind::Script(vec!["make test".into()])));
    assert_eq!(kind(&[("test.sh", "")]), Some(TestsKind::Script(vec!["sh test.sh".into()])));
    assert_eq!(kind(&[("Cargo.toml", "")]), Some(TestsKind::Cargo("cargo test".into())));
    assert_eq!(kind(&[("CMakeLists.txt", "")]), Some(TestsKind::Ctest(".whydunit/build".into())));
    assert_eq!(kind(&[("meson.build", "")]), Some(TestsKind::Meson(".whydunit/build".into())));
    assert_eq!(kind(&[("a.c", "")]), None);
}

#[test]
fn executables_are_told_from_libraries_and_scripts() {
    let folder = Folder::new(&[("run.sh", "#!/bin/sh\n"), ("deep/x.c", "int main(){return 0;}"), (".git/x", "")]);
    let cc = |args: &[&str]| {
        let done = std::process::Command::new("cc").args(args).current_dir(folder.path()).status().unwrap();
        assert!(done.success());
    };
    cc(&["-o", "deep/prog", "deep/x.c"]);
    cc(&["-o", ".git/prog", "deep/x.c"]);
    cc(&["-shared", "-fPIC", "-o", "libx.so.1", "deep/x.c"]);
    cc(&["-c", "-o", "x.o", "deep/x.c"]);
    assert_eq!(find_executables(folder.path()), [folder.path().join("deep/prog")]);
}

#[test]
fn the_nearest_configuration_above_counts() {
    let folder = Folder::new(&[("whydunit.toml", "[tests]\njobs = 7\n"), ("a/b/c", "")]);
    let found = Config::find(&folder.path().join("a/b")).unwrap().unwrap();
    assert_eq!(found.folder, folder.path());
    assert_eq!(found.tests.jobs.unwrap().get(), 7);
}
