//! `whydunit explain` on regressions of our own programs, end to end: what it reports holds the true changes, reverted the test
//! passes, and it is not many builds until then.

use crate::support::regression;

use crate::support::project::Project;

/// A regression, the changes that are reported (with those that have to be reverted with them), and a bound on the builds.
const REGRESSIONS: &[(&str, u64, u64)] = &[
    // A deletion among refactorings.
    ("advisor-deletion", 1, 12),
    // A macro of a new header, which other changes need: the change that uses it is enough.
    ("measure-macros", 1, 16),
    // A parameter's type that came with a new type: all that is of it goes together.
    ("replace-letters", 17, 18),
    // A flag in a Makefile.
    ("fold-width", 1, 12),
];

#[test]
fn the_true_changes_are_reported() {
    let project = Project::new();
    for (name, ..) in REGRESSIONS {
        regression::lay_out(&project, name);
    }
    let (status, scored, told) = project.json(&["score", ".", "--method", "after"]);
    assert_eq!(status, 0, "{told}");
    for (name, reported, builds) in REGRESSIONS {
        let all = scored["regressions"].as_array().expect("regressions");
        let regression = all.iter().find(|regression| regression["name"] == *name).expect("it is measured");
        let answer = &regression["answers"][0];
        assert_eq!((&answer["found"], &answer["passes"]), (&true.into(), &true.into()), "{regression:#}");
        let number = |key: &str| answer[key].as_u64().expect("a number");
        assert_eq!(number("reported") + number("auxiliary"), *reported, "{regression:#}");
        assert!(number("builds") <= *builds, "{regression:#}");
    }
}
