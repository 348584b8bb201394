//! The page of a recording: the way back from its failure, its calls, and what is seen at its moments, beside the sources.

mod calls;
mod code;
mod errors;
mod moment;
mod steps;

use askama::Template;
use whydunit_findings::{Location, Moments, Report, Show};

use super::{Note, STYLE, STYLE_HASH, excerpt, note};
use crate::Options;
use crate::plain::plain;
use calls::Call;
use code::{Code, File};
use errors::ErrorCard;
use moment::{Mark, Moment};
use steps::Step;

/// The script of this page, which its policy lets run by its SHA-256.
const SCRIPT: &str = include_str!("../../templates/show.js");
const SCRIPT_HASH: &str = "Elnrzaxo1Mi0v+iowyacpg7Tx7GcjvOnEXN+bPAsenM=";

/// What the template shows. All texts in it are plain, and escaped where they are put into the page.
#[derive(Template)]
#[template(path = "show.html")]
struct Page {
    style: &'static str,
    style_hash: &'static str,
    script: &'static str,
    script_hash: &'static str,
    version: &'static str,
    headline: String,
    failed: bool,
    test: Option<String>,
    command: String,
    recorded: String,
    end: String,
    /// The failure in words.
    failure: String,
    /// What should have held.
    predicate: String,
    /// Where the replay parted from the recording, and how.
    parted: Vec<String>,
    steps: Vec<Step>,
    no_walk: String,
    calls: Vec<Call>,
    moments: Vec<Moment>,
    marks: Vec<Mark>,
    /// The variables where it failed, where there are no moments.
    variables: Vec<(String, String)>,
    lines: u64,
    /// Each time that the run came to a line is a moment.
    whole: bool,
    /// The run came to lines that have no moment.
    more: bool,
    /// Where the replay ended before the run did.
    cut: bool,
    errors: Vec<ErrorCard>,
    files: Vec<File>,
    without_source: Vec<String>,
    problems: Vec<Note>,
}

/// The page of a recorded run.
pub fn page(report: &Report, show: &Show, options: &Options<'_>) -> String {
    let none = Moments::default();
    let moments = show.moments.as_deref().unwrap_or(&none);
    let code = Code::of(show, moments, options);
    let ran = &show.recording;
    let failure = show.failure.as_deref();
    let text = |text: Option<&str>| text.map(plain).unwrap_or_default().into_owned();
    let words: Vec<String> = ran.arguments.iter().map(|word| crate::runs::shell_word(word)).collect();
    let page = Page {
        style: STYLE,
        style_hash: STYLE_HASH,
        script: SCRIPT,
        script_hash: SCRIPT_HASH,
        version: env!("CARGO_PKG_VERSION"),
        headline: headline(show),
        failed: failure.is_some(),
        test: ran.test.as_deref().map(|test| plain(test).into_owned()),
        command: plain(&words.join(" ")).into_owned(),
        recorded: plain(&ran.recorded.replace('T', " ").replace('Z', " UTC")).into_owned(),
        end: plain(&show.end).into_owned(),
        failure: text(failure.map(|failure| &failure.message[..])),
        predicate: text(failure.and_then(|failure| failure.predicate.as_deref())),
        parted: show.divergence.iter().flat_map(parted).collect(),
        steps: steps::steps(moments, &code),
        no_walk: text(moments.no_walk.as_deref()),
        calls: calls::tree(&show.outline, &moments.outline),
        variables: match (failure, moments.moments.is_empty()) {
            (Some(failure), true) => {
                failure.variables.iter().map(|(name, value)| (plain(name).into(), plain(value).into())).collect()
            }
            _ => Vec::new(),
        },
        lines: moments.lines,
        whole: moments.whole,
        more: (moments.moments.len() as u64) < moments.lines,
        cut: moments.cut,
        errors: errors::cards(show, moments, &code),
        moments: moment::moments(moments, &code),
        marks: moment::marks(moments),
        files: code.files,
        without_source: code.without_source,
        problems: report.problems.iter().map(note).collect(),
    };
    // The template writes to a string: nothing can go wrong on the way.
    page.render().unwrap_or_default()
}

/// Where it failed; else which run it is.
fn headline(show: &Show) -> String {
    let failed = show.failure.as_deref().and_then(|failure| failure.location.as_ref());
    match (failed, &show.recording.test) {
        (Some(location), _) => place(location),
        (None, Some(test)) => plain(test).into_owned(),
        (None, None) => plain(show.recording.arguments.first().map_or("a run", |word| word)).into_owned(),
    }
}

fn parted(divergence: &whydunit_findings::Divergence) -> Vec<String> {
    let at = divergence.location.as_ref().map(|location| format!(" ({location})")).unwrap_or_default();
    let lines = [
        format!("at {}{at}", divergence.instruction),
        format!("expected {}", divergence.expected),
        format!("got {}", divergence.got),
    ];
    lines.iter().map(|line| plain(line).into_owned()).collect()
}

/// File and line.
fn place(location: &Location) -> String {
    plain(&super::short(location)).into_owned()
}
