//! The faults of this repository's programs are what they have to be to measure on.

use std::collections::BTreeMap;
use std::path::Path;

use whydunit_catalogue::{Subject, Use, examine};

fn subjects(of: &str) -> Vec<Subject> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(of);
    Subject::all(&folder).expect("subjects")
}

#[test]
fn every_fault_fails_a_case_and_leaves_half_of_them() {
    let mut wrong = Vec::new();
    for subject in subjects("faults").into_iter().chain(subjects("expressions")) {
        for fault in &subject.faults {
            let examined = examine(&subject, fault).expect("it compiles");
            let failing = examined.failing.len();
            if failing == 0 || 2 * failing > examined.cases {
                wrong.push(format!("{} {}: {failing} of {} fail", subject.name, fault.name, examined.cases));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn each_program_has_cases_and_faults_for_both_uses() {
    let mut kinds = BTreeMap::<String, Vec<String>>::new();
    for subject in subjects("faults") {
        let cases = subject.suite.tests.len();
        assert!((50..=100).contains(&cases), "{}: {cases} cases", subject.name);
        let count = |purpose| subject.faults.iter().filter(|fault| fault.purpose == purpose).count();
        let (development, last) = (count(Use::Development), count(Use::Final));
        assert!(development + last >= 6 && development.abs_diff(last) <= 1, "{}: {development}, {last}", subject.name);
        for fault in &subject.faults {
            kinds.entry(fault.kind.clone()).or_default().push(subject.name.clone());
        }
    }
    for (kind, programs) in kinds {
        assert!(programs.iter().any(|name| *name != programs[0]), "{kind} is only in {}", programs[0]);
    }
}

#[test]
fn sixty_expressions_are_wrong() {
    let subjects = subjects("expressions");
    assert_eq!(subjects.iter().map(|subject| subject.faults.len()).sum::<usize>(), 60);
    for subject in &subjects {
        let count = |purpose| subject.faults.iter().filter(|fault| fault.purpose == purpose).count();
        assert_eq!((count(Use::Development), count(Use::Final)), (5, 5), "{}", subject.name);
    }
}
