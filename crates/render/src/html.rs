//! A page of its own: the sources as a heat map beside the ranked findings. One file that needs no network and no
//! script; a script makes moving between findings quicker.

mod anomaly;
mod entries;
mod excerpt;
mod explain;
mod heat;
mod highlight;
mod history;
mod listing;
mod mine;
mod repair;
mod review;
mod show;
mod sides;

use askama::Template;
use whydunit_findings::{Body, Located, Location, Problem, Report};

use crate::plain::plain;
use crate::{Options, ranking};
use anomaly::Anomaly;
use entries::{Group, Set};
use heat::Heat;
use listing::{File, Listings};

/// The style and the script stand in the page, and its policy lets exactly these two run: by their SHA-256.
const STYLE: &str = include_str!("../templates/report.css");
const STYLE_HASH: &str = "NZUpS6Sgi4b7qOqGfLMPmH/E/20I9/hDVSmaVASedE8=";
const SCRIPT: &str = include_str!("../templates/report.js");
const SCRIPT_HASH: &str = "P3IoUn0ZVLvbCwTjkVhLVAVczOp5ODLZNp1+QJoAr2w=";

/// So many findings are in the list at most.
const MOST_FINDINGS: usize = 500;
/// So many correction sets.
const MOST_SETS: usize = 200;

