//! The commits of a repository one by one, the oldest first, each kept in the catalogue when it is done.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use whydunit_changes::{Commit, Repository};
use whydunit_desk::{Desk, prepare};
use whydunit_findings::{BiasCheck, CommitVerdict, History, HistoryCommit, Problem};
use whydunit_history::{Pattern, Rules, TestFiles, Tracker, Trust, bias};
use whydunit_variants::{FLAGS_OF_C, FLAGS_OF_CPP, FLAGS_OF_RUST, SuiteRunner};

use super::examine::{Content, Examiner};
use super::sides::{Sides, configured};
use super::{Answer, HistoryError, Question, catalogue, stored};
use crate::Error;

/// A commit with what its message says.
struct Judged {
    commit: Commit,
    trust: Trust,
    verdict: Option<CommitVerdict>,
}

/// All commits that lead to the newest one, whether they are looked at or not, by name.
struct Log {
    commits: BTreeMap<String, Commit>,
    /// How many commits the author of each had made before it.
    made_before: BTreeMap<String, u32>,
}

impl Log {
    fn of(commits: &[Commit]) -> Self {
        let (mut made, mut made_before) = (BTreeMap::new(), BTreeMap::new());
        let mut by_time: Vec<&Commit> = commits.iter().collect();
        by_time.sort_by_key(|commit| commit.time);
        for commit in by_time {
            let before = made.entry(commit.author.as_str()).or_insert(0);
            made_before.insert(commit.id.clone(), *before);
            *before += 1;
        }
        Self { commits: commits.iter().map(|commit| (commit.id.clone(), commit.clone())).collect(), made_before }
    }

    /// The first parents before a commit, the newest first.
    fn earlier(&self, commit: &Commit) -> Vec<&Commit> {
        let parent = |commit: &Commit| commit.parents.first().and_then(|id| self.commits.get(id));
        std::iter::successors(parent(commit), |commit| parent(commit)).collect()
    }
}

/// Mines.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    let folder = match question.repository {
        Some(path) => Desk::quietly_in(desk, path)?.project,
        None => desk.project.clone(),
    };
    let repository = Repository::of(&folder)?;
    let (mut judged, log) = judged(question, &folder, &repository)?;
    let place = place(desk, question, &folder, &repository)?;
    let mut problems = Vec::new();
    if repository.is_shallow()? {
        problems.push(Problem {
            help: Some("`git fetch --unshallow` gets the rest".into()),
            ..Problem::new("the repository is shallow: older commits are not here")
        });
    }
    let sides = Sides::new(repository, &folder, question.config)?;
    let files = TestFiles { patterns: configured(question.config, &folder)?.tests };
    let examiner = Examiner {
        sides: &sides,
        files: &files,
        builds: question.builds,
        introduced: question.introduced,
        versions: question.versions,
    };
    if !question.several && !question.versions {
        leave_several_fixes(&mut judged, &|commit| examiner.changes_code(commit));
    }
    if !question.versions {
        leave_repeated(&mut judged, &|commit| examiner.content(commit));
    }
    keep_newest(&mut judged, question.most);
    if question.dry_run {
        let mut history = identified(desk, &judged, &examiner);
        (history.repository, history.catalogue) = (folder.display().to_string(), place.display().to_string());
        return Ok(Answer { history, problems, builds: 0, runs: 0, saved: 0, interrupted: desk.is_cancelled() });
    }
    fs::create_dir_all(&place).map_err(whydunit_desk::Error::io(place.clone()))?;
    if question.catalogue.is_none() {
        prepare::unseen_by_git(place.parent().unwrap_or(&place))?;
    }
    let lock = fs::File::create(place.join("lock"))?;
    lock.try_lock().map_err(|_| HistoryError::InUse { folder: place.clone() })?;
    let mut history = match stored::read(&place) {
        Ok(history) if !question.fresh => history,
        Err(error @ HistoryError::Damaged { .. }) if !question.fresh => return Err(error.into()),
        _ => History::default(),
    };
    (history.repository, history.catalogue) = (folder.display().to_string(), place.display().to_string());
    history.flags = if question.strict { Vec::new() } else { flags() };
    let known = place.join("outcomes");
    if question.fresh {
        prepare::removed(&place.join("bugs"))?;
        fs::remove_file(&known).ok();
    }
    match question.config {
        Some(path) => _ = fs::copy(path, place.join(catalogue::CONFIG))?,
        None => _ = fs::remove_file(place.join(catalogue::CONFIG)),
    }
    let work = place.join("work");
    let mut runner = SuiteRunner::new(&work, &known, question.reruns, question.strict, &desk.cancel)?;
    let done = examine_all(desk, question, (&judged, &log), &examiner, &mut runner, &mut history, &place);
    let counts = runner.counts;
    // Who has interrupted waits for an answer: the next run empties the folder.
    if !desk.is_cancelled() {
        prepare::removed(&work)?;
    }
    let interrupted = done?;
    check_suites(&judged, &history)?;
    Ok(Answer { history, problems, builds: counts.builds, runs: counts.runs, saved: counts.saved, interrupted })
}

