//! The page of a history: what came of the commits, the bugs, and plots of their sizes.

use askama::Template;
use whydunit_findings::{CommitVerdict, History, HistoryBug, Minimised, Report};

use super::{Note, STYLE, STYLE_HASH, note};
use crate::plain::plain;
use crate::plot::{Bar, Point, bars, points};
use crate::text::counted;

/// What the template shows. All texts in it are plain, and escaped where they are put into the page, but for drawings.
#[derive(Template)]
#[template(path = "history.html")]
struct Page {
    style: &'static str,
    style_hash: &'static str,
    version: &'static str,
    headline: String,
    partial: bool,
    verdicts: Vec<(usize, &'static str)>,
    plots: Vec<Plot>,
    bugs: Vec<Bug>,
    needed: Vec<Needed>,
    bias: Vec<(String, String, String, String)>,
    figures: Vec<(&'static str, String)>,
    problems: Vec<Note>,
}

/// A plot with its heading.
struct Plot {
    title: &'static str,
    drawing: String,
}

/// Lines needed of all fixes that were made smaller, one of the four figures.
struct Needed {
    what: &'static str,
    needed: u64,
    changed: u64,
    share: String,
    /// The median of the shares of single fixes.
    median: String,
}

/// A bug in the table.
struct Bug {
    id: String,
    subject: String,
    lines: u64,
    needed: String,
    alone: String,
    tests: usize,
    fingerprint: String,
    kind: String,
    patch: String,
}

/// The page.
pub fn page(report: &Report, history: &History) -> String {
    let of = |verdict: CommitVerdict| history.commits.iter().filter(|commit| commit.verdict == verdict).count();
    let verdicts = CommitVerdict::ALL.into_iter().map(|verdict| (of(verdict), verdict.words()));
    let bias = history.bias.iter().map(|check| {
        let probability = check.probability.map_or("too few".to_owned(), |it| format!("{it:.3}"));
        (check.what.clone(), format!("{:.1}", check.kept), format!("{:.1}", check.others), probability)
    });
    let with_tests = history.bugs.iter().filter(|bug| !bug.tests.is_empty()).count();
    let page = Page {
        style: STYLE,
        style_hash: STYLE_HASH,
        version: env!("CARGO_PKG_VERSION"),
        headline: format!(
            "{} with tests in {}",
            counted(with_tests as u64, "bug"),
            counted(history.commits.len() as u64, "commit")
        ),
        partial: report.partial || report.interrupted,
        verdicts: verdicts.filter(|(number, _)| *number > 0).collect(),
        plots: plots(history),
        bugs: history.bugs.iter().map(bug).collect(),
        needed: needed(history),
        bias: bias.collect(),
        figures: vec![("builds", report.stats.builds.to_string()), ("test runs", report.stats.test_runs.to_string())],
        problems: report.problems.iter().map(note).collect(),
    };
    // The template writes to a string: nothing can go wrong on the way.
    page.render().unwrap_or_default()
}

/// The four figures of what is needed of fixes; none where no fix was made smaller.
fn needed(history: &History) -> Vec<Needed> {
    type Part = fn(&Minimised) -> (u64, u64);
    let parts: [(&'static str, Part); 4] = [
        ("all tests as after the fix, all lines", |it| (it.needed, it.changed)),
        ("all tests as after the fix, without empty lines and comments", |it| (it.needed_code, it.changed_code)),
        ("the failing tests alone, all lines", |it| (it.needed_alone, it.changed)),
        ("the failing tests alone, without empty lines and comments", |it| (it.needed_alone_code, it.changed_code)),
    ];
    let all: Vec<&Minimised> = history.bugs.iter().filter_map(|bug| bug.minimised.as_ref()).collect();
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let figure = |(what, part): (&'static str, Part)| {
        let of: Vec<(u64, u64)> = all.iter().map(|it| part(it)).filter(|(_, changed)| *changed > 0).collect();
        let (needed, changed) = of.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        let mut shares: Vec<f64> = of.iter().map(|it| it.0 as f64 / it.1 as f64).collect();
        shares.sort_by(f64::total_cmp);
        let median = match shares.len() {
            0 => 0.0,
            length => (shares[(length - 1) / 2] + shares[length / 2]) / 2.0,
        };
        Needed { what, needed, changed, share: percent(needed as f64 / changed.max(1) as f64), median: percent(median) }
    };
    if all.is_empty() { Vec::new() } else { parts.into_iter().map(figure).collect() }
}

fn bug(bug: &HistoryBug) -> Bug {
    let needed = |of: &dyn Fn(&Minimised) -> u64| {
        let text =
            |it: &Minimised| format!("{}{} of {}", if it.complete { "" } else { "at most " }, of(it), it.changed);
        bug.minimised.as_ref().map_or("-".to_owned(), text)
    };
    Bug {
        id: plain(&bug.id).into_owned(),
        subject: plain(bug.subject()).into_owned(),
        lines: bug.lines_churned,
        needed: needed(&|it| it.needed),
        alone: needed(&|it| it.needed_alone),
        tests: bug.tests.len(),
        fingerprint: bug.fingerprint.clone(),
        kind: bug.kind.clone(),
        patch: bug.minimised.as_ref().map(|it| plain(&it.patch).into_owned()).unwrap_or_default(),
    }
}

/// Upper ends of the classes of sizes.
const SIZES: [u64; 7] = [1, 2, 5, 10, 20, 50, 100];

fn plots(history: &History) -> Vec<Plot> {
    let mut plots = Vec::new();
    let mut low = 0;
    let mut sizes = Vec::new();
    for high in SIZES.into_iter().chain([u64::MAX]) {
        let value = history.bugs.iter().filter(|bug| (low + 1..=high).contains(&bug.lines_churned)).count() as u64;
        let label = match high {
            u64::MAX => format!("over {low}"),
            _ if low + 1 == high => high.to_string(),
            _ => format!("{}-{high}", low + 1),
        };
        sizes.push(Bar { label, value });
        low = high;
    }
    plots.push(Plot { title: "Sizes of fixes, in lines", drawing: bars("sizes of fixes", &sizes) });
    let prints = ["K", "M", "H", "Z"].map(|letter| Bar {
        label: letter.to_owned(),
        value: history.bugs.iter().filter(|bug| bug.fingerprint.contains(letter)).count() as u64,
    });
    let title =
        "Fixes that change keywords (K), calls (M), error handling (H), expressions in conditions and the like (Z)";
    plots.push(Plot { title, drawing: bars("fingerprints of fixes", &prints) });
    let minimised = || history.bugs.iter().filter_map(|bug| Some((bug, bug.minimised.as_ref()?)));
    let against = |title: &'static str, part: fn(&Minimised) -> (u64, u64)| {
        let point = |(bug, it): (&HistoryBug, &Minimised)| {
            let (needed, changed) = part(it);
            Point { x: changed as f64, y: needed as f64, label: plain(&bug.id).into_owned() }
        };
        let drawing = points(title, ["lines changed", "lines needed"], &minimised().map(point).collect::<Vec<_>>());
        Plot { title, drawing }
    };
    if minimised().next().is_some() {
        plots.push(against("Lines needed against lines changed", |it| (it.needed, it.changed)));
        let title = "Lines needed for the failing tests alone, without empty lines and comments";
        plots.push(against(title, |it| (it.needed_alone_code, it.changed_code)));
    }
    let ages: Vec<Point> = history
        .bugs
        .iter()
        .filter_map(|bug| {
            let days = bug.introduced.as_ref()?.seconds as f64 / 86_400.0;
            Some(Point { x: bug.lines_churned as f64, y: days, label: plain(&bug.id).into_owned() })
        })
        .collect();
    if !ages.is_empty() {
        let drawing = points("days from introduction to fix", ["lines changed", "days"], &ages);
        plots.push(Plot { title: "Days from the commit that a bug came with to its fix", drawing });
    }
    plots
}
