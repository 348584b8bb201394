//! Flavours are executed and opened in place of captured files.

mod support;

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use support::Place;

const ID: &str = "0123456789abcdef";

/// Programs `captured` and `other`, a library, a driver, and the flavours of the first and the library.
fn set_up() -> Place {
    let place = Place::new();
    let note = OsStr::new("-DNOTE=\"0123456789abcdef\"");
    std::fs::create_dir(place.path("flavours")).unwrap();
    std::fs::create_dir(place.path("bin")).unwrap();
    place.compile("target", "bin/captured", &[note, OsStr::new("-DNAME=\"plain\"")]);
    place.compile("target", "bin/other", &[OsStr::new("-DNAME=\"other\"")]);
    place.compile("target", &format!("flavours/{ID}"), &[note, OsStr::new("-DNAME=\"flavour\"")]);
    place.compile("execute", "execute", &[]);
    place
}

/// The driver with arguments, under the library.
fn driver(place: &Place, args: &[&str]) -> Command {
    let path = format!("{}:/usr/bin:/bin", place.path("bin").display());
    let mut command = Command::new(place.path("execute"));
    command.args(args).env("PATH", path).env("LD_PRELOAD", &place.runtime.redirect);
    command.env("WHYDUNIT_FLAVOUR_DIR", place.path("flavours"));
    command
}

fn run(place: &Place, args: &[&str]) -> String {
    let output = driver(place, args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_way_to_execute_leads_to_the_flavour() {
    let place = set_up();
    let captured = place.path("bin/captured");
    let captured = captured.to_str().unwrap();
    for how in ["execv", "execve", "execl", "execle", "fexecve", "spawn"] {
        assert_eq!(run(&place, &[how, captured, "x"]), format!("flavour {captured} x flavours=kept\n"), "{how}");
    }
    for how in ["execvp", "execvpe", "execlp", "spawnp"] {
        assert_eq!(run(&place, &[how, "captured", "x"]), "flavour captured x flavours=kept\n", "{how}");
        assert_eq!(run(&place, &[how, "other", "x"]), "other other x flavours=kept\n", "{how}");
    }
    // A shell is a program like others.
    assert_eq!(
        run(&place, &["execv", "/bin/sh", "-c", "env -i /bin/sh -c \"$0 y\"", captured]),
        format!("flavour {captured} y flavours=kept\n")
    );
    // A preloaded library of the program's own does not displace ours.
    let script = "LD_PRELOAD= exec \"$0\" y";
    assert_eq!(
        run(&place, &["execv", "/bin/sh", "-c", script, captured]),
        format!("flavour {captured} y flavours=kept\n")
    );
    std::fs::remove_file(place.path("flavours").join(ID)).unwrap();
    assert_eq!(run(&place, &["execv", captured, "x"]), format!("plain {captured} x flavours=kept\n"));
}

#[test]
fn a_script_of_a_captured_interpreter_is_run_by_the_flavour() {
    let place = set_up();
    let script = place.path("script");
    let captured = place.path("bin/captured");
    let write = |path: &Path, text: String| {
        std::fs::write(path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    write(&script, format!("#! {} -f \nrest\n", captured.display()));
    let script = script.to_str().unwrap();
    let expected = format!("flavour {} -f {script} x flavours=kept\n", captured.display());
    assert_eq!(run(&place, &["execv", script, "x"]), expected);
    write(&place.path("bin/plain-script"), "echo shell $1\n".into());
    assert_eq!(run(&place, &["execvp", "plain-script", "x"]), "shell x\n");
}

#[test]
fn dlopen_opens_the_flavour() {
    let place = set_up();
    let library = [OsStr::new("-shared"), OsStr::new("-DLIBRARY"), OsStr::new("-DNOTE=\"fedcba\"")];
    place.compile("target", "plugin.so", &[library[0], library[1], library[2], OsStr::new("-DNAME=\"plain plugin\"")]);
    let plugin = place.path("plugin.so");
    let plugin = plugin.to_str().unwrap();
    assert_eq!(run(&place, &["dlopen", plugin]), "plain plugin\n");
    place.compile(
        "target",
        "flavours/fedcba",
        &[library[0], library[1], library[2], OsStr::new("-DNAME=\"its flavour\"")],
    );
    assert_eq!(run(&place, &["dlopen", plugin]), "its flavour\n");
}

/// A stand-in for valgrind that says which program it is given.
fn add_valgrind(place: &Place) {
    let valgrind = place.path("bin/valgrind");
    std::fs::write(&valgrind, "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\necho \"valgrind runs $@\"\n")
        .unwrap();
    std::fs::set_permissions(valgrind, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn valgrind_is_given_the_flavour() {
    let place = set_up();
    add_valgrind(&place);
    let flavour = place.path("flavours").join(ID);
    let (captured, other) = (place.path("bin/captured"), place.path("bin/other"));
    let said = |program: &Path| format!("valgrind runs {} x -y\n", program.display());
    for how in ["execvp", "spawnp"] {
        for (program, runs) in
            [(captured.to_str().unwrap(), &flavour), ("captured", &flavour), (other.to_str().unwrap(), &other)]
        {
            assert_eq!(
                run(&place, &[how, "valgrind", "-q", "--tool=memcheck", program, "x", "-y"]),
                said(runs),
                "{how} {program}"
            );
        }
    }
    assert_eq!(run(&place, &["execvp", "valgrind", "--version"]), "valgrind runs \n");
}

#[test]
fn what_records_runs_without_valgrind() {
    let place = set_up();
    add_valgrind(&place);
    let log = place.path("log");
    let option = format!("--log-file={}", log.display());
    let captured = place.path("bin/captured");
    let captured = captured.to_str().unwrap();
    let record = |args: &[&str]| {
        let mut command = driver(&place, args);
        let output = command.env("WHYDUNIT_RECORD_DIR", place.path("recordings")).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let expected = format!("flavour {captured} x flavours=kept\n");
    assert_eq!(record(&["execvp", "valgrind", "-q", &option, captured, "x"]), expected);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("recorded without valgrind"), "{text}");
    assert!(text.lines().last().unwrap().contains("ERROR SUMMARY: 0 errors"), "{text}");
    let made = format!("--log-file={}.%p", log.display());
    assert_eq!(record(&["execvp", "valgrind", &made, captured, "x"]), expected);
    assert!(!place.path("log.%p").exists(), "a name that valgrind would have made");
    // A script that starts it, as libtool writes them.
    let script = place.path("script");
    std::fs::write(&script, format!("#!/bin/sh\nexec {captured} \"$@\"\n")).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(record(&["execvp", "valgrind", "--trace-children=yes", script.to_str().unwrap(), "x"]), expected);
    // What has no flavour is valgrind's.
    let other = place.path("bin/other");
    assert_eq!(
        record(&["execvp", "valgrind", other.to_str().unwrap()]),
        format!("valgrind runs {}\n", other.display())
    );
}