/// The catalogue's folder, absolute.
fn place(desk: &Desk, question: &Question<'_>, folder: &Path, repository: &Repository) -> Result<PathBuf, Error> {
    let place = match question.catalogue {
        Some(path) => path.to_path_buf(),
        // Nothing is written into a repository without a work tree.
        None if repository.is_bare()? => {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            whydunit_suite::store_of(&desk.project).join(format!("history-{name}"))
        }
        None => whydunit_suite::store_of(folder).join("history"),
    };
    Ok(std::path::absolute(place)?)
}

/// The commits that are looked at with what their messages say, and all commits; fails where there is nothing to examine.
fn judged(question: &Question<'_>, folder: &Path, repository: &Repository) -> Result<(Vec<Judged>, Log), Error> {
    let config = configured(question.config, folder)?;
    let pattern =
        |text: &String| Pattern::new(text).map_err(|reason| HistoryError::Pattern { pattern: text.clone(), reason });
    let rules = Rules::new(config.patterns.iter().map(pattern).collect::<Result<_, _>>()?, config.least);
    let tracker = question.tracker.map(tracker).transpose()?;
    let newest = match repository.revision(question.newest) {
        Err(whydunit_changes::Error::NoRevision { .. }) if question.newest == "HEAD" => {
            return Err(HistoryError::NoCommits { folder: folder.to_path_buf() }.into());
        }
        newest => newest?,
    };
    let since = question.since.map(|since| repository.revision(since)).transpose()?;
    let all = repository.log(&newest, None)?;
    let log = Log::of(&all);
    let commits = match since {
        Some(since) => repository.log(&newest, Some(&since))?,
        None => all,
    };
    let judge = |commit: Commit| {
        let trust = rules.trust(&commit.message, tracker.as_ref());
        let verdict = verdict(&commit, &trust, question);
        Judged { commit, trust, verdict }
    };
    let judged: Vec<Judged> = commits.into_iter().map(judge).collect();
    if judged.iter().all(|it| it.verdict.is_some()) {
        return Err(HistoryError::NoFixes { commits: judged.len() }.into());
    }
    Ok((judged, log))
}

/// Leaves out what is older than the newest `most` commits that are to be examined.
fn keep_newest(judged: &mut Vec<Judged>, most: Option<usize>) {
    let open: Vec<usize> = (0..judged.len()).filter(|&number| judged[number].verdict.is_none()).collect();
    if let Some(first) = most.and_then(|most| open.len().checked_sub(most)).filter(|first| *first > 0) {
        judged.drain(..open[first]);
    }
}

/// What a commit is by itself; `None` of one that is to be examined.
fn verdict(commit: &Commit, trust: &Trust, question: &Question<'_>) -> Option<CommitVerdict> {
    match () {
        () if commit.parents.len() > 1 => Some(CommitVerdict::Merge),
        () if commit.parents.is_empty() => Some(CommitVerdict::NoParent),
        () if question.versions => None,
        () if trust.reverts => Some(CommitVerdict::Revert),
        () if !trust.is_fix => Some(CommitVerdict::NoFix),
        () if trust.fixes_several && !question.several => Some(CommitVerdict::SeveralBugs),
        () => None,
    }
}

