//! The commit that broke a test, by bisection over the commits between two revisions.

use whydunit_changes::{Changes, Repository, Revision, Tree};
use whydunit_findings::{Explained, Problem};
use whydunit_variants::{Subject, Tried, Verdict, Workshop};

use super::error::{ExplainError, passes_in_good};
use super::subject::Bad;
use super::{Answer, Method, SoFar, Versions, with_tests_of_bad};
use crate::Error;
use whydunit_desk::Desk;

/// Of fewer changes the commit is not looked for unless that is asked for.
const MANY: usize = 64;
/// So many commits in a row that say nothing end a bisection that nobody asked for.
const SILENT: usize = 6;

/// How the commit is looked for.
#[derive(Clone, Copy)]
pub struct Bisection<'a> {
    /// The test; none: the one that fails.
    pub test: Option<&'a str>,
    /// It was asked for: commits that say nothing are passed over, however many they are.
    pub asked: bool,
    /// So many versions are built at most.
    pub builds: Option<u64>,
    /// Takes what is known while the search goes on.
    pub so_far: &'a SoFar,
}

/// What was found.
pub struct Bisected {
    /// The last version in which the test passes, and the first in which it fails.
    pub versions: Versions,
    /// The commit: its name and the first line of its message; none where what is not committed broke the test.
    pub commit: Option<(String, String)>,
    /// Versions built.
    pub builds: u64,
    /// Runs of the test.
    pub runs: u64,
}

/// Commits, tried one by one.
struct Line<'a> {
    shop: Workshop<'a>,
    repository: &'a Repository,
    /// The good revision, and those after it.
    commits: Vec<Revision>,
    bad: &'a Bad,
    /// The bad version, which comes after the last commit.
    whole: &'a Versions,
    asked: &'a Bisection<'a>,
    /// Test files are the bad version's in all commits.
    holds_tests: bool,
}

impl Line<'_> {
    /// The files of a commit, or those of the bad version, tested as the bad version is.
    fn tree(&self, number: usize) -> Result<Tree, Error> {
        let Some(revision) = self.commits.get(number) else { return Ok(self.whole.new.clone()) };
        let is_of_tests = |path: &str| self.bad.is_of_tests(path) || self.holds_tests && self.bad.is_test_file(path);
        let mut tree = self.repository.tree(revision)?;
        tree.files.retain(|path, _| !is_of_tests(path));
        let tests = self.whole.new.files.iter().filter(|(path, _)| is_of_tests(path));
        tree.files.extend(tests.map(|(path, file)| (path.clone(), file.clone())));
        Ok(tree)
    }

    /// How a commit, or the bad version, is named.
    fn name(&self, number: usize) -> String {
        let name = |revision: &Revision| revision.name.chars().take(12).collect();
        self.commits.get(number).map_or_else(|| self.whole.bad.clone(), name)
    }

    /// Takes in that it is one of the commits after one in which the test passes, up to one in which it fails.
    fn narrowed(&self, good: usize, bad: usize) -> Result<(), Error> {
        let changes = Changes::between(self.tree(good)?, self.tree(bad)?, &|_| false);
        let all: Vec<usize> = (0..changes.list.len()).collect();
        let explained = Explained {
            method: Method::After.name().into(),
            test: self.bad.test.clone(),
            good: self.name(good),
            bad: self.name(bad),
            changes: changes.list.len() as u64,
            ..Explained::default()
        };
        let left = bad - good;
        let text = format!("the commit that broke the test is one of {left}");
        let problems = if left > 1 { vec![Problem::new(text)] } else { Vec::new() };
        self.asked.so_far.begin(Answer { explained, problems, ..Answer::default() });
        self.asked.so_far.mends(&changes, &all);
        self.asked.so_far.count(&self.shop.counts);
        Ok(())
    }

    fn tried(&mut self, number: usize) -> Result<Tried, Error> {
        if let Some(most) = self.asked.builds.filter(|&most| self.shop.counts.builds >= most) {
            return Err(ExplainError::NoAnswerAfter { builds: most }.into());
        }
        let tree = self.tree(number)?;
        Ok(self.shop.try_version(&tree)?)
    }

    /// The test must pass in the good revision: with the bad version's test files, or else as it is there.
    fn good_passes(&mut self) -> Result<(), Error> {
        self.holds_tests = !self.bad.differing_tests(self.whole).is_empty();
        if self.holds_tests && self.tried(0)?.verdict == Verdict::Pass {
            return Ok(());
        }
        self.holds_tests = false;
        Ok(passes_in_good(&self.whole.good, self.tried(0)?)?)
    }

    /// The first commit from which on the test fails, as far as commits can be built: the last one known to pass and the first one known to
    /// fail.
    fn search(&mut self, desk: &Desk) -> Result<(usize, usize), Error> {
        let task = desk.task("bisecting", None);
        self.good_passes()?;
        let (mut good, mut bad) = (0, self.commits.len());
        loop {
            self.narrowed(good, bad)?;
            task.detail(&format!("{} commits left", bad - good));
            // The middle, and where that says nothing what is nearest to it.
            let middle = good.midpoint(bad);
            let mut order: Vec<usize> = (good + 1..bad).collect();
            order.sort_by_key(|&number| number.abs_diff(middle));
            if !self.asked.asked {
                order.truncate(SILENT);
            }
            let mut said = false;
            for number in order {
                match self.tried(number)?.verdict {
                    Verdict::Pass => good = number,
                    Verdict::Fail => bad = number,
                    Verdict::Other | Verdict::NotBuilt => continue,
                }
                said = true;
                break;
            }
            if !said {
                return Ok((good, bad));
            }
        }
    }
}

