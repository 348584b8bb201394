//! The commit that broke a test, by bisection over the commits between two revisions.

use whydunit_changes::{Changes, Repository, Revision, Tree};
use whydunit_findings::{Explained, Problem};
use whydunit_variants::{Subject, Verdict, Workshop};

use super::error::ExplainError;
use super::subject::Bad;
use super::{Answer, Method, SoFar, Versions};
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
    commits: Vec<Revision>,
    bad: &'a Bad,
    newest: &'a Tree,
    asked: &'a Bisection<'a>,
}

impl Line<'_> {
    /// A commit's files, tested as the bad version is.
    fn tree(&self, revision: &Revision) -> Result<Tree, Error> {
        let mut tree = self.repository.tree(revision)?;
        tree.files.retain(|path, _| !self.bad.is_of_tests(path));
        let tests = self.newest.files.iter().filter(|(path, _)| self.bad.is_of_tests(path));
        tree.files.extend(tests.map(|(path, file)| (path.clone(), file.clone())));
        Ok(tree)
    }

    /// Takes in that it is one of the commits after one in which the test passes, up to one in which it fails.
    fn narrowed(&self, good: Option<usize>, bad: usize) -> Result<(), Error> {
        // Whether the test passes in the good revision is not known before it is built.
        let (Some(good), Some(after)) = (good, self.commits.get(bad)) else { return Ok(()) };
        let before = &self.commits[good];
        let changes = Changes::between(self.tree(before)?, self.tree(after)?, &|_| false);
        let all: Vec<usize> = (0..changes.list.len()).collect();
        let explained = Explained {
            method: Method::After.name().into(),
            test: self.bad.test.clone(),
            good: name(before),
            bad: name(after),
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

    fn verdict(&mut self, number: usize) -> Result<Verdict, Error> {
        if let Some(most) = self.asked.builds.filter(|&most| self.shop.counts.builds >= most) {
            return Err(ExplainError::NoAnswerAfter { builds: most }.into());
        }
        let tree = self.tree(&self.commits[number].clone())?;
        Ok(self.shop.try_version(&tree)?.verdict)
    }

    /// The first commit from which on the test fails, as far as commits can be built: the last known good one and the first
    /// known bad one. The good revision is before the first.
    fn search(&mut self, desk: &Desk) -> Result<(Option<usize>, usize), Error> {
        let task = desk.task("bisecting", None);
        let (mut good, mut bad): (Option<usize>, usize) = (None, self.commits.len());
        loop {
            let first = good.map_or(0, |good| good + 1);
            if first >= bad {
                return Ok((good, bad));
            }
            task.detail(&format!("{} commits left", bad - first));
            // The middle, and where that says nothing what is nearest to it.
            let middle = first + (bad - first) / 2;
            let mut order: Vec<usize> = (first..bad).collect();
            order.sort_by_key(|&number| number.abs_diff(middle));
            if !self.asked.asked {
                order.truncate(SILENT);
            }
            let mut said = false;
            for number in order {
                match self.verdict(number)? {
                    Verdict::Pass => good = Some(number),
                    Verdict::Fail => bad = number,
                    Verdict::Other | Verdict::NotBuilt => continue,
                }
                said = true;
                self.narrowed(good, bad)?;
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
    let commits = repository.between(&good, &head)?;
    let whole = Versions { revisions: None, ..versions };
    let bad = Bad::build(desk, &whole, asked.test)?;
    let subject = Subject { test: bad.test.clone(), executable: bad.executable(), made: bad.made()? };
    let mut shop = Workshop::new(&bad.folder.join("work"), &bad.folder.join("verdicts"), subject, 1, &desk.cancel)?;
    shop.expect(&bad.failed);
    shop.repeat(bad.repeats());
    let mut line = Line { shop, repository: &repository, commits, bad: &bad, newest: &whole.new, asked };
    let (last_good, first_bad) = line.search(desk)?;
    let before = match last_good {
        Some(number) => line.commits[number].clone(),
        None => good,
    };
    let old = line.tree(&before)?;
    let (new, bad_name, commit) = match line.commits.get(first_bad) {
        Some(revision) => {
            let subject = repository.subject(revision)?;
            (line.tree(revision)?, name(revision), Some((revision.commit.clone(), subject)))
        }
        None => (whole.new.clone(), whole.bad.clone(), None),
    };
    let mut notes = whole.notes;
    let between = first_bad - last_good.map_or(0, |good| good + 1);
    if between > 0 {
        notes.push(format!("{between} commits before it cannot be built or fail otherwise: it may be one of these"));
    }
    let counts = line.shop.counts;
    let versions = Versions { good: name(&before), bad: bad_name, old, new, revisions: None, notes };
    Ok(Bisected { versions, commit, builds: counts.builds, runs: counts.runs })
}

/// A commit's name as it is told.
fn name(revision: &Revision) -> String {
    revision.name.chars().take(12).collect()
}
