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

fn run(place: &Place, args: &[&str]) -> String {
    let path = format!("{}:/usr/bin:/bin", place.path("bin").display());
    let output = Command::new(place.path("execute"))
        .args(args)
        .env("PATH", path)
        .env("LD_PRELOAD", &place.runtime.redirect)
        .env("WHYDUNIT_FLAVOUR_DIR", place.path("flavours"))
        .output()
        .unwrap();
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