/// Whether the commit that broke the test is looked for where nobody says so: there are several of them, and many changes.
pub fn is_worth_it(versions: &Versions) -> Result<bool, Error> {
    let Some((repository, good, head)) = &versions.revisions else { return Ok(false) };
    if repository.between(good, head)?.len() < 2 {
        return Ok(false);
    }
    Ok(Changes::between(versions.old.clone(), versions.new.clone(), &|_| false).list.len() > MANY)
}

/// Narrows two versions down to a commit and the one before.
pub fn bisect(desk: &Desk, versions: Versions, asked: &Bisection<'_>) -> Result<Bisected, Error> {
    let Some((repository, good, head)) = versions.revisions else {
        return Err(ExplainError::NoHistory.into());
    };
    let commits = [vec![good.clone()], repository.between(&good, &head)?].concat();
    let whole = Versions { revisions: None, ..versions };
    let bad = Bad::build(desk, &whole, asked.test)?;
    let subject = Subject { test: bad.test.clone(), executable: bad.executable(), made: bad.made()? };
    let mut shop = Workshop::new(&bad.folder.join("work"), &bad.folder.join("verdicts"), subject, 1, &desk.cancel)?;
    shop.expect(&bad.failed);
    shop.repeat(bad.repeats());
    let mut line = Line { shop, repository: &repository, commits, bad: &bad, whole: &whole, asked, holds_tests: false };
    let (last_good, first_bad) = line.search(desk)?;
    let commit = match line.commits.get(first_bad) {
        Some(revision) => Some((revision.commit.clone(), repository.subject(revision)?)),
        None => None,
    };
    let mut notes = whole.notes.clone();
    let between = first_bad - last_good - 1;
    if between > 0 {
        notes.push(format!("{between} commits before it cannot be built or fail otherwise: it may be one of these"));
    }
    if line.holds_tests {
        notes.push(with_tests_of_bad(&bad.differing_tests(&whole)));
    }
    let counts = line.shop.counts;
    let versions = Versions {
        good: line.name(last_good),
        bad: line.name(first_bad),
        old: line.tree(last_good)?,
        new: line.tree(first_bad)?,
        revisions: None,
        notes,
    };
    Ok(Bisected { versions, commit, builds: counts.builds, runs: counts.runs })
}
