//! One fix: its sides built and tested, its tests found, its figures taken, and it made smaller.

use std::time::{Duration, UNIX_EPOCH};

use whydunit_changes::{Changes, Commit, File, Revision, Tree};
use whydunit_desk::utc;
use whydunit_findings::{BugClass, CommitVerdict, HistoryBug, Minimised, TestSides};
use whydunit_history::{
    Fingerprint, Fix, LineChanges, Screened, TestFiles, Trust, changed_regions, classes, counts, leave_out, unbuilt,
};
use whydunit_variants::{LOCK, Outcomes, SuiteRunner, TestRun};

use super::introduced::Search;
use super::minimise::{Goal, minimise};
use super::sides::Sides;
use crate::Error;

/// Tests that the parent does not build with are left out so often: an error that is gone may let another one show.
const ROUNDS: usize = 4;

/// How fixes are examined.
pub struct Examiner<'a> {
    /// Where versions are read.
    pub sides: &'a Sides,
    /// Which files are tests.
    pub files: &'a TestFiles,
    /// Builds at most for making one fix smaller.
    pub builds: u64,
    /// Commits that bugs came with are looked for.
    pub introduced: bool,
    /// Each test that a commit mends is a bug of its own.
    pub versions: bool,
}

/// What came of a fix.
#[derive(Default)]
pub struct Examined {
    /// What it is.
    pub verdict: CommitVerdict,
    /// The kind of reason, where a side does not build.
    pub reason: Option<String>,
    /// More, in a line.
    pub detail: Option<String>,
    /// What was said where the parent does not build with the tests of the fix.
    pub unbuilt: Option<String>,
    /// Lines that it changes.
    pub churned: Option<u64>,
    /// The bugs that it is of.
    pub bugs: Vec<Bug>,
}

/// A bug with what is kept of it in files.
pub struct Bug {
    /// Its figures.
    pub told: HistoryBug,
    /// The parent with the tests of the fix, or as it was committed where it does not build with these.
    pub before: Tree,
    /// The whole fix as a patch.
    pub patch: Vec<u8>,
    /// The part of the fix that belongs to the tests.
    pub tests_patch: Vec<u8>,
    /// The lock file that its sides were built with, where that is none of theirs.
    pub lock: Option<File>,
}

/// The outcomes on both sides, and of the parent with the tests of the fix.
struct Three {
    before: Outcomes,
    with_tests: Outcomes,
    after: Outcomes,
}

/// What a commit changes, wherever it stands.
#[derive(PartialEq, Eq)]
pub struct Content {
    /// Its patch without places.
    lines: Vec<Vec<u8>>,
    /// Its changes; of files that are no text the patch says nothing.
    ids: Vec<String>,
}

/// A commit that is examined.
#[derive(Clone, Copy)]
struct Case<'a> {
    commit: &'a Commit,
    /// Why it counts as a fix.
    trust: &'a Trust,
    /// The first parents before it, the newest first.
    earlier: &'a [&'a Commit],
}

