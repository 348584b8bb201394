//! Text for a terminal.

mod cases;
mod check;
mod classes;
mod enrich;
mod excerpt;
pub(crate) mod explain;
mod health;
mod history;
mod listings;
mod locate;
mod mine;
mod regressions;
pub(crate) mod repair;
mod repairs;
pub(crate) mod review;
mod run;
mod score;
mod shrunk;
mod style;
mod unit_tests;

use std::fmt::Write;

use whydunit_findings::{Body, Problem, Report};

use crate::plain::plain;
use crate::{Options, Sources};
use style::Style;

/// What the parts share while they write.
struct Page<'a> {
    out: String,
    style: Style,
    sources: &'a dyn Sources,
    limit: Option<usize>,
}

impl Page<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        self.out.push_str(line.as_ref().trim_end());
        self.out.push('\n');
    }
}

/// The report as text, with a newline at the end.
pub fn text(report: &Report, options: &Options<'_>) -> String {
    let mut page =
        Page { out: String::new(), style: Style::new(options.colour), sources: options.sources, limit: options.limit };
    match &report.body {
        Body::Init(init) => listings::init(&mut page, init),
        Body::Build(build) => listings::build(&mut page, build),
        Body::TestList(names) => names.iter().for_each(|name| page.line(plain(name))),
        Body::Test => {
            listings::tests(&mut page, &report.tests);
            report.shard.iter().for_each(|shard| page.line(format!("shard {} of {}", shard.number, shard.of)));
        }
        Body::Cases(cases) => cases::cases(&mut page, cases),
        Body::Record(record) => run::record(&mut page, record),
        Body::Replay(replay) => run::replay(&mut page, replay, report.stats.replay.as_ref()),
        Body::Show(show) => run::show(&mut page, show),
        Body::Classes(classes) => classes::classes(&mut page, classes),
        Body::Check(checked) => check::checked(&mut page, checked),
        Body::Mine(mined) => mine::mined(&mut page, mined),
        Body::Enrich(enriched) => enrich::enriched(&mut page, enriched),
        Body::History(told) => history::history(&mut page, told),
        Body::Why(why) => run::why(&mut page, why),
        Body::Locate(located) => locate::located(&mut page, located, report),
        Body::Explain(explained) => explain::explained(&mut page, explained, &report.stats),
        Body::Repair(repaired) => repair::repaired(&mut page, repaired, report),
        Body::Review(reviewed) => review::reviewed(&mut page, reviewed, report),
        Body::Score(score) => score::score(&mut page, score),
        Body::Shrink(shrunk) => shrunk::shrunk(&mut page, shrunk),
        Body::Doctor(health) => health::health(&mut page, health),
        Body::Demo(steps) => listings::demo(&mut page, steps),
    }
    for problem in &report.problems {
        problem_line(&mut page, problem);
    }
    if let Some(share) = report.stats.captured_share {
        page.line(format!("captured: {:.1} % of the run's processor cycles", share * 100.0));
    }
    if report.partial {
        let warning = page.style.warning(crate::ranking::cut_short(report));
        page.line(warning);
    }
    page.out
}

/// How many of what.
pub(crate) fn counted(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ if what.ends_with("ch") => format!("{number} {what}es"),
        _ => format!("{number} {what}s"),
    }
}

fn problem_line(page: &mut Page, problem: &Problem) {
    let mut line = page.style.warning("note: ");
    if let Some(location) = &problem.location {
        write!(line, "{location}: ").expect("writing to a string");
    }
    line.push_str(&plain(&problem.message));
    page.line(line);
    if let Some(help) = &problem.help {
        page.line(format!("      {}", plain(help)));
    }
}
