//! Changes that locating has tried on recorded runs and that no program with all candidates in it can have: numbers of initial values and
//! of definitions, which stand in no function.

use whydunit_findings::{Finding, Replacement, TriedChange};

use super::pachika::Edit;

/// So many of them are built.
const MOST: usize = 6;

/// Those with which all tests that were asked would pass, the most telling first; of each is known how many others there are for the same
/// variable or constant.
pub(super) fn edits(findings: &[Finding]) -> Vec<Edit> {
    let mut good: Vec<&TriedChange> =
        findings.iter().flat_map(|finding| &finding.changes).filter(|change| change.mends_all()).collect();
    good.retain(|change| change.replaced.is_some());
    good.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    let all: Vec<_> = good.into_iter().filter_map(|change| change.replaced.clone()).collect();
    let others = |one: &Replacement| {
        let same = |other: &&Replacement| other.location.file == one.location.file && other.function == one.function;
        all.iter().filter(same).count() as u64 - 1
    };
    all.iter().take(MOST).map(|one| Edit { replaced: one.clone(), rivals: others(one) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_findings::Location;

    #[test]
    fn what_mends_all_tests_is_built_and_the_others_of_its_table_are_counted() {
        let change = |variable: &str, after: &str, kept, worth| TriedChange {
            failing: 1,
            failing_passed: 1,
            passing: 4,
            passing_kept: kept,
            worth,
            replaced: Some(Replacement {
                location: Location { file: "a.c".into(), line: 3, ..Location::default() },
                function: variable.into(),
                after: after.into(),
                ..Replacement::default()
            }),
            ..TriedChange::default()
        };
        let elsewhere = TriedChange { failing: 1, failing_passed: 1, worth: 1.0, ..TriedChange::default() };
        let changes =
            vec![change("table", "2", 4, 0.5), elsewhere, change("table", "3", 4, 0.7), change("table", "4", 3, 0.9)];
        let findings = [
            Finding { changes, ..Finding::default() },
            Finding { changes: vec![change("MOST", "8", 4, 0.6)], ..Finding::default() },
        ];
        let built: Vec<_> = edits(&findings).into_iter().map(|edit| (edit.replaced.after, edit.rivals)).collect();
        assert_eq!(built, [("3".to_owned(), 1), ("8".to_owned(), 0), ("2".to_owned(), 1)]);
    }
}
