//! The page of an explanation: the changes at fault with both versions side by side, and the tree of causes from the failure
//! down to them.

use askama::Template;
use whydunit_findings::{Cause, Change, Explained, Report};

use super::sides::{Row, Sides};
use super::{Note, STYLE, STYLE_HASH, note};
use crate::Options;
use crate::plain::plain;

/// So many statements of a cause are shown: the last ones before what they decide.
const STATEMENTS: usize = 60;

/// What the template shows. All texts in it are plain, and escaped where they are put into the page.
#[derive(Template)]
#[template(path = "explain.html")]
struct Page {
    style: &'static str,
    style_hash: &'static str,
    version: &'static str,
    headline: String,
    test: String,
    message: String,
    predicate: String,
    good: String,
    bad: String,
    changes: u64,
    commit: Option<String>,
    /// What is known of them.
    with: String,
    root: Vec<Sides>,
    auxiliary: Vec<Sides>,
    /// The tree, in the order in which it is read.
    causes: Vec<Node>,
    figures: Vec<(&'static str, String)>,
    problems: Vec<Note>,
}

/// A cause in the tree.
struct Node {
    depth: usize,
    what: &'static str,
    place: String,
    code: String,
    /// Statements that are not shown.
    before: usize,
    /// In the order of the run: place, code, value.
    statements: Vec<(String, String, String)>,
    /// Changes that touch them: id and place.
    changes: Vec<(String, String)>,
}

/// The page of an explanation.
pub fn page(report: &Report, explained: &Explained, options: &Options<'_>) -> String {
    let (stats, failure) = (&report.stats, explained.failure.as_ref());
    let shown = |changes: &[Change]| changes.iter().map(|change| Sides::of_change(change, options)).collect();
    let page = Page {
        style: STYLE,
        style_hash: STYLE_HASH,
        version: env!("CARGO_PKG_VERSION"),
        headline: headline(explained),
        test: plain(&explained.test).into_owned(),
        message: failure.map(|failure| plain(&failure.message).into_owned()).unwrap_or_default(),
        predicate: failure.and_then(|it| it.predicate.as_deref()).map(plain).unwrap_or_default().into_owned(),
        good: plain(&explained.good).into_owned(),
        bad: plain(&explained.bad).into_owned(),
        changes: explained.changes,
        commit: explained
            .commit
            .as_ref()
            .map(|(name, subject)| format!("{} {}", name.chars().take(12).collect::<String>(), plain(subject))),
        with: capital(&crate::text::explain::with(explained)),
        root: shown(&explained.root),
        auxiliary: shown(&explained.auxiliary),
        causes: tree(explained),
        figures: vec![
            ("found by", plain(&explained.method).into_owned()),
            ("builds", stats.builds.to_string()),
            ("builds spared", explained.saved.to_string()),
            ("runs of the test", stats.test_runs.to_string()),
        ],
        problems: report.problems.iter().map(note).collect(),
    };
    // The template writes to a string: nothing can go wrong on the way.
    page.render().unwrap_or_default()
}

/// A text as the beginning of a sentence.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Where the changes at fault are.
fn headline(explained: &Explained) -> String {
    match &explained.root[..] {
        [] => "No change was found at fault".into(),
        [one] => plain(&one.location.to_string()).into_owned(),
        [one, two] => format!("{} and {}", plain(&one.location.to_string()), plain(&two.location.to_string())),
        many => format!("{} changes together", many.len()),
    }
}

/// The causes, each behind the one that it leads to.
fn tree(explained: &Explained) -> Vec<Node> {
    let mut nodes = Vec::new();
    // Those to be told, the next one last. A cause leads to one other: each is met once.
    let mut open: Vec<(usize, &Cause)> = Vec::new();
    let below = |of: Option<u64>| explained.causes.iter().filter(move |cause| cause.leads_to == of).rev();
    open.extend(below(None).map(|cause| (0, cause)));
    while let Some((depth, cause)) = open.pop() {
        nodes.push(node(explained, cause, depth));
        open.extend(below(Some(cause.id)).map(|other| (depth + 1, other)));
    }
    nodes
}

fn node(explained: &Explained, cause: &Cause, depth: usize) -> Node {
    let before = cause.statements.len().saturating_sub(STATEMENTS);
    let touched = explained.root.iter().filter(|change| cause.changes.contains(&change.id));
    Node {
        depth,
        what: if depth == 0 { "the failure" } else { "decided by" },
        place: plain(&cause.predicate.to_string()).into_owned(),
        code: plain(cause.code.trim()).into_owned(),
        before,
        statements: cause.statements[before..]
            .iter()
            .map(|statement| {
                let place = plain(&statement.location.to_string()).into_owned();
                (place, plain(statement.code.trim()).into_owned(), plain(&statement.value).into_owned())
            })
            .collect(),
        changes: touched
            .map(|change| (plain(&change.id).into_owned(), plain(&change.location.to_string()).into_owned()))
            .collect(),
    }
}