/// Marks fixes that name the same report as another one, where both change code: a test that was committed for itself is no second fix.
fn leave_several_fixes(judged: &mut [Judged], changes_code: &dyn Fn(&Commit) -> bool) {
    let mut of_report: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, fix) in judged.iter().enumerate().filter(|(_, it)| it.verdict.is_none()) {
        fix.trust.issues.iter().for_each(|issue| of_report.entry(issue.clone()).or_default().push(number));
    }
    for mut fixes in of_report.into_values().filter(|fixes| fixes.len() > 1) {
        fixes.retain(|&number| changes_code(&judged[number].commit));
        if fixes.len() > 1 {
            fixes.into_iter().for_each(|number| judged[number].verdict = Some(CommitVerdict::SeveralFixes));
        }
    }
}

/// Marks fixes whose change a newer commit of the same author, day and words makes, too: one that was taken over from another branch, which
/// was merged. What is taken over keeps its author's day.
fn leave_repeated(judged: &mut [Judged], content: &dyn Fn(&Commit) -> Option<Content>) {
    let mut alike: BTreeMap<(String, i64, String), Vec<usize>> = BTreeMap::new();
    for (number, Judged { commit, .. }) in judged.iter().enumerate().filter(|(_, it)| it.verdict.is_none()) {
        let key = (commit.author.clone(), commit.time, commit.subject().to_owned());
        alike.entry(key).or_default().push(number);
    }
    for fixes in alike.into_values().filter(|fixes| fixes.len() > 1) {
        let mut newer = Vec::new();
        for number in fixes.into_iter().rev() {
            let Some(content) = content(&judged[number].commit) else { continue };
            if newer.contains(&content) {
                judged[number].verdict = Some(CommitVerdict::Repeated);
            } else {
                newer.push(content);
            }
        }
    }
}

fn tracker(path: &Path) -> Result<Tracker, Error> {
    let text = fs::read(path).map_err(|source| HistoryError::Unread { path: path.to_path_buf(), source })?;
    let parsed = Tracker::parse(&String::from_utf8_lossy(&text));
    Ok(parsed.map_err(|source| HistoryError::Tracker { path: path.to_path_buf(), source })?)
}

/// Examines what is open, and keeps each in the catalogue; whether the user ended it.
fn examine_all(
    desk: &Desk,
    question: &Question<'_>,
    (judged, log): (&[Judged], &Log),
    examiner: &Examiner<'_>,
    runner: &mut SuiteRunner<'_>,
    history: &mut History,
    place: &Path,
) -> Result<bool, Error> {
    let open = judged.iter().filter(|it| it.verdict.is_none()).count();
    let task = desk.task("examining fixes", Some(open as u64));
    for it in judged {
        let mut told = told(it);
        if it.verdict.is_none() {
            task.detail(it.commit.subject());
            match examiner.examine(&it.commit, &it.trust, log.earlier(&it.commit), runner) {
                Ok(examined) => {
                    (told.verdict, told.reason, told.detail) = (examined.verdict, examined.reason, examined.detail);
                    told.churned = examined.churned;
                    history.bugs.retain(|bug| bug.fix != it.commit.id);
                    for bug in examined.bugs {
                        catalogue::keep(place, &bug)?;
                        history.bugs.push(bug.told);
                    }
                }
                Err(error) if desk.is_cancelled() || error.is_cut_short() => break,
                Err(error) if error.is_of_full_disk() => return Err(error),
                Err(error) => (told.verdict, told.detail) = (CommitVerdict::Failed, Some(error.line())),
            }
            task.step(it.commit.subject());
        }
        if told.verdict == CommitVerdict::Repeated {
            catalogue::forget(place, history, &told.id)?;
        }
        history.commits.retain(|known| known.id != told.id);
        history.commits.push(told);
        if it.verdict.is_none() {
            catalogue::write(place, &(question.write)(history))?;
        }
    }
    history.bias = biases(history, log);
    catalogue::write(place, &(question.write)(history))?;
    Ok(desk.is_cancelled())
}

