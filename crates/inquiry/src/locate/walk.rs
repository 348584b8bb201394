//! What the way to a failure says of statements: how far they are from it, and which checks of the run that passed execute them, too.

use std::collections::{HashMap, HashSet};

use whydunit_causes::checks::{Made, checks, file_of};
use whydunit_causes::distance::distances;
use whydunit_desk::{Desk, convert};
use whydunit_model::{names, paths};
use whydunit_replay::{At, Machine, Snapshot};

use super::{Place, Scope};
use crate::Error;

/// Where as many tests pass, they say more than the checks of one run.
const ENOUGH: usize = 20;

/// How much speaks for what no check executes.
const BESIDE: f64 = 0.5;

/// What the way to a failure says.
#[derive(Clone, Default)]
pub struct Walk {
    /// How far statements are from the failure by the walk of causes, as far as that leads; empty where it was not walked.
    pub distances: HashMap<Place, u32>,
    /// The checks of the run, where it goes on after one that fails, or others were made before.
    pub checks: Option<Checks>,
}

/// The checks of a run.
#[derive(Clone)]
pub struct Checks {
    /// Which calls they are, in words.
    made: String,
    /// The files of tests, where other files are executed, too.
    files: HashSet<String>,
    passing: usize,
    failing: usize,
    /// How suspicious statements are by them, from 0 to 1; nothing of those that were not executed.
    scores: HashMap<Place, f64>,
}

impl Walk {
    /// Of a run that fails at an operation, the one at `pc` when so many instructions are executed, by its status or by what happens there,
    /// in a suite of which so many tests pass. Distances are looked at from the last of some snapshots on, or where it read what was written
    /// earlier, from the first.
    pub fn of(
        desk: &Desk,
        scope: &Scope,
        (machine, snapshots): (&mut Machine, &[Snapshot]),
        (point, by_status): ((u64, u32), bool),
        passing: usize,
    ) -> Result<Self, Error> {
        let place = |(file, line): (String, u32)| (convert::relative(&desk.project, &file), line);
        let distances = distances(machine, snapshots, point)?;
        let distances = distances.into_iter().map(|(at, far)| (place(at), far)).collect();
        let is_test = |at: &At<'_>| is_test(desk, scope, at);
        let is_asked = passing < ENOUGH && scope.test_code.is_of_programs();
        let found = if is_asked { checks(machine, snapshots, (point, by_status), &is_test)? } else { None };
        let checks = found.map(|found| {
            let scores: HashMap<Place, f64> = found.scores.into_iter().map(|(at, score)| (place(at), score)).collect();
            let mut files: HashSet<String> =
                found.files.iter().map(|file| convert::relative(&desk.project, file)).collect();
            let in_others = |((file, _), score): (&Place, &f64)| *score > 0.0 && !files.contains(file);
            if !scores.iter().any(in_others) {
                files.clear();
            }
            let name = |symbol: &str| names::readable(symbol).unwrap_or_else(|| symbol.to_owned());
            let made = match &found.made {
                Made::Of(function) => format!("calls of {}", name(function)),
                Made::At(function) => format!("calls from one place of {}", name(function)),
                Made::By(function) => format!("calls of functions of tests by {}", name(function)),
            };
            Checks { made, files, passing: found.passing, failing: found.failing, scores }
        });
        Ok(Self { distances, checks })
    }

    /// Whether a file is one of tests by its name, and makes the checks: it is no suspect.
    pub fn is_of_checks(&self, file: &str) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.files.contains(file)) && is_named_so(file)
    }

    /// How much the checks speak for a statement, from 0, where all that fail and none that pass execute it, to 1, as for what makes them; 0
    /// where there are none, and between for what runs beside them.
    pub fn spoken_for(&self, place: &Place) -> f64 {
        let Some(checks) = &self.checks else { return 0.0 };
        match checks.scores.get(place) {
            _ if checks.files.contains(&place.0) => 1.0,
            Some(score) => 1.0 - score,
            None => BESIDE,
        }
    }
}

impl Checks {
    /// What they are, in words, in the run of a test. A call leads to the failure that happens in it, or reads what it has changed.
    pub fn told(&self, test: &str) -> String {
        let Self { made, passing, failing, .. } = self;
        let number = passing + failing;
        let lead = if *failing == 1 { "leads" } else { "lead" };
        format!(
            "test {test}: of {number} {made} in its run {failing} {lead} to its failure, and the others, but for a few \
             just before, are taken for checks that pass: statements that only these execute stand further behind"
        )
    }
}

/// Whether a function is of tests: of what is known as their code, of a file that is named so, or of the one in which `main` stands.
fn is_test(desk: &Desk, scope: &Scope, at: &At<'_>) -> bool {
    let Some(path) = file_of(at.code, at.function).filter(|file| !paths::is_library(file)) else { return false };
    let file = convert::relative(&desk.project, &path);
    let is_mains = || at.code.find("main").and_then(|main| file_of(at.code, main)).is_some_and(|main| main == path);
    scope.test_code.holds(&file, &at.code.position(at.function, 0).function) || is_named_so(&file) || is_mains()
}

/// Words that end as if they were tests.
const OTHERS: [&str; 5] = ["latest", "contest", "greatest", "protest", "attest"];

/// Whether a file or a folder in which it stands is named as one of tests.
fn is_named_so(file: &str) -> bool {
    let words = file.split(['/', '.', '_', '-']).map(str::to_ascii_lowercase);
    let is_test =
        |word: &str| word.starts_with("test") || ["test", "tests", "tester"].iter().any(|end| word.ends_with(end));
    words.into_iter().any(|word| is_test(&word) && !OTHERS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::is_named_so;

    #[test]
    fn files_of_tests_are_known_by_their_names() {
        assert!(
            ["xmltest.cpp", "src/test_lib_json/main.cpp", "src/muParserTest.cpp", "unit-tests/a.c"]
                .iter()
                .all(|file| is_named_so(file))
        );
        assert!(
            ["src/latest.c", "src/parse.c", "attestation/main.c", "src/contest/rules.c"]
                .iter()
                .all(|file| !is_named_so(file))
        );
    }
}
