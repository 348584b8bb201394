//! The libraries themselves: what they export, how they are installed, spectra.

mod support;

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use object::{Object, ObjectSymbol};
use support::Place;
use whydunit_runtime::{install, spectrum};

#[test]
fn the_table_and_the_wrappers_agree() {
    let place = Place::new();
    let bytes = std::fs::read(&place.runtime.so).unwrap();
    let library = object::File::parse(&*bytes).unwrap();
    let names = library.dynamic_symbols().filter(|symbol| symbol.is_definition());
    let exported: BTreeSet<String> = names.filter_map(|symbol| Some(symbol.name().ok()?.to_owned())).collect();
    let wrappers: BTreeSet<String> = exported.iter().filter(|name| name.starts_with("__wd_w_")).cloned().collect();
    let wrapped = whydunit_library::all().filter(|known| known.is_wrapped());
    let table: BTreeSet<String> = wrapped.map(|known| known.wrapper()).collect();
    assert_eq!(wrappers, table);
    // What takes the place of the C library's own: functions that wait, those that start threads, jumps and ends.
    let others: BTreeSet<&str> =
        exported.iter().map(String::as_str).filter(|name| !name.starts_with("__wd_")).collect();
    let known: BTreeSet<&str> = whydunit_runtime::REPLACED.iter().copied().collect();
    assert_eq!(others, known);
}

#[test]
fn the_runtime_needs_no_memory_functions_of_the_program() {
    let place = Place::new();
    let bytes = std::fs::read(&place.runtime.so).unwrap();
    let library = object::File::parse(&*bytes).unwrap();
    let undefined: Vec<_> = library.dynamic_symbols().filter(|symbol| symbol.is_undefined()).collect();
    for name in ["memcpy", "memset", "memmove", "strlen", "memcmp"] {
        assert!(undefined.iter().all(|symbol| symbol.name() != Ok(name)), "{name}");
    }
}

#[test]
fn installing_again_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let first = install(dir.path()).unwrap();
    let time = std::fs::metadata(&first.so).unwrap().modified().unwrap();
    assert_eq!(install(dir.path()).unwrap(), first);
    assert_eq!(std::fs::metadata(&first.so).unwrap().modified().unwrap(), time);
    std::fs::write(&first.archive, "cut").unwrap();
    install(dir.path()).unwrap();
    assert!(std::fs::metadata(&first.archive).unwrap().len() > 10_000);
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = install(&file).unwrap_err();
    assert!(error.to_string().contains("file"), "{error}");
}

#[test]
fn flags_survive_any_death() {
    let place = Place::new();
    let archive = place.runtime.spectrum_archive.clone();
    let program = place.compile("spectrum", "spectrum", &[archive.as_ref()]);
    let dir = place.path("flags");
    for how in ["", "kill"] {
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir(&dir).unwrap();
        let status = Command::new(&program).arg(how).env("WHYDUNIT_SPECTRUM_DIR", &dir).status().unwrap();
        assert_eq!(status.signal(), (how == "kill").then_some(libc::SIGKILL));
        let processes = spectrum::read(&dir).unwrap();
        let [process] = &processes[..] else { panic!("{} processes", processes.len()) };
        let [(one, first), (two, second)] = &process.modules[..] else { panic!() };
        assert_eq!((&one[..2], &two[..2], first.len(), second.len()), ("11", "22", 4096, 8192));
        assert_eq!((first[0], first[1], first[4095], second[4096]), (0, 5, 1, 1));
    }
    // Without the variable nothing is written and nothing fails.
    assert!(Command::new(&program).env_remove("WHYDUNIT_SPECTRUM_DIR").status().unwrap().success());
}

#[test]
fn memory_is_compared_searched_and_moved_as_by_plain_loops() {
    let place = Place::new();
    let output = Command::new(place.compile("bytes", "bytes", &[])).output().unwrap();
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stdout));
}