impl Examiner<'_> {
    /// What a commit changes; fails where it or its parent is not to be had, with the reason where there is more to say.
    fn changes(&self, commit: &Commit) -> Result<Changes, Option<String>> {
        let parent = commit.parent().filter(|parent| self.sides.repository.has(parent)).ok_or(None)?;
        let tree = |revision: &Revision| self.sides.tree(revision).map_err(|error| Some(error.line()));
        Ok(Changes::between(tree(&parent)?, tree(&commit.revision())?, &|_| false))
    }

    /// What a commit changes, by the lines and those around them, and not by where in a file they stand; `None` where that cannot be read.
    pub fn content(&self, commit: &Commit) -> Option<Content> {
        let changes = self.changes(commit).ok()?;
        let patch = changes.patch(&(0..changes.list.len()).collect::<Vec<_>>());
        let lines = patch.split(|&byte| byte == b'\n').filter(|line| !line.starts_with(b"@@")).map(<[u8]>::to_vec);
        Some(Content { lines: lines.collect(), ids: changes.list.into_iter().map(|change| change.id).collect() })
    }

    /// Whether a commit changes code, and not only its comments and form.
    pub fn changes_code(&self, commit: &Commit) -> bool {
        self.identified(commit).0 == CommitVerdict::Fix
    }

    /// What a commit whose message speaks of a fix is by what it changes, and more where it cannot be read: nothing is built.
    pub fn identified(&self, commit: &Commit) -> (CommitVerdict, Option<String>) {
        match self.changes(commit) {
            Ok(changes) => (changed(&Screened::of(&changes, self.files)), None),
            Err(None) => (CommitVerdict::NoParent, None),
            Err(why) => (CommitVerdict::Failed, why),
        }
    }

    /// The classes that a bug may be of, by the least part of its fix.
    fn classes(&self, lines: &LineChanges<'_>, needed: &[usize], (least, kind): (&Minimised, &str)) -> Vec<BugClass> {
        let part = Changes::between(lines.with(&[]), lines.with(needed), &|_| false);
        let screened = Screened::of(&part, self.files);
        let functions = changed_regions(&part, &screened.code).0.len();
        classes(&Fix { tokens: &print(&part, &screened).tokens, lines: least.needed_code, functions, kind })
    }

    /// Examines a commit; `earlier` are the first parents before it, the newest first. Where its sides do not build because of a dependency,
    /// or what it has of the fix's own code does not fit a newer one, and no lock file says which is meant, those of its day are tried.
    pub fn examine(
        &self,
        commit: &Commit,
        trust: &Trust,
        earlier: Vec<&Commit>,
        runner: &mut SuiteRunner<'_>,
    ) -> Result<Examined, Error> {
        let changes = match self.changes(commit) {
            Ok(changes) => changes,
            Err(why) => {
                let verdict = if why.is_some() { CommitVerdict::Failed } else { CommitVerdict::NoParent };
                return Ok(Examined { verdict, detail: why, ..Examined::default() });
            }
        };
        let case = Case { commit, trust, earlier: &earlier };
        let examined = self.examined(case, &changes, runner)?;
        match examined.verdict {
            CommitVerdict::NotBuilt => self.with_dependencies_of_the_day(case, &changes, examined, runner),
            CommitVerdict::NoTest => self.with_tests_that_build(case, &changes, examined, runner),
            _ => Ok(examined),
        }
    }

    /// What becomes of a fix that does not build, with the dependencies of its day: a newer one may not build, or lack what the code uses.
    fn with_dependencies_of_the_day(
        &self,
        case: Case<'_>,
        changes: &Changes,
        examined: Examined,
        runner: &mut SuiteRunner<'_>,
    ) -> Result<Examined, Error> {
        let may_be_theirs = matches!(examined.reason.as_deref(), Some("dependency" | "compiler"));
        if !may_be_theirs || changes.old.files.contains_key(LOCK) {
            return Ok(examined);
        }
        let Some(lock) = runner.locked(&changes.new, &when(case.commit.time))? else { return Ok(examined) };
        let with = |tree: &Tree| {
            let mut tree = tree.clone();
            tree.files.insert(LOCK.to_owned(), lock.clone());
            tree
        };
        let changes = Changes::between(with(&changes.old), with(&changes.new), &|_| false);
        let mut locked = self.examined(case, &changes, runner)?;
        if locked.verdict == CommitVerdict::NotBuilt {
            return Ok(examined);
        }
        if locked.verdict == CommitVerdict::NoTest {
            locked = self.with_tests_that_build(case, &changes, locked, runner)?;
        }
        for bug in &mut locked.bugs {
            bug.told.locked = true;
            bug.lock = Some(lock.clone());
        }
        Ok(locked)
    }

    /// What becomes of a fix whose tests the parent does not build with, with those of them that it builds with.
    fn with_tests_that_build(
        &self,
        case: Case<'_>,
        changes: &Changes,
        examined: Examined,
        runner: &mut SuiteRunner<'_>,
    ) -> Result<Examined, Error> {
        let (mut newer, mut left_out) = (changes.new.clone(), Vec::new());
        let mut said = examined.unbuilt.clone();
        for _ in 0..ROUNDS {
            let Some(text) = &said else { return Ok(examined) };
            let base = |newer: &Tree| {
                let changes = Changes::between(changes.old.clone(), newer.clone(), &|_| false);
                let screened = Screened::of(&changes, self.files);
                LineChanges::of(&changes, &screened).with(&[])
            };
            let with_tests = base(&newer);
            let Some(names) = leave_out(text, &with_tests, &mut newer) else { return Ok(examined) };
            left_out.extend(names);
            match runner.run(&base(&newer), &[])? {
                Outcomes::NotBuilt(text) => said = Some(text),
                Outcomes::NoSuite(_) => return Ok(examined),
                Outcomes::Ran(_) => {
                    let less = Changes::between(changes.old.clone(), newer, &|_| false);
                    let mut again = self.examined(case, &less, runner)?;
                    if again.verdict != CommitVerdict::Bug {
                        return Ok(examined);
                    }
                    let whole = changes.patch(&(0..changes.list.len()).collect::<Vec<_>>());
                    for bug in &mut again.bugs {
                        bug.told.left_out.clone_from(&left_out);
                        bug.patch.clone_from(&whole);
                    }
                    again.detail = examined.detail;
                    return Ok(again);
                }
            }
        }
        Ok(examined)
    }

    /// Examines what a commit changes.
    fn examined(&self, case: Case<'_>, changes: &Changes, runner: &mut SuiteRunner<'_>) -> Result<Examined, Error> {
        let Case { commit, trust, earlier } = case;
        let of = |verdict, detail: Option<String>| Examined { verdict, detail, ..Examined::default() };
        let screened = Screened::of(changes, self.files);
        match changed(&screened) {
            CommitVerdict::Fix => {}
            other => return Ok(of(other, None)),
        }
        let lines = LineChanges::of(changes, &screened);
        let mut examined = of(CommitVerdict::NoTest, None);
        examined.churned = Some(counts(changes, &screened).churned());
        let Some(three) = run(changes, &lines, runner, &mut examined)? else { return Ok(examined) };
        let base = three.base();
        let tests: Vec<String> = mended(base, &three.after);
        let flaky = three.flaky();
        let told = told(commit, trust, changes, &screened, &three);
        let of_bug = |tests: &[String], id: String, runner: &mut SuiteRunner<'_>| -> Result<Bug, Error> {
            let mut told = HistoryBug { id, tests: tests.to_vec(), flaky: flaky.clone(), ..told.clone() };
            if let Some(first) = tests.first() {
                told.kind = base.test(first).map(|test| test.kind.to_owned()).unwrap_or_default();
                let goal = Goal { tests, after: &three.after, builds: self.builds };
                let (minimised, needed) = minimise(&lines, runner, &goal)?;
                told.classes = self.classes(&lines, &needed, (&minimised, &told.kind));
                told.minimised = Some(minimised);
                if self.introduced {
                    let search = Search {
                        sides: self.sides,
                        files: self.files,
                        before: earlier.to_vec(),
                        fix: &changes.new,
                        tests,
                        time: commit.time,
                    };
                    told.introduced = search.find(runner)?;
                }
            }
            let all = (0..changes.list.len()).collect::<Vec<_>>();
            let (patch, tests_patch) = (changes.patch(&all), of_tests(changes, &screened));
            let with_tests = matches!(three.with_tests, Outcomes::Ran(_));
            let before = if with_tests { lines.with(&[]) } else { changes.old.clone() };
            Ok(Bug { told, before, patch, tests_patch, lock: None })
        };
        let short = commit.id.chars().take(10).collect::<String>();
        if self.versions {
            for (number, test) in tests.iter().enumerate() {
                let id = format!("{short}-{}", number + 1);
                examined.bugs.push(of_bug(std::slice::from_ref(test), id, runner)?);
            }
        } else {
            examined.bugs.push(of_bug(&tests, short, runner)?);
        }
        if !tests.is_empty() {
            examined.verdict = CommitVerdict::Bug;
        }
        Ok(examined)
    }
}

