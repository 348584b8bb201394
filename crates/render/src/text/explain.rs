//! `explain` as text: the changes at fault, and the causes from them to the failure.

use whydunit_findings::{Cause, Change, Explained, Stats};

use super::{Page, counted};
use crate::plain::{plain, plain_diff};

/// So many statements of a cause are shown.
const STATEMENTS: usize = 12;
/// Of changes of which some may not be at fault so many are shown; of more only their number in each file.
const SHOWN: usize = 8;

pub(super) fn explained(page: &mut Page<'_>, explained: &Explained, stats: &Stats) {
    if let Some(failure) = &explained.failure {
        let place = failure.location.as_ref().map_or_else(|| "an unknown place".into(), ToString::to_string);
        page.line(format!(
            "test {} fails at {}: {}",
            plain(&failure.test),
            page.style.strong(&place),
            plain(&failure.message)
        ));
    }
    if let Some((commit, subject)) = &explained.commit {
        page.line(format!("it fails since {} {}", &commit[..commit.len().min(12)], plain(subject)));
    }
    if explained.root.is_empty() {
        page.line(format!("none of the {} could be found at fault", counted(explained.changes, "change")));
    } else {
        let of = counted(explained.changes, "change");
        let with = with(explained);
        page.line(format!("of {of} from {} to {}: {with}", plain(&explained.good), plain(&explained.bad)));
        if explained.reduced || explained.root.len() <= SHOWN {
            explained.root.iter().for_each(|change| one(page, change));
        } else {
            files(page, &explained.root);
        }
    }
    if !explained.auxiliary.is_empty() {
        page.line("\nreverted with them, so that it can be built:");
        explained.auxiliary.iter().for_each(|change| one(page, change));
    }
    if !explained.causes.is_empty() {
        page.line("\nhow that leads to the failure:");
        let first: Vec<&Cause> = explained.causes.iter().filter(|cause| cause.leads_to.is_none()).collect();
        first.into_iter().for_each(|cause| tree(page, explained, cause, 0));
    }
    let runs = if stats.test_runs == 1 { "1 run".into() } else { format!("{} runs", stats.test_runs) };
    let (builds, saved) = (counted(stats.builds, "build"), counted(explained.saved, "build"));
    page.line(format!("\n{builds}, {runs} of the test, {saved} spared"));
    if explained.variants.not_built > 0 {
        page.line(format!("{} of the versions could not be built", explained.variants.not_built));
    }
}

/// What is known of the changes at fault.
pub(crate) fn with(explained: &Explained) -> String {
    match (explained.root.len(), explained.reduced) {
        (1, _) => "with this one reverted the test passes".into(),
        (_, true) => "with all of these reverted the test passes, with fewer it does not".into(),
        (many, false) => {
            format!("with these {many} reverted the test passes, and whether it does with fewer is not known yet")
        }
    }
}

/// How many changes of each file there are.
fn files(page: &mut Page<'_>, changes: &[Change]) {
    page.line("");
    for same in changes.chunk_by(|one, other| one.location.file == other.location.file) {
        let (file, number) = (plain(&same[0].location.file), counted(same.len() as u64, "change"));
        page.line(format!("  {}  {number}", page.style.strong(&file)));
    }
}

fn one(page: &mut Page<'_>, change: &Change) {
    let place = change.location.to_string();
    page.line(format!("\n  {}  {}", page.style.strong(&place), change.id));
    for line in change.diff.lines() {
        page.line(format!("    {}", plain_diff(line)));
    }
}

/// A cause behind those that lead to it: from the changes to the failure.
fn tree(page: &mut Page<'_>, explained: &Explained, cause: &Cause, depth: usize) {
    for below in explained.causes.iter().filter(|below| below.leads_to == Some(cause.id)) {
        tree(page, explained, below, depth + 1);
    }
    let indent = "  ".repeat(depth + 1);
    let changed: Vec<&Change> = explained.root.iter().filter(|change| cause.changes.contains(&change.id)).collect();
    for change in changed {
        page.line(format!("{indent}changed at {} ({})", change.location, change.id));
    }
    let folded = cause.statements.len().saturating_sub(STATEMENTS);
    for (number, statement) in cause.statements.iter().enumerate() {
        if (STATEMENTS / 2..STATEMENTS / 2 + folded).contains(&number) {
            if number == STATEMENTS / 2 {
                page.line(format!("{indent}  … {} …", counted(folded as u64, "statement")));
            }
            continue;
        }
        let value = match &statement.value[..] {
            "" => String::new(),
            value => format!("   ({value})"),
        };
        let place = statement.location.to_string();
        page.line(format!("{indent}  -> {place}: {}{}", plain(statement.code.trim()), plain(&value)));
    }
    let place = cause.predicate.to_string();
    let what = if depth == 0 { "the failure" } else { "which decides" };
    page.line(format!("{indent}{what} {}: {}", page.style.strong(&place), plain(cause.code.trim())));
}