/// What the template shows. All texts in it are plain, and escaped where they are put into the page.
#[derive(Template)]
#[template(path = "report.html")]
struct Page {
    style: &'static str,
    style_hash: &'static str,
    script: &'static str,
    script_hash: &'static str,
    version: &'static str,
    headline: String,
    method: String,
    failing: Option<String>,
    partial: bool,
    interrupted: bool,
    groups: Vec<Group>,
    less: usize,
    /// Findings that are in the list.
    listed: usize,
    sets: Vec<Set>,
    /// Sets that are folded away.
    dearer: Vec<Set>,
    /// Sets that are not in the page.
    more_sets: usize,
    anomalies: Vec<Anomaly>,
    files: Vec<File>,
    /// Files whose findings are not shown with their source.
    without_source: Vec<String>,
    tests: Vec<Test>,
    passing: usize,
    figures: Vec<(&'static str, String)>,
    /// Explored and all outcomes of branches.
    branches: Option<(u64, u64)>,
    left_out: Vec<String>,
    problems: Vec<Note>,
}

/// A test that did not pass.
struct Test {
    name: String,
    outcome: &'static str,
    failed: bool,
    seconds: String,
    reason: String,
    /// Where it fails, and what should have held there.
    point: String,
}

/// A problem.
struct Note {
    place: String,
    message: String,
    help: String,
}

/// The page of a ranking, an explanation, a repair, a review, of a recorded run, of models or of a history; of another answer, one that says nothing is ranked.
pub fn html(report: &Report, options: &Options<'_>) -> String {
    if let Body::Explain(explained) = &report.body {
        return explain::page(report, explained, options);
    }
    if let Body::Repair(repaired) = &report.body {
        return repair::page(report, repaired);
    }
    if let Body::Mine(mined) = &report.body {
        return mine::page(report, mined);
    }
    if let Body::History(told) = &report.body {
        return history::page(report, told);
    }
    if let Body::Show(shown) = &report.body {
        return show::page(report, shown, options);
    }
    if let Body::Review(reviewed) = &report.body {
        return review::page(report, reviewed);
    }
    let none = Located::default();
    let located = if let Body::Locate(located) = &report.body { located } else { &none };
    let listed = &located.findings[..located.findings.len().min(MOST_FINDINGS)];
    let heat = Heat::of(located);
    let Listings { files, without_source, anchors } = Listings::of(located, listed, &heat, options);
    let groups = entries::groups(listed, &heat, &anchors);
    let mut sets = entries::sets(&located.correction_sets, MOST_SETS, located.failures.len(), &anchors);
    let more_sets = located.correction_sets.len() - sets.len();
    let dearer = sets.split_off(options.limit.unwrap_or(sets.len()).min(sets.len()));
    let others = report.tests.iter().filter(|test| test.outcome != whydunit_findings::Outcome::Pass);
    let tests: Vec<Test> = others.map(|it| test(it, located)).collect();
    let page = Page {
        style: STYLE,
        style_hash: STYLE_HASH,
        script: SCRIPT,
        script_hash: SCRIPT_HASH,
        version: env!("CARGO_PKG_VERSION"),
        headline: headline(located),
        method: plain(&located.method).into_owned(),
        failing: ranking::failing(report),
        partial: report.partial,
        interrupted: report.interrupted,
        less: located.findings.len() - listed.len(),
        listed: listed.len(),
        groups,
        sets,
        dearer,
        more_sets,
        anomalies: Anomaly::all(located.anomalies.iter().flatten()),
        files,
        without_source,
        passing: report.tests.len() - tests.len(),
        tests,
        figures: figures(report),
        branches: report.stats.formulas.as_ref().map(|stats| (stats.branches_explored, stats.branches_total)),
        left_out: report.stats.formulas.iter().flat_map(|stats| &stats.left_out).map(|it| plain(it).into()).collect(),
        problems: report.problems.iter().map(note).collect(),
    };
    // The template writes to a string: nothing can go wrong on the way.
    page.render().unwrap_or_default()
}

/// Where to look first.
fn headline(located: &Located) -> String {
    let first = located.findings.chunk_by(|a, b| a.rank_best == b.rank_best).next().unwrap_or_default();
    match first {
        [] => "Nothing to rank".into(),
        [one] => plain(&short(&one.location)).into_owned(),
        many => {
            let places = ranking::places(many);
            // A long tie says little: its number says more.
            if places.len() <= 60 { plain(&places).into_owned() } else { format!("{} statements", many.len()) }
        }
    }
}

/// File and line.
fn short(location: &Location) -> String {
    format!("{}:{}", location.file, location.line)
}

fn test(test: &whydunit_findings::TestResult, located: &Located) -> Test {
    let failure = located.failures.iter().find(|failure| failure.test == test.name);
    Test {
        name: plain(&test.name).into_owned(),
        outcome: test.outcome.name(),
        failed: test.outcome.is_failure(),
        seconds: format!("{:.2} s", test.seconds),
        reason: test.reason.as_deref().map(plain).unwrap_or_default().into_owned(),
        point: failure.map(|failure| plain(&ranking::fails_there(failure)).into_owned()).unwrap_or_default(),
    }
}

fn note(problem: &Problem) -> Note {
    Note {
        place: problem.location.as_ref().map(|place| plain(&place.to_string()).into_owned()).unwrap_or_default(),
        message: plain(&problem.message).into_owned(),
        help: problem.help.as_deref().map(plain).unwrap_or_default().into_owned(),
    }
}

fn figures(report: &Report) -> Vec<(&'static str, String)> {
    let stats = &report.stats;
    let mut figures = Vec::new();
    if let Some(formulas) = &stats.formulas {
        figures.push(("paths explored", formulas.paths.to_string()));
        figures.push(("iterations", formulas.iterations.to_string()));
        figures.push(("questions to the solver", formulas.solver_calls.to_string()));
        figures.push(("replaying", format!("{:.1} s", formulas.replay_seconds)));
        figures.push(("encoding", format!("{:.1} s", formulas.encode_seconds)));
        figures.push(("trial runs", format!("{:.1} s", formulas.trial_seconds)));
        figures.push(("solving", format!("{:.1} s", formulas.solve_seconds)));
    }
    figures.push(("test runs", stats.test_runs.to_string()));
    if stats.seconds > 0.0 {
        figures.push(("in all", format!("{:.1} s", stats.seconds)));
    }
    if let Some(share) = stats.captured_share {
        figures.push(("captured", format!("{:.1} % of the cycles", share * 100.0)));
    }
    figures
}
