//! The bugs of a repository's history: what came of its commits, and a line for each bug.

use std::collections::BTreeMap;

use whydunit_findings::{BugClass, CommitVerdict, History, HistoryBug, Minimised};

use super::{Page, counted};
use crate::plain::plain;

/// So many seconds are a day.
const DAY: i64 = 86_400;

/// What was found.
pub fn history(page: &mut Page, history: &History) {
    if history.single {
        history.bugs.iter().for_each(|one| bug(page, one));
        return;
    }
    if !history.listed {
        commits(page, history);
        page.line("");
    }
    if history.identified {
        identified(page, history);
        return;
    }
    let shown: Vec<&HistoryBug> = history.bugs.iter().filter(|bug| history.listed || !bug.tests.is_empty()).collect();
    table(page, &shown);
    if history.listed {
        return;
    }
    if let Some(line) = sums(&shown) {
        page.line("");
        page.line(line);
    }
    for check in &history.bias {
        let probability = check.probability.map_or_else(
            || "too few to compare".to_owned(),
            |it| format!("p = {it:.3}{}", if it < 0.05 { ", they differ" } else { "" }),
        );
        let (kept, others) = (check.kept, check.others);
        page.line(format!("{}: median {kept:.1} with tests, {others:.1} of other fixes ({probability})", check.what));
    }
    page.line(page.style.faint(&format!("catalogue: {}", plain(&history.catalogue))));
}

/// How many commits came to what, and why.
fn commits(page: &mut Page, history: &History) {
    page.line(counted(history.commits.len() as u64, "commit"));
    for verdict in CommitVerdict::ALL.into_iter() {
        let of: Vec<_> = history.commits.iter().filter(|commit| commit.verdict == verdict).collect();
        if of.is_empty() {
            continue;
        }
        page.line(format!("{:>6}  {}", of.len(), verdict.words()));
        // By the kinds of reasons that there are, of each the first.
        let mut kinds: BTreeMap<Option<&str>, Vec<&str>> = BTreeMap::new();
        for commit in of {
            let detail = commit.detail.as_deref().into_iter();
            detail.for_each(|detail| kinds.entry(commit.reason.as_deref()).or_default().push(detail));
        }
        for (kind, details) in kinds {
            let kind = kind.map(|kind| format!(" by {kind}")).unwrap_or_default();
            let line = format!("        {}{kind}, as {}", details.len(), plain(details[0]));
            page.line(page.style.faint(&line));
        }
    }
}

/// The commits that count as fixes, with how much speaks for it.
fn identified(page: &mut Page, history: &History) {
    for commit in history.commits.iter().filter(|commit| commit.verdict == CommitVerdict::Fix) {
        let id: String = commit.id.chars().take(10).collect();
        page.line(format!("{id:10}  {:>5}  {}", commit.score, plain(&commit.subject)));
    }
}

fn table(page: &mut Page, bugs: &[&HistoryBug]) {
    if bugs.is_empty() {
        page.line("no bugs");
        return;
    }
    page.line(format!(
        "{:12}  {:>5}  {:>6}  {:>5}  {:4}  {:9}  fix",
        "bug", "lines", "needed", "tests", "KMHZ", "kind"
    ));
    for bug in bugs {
        let needed = bug
            .minimised
            .as_ref()
            .map_or("-".to_owned(), |it| format!("{}{}", it.needed, if it.complete { "" } else { "?" }));
        let (lines, tests, print) = (bug.lines_churned, bug.tests.len(), &bug.fingerprint);
        let kind = if bug.kind.is_empty() { "-" } else { &bug.kind };
        page.line(format!(
            "{:12}  {lines:>5}  {needed:>6}  {tests:>5}  {print:4}  {kind:9}  {}",
            plain(&bug.id),
            plain(bug.subject())
        ));
    }
}

