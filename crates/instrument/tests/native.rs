//! Flavours behave as the plain build: one small program for each construct, run both ways.

mod common;

use std::path::PathBuf;

use common::*;
use whydunit_instrument::Optimization;
use whydunit_llvm::Module;

fn source(name: &str) -> PathBuf {
    programs().into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == name)).unwrap()
}

fn behaves(name: &str) {
    recording_behaves(name, recorded);
    recording_behaves(name, recorded_unoptimised);
    counting_behaves(name);
}

fn recording_behaves(name: &str, recorded: fn(Module) -> Vec<u8>) {
    let source = source(name);
    let folder = tempfile::tempdir().unwrap();
    let expected = execute(&plain(folder.path(), std::slice::from_ref(&source)), None);

    let program = link(folder.path(), &[recorded(bitcode(&source, &[]))], Optimization::Record);
    let records = folder.path().join("records");
    std::fs::create_dir(&records).unwrap();
    let output = execute(&program, Some(("WHYDUNIT_RECORD_DIR", &records)));
    same(&source, &expected, &output);
    assert!(std::fs::read_dir(&records).unwrap().count() > 0, "{name}: nothing was recorded");
}

fn counting_behaves(name: &str) {
    let source = source(name);
    let folder = tempfile::tempdir().unwrap();
    let expected = execute(&plain(folder.path(), std::slice::from_ref(&source)), None);
    let (object, _) = counted(bitcode(&source, &[]));
    let program = link(folder.path(), &[object], Optimization::Spectrum);
    let spectra = folder.path().join("spectra");
    std::fs::create_dir(&spectra).unwrap();
    same(&source, &expected, &execute(&program, Some(("WHYDUNIT_SPECTRUM_DIR", &spectra))));
    assert!(std::fs::read_dir(&spectra).unwrap().count() > 0, "{name}: no flags were kept");
}

macro_rules! programs_behave {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            behaves(stringify!($name));
        }
    )*};
}

programs_behave! {
    assembly atomics callbacks floats gotos integers kandr linkage setjmp signals stack strings structs varargs vectors
}

/// What optimisation may take away from the spectrum flavour as from any other program.
#[test]
fn division_by_zero_traps_in_recordings() {
    recording_behaves("division", recorded);
    recording_behaves("division", recorded_unoptimised);
}

#[test]
fn every_program_is_listed() {
    assert_eq!(programs().len(), 16);
}