/// A commit's time as cargo reads it.
fn when(time: i64) -> String {
    utc(UNIX_EPOCH + Duration::from_secs(time.try_into().unwrap_or(0)))
}

/// A fix of code, or a change of none.
fn changed(screened: &Screened) -> CommitVerdict {
    match () {
        () if screened.files.is_empty() => CommitVerdict::NoCode,
        () if screened.form_only => CommitVerdict::FormOnly,
        () => CommitVerdict::Fix,
    }
}

/// Builds and tests the sides; `None` where one of them cannot be, as `examined` says then.
fn run(
    changes: &Changes,
    lines: &LineChanges<'_>,
    runner: &mut SuiteRunner<'_>,
    examined: &mut Examined,
) -> Result<Option<Three>, Error> {
    let mut can = |outcomes: &Outcomes, side: &str| match outcomes {
        Outcomes::Ran(_) => true,
        Outcomes::NotBuilt(said) => {
            let (kind, line) = unbuilt::kind(said);
            examined.verdict = CommitVerdict::NotBuilt;
            (examined.reason, examined.detail) = (Some(kind.to_owned()), Some(format!("{side}: {line}")));
            false
        }
        Outcomes::NoSuite(reason) => {
            examined.verdict = CommitVerdict::NoSuite;
            examined.detail = Some(format!("{side}: {reason}"));
            false
        }
    };
    let before = runner.run(&changes.old, &[])?;
    if !can(&before, "the parent") {
        return Ok(None);
    }
    let with_tests = runner.run(&lines.with(&[]), &[])?;
    let base = if matches!(with_tests, Outcomes::Ran(_)) { &with_tests } else { &before };
    let again: Vec<String> =
        base.tests().iter().filter(|test| test.failures > 0).map(|test| test.name.clone()).collect();
    let after = runner.run(&changes.new, &again)?;
    if !can(&after, "the fix") {
        return Ok(None);
    }
    if let Outcomes::NotBuilt(said) = &with_tests {
        let line = unbuilt::kind(said).1;
        examined.detail = Some(format!("the parent does not build with the tests of the fix: {line}"));
        examined.unbuilt = Some(said.clone());
    }
    Ok(Some(Three { before, with_tests, after }))
}