/// The four figures of all fixes that were made smaller.
fn sums(bugs: &[&HistoryBug]) -> Option<String> {
    let minimised: Vec<&Minimised> = bugs.iter().filter_map(|bug| bug.minimised.as_ref()).collect();
    if minimised.is_empty() {
        return None;
    }
    let share = |part: &dyn Fn(&Minimised) -> u64, whole: &dyn Fn(&Minimised) -> u64| {
        let (part, whole): (u64, u64) = minimised.iter().fold((0, 0), |sum, it| (sum.0 + part(it), sum.1 + whole(it)));
        format!("{part} of {whole} ({:.0} %)", 100.0 * part as f64 / whole.max(1) as f64)
    };
    let most = if minimised.iter().all(|it| it.complete) { "" } else { ", at most" };
    Some(format!(
        "lines needed{most}: {}, without comments {}; with the failing tests alone {}, without comments {}",
        share(&|it| it.needed, &|it| it.changed),
        share(&|it| it.needed_code, &|it| it.changed_code),
        share(&|it| it.needed_alone, &|it| it.changed),
        share(&|it| it.needed_alone_code, &|it| it.changed_code),
    ))
}

/// All of one bug.
fn bug(page: &mut Page, bug: &HistoryBug) {
    page.line(page.style.strong(&format!("{}  {}", plain(&bug.id), plain(bug.subject()))));
    let mut line = |name: &str, text: String| {
        if !text.is_empty() {
            page.line(format!("  {name:<12} {}", plain(&text)));
        }
    };
    line("fix", bug.fix.clone());
    line("parent", bug.parent.clone());
    line("because", format!("score {}: {}", bug.score, bug.reasons.join(", ")));
    line("reports", bug.issues.join(", "));
    line("severity", bug.severity.iter().chain(&bug.priority).cloned().collect::<Vec<_>>().join(", "));
    line("files", bug.files.join(", "));
    line("functions", bug.functions.join(", "));
    line("types", bug.types.join(", "));
    line(
        "lines",
        format!(
            "{} in {}: {} added, {} deleted, {} modified",
            bug.lines_churned,
            counted(bug.hunks, "hunk"),
            bug.lines_added,
            bug.lines_deleted,
            bug.lines_modified
        ),
    );
    if !bug.full_fingerprint.is_empty() {
        line("fingerprint", format!("{} ({})", bug.fingerprint, bug.full_fingerprint.join(" ")).trim().to_owned());
    }
    line("kind", bug.kind.clone());
    let class = |class: &BugClass| format!("{} {}", if class.likely { "likely" } else { "possibly" }, class.name);
    line("class", bug.classes.iter().map(class).collect::<Vec<_>>().join(", "));
    line("tests", bug.tests.join(", "));
    line("flaky", bug.flaky.join(", "));
    line("left out", bug.left_out.join(", "));
    line("dependencies", if bug.locked { "those of the day of the fix".into() } else { String::new() });
    if let Some(introduced) = &bug.introduced {
        let days = introduced.seconds / DAY;
        line("introduced", format!("{} {} ({days} days before)", introduced.commit, introduced.subject));
    }
    if let Some(minimised) = &bug.minimised {
        let less = if minimised.complete { "" } else { "; fewer may do, builds were at their limit" };
        line("needed", format!("{} of {} lines{less}", minimised.needed, minimised.changed));
        let alone = (minimised.needed_alone, minimised.changed);
        line("", format!("with these tests alone {} of {}", alone.0, alone.1));
        page.line("");
        minimised.patch.lines().for_each(|line| page.line(plain(line)));
    }
    if !bug.outcomes.is_empty() {
        page.line("");
        page.line(format!("  {:9}  {:10}  {:9}  test", "parent", "with tests", "fix"));
    }
    for row in &bug.outcomes {
        let says = if row.says.is_empty() { String::new() } else { format!(": {}", row.says) };
        let text = format!("  {:9}  {:10}  {:9}  {}{says}", row.before, row.with_tests, row.after, row.test);
        page.line(plain(&text));
    }
}
