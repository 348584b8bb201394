//! Every backend conforms. Solvers that are not installed are not tested.

mod conformance;

use conformance::Extent;
use whydunit_solve::{Cadical, Process, Z3};

/// Whether a program is in the search path.
#[expect(clippy::print_stderr, reason = "what was not tested is told")]
fn installed(program: &str) -> bool {
    let found = std::process::Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("{program} is not installed: not tested");
    }
    found
}

#[test]
fn cadical_conforms() {
    conformance::conformance(Extent::Whole, &|| Box::new(Cadical::new()));
}

#[test]
fn z3_conforms() {
    conformance::conformance(Extent::Small, &|| Box::new(Z3::new()));
}

#[test]
fn z3_in_a_process_conforms() {
    if installed("z3") {
        conformance::conformance(Extent::Small, &|| Box::new(Process::z3()));
    }
}

#[test]
fn cvc5_in_a_process_conforms() {
    if installed("cvc5") {
        conformance::conformance(Extent::Small, &|| Box::new(Process::cvc5()));
    }
}

#[test]
fn bitwuzla_in_a_process_conforms() {
    if installed("bitwuzla") {
        conformance::conformance(Extent::Small, &|| Box::new(Process::bitwuzla()));
    }
}