/// Tests that fail on one side, each time, and pass on the other, each time.
fn mended(before: &Outcomes, after: &Outcomes) -> Vec<String> {
    let fails = before.tests().iter().filter(|test| test.fails());
    let passes = |test: &&TestRun| after.test(&test.name).is_some_and(TestRun::passes);
    fails.filter(passes).map(|test| test.name.clone()).collect()
}

impl Three {
    /// What the fix is held against: the parent with the tests of the fix, or without them where it does not build so.
    fn base(&self) -> &Outcomes {
        if matches!(self.with_tests, Outcomes::Ran(_)) { &self.with_tests } else { &self.before }
    }

    /// Tests that differ from run to run of one side.
    fn flaky(&self) -> Vec<String> {
        let all = [&self.before, &self.with_tests, &self.after].into_iter().flat_map(|side| side.tests());
        let mut names: Vec<String> = all.filter(|test| test.is_flaky()).map(|test| test.name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The tests that do not pass on all sides.
    fn table(&self) -> Vec<TestSides> {
        let sides = [&self.before, &self.with_tests, &self.after];
        let mut names: Vec<&String> = sides.iter().flat_map(|side| side.tests()).map(|test| &test.name).collect();
        names.sort();
        names.dedup();
        let word = |side: &Outcomes, name: &str| match side.test(name) {
            None if matches!(side, Outcomes::Ran(_)) => "absent".to_owned(),
            None => "not built".to_owned(),
            Some(test) if test.is_flaky() => "flaky".to_owned(),
            Some(test) => test.outcome.to_owned(),
        };
        let of = |name: &String| {
            let [before, with_tests, after] = sides.map(|side| word(side, name));
            let says = self.base().test(name).map(|test| test.says.clone()).unwrap_or_default();
            TestSides { test: name.clone(), before, with_tests, after, says }
        };
        let passes = |row: &TestSides| row.before == "pass" && row.with_tests == "pass" && row.after == "pass";
        names.into_iter().map(of).filter(|row| !passes(row)).collect()
    }
}

/// The figures of a fix.
fn told(commit: &Commit, trust: &Trust, changes: &Changes, screened: &Screened, three: &Three) -> HistoryBug {
    let counted = counts(changes, screened);
    let (functions, types) = changed_regions(changes, &screened.code);
    let print = print(changes, screened);
    HistoryBug {
        fix: commit.id.clone(),
        parent: commit.parents.first().cloned().unwrap_or_default(),
        message: commit.message.clone(),
        author: commit.author.clone(),
        time: commit.time,
        score: trust.score,
        reasons: trust.reasons.clone(),
        issues: trust.issues.clone(),
        priority: trust.priority.clone(),
        severity: trust.severity.clone(),
        files: screened.files.clone(),
        test_files: screened.test_files.clone(),
        functions,
        types,
        hunks: counted.hunks,
        lines_added: counted.added,
        lines_deleted: counted.deleted,
        lines_modified: counted.modified,
        lines_churned: counted.churned(),
        fingerprint: print.concise(),
        full_fingerprint: print.tokens.into_iter().collect(),
        outcomes: three.table(),
        passing: three.after.tests().iter().filter(|test| test.passes()).count() as u64,
        ..HistoryBug::default()
    }
}

/// The fingerprint of what of a change is code.
fn print(changes: &Changes, screened: &Screened) -> Fingerprint {
    let mut print = Fingerprint::default();
    for path in &screened.files {
        let number = changes.list.iter().position(|change| change.file == *path);
        let older = number.and_then(|number| changes.older_path(number));
        let bytes = |tree: &Tree, path: Option<&String>| {
            path.and_then(|path| tree.files.get(path)).map(|file| file.bytes.to_vec()).unwrap_or_default()
        };
        print.add(path, &bytes(&changes.old, older), &bytes(&changes.new, Some(path)));
    }
    print
}

/// The changes of tests, as a patch of the parent.
fn of_tests(changes: &Changes, screened: &Screened) -> Vec<u8> {
    let others: Vec<usize> = (0..changes.list.len()).filter(|number| !screened.tests.contains(number)).collect();
    let with = Changes::between(changes.old.clone(), changes.reverted(&others), &|_| false);
    with.patch(&(0..with.list.len()).collect::<Vec<_>>())
}
