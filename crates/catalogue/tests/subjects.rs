//! The faults of this repository's programs are what they have to be to measure on.

use std::collections::BTreeMap;
use std::path::Path;

use whydunit_catalogue::{Subject, Use, examine};
use whydunit_process::Pool;

/// A suite of so many cases or fewer says little: it needs only one that passes, and a single case needs none.
const THIN: usize = 5;

fn subjects(of: &str) -> Vec<Subject> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(of);
    Subject::all(&folder).expect("subjects")
}

#[test]
fn every_fault_fails_a_case_and_leaves_half_of_them_or_one_of_a_few() {
    let mut wrong = Vec::new();
    for subject in subjects("faults").into_iter().chain(subjects("expressions")) {
        let examined = Pool::of_cores().run(&subject.faults, |fault| examine(&subject, fault).expect("it compiles"));
        for (fault, examined) in subject.faults.iter().zip(examined) {
            let (failing, cases) = (examined.failing.len(), examined.cases);
            let most = match cases {
                1 => 1,
                2..=THIN => cases - 1,
                _ => cases / 2,
            };
            if !(1..=most).contains(&failing) {
                wrong.push(format!("{} {}: {failing} of {cases} fail", subject.name, fault.name));
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
        assert!((1..=THIN).contains(&cases) || (15..=100).contains(&cases), "{}: {cases} cases", subject.name);
        let count = |purpose| subject.faults.iter().filter(|fault| fault.purpose == purpose).count();
        let (development, last) = (count(Use::Development), count(Use::Final));
        assert!(development + last >= 5 && development.abs_diff(last) <= 1, "{}: {development}, {last}", subject.name);
        for fault in &subject.faults {
            kinds.entry(fault.kind.clone()).or_default().push(subject.name.clone());
        }
    }
    for (kind, programs) in kinds {
        assert!(programs.iter().any(|name| *name != programs[0]), "{kind} is only in {}", programs[0]);
    }
}

#[test]
fn each_language_has_programs_with_many_cases_and_with_few() {
    let mut sizes = BTreeMap::<&str, (usize, usize)>::new();
    for subject in subjects("faults") {
        let language = subject.sources().find_map(|(name, _)| Some(name.rsplit_once('.')?.1)).expect("a source");
        let language = ["c", "cpp", "rs"].into_iter().find(|known| *known == language).expect("a language");
        let (many, few) = sizes.entry(language).or_default();
        *if subject.suite.tests.len() > THIN { many } else { few } += 1;
    }
    assert_eq!(sizes.len(), 3);
    assert!(sizes.values().all(|(many, few)| *many >= 2 && *few >= 2), "{sizes:?}");
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