fn told(it: &Judged) -> HistoryCommit {
    HistoryCommit {
        id: it.commit.id.clone(),
        subject: it.commit.subject().to_owned(),
        author: it.commit.author.clone(),
        time: it.commit.time,
        score: it.trust.score,
        verdict: it.verdict.unwrap_or_default(),
        severity: it.trust.severity.clone(),
        ..HistoryCommit::default()
    }
}

/// Which commits count as fixes, by their messages and by what they change.
fn identified(desk: &Desk, judged: &[Judged], examiner: &Examiner<'_>) -> History {
    let mut history = History { identified: true, ..History::default() };
    for it in judged {
        let mut told = told(it);
        if it.verdict.is_none() && !desk.is_cancelled() {
            (told.verdict, told.detail) = examiner.identified(&it.commit);
        }
        history.commits.push(told);
    }
    history
}

/// The flags that compilers are given behind those of a version, in words.
fn flags() -> Vec<String> {
    let of = |language: &str, flags: &[&str]| format!("{language}: {}", flags.join(" "));
    vec![of("C", FLAGS_OF_C), of("C++", FLAGS_OF_CPP), of("Rust", FLAGS_OF_RUST)]
}

/// Fails where nothing can be said as no version has a suite.
fn check_suites(judged: &[Judged], history: &History) -> Result<(), Error> {
    let examined = |commit: &&HistoryCommit| {
        judged.iter().any(|it| it.verdict.is_none() && it.commit.id == commit.id) && commit.verdict.is_fix_of_code()
    };
    let of_code: Vec<&HistoryCommit> = history.commits.iter().filter(examined).collect();
    let Some(last) = of_code.last() else { return Ok(()) };
    if of_code.iter().all(|commit| commit.verdict == CommitVerdict::NoSuite) {
        return Err(HistoryError::NoTests { reason: last.detail.clone().unwrap_or_default() }.into());
    }
    Ok(())
}

/// Whether fixes with tests are like the other fixes of code: in size, in how many commits their author had made before, in severity.
/// Nothing is said where there are none of either.
fn biases(history: &History, log: &Log) -> Vec<BiasCheck> {
    let mut sizes = [Vec::new(), Vec::new()];
    let mut experience = [Vec::new(), Vec::new()];
    let mut severity = [Vec::new(), Vec::new()];
    for commit in history.commits.iter().filter(|commit| commit.verdict.is_fix_of_code()) {
        let side = usize::from(commit.verdict != CommitVerdict::Bug);
        sizes[side].extend(commit.churned.map(|lines| lines as f64));
        experience[side].extend(log.made_before.get(&commit.id).copied().map(f64::from));
        severity[side].extend(commit.severity.as_deref().and_then(rank));
    }
    let check = |what: &str, [kept, others]: &[Vec<f64>; 2]| BiasCheck {
        what: what.to_owned(),
        kept: bias::median(kept),
        others: bias::median(others),
        probability: bias::difference(kept, others),
    };
    [("lines churned", &sizes), ("commits of the author before", &experience), ("severity", &severity)]
        .into_iter()
        .filter(|(_, values)| values.iter().all(|side| !side.is_empty()))
        .map(|(what, values)| check(what, values))
        .collect()
}

/// A severity as a number, where its word is a usual one.
fn rank(severity: &str) -> Option<f64> {
    let words = [
        ["trivial", "lowest"],
        ["minor", "low"],
        ["normal", "medium"],
        ["major", "high"],
        ["critical", "highest"],
        ["blocker", "urgent"],
    ];
    let severity = severity.to_lowercase();
    words.iter().position(|of| of.contains(&severity.as_str())).map(|rank| rank as f64)
}
